//! Statistics of results with known answers.

use std::path::Path;

use results::{ResultKind, ResultRow, SeatLuck, key_of};
use serde_json::Value;

use super::write;
use crate::configs::Folder;
use crate::program::{Finished, Runner};

/// A week, milliseconds.
const WEEK: i64 = 7 * 86_400_000;
/// The beginning of a week: Monday, 2026-01-05.
const MONDAY: i64 = 1_767_571_200_000;

fn game(number: u64, version: &str, place: u8) -> ResultRow {
    let mut scores = vec![30_000, 27_000, 23_000, 20_000];
    scores.swap(0, usize::from(place) - 1);
    ResultRow {
        key: key_of(&[version, &number.to_string()]),
        kind: ResultKind::Ladder,
        arena: "wss://game.example.org".to_owned(),
        shared: format!("{version} {number}"),
        shard: None,
        game: "riichi".to_owned(),
        ended_ms: MONDAY + if version == "1.0.0" { 0 } else { WEEK } + number as i64,
        bot: "kuma".to_owned(),
        policy: "mine".to_owned(),
        version: version.to_owned(),
        content: Some(key_of(&[version])),
        mixed: false,
        players: 4,
        seat: 0,
        place,
        scores,
        rounds: 10,
        wins: 2,
        deal_ins: 1,
        riichi: 3,
        called: 4,
        won: 10_000,
        lost: 6_000,
        opponents: vec!["tora".to_owned()],
        trouble: None,
        luck: None,
    }
}

/// A ladder on which version 1 takes all places alike, and version 2 the first more often: 2.5 and
/// 2.3 on average.
fn ladder(games: u64) -> Vec<ResultRow> {
    let old = (0..games).map(|number| game(number, "1.0.0", (number % 4 + 1) as u8));
    // Of 20 games: seven first, five second, three third, five fourth.
    let places = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4];
    let new = (0..games).map(|number| game(number, "2.0.0", places[(number % 20) as usize]));
    old.chain(new).collect()
}

fn stats(folder: &Path, more: &[&str]) -> Finished {
    Runner::new(["stats"].iter().chain(more))
        .in_folder(folder)
        .run()
}

#[test]
fn a_version_that_is_better_on_the_ladder_is_reported_with_how_sure_that_is() {
    let folder = Folder::new();
    write(&folder.path().join("results.db"), &ladder(1_000));
    let told = stats(folder.path(), &[]);
    assert!(told.status.success(), "{told:?}");
    let words = "mine 2.0.0 places better than mine 1.0.0: by 0.200 places on average (95 % interval 0.099 to 0.301) over \
                 1,000 and 1,000 games. If both were equally good, luck alone would give as large a difference in 0.01 % of such \
                 cases.";
    assert!(told.out.contains(words), "{}", told.out);
    let order: Vec<&str> = told
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("mine ")?.split("  ").next())
        .collect();
    assert_eq!(order[..2], ["2.0.0", "1.0.0"], "the better one comes first");
    assert!(
        told.out
            .ends_with("Conclusion: mine 2.0.0 is better than mine 1.0.0; keep it.\n"),
        "{}",
        told.out
    );
    let row = told
        .out
        .lines()
        .find(|line| line.starts_with("mine 2.0.0"))
        .expect("a row");
    let cells: Vec<&str> = row
        .split("  ")
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect();
    assert_eq!(
        cells[1..9],
        [
            "1000",
            "2.300",
            "2.226 to 2.374",
            "+9.0",
            "35.0",
            "25.0",
            "15.0",
            "25.0"
        ]
    );
    assert_eq!(
        cells[10..],
        ["20.0", "10.0", "30.0", "40.0", "5,000", "6,000"]
    );
}

#[test]
fn reports_no_difference_when_the_sample_is_small() {
    let folder = Folder::new();
    write(&folder.path().join("results.db"), &ladder(60));
    let told = stats(folder.path(), &["--policy", "mine"]);
    assert!(
        told.out
            .contains("It is not shown which of mine 2.0.0 and mine 1.0.0 is better"),
        "{}",
        told.out
    );
    assert!(
        told.out
            .contains("A difference of 0.1 places takes about 2,300 games of each"),
        "{}",
        told.out
    );
}

#[test]
fn a_filter_without_games_tells_which_policies_and_bots_the_database_holds() {
    let folder = Folder::new();
    write(&folder.path().join("results.db"), &ladder(20));
    let told = stats(folder.path(), &["--policy", "program"]);
    let held = "The database has no such games. Its ranked games are of the policies mine and the bots kuma.\n";
    assert_eq!(told.exited(0), held);
    let told = stats(folder.path(), &["--tournaments"]);
    let held = "The database has no games of tournaments, but ranked games, which are shown without --tournaments.\n";
    assert_eq!(told.exited(0), held);
}

#[test]
fn only_versions_of_one_policy_are_compared_and_only_where_their_games_say_something() {
    let folder = Folder::new();
    let mut games = ladder(40);
    // Another policy between the two versions, and a third version of two games that ended alike.
    games.extend((0..40).map(|number| ResultRow {
        policy: "other".to_owned(),
        bot: "tanuki".to_owned(),
        ended_ms: MONDAY + WEEK / 2 + number as i64,
        ..game(1_000 + number, "1.5.0", (number % 4 + 1) as u8)
    }));
    games.extend((0..2).map(|number| ResultRow {
        ended_ms: MONDAY + 2 * WEEK,
        ..game(2_000 + number, "3.0.0", 1)
    }));
    write(&folder.path().join("results.db"), &games);
    let told: Value = serde_json::from_str(&stats(folder.path(), &["--json"]).out).expect("JSON");
    let pairs: Vec<[&Value; 2]> = told["comparisons"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|pair| [&pair["one"], &pair["other"]])
        .collect();
    let [one, two, three] = ["mine 1.0.0", "mine 2.0.0", "mine 3.0.0"].map(Value::from);
    assert_eq!(pairs, [[&two, &one], [&three, &two]]);
    for row in told["rows"].as_array().expect("rows") {
        let shown = row["games"].as_u64() >= Some(10);
        assert_eq!(row["interval"].is_array(), shown, "{row}");
        assert_eq!(row["points_interval"].is_array(), shown, "{row}");
    }
    let out = stats(folder.path(), &[]).out;
    assert!(
        out.contains("Intervals are shown from 10 games on."),
        "{out}"
    );
    let few = "It is not shown which of mine 3.0.0 and mine 2.0.0 is better: 2 and 40 games are too few for an interval.";
    assert!(out.contains(few), "{out}");
    for (by, pairs) in [("bot", 1), ("week", 3), ("opponent", 0)] {
        let told: Value =
            serde_json::from_str(&stats(folder.path(), &["--by", by, "--json"]).out).expect("JSON");
        let compared = told["comparisons"].as_array().expect("a list");
        assert_eq!(compared.len(), pairs, "--by {by}");
        assert!(
            compared.iter().all(|pair| pair["shown"] == "nothing"),
            "{told}"
        );
    }
    let out = stats(folder.path(), &["--by", "bot"]).out;
    assert!(
        out.contains("Conclusion: it is not shown which of kuma and tanuki does better; "),
        "{out}"
    );
    assert!(
        out.ends_with("; a tournament compares bots at the same tables.\n"),
        "{out}"
    );
}

#[test]
fn an_interval_of_places_ends_where_places_end_and_a_chart_has_round_ticks() {
    let folder = Folder::new();
    let games: Vec<ResultRow> = (0..12)
        .map(|number| game(number, "1.0.0", if number == 0 { 4 } else { 1 }))
        .collect();
    write(&folder.path().join("results.db"), &games);
    let told: Value = serde_json::from_str(&stats(folder.path(), &["--json"]).out).expect("JSON");
    assert_eq!(told["rows"][0]["interval"][0], 1.0, "{told}");
    assert!(
        stats(folder.path(), &["--chart", "places.svg"])
            .status
            .success()
    );
    let chart = std::fs::read_to_string(folder.path().join("places.svg")).expect("it was drawn");
    let ticks = chart
        .lines()
        .filter_map(|line| line.strip_suffix("</text>"))
        .filter(|line| line.contains("y=\"56.0\""));
    let ticks: Vec<&str> = ticks.filter_map(|line| line.rsplit('>').next()).collect();
    assert_eq!(ticks, ["1.0", "1.2", "1.4", "1.6", "1.8", "2.0"], "{chart}");
}

#[test]
fn figures_are_adjusted_by_the_luck_that_is_known_and_of_one_version() {
    let folder = Folder::new();
    // Of 40 games of each version the luck of 20 explains nine tenths of the places; in 4 it is of
    // an earlier version.
    let luck = |thousandths: i32, version: &str| {
        Some(SeatLuck {
            thousandths,
            version: version.to_owned(),
        })
    };
    let games = ladder(40).into_iter().enumerate().map(|(number, game)| {
        let away = 10 * i32::from(game.place) - 25;
        ResultRow {
            luck: match number % 40 {
                0..20 => luck(90 * away, "riichi-4 2 sha256 ab"),
                20..24 => luck(1_000_000, "riichi-4 1 sha256 cd"),
                _ => None,
            },
            ..game
        }
    });
    let mut games: Vec<ResultRow> = games.collect();
    // A game of points: 2 points won or 1 lost, of which luck is half a point.
    games.extend((60..84).map(|number| {
        let won = number % 2 == 0;
        ResultRow {
            game: "doudizhu".to_owned(),
            players: 3,
            scores: if won {
                vec![200, -100, -100]
            } else {
                vec![-100, 50, 50]
            },
            luck: luck(if won { 500 } else { -500 }, "dou-dizhu 1 sha256 ef"),
            ..game(number, "2.0.0", if won { 1 } else { 3 })
        }
    }));
    write(&folder.path().join("results.db"), &games);
    let out = stats(folder.path(), &[]).out;
    for words in [
        "adjusted   95 % adjusted  adj games",
        "Adjusted for luck (riichi-4 2 sha256 ab): 40 of 80 games, whose hands are all known; left out: 8 games whose \
         luck is of another version.\n",
        "Adjusted for luck (dou-dizhu 1 sha256 ef): 24 of 24 games, whose hands are all known.\n",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let told: Value = serde_json::from_str(&stats(folder.path(), &["--json"]).out).expect("JSON");
    let rows = told["rows"].as_array().expect("rows");
    let number = |row: &Value, name: &str| row[name].as_f64().expect("a number");
    for (row, mean, adjusted, games) in [
        (&rows[0], 2.5, 2.5, 20.0),
        // The places of its 20 games are 2.3 on average.
        (&rows[1], 2.3, 2.48, 20.0),
        (&rows[2], 0.5, 0.5, 24.0),
    ] {
        let raw = if row["game"] == "riichi" {
            "average_place"
        } else {
            "average_points"
        };
        for (name, wanted) in [
            (raw, mean),
            ("adjusted", adjusted),
            ("adjusted_games", games),
        ] {
            assert!((number(row, name) - wanted).abs() < 1e-9, "{name}: {row}");
        }
    }
    let shorter = |row: &Value, raw: &str| {
        let length = |name: &str| row[name][1].as_f64().unwrap() - row[name][0].as_f64().unwrap();
        length("adjusted_interval") / length(raw)
    };
    // Half the games, and a tenth of the deviation; all games, and two thirds of it.
    let (places, points) = (
        shorter(&rows[0], "interval"),
        shorter(&rows[2], "points_interval"),
    );
    assert!((0.13..0.16).contains(&places), "{places}");
    assert!((0.64..0.69).contains(&points), "{points}");
    assert_eq!(told["luck"][0]["games_of_other_versions"], 8);
    let csv = stats(folder.path(), &["--csv"]).out;
    let heading = csv.lines().next().expect("a line");
    assert!(
        heading.ends_with(",adjusted,adjusted_low,adjusted_high,adjusted_games"),
        "{csv}"
    );
}

#[test]
fn without_known_luck_nothing_is_adjusted() {
    let folder = Folder::new();
    write(&folder.path().join("results.db"), &ladder(20));
    let out = stats(folder.path(), &[]).out;
    assert!(!out.contains("adj") && !out.contains("luck ("), "{out}");
    let told: Value = serde_json::from_str(&stats(folder.path(), &["--json"]).out).expect("JSON");
    assert_eq!(told["luck"], Value::Array(Vec::new()));
    assert_eq!(told["rows"][0]["adjusted"], Value::Null);
}

#[test]
fn programs_and_spreadsheets_get_the_same_figures() {
    let folder = Folder::new();
    write(&folder.path().join("results.db"), &ladder(1_000));
    let told: Value = serde_json::from_str(&stats(folder.path(), &["--json"]).out).expect("JSON");
    assert_eq!(told["rows"][1]["label"], "mine 2.0.0");
    assert_eq!(
        told["rows"][1]["places"],
        serde_json::json!([350, 250, 150, 250])
    );
    assert_eq!(told["comparisons"][0]["shown"], "better");
    assert!(
        (told["comparisons"][0]["better_by_places"]
            .as_f64()
            .expect("a number")
            - 0.2)
            .abs()
            < 1e-9
    );
    let csv = stats(folder.path(), &["--csv"]).out;
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0].starts_with("label,players,games,average_place") && lines.len() == 3,
        "{csv}"
    );
    assert!(
        lines[2].starts_with("\"mine 2.0.0\",4,1000,2.3,2.22")
            && lines[2].contains(",\"riichi\",25450.8"),
        "{csv}"
    );
}

#[test]
fn games_with_more_players_than_a_table_has_are_named_and_left_out() {
    let folder = Folder::new();
    let more = (0..2).map(|number| ResultRow {
        players: 6,
        ..game(number, "1.0.0", (number % 4 + 1) as u8)
    });
    let games: Vec<ResultRow> = more
        .chain((2..14).map(|number| game(number, "1.0.0", 1)))
        .collect();
    write(&folder.path().join("results.db"), &games);
    for more in [&["--json"][..], &["--csv"], &["--chart", "places.svg"]] {
        let finished = stats(folder.path(), more);
        finished.exited(1);
        assert_eq!(
            finished.err.matches("left out: the row ").count(),
            2,
            "{}",
            finished.err
        );
        assert!(
            finished.err.contains("players is 6; allowed are 2 to 4"),
            "{}",
            finished.err
        );
    }
}

#[test]
fn games_are_distinguished_by_week_opponent_bot_time_and_build() {
    let folder = Folder::new();
    let mut games = ladder(20);
    games.push(ResultRow {
        content: None,
        ..game(50, "1.0.0", 1)
    });
    games.push(ResultRow {
        mixed: true,
        ..game(51, "1.0.0", 1)
    });
    games.push(ResultRow {
        bot: "other".to_owned(),
        opponents: Vec::new(),
        players: 3,
        scores: Vec::new(),
        ..game(52, "1.0.0", 1)
    });
    write(&folder.path().join("results.db"), &games);
    let labels = |more: &[&str]| -> Vec<(String, u64)> {
        let told: Value =
            serde_json::from_str(&stats(folder.path(), &[more, &["--json"]].concat()).out)
                .expect("JSON");
        let rows = told["rows"].as_array().expect("rows").iter();
        rows.map(|row| {
            (
                row["label"].as_str().expect("a text").to_owned(),
                row["games"].as_u64().expect("a number"),
            )
        })
        .collect()
    };
    let expected = |rows: &[(&str, u64)]| {
        rows.iter()
            .map(|(label, games)| ((*label).to_owned(), *games))
            .collect::<Vec<_>>()
    };
    let build = format!("mine 1.0.0 ({})", &key_of(&["1.0.0"])[..8]);
    let builds = [
        (build.as_str(), 20),
        ("mine 1.0.0 (built in)", 1),
        ("mine 2.0.0", 20),
        ("mine 1.0.0", 1),
    ];
    assert_eq!(labels(&[]), expected(&builds));
    assert_eq!(
        labels(&["--by", "week"]),
        expected(&[("2026-W02", 22), ("2026-W03", 20), ("2026-W02", 1)])
    );
    assert_eq!(labels(&["--by", "opponent"]), expected(&[("tora", 42)]));
    assert_eq!(
        labels(&["--by", "bot", "--bot", "other"]),
        expected(&[("other", 1)])
    );
    assert_eq!(
        labels(&["--since", "2026-01-12"]),
        expected(&[("mine 2.0.0", 20)])
    );
    assert!(
        stats(folder.path(), &[])
            .out
            .contains("1 game is of no version")
    );
}

#[test]
fn games_have_their_own_rows_and_are_compared_only_with_the_same_game() {
    let folder = Folder::new();
    let mut games = ladder(20);
    // In Dou Dizhu only the scores are known.
    let (scores, rounds) = (vec![200, -100, -100], 0);
    games.extend((60..64).map(|number| ResultRow {
        game: "doudizhu".to_owned(),
        players: 3,
        scores: scores.clone(),
        rounds,
        wins: 0,
        ..game(number, "2.0.0", 1)
    }));
    games.extend((70..73).map(|number| ResultRow {
        game: "chinese-standard".to_owned(),
        scores: vec![24, -8, -8, -8],
        rounds,
        ..game(number, "2.0.0", 1)
    }));
    write(&folder.path().join("results.db"), &games);
    let told: Value = serde_json::from_str(&stats(folder.path(), &["--json"]).out).expect("JSON");
    let rows: Vec<[&Value; 4]> = told["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            [
                &row["game"],
                &row["games"],
                &row["average_points"],
                &row["riichi_rate"],
            ]
        })
        .collect();
    assert_eq!(
        rows[2..],
        [
            [
                &"chinese-standard".into(),
                &3.into(),
                &24.0.into(),
                &Value::Null
            ],
            [&"doudizhu".into(), &4.into(), &2.0.into(), &Value::Null],
        ]
    );
    assert_eq!(
        told["comparisons"].as_array().expect("some").len(),
        1,
        "{told}"
    );
    let all = stats(folder.path(), &[]).out;
    assert!(
        all.contains("game ") && all.contains(" chinese-standard "),
        "{all}"
    );
    let cards = stats(folder.path(), &["--game", "doudizhu"]).out;
    let row = cards
        .lines()
        .find(|line| line.starts_with("mine 2.0.0"))
        .expect("a row");
    let cells: Vec<&str> = row
        .split("  ")
        .map(str::trim)
        .filter(|cell| !cell.is_empty())
        .collect();
    assert_eq!(cells[..4], ["mine 2.0.0", "doudizhu", "3", "4"]);
    assert!(
        !cards.contains("chinese-standard") && !cards.contains("mine 1.0.0"),
        "{cards}"
    );
    let unknown = stats(folder.path(), &["--game", "mahjong"]);
    assert!(
        unknown
            .err
            .contains("[possible values: riichi, chinese-standard, doudizhu]"),
        "{}",
        unknown.err
    );
}

#[test]
fn a_game_about_scores_is_compared_by_points_with_their_interval() {
    let folder = Folder::new();
    // Hundredths: a version that wins 3 points in two of three games, and one that does so in one
    // of three.
    let scores = |wins: bool| {
        if wins {
            vec![300, -150, -150]
        } else {
            vec![-300, 150, 150]
        }
    };
    let cards = |number: u64, version: &str, wins: bool| ResultRow {
        game: "doudizhu".to_owned(),
        players: 3,
        scores: scores(wins),
        ..game(number, version, if wins { 1 } else { 3 })
    };
    let old = (0..300).map(|number| cards(number, "1.0.0", number % 3 == 0));
    let new = (300..600).map(|number| cards(number, "2.0.0", number % 3 != 0));
    write(
        &folder.path().join("results.db"),
        &old.chain(new).collect::<Vec<_>>(),
    );
    let told: Value = serde_json::from_str(&stats(folder.path(), &["--json"]).out).expect("JSON");
    let row = &told["rows"][1];
    let [low, high] = [0, 1].map(|end| row["points_interval"][end].as_f64().expect("an interval"));
    let error = row["points_standard_error"].as_f64().expect("an error");
    // Of 300 values of 3 and -3 with the mean 1 the squares around it are 2,400; four imagined
    // values add 9 each.
    let wanted = (2_436.0_f64 / 300.0 / 299.0).sqrt();
    assert!(
        (row["average_points"].as_f64() == Some(1.0)) && (error - wanted).abs() < 1e-9,
        "{row}"
    );
    assert!(
        (high - low - 2.0 * 1.968 * error).abs() < 0.001,
        "Student's, 299 degrees: {row}"
    );
    let compared = &told["comparisons"][0];
    assert_eq!(
        (&compared["better_by_points"], &compared["better_by_places"]),
        (&2.0.into(), &Value::Null)
    );
    assert_eq!(compared["shown"], "better");
    let out = stats(folder.path(), &[]).out;
    assert!(
        out.contains("95 % of points") && out.contains("0.68 to 1.32"),
        "{out}"
    );
    assert!(
        out.contains("mine 2.0.0 scores better than mine 1.0.0: by 2.00 points a game (95 % interval 1.54 to 2.46)"),
        "{out}"
    );
}

#[test]
fn hostile_names_are_texts_in_tables_spreadsheets_and_drawings() {
    let folder = Folder::new();
    let hostile = "=cmd|'/c calc'!A1 <script>alert(1)</script> \u{1b}[2J\u{0}";
    let games: Vec<ResultRow> = ladder(20)
        .into_iter()
        .map(|game| ResultRow {
            bot: hostile.to_owned(),
            ..game
        })
        .collect();
    write(&folder.path().join("results.db"), &games);
    let told = stats(folder.path(), &["--by", "bot", "--chart", "places.svg"]);
    assert!(
        told.status.success() && !told.out.contains('\u{1b}') && !told.out.contains('\0'),
        "{told:?}"
    );
    let csv = stats(folder.path(), &["--by", "bot", "--csv"]).out;
    assert!(csv.contains("\n\"'=cmd|"), "{csv}");
    let chart = std::fs::read_to_string(folder.path().join("places.svg")).expect("it was drawn");
    assert!(
        chart.starts_with("<svg ")
            && !chart.contains("<script")
            && chart.contains("&lt;script&gt;"),
        "{chart}"
    );
    assert!(!chart.contains('\u{1b}') && !chart.contains('\0'));
}

#[test]
fn a_chart_has_the_places_in_their_colours_and_the_names_of_its_axes() {
    let folder = Folder::new();
    write(&folder.path().join("results.db"), &ladder(20));
    let told = stats(folder.path(), &["--chart", "places.svg"]);
    assert!(
        told.status.success() && told.out.contains("chart: places.svg"),
        "{told:?}"
    );
    let chart = std::fs::read_to_string(folder.path().join("places.svg")).expect("it was drawn");
    for colour in ["#0072b2", "#56b4e9", "#e69f00", "#d55e00"] {
        assert_eq!(
            chart
                .matches(&format!("height=\"16.0\" fill=\"{colour}\""))
                .count(),
            2,
            "{colour}: {chart}"
        );
    }
    assert!(
        chart.contains(">average place, 95 % interval")
            && chart.contains(">1st to last, % of games<"),
        "{chart}"
    );
}

#[test]
fn a_chart_has_an_axis_for_places_and_one_for_the_points_of_each_game_that_is_compared_by_points() {
    let folder = Folder::new();
    let mut games = ladder(20);
    // 2 points won or 4 lost, in turn.
    games.extend((60..84).map(|number| ResultRow {
        game: "doudizhu".to_owned(),
        players: 3,
        scores: if number % 2 == 0 {
            vec![200, -100, -100]
        } else {
            vec![-400, 200, 200]
        },
        ..game(number, "2.0.0", if number % 2 == 0 { 1 } else { 3 })
    }));
    // One game has no interval.
    games.extend([ResultRow {
        game: "chinese-standard".to_owned(),
        scores: vec![24, -8, -8, -8],
        ..game(90, "2.0.0", 1)
    }]);
    write(&folder.path().join("results.db"), &games);
    assert!(
        stats(folder.path(), &["--chart", "all.svg"])
            .status
            .success()
    );
    let chart = std::fs::read_to_string(folder.path().join("all.svg")).expect("it was drawn");
    let heading = |text: &str| {
        chart
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {chart}"))
    };
    let places = heading(">average place, 95 % interval");
    let standard = heading(">chinese-standard: points a game, 95 % interval (right is better)<");
    let cards = heading(">doudizhu: points a game, 95 % interval (right is better)<");
    assert!(places < standard && standard < cards, "{chart}");
    let ticks = |part: &str| -> Vec<f64> {
        part.lines()
            .filter(|line| line.contains("text-anchor=\"middle\"") && !line.contains("%"))
            .filter_map(|line| {
                line.strip_suffix("</text>")?
                    .rsplit('>')
                    .next()?
                    .parse()
                    .ok()
            })
            .collect()
    };
    let of_standard = ticks(&chart[standard..cards]);
    assert!(
        of_standard.contains(&24.0) && of_standard.iter().all(|tick| (23.0..=100.0).contains(tick)),
        "{chart}"
    );
    assert!(
        ticks(&chart[cards..]).contains(&-1.0),
        "the mean of 2 and -4: {chart}"
    );
}

#[test]
fn an_impossible_request_is_reported_with_advice() {
    let folder = Folder::new();
    let told = |more: &[&str]| {
        let told = stats(folder.path(), more);
        assert!(!told.status.success(), "{told:?}");
        told.err
    };
    assert!(told(&[]).contains("there are no results in results.db"));
    assert!(
        told(&["--chart", "a.png"])
            .contains("charts are drawn as SVG; name a file that ends in .svg")
    );
    assert!(told(&["--since", "tomorrow"]).contains("allowed are a day"));
    assert!(
        told(&["--results", "postgres://a:canary@host/db"])
            .contains("a password does not belong in an address")
    );
}
