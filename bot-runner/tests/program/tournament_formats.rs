//! Formats, numbers of players, lengths and rules of `tournament`.

use std::path::PathBuf;

use serde_json::Value;

use super::configs::{Folder, POLICY, arena};
use super::program::{Finished, cell, table};
use super::tournament::{bots, tournament};

/// The results file of a tournament, and its output.
fn results(folder: &Folder, args: &[&str], bots: &[PathBuf]) -> (Value, Finished) {
    let out = folder.path().join("results.json");
    let _ = std::fs::remove_file(&out);
    let all = [
        &[
            "--seed",
            "1",
            "--length",
            "east",
            "--out",
            out.to_str().expect("a plain path"),
        ],
        args,
    ]
    .concat();
    let finished = tournament(&all, bots);
    finished.exited(0);
    let text = std::fs::read_to_string(&out).expect("it was written");
    (serde_json::from_str(&text).expect("JSON"), finished)
}

fn names<'v>(list: &'v Value, key: &str) -> Vec<&'v str> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|item| item[key].as_str().expect("a name"))
        .collect()
}

#[test]
fn one_against_three_is_played_both_ways() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let (results, finished) = results(
        &folder,
        &["--games", "9", "--format", "one-against-three"],
        &two,
    );
    assert!(
        finished
            .out
            .contains("one against three, both ways: 16 East-only games on 2 walls"),
        "{}",
        finished.out
    );
    // Alone at four tables of each wall, and three seats at four.
    assert_eq!(results["entrants"][0]["seats"], 2 * (4 + 3 * 4));
    assert_eq!(results["pairs"][0]["games"], 16);
}

/// What a results file has of each game under this key, wall by wall: a number for each seat.
fn of_games(results: &Value, key: &str, read: fn(&str) -> Vec<f64>) -> Vec<Vec<Vec<f64>>> {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let seats = |game: &Value| read(game.as_str().expect("a text"));
    list(&results["played"])
        .iter()
        .map(|wall| list(&wall[key]).iter().map(seats).collect())
        .collect()
}

/// The places of the games of each wall in a results file.
fn places(results: &Value) -> Vec<Vec<Vec<f64>>> {
    of_games(results, "games", |game| {
        game.chars()
            .map(|place| f64::from(place.to_digit(10).expect("a place")))
            .collect()
    })
}

/// The luck in these games, in places.
fn luck(results: &Value) -> Vec<Vec<Vec<f64>>> {
    of_games(results, "luck", |game| {
        game.split(' ')
            .map(|parts| parts.parse::<f64>().expect("a number") / 1000.0)
            .collect()
    })
}

#[test]
fn one_against_three_has_the_figures_of_each_config_alone() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let (results, finished) = results(
        &folder,
        &["--games", "16", "--format", "one-against-three"],
        &two,
    );
    // The first config sits alone on seat 0 to 3 in the first four games of a wall.
    let walls = places(&results);
    let alone: Vec<f64> = walls
        .iter()
        .flat_map(|games| (0..4).map(|seat| games[seat][seat]))
        .collect();
    let pays = |place: &f64| [90.0, 45.0, 0.0, -135.0][*place as usize - 1];
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let found = &results["entrants"][0]["alone"];
    assert_eq!(found["games"], 8);
    let number = |value: &Value| value.as_f64().expect("a number");
    let uma = mean(alone.iter().map(pays).collect());
    assert!(
        (number(&found["uma"]["mean"]) - uma).abs() < 1e-9,
        "{found}"
    );
    assert!(
        (number(&found["place"]["mean"]) - mean(alone)).abs() < 1e-9,
        "{found}"
    );
    assert!(found["uma"]["interval"].is_array(), "{found}");
    // A place more costs 72 of what places pay: the slope of the line through the four values.
    let luck = luck(&results);
    let of_luck = mean(
        luck.iter()
            .flat_map(|games| (0..4).map(|seat| games[seat][seat]))
            .collect(),
    );
    assert!(of_luck.abs() > 0.001, "{of_luck}");
    for (adjusted, raw) in [
        ("place_adjusted", number(&found["place"]["mean"]) - of_luck),
        ("uma_adjusted", uma + 72.0 * of_luck),
    ] {
        let mean = number(&found[adjusted]["mean"]);
        assert!((mean - raw).abs() < 1e-9, "{adjusted}: {raw}, {found}");
    }
    let (_, table) = finished.out.split_once("alone at its tables").expect("it");
    for shown in [uma, uma + 72.0 * of_luck] {
        let is_shown =
            |row: &str| row.starts_with("bot0") && row.contains(&format!("{shown:.2} ("));
        assert!(table.lines().any(is_shown), "{shown}: {}", finished.out);
    }
}

#[test]
fn places_pay_the_usual_values_or_those_that_are_given() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    for (args, heading, pays) in [
        (&[][..], "90/45/0/-135", [90.0, 45.0, 0.0, -135.0]),
        (
            &["--uma=3,1,-1,-3"][..],
            "3/1/-1/-3",
            [3.0, 1.0, -1.0, -3.0],
        ),
    ] {
        let (results, finished) = results(&folder, &[&["--games", "12"], args].concat(), &two);
        for (config, entrant) in results["entrants"]
            .as_array()
            .expect("two")
            .iter()
            .enumerate()
        {
            let shares = entrant["places"].as_array().expect("shares").iter();
            let paid: f64 = shares
                .zip(pays)
                .map(|(share, pays)| share.as_f64().expect("a share") * pays)
                .sum();
            let uma = entrant["uma"].as_f64().expect("a number");
            assert!((uma - paid).abs() < 1e-9, "{config}: {entrant}");
            let ends = entrant["uma_interval"].as_array().expect("an interval");
            assert!(
                ends[0].as_f64() < Some(uma) && Some(uma) < ends[1].as_f64(),
                "{entrant}"
            );
            let rows = table(&finished.out);
            let row = rows
                .iter()
                .find(|row| cell(row, "bot") == format!("bot{config}"));
            let shown = cell(row.expect("its row"), heading);
            assert!(shown.starts_with(&format!("{uma:.2} (")), "{shown}");
            let adjusted = entrant["uma_adjusted"]["mean"].as_f64().expect("a number");
            let shown = cell(row.expect("its row"), "adjusted pay");
            assert!(shown.starts_with(&format!("{adjusted:.2} (")), "{shown}");
        }
    }
}

#[test]
fn any_number_plays_a_round_robin_with_a_rating_list_and_all_pairs() {
    let folder = Folder::new();
    let three = bots(&folder, &["never", "yaku", "never"]);
    let (results, finished) = results(&folder, &["--games", "36"], &three);
    assert!(
        finished
            .out
            .contains("round robin: 36 East-only games on 2 walls"),
        "{}",
        finished.out
    );
    let pairs: Vec<_> = names(&results["pairs"], "one")
        .into_iter()
        .zip(names(&results["pairs"], "other"))
        .collect();
    assert_eq!(
        pairs,
        [("bot0", "bot1"), ("bot0", "bot2"), ("bot1", "bot2")]
    );
    let ratings = results["ratings"].as_array().expect("a list");
    let points: Vec<f64> = ratings
        .iter()
        .map(|rating| rating["rating"].as_f64().expect("points"))
        .collect();
    assert!(points.is_sorted_by(|one, other| one >= other), "{points:?}");
    assert!(
        (points.iter().sum::<f64>() - 4500.0).abs() < 1e-6,
        "{points:?}"
    );
    assert!(
        ratings.iter().all(|rating| rating["interval"].is_array()),
        "{ratings:?}"
    );
    for words in ["rating list", "against"] {
        assert!(finished.out.contains(words), "{}", finished.out);
    }
    let (four, _) = self::results(&folder, &["--games", "1"], &bots(&folder, &["never"; 4]));
    assert_eq!(
        (&four["arguments"]["format"], &four["games"]),
        (&"rotations".into(), &4.into())
    );
    let five = bots(&folder, &["never"; 5]);
    assert_eq!(
        self::results(&folder, &["--games", "1"], &five).0["games"],
        60,
        "ten pairs"
    );
}

#[test]
fn in_a_gauntlet_the_new_one_meets_each_of_the_others_and_they_not_each_other() {
    let folder = Folder::new();
    let all = bots(&folder, &["yaku", "never", "never"]);
    let new = all[0].to_str().expect("a plain path");
    let (results, finished) = results(&folder, &["--games", "12", "--gauntlet", new], &all[1..]);
    assert_eq!(names(&results["pairs"], "one"), ["bot0", "bot0"]);
    assert_eq!(names(&results["pairs"], "other"), ["bot1", "bot2"]);
    assert_eq!(results["ratings"].as_array().map(Vec::len), Some(3));
    assert!(
        finished
            .out
            .contains("the first against each of the others"),
        "{}",
        finished.out
    );
}

#[test]
fn three_play_when_it_is_asked_for_or_the_configs_say_so() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let (results, finished) = results(&folder, &["--games", "6", "--players", "3"], &two);
    assert!(
        finished
            .out
            .contains("one against two, both ways: 6 East-only games of three players"),
        "{finished:?}"
    );
    assert_eq!(
        results["entrants"][0]["places"].as_array().map(Vec::len),
        Some(3)
    );
    let row = &table(&finished.out)[0];
    assert!(row.iter().all(|(heading, _)| heading != "4th %"), "{row:?}");
    let place: f64 = cell(row, "avg place").parse().expect("a number");
    assert!((1.0..=3.0).contains(&place), "{place}");

    let three = |name: &str| {
        let arena = arena("wss://example.org", "NO_TOKEN");
        folder.file(
            &format!("{name}.toml"),
            format!("name = {name:?}\n{arena}players = 3\n{POLICY}"),
        )
    };
    let said = [three("a"), three("b"), three("c")];
    let (results, _) = self::results(&folder, &["--games", "1"], &said);
    assert_eq!(
        (&results["arguments"]["players"], &results["games"]),
        (&3.into(), &3.into()),
        "all rotations"
    );
}

#[test]
fn configs_of_different_numbers_of_players_are_refused() {
    let folder = Folder::new();
    let with = |name: &str, players: &str| {
        let arena = arena("wss://example.org", "NO_TOKEN");
        folder.file(
            &format!("{name}.toml"),
            format!("name = {name:?}\n{arena}{players}{POLICY}"),
        )
    };
    let (three, four, silent) = (
        with("three", "players = 3\n"),
        with("four", "players = 4\n"),
        with("silent", ""),
    );
    for (configs, words) in [
        ([&three, &four], "four.toml with 4"),
        ([&silent, &three], "silent.toml with 4"),
    ] {
        let finished = tournament(&["--games", "6"], &configs.map(Clone::clone));
        finished.exited(1);
        assert!(
            finished.err.contains("three.toml plays with 3") && finished.err.contains(words),
            "{}",
            finished.err
        );
    }
    let finished = tournament(&["--games", "6", "--players", "4"], &[three.clone(), three]);
    finished.exited(1);
    assert!(finished.err.contains("--players is 4"), "{}", finished.err);
}

#[test]
fn a_value_is_required_for_each_place() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let finished = tournament(&["--games", "6", "--uma", "15,5,-20"], &two);
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("--uma has values for 3 places, and there are 4"),
        "{}",
        finished.err
    );
    tournament(&["--games", "6", "--uma", "15,5,x,-20"], &two).exited(2);
}

#[test]
fn the_rules_are_shown() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let (results, finished) = results(&folder, &["--games", "6", "--rules", "mahjong-soul"], &two);
    assert!(
        finished.out.contains("by Mahjong Soul's rules"),
        "{}",
        finished.out
    );
    assert_eq!(results["arguments"]["rules"], "mahjong-soul");
}

#[test]
fn with_a_bound_it_also_ends_when_no_difference_is_as_large() {
    let folder = Folder::new();
    let same = bots(&folder, &["never", "never"]);
    let (results, finished) = results(
        &folder,
        &["--games", "6000", "--until-clear", "--by", "1.5"],
        &same,
    );
    let test = &results["until_clear"];
    assert_eq!(
        (&results["ended"], &test["close"], &test["best"]),
        (&"clear".into(), &true.into(), &Value::Null)
    );
    assert!(
        finished
            .out
            .contains("no two differ by 1.5 in average place"),
        "{}",
        finished.out
    );
    assert_eq!(
        (
            test["error_rate"].as_f64(),
            test["close_error_rate"].as_f64()
        ),
        (Some(0.05), Some(0.05))
    );
    assert!(results["walls"].as_u64() < Some(1000));
    let three = bots(&folder, &["never"; 3]);
    let new = three[0].to_str().expect("a plain path");
    let gauntlet = [
        "--games=12000",
        "--length=east",
        "--until-clear",
        "--by=1.5",
        "--gauntlet",
        new,
    ];
    let finished = tournament(&gauntlet, &three[1..]);
    finished.exited(0);
    assert!(
        finished
            .out
            .contains("no config differs from bot0 by 1.5 in average place"),
        "{}",
        finished.out
    );
    tournament(&["--games", "6", "--by", "0.03"], &same).exited(2);
    tournament(&["--games", "6", "--until-clear", "--by", "-1"], &same).exited(2);
}

#[test]
fn turns_and_deal_ins_after_riichi_are_in_the_table_and_the_file() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let (results, finished) = results(&folder, &["--games", "12"], &two);
    let entrant = &results["entrants"][0];
    let rows = table(&finished.out);
    let row = rows
        .iter()
        .find(|row| entrant["name"] == cell(row, "bot"))
        .expect("a row of each");
    let shown = |heading: &str| cell(row, heading).parse::<f64>().expect("a number");
    for (heading, key, least, most) in [
        ("tenpai turn", "average_tenpai_turn", 3.0, 15.0),
        ("win turn", "average_win_turn", 4.0, 18.0),
    ] {
        let exact = entrant[key].as_f64().expect("an average");
        assert!(
            (least..most).contains(&exact) && (exact - shown(heading)).abs() < 0.051,
            "{heading}: {exact}"
        );
    }
    let share = entrant["deal_in_rate_after_riichi"]
        .as_f64()
        .expect("a share");
    assert!(
        (share * 100.0 - shown("after riichi %")).abs() < 0.051 && share > 0.0,
        "{share}"
    );
}

#[test]
fn a_config_is_placed_among_the_rated_policies_by_its_result_against_one() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let out = folder.path().join("anchored.json");
    let out = out.to_str().expect("a plain path");
    let finished = tournament(
        &["--games", "60", "--seed", "1", "--anchor", "--out", out],
        &two,
    );
    finished.exited(0);
    let text = std::fs::read_to_string(out).expect("it was written");
    let results: Value = serde_json::from_str(&text).expect("JSON");
    let elo = &results["pairs"][0]["elo"];
    // The first never calls, as the rated policy does, and is the one of the pair.
    let rating = 1470.0 - elo["difference"].as_f64().expect("a difference");
    let list = finished.out.split("beside the built-in policies").nth(1);
    let list = list.unwrap_or_else(|| panic!("{}", finished.out));
    let row = list.lines().find(|line| line.starts_with("bot1 "));
    let row = row.unwrap_or_else(|| panic!("{list}"));
    assert!(
        row.contains("this tournament") && row.contains(&format!(" {rating:.0} ")),
        "{row}: {rating}"
    );
    assert!(
        list.contains("greedy-tenpai") && list.contains("1462 to 1477"),
        "{list}"
    );
    let names: Vec<&str> = list
        .lines()
        .filter_map(|line| line.split("  ").next())
        .collect();
    assert!(!names.contains(&"bot0"), "{names:?}");
}

#[test]
fn ratings_are_not_anchored_by_other_games_or_without_a_rated_policy() {
    let folder = Folder::new();
    let two = bots(&folder, &["yaku", "yaku"]);
    let finished = tournament(&["--games", "6", "--anchor"], &two);
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("none of the configs is a rated policy; add the config of one (learned, "),
        "{}",
        finished.err
    );
    let two = bots(&folder, &["never", "yaku"]);
    for other in ["--length=east", "--players=3", "--rules=mahjong-soul"] {
        let finished = tournament(&["--games", "6", "--anchor", other], &two);
        finished.exited(1);
        assert!(
            finished
                .err
                .contains("rated by hanchan of four players with Tenhou's rules"),
            "{}",
            finished.err
        );
    }
}
