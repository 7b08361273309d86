//! `tournament` of each game: the same options give the same sort of results.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use results::ResultKind;
use serde_json::Value;

use super::configs::Folder;
use super::program::{Finished, Runner, cell, table};
use super::results::kept;
use super::tournament::tournament;

/// A game, two policies for it, and an option that shortens it.
struct TriedGame {
    name: &'static str,
    policies: [&'static str; 2],
    /// The parameters of each policy, with which it decides fast.
    params: [&'static str; 2],
    options: &'static [&'static str],
    seats: usize,
    /// The name of its measure in tables.
    average: &'static str,
}

const GAMES: [TriedGame; 3] = [
    TriedGame {
        name: "riichi",
        policies: ["greedy-tenpai", "weighted-shape"],
        params: [""; 2],
        options: &["--length", "east"],
        seats: 4,
        average: "avg place",
    },
    TriedGame {
        name: "chinese-standard",
        policies: ["cs-eight-step", "cs-fan"],
        params: ["", "[policy.params]\nbeyond = 0\n"],
        options: &[],
        seats: 4,
        average: "avg points",
    },
    TriedGame {
        name: "doudizhu",
        policies: ["doudizhu-split"; 2],
        params: ["[policy.params]\ncandidates = 2\nplayouts = 16\n"; 2],
        options: &[],
        seats: 3,
        average: "avg points",
    },
];

impl TriedGame {
    /// As many bots as are asked for, with the policies in turn.
    fn bots(&self, folder: &Folder, count: usize) -> Vec<PathBuf> {
        (0..count)
            .map(|index| self.bot(folder, index, index % 2))
            .collect()
    }

    /// The same, all with the first policy, which decides faster than the second.
    fn copies(&self, folder: &Folder, count: usize) -> Vec<PathBuf> {
        (0..count).map(|index| self.bot(folder, index, 0)).collect()
    }

    fn bot(&self, folder: &Folder, index: usize, policy: usize) -> PathBuf {
        let (policy, params) = (self.policies[policy], self.params[policy]);
        let text = format!(
            "name = \"bot{index}\"\n[policy]\nid = {policy:?}\nlibrary = \"builtin\"\n{params}"
        );
        folder.file(&format!("bot{index}.toml"), text)
    }

    fn play(&self, bots: &[PathBuf], args: &[&str]) -> Finished {
        tournament(
            &[&["--game", self.name, "--seed", "3"], self.options, args].concat(),
            bots,
        )
    }

    /// The results file of a tournament of these bots.
    fn results(&self, folder: &Folder, bots: &[PathBuf], args: &[&str]) -> (Value, Finished) {
        let out = folder.path().join("results.json");
        let _ = fs::remove_file(&out);
        let finished = self.play(bots, &[args, &["--out", text(&out)]].concat());
        finished.exited(0);
        (serde_json::from_str(&read(&out)).expect("JSON"), finished)
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_game_names_its_measure_in_words_and_in_its_file() {
    for game in &GAMES {
        let folder = Folder::new();
        let (results, finished) = game.results(&folder, &game.bots(&folder, 2), &["--games", "12"]);
        let rows = table(&finished.out);
        assert_eq!(rows.len(), 2, "{}", finished.out);
        for row in &rows {
            cell(row, game.average).parse::<f64>().expect("a number");
            assert_eq!(cell(row, "illegal"), "0", "{row:?}");
        }
        let is_riichi = game.name == "riichi";
        let named = results["arguments"]["game"].as_str();
        assert_eq!(
            named,
            (!is_riichi).then_some(game.name),
            "files of riichi are unchanged"
        );
        let entrant = &results["entrants"][0];
        let mean = if is_riichi {
            &entrant["place"]["mean"]
        } else {
            &entrant["points"]["mean"]
        };
        assert!(mean.is_f64() && entrant["win_rate"].is_f64(), "{entrant}");
        assert_eq!(
            results["ratings"].as_array().map(Vec::len),
            Some(if is_riichi { 2 } else { 0 })
        );
        let line = results["played"][0]["games"][0].as_str().expect("a text");
        let values: Vec<i64> = match is_riichi {
            true => line
                .chars()
                .map(|place| place.to_digit(10).expect("a place").into())
                .collect(),
            false => line
                .split(' ')
                .map(|points| points.parse().expect("points"))
                .collect(),
        };
        assert_eq!(values.len(), game.seats);
        assert!(
            is_riichi || values.iter().sum::<i64>() == 0,
            "what one wins another loses: {line}"
        );
    }
}

#[test]
fn shards_of_each_game_make_up_exactly_what_one_run_gives() {
    // `tournament_files.rs` and `tournament.rs` have those of riichi.
    for game in &GAMES[1..] {
        let folder = Folder::new();
        let bots = game.bots(&folder, 2);
        let out = |name: &str| folder.path().join(name);
        game.play(&bots, &["--games", "36", "--out", text(&out("one.json"))])
            .exited(0);
        let parts: Vec<PathBuf> = (0..3)
            .map(|number| out(&format!("part-{number}.json")))
            .collect();
        for (number, part) in parts.iter().enumerate() {
            let shard = format!("{number}/3");
            game.play(
                &bots,
                &["--games", "36", "--shard", &shard, "--out", text(part)],
            )
            .exited(0);
        }
        let all = out("all.json");
        let args = ["tournament", "--merge"]
            .into_iter()
            .chain(parts.iter().map(|part| text(part)));
        let merged = Runner::new(args.chain(["--out", text(&all)])).run();
        assert!(table(merged.exited(0)).len() == 2, "{}", merged.out);
        assert_eq!(read(&all), read(&out("one.json")), "{}", game.name);
    }
}

#[test]
fn the_game_is_that_of_all_policies_and_may_be_named_for_a_merge() {
    for game in &GAMES {
        let folder = Folder::new();
        let bots = game.bots(&folder, 2);
        let [named, unnamed] = ["named.json", "unnamed.json"].map(|name| folder.path().join(name));
        game.play(&bots, &["--games", "12", "--out", text(&named)])
            .exited(0);
        let args = ["--seed", "3", "--games", "12", "--out", text(&unnamed)];
        tournament(&[game.options, &args].concat(), &bots).exited(0);
        assert_eq!(read(&unnamed), read(&named), "{}", game.name);
        let args = ["tournament", "--game", game.name, "--merge", text(&named)];
        assert_eq!(
            table(Runner::new(args).run().exited(0)).len(),
            2,
            "{}",
            game.name
        );
    }
}

#[test]
fn each_interrupted_game_resumes_and_ends_with_the_same_file() {
    // `tournament_files.rs` and `tournament.rs` have those of riichi.
    for game in &GAMES[1..] {
        let folder = Folder::new();
        let bots = game.bots(&folder, 2);
        let out = folder.path().join("results.json");
        let play = || game.play(&bots, &["--games", "36", "--out", text(&out)]);
        play().exited(0);
        let whole = read(&out);
        // As a process that was killed leaves it: without the last walls.
        let mut file: Value = serde_json::from_str(&whole).expect("JSON");
        let walls = file["played"].as_array_mut().expect("walls");
        walls.truncate(2);
        file.as_object_mut().expect("an object").remove("sha256");
        fs::write(&out, file.to_string()).expect("it is ours");
        let finished = play();
        finished.exited(0);
        assert!(
            finished.err.contains("already holds 2 of 6 walls"),
            "{}",
            finished.err
        );
        assert_eq!(read(&out), whole, "{}", game.name);
    }
}

#[test]
fn until_it_is_clear_each_game_ends_early_and_says_by_which_test() {
    for (game, by) in GAMES.iter().zip(["1.5", "60", "24"]) {
        let folder = Folder::new();
        let bot = game.bot(&folder, 0, 0);
        let args = ["--games", "6000", "--until-clear", "--by", by];
        let (results, finished) = game.results(&folder, &[bot.clone(), bot], &args);
        assert_eq!(
            (&results["ended"], &results["until_clear"]["close"]),
            (&"clear".into(), &true.into())
        );
        assert!(results["games"].as_u64() < Some(600), "{}", finished.out);
        let (what, cap) = match game.name {
            "riichi" => ("average place", None),
            "chinese-standard" => ("average points a game", Some(64)),
            _ => ("average points a game", Some(24)),
        };
        assert!(
            finished
                .out
                .contains(&format!("no two differ by {by} in {what}")),
            "{}",
            finished.out
        );
        assert_eq!(results["until_clear"]["cap"].as_i64(), cap);
        let told = cap.map(|cap| format!("of a wall's difference at most {cap} points count"));
        assert!(
            told.is_none_or(|told| finished.out.contains(&told)),
            "{}",
            finished.out
        );
    }
}

#[test]
fn each_game_is_played_in_each_format_that_its_table_seats() {
    for game in &GAMES {
        let folder = Folder::new();
        // Only the number of games counts.
        let bots = game.copies(&folder, game.seats + 1);
        let games = |bots: &[PathBuf], args: &[&str]| {
            let (results, _) = game.results(&folder, bots, &[&["--games", "1"], args].concat());
            results["games"].as_u64().expect("a number")
        };
        // Of three seats two are shared one against two, of four two against two: six ways each.
        assert_eq!(
            games(&bots[1..3], &["--gauntlet", text(&bots[0])]),
            12,
            "{}",
            game.name
        );
        assert_eq!(games(&bots[..3], &["--format", "round-robin"]), 18);
        let pairs = if game.seats == 3 { 6 } else { 10 };
        assert_eq!(
            games(&bots, &[]),
            6 * pairs,
            "more than sit at a table play a round robin"
        );
        assert_eq!(
            games(&bots[..game.seats], &["--format", "rotations"]),
            game.seats as u64
        );
        let orders = [0, 0, 6, if game.seats == 3 { 6 } else { 36 }];
        for count in [2, 3] {
            assert_eq!(
                games(&bots[..count], &["--format", "all-orders"]),
                orders[count],
                "{}",
                game.name
            );
        }
    }
    let folder = Folder::new();
    let bots = GAMES[2].bots(&folder, 2);
    let refused = GAMES[2].play(&bots, &["--games", "1", "--format", "one-against-three"]);
    refused.exited(1);
    let told = "one against three, both ways is for tables of 4, and doudizhu is played by 3; leave out --format";
    assert!(refused.err.contains(told), "{}", refused.err);
}

#[test]
fn four_configs_of_chinese_standard_get_the_points_of_a_contest_for_each_wall() {
    let folder = Folder::new();
    let game = &GAMES[1];
    let (results, finished) = game.results(&folder, &game.bots(&folder, 4), &["--games", "48"]);
    let walls = results["played"].as_array().expect("walls");
    let points_of = |wall: &Value, config: usize| wall["counts"][config][0].as_i64();
    let contest = |config: usize| {
        let of = |wall: &Value| {
            let own = points_of(wall, config);
            let others = (0..4).filter(|&other| other != config);
            others
                .map(|other| match points_of(wall, other).cmp(&own) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                })
                .sum::<f64>()
                + 1.0
        };
        walls.iter().map(of).sum::<f64>() / walls.len() as f64
    };
    let found: Vec<f64> = (0..4)
        .map(|config| {
            results["entrants"][config]["contest"]["mean"]
                .as_f64()
                .expect("contest points")
        })
        .collect();
    let expected: Vec<f64> = (0..4).map(contest).collect();
    assert_eq!(found, expected);
    for row in table(&finished.out) {
        let config: usize = cell(&row, "bot")[3..].parse().expect("its number");
        let shown = cell(&row, "4-3-2-1");
        assert!(
            shown.starts_with(&format!("{:.2}", found[config])),
            "{shown}"
        );
    }
    let (two, finished) = game.results(&folder, &game.bots(&folder, 2), &["--games", "6"]);
    assert!(two["entrants"][0]["contest"].is_null());
    assert!(!finished.out.contains("4-3-2-1"), "{}", finished.out);
}

#[test]
fn what_only_riichi_has_is_refused_for_the_other_games() {
    let folder = Folder::new();
    for game in &GAMES[1..] {
        let bots = game.bots(&folder, 2);
        for option in ["--length=east", "--rules=tenhou", "--uma=1,0,-1"] {
            let finished = game.play(&bots, &["--games", "6", option]);
            finished.exited(1);
            let option = option.split('=').next().unwrap_or_default();
            let why = if option == "--uma" {
                "is compared by points"
            } else {
                "is one hand by the rules of Botzone"
            };
            let told = format!(
                "{option} is for tournaments of riichi; a game of {} {why}: leave it out",
                game.name
            );
            assert!(finished.err.contains(&told), "{}", finished.err);
        }
    }
    let other = GAMES[1].play(&GAMES[2].bots(&folder, 2), &["--games", "6"]);
    other.exited(1);
    assert!(
        other
            .err
            .contains("the policy doudizhu-split plays doudizhu"),
        "{}",
        other.err
    );
    let seven = GAMES[2].play(
        &GAMES[2].bots(&folder, 2),
        &["--games", "6", "--players", "4"],
    );
    seven.exited(1);
    assert!(
        seven
            .err
            .contains("doudizhu has 3 players, but --players is 4"),
        "{}",
        seven.err
    );
}

#[test]
fn the_games_of_each_game_are_in_the_database_once() {
    for game in &GAMES {
        let folder = Folder::new();
        let bots = game.bots(&folder, 2);
        let database = folder.path().join("results.db");
        let results = format!("sqlite:{}", database.display());
        let out = folder.path().join("out.json");
        for _ in 0..2 {
            game.play(
                &bots,
                &["--games", "12", "--results", &results, "--out", text(&out)],
            )
            .exited(0);
        }
        let rows = kept(&database, ResultKind::Tournament);
        assert_eq!(rows.len(), 12 * game.seats, "{}", game.name);
        for row in &rows {
            assert_eq!(
                (row.game.as_str(), row.scores.len()),
                (game.name, game.seats)
            );
            let points: i32 = row.scores.iter().sum();
            assert!(
                points == 0 || game.name == "riichi" && points == 100_000,
                "{row:?}"
            );
            let above = row
                .scores
                .iter()
                .filter(|&&score| Some(score) > row.points())
                .count();
            assert!(usize::from(row.place) > above, "{row:?}");
        }
        let wins: u32 = rows.iter().map(|row| row.wins).sum();
        assert!(wins > 0, "{}", game.name);
        let told = Runner::new([
            "stats",
            "--tournaments",
            "--results",
            &results,
            "--by",
            "bot",
        ])
        .run();
        let told_stats = told.exited(0);
        assert!(told_stats.contains("bot0"), "{told_stats}");
        // The luck of each seat is that of the results file.
        let file: Value = serde_json::from_str(&read(&out)).expect("JSON");
        let version = file["arguments"]["luck"].as_str().expect("it is known");
        let walls = file["played"].as_array().expect("walls");
        let games = walls
            .iter()
            .flat_map(|wall| wall["luck"].as_array().expect("luck"));
        let mut of_file: Vec<i32> = games
            .flat_map(|game| game.as_str().expect("a text").split(' '))
            .map(|luck| luck.parse().expect("a number"))
            .collect();
        let luck = rows
            .iter()
            .map(|row| row.luck.clone().expect("all hands are known"));
        let (mut kept, versions): (Vec<i32>, BTreeSet<String>) =
            luck.map(|luck| (luck.thousandths, luck.version)).unzip();
        of_file.sort_unstable();
        kept.sort_unstable();
        assert!(
            kept == of_file && kept.iter().any(|&luck| luck != 0),
            "{}",
            game.name
        );
        assert_eq!(versions, BTreeSet::from([version.to_owned()]));
        let words = format!(
            "Adjusted for luck ({version}): {0} of {0} games, whose hands are",
            rows.len()
        );
        assert!(told_stats.contains(&words), "{told_stats}");
    }
}

#[test]
fn within_its_time_a_tournament_of_each_game_is_the_one_that_is_played_without() {
    for game in &GAMES {
        let folder = Folder::new();
        let bots = game.bots(&folder, 2);
        let played = |args: &[&str]| {
            let (mut results, _) =
                game.results(&folder, &bots, &[&["--games", "6"], args].concat());
            results["played"].take()
        };
        assert_eq!(
            played(&[]),
            played(&["--think-ms", "20000"]),
            "{}",
            game.name
        );
    }
}

/// The lines of a list of differences.
fn differences(folder: &Path) -> Vec<Value> {
    read(&folder.join("differences.jsonl"))
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

#[test]
fn where_two_configs_part_is_listed_with_the_records_of_both_games() {
    // The two of Dou Dizhu are the same.
    for game in &GAMES[..2] {
        let folder = Folder::new();
        let parted = folder.path().join("parted");
        let option = ["--games", "12", "--record-differences", text(&parted)];
        let finished = game.play(&game.bots(&folder, 2), &option);
        finished.exited(0);
        let found = differences(&parted);
        assert!(
            !found.is_empty() && finished.err.contains("bot0 and bot1 parted on "),
            "{}: {}",
            game.name,
            finished.err
        );
        let of = |value: &Value, place: usize| value[place].as_str().expect("a text").to_owned();
        for difference in &found {
            assert_ne!(difference["actions"][0], difference["actions"][1]);
            assert_ne!(difference["configs"][0], difference["configs"][1]);
            let lines = [0, 1].map(|place| {
                let file = parted.join(of(&difference["records"], place));
                let text = lab::record::open_lines(&file).expect("it is there");
                std::io::BufRead::lines(text)
                    .map(|line| line.expect("a text"))
                    .collect::<Vec<_>>()
            });
            let line = difference["line"].as_u64().expect("a number") as usize;
            // The first line has the names of the players, which are exchanged.
            assert_eq!(lines[0][1..line], lines[1][1..line], "{}", game.name);
        }
        // Each record is a game by the rules.
        let record = parted.join(of(&found[0]["records"], 1));
        Runner::new(["replay", text(&record)]).run().exited(0);
    }
}

#[test]
fn a_difference_is_the_decision_that_analyze_shows_at_its_place() {
    let folder = Folder::new();
    let parted = folder.path().join("parted");
    let option = ["--games", "12", "--record-differences", text(&parted)];
    let bots = GAMES[0].bots(&folder, 2);
    GAMES[0].play(&bots, &option).exited(0);
    for difference in &differences(&parted) {
        for place in [0, 1] {
            let record = parted.join(difference["records"][place].as_str().expect("a name"));
            let config = difference["configs"][place].as_str().expect("a name");
            let config = folder.path().join(format!("{config}.toml"));
            let (seat, at) = (
                &difference["seat"],
                difference["at"].as_str().expect("a text"),
            );
            let seat = seat.to_string();
            let command = ["analyze", text(&record), "--at", at, "--seat", &seat];
            let policy = ["--policy", text(&config), "--json"];
            let finished = Runner::new(command.into_iter().chain(policy)).run();
            let shown: Value = serde_json::from_str(finished.exited(0)).expect("JSON");
            assert_eq!(
                shown["policy"]["action"], difference["words"][place],
                "{shown}"
            );
        }
    }
}

#[test]
fn copies_of_one_config_never_part_and_three_configs_are_refused() {
    let folder = Folder::new();
    let parted = folder.path().join("parted");
    let option = ["--games", "6", "--record-differences", text(&parted)];
    let finished = GAMES[0].play(&GAMES[0].copies(&folder, 2), &option);
    finished.exited(0);
    assert!(
        finished
            .err
            .contains("bot0 and bot1 played alike on all of the 1 walls played now."),
        "{}",
        finished.err
    );
    assert!(!parted.join("differences.jsonl").exists());
    let finished = GAMES[0].play(&GAMES[0].copies(&folder, 3), &option);
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("--record-differences compares two configs, and 3 are given; name two"),
        "{}",
        finished.err
    );
}
