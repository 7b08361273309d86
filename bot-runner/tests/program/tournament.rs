//! `tournament`: which of several policies is better.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::configs::{Folder, POLICY};
use super::program::{Finished, Runner, cell, table};

pub(crate) fn tournament(args: &[&str], configs: &[PathBuf]) -> Finished {
    let configs = configs.iter().map(|path| path.display().to_string());
    let args = args.iter().map(|&arg| arg.to_owned());
    Runner::new(
        std::iter::once("tournament".to_owned())
            .chain(args)
            .chain(configs),
    )
    .run()
}

pub(crate) fn bots(folder: &Folder, calls: &[&str]) -> Vec<PathBuf> {
    let file = |(index, calls): (usize, &&str)| {
        let text = format!("name = \"bot{index}\"\n{POLICY}[policy.params]\ncalls = {calls:?}\n");
        folder.file(&format!("bot{index}.toml"), text)
    };
    calls.iter().enumerate().map(file).collect()
}

#[test]
fn the_results_are_a_table_and_json_and_the_same_on_any_number_of_threads() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let play = |jobs: &str| {
        let out = folder.path().join(format!("results-{jobs}.json"));
        let args = [
            "--games",
            "7",
            "--seed",
            "1",
            "--jobs",
            jobs,
            "--out",
            out.to_str().expect("a plain path"),
        ];
        let finished = tournament(&args, &bots);
        (
            finished.exited(0).to_owned(),
            fs::read_to_string(out).expect("it was written"),
            finished.err,
        )
    };
    let (out, json, err) = play("1");
    let (again, json_again, _) = play("2");
    assert_eq!((&out, &json), (&again, &json_again));

    assert!(
        out.contains("two against two: 12 hanchan on 2 walls in 6 seatings each, seed 1"),
        "{out}"
    );
    let mut rows = table(&out);
    let places: Vec<f64> = rows
        .iter()
        .map(|row| cell(row, "avg place").parse().expect("a number"))
        .collect();
    assert!(
        places.is_sorted() && (places.iter().sum::<f64>() - 5.0).abs() < 0.002,
        "the better one comes first: {out}"
    );
    rows.sort_by_key(|row| cell(row, "bot").to_owned());
    assert_eq!(
        rows.iter().map(|row| cell(row, "bot")).collect::<Vec<_>>(),
        ["bot0", "bot1"]
    );
    assert_eq!(cell(&rows[0], "call %"), "0.0");
    assert_ne!(cell(&rows[1], "call %"), "0.0");
    assert_eq!(cell(&rows[0], "illegal"), "0");

    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        (&json["games"], &json["walls"], &json["ended"]),
        (&12.into(), &2.into(), &"complete".into())
    );
    assert_eq!(json["entrants"][1]["name"], "bot1");
    let entrant = &json["entrants"][0];
    assert!(
        entrant["place"]["interval"].is_array() && entrant["place"]["standard_error"].is_number(),
        "{json}"
    );
    for key in [
        "points",
        "win_rate",
        "deal_in_rate",
        "riichi_rate",
        "call_rate",
        "average_win",
        "average_loss",
    ] {
        assert!(
            entrant[key].as_f64().is_some_and(f64::is_finite),
            "{key}: {entrant}"
        );
    }
    let shares: f64 = entrant["places"]
        .as_array()
        .expect("places")
        .iter()
        .filter_map(|share| share.as_f64())
        .sum();
    assert!((shares - 1.0).abs() < 1e-9, "{entrant}");
    assert_eq!(
        (&entrant["illegal"], &entrant["first_fault"]),
        (&0.into(), &serde_json::Value::Null)
    );

    for word in ["p50 us", "p99 us", "max us", "games/s", "threads: 1"] {
        assert!(
            err.contains(word) && !out.contains(word),
            "times are reported on standard error: {err}"
        );
    }
}

#[test]
fn a_policy_against_itself_takes_the_middle_place_without_an_interval() {
    let folder = Folder::new();
    let [bot] = &bots(&folder, &["never"])[..] else {
        panic!("one bot")
    };
    let out = tournament(
        &["--games", "12", "--seed", "1"],
        &[bot.clone(), bot.clone()],
    )
    .exited(0)
    .to_owned();
    assert!(
        out.contains("Both took the same places on every wall, which gives no interval."),
        "{out}"
    );
    for row in table(&out) {
        assert_eq!(
            [
                cell(&row, "avg place"),
                cell(&row, "std error"),
                cell(&row, "95 % interval")
            ],
            ["2.500", "-", "-"]
        );
    }
    assert!(
        !out.contains("(0.000 to") && out.contains("  0.000"),
        "the difference has no interval either: {out}"
    );
    for more in [&["--games", "6"][..], &["--games", "12", "--sprt", "0,10"]] {
        let out = tournament(more, &[bot.clone(), bot.clone()])
            .exited(0)
            .to_owned();
        let concluded = "bot0 and bot0-2 are copies of one config and play alike; more games cannot tell them apart.\n";
        assert!(out.ends_with(concluded), "{out}");
    }
}

#[test]
fn more_than_two_copies_of_a_config_play_alike_and_have_no_intervals() {
    let folder = Folder::new();
    let [bot] = &bots(&folder, &["never"])[..] else {
        panic!("one bot")
    };
    let copies: [PathBuf; 4] = std::array::from_fn(|_| bot.clone());
    let out = tournament(&["--games", "8", "--seed", "1"], &copies)
        .exited(0)
        .to_owned();
    let concluded = "Conclusion: these 4 are copies of one config and play alike; more games cannot tell them apart.\n";
    assert!(
        out.contains("All took the same places on every wall") && out.ends_with(concluded),
        "{out}"
    );
    assert!(
        !out.contains("1500 to") && !out.contains("2.500 to"),
        "{out}"
    );
}

#[test]
fn the_interval_of_a_place_has_only_possible_places_and_one_wall_has_none() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let out = tournament(&["--games", "12", "--seed", "5"], &bots)
        .exited(0)
        .to_owned();
    for row in table(&out) {
        let (low, high) = cell(&row, "95 % interval")
            .split_once(" to ")
            .expect("two walls have an interval");
        let [low, high] = [low, high].map(|end| end.parse::<f64>().expect("a place"));
        assert!(1.0 <= low && low <= high && high <= 4.0, "{out}");
    }
    assert!(!out.contains("inf"), "{out}");
    let out = tournament(&["--games", "6", "--seed", "5"], &bots)
        .exited(0)
        .to_owned();
    assert!(
        out.contains("One wall has no interval") && !out.contains("lies in"),
        "{out}"
    );
}

#[test]
fn until_clear_names_the_best_or_reports_that_it_is_not_clear() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "never"]);
    let args = ["--games", "6", "--seed", "1", "--until-clear"];
    let out = tournament(&args, &bots).exited(0).to_owned();
    assert!(
        out.contains("at most 6 hanchan") && out.contains("The test has not decided which is best"),
        "{out}"
    );
    assert!(
        out.contains("betting martingale, Ville's inequality on differences adjusted for luck; error rate 5 %"),
        "{out}"
    );
}

#[test]
fn two_configs_are_compared_in_elo_and_the_last_line_has_the_conclusion() {
    let folder = Folder::new();
    let out = folder.path().join("results.json");
    let args = [
        "--games",
        "120",
        "--seed",
        "1",
        "--length",
        "east",
        "--out",
        out.to_str().expect("a plain path"),
    ];
    let finished = tournament(&args, &bots(&folder, &["yaku", "never"]));
    let said = finished.exited(0);
    let results: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&out).expect("it was written")).expect("JSON");
    let pair = &results["pairs"][0];
    let (elo, ahead) = (
        pair["elo"]["difference"].as_f64().expect("a number"),
        pair["ahead"].as_f64().expect("a share"),
    );
    // No two seats take the same place, so that the score is the share of those placed better.
    assert!(
        (elo - 400.0 * (ahead / (1.0 - ahead)).log10()).abs() < 1e-9,
        "{pair}"
    );
    let [low, high] = [0, 1].map(|end| pair["elo"]["interval"][end].as_f64().expect("an interval"));
    assert!(low < elo && elo < high, "{pair}");
    assert!(
        said.contains("  Elo\n") && said.contains(&format!("{elo:+.1} ({low:+.1} to {high:+.1})")),
        "{said}"
    );
    let last = said.lines().last().expect("a line");
    assert!(
        last.starts_with("Conclusion: ") && last.ends_with('.'),
        "{last}"
    );
}

#[test]
fn a_test_between_two_elo_ends_early_resumes_after_a_cut_and_is_refused_if_meaningless() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "never"]);
    let random =
        "[policy]\nlibrary = \"builtin\"\nid = \"eight-step\"\n[policy.params]\nhandicap = 1.0\n";
    let weak = folder.file("weak.toml", format!("name = \"weak\"\n{random}"));
    let pair = [bots[0].clone(), weak.clone()];
    let out = folder.path().join("results.json");
    let args = [
        "--games", "6000", "--seed", "1", "--length", "east", "--sprt", "0,200",
    ];
    let with_file = [&args[..], &["--out", out.to_str().expect("a plain path")]].concat();
    let said = tournament(&with_file, &pair).exited(0).to_owned();
    assert!(
        said.contains("at most 6000 East-only games")
            && said.contains("; until Elo 0 or +200 is shown"),
        "{said}"
    );
    let whole = fs::read_to_string(&out).expect("it was written");
    let mut results: serde_json::Value = serde_json::from_str(&whole).expect("JSON");
    let test = &results["sprt"];
    let ratio = test["log_likelihood_ratio"].as_f64().expect("a number");
    assert_eq!(
        (&results["ended"], &test["accepted"], &test["error_rate"]),
        (&"clear".into(), &200.0.into(), &0.05.into())
    );
    assert!(
        ratio >= 2.944
            && said.contains(&format!(
                "log-likelihood ratio {ratio:+.2}, bounds -2.94 and +2.94"
            )),
        "{said}"
    );
    assert!(
        said.ends_with("Conclusion: bot0 is stronger than weak; take bot0.\n"),
        "{said}"
    );
    let walls = results["walls"].as_u64().expect("a number");
    assert!((3..900).contains(&walls), "{walls}");
    // The other way round it is the lower one.
    let other = tournament(&args, &[weak, bots[0].clone()])
        .exited(0)
        .to_owned();
    assert!(
        other.ends_with("Conclusion: weak is not stronger than bot0 by 200 Elo; keep bot0.\n"),
        "{other}"
    );
    // As a process that was killed leaves it.
    results["played"].as_array_mut().expect("walls").truncate(2);
    results.as_object_mut().expect("an object").remove("sha256");
    fs::write(&out, results.to_string()).expect("it is ours");
    let again = tournament(&with_file, &pair);
    again.exited(0);
    assert!(
        again.err.contains("already holds 2 of 1000 walls"),
        "{}",
        again.err
    );
    assert_eq!(fs::read_to_string(&out).expect("it was written"), whole);
    for (more, code, said) in [
        (&["--sprt", "10,0"][..], 2, "the lower one first"),
        (&["--sprt", "ten"], 2, "a number is needed"),
        (
            &["--sprt", "0,10", "--until-clear"],
            2,
            "cannot be used with",
        ),
        (
            &["--sprt", "0,10", "--shard", "0/2", "--out", "x.json"],
            2,
            "cannot be used with",
        ),
    ] {
        let refused = tournament(&[&["--games", "6"], more].concat(), &bots);
        refused.exited(code);
        assert!(refused.err.contains(said), "{more:?}: {}", refused.err);
    }
    let three = tournament(
        &["--games", "6", "--sprt", "0,10"],
        &[&bots[..], &bots[..1]].concat(),
    );
    three.exited(1);
    assert!(
        three
            .err
            .contains("--sprt compares two configs, and 3 are given"),
        "{}",
        three.err
    );
}

#[test]
fn one_config_is_refused_with_advice() {
    let folder = Folder::new();
    let finished = tournament(&["--games", "6"], &bots(&folder, &["never"]));
    finished.exited(1);
    assert!(
        finished.err.contains("nothing to compare") && finished.out.is_empty(),
        "{finished:?}"
    );
}

#[test]
fn mistakes_in_configs_are_reported_before_anything_is_played() {
    let folder = Folder::new();
    let mut bots = bots(&folder, &["never"]);
    bots.push(folder.file(
        "odd.toml",
        format!("name = \"odd\"\n{POLICY}[policy.params]\ncalls = \"often\"\n"),
    ));
    let finished = tournament(&["--games", "6"], &bots);
    finished.exited(1);
    assert!(
        finished.err.contains("odd.toml") && finished.err.contains("policy.params.calls"),
        "{}",
        finished.err
    );
}

#[test]
fn ctrl_c_shows_the_walls_played_so_far() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    // Until a wall was played when it came: how long that takes depends on the machine.
    for seconds in [1, 4, 16, 40] {
        let args = [
            "tournament",
            "--games",
            "600000",
            "--seed",
            "1",
            "--jobs",
            "1",
        ]
        .map(str::to_owned);
        let mut running = Runner::new(
            args.into_iter()
                .chain(bots.iter().map(|bot| bot.display().to_string())),
        )
        .start();
        running.line_with("two against two");
        std::thread::sleep(Duration::from_secs(seconds));
        running.interrupt();
        let finished = running.finish();
        if finished.err.contains("stopped before the first wall") {
            finished.exited(1);
            continue;
        }
        let out = finished.exited(0);
        assert!(out.contains("Stopped early"), "{out}");
        assert_eq!(table(out).len(), 2);
        return;
    }
    panic!("no wall was played");
}
