//! `replay`: records fed to the table.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};

use super::configs::Folder;
use super::program::{Finished, Runner};

/// The project's records.
fn records() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/riichi/tests/records");
    let files = fs::read_dir(folder)
        .expect("the project has records")
        .map(|entry| entry.expect("an entry").path());
    let mut records: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|end| end == "gz"))
        .collect();
    records.sort();
    assert!(!records.is_empty());
    records
}

/// The lines of the first record.
fn lines() -> Vec<String> {
    let mut text = String::new();
    let file = fs::File::open(&records()[0]).expect("it is there");
    MultiGzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("it is gzipped text");
    text.lines().map(str::to_owned).collect()
}

fn replay(record: &Path, seat: Option<u8>) -> Finished {
    let mut args = vec!["replay".to_owned(), record.display().to_string()];
    if let Some(seat) = seat {
        args.extend(["--seat".to_owned(), seat.to_string()]);
    }
    Runner::new(args).run()
}

/// Replays these lines as a plain file.
fn replay_lines(lines: &[String], seat: Option<u8>) -> Finished {
    let folder = Folder::new();
    replay(&folder.file("record.jsonl", lines.join("\n")), seat)
}

#[test]
fn the_projects_records_replay_without_contradiction_from_all_seats() {
    for record in records() {
        let finished = replay(&record, None);
        let out = finished.exited(0);
        assert!(
            out.contains("no contradiction in ") && out.contains("seen from all seats"),
            "{out}"
        );
    }
}

#[test]
fn one_seat_can_be_watched_alone() {
    for seat in 0..4 {
        let out = replay(&records()[0], Some(seat)).exited(0).to_owned();
        assert!(
            out.contains(&format!("no contradiction in {} events", lines().len())),
            "{out}"
        );
        assert!(out.contains(&format!("seen from seat {seat}")), "{out}");
    }
    replay(&records()[0], Some(4)).exited(2);
}

#[test]
fn a_plain_record_replays_like_a_gzipped_one() {
    let finished = replay_lines(&lines(), None);
    assert!(
        finished
            .exited(0)
            .contains(&format!("no contradiction in {} events", lines().len()))
    );
}

#[test]
fn the_first_contradiction_is_reported_with_its_line_and_event() {
    let mut lines = lines();
    let draw = lines
        .iter()
        .rposition(|line| line.contains(r#""type":"tsumo""#))
        .expect("tiles are drawn");
    let actor = lines[draw]
        .find(r#""actor":"#)
        .expect("a draw has an actor")
        + r#""actor":"#.len();
    let other = if &lines[draw][actor..=actor] == "0" {
        "1"
    } else {
        "0"
    };
    lines[draw].replace_range(actor..=actor, other);
    let finished = replay_lines(&lines, None);
    let out = finished.exited(1);
    let said = format!(
        "contradiction at line {}: `actor` is given as {other}, but should be ",
        draw + 1
    );
    assert!(
        out.contains(&said)
            && out.contains(r#"; the event is {"#)
            && out.contains(r#""type":"tsumo""#),
        "{out}"
    );
}

/// A wrong payment of a win, and the line of it with the words that say so.
fn wrong_payment() -> (Vec<String>, String) {
    let mut lines = lines();
    let at = lines
        .iter()
        .position(|line| line.contains(r#""type":"hora""#))
        .expect("a win");
    let mut win: Value = serde_json::from_str(&lines[at]).expect("JSON");
    let right = win["deltas"].to_string();
    win["deltas"] = json!([8000, -1000, 0, 0]);
    lines[at] = win.to_string();
    (
        lines,
        format!("`deltas` is given as [8000,-1000,0,0], but should be {right}: "),
    )
}

#[test]
fn replay_view_and_export_say_the_same_of_what_cannot_have_happened() {
    let (lines, said) = wrong_payment();
    let at = 1 + lines
        .iter()
        .position(|line| line.contains("-1000,0,0"))
        .expect("the win");
    let folder = Folder::new();
    let record = folder.file("wrong.jsonl", lines.join("\n"));
    let replayed = replay(&record, None);
    assert!(
        replayed
            .exited(1)
            .contains(&format!("contradiction at line {at}: {said}")),
        "{}",
        replayed.out
    );
    let page = folder.path().join("page.html");
    let viewed = Runner::new([Path::new("view"), &record, Path::new("--out"), &page]).run();
    viewed.exited(0);
    assert!(
        viewed
            .err
            .contains(&format!("Line {at} cannot have happened, {said}")),
        "{}",
        viewed.err
    );
    assert!(
        viewed.err.contains("; it is shown as the record has it."),
        "{}",
        viewed.err
    );
    let exported = Runner::new(
        ["records", "export", "--format=tenhou"]
            .map(Path::new)
            .iter()
            .chain([&record.as_path()]),
    );
    let exported = exported.run();
    exported.exited(0);
    assert!(
        exported
            .err
            .contains(&format!("contradiction at line {at}: {said}")),
        "{}",
        exported.err
    );
}

#[test]
fn wrong_last_scores_are_a_contradiction_for_replay_and_a_warning_for_export() {
    let folder = Folder::new();
    let records = folder.path().join("games");
    Runner::new(
        ["play", "--seed=1", "--record"]
            .map(Path::new)
            .iter()
            .chain([&records.as_path()]),
    )
    .run()
    .exited(0);
    let text = fs::read_to_string(records.join("game-0001.jsonl")).expect("it was written");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut end: Value = serde_json::from_str(lines.last().expect("a line")).expect("JSON");
    let right = end["scores"].to_string();
    end["scores"][0] = json!(1);
    *lines.last_mut().expect("a line") = end.to_string();
    let record = folder.file("wrong.jsonl", lines.join("\n"));
    let said = format!(
        "contradiction at line {}: `scores` is given as {}, but should be {right}",
        lines.len(),
        end["scores"]
    );
    let replayed = replay(&record, None);
    assert!(replayed.exited(1).contains(&said), "{}", replayed.out);
    let exported = Runner::new(
        ["records", "export", "--format=tenhou"]
            .map(Path::new)
            .iter()
            .chain([&record.as_path()]),
    );
    let exported = exported.run();
    exported.exited(0);
    assert!(exported.err.contains(&said), "{}", exported.err);
}

#[test]
fn a_record_of_the_original_converter_replays_with_its_error_named() {
    let mut calls = 0;
    let mut called = false;
    let converted: Vec<String> = lines()
        .iter()
        .map(|line| {
            let mut event: Value = serde_json::from_str(line).expect("JSON");
            if event["type"] == "start_kyoku" {
                event.as_object_mut().expect("an object").remove("kyotaku");
            }
            if event["type"] == "dahai" && called {
                event["tsumogiri"] = json!(true);
                calls += 1;
            }
            called = event["type"] == "chi" || event["type"] == "pon";
            event.to_string()
        })
        .collect();
    assert!(calls > 2, "{calls}");
    let finished = replay_lines(&converted, None);
    let out = finished.exited(0);
    assert!(out.contains("no contradiction in "), "{out}");
    let said = format!(
        " and {} more: `tsumogiri` is given as true, but should be false: nothing is drawn",
        calls - 1
    );
    assert!(
        out.contains("known error at line ") && out.contains(&said),
        "{out}"
    );
    let folder = Folder::new();
    let record = folder.file("converted.jsonl", converted.join("\n"));
    let exported = Runner::new(
        ["records", "export", "--format=tenhou"]
            .map(Path::new)
            .iter()
            .chain([&record.as_path()]),
    );
    let exported = exported.run();
    assert!(
        exported.exited(0).contains("log") && exported.err.contains("known error at line "),
        "{}",
        exported.err
    );
}

#[test]
fn a_record_that_ends_before_its_game_is_no_contradiction_and_says_so() {
    let lines = lines();
    let end = lines
        .iter()
        .rposition(|line| line.contains("start_kyoku"))
        .expect("rounds");
    let finished = replay_lines(&lines[..end], None);
    let out = finished.exited(0);
    assert!(
        out.contains("the record ends before the game does, in ")
            && out.contains("no contradiction in "),
        "{out}"
    );
}

#[test]
fn what_a_seat_may_not_know_contradicts_nothing_it_sees() {
    let mut lines = lines();
    // A tile drawn and discarded by one seat: only that seat knows that it drew another one.
    let thrown = lines
        .iter()
        .position(|line| line.contains("dahai") && line.contains(r#""tsumogiri":true"#));
    let draw = thrown.expect("a seat discards the drawn tile") - 1;
    let tile = lines[draw]
        .split(r#""pai":""#)
        .nth(1)
        .expect("a draw has a tile")
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    let actor: u8 = lines[draw].split(r#""actor":"#).nth(1).unwrap()[..1]
        .parse()
        .unwrap();
    let other = if tile == "1m" { "9m" } else { "1m" };
    lines[draw] = lines[draw].replace(
        &format!(r#""pai":"{tile}""#),
        &format!(r#""pai":"{other}""#),
    );
    for seat in 0..4 {
        replay_lines(&lines, Some(seat)).exited(i32::from(seat == actor));
    }
}

#[test]
fn a_line_that_cannot_be_read_is_named_with_its_field() {
    let mut lines = lines();
    lines[9] = r#"{"actor":0,"pai":"1x","tsumogiri":false,"type":"dahai"}"#.to_owned();
    let finished = replay_lines(&lines, None);
    finished.exited(1);
    for words in ["line 10", "dahai", "`pai`", "1x"] {
        assert!(
            finished.err.contains(words),
            "{words} is not in {}",
            finished.err
        );
    }
}

#[test]
fn a_line_that_is_no_event_is_named() {
    let mut lines = lines();
    lines[9] = "hello".to_owned();
    let finished = replay_lines(&lines, None);
    finished.exited(1);
    assert!(finished.err.contains("line 10"), "{}", finished.err);
}

#[test]
fn empty_lines_and_events_of_unknown_types_are_passed_over() {
    let mut lines = lines();
    lines.insert(3, String::new());
    lines.insert(5, r#"{"text":"hello","type":"chat"}"#.to_owned());
    replay_lines(&lines, None).exited(0);
}

#[test]
fn a_record_may_hold_several_games() {
    let twice = [lines(), lines()].concat();
    let out = replay_lines(&twice, None).exited(0).to_owned();
    assert!(
        out.contains(&format!("no contradiction in {} events", twice.len())),
        "{out}"
    );
}

#[test]
fn a_file_without_a_round_is_no_record() {
    assert!(
        replay_lines(&[], None)
            .exited(1)
            .contains("no round in 0 events")
    );
    let finished = replay(Path::new("no-such-record.jsonl"), None);
    finished.exited(1);
    assert!(
        finished.err.contains("no-such-record.jsonl"),
        "{}",
        finished.err
    );
}

#[test]
fn a_folder_is_refused_with_the_next_step() {
    let folder = Folder::new();
    let finished = replay(folder.path(), None);
    finished.exited(1);
    let next = format!(
        "name a file in it, or use `bot-runner view {}`",
        folder.path().display()
    );
    assert!(
        finished
            .err
            .contains("is a folder, and replay takes one record")
            && finished.err.contains(&next),
        "{}",
        finished.err
    );
}

#[test]
fn a_gzipped_record_that_is_cut_off_is_an_error() {
    let folder = Folder::new();
    let whole = fs::read(&records()[0]).expect("it is there");
    let finished = replay(
        &folder.file("cut.jsonl.gz", &whole[..whole.len() / 2]),
        None,
    );
    finished.exited(1);
    assert!(finished.err.contains("cut.jsonl.gz"), "{}", finished.err);
}

#[test]
fn with_a_policy_each_decision_is_shown_beside_the_recorded_one() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let args = |seat: &[&str]| {
        let mut args = vec!["replay".to_owned(), records()[0].display().to_string()];
        args.extend(["--policy".to_owned(), bot.display().to_string()]);
        args.extend(seat.iter().map(|&arg| arg.to_owned()));
        args
    };
    let out = Runner::new(args(&["--seat", "0"]))
        .run()
        .exited(0)
        .to_owned();
    let decisions: Vec<&str> = out
        .lines()
        .filter(|line| line.contains(": done "))
        .collect();
    assert!(decisions.len() > 50, "{out}");
    let differing = decisions
        .iter()
        .filter(|line| line.starts_with('*'))
        .count();
    let unknown = decisions
        .iter()
        .filter(|line| line.contains(": done unknown"))
        .count();
    let all: Vec<&str> = out
        .lines()
        .find(|line| line.starts_with("all "))
        .expect("a sum")
        .split_whitespace()
        .collect();
    let [_, made, agreed, _] = all[..] else {
        panic!("{all:?}")
    };
    let number = |text: &str| text.parse::<usize>().expect("a number");
    assert_eq!(
        (number(made), number(made) - number(agreed)),
        (decisions.len() - unknown, differing)
    );
    // The seat is required.
    Runner::new(args(&[])).run().exited(2);
}

#[test]
fn a_policy_agrees_with_its_own_record() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let records = folder.path().join("records");
    let bot = bot.display().to_string();
    let played = Runner::new([
        "play",
        "--seed",
        "2",
        "--record",
        &records.display().to_string(),
        &bot,
        &bot,
        &bot,
        &bot,
    ]);
    played.run().exited(0);
    let record = records.join("game-0001.jsonl").display().to_string();
    let out = Runner::new(["replay", &record, "--policy", &bot, "--seat", "1"])
        .run()
        .exited(0)
        .to_owned();
    assert!(!out.lines().any(|line| line.starts_with('*')), "{out}");
    assert!(
        out.lines()
            .any(|line| line.starts_with("all ") && line.ends_with("100.0")),
        "{out}"
    );
}

/// A record of another game than riichi, played here.
fn record_of(folder: &Folder, game: &str) -> PathBuf {
    let records = folder.path().join(game);
    Runner::new(
        [
            "play", "--game", game, "--seed", "3", "--fill", "none", "--record",
        ]
        .map(OsStr::new)
        .into_iter()
        .chain([records.as_os_str()]),
    )
    .run()
    .exited(0);
    records.join("game-0001.jsonl")
}

#[test]
fn records_of_the_other_games_are_fed_to_their_tables_and_impossible_events_are_named() {
    let folder = Folder::new();
    for (game, seats) in [("chinese-standard", 4), ("doudizhu", 3)] {
        let record = record_of(&folder, game);
        let out = replay(&record, None).exited(0).to_owned();
        assert!(
            out.contains(" of 1 round, seen from all seats"),
            "{game}: {out}"
        );
        for seat in 0..seats {
            let out = replay(&record, Some(seat)).exited(0).to_owned();
            assert!(
                out.contains(&format!("seen from seat {seat}")),
                "{game}: {out}"
            );
        }
        let refused = replay(&record, Some(seats));
        if seats < 4 {
            refused.exited(1);
            assert!(
                refused
                    .err
                    .contains(&format!("a game of {seats} players has no seat {seats}")),
                "{}",
                refused.err
            );
        }
        let text = fs::read_to_string(&record).expect("it was written");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let twice = replay_lines(&[lines.clone(), lines.clone()].concat(), None);
        assert!(
            twice
                .exited(0)
                .contains(" of 2 rounds, seen from all seats"),
            "{game}: {}",
            twice.out
        );
        let broken = replay_lines(&[&lines[..], &lines[..2], &["{".to_owned()]].concat(), None);
        broken.exited(1);
        assert!(
            broken.err.contains(&format!("line {}: ", lines.len() + 3)),
            "{game}: {}",
            broken.err
        );
        // A line is missing.
        lines.remove(lines.len() / 2);
        let broken = replay_lines(&lines, None);
        let found = broken.exited(1);
        assert!(
            found.contains("contradiction at line ") && found.contains("; the event is {"),
            "{game}: {found}"
        );
        assert!(
            found.contains("` is given as ") && !found.contains(" { "),
            "{game}: {found}"
        );
    }
}

/// The last line with this change of a field, and the words that say what is wrong.
fn with_wrong_end(lines: &[String], field: &str, value: Value) -> (Vec<String>, String) {
    let (last, before) = lines.split_last().expect("lines");
    let mut end: Value = serde_json::from_str(last).expect("JSON");
    let place = end
        .pointer_mut(&format!("/{}", field.replace('.', "/")))
        .expect("it has the field");
    let found = std::mem::replace(place, value.clone());
    let said = format!(
        "line {}: `{field}` is given as {value}, but should be {found}",
        lines.len()
    );
    ([before, &[end.to_string()]].concat(), said)
}

#[test]
fn an_end_that_contradicts_the_events_is_refused_with_its_line_and_field() {
    let folder = Folder::new();
    for (game, changes) in [
        (
            "chinese-standard",
            [
                ("scores", json!([1.0, 0.0, 0.0, -1.0])),
                ("outcome", json!({"type": "fault", "seat": 3})),
            ],
        ),
        (
            "doudizhu",
            [
                ("scores", json!([1.0, 2.0, 3.0])),
                ("outcome.bombs", json!(9)),
            ],
        ),
    ] {
        let text = fs::read_to_string(record_of(&folder, game)).expect("it was written");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (field, value) in changes {
            let (lines, said) = with_wrong_end(&lines, field, value);
            let file = folder.file("wrong.jsonl", lines.join("\n"));
            let refused = replay(&file, None);
            assert!(
                refused
                    .exited(1)
                    .contains(&format!("contradiction at {said}; the event is {{")),
                "{}",
                refused.out
            );
            replay(&file, Some(1)).exited(1);
        }
    }
}

#[test]
fn a_policy_agrees_with_its_own_record_of_any_game() {
    let folder = Folder::new();
    for (game, id) in [
        ("chinese-standard", "cs-fan"),
        ("doudizhu", "doudizhu-split"),
    ] {
        let config = format!("name = \"own\"\n[policy]\nlibrary = \"builtin\"\nid = \"{id}\"\n");
        let bot = folder.file(&format!("{id}.toml"), config);
        let records = folder.path().join(id);
        let (bot, records) = (
            bot.to_str().expect("a plain path"),
            records.to_str().expect("a plain path"),
        );
        Runner::new([
            "play", "--game", game, "--seed", "3", "--record", records, bot,
        ])
        .run()
        .exited(0);
        let record = format!("{records}/game-0001.jsonl");
        let names = fs::read_to_string(&record).expect("it was written");
        let start: Value =
            serde_json::from_str(names.lines().next().expect("a line")).expect("JSON");
        let seat = start["names"]
            .as_array()
            .expect("names")
            .iter()
            .position(|name| name == "own")
            .expect("it sits");
        let finished = Runner::new([
            "replay",
            &record,
            "--seat",
            &seat.to_string(),
            "--policy",
            bot,
        ])
        .run();
        let all = finished
            .exited(0)
            .lines()
            .find(|line| line.starts_with("all "))
            .expect("a table")
            .to_owned();
        let cells: Vec<&str> = all.split_whitespace().collect();
        assert!(
            cells[1].parse::<u32>().expect("a count") > 3,
            "{}",
            finished.out
        );
        if game == "chinese-standard" {
            assert_eq!(
                cells[1], cells[2],
                "it decides without randomness: {}",
                finished.out
            );
        }
    }
}

#[test]
fn view_counts_the_decisions_and_the_agreements_that_replay_counts() {
    let folder = Folder::new();
    for (game, played, asked, players) in [
        ("riichi", "defensive-fold", "greedy-tenpai", 4),
        ("chinese-standard", "cs-eight-step", "cs-fan", 4),
        ("doudizhu", "doudizhu-split", "doudizhu-split", 3),
    ] {
        let config = |name: &str, policy: &str| {
            let text =
                format!("name = \"{name}\"\n[policy]\nid = \"{policy}\"\nlibrary = \"builtin\"\n");
            folder
                .file(&format!("{name}-{game}.toml"), text)
                .display()
                .to_string()
        };
        let (own, other) = (config("own", played), config("other", asked));
        let records = folder.path().join(game).display().to_string();
        let bots = std::iter::repeat_n(own.as_str(), players);
        Runner::new(
            ["play", "--game", game, "--seed", "1", "--record", &records]
                .into_iter()
                .chain(bots),
        )
        .run()
        .exited(0);
        let record = format!("{records}/game-0001.jsonl");
        for seat in ["0", "2"] {
            let finished =
                Runner::new(["replay", &record, "--seat", seat, "--policy", &other]).run();
            let all = finished
                .exited(0)
                .lines()
                .find(|line| line.starts_with("all "))
                .expect("a table")
                .to_owned();
            let told: Vec<usize> = all
                .split_whitespace()
                .filter_map(|cell| cell.parse().ok())
                .take(2)
                .collect();
            let out = folder.path().join("game.html").display().to_string();
            Runner::new([
                "view", &record, "--seat", seat, "--policy", &other, "--out", &out,
            ])
            .run()
            .exited(0);
            let page = super::view::data_of(&fs::read_to_string(out).expect("it was written"));
            let decisions = page["decisions"].as_array().expect("decisions");
            let counted: Vec<&Value> = decisions
                .iter()
                .filter(|one| one["other"]["agrees"].is_boolean())
                .collect();
            assert!(
                counted.iter().all(|decision| decision["done"].is_u64()),
                "the table of the page counts them"
            );
            let agreed = counted
                .iter()
                .filter(|decision| decision["other"]["agrees"] == true)
                .count();
            assert_eq!([counted.len(), agreed], told[..], "{game}, seat {seat}");
        }
    }
}
