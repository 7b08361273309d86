//! Text of others in all that commands print: whatever files, databases, policies and answers hold,
//! no command panics or prints a control character, and none of it begins a line of ours.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

use client::board::{BotActivity, BotStatus, BotTrouble, PolicyStatus, TroubleKind};
use fleet::control::{ControlResponse, ReloadOutcome, Reloaded, SeatOutcome};
use results::{DatabaseAddress, ResultKind, ResultRow, open};
use serde_json::{Value, json};

use super::configs::{Folder, POLICY};
use super::program::{Finished, Runner};
use crate::attacks::probe;

/// The sentence with which a text ends that tries to look like a line of ours.
const FORGED: &str = "Conclusion: take the other one.";

fn texts() -> [String; 3] {
    [
        "x".repeat(100_000),
        format!("a\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{7f}\r\n\n{FORGED}"),
        format!("熊\u{202e}\u{2066}\u{200f}\u{61c}\u{200b}\u{feff}\u{e0041}\u{2028}{FORGED}"),
    ]
}

/// What keeps a file readable, so that its other texts are reached.
const KEPT: [&str; 14] = [
    "type",
    "started",
    "ended",
    "state",
    "pai",
    "bakaze",
    "dora_marker",
    "tehais",
    "consumed",
    "game",
    "format",
    "games",
    "counted",
    "length",
];

/// Puts a text in the place of all others.
fn replace(value: &mut Value, text: &str) {
    match value {
        Value::String(place) => text.clone_into(place),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, text)),
        Value::Object(fields) => {
            fields
                .iter_mut()
                .filter(|(key, _)| !KEPT.contains(&key.as_str()))
                .for_each(|(_, value)| replace(value, text));
            if let Some(Value::Object(faults)) = fields.get_mut("faults") {
                faults.insert(text.to_owned(), 1.into());
            }
        }
        _ => {}
    }
}

/// The same in each line of a file of JSON.
fn replace_lines(file: &Path, text: &str) {
    let lines = fs::read_to_string(file).expect("it is there");
    let replaced = lines.lines().map(|line| {
        let mut value: Value = serde_json::from_str(line).expect("JSON");
        replace(&mut value, text);
        value.to_string() + "\n"
    });
    fs::write(file, replaced.collect::<String>()).expect("it can be written");
}

fn ranked_record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/records-format-1/2026-11-22T084820Z-kuma-1bbb7c")
}

/// The file of a tournament of two bots.
static TOURNAMENT: LazyLock<Value> = LazyLock::new(|| {
    let folder = Folder::new();
    let (one, other) = (folder.bot("kuma"), folder.bot("neko"));
    let args = [
        "tournament".into(),
        "--games=6".into(),
        "--seed=1".into(),
        "--length=east".into(),
        "--out=t.json".into(),
    ];
    Runner::new(args.into_iter().chain([one, other]))
        .in_folder(folder.path())
        .run()
        .exited(0);
    let text = fs::read_to_string(folder.path().join("t.json")).expect("it is there");
    serde_json::from_str(&text).expect("JSON")
});

/// The record of a game of Dou Dizhu.
static OTHER_GAME: LazyLock<String> = LazyLock::new(|| {
    let folder = Folder::new();
    let play = [
        "play",
        "--games=1",
        "--seed=1",
        "--game=doudizhu",
        "--record=games",
    ];
    Runner::new(play).in_folder(folder.path()).run().exited(0);
    let mut files = fs::read_dir(folder.path().join("games"))
        .expect("it is there")
        .flatten()
        .map(|entry| entry.path());
    fs::read_to_string(files.find(|path| path.is_file()).expect("a record")).expect("UTF-8")
});

/// Files whose every text is this one.
fn hostile_files(text: &str) -> Folder {
    let folder = Folder::new();
    let (records, games) = (folder.private("records"), folder.private("games"));
    // A name of a file is not as long.
    let name: String = text
        .chars()
        .filter(|letter| !matches!(letter, '/' | '\0'))
        .take(60)
        .collect();
    for (number, to) in ["sound".to_owned(), "hostile".to_owned(), name.clone()]
        .into_iter()
        .enumerate()
    {
        let to = records.join(to);
        fs::create_dir(&to).expect("it can be made");
        for file in fs::read_dir(ranked_record())
            .expect("it is there")
            .flatten()
        {
            fs::copy(file.path(), to.join(file.file_name())).expect("it can be copied");
        }
        if number > 0 {
            let manifest = to.join("manifest.json");
            let mut value: Value =
                serde_json::from_slice(&fs::read(&manifest).expect("it is there")).expect("JSON");
            replace(&mut value, text);
            value["cut"] = text.into();
            fs::write(manifest, value.to_string()).expect("it can be written");
            ["decisions.jsonl", "game.mjai.jsonl"]
                .iter()
                .for_each(|file| replace_lines(&to.join(file), text));
        }
    }
    let riichi = fs::read_to_string(records.join("hostile/game.mjai.jsonl")).expect("it is there");
    fs::write(games.join("riichi.jsonl"), &riichi).expect("it can be written");
    fs::write(games.join(format!("{name}.jsonl")), &riichi).expect("it can be written");
    let odd = json!({"type": text}).to_string()
        + "\n"
        + &json!({"type": "dahai", "actor": 0, "pai": text}).to_string();
    fs::write(games.join("broken.jsonl"), riichi + &odd).expect("it can be written");
    let mut doudizhu: Vec<Value> = OTHER_GAME
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    doudizhu[0]["names"] = json!([text, text, text]);
    let lines: String = doudizhu
        .iter()
        .map(|line| line.to_string() + "\n")
        .collect();
    fs::write(games.join("doudizhu.jsonl"), &lines).expect("it can be written");
    let position = |change: Value| {
        let mut position =
            json!({"name": text, "hand": "123m456p789s1155z9m", "right": [text], "reason": text});
        let fields = change.as_object().expect("an object").clone();
        position.as_object_mut().expect("an object").extend(fields);
        position.to_string() + "\n"
    };
    let positions = [
        json!({}),
        json!({"right": ["discard 9m"]}),
        json!({"log": text, "at": "1.1"}),
        json!({"hand": text}),
        json!({text: text}),
    ];
    folder.file("positions.jsonl", positions.map(position).concat());
    fs::write(
        games.join("broken-doudizhu.jsonl"),
        lines + &json!({"play": text, text: 1}).to_string(),
    )
    .expect("written");

    let mut store = open(
        &DatabaseAddress::Sqlite(folder.path().join("results.db")),
        None,
    )
    .expect("it can be made");
    let row = |number: i64, text: &str, kind| ResultRow {
        key: format!("{number}{text}"),
        kind,
        arena: text.to_owned(),
        shared: text.to_owned(),
        shard: Some(text.to_owned()),
        game: if number == 3 {
            text.to_owned()
        } else {
            "riichi".to_owned()
        },
        ended_ms: 1_700_000_000_000 + number,
        bot: text.to_owned(),
        policy: text.to_owned(),
        version: text.to_owned(),
        content: Some(text.to_owned()),
        mixed: false,
        players: 4,
        seat: 0,
        place: 1,
        scores: vec![25_000; 4],
        rounds: 8,
        wins: 1,
        deal_ins: 1,
        riichi: 1,
        called: 1,
        won: 1000,
        lost: 1000,
        opponents: vec![text.to_owned(); 3],
        trouble: None,
        luck: None,
    };
    let rows = [
        row(0, "sound", ResultKind::Ladder),
        row(1, text, ResultKind::Ladder),
        row(2, text, ResultKind::Tournament),
        row(3, text, ResultKind::Ladder),
    ];
    store.write(&rows).expect("it can be written");

    for (file, deep) in [("t.json", false), ("deep.json", true)] {
        let mut tournament = TOURNAMENT.clone();
        tournament
            .as_object_mut()
            .expect("an object")
            .remove("sha256");
        for config in tournament["arguments"]["configs"]
            .as_array_mut()
            .expect("a list")
        {
            replace(config, text);
        }
        tournament["played"][0]["fault"] = json!([0, text]);
        if deep {
            replace(&mut tournament["arguments"], text);
        }
        folder.file(file, tournament.to_string());
    }

    let quoted = toml::Value::from(text).to_string();
    let bots = folder.private("bots");
    for (file, config) in [
        ("name", format!("name = {quoted}\n{POLICY}")),
        ("id", format!("name = \"a\"\n[policy]\nid = {quoted}\n")),
        (
            "library",
            format!("name = \"b\"\n[policy]\nlibrary = {quoted}\n"),
        ),
        (
            "key",
            format!("name = \"c\"\n{quoted} = {quoted}\n{POLICY}{quoted} = 1\n"),
        ),
        (
            "params",
            format!("name = \"d\"\n{POLICY}[policy.params]\n{quoted} = {quoted}\n"),
        ),
        (
            "arena",
            format!(
                "name = \"e\"\n[arena]\nkind = {quoted}\nurl = {quoted}\ntoken_env = {quoted}\n{POLICY}"
            ),
        ),
        (
            "command",
            format!(
                "name = \"f\"\n[policy]\nid = \"program\"\n[policy.params]\ncommand = {quoted}\n"
            ),
        ),
        (
            "records",
            format!(
                "name = \"g\"\n[records]\nfolder = {quoted}\n[results]\ndatabase = {quoted}\n{POLICY}"
            ),
        ),
        (
            "watch",
            format!("name = \"h\"\n{POLICY}watch = [{quoted}]\n"),
        ),
        ("broken", text.to_owned()),
    ] {
        fs::write(bots.join(format!("{file}.toml")), config).expect("it can be written");
    }
    fs::write(bots.join(format!("{name}.toml")), "name = 1").expect("it can be written");
    folder.bot("sound");
    // Its name, its reasons and its words on standard error.
    let said = Value::from(text).to_string();
    folder.file(
        "policy.py",
        format!(
            "import json, sys\ntext = json.loads({said:?})\nfor line in sys.stdin:\n    print(text, file=sys.stderr)\n    \
             print(json.dumps({{'index': 0, 'name': text, 'version': text, 'reason': text}}), flush=True)\n"
        ),
    );
    let program = "name = \"program\"\n[policy]\nid = \"program\"\n[policy.params]\ncommand = \"python3 policy.py\"\n";
    folder.file("program.toml", program);
    folder.file(
        "broken.py",
        format!("import json, sys\nsys.exit(json.loads({said:?}))\n"),
    );
    folder.file("broken.toml", program.replace("policy.py", "broken.py"));
    let fails = format!(
        "import json, sys\ntext = json.loads({said:?})\nfor line in sys.stdin: print(json.dumps(text), flush=True)\n"
    );
    folder.file("fails.py", fails);
    folder.file("fails.toml", program.replace("policy.py", "fails.py"));
    folder.file_with_mode("tokens", &format!("{text} {text} {text}\n"), 0o600);
    let libraries = folder.private("libraries");
    fs::copy(&SHOWING.file, libraries.join("libshowing.so")).expect("it can be copied");
    fs::write(libraries.join(format!("lib{name}.so")), text).expect("it can be written");
    folder
}

/// A library whose texts have controls.
static SHOWING: LazyLock<crate::common::libraries::Compiled> =
    LazyLock::new(|| probe(&["SHOWN=\"a\\x1b[2J\\xc2\\x9b\\r\\n\\xe2\\x80\\xae\""]));

/// A runner that answers with this text.
fn hostile_runner(folder: &Path, text: &str) {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    fs::DirBuilder::new()
        .mode(0o700)
        .create(folder)
        .expect("it can be made");
    let socket = folder.join(format!("{}.sock", std::process::id()));
    let listener = UnixListener::bind(&socket).expect("it can be made");
    fs::set_permissions(&socket, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let text = text.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut line = String::new();
            let _ = BufReader::new(&stream).read_line(&mut line);
            let policy = PolicyStatus {
                id: text.clone(),
                version: text.clone(),
                sha256: None,
            };
            let status = BotStatus {
                bot: text.clone(),
                arena: text.clone(),
                state: BotActivity::Waiting {
                    why: text.clone(),
                    until: None,
                },
                game: 1,
                finished: 1,
                average_place: Some(1.0),
                average_points: None,
                places: [1, 0, 0, 0],
                recent: None,
                refused_change: Some(text.clone()),
                decisions: 1,
                safe_answers: 0,
                p50_ms: 0.0,
                p99_ms: 0.0,
                slowest_ms: 0.0,
                limit_ms: None,
                faults: 1,
                desyncs: 1,
                policy: Some(policy),
                rating: None,
                trouble: Some(BotTrouble {
                    kind: TroubleKind::Stopped,
                    why: text.clone(),
                    until: None,
                }),
            };
            let reloaded = |outcome: fn(String) -> ReloadOutcome| Reloaded {
                bot: text.clone(),
                outcome: outcome(text.clone()),
            };
            let asked = |command: &str| line.contains(command);
            let answer = if asked("status") {
                ControlResponse::Status(vec![status])
            } else if asked("take_over") {
                ControlResponse::Seat(Some(SeatOutcome::Offered(text.clone())))
            } else if asked("give_back") {
                ControlResponse::Seat(Some(SeatOutcome::Refused(text.clone())))
            } else {
                ControlResponse::Reloaded(vec![
                    reloaded(ReloadOutcome::Kept),
                    reloaded(ReloadOutcome::TookOver),
                ])
            };
            let _ = writeln!(&stream, "{}", serde_json::to_string(&answer).expect("JSON"));
        }
    });
}

/// The address of a ladder whose answers have this text.
fn hostile_ladder(text: &str) -> String {
    let id = "00000000-0000-4000-8000-000000000001";
    let bot = json!({"id": 1, "bot_id": 1, "name": text, "bot_name": text, "last_played_at": "2026-11-01T00:00:00Z"});
    let row = json!({"game_id": id, "game_type": text, "played_at": "2026-11-01T00:00:00Z", "seat": 0, "rank": 1});
    let games = json!({"total": 1, "has_more": true, "next_cursor": text, "games": [row]});
    let player = json!({"seat": 0, "bot_id": 1, "bot_name": text});
    let game = json!({"id": id, "game_type": text, "players": [player, player, player, player]});
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("it is bound");
    let text = text.to_owned();
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let path = head
                .first()
                .and_then(|line| line.split(' ').nth(1))
                .unwrap_or_default();
            let answer = match path.split(['/', '?']).collect::<Vec<_>>()[..] {
                [.., "leaderboard", _] => Some(json!([bot])),
                ["", "api", "v1", "bots", "1"] => Some(bot.clone()),
                ["", "api", "v1", "bots", "1", "games", _] if !path.contains("cursor") => {
                    Some(games.clone())
                }
                ["", "api", "v1", "games", _] => Some(game.clone()),
                _ => None,
            };
            // What is refused is not asked for again after a pause.
            let (status, body) = match answer {
                Some(data) => ("200 OK", json!({"ok": true, "data": data}).to_string()),
                None => ("404 Not Found", text.clone()),
            };
            let length = body.len();
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    format!("http://{address}")
}

/// The lines of commands over these files, and what they read on standard input.
fn commands(folder: &Folder, text: &str) -> Vec<(Vec<String>, String)> {
    let ladder = hostile_ladder(text);
    let arg = text.to_owned();
    let records = fs::read_dir(folder.path().join("records"))
        .expect("it is there")
        .flatten();
    let games = fs::read_dir(folder.path().join("games"))
        .expect("it is there")
        .flatten();
    let path = |entry: fs::DirEntry| entry.path().to_str().expect("UTF-8").to_owned();
    let (records, games): (Vec<String>, Vec<String>) =
        (records.map(path).collect(), games.map(path).collect());
    let split = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut lines: Vec<Vec<String>> = [
        "check bots",
        "check broken.toml fails.toml",
        "check program.toml",
        "plugin list bots/library.toml program.toml",
        "plugin list libraries",
        "plugin inspect libraries/libshowing.so",
        "plugin schema",
        "plugin test --config bots/params.toml",
        "records list records",
        "records list records --json",
        "records prune records --older-than 1 --dry-run",
        "results import records --results sqlite:imported.db",
        "stats",
        "stats --by bot",
        "stats --by opponent",
        "stats --by week",
        "stats --json",
        "stats --csv",
        "stats --tournaments",
        "stats --chart chart.svg",
        "view games --out site",
        "view records --out ranked",
        "tournament --merge t.json",
        "tournament --merge deep.json",
        "tournament --merge t.json deep.json",
        "tournament sound.toml sound.toml --games 6 --length east --out t.json",
        "tournament sound.toml broken.toml --games 6 --length east",
        "tune program.toml --against sound.toml --games 2",
        "tune bots/key.toml --against bots/name.toml --games 2",
        "run bots --duration 1s",
        "play bots/params.toml --games 1",
        "play program.toml --games 1 --seed 1",
        "status",
        "status --json",
        "reload",
        "takeover kuma",
        "takeover kuma --give-back",
        "validate bots/arena.toml",
        "stdio bots/key.toml --seat 0",
        "stdio program.toml --seat 0",
        "botzone bots/arena.toml",
        "botzone sound.toml",
        "arena --tokens tokens --listen 127.0.0.1:0",
        "analyze 123m456p789s1122z3z --policy program.toml",
        "review games --policy sound.toml --csv review.csv --pages pages --resume state.json",
        "suite positions.jsonl --policy sound.toml",
        "suite positions.jsonl --policy sound.toml --json",
    ]
    .into_iter()
    .map(split)
    .collect();
    for what in [
        "top",
        "top --json",
        "find xx",
        "find 熊",
        "bot 1",
        "bot 2",
        "games 1 --limit 1",
        "fetch 1 --games 1 --out logs",
    ] {
        lines.push(split(&format!(
            "ladder {what} --api {ladder} --logs {ladder}"
        )));
    }
    for record in &records {
        lines.extend(["show", "show --json", "export"].map(|what| {
            let mut words = split(&format!("records {what}"));
            words.push(record.clone());
            words
        }));
    }
    for game in &games {
        lines.push(vec!["replay".to_owned(), game.clone()]);
        lines.push(vec!["analyze".to_owned(), game.clone()]);
        lines.push(
            ["review", game, "--policy=sound.toml"]
                .map(str::to_owned)
                .to_vec(),
        );
        lines.push(vec![
            "view".to_owned(),
            game.clone(),
            "--out=game.html".to_owned(),
        ]);
        lines.push(
            ["records", "export", game, "--format=tenhou"]
                .map(str::to_owned)
                .to_vec(),
        );
    }
    for words in [
        "check",
        "play",
        "run",
        "validate",
        "stdio",
        "botzone",
        "replay",
        "view",
        "analyze",
        "reload",
        "takeover",
        "records show",
        "records list",
        "plugin inspect",
        "plugin list",
        "plugin test",
        "plugin new",
        "stats --bot",
        "stats --since",
        "stats --results",
        "tournament --merge",
        "tournament --games",
        "tune",
        "arena --tokens",
        "arena --listen",
        "arena --event",
        "init --name",
        "ladder bot",
        "ladder top --api",
        "results import",
        "sprt --elo 0,10 --counts",
    ] {
        lines.push(split(words).into_iter().chain([arg.clone()]).collect());
    }
    let init = [
        "init",
        "--arena=none",
        "--game=riichi",
        "--policy",
        &arg,
        "--name",
        &arg,
    ]
    .map(str::to_owned);
    lines.push(init.to_vec());
    let events = [
        json!({"type": "start_game", "id": 0, "names": [text, text, text, text]}),
        json!({"type": text}),
        json!({"type": "dahai", "actor": 0, "pai": text}),
    ];
    let events: String = events
        .iter()
        .map(|event| event.to_string() + "\n")
        .collect();
    lines
        .into_iter()
        .map(|line| (line, events.clone() + text + "\n"))
        .collect()
}

/// What a command must not print, if it has.
fn what_is_wrong(ran: &Finished) -> Option<String> {
    if ran.status.code().is_none_or(|code| code > 3) {
        return Some(format!("{:?}", ran.status));
    }
    [&ran.out, &ran.err].into_iter().find_map(|out| {
        let is_raw = |letter: &char| {
            foreign_text::is_unseen(*letter) || (letter.is_control() && *letter != '\n')
        };
        if out.contains("panicked at") {
            return Some("a panic".to_owned());
        }
        if let Some(raw) = out.chars().find(is_raw) {
            return Some(format!("the raw {raw:?}"));
        }
        out.lines()
            .any(|line| line.starts_with(FORGED))
            .then(|| "a forged line".to_owned())
    })
}

#[test]
fn no_text_of_others_breaks_a_command_or_the_line_that_it_is_on() {
    let (mut used, mut failures) = (BTreeSet::new(), Vec::new());
    for text in texts() {
        let (folder, runtime) = (hostile_files(&text), Folder::new());
        hostile_runner(&runtime.path().join("bot-runner"), &text);
        for (line, input) in commands(&folder, &text) {
            used.insert(line[0].clone());
            let ran = Runner::new(&line)
                .in_folder(folder.path())
                .env("XDG_RUNTIME_DIR", runtime.path().to_str().expect("UTF-8"))
                .input(&input)
                .run();
            let shown: Vec<String> = line.iter().map(|word| format!("{word:.60?}")).collect();
            if let Some(wrong) = what_is_wrong(&ran) {
                let out = format!("{:.600}\n{:.600}", ran.out, ran.err);
                failures.push(format!("{}\n{wrong}: {out:?}", shown.join(" ")));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} lines:\n{}",
        failures.len(),
        failures.join("\n\n")
    );
    let help = Runner::new(["--help"]).run().exited(0).to_owned();
    let commands = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty());
    let named: BTreeSet<String> = commands
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|command| command != "help")
        .collect();
    assert!(
        named.len() > 15 && named.is_subset(&used),
        "without a line: {:?}",
        named.difference(&used)
    );
}

#[test]
fn what_holds_a_text_that_is_too_long_is_named_and_the_rest_is_read() {
    let [long, ..] = texts();
    let folder = hostile_files(&long);
    let run = |line: &str| {
        let ran = Runner::new(line.split(' ')).in_folder(folder.path()).run();
        ran.exited(1);
        let words = " bytes; at most 65536 are read";
        assert!(ran.err.contains(words), "{line}: {:.600}", ran.err);
        ran
    };
    let records = run("records list records");
    assert!(
        records.err.contains("/hostile: ") || records.err.contains("/hostile/"),
        "{:.600}",
        records.err
    );
    assert!(
        records.out.contains("sound") && records.out.contains("1 record,"),
        "{}",
        records.out
    );
    let stats = run("stats --results sqlite:results.db");
    assert!(
        stats.err.contains("left out: the row "),
        "{:.600}",
        stats.err
    );
    assert!(stats.out.contains("sound"), "{}", stats.out);
    let merged = run("tournament --merge t.json");
    assert!(
        merged.err.contains("t.json") && merged.err.contains("arguments.configs[0]."),
        "{:.600}",
        merged.err
    );
}
