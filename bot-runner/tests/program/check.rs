//! `check`: reports all mistakes at once, each with file, key, value found and allowed values.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::configs::{Folder, POLICY, arena};
use super::program::{Finished, Runner};
use crate::common::libraries::{BUILT, GREEDY_TENPAI, MISBEHAVE};

const URL: &str = "ws://127.0.0.1:1";

const CANARY: &str = "canary-0123456789abcdef";

fn check(files: &[&Path]) -> Finished {
    Runner::new([Path::new("check")].iter().chain(files))
        .env("KUMA_TOKEN", CANARY)
        .run()
}

/// The problems that it reports of one config, without the config's name; that all are listed is
/// checked.
#[track_caller]
fn problems(text: &str) -> Vec<String> {
    let folder = Folder::new();
    let file = folder.file("kuma.toml", text);
    let finished = check(&[&file]);
    let out = finished.exited(1);
    assert!(!finished.all().contains("canary"), "{}", finished.all());
    let mut lines: Vec<&str> = out.lines().collect();
    let count = lines.pop().unwrap_or_default();
    assert!(
        count.starts_with(&format!("{} problem", lines.len())),
        "{out}"
    );
    let name = format!("{}: ", file.display());
    lines
        .iter()
        .map(|line| {
            line.strip_prefix(&name)
                .expect("each problem names the file")
                .to_owned()
        })
        .collect()
}

#[track_caller]
fn one_problem(text: &str) -> String {
    let mut problems = problems(text);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.remove(0)
}

#[test]
fn the_slowest_decision_of_the_trial_is_told_beside_think_ms() {
    let words = |library: &Path, more: &str| {
        let folder = Folder::new();
        let text = format!(
            "name = \"kuma\"\n[policy]\nlibrary = {:?}\n{more}",
            library.display()
        );
        check(&[&folder.file("kuma.toml", &text)])
            .exited(0)
            .to_owned()
    };
    let quick = words(&GREEDY_TENPAI, "");
    assert!(
        quick.contains("; in its trial its slowest decision took ")
            && quick.trim_end().ends_with(" ms"),
        "{quick}"
    );
    let quick = words(&GREEDY_TENPAI, "think_ms = 60000\n");
    assert!(quick.contains(" of the 60000 ms of think_ms"), "{quick}");
    // In a trial a decision has a second at least.
    let slow = words(
        &MISBEHAVE,
        "think_ms = 200\n[policy.params]\nfault = \"late\"\nat = 0\n",
    );
    let took = slow
        .split_once("; warning: in its trial its slowest decision took ")
        .and_then(|(_, rest)| rest.split_once(" ms, and"));
    let (took, rest) = took.unwrap_or_else(|| panic!("{slow}"));
    assert!(
        took.parse::<u32>().is_ok_and(|took| took > 1_000)
            && rest.trim_end() == " think_ms gives it 200",
        "{slow}"
    );
}

#[test]
fn a_config_with_three_mistakes_gets_three_clear_errors() {
    let text = format!(
        "name = \"kuma\"\n{}queue_togehter = true\n{POLICY}\n[policy.params]\ncalls = \"often\"\n",
        arena(URL, "NO_SUCH_KUMA_TOKEN")
    );
    let problems = problems(&text);
    assert_eq!(problems.len(), 3, "{problems:?}");
    let about = |key: &str, words: &[&str]| {
        let problem = problems
            .iter()
            .find(|problem| problem.starts_with(&format!("{key}: ")));
        let problem = problem.unwrap_or_else(|| panic!("nothing about {key} in {problems:?}"));
        for word in words {
            assert!(problem.contains(word), "{problem} does not say {word}");
        }
    };
    about("arena.queue_togehter", &["unknown key", "`queue_together`"]);
    about(
        "policy.params.calls",
        &["found \"often\"", "\"never\", \"yaku\""],
    );
    about(
        "arena.token_env",
        &["the environment variable named here is not set"],
    );
}

#[test]
fn the_mistakes_of_all_configs_are_listed_together() {
    let folder = Folder::new();
    let first = folder.file("first.toml", format!("nmae = \"one\"\n{POLICY}"));
    let second = folder.file("second.toml", "name = \"two\"\n");
    let missing = folder.path().join("third.toml");
    let finished = check(&[&first, &second, &missing]);
    let out = finished.exited(1);
    assert!(out.ends_with("4 problems found\n"), "{out}");
    for (file, words) in [
        (&first, "nmae: unknown key; did you mean `name`?"),
        (&first, "name: the key is missing"),
        (&second, "policy: the section is missing"),
        (&missing, "cannot be read"),
    ] {
        assert!(
            out.contains(&format!("{}: {words}", file.display())),
            "{words} is not in {out}"
        );
    }
}

#[test]
fn a_config_without_mistakes_is_described() {
    let folder = Folder::new();
    let kuma = folder.bot_at("kuma", URL, "KUMA_TOKEN");
    let neko = folder.bot("neko");
    let finished = check(&[&kuma, &neko]);
    let out = finished.exited(0);
    let [first, second] = out.lines().collect::<Vec<_>>()[..] else {
        panic!("{out}")
    };
    assert!(
        first.contains("kuma decides by greedy-tenpai")
            && first.contains("built in")
            && first.contains(URL)
    );
    assert!(
        second.contains("neko decides by greedy-tenpai")
            && second.contains("`play`, `tournament`, `tune` and `stdio`"),
        "{second}"
    );
    assert!(!finished.all().contains("canary"));
}

#[test]
fn a_room_of_an_mjai_server_needs_no_token() {
    let folder = Folder::new();
    let room = "mjsonp://127.0.0.1:1/kumas";
    let file = folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n[arena]\nkind = \"mjsonp\"\nurl = {room:?}\n{POLICY}"),
    );
    assert!(check(&[&file]).exited(0).contains(room));
}

#[test]
fn a_token_in_place_of_its_file_or_of_a_variable_that_could_be_one_is_not_repeated() {
    let section =
        |key: &str, token: &str| format!("\n[arena]\nkind = \"riichilab\"\n{key} = {token:?}\n");
    for (key, token) in [
        ("token_file", "eyJhbGciOi.canary-secret_part.sig"),
        ("token_env", "eyJcanary0123456789abcdef"),
    ] {
        let problem = one_problem(&format!("name = \"kuma\"\n{}{POLICY}", section(key, token)));
        assert!(
            problem.starts_with(&format!("arena.{key}: ")) && problem.contains("named here is not"),
            "{problem}"
        );
    }
}

#[test]
fn a_token_under_an_unknown_key_is_not_repeated() {
    let text = format!(
        "name = \"kuma\"\n{}api_key = \"{CANARY}\"\n{POLICY}",
        arena(URL, "KUMA_TOKEN")
    );
    assert!(one_problem(&text).starts_with("arena.api_key: a token does not belong in a config"));
    let text = format!(
        "name = \"kuma\"\n{}quueue = \"{CANARY}\"\n{POLICY}",
        arena(URL, "KUMA_TOKEN")
    );
    assert!(one_problem(&text).starts_with("arena.quueue: unknown key"));
}

#[test]
fn a_missing_token_is_reported_by_its_key_and_with_the_next_step() {
    let problem = one_problem(&format!(
        "name = \"kuma\"\n{}{POLICY}",
        arena(URL, "NO_SUCH_KUMA_TOKEN")
    ));
    assert!(
        problem.starts_with("arena.token_env: ") && problem.ends_with("export NAME=…"),
        "{problem}"
    );
}

#[test]
fn a_token_file_that_others_may_read_is_refused_with_its_mode() {
    let folder = Folder::new();
    folder.file_with_mode("token", &format!("{CANARY}\n"), 0o644);
    let arena = "\n[arena]\nkind = \"riichilab\"\ntoken_file = \"token\"\n";
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{arena}{POLICY}"));
    let finished = check(&[&config]);
    let out = finished.exited(1);
    assert!(
        out.contains("arena.token_file: ") && out.contains("0644") && out.contains("chmod 600"),
        "{out}"
    );
    assert!(!finished.all().contains("canary"));

    folder.file_with_mode("token", &format!("{CANARY}\n"), 0o600);
    let finished = check(&[&config]);
    finished.exited(0);
    assert!(!finished.all().contains("canary"));
}

#[test]
fn one_token_in_two_configs_is_refused_wherever_it_comes_from() {
    let folder = Folder::new();
    folder.file_with_mode("token", &format!("{CANARY}\n"), 0o600);
    let kuma = folder.bot_at("kuma", URL, "KUMA_TOKEN");
    let arena = format!("\n[arena]\nkind = \"riichilab\"\nurl = {URL:?}\ntoken_file = \"token\"\n");
    let neko = folder.file("neko.toml", format!("name = \"neko\"\n{arena}{POLICY}"));
    let finished = check(&[&kuma, &neko]);
    let out = finished.exited(1);
    let expected = format!(
        "{}: arena.token_file: this is the token of {} too",
        neko.display(),
        kuma.display()
    );
    assert!(out.starts_with(&expected), "{out}");
    assert!(!finished.all().contains("canary"));
}

#[test]
fn two_bots_of_one_name_are_refused_at_an_arena() {
    let folder = Folder::new();
    folder.file_with_mode("one", "one\n", 0o600);
    folder.file_with_mode("two", "two\n", 0o600);
    let bot = |file: &str, token: &str| {
        let arena =
            format!("[arena]\nkind = \"riichilab\"\nurl = {URL:?}\ntoken_file = {token:?}\n");
        folder.file(file, format!("name = \"kuma\"\n{arena}{POLICY}"))
    };
    let (kuma, again) = (bot("kuma.toml", "one"), bot("again.toml", "two"));
    let out = check(&[&kuma, &again]).out;
    let expected = format!(
        "{}: name: {} names its bot \"kuma\" too",
        again.display(),
        kuma.display()
    );
    assert!(out.starts_with(&expected), "{out}");
}

#[test]
fn two_bots_of_one_name_may_play_at_home() {
    let folder = Folder::new();
    let kuma = folder.bot("kuma");
    let again = folder.file("again.toml", format!("name = \"kuma\"\n{POLICY}"));
    check(&[&kuma, &again]).exited(0);
}

#[test]
fn an_unknown_policy_is_reported_with_the_known_ones() {
    let builtin =
        one_problem("name = \"kuma\"\n[policy]\nlibrary = \"builtin\"\nid = \"greedy\"\n");
    assert!(
        builtin.contains("no policy \"greedy\" is built in") && builtin.contains("`greedy-tenpai`"),
        "{builtin}"
    );
    let nowhere = one_problem("name = \"kuma\"\n[policy]\nid = \"greedy\"\n");
    assert!(
        nowhere.starts_with("policy.id: ") && nowhere.contains("`greedy-tenpai`"),
        "{nowhere}"
    );
    assert!(
        nowhere.contains(&format!("libgreedy{}", std::env::consts::DLL_SUFFIX)),
        "{nowhere}"
    );
}

#[test]
fn a_name_that_is_nearly_right_is_reported_with_the_right_one() {
    let builtin =
        |rest: &str| format!("name = \"kuma\"\n[policy]\nlibrary = \"builtin\"\n{rest}\n");
    for (text, key, name) in [
        (
            builtin("id = \"gredy-tenpai\""),
            "policy.id",
            "greedy-tenpai",
        ),
        (
            "name = \"kuma\"\n[policy]\nid = \"gredy-tenpai\"\n".to_owned(),
            "policy.id",
            "greedy-tenpai",
        ),
        (
            builtin("id = \"greedy-tenpai\"\nparams = { cals = \"yaku\" }"),
            "policy.params.cals",
            "calls",
        ),
        (
            builtin("id = \"greedy-tenpai\"\nparams = { calls = \"yakku\" }"),
            "policy.params.calls",
            "yaku",
        ),
        (
            builtin("id = \"greedy-tenpai\"\nisolation = \"proces\""),
            "policy.isolation",
            "process",
        ),
    ] {
        let problem = one_problem(&text);
        assert!(problem.starts_with(&format!("{key}: ")), "{problem}");
        assert!(
            problem.contains(&format!("did you mean `{name}`?")),
            "{problem}"
        );
    }
    let library = format!(
        "name = \"kuma\"\n[policy]\nlibrary = {:?}\nid = \"gredy-tenpai\"\n",
        *GREEDY_TENPAI
    );
    assert!(one_problem(&library).ends_with("; did you mean `greedy-tenpai`?"));
}

#[test]
fn a_pattern_that_no_file_fits_is_reported_as_a_pattern() {
    let text = "name = \"kuma\"\n[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\nwatch = [\"*.py\"]\n";
    let problem = one_problem(text);
    assert!(
        problem.starts_with("policy.watch: no file in ") && problem.contains("is called like *.py"),
        "{problem}"
    );
}

#[test]
fn folders_that_cannot_be_written_are_reported() {
    let at = |rest: &str| {
        format!(
            "name = \"kuma\"\n{}{POLICY}{rest}\n",
            arena(URL, "KUMA_TOKEN")
        )
    };
    for (rest, key) in [
        ("[records]\nfolder = \"/proc/xyz\"", "records.folder"),
        (
            "[results]\ndatabase = \"sqlite:/proc/dir/r.db\"",
            "results.database",
        ),
        (
            "[results]\ndatabase = \"sqlite:r.db\"\nspool = \"/proc/xyz\"",
            "results.spool",
        ),
    ] {
        let problem = one_problem(&at(rest));
        assert!(
            problem.starts_with(&format!("{key}: nothing can be written to /proc: ")),
            "{problem}"
        );
    }
    let missing = at("[results]\ndatabase = \"postgres://kuma@127.0.0.1/r?sslrootcert=none.pem\"");
    let problem = one_problem(&missing);
    assert!(
        problem.starts_with("results.database: the certificates of sslrootcert, "),
        "{problem}"
    );
}

#[test]
fn a_valid_config_leaves_nothing_behind() {
    let folder = Folder::new();
    let kept = "[records]\nfolder = \"new/records\"\n[results]\ndatabase = \"sqlite:other/r.db\"\n";
    let text = format!(
        "name = \"kuma\"\n{}{POLICY}{kept}",
        arena(URL, "KUMA_TOKEN")
    );
    let config = folder.file("kuma.toml", text);
    check(&[&config]).exited(0);
    let names: Vec<_> = fs::read_dir(folder.path())
        .expect("it is there")
        .map(|file| file.expect("one").path())
        .collect();
    assert_eq!(names, [config]);
}

#[test]
fn a_program_that_cannot_be_started_is_reported() {
    for (id, command, isolation) in [
        ("mjai-engine", "no-such-program-here", "thread"),
        ("program", "./no-such-program --fast", "thread"),
        ("program", "no-such-program", "process"),
    ] {
        let params = format!("isolation = {isolation:?}\n[policy.params]\ncommand = {command:?}\n");
        let problem = one_problem(&format!(
            "name = \"kuma\"\n[policy]\nlibrary = \"builtin\"\nid = {id:?}\n{params}"
        ));
        assert!(
            problem.starts_with("policy.params.command: the policy could not be started: "),
            "{problem}"
        );
        assert!(problem.contains("no-such-program"), "{problem}");
        assert_eq!(
            problem.matches("could not be started").count(),
            1,
            "{problem}"
        );
    }
}

#[test]
fn a_file_that_is_not_a_library_is_reported_with_its_file() {
    let folder = Folder::new();
    folder.file("notes.so", "not a library");
    for (library, words) in [
        ("./notes.so", "is not a library"),
        ("./missing.so", "missing.so"),
        ("nothing", "libnothing"),
    ] {
        let text =
            format!("name = \"kuma\"\n[policy]\nlibrary = {library:?}\nid = \"greedy-tenpai\"\n");
        let config = folder.file("kuma.toml", text);
        let finished = check(&[&config]);
        let out = finished.exited(1);
        assert!(
            out.contains("policy.library: ") && out.contains(words),
            "{library}: {out}"
        );
    }
}

/// The configs of the repository, those in its folders too.
fn shipped(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .expect("it is a folder")
        .map(|entry| entry.expect("it is there").path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                shipped(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn every_config_of_the_repository_is_right_once_its_token_is_there() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let files = shipped(&folder);
    assert!(files.len() >= 10, "{files:?}");
    LazyLock::force(&BUILT);
    for file in files {
        let text = fs::read_to_string(&file).expect("it is text");
        let secret =
            |line: &str| line.starts_with("token_env = ") || line.starts_with("secret_env = ");
        let variable = text
            .lines()
            .find(|line| secret(line))
            .and_then(|line| line.split_once(" = "));
        let variable = variable.map_or("NO_TOKEN", |(_, name)| name.trim_matches('"'));
        Runner::new([Path::new("check"), &file])
            .env(variable, CANARY)
            .run()
            .exited(0);
    }
}

/// The setting that a line holds behind a comment sign.
fn commented(line: &str) -> Option<&str> {
    let setting = line.strip_prefix("# ")?;
    let (key, _) = setting.split_once(" = ")?;
    key.bytes()
        .all(|byte| byte.is_ascii_lowercase() || b"0123456789_".contains(&byte))
        .then_some(setting)
}

#[test]
fn what_the_config_for_riichilab_has_behind_a_comment_sign_is_right_too() {
    let text = include_str!("../../../configs/riichilab.toml");
    assert!(text.lines().filter_map(commented).count() >= 10, "{text}");
    // The config names it, so it must be next to the program.
    LazyLock::force(&GREEDY_TENPAI);
    let all: Vec<&str> = text
        .lines()
        .map(|line| commented(line).unwrap_or(line))
        .collect();
    let problems = problems(&all.join("\n"));
    let about: Vec<&str> = problems
        .iter()
        .filter_map(|problem| Some(problem.split_once(": ")?.0))
        .collect();
    // A token comes from one place, and no file has this content.
    assert_eq!(about, ["arena.token_env", "policy.sha256"], "{problems:?}");
}

/// A config for Botzone, with the game in the middle of it.
fn at_botzone(game: &str, policy: &str) -> String {
    let account = "user = \"0a1b\"\nsecret_env = \"KUMA_TOKEN\"";
    format!(
        "name = \"panda\"\n[arena]\nkind = \"botzone\"\n{account}\n{game}\n[policy]\nlibrary = \"builtin\"\nid = {policy:?}\n"
    )
}

#[test]
fn a_game_that_botzone_does_not_have_is_the_only_thing_said_of_it() {
    for game in ["game = \"mahjong\"", "game = \"riichi\"", "game = 3", ""] {
        for policy in ["cs-fan", "doudizhu-split", "eight-step"] {
            let problem = one_problem(&at_botzone(game, policy));
            assert!(problem.starts_with("arena.game: "), "{problem}");
            let allowed = "allowed are \"chinese-standard\", \"doudizhu\", \"doudizhu-bidding\", \
                           \"Chinese-Standard-Mahjong\", \"FightTheLandlord\", \"FightTheLandlord2\"";
            assert!(problem.ends_with(allowed), "{problem}");
        }
    }
}

#[test]
fn a_policy_of_another_game_is_refused_with_those_that_play_the_bots() {
    for (game, policy, allowed) in [
        (
            "chinese-standard",
            "doudizhu-split",
            "built in are `cs-program`, `cs-eight-step`, `cs-fan`, `cs-learned`",
        ),
        (
            "doudizhu",
            "greedy-tenpai",
            "built in are `doudizhu-program`, `doudizhu-split`, `doudizhu-learned`",
        ),
    ] {
        let problem = one_problem(&at_botzone(&format!("game = {game:?}"), policy));
        assert!(
            problem.starts_with(&format!("policy.id: the policy {policy} plays ")),
            "{problem}"
        );
        assert!(
            problem.contains(&format!("this bot plays {game}")) && problem.contains(allowed),
            "{problem}"
        );
    }
    let riichi = format!(
        "name = \"kuma\"\n{}\n[policy]\nid = \"cs-fan\"\nlibrary = \"builtin\"\n",
        arena(URL, "KUMA_TOKEN")
    );
    let problem = one_problem(&riichi);
    assert!(
        problem.contains("plays chinese-standard, and this bot plays riichi"),
        "{problem}"
    );
    assert!(
        problem.contains("`greedy-tenpai`") && !problem.contains("`cs-eight-step`"),
        "{problem}"
    );
}

#[test]
fn a_bot_without_an_arena_plays_the_game_of_its_policy() {
    let folder = Folder::new();
    for (policy, game) in [
        ("cs-fan", "chinese-standard"),
        ("doudizhu-split", "doudizhu"),
    ] {
        let text = format!("name = \"panda\"\n[policy]\nlibrary = \"builtin\"\nid = {policy:?}\n");
        let file = folder.file("panda.toml", text);
        let checked = check(&[&file]);
        let out = checked.exited(0);
        assert!(out.contains(&format!("decides by {policy} ")), "{out}");
        assert!(
            out.ends_with("for `play`, `tournament` and `tune`\n"),
            "{out}"
        );
        // Running it at an arena names the right one.
        let refused = Runner::new([Path::new("run"), &file]).run();
        refused.exited(1);
        assert!(
            refused
                .err
                .contains(&format!("kind = \"botzone\", game = {game:?}")),
            "{}",
            refused.err
        );
        assert!(!refused.err.contains("policy.id"), "{}", refused.err);
    }
}

#[test]
fn quotes_around_a_token_are_named() {
    let folder = Folder::new();
    let kuma = folder.file(
        "kuma.toml",
        format!(
            "name = \"kuma\"\n{}{POLICY}",
            arena("ws://127.0.0.1:1", "QT")
        ),
    );
    for quoted in ["\"abc\"", "'abc'"] {
        let finished = Runner::new(["check".into(), kuma.clone()])
            .env("QT", quoted)
            .run();
        let out = finished.exited(1);
        assert!(
            out.contains("arena.token_env: ") && out.contains("the token is in quotes"),
            "{out}"
        );
        assert!(!finished.all().contains("abc"), "{out}");
    }
    let text = "name = \"neko\"\n[arena]\nkind = \"riichilab\"\nurl = \"ws://127.0.0.1:1\"\ntoken_file = \"token\"\n";
    let neko = folder.file("neko.toml", format!("{text}{POLICY}"));
    folder.file_with_mode("token", "\"abc\"\n", 0o600);
    let out = Runner::new(["check".into(), neko.clone()])
        .run()
        .exited(1)
        .to_owned();
    assert!(
        out.contains("the file named here: the token is in quotes"),
        "{out}"
    );
    folder.file_with_mode("token", "\u{feff}abc\r\n", 0o600);
    Runner::new(["check".into(), neko]).run().exited(0);
}

#[test]
fn quotes_around_a_password_are_named_and_belong_to_it() {
    let folder = Folder::new();
    let results =
        "[results]\ndatabase = \"postgres://bots@127.0.0.1:1/db\"\npassword_env = \"QP\"\n";
    let kuma = folder.file("kuma.toml", format!("name = \"kuma\"\n{results}{POLICY}"));
    let finished = Runner::new(["check".into(), kuma])
        .env("QP", "'canary'")
        .run();
    assert!(
        finished.err.contains("results.password_env: "),
        "{}",
        finished.err
    );
    assert!(
        finished
            .err
            .contains("is in quotes, which count as a part of it"),
        "{}",
        finished.err
    );
    assert!(!finished.all().contains("canary"), "{}", finished.all());
}

#[test]
fn a_name_without_a_visible_character_is_refused() {
    let folder = Folder::new();
    for name in [" ", "\u{3000}", "\u{200b}"] {
        let config = folder.file(
            "kuma.toml",
            format!("name = {name:?}\n{POLICY}")
                .replace("\\u{", "\\U0000")
                .replace('}', ""),
        );
        let out = Runner::new(["check".into(), config])
            .run()
            .exited(1)
            .to_owned();
        assert!(
            out.contains("name: allowed are 1 to 40 characters") && out.contains("visible"),
            "{out}"
        );
    }
}

#[test]
fn a_script_that_cannot_be_started_is_reported_with_its_first_line() {
    let folder = Folder::new();
    let check = |text: &str| {
        folder.file_with_mode("policy.py", text, 0o755);
        let config = "name = \"kuma\"\n[policy]\nid = \"program\"\n[policy.params]\ncommand = \"./policy.py\"\nstart_ms = 3000\n";
        Runner::new(["check".into(), folder.file("kuma.toml", config)])
            .run()
            .exited(1)
            .to_owned()
    };
    let out = check("#!/opt/nopython/bin/python\nprint(1)\n");
    assert!(
        out.contains("the interpreter /opt/nopython/bin/python of its first line"),
        "{out}"
    );
    let out = check("print(1)\n");
    assert!(
        out.contains("its first line is print(1)") && out.contains("#!/usr/bin/env python3"),
        "{out}"
    );
}
