//! `play`: whole games on the embedded arena.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::configs::{Folder, POLICY, arena};
use super::program::{Finished, Runner, Running, cell, table};

fn play(args: &[&str], configs: &[PathBuf]) -> Finished {
    let configs = configs.iter().map(|path| path.display().to_string());
    Runner::new(
        std::iter::once("play".to_owned())
            .chain(args.iter().map(|&arg| arg.to_owned()))
            .chain(configs),
    )
    .run()
}

fn four(folder: &Folder) -> Vec<PathBuf> {
    ["kuma", "neko", "risu", "tanuki"]
        .map(|name| folder.bot(name))
        .to_vec()
}

#[test]
fn a_hanchan_ends_with_a_table_of_all_four() {
    let folder = Folder::new();
    let finished = play(&["--seed", "3"], &four(&folder));
    let rows = table(finished.exited(0));
    assert_eq!(
        rows.iter()
            .map(|row| cell(row, "place"))
            .collect::<Vec<_>>(),
        ["1", "2", "3", "4"]
    );
    let mut bots: Vec<&str> = rows.iter().map(|row| cell(row, "bot")).collect();
    bots.sort_unstable();
    assert_eq!(bots, ["kuma", "neko", "risu", "tanuki"]);
    let scores = rows.iter().map(|row| {
        cell(row, "score")
            .replace(',', "")
            .parse::<i32>()
            .expect("a score")
    });
    assert_eq!(scores.sum::<i32>(), 100_000);
    for row in &rows {
        assert!(cell(row, "policy").starts_with("greedy-tenpai "), "{row:?}");
        assert_eq!(cell(row, "library"), "built in");
        for count in ["wins", "deal-ins", "riichi", "called"] {
            cell(row, count).parse::<u32>().expect("a count");
        }
    }
    let rounds = finished
        .out
        .lines()
        .filter(|line| line.starts_with("East ") || line.starts_with("South "))
        .count();
    assert!(rounds >= 8, "a line for each round: {}", finished.out);
    assert!(!finished.out.contains("desync"), "{}", finished.out);
}

#[test]
fn the_same_seed_gives_the_same_game_and_another_seed_another() {
    let folder = Folder::new();
    let configs = four(&folder);
    let once = play(&["--seed", "4"], &configs);
    assert_eq!(once.exited(0), play(&["--seed", "4"], &configs).exited(0));
    let other = play(&["--seed", "5"], &configs)
        .exited(0)
        .replace("seed 5", "seed 4");
    assert_ne!(once.out, other);
}

/// The end of a round, from the record alone: the words before the hand's value or the reason, and
/// the payments.
type RecordedRoundEnd = (String, String);

/// The rounds of a game of riichi, from its record alone: the name of each, and how it ended.
fn rounds_of_record(record: &Path) -> Vec<(String, Vec<RecordedRoundEnd>)> {
    let text = fs::read_to_string(record).expect("it is there");
    let events: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let names = events[0]["names"].as_array().expect("names");
    let name = |seat: &Value| {
        let seat = seat.as_u64().expect("a seat") as usize;
        match names[seat].as_str().expect("a name") {
            "tsumogiri" => format!("tsumogiri (seat {seat})"),
            name => name.to_owned(),
        }
    };
    let paid = |event: &Value| {
        let deltas = event["deltas"]
            .as_array()
            .expect("deltas")
            .iter()
            .zip(0_u64..);
        let each =
            deltas.map(|(points, seat)| format!("{} {}", name(&seat.into()), separated(points)));
        format!(". {}.", each.collect::<Vec<_>>().join(", "))
    };
    let (mut rounds, mut round, mut ends) = (Vec::new(), String::new(), Vec::new());
    for event in &events {
        match event["type"].as_str().expect("a type") {
            "start_kyoku" => {
                let wind = match event["bakaze"].as_str() {
                    Some("E") => "East",
                    Some("S") => "South",
                    _ => "West",
                };
                round = format!("{wind} {}-{}", event["kyoku"], event["honba"]);
            }
            "hora" => {
                let drawn = event["actor"] == event["target"];
                let how = if drawn {
                    "by self-draw".to_owned()
                } else {
                    format!("on the tile of {}", name(&event["target"]))
                };
                ends.push((
                    format!("{} wins {how}: ", name(&event["actor"])),
                    paid(event),
                ));
            }
            "ryukyoku" => ends.push(("The round ends: ".to_owned(), paid(event))),
            "end_kyoku" => rounds.push((std::mem::take(&mut round), std::mem::take(&mut ends))),
            _ => {}
        }
    }
    rounds
}

/// A payment with its sign and a comma between thousands.
fn separated(points: &Value) -> String {
    let points = points.as_i64().expect("points");
    let (sign, size) = (if points < 0 { '-' } else { '+' }, points.abs());
    match size / 1_000 {
        0 => format!("{sign}{size}"),
        thousands => format!("{sign}{thousands},{:03}", size % 1_000),
    }
}

/// Checks the line of a round: its ends, and that the han of the yaku and dora sum up.
fn check_round(line: &str, (round, ends): &(String, Vec<RecordedRoundEnd>)) {
    let mut rest = line
        .strip_prefix(&format!("{round:<10} "))
        .unwrap_or_else(|| panic!("{round}: {line}"));
    for (number, (begin, paid)) in ends.iter().enumerate() {
        rest = if number == 0 {
            rest
        } else {
            rest.strip_prefix(' ').expect("a space between ends")
        };
        let after = rest
            .strip_prefix(begin.as_str())
            .unwrap_or_else(|| panic!("{begin}: {line}"));
        let (why, left) = after
            .split_once(paid.as_str())
            .unwrap_or_else(|| panic!("{paid}: {line}"));
        rest = left;
        if begin.contains(" wins ") {
            let (worth, yaku) = why
                .split_once(": ")
                .unwrap_or_else(|| panic!("no yaku: {line}"));
            if worth.ends_with("yakuman") && !worth.contains(" han") {
                continue;
            }
            let (han, fu) = worth
                .split_once(" han")
                .unwrap_or_else(|| panic!("no han: {line}"));
            let each = yaku.split(", ").map(|part| {
                part.rsplit(' ')
                    .next()
                    .and_then(|han| han.parse::<u32>().ok())
            });
            let sum: u32 = each
                .map(|han| han.unwrap_or_else(|| panic!("no han of a yaku: {line}")))
                .sum();
            assert_eq!(han.parse(), Ok(sum), "{line}");
            assert!(fu.contains(" fu") || fu.contains("yakuman"), "{line}");
        } else {
            assert!(why.contains("draw") || why == "nagashi mangan", "{line}");
        }
    }
    assert_eq!(rest, "", "{line}");
}

#[test]
fn every_line_of_three_games_agrees_with_their_records_and_is_reproducible() {
    let folder = Folder::new();
    let configs = [("old", "greedy-tenpai"), ("new", "weighted-shape")].map(|(name, policy)| {
        let text =
            format!("name = \"{name}\"\n[policy]\nid = \"{policy}\"\nlibrary = \"builtin\"\n");
        folder.file(&format!("{name}.toml"), text)
    });
    // In these games there are draws of three kinds, and two winners at once.
    let played = |records: &str| {
        let records = folder.path().join(records);
        let out = play(
            &[
                "--games",
                "3",
                "--seed",
                "20",
                "--record",
                &records.display().to_string(),
            ],
            &configs,
        );
        out.exited(0)
            .replace(&records.display().to_string(), "RECORDS")
    };
    let out = played("one");
    let games: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(
        games.len(),
        5,
        "an introduction, three games and a table: {out}"
    );
    for (number, lines) in (1..=3).zip(&games[1..]) {
        let name = format!("game-{number:04}.jsonl");
        let expected = rounds_of_record(&folder.path().join("one").join(&name));
        let mut lines: Vec<&str> = lines.lines().collect();
        let last = lines.pop().expect("a line");
        assert_eq!(last, format!("record: RECORDS/{name}"));
        let places = lines.pop().expect("a line of places");
        let scores = places.strip_prefix("places ").expect("places").split(", ");
        let scores: Vec<i64> = scores
            .map(|own| {
                own.rsplit(' ')
                    .next()
                    .expect("a score")
                    .replace(',', "")
                    .parse()
                    .expect("a score")
            })
            .collect();
        assert!(
            scores.len() == 4 && scores.is_sorted_by(|one, other| one >= other),
            "{places}"
        );
        assert_eq!(lines.remove(0), format!("game {number} of 3"));
        assert_eq!(lines.len(), expected.len(), "game {number}");
        lines
            .iter()
            .zip(&expected)
            .for_each(|(line, round)| check_round(line, round));
    }
    assert_eq!(out, played("two"));
}

#[test]
fn seats_left_empty_are_taken_by_the_arena() {
    let folder = Folder::new();
    let out = play(&["--seed", "3", "--fill", "none"], &[folder.bot("kuma")])
        .exited(0)
        .to_owned();
    assert!(
        out.contains("The other 3 seats discard what they draw."),
        "{out}"
    );
    assert!(
        table(&out)
            .iter()
            .any(|row| cell(row, "library") == "the arena's"),
        "{out}"
    );
}

#[test]
fn a_policy_plays_on_empty_seats_of_each_game() {
    let cases = [
        (
            "riichi",
            "greedy-tenpai",
            "greedy-tenpai",
            "weighted-shape",
            4,
        ),
        ("chinese-standard", "cs-fan", "cs-eight-step", "cs-fan", 4),
        (
            "doudizhu",
            "doudizhu-split",
            "doudizhu-split",
            "doudizhu-split",
            3,
        ),
    ];
    for (game, own, usual, other, seats) in cases {
        let folder = Folder::new();
        let text = format!("name = \"kuma\"\n[policy]\nid = \"{own}\"\nlibrary = \"builtin\"\n");
        let kuma = folder.file("kuma.toml", text);
        for (args, fills) in [(&[][..], usual), (&["--fill", other], other)] {
            let args = [&["--seed", "3"], args].concat();
            let out = play(&args, std::slice::from_ref(&kuma))
                .exited(0)
                .to_owned();
            assert!(
                out.contains(&format!("On the other {} seats: {fills} ", seats - 1)),
                "{game}: {out}"
            );
            let rows = table(&out);
            assert_eq!(rows.len(), seats, "{game}: {out}");
            let of_fill = rows
                .iter()
                .filter(|row| cell(row, "bot").starts_with(fills))
                .count();
            assert_eq!(of_fill, seats - 1, "{game}: {out}");
            let scores = rows.iter().map(|row| {
                cell(row, "score")
                    .replace(',', "")
                    .parse::<f64>()
                    .expect("a score")
            });
            assert!(
                scores.is_sorted_by(|one, other| one >= other),
                "the best comes first: {out}"
            );
        }
    }
}

#[test]
fn dou_dizhu_without_bidding_begins_with_the_landlord_on_seat_0() {
    let folder = Folder::new();
    let games = folder.path().join("games");
    let args = ["play", "--game=doudizhu", "--seed=3", "--record"].map(Path::new);
    let played = |more: &[&Path]| {
        Runner::new(
            args.iter()
                .copied()
                .chain([&*games])
                .chain(more.iter().copied()),
        )
        .run()
    };
    let out = played(&[Path::new("--no-bidding")]);
    assert!(
        out.exited(0)
            .starts_with("a game of doudizhu without bidding "),
        "{}",
        out.out
    );
    played(&[]).exited(0);
    let bids = |number: u8| {
        let record = games.join(format!("game-000{number}.jsonl"));
        let text = fs::read_to_string(record).expect("it was recorded");
        (text.matches(r#""type":"bid""#).count(), text)
    };
    let (none, text) = bids(1);
    assert_eq!(none, 0, "{text}");
    assert!(text.contains(r#""type":"landlord","actor":0"#), "{text}");
    assert!(bids(2).0 > 0);
    let refused = Runner::new(["play", "--no-bidding"]).run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("--no-bidding is for games of doudizhu"),
        "{}",
        refused.err
    );
}

#[test]
fn the_game_is_that_of_the_configs_and_may_not_be_another() {
    let folder = Folder::new();
    let bot = |policy: &str| {
        let text = format!("name = {policy:?}\n[policy]\nid = {policy:?}\nlibrary = \"builtin\"\n");
        folder.file(&format!("{policy}.toml"), text)
    };
    let (tiles, cards) = (bot("cs-fan"), bot("doudizhu-split"));
    let cases: [(&[&str], &[PathBuf], &str, &str); 3] = [
        (
            &["--game", "riichi"],
            std::slice::from_ref(&tiles),
            "chinese-standard",
            "riichi",
        ),
        (
            &["--game", "chinese-standard"],
            std::slice::from_ref(&cards),
            "doudizhu",
            "chinese-standard",
        ),
        (
            &[],
            &[tiles.clone(), cards.clone()],
            "doudizhu",
            "chinese-standard",
        ),
    ];
    for (args, bots, own, other) in cases {
        let refused = play(args, bots);
        refused.exited(1);
        let told = format!("plays {own}, and this bot plays {other}");
        assert!(
            refused.err.contains(&told) && refused.out.is_empty(),
            "{told}: {}",
            refused.err
        );
    }
    let args = ["tune", "--games=240", "--game=riichi", "--against"].map(Path::new);
    let refused = Runner::new(args.into_iter().chain([&*tiles, &*tiles])).run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("plays chinese-standard, and this bot plays riichi"),
        "{}",
        refused.err
    );
}

#[test]
fn without_configs_a_policy_plays_on_the_seats_beside_a_bot_of_each_game() {
    let cases = [
        (
            "riichi",
            1,
            "weighted-shape",
            "The other 3 seats discard what they draw.",
        ),
        (
            "chinese-standard",
            3,
            "cs-fan",
            "The other seat plays the safe action.",
        ),
        (
            "doudizhu",
            2,
            "doudizhu-split",
            "The other seat plays the safe action.",
        ),
    ];
    for (game, own, policy, safe) in cases {
        let empty = match game {
            "riichi" => "3 seats",
            _ => "seat",
        };
        for (fill, said) in [
            (policy, format!("On the other {empty}: {policy} ")),
            ("none", safe.to_owned()),
        ] {
            let out = play(&["--game", game, "--seed", "3", "--fill", fill], &[])
                .exited(0)
                .to_owned();
            let bots = out
                .lines()
                .filter(|line| line.starts_with("  ") && line.contains(": "));
            assert_eq!(bots.count(), own, "{game}: {out}");
            assert!(out.contains(&said), "{game}: {out}");
        }
        let refused = play(&["--game", game, "--fill", "no-such-policy"], &[]);
        refused.exited(1);
        assert!(
            refused.err.contains("--fill: policy.id: ") && refused.out.is_empty(),
            "{game}: {}",
            refused.all()
        );
    }
}

#[test]
fn what_cannot_fill_a_table_is_refused_in_words() {
    let folder = Folder::new();
    for (fill, said) in [
        ("no-such-policy", "--fill: policy.id: "),
        ("cs-fan", "plays chinese-standard"),
        (
            "../mine.toml",
            "--fill: found \"../mine.toml\"; allowed are the id of a policy, such as greedy-tenpai, and none",
        ),
    ] {
        let refused = play(&["--fill", fill], &[folder.bot("kuma")]);
        refused.exited(1);
        assert!(refused.err.contains(said), "{fill}: {}", refused.err);
    }
}

#[test]
fn a_full_table_is_played_without_the_policy_for_empty_seats_and_says_so() {
    let folder = Folder::new();
    let card_bot = "name = \"kuma\"\n[policy]\nid = \"doudizhu-split\"\nlibrary = \"builtin\"\n";
    let kuma = folder.file("kuma.toml", card_bot);
    let finished = play(
        &["--game", "doudizhu", "--fill", "doudizhu-split"],
        &[kuma.clone(), kuma.clone(), kuma],
    );
    finished.exited(0);
    assert!(
        finished
            .err
            .contains("--fill is not used: the configs take all 3 seats."),
        "{}",
        finished.err
    );
}

#[test]
fn one_config_may_be_given_several_times() {
    let folder = Folder::new();
    let kuma = folder.bot("kuma");
    let finished = play(
        &["--seed", "3"],
        &[kuma.clone(), kuma.clone(), kuma.clone(), kuma],
    );
    let rows = table(finished.exited(0));
    let mut bots: Vec<&str> = rows.iter().map(|row| cell(row, "bot")).collect();
    bots.sort_unstable();
    assert_eq!(bots, ["kuma", "kuma-2", "kuma-3", "kuma-4"]);
}

#[test]
fn five_configs_are_too_many() {
    let folder = Folder::new();
    let kuma = folder.bot("kuma");
    let finished = play(&[], &vec![kuma; 5]);
    finished.exited(1);
    assert!(finished.err.contains("seats 4"), "{}", finished.err);
}

#[test]
fn mistakes_in_a_config_are_reported_before_anything_is_played() {
    let folder = Folder::new();
    let config = folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n{POLICY}think_ms = 0\nmargin = 3\n"),
    );
    let finished = play(&[], &[config]);
    finished.exited(1);
    assert!(
        finished.err.contains("policy.think_ms") && finished.err.contains("policy.margin"),
        "{}",
        finished.err
    );
    assert_eq!(finished.out, "");
}

fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder)
        .expect("it was made")
        .map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = paths
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(&path).expect("it is there")))
        .collect();
    files.sort();
    files
}

#[test]
fn decisions_with_their_policy_and_reason_are_stored_next_to_a_record() {
    let folder = Folder::new();
    let records = folder.path().join("records");
    let args = ["play", "--seed=7", "--games=2", "--record"].map(Into::into);
    Runner::new(args.iter().chain([&records, &folder.bot("kuma")]))
        .run()
        .exited(0);
    for (record, _) in files(&records) {
        let decisions = records
            .join("decisions")
            .join(record.file_name().expect("a file"));
        let text = fs::read_to_string(decisions).expect("it is there");
        let notes: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        assert!(notes.len() > 50, "{}", notes.len());
        for (number, note) in notes.iter().enumerate() {
            assert_eq!(
                (&note["bot"], &note["decision"]),
                (&json!("kuma"), &json!(number)),
                "{note}"
            );
            assert_eq!(
                (&note["policy"], &note["sha256"]),
                (&json!("greedy-tenpai"), &Value::Null),
                "built in: {note}"
            );
            let legal = note["legal"].as_array().expect("a list");
            assert!(
                (note["chosen"].as_u64().expect("an index") as usize) < legal.len(),
                "{note}"
            );
            assert!(
                note["reason"].is_string() && note.get("safe_answer").is_none(),
                "{note}"
            );
        }
    }
}

#[test]
fn a_record_is_written_that_replays_and_is_never_overwritten() {
    const CANARY: &str = "canary-0123456789abcdef";
    let folder = Folder::new();
    let records = folder.path().join("records");
    let section = arena("wss://game.riichi.dev", "KUMA_TOKEN");
    let kuma = folder.file("kuma.toml", format!("name = \"kuma\"\n{section}{POLICY}"));
    let args = ["play", "--seed", "6", "--record"].map(Into::into);
    let play = || {
        Runner::new(args.iter().chain([&records, &kuma]))
            .env("KUMA_TOKEN", CANARY)
            .run()
    };

    let first = play();
    let [(record, text)] = &files(&records)[..] else {
        panic!("one game, one record")
    };
    assert!(
        first
            .exited(0)
            .contains(&format!("record: {}", record.display())),
        "{}",
        first.out
    );
    let replayed = Runner::new([Path::new("replay"), record]).run();
    assert!(replayed.exited(0).contains("no contradiction"));

    let second = play();
    second.exited(0);
    let [(same, kept), (_, again)] = &files(&records)[..] else {
        panic!("two games, two records")
    };
    assert_eq!((same, kept), (record, text), "the first is untouched");
    assert_eq!(again, text, "the same game again");
    assert!(!String::from_utf8_lossy(text).contains("canary") && !second.all().contains("canary"));
}

#[test]
fn a_record_does_not_take_the_number_of_a_removed_one_whose_decisions_are_left() {
    let folder = Folder::new();
    let records = folder.path().join("records");
    let args = ["play", "--seed=7", "--record"].map(Into::into);
    let play = || {
        Runner::new(args.iter().chain([&records, &folder.bot("kuma")]))
            .run()
            .exited(0);
    };
    play();
    let left = files(&records.join("decisions"));
    fs::remove_file(records.join("game-0001.jsonl")).expect("it can be removed");
    play();
    assert_eq!(files(&records)[0].0, records.join("game-0002.jsonl"));
    let [kept, (own, decisions)] = &files(&records.join("decisions"))[..] else {
        panic!("one file for each game")
    };
    assert_eq!(
        (kept, own),
        (&left[0], &records.join("decisions/game-0002.jsonl"))
    );
    assert!(!decisions.is_empty());
}

/// The line of a game names winners and payers by their names, with every fan, or the bombs and the
/// spring, of its record.
fn says_how_it_ended(line: &str, end: &Value, names: &[Value]) {
    let name = |seat: &Value| {
        let seat = seat.as_u64().expect("a seat") as usize;
        let name = names[seat].as_str().expect("a name");
        let is_alone = names.iter().filter(|other| *other == name).count() == 1;
        if is_alone {
            name.to_owned()
        } else {
            format!("{name} (seat {seat})")
        }
    };
    for (seat, score) in end["scores"].as_array().expect("scores").iter().enumerate() {
        let score = score.as_f64().expect("a score");
        assert!(
            line.contains(&format!("{} {score:+}", name(&json!(seat)))),
            "{line}"
        );
    }
    let outcome = &end["outcome"];
    match outcome["type"].as_str().expect("a type") {
        "win" => {
            let total = &outcome["total"];
            assert!(
                line.contains(&format!(
                    "{} wins with {total} fan on ",
                    name(&outcome["winner"])
                )),
                "{line}"
            );
            if outcome["with"] == "discard" {
                assert!(
                    line.contains(&format!("discarded by {}: ", name(&outcome["from"]))),
                    "{line}"
                );
            }
            let mut sum = 0;
            for fan in outcome["fan"].as_array().expect("fan") {
                sum += fan["value"].as_u64().expect("a value")
                    * fan["times"].as_u64().expect("a number");
                assert!(
                    line.contains(&format!(
                        "{} {}",
                        fan["name"].as_str().expect("a name"),
                        fan["value"]
                    )),
                    "{line}"
                );
            }
            assert_eq!(json!(sum), *total, "{line}");
            let others = if outcome["with"] == "draw" {
                3 * (8 + sum)
            } else {
                3 * 8 + sum
            };
            assert_eq!(
                end["scores"][outcome["winner"].as_u64().expect("a seat") as usize],
                json!(others as f64)
            );
        }
        "last_card" => {
            let (landlord, won) = (
                &outcome["landlord"],
                outcome["landlord_won"].as_bool().expect("a verdict"),
            );
            let ends = if won { "wins" } else { "loses" };
            assert!(
                line.contains(&format!(
                    "the landlord, {}, {ends}: bid {}",
                    name(landlord),
                    outcome["bid"]
                )),
                "{line}"
            );
            assert_eq!(
                outcome["spring"].as_bool(),
                Some(line.contains(", spring")),
                "{line}"
            );
            let bombs = outcome["bombs"].as_i64().expect("a number");
            assert_eq!(bombs > 0, line.contains(" bomb"), "{line}");
            let doubled = bombs as i32 + i32::from(outcome["spring"] == true);
            let stake = outcome["bid"].as_f64().expect("a bid").max(1.0) * 2_f64.powi(doubled);
            assert_eq!(outcome["stake"], json!(stake));
            let score = end["scores"][landlord.as_u64().expect("a seat") as usize].as_f64();
            assert_eq!(score, Some(if won { 2.0 * stake } else { -2.0 * stake }));
        }
        "drawn" => assert!(line.contains(": drawn: the wall is empty; "), "{line}"),
        other => panic!("{other}: {line}"),
    }
}

#[test]
fn games_other_than_riichi_leave_records_with_every_decision_and_the_result() {
    for (game, decider, others) in [
        ("chinese-standard", "cs-fan", 3),
        ("doudizhu", "doudizhu-split", 2),
    ] {
        let folder = Folder::new();
        let config = folder.file(
            "kuma.toml",
            format!("name = \"kuma\"\n[policy]\nid = \"{decider}\"\nlibrary = \"builtin\"\n"),
        );
        let records = folder.path().join("games");
        let out = records.display().to_string();
        let said = play(
            &[
                "--game", game, "--games", "2", "--seed", "3", "--fill", "none", "--record", &out,
            ],
            &[config],
        )
        .exited(0)
        .to_owned();
        assert!(
            said.contains("record: ") && said.contains("game-0002.jsonl"),
            "{said}"
        );
        let lines = |path: PathBuf| -> Vec<Value> {
            let text = fs::read_to_string(path).expect("it is there");
            text.lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect()
        };
        for number in 1..=2 {
            let name = format!("game-{number:04}.jsonl");
            let events = lines(records.join(&name));
            assert_eq!(
                (&events[0]["type"], &events[0]["game"]),
                (&json!("start_game"), &json!(game))
            );
            let names = events[0]["names"].as_array().expect("names");
            assert_eq!(names.iter().filter(|&name| name == "safe").count(), others);
            assert!(
                events[1]["hands"]
                    .as_array()
                    .expect("hands")
                    .iter()
                    .all(Value::is_array),
                "no hand is hidden"
            );
            let end = events.last().expect("a line");
            assert_eq!(
                (&end["type"], end["scores"].as_array().map(Vec::len)),
                (&json!("end_game"), Some(others + 1))
            );
            let line = said
                .lines()
                .find(|line| line.starts_with(&format!("game {number}: ")))
                .expect("a line");
            says_how_it_ended(line, end, names);
            let page = folder.path().join("game.html");
            Runner::new([
                Path::new("view"),
                &records.join(&name),
                Path::new("--out"),
                &page,
            ])
            .run()
            .exited(0);
            let page = fs::read_to_string(page).expect("it was made");
            let words = line
                .strip_prefix(&format!("game {number}: "))
                .expect("words");
            assert!(page.contains(&words.replace("; ", ". ")), "{words}");
            let decisions = lines(records.join("decisions").join(&name));
            let seat = names
                .iter()
                .position(|name| name == "kuma")
                .expect("it sits there");
            assert!(!decisions.is_empty());
            for (index, decision) in decisions.iter().enumerate() {
                let legal = decision["legal"].as_array().expect("actions");
                let chosen = decision["chosen"].as_u64().expect("an index") as usize;
                assert!(legal.len() > 1 && chosen < legal.len(), "{decision}");
                assert_eq!(
                    decision["values"].as_array().map(Vec::len),
                    Some(legal.len()),
                    "{decision}"
                );
                let said = [
                    &decision["bot"],
                    &decision["policy"],
                    &decision["decision"],
                    &decision["seat"],
                ];
                assert_eq!(
                    said,
                    [&json!("kuma"), &json!(decider), &json!(index), &json!(seat)]
                );
                assert!(
                    decision["reason"].is_string() && decision["took_us"].is_u64(),
                    "{decision}"
                );
            }
        }
        let record = records.join("game-0001.jsonl");
        let refused = Runner::new([Path::new("analyze"), &record, Path::new("--at=1.1")]).run();
        refused.exited(1);
        let told = format!(
            "--at is for records of riichi; of {game} `bot-runner view RECORD --policy CONFIG"
        );
        assert!(refused.all().contains(&told), "{}", refused.all());
        let export = ["records", "export", "--format=tenhou"].map(Path::new);
        let refused = Runner::new(export.into_iter().chain([&*record])).run();
        refused.exited(1);
        let told = format!(
            "line 1: this is the record of a game of {game}, and records of riichi are read here"
        );
        assert!(refused.all().contains(&told), "{}", refused.all());
    }
}

#[test]
fn games_other_than_riichi_are_played_without_a_config_by_built_in_policies() {
    for (game, bots) in [
        ("chinese-standard", &["cs-eight-step", "cs-fan"][..]),
        ("doudizhu", &["doudizhu-split"]),
    ] {
        let out = play(&["--game", game, "--seed", "3"], &[])
            .exited(0)
            .to_owned();
        for bot in bots {
            assert!(out.contains(&format!("\n  {bot}: {bot} ")), "{out}");
        }
        assert!(out.contains("\ngame 1: "), "{out}");
    }
}

/// A bot of this game that plays endlessly, with the data that other commands need to reach it.
fn endless(folder: &Folder, game: &str, policy: &str, more: &[&str]) -> (Running, String) {
    let config = folder.file("kuma.toml", policy);
    let runtime = folder
        .private("runtime")
        .to_str()
        .expect("UTF-8")
        .to_owned();
    let args = [
        "play",
        "--fill=none",
        "--games=1000000",
        "--watch-ms=20",
        "--game",
        game,
    ];
    let args = args
        .iter()
        .chain(more)
        .map(Path::new)
        .chain([config.as_path()]);
    let running = Runner::new(args).env("XDG_RUNTIME_DIR", &runtime).start();
    (running, runtime)
}

#[test]
fn in_games_other_than_riichi_a_changed_config_is_a_swap_and_status_and_reload_reach_the_bot() {
    for (game, policy) in [
        (
            "chinese-standard",
            "id = \"cs-eight-step\"\nlibrary = \"builtin\"\nparams = { level = 1 }\n",
        ),
        (
            "doudizhu",
            "id = \"doudizhu-split\"\nlibrary = \"builtin\"\nparams = { playouts = 16 }\n",
        ),
    ] {
        let folder = Folder::new();
        let policy = format!("name = \"kuma\"\n[policy]\n{policy}");
        let (mut running, runtime) = endless(&folder, game, &policy, &[]);
        running.line_with("game 1: ");
        folder.file(
            "kuma.toml",
            policy.replace("= 16", "= 17").replace("= 1 ", "= 2 "),
        );
        running.line_with("kuma: now decides: ");
        let ask = |args: &[&str]| Runner::new(args).env("XDG_RUNTIME_DIR", &runtime).run();
        let status = ask(&["status", "--json"]).exited(0).to_owned();
        let status: Value = serde_json::from_str(&status).expect("JSON");
        let bot = &status[0]["bots"][0];
        assert_eq!(
            (&bot["bot"], &bot["state"]),
            (&json!("kuma"), &json!("playing")),
            "{bot}"
        );
        assert!(
            bot["decisions"]
                .as_u64()
                .is_some_and(|decisions| decisions > 0),
            "{bot}"
        );
        let reloaded = ask(&["reload", "kuma"]);
        assert!(reloaded.exited(0).contains("kuma"), "{}", reloaded.all());
        running.interrupt();
        let finished = running.finish();
        let rows = table(finished.exited(0));
        assert_eq!(
            (cell(&rows[0], "bot"), cell(&rows[0], "faults")),
            ("kuma", "0"),
            "{}",
            finished.out
        );
    }
}

#[test]
fn a_second_ctrl_c_leaves_the_game_that_is_on() {
    let folder = Folder::new();
    let policy = "name = \"kuma\"\n[policy]\nid = \"doudizhu-split\"\nlibrary = \"builtin\"\n";
    let (mut running, runtime) = endless(&folder, "doudizhu", policy, &["--pace-ms=600000"]);
    running.line_with("kuma: doudizhu-split");
    let status = || {
        Runner::new(["status"])
            .env("XDG_RUNTIME_DIR", &runtime)
            .run()
            .out
    };
    let begun = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        status().contains("playing")
    });
    assert!(begun, "{}", status());
    running.interrupt();
    running.error_with("Ctrl-C again stops now");
    running.interrupt();
    let finished = running.finish();
    assert!(
        finished
            .err
            .ends_with("Ctrl-C again stops now.\nStopping now.\n"),
        "{}",
        finished.err
    );
    assert!(
        finished
            .exited(0)
            .ends_with("No game was played to its end: there is no result, and no record.\n")
    );
}

#[test]
fn a_program_that_writes_nan_and_infinity_for_values_plays_without_a_fault() {
    let folder = Folder::new();
    let program = "import json, sys\nfor number, line in enumerate(sys.stdin):\n    view = json.loads(line)\n    \
                   value = [float('nan'), float('-inf'), float('inf'), 1e300][number % 4]\n    \
                   answer = {'index': 0, 'values': [value] * len(view['legal']), 'meta': {'q': [value]}}\n    \
                   print(('\\ufeff' if number == 0 else '') + json.dumps(answer), end='\\r\\n', flush=True)\n";
    folder.file("nan.py", program);
    let text = "name = \"nan\"\n[policy]\nid = \"program\"\n[policy.params]\ncommand = \"python3 nan.py\"\n";
    let finished = play(&["--seed=1"], &[folder.file("nan.toml", text)]);
    let out = finished.exited(0);
    assert!(
        out.contains("nan.py") && !out.contains("safe answer"),
        "{}",
        finished.all()
    );
    assert!(!finished.err.contains("WARN"), "{}", finished.err);
}
