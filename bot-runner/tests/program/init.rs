//! `init`: a bot's first config, by options and by questions.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::configs::Folder;
use super::program::{Finished, Runner};
use super::terminal::Terminal;

const TOKEN: &str = "canary-0123456789abcdef";

const COMMAND: &str = concat!(
    "python3 ",
    env!("CARGO_MANIFEST_DIR"),
    "/templates/plugin/python/policy.py"
);

fn init(folder: &Folder, args: &[&str]) -> Runner {
    Runner::new(std::iter::once(&"init").chain(args)).in_folder(folder.path())
}

fn read(folder: &Folder, file: &str) -> String {
    fs::read_to_string(folder.path().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn check(folder: &Folder, file: &str) -> Finished {
    Runner::new(["check", file])
        .in_folder(folder.path())
        .env("BOT_TOKEN", TOKEN)
        .run()
}

/// The names of the entries in a folder.
fn names(folder: &Path) -> Vec<String> {
    let listed = fs::read_dir(folder).expect("it can be listed");
    let mut names: Vec<String> = listed
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn options_alone_make_a_config_that_passes_the_check() {
    let program = format!("--command={COMMAND}");
    let cases: [(&[&str], &str); 8] = [
        (
            &[
                "--arena=riichilab",
                "--token-env=BOT_TOKEN",
                "--ladder=317",
                "--policy=defensive-fold",
            ],
            "plays at wss://game.riichi.dev",
        ),
        (
            &[
                "--arena=riichilab",
                "--token-env=BOT_TOKEN",
                "--policy=defensive-fold",
            ],
            "plays at wss://game.riichi.dev",
        ),
        (
            &[
                "--arena=riichilab",
                "--game=riichi",
                "--players=3",
                "--token-env=BOT_TOKEN",
                "--policy=greedy-tenpai",
            ],
            "plays with three at wss://game.riichi.dev",
        ),
        (
            &[
                "--arena=mjsonp",
                "--url=mjsonp://127.0.0.1:11600/room",
                "--policy=eight-step",
            ],
            "plays at mjsonp://",
        ),
        (
            &[
                "--arena=botzone",
                "--game=doudizhu-bidding",
                "--user=abc123",
                "--token-env=BOT_TOKEN",
                "--policy=doudizhu-split",
            ],
            "at https://www.botzone.org.cn",
        ),
        (
            &[
                "--arena=botzone",
                "--game=chinese-standard",
                "--policy=cs-fan",
            ],
            "plays Chinese-Standard-Mahjong as a program",
        ),
        (
            &["--arena=none", "--game=doudizhu", "--policy=doudizhu-split"],
            "it is for `play`, `tournament` and `tune`",
        ),
        (
            &[
                "--arena=none",
                "--game=riichi",
                "--policy=program",
                &program,
            ],
            "it is for `play`, `tournament`, `tune` and `stdio`",
        ),
    ];
    for (args, said) in cases {
        let folder = Folder::new();
        let made = init(&folder, &[&["--name=kuma"], args].concat())
            .env("BOT_TOKEN", TOKEN)
            .run();
        let out = made.exited(0);
        assert!(
            out.contains("kuma.toml: ok: kuma decides by ") && out.contains(said),
            "{args:?}: {out}"
        );
        assert!(
            out.contains("written: kuma.toml\nnext:\n  bot-runner "),
            "{out}"
        );
        assert_eq!(names(folder.path()), ["kuma.toml"]);
        assert!(check(&folder, "kuma.toml").exited(0).contains(said));
        assert!(!made.all().contains("canary") && !read(&folder, "kuma.toml").contains("canary"));
    }
}

/// An engine with these options, as an option of `init`.
fn engine(options: &str) -> String {
    let bot = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../policies/mjai-engine/tests/line_bot.py"
    );
    format!("--command=python3 {bot} {options}")
}

const ENGINE: [&str; 4] = [
    "--arena=none",
    "--game=riichi",
    "--name=kuma",
    "--policy=mjai-engine",
];

#[test]
fn the_manner_in_which_an_engine_replies_is_found_out_and_written() {
    for (number, replies) in (1..).zip(["when-asked", "every-line", "every-batch"]) {
        let folder = Folder::new();
        let command = engine(&format!("--replies {replies}"));
        let made = init(&folder, &[&ENGINE[..], &[&command]].concat()).run();
        assert!(
            made.exited(0).contains("written: kuma.toml"),
            "{}",
            made.all()
        );
        assert_eq!(
            made.err.matches("trying replies = ").count(),
            number,
            "{}",
            made.err
        );
        assert!(read(&folder, "kuma.toml").contains(&format!("\nreplies = {replies:?}\n")));
    }
    let folder = Folder::new();
    let command = engine("--players 3 --slots four --north nukidora --replies every-batch");
    let three = [
        "--arena=riichilab",
        "--players=3",
        "--token-env=BOT_TOKEN",
        "--name=kuma",
        "--policy=mjai-engine",
    ];
    init(&folder, &[&three[..], &[&command]].concat())
        .env("BOT_TOKEN", TOKEN)
        .run()
        .exited(0);
    assert!(read(&folder, "kuma.toml").contains("replies = \"every-batch\""));
}

#[test]
fn an_engine_for_three_players_is_set_up_without_an_arena() {
    let folder = Folder::new();
    let command = engine("--players 3 --slots four --north nukidora");
    let made = init(&folder, &[&ENGINE[..], &["--players=3", &command]].concat()).run();
    assert!(
        made.exited(0)
            .ends_with("next:\n  bot-runner play kuma.toml --players 3\n"),
        "{}",
        made.all()
    );
    let text = read(&folder, "kuma.toml");
    assert!(
        text.contains("replies = ") && !text.contains("players = "),
        "only [arena] has this key: {text}"
    );
    let other = [
        "--arena=none",
        "--game=doudizhu",
        "--name=neko",
        "--policy=doudizhu-split",
        "--players=3",
    ];
    let refused = init(&folder, &other).run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("--players: only riichi takes it, and the game is doudizhu"),
        "{}",
        refused.err
    );
    assert_eq!(names(folder.path()), ["kuma.toml"]);
}

#[test]
fn the_manner_that_is_given_is_the_only_one_that_is_tried() {
    let folder = Folder::new();
    let (command, given) = (engine("--replies every-line"), |replies: &str| {
        format!("--replies={replies}")
    });
    let refused = init(
        &folder,
        &[&ENGINE[..], &[&command, &given("when-asked")]].concat(),
    )
    .run();
    assert!(
        refused
            .exited(1)
            .contains("`replies` sets which lines it gets"),
        "{}",
        refused.all()
    );
    init(
        &folder,
        &[&ENGINE[..], &[&command, &given("every-line")]].concat(),
    )
    .run()
    .exited(0);
    assert!(read(&folder, "kuma.toml").contains("replies = \"every-line\""));
    let other = [
        "--arena=none",
        "--game=riichi",
        "--name=neko",
        "--policy=greedy-tenpai",
        "--replies=every-line",
    ];
    let refused = init(&folder, &other).run();
    refused.exited(1);
    assert!(
        refused.err.contains("--replies: only mjai-engine takes it"),
        "{}",
        refused.err
    );
}

#[test]
fn an_engine_that_plays_in_no_manner_leaves_no_config_and_each_reason_is_told_once() {
    let folder = Folder::new();
    let missing = "--command=python3 no-such-bot.py";
    let refused = init(&folder, &[&ENGINE[..], &[missing]].concat()).run();
    assert_eq!(refused.exited(1), "nothing was written\n");
    assert_eq!(
        refused.err.matches("No such file or directory").count(),
        1,
        "{}",
        refused.err
    );
    assert!(
        !refused.err.contains("`replies` sets"),
        "the key is not to blame: {}",
        refused.err
    );
    // Each manner has its own reason.
    let refused = init(&folder, &[&ENGINE[..], &[&engine("--players 3")]].concat()).run();
    refused.exited(1);
    for replies in ["when-asked", "every-batch"] {
        assert!(
            refused.err.contains(&format!("replies = {replies:?}: ")),
            "{}",
            refused.err
        );
    }
    assert!(
        names(folder.path()).is_empty(),
        "{:?}",
        names(folder.path())
    );
}

#[test]
fn a_token_that_comes_on_standard_input_goes_into_a_file_for_its_owner_alone() {
    let folder = Folder::new();
    let args = [
        "--arena=riichilab",
        "--name=kuma",
        "--policy=greedy-tenpai",
        "--token-file=secret.txt",
        "--out=bot.toml",
    ];
    let made = init(&folder, &args).input(&format!("{TOKEN}\n")).run();
    assert!(
        made.exited(0)
            .contains("written: bot.toml and secret.txt (mode 0600)"),
        "{}",
        made.out
    );
    let token = folder.path().join("secret.txt");
    assert_eq!(
        fs::metadata(&token)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o7777,
        0o600
    );
    assert_eq!(read(&folder, "secret.txt").trim_end(), TOKEN);
    assert!(read(&folder, "bot.toml").contains("token_file = \"secret.txt\""));
    assert!(!made.all().contains("canary") && !read(&folder, "bot.toml").contains("canary"));
    check(&folder, "bot.toml").exited(0);
    // An existing one is used, with its complete path if it is in another folder.
    let bots = folder.private("bots");
    let more = [
        "--arena=riichilab",
        "--name=neko",
        "--policy=greedy-tenpai",
        "--token-file=secret.txt",
        "--out=bots/neko.toml",
    ];
    init(&folder, &more).run().exited(0);
    let inode = fs::metadata(&token).expect("it is there").ino();
    assert!(read(&folder, "bots/neko.toml").contains("/secret.txt\""));
    assert_eq!(
        (
            names(&bots),
            fs::metadata(&token).expect("it is there").ino()
        ),
        (vec!["neko.toml".to_owned()], inode)
    );
}

#[test]
fn without_a_terminal_the_options_that_are_missing_are_named() {
    for (args, missing) in [
        (
            &[][..],
            "--arena, --game, --name, --token-file or --token-env, --policy",
        ),
        (
            &["--arena=riichilab"],
            "--name, --token-file or --token-env, --policy",
        ),
        (&["--arena=botzone", "--name=kuma"], "--game, --policy"),
        (
            &[
                "--arena=botzone",
                "--game=doudizhu",
                "--user=abc",
                "--policy=doudizhu-split",
            ],
            "--name, --token-file or --token-env",
        ),
        (
            &["--arena=none", "--game=riichi", "--name=kuma"],
            "--policy",
        ),
        (
            &[
                "--arena=none",
                "--game=riichi",
                "--name=kuma",
                "--policy=program",
            ],
            "--command",
        ),
    ] {
        let folder = Folder::new();
        let refused = init(&folder, args).run();
        refused.exited(2);
        assert!(
            refused
                .err
                .contains(&format!("these options are missing: {missing}\n")),
            "{args:?}: {}",
            refused.err
        );
        assert!(refused.out.is_empty() && names(folder.path()).is_empty());
    }
}

#[test]
fn no_file_is_overwritten_and_a_mistake_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.file("kuma.toml", "mine");
    folder.file("bot.token", "mine");
    let base = ["--arena=riichilab", "--name=kuma", "--token-env=BOT_TOKEN"];
    let refused = |args: &[&str], said: &str| {
        let refused = init(&folder, &[&base[..], args].concat())
            .env("BOT_TOKEN", TOKEN)
            .run();
        refused.exited(1);
        assert!(refused.all().contains(said), "{args:?}: {}", refused.all());
        assert_eq!(names(folder.path()), ["bot.token", "kuma.toml"]);
        assert_eq!(
            (read(&folder, "kuma.toml"), read(&folder, "bot.token")),
            ("mine".to_owned(), "mine".to_owned())
        );
    };
    refused(&["--policy=greedy-tenpai"], "kuma.toml already exists");
    refused(
        &["--policy=no-such-policy", "--out=new.toml"],
        "new.toml: policy.id: ",
    );
    refused(
        &["--policy=cs-fan", "--out=new.toml"],
        "nothing was written",
    );
    refused(
        &["--policy=program", "--command=", "--out=new.toml"],
        "nothing was written",
    );
    refused(
        &["--policy=cs-fan", "--command=x", "--out=new.toml"],
        "nothing was written",
    );
    refused(
        &[
            "--policy=greedy-tenpai",
            "--game=doudizhu",
            "--out=new.toml",
        ],
        "--game doudizhu: at this arena a bot plays riichi",
    );
    refused(
        &["--policy=greedy-tenpai", "--user=abc", "--out=new.toml"],
        "--user: this arena does not take it",
    );
    refused(
        &[
            "--policy=greedy-tenpai",
            "--url=http://riichi.dev",
            "--out=new.toml",
        ],
        "arena.url: ",
    );
    refused(
        &["--policy=greedy-tenpai", "--out=no/such/folder.toml"],
        "no/such/folder.toml: the folder no/such does not exist; make it first",
    );
    let args = [
        "--arena=riichilab",
        "--name=kuma",
        "--token-file=new.token",
        "--policy=greedy-tenpai",
        "--out=new.toml",
    ];
    let token = format!("--token-env={TOKEN}");
    let wrong = init(
        &folder,
        &[
            "--arena=riichilab",
            "--name=neko",
            "--policy=greedy-tenpai",
            &token,
        ],
    )
    .run();
    wrong.exited(1);
    assert!(
        wrong
            .err
            .contains("--token-env: this is not the name of an environment variable"),
        "{}",
        wrong.err
    );
    assert!(
        !wrong.all().contains("canary") && names(folder.path()) == ["bot.token", "kuma.toml"],
        "{}",
        wrong.all()
    );
    for (token, said) in [
        ("", "no token came on standard input"),
        ("two\nlines\n", "no token came on standard input"),
    ] {
        let refused = init(&folder, &args).input(token).run();
        refused.exited(1);
        assert!(
            refused.err.contains(said) && names(folder.path()) == ["bot.token", "kuma.toml"],
            "{}",
            refused.err
        );
    }
}

#[test]
fn a_variable_that_is_not_set_yet_is_no_mistake() {
    let folder = Folder::new();
    let made = init(
        &folder,
        &[
            "--arena=riichilab",
            "--name=kuma",
            "--token-env=KUMA_UNSET",
            "--policy=greedy-tenpai",
        ],
    )
    .run();
    let out = made.exited(0);
    assert!(
        out.contains("the variable with the token is not set yet")
            && out.contains("\n  export KUMA_UNSET=…"),
        "{out}"
    );
}

/// A user who answers questions as they come.
struct Dialogue {
    shown: Arc<Mutex<String>>,
    keyboard: fs::File,
    read: usize,
}

impl Dialogue {
    fn wait_for(&mut self, question: &str) {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let shown = self.shown.lock().expect("no thread panics with it").clone();
            if let Some(place) = shown[self.read..].find(question)
                && shown[self.read + place..].ends_with(": ")
            {
                self.read = shown.len();
                break;
            }
            assert!(Instant::now() < until, "{question} is not asked: {shown}");
            sleep(Duration::from_millis(10));
        }
    }

    /// Waits for a question, and types the answer.
    fn answer(&mut self, question: &str, answer: &str) {
        self.wait_for(question);
        writeln!(self.keyboard, "{answer}").expect("it can be typed");
    }
}

#[test]
fn in_a_terminal_it_asks_for_missing_options_and_never_shows_the_token() {
    let (folder, terminal) = (Folder::new(), Terminal::open());
    let shown = Arc::default();
    let mut dialogue = Dialogue {
        shown: Arc::clone(&shown),
        keyboard: terminal.keyboard(),
        read: 0,
    };
    let mut running = init(&folder, &[])
        .input_from(terminal.writer())
        .errors_to(terminal.writer())
        .start();
    let screen = terminal.read_into(shown);
    dialogue.answer("Arena [riichilab]", "0");
    dialogue.answer("Arena [riichilab]", "riichilab");
    dialogue.answer("Name of the bot", "");
    dialogue.answer("Name of the bot", "kuma");
    dialogue.answer("Token of the bot (not shown", "two words");
    dialogue.answer("Token of the bot (not shown", TOKEN);
    dialogue.answer("Number of the bot on the ladder", "kuma");
    dialogue.answer("Number of the bot on the ladder", "317");
    dialogue.answer("Config file [kuma.toml]", "");
    dialogue.answer("Policy [defensive-fold]", "0");
    dialogue.answer("Policy [defensive-fold]", "no-such-policy");
    dialogue.answer("Policy [defensive-fold]", "cs-fan");
    dialogue.answer("Policy [defensive-fold]", "program");
    dialogue.answer("Command of the program", "no-such-program");
    dialogue.answer("Policy [defensive-fold]", "program");
    dialogue.answer("Command of the program", COMMAND);
    running.line_with("written: kuma.toml and kuma.token (mode 0600)");
    let made = running.finish();
    made.exited(0);
    drop(dialogue);
    let seen = screen.join().expect("it is read");
    assert!(
        !seen.contains("canary") && !seen.contains("two words") && !made.all().contains("canary"),
        "{seen}"
    );
    assert!(
        seen.contains("1  riichilab ") && seen.contains("allowed are 1 to 40 characters"),
        "{seen}"
    );
    assert_eq!(
        (names(folder.path()), read(&folder, "kuma.token").trim_end()),
        (vec!["kuma.token".to_owned(), "kuma.toml".to_owned()], TOKEN)
    );
    let beside = folder.path().join("libno_such_policy.so");
    assert!(
        seen.contains(&*beside.to_string_lossy()),
        "it looks in the config's folder: {seen}"
    );
    let numbered = [
        "1  defensive-fold     ",
        "mjai-engine        An existing mjai program decides.",
    ];
    for said in numbered {
        assert!(seen.contains(said), "{said}: {seen}");
    }
    assert!(
        seen.contains("found 0; allowed are 1 to 7, and the id of a policy"),
        "{seen}"
    );
    for said in [
        "learned",
        "the policy cs-fan plays chinese-standard",
        "no-such-program",
    ] {
        assert!(seen.contains(said), "{said}: {seen}");
    }
    assert!(
        check(&folder, "kuma.toml")
            .exited(0)
            .contains("kuma decides by policy.py program")
    );
    let config = read(&folder, "kuma.toml");
    assert!(config.contains("[ladder]\nbot_id = 317\n"), "{config}");
    assert!(
        seen.contains("found kuma; allowed are whole numbers from 1 to 4294967295"),
        "{seen}"
    );
}

#[test]
fn ctrl_c_at_the_token_writes_nothing_and_restores_the_terminal() {
    let (folder, terminal) = (Folder::new(), Terminal::open());
    let shown = Arc::default();
    let mut dialogue = Dialogue {
        shown: Arc::clone(&shown),
        keyboard: terminal.keyboard(),
        read: 0,
    };
    let watcher = terminal.keyboard();
    let echoes = || {
        rustix::termios::tcgetattr(&watcher)
            .map(|set| set.local_modes)
            .expect("it is a terminal")
    };
    let before = echoes();
    let args = ["--arena=riichilab", "--name=kuma", "--policy=greedy-tenpai"];
    let running = init(&folder, &args)
        .input_from(terminal.writer())
        .errors_to(terminal.writer())
        .start();
    let screen = terminal.read_into(shown);
    dialogue.wait_for("Token of the bot (not shown");
    let hidden = (0..500).any(|_| {
        sleep(Duration::from_millis(10));
        echoes() != before
    });
    assert!(hidden, "the input would be shown");
    running.interrupt();
    running.finish().exited(130);
    assert_eq!(echoes(), before);
    assert!(names(folder.path()).is_empty());
    drop((dialogue, watcher));
    screen.join().expect("it is read");
}

#[test]
fn an_interrupted_check_leaves_neither_config_nor_token() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let folder = Folder::new();
        folder.file("slow.py", "import time\ntime.sleep(60)\n");
        let args = [
            "--arena=riichilab",
            "--name=kuma",
            "--policy=program",
            "--command=python3 slow.py",
        ];
        let token = ["--token-file=kuma.token", "--out=kuma.toml"];
        let running = init(&folder, &[&args[..], &token[..]].concat())
            .input(TOKEN)
            .start();
        let until = Instant::now() + Duration::from_secs(60);
        while names(folder.path()).len() < 3 {
            assert!(Instant::now() < until, "{:?}", names(folder.path()));
            sleep(Duration::from_millis(10));
        }
        running.signal(signal);
        let finished = running.finish();
        finished.exited(130);
        assert!(
            finished.err.contains("interrupted; nothing was written"),
            "{}",
            finished.err
        );
        assert_eq!(names(folder.path()), ["slow.py"], "{signal:?}");
    }
}

#[test]
fn a_token_that_is_too_long_is_refused_and_not_cut() {
    let folder = Folder::new();
    let args = [
        "--arena=riichilab",
        "--name=kuma",
        "--policy=greedy-tenpai",
        "--token-file=kuma.token",
    ];
    let finished = init(&folder, &args).input(&"x".repeat(65_537)).run();
    finished.exited(1);
    assert!(
        finished.err.contains("longer than 65536 bytes"),
        "{}",
        finished.err
    );
    assert!(names(folder.path()).is_empty());
    init(&folder, &args)
        .input(&"x".repeat(65_536))
        .run()
        .exited(0);
    assert_eq!(read(&folder, "kuma.token").len(), 65_536);
}
