//! What `tournament` concludes: no more than the walls show.

use std::path::PathBuf;

use serde_json::Value;

use super::configs::{Folder, POLICY};
use super::program::{Finished, cell, table};
use super::tournament::tournament;
use crate::common::libraries::MISBEHAVE;

fn bot(folder: &Folder, name: &str, policy: &str, params: &str) -> PathBuf {
    let text = format!(
        "name = {name:?}\n[policy]\nid = {policy:?}\nlibrary = \"builtin\"\n[policy.params]\n{params}\n"
    );
    folder.file(&format!("{name}.toml"), text)
}

/// The results file of a tournament, and its output.
fn results(folder: &Folder, args: &[&str], bots: &[PathBuf]) -> (Value, Finished) {
    let out = folder.path().join("results.json");
    let _ = std::fs::remove_file(&out);
    let finished = tournament(
        &[args, &["--out", out.to_str().expect("a plain path")]].concat(),
        bots,
    );
    finished.exited(0);
    let text = std::fs::read_to_string(&out).expect("it was written");
    (serde_json::from_str(&text).expect("JSON"), finished)
}

fn last(finished: &Finished) -> &str {
    finished.out.trim_end().lines().last().expect("a line")
}

#[test]
fn two_walls_that_ended_alike_show_neither_a_better_config_nor_that_they_play_alike() {
    let folder = Folder::new();
    let two = [
        bot(&folder, "greedy", "greedy-tenpai", ""),
        bot(&folder, "weighted", "weighted-shape", ""),
    ];
    for seed in ["13", "19", "48"] {
        let finished = tournament(&["--games", "12", "--seed", seed], &two);
        finished.exited(0);
        let said = "Conclusion: it is not shown which of greedy and weighted is better; about ";
        assert!(last(&finished).starts_with(said), "{}", finished.out);
    }
    // The third parameter matters in hardly any decision.
    let [one, other] = ["0.3", "0.3001"].map(|gap| {
        bot(
            &folder,
            &format!("gap{gap}"),
            "weighted-shape",
            &format!("gap = {gap}"),
        )
    });
    let finished = tournament(
        &["--games", "12", "--seed", "1", "--length", "east"],
        &[one, other],
    );
    finished.exited(0);
    let said = "is better: they took the same places on these 2 walls; play more games.";
    assert!(last(&finished).ends_with(said), "{}", finished.out);
    assert!(!finished.out.contains("alike"), "{}", finished.out);
}

#[test]
fn a_gauntlet_is_judged_pair_by_pair() {
    let folder = Folder::new();
    let new = bot(&folder, "new", "weighted-shape", "");
    let others = [
        bot(&folder, "strong", "defensive-fold", ""),
        bot(&folder, "weak", "eight-step", "handicap = 1.0"),
        bot(&folder, "weaker", "eight-step", "handicap = 0.98"),
    ];
    let args = [
        "--games",
        "540",
        "--seed",
        "3",
        "--length",
        "east",
        "--gauntlet",
        new.to_str().expect("a plain path"),
    ];
    let (results, finished) = results(&folder, &args, &others);
    assert_eq!(
        last(&finished),
        "Conclusion: new is worse than strong; new is better than weak and weaker.",
        "{}",
        finished.out
    );
    let verdicts: Vec<&str> = results["pairs"]
        .as_array()
        .expect("pairs")
        .iter()
        .filter_map(|pair| pair["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, ["worse", "better", "better"]);
    assert!(
        finished
            .out
            .contains("in which of the 3 pairs is judged together (Holm)"),
        "{}",
        finished.out
    );
    // Its lead cannot become clear, but the rest can, and then the tournament ends.
    let args = [&args[..], &["--until-clear"]].concat();
    let finished = tournament(&args, &others);
    finished.exited(0);
    assert!(
        finished
            .out
            .contains("It is clear for each pair which is better"),
        "{}",
        finished.out
    );
    assert!(
        last(&finished).starts_with("Conclusion: new is worse than strong; new is better than "),
        "{}",
        finished.out
    );
}

#[test]
fn an_interval_without_a_limit_has_its_sign_and_is_null_in_the_file() {
    let folder = Folder::new();
    let weak = bot(&folder, "weak", "eight-step", "handicap = 1.0");
    let strong = bot(&folder, "strong", "defensive-fold", "");
    for (bots, end, shown) in [
        ([&weak, &strong], 0, "(-inf to "),
        ([&strong, &weak], 1, " to +inf)"),
    ] {
        let bots = bots.map(Clone::clone);
        let (results, finished) = results(
            &folder,
            &["--games", "24", "--seed", "1", "--length", "east"],
            &bots,
        );
        assert!(finished.out.contains(shown), "{}", finished.out);
        let interval = &results["pairs"][0]["elo"]["interval"];
        assert!(
            interval[end].is_null() && interval[1 - end].is_f64(),
            "{interval}"
        );
    }
}

#[test]
fn equal_scores_count_half_in_the_share_of_scores_and_in_elo() {
    let folder = Folder::new();
    let two = [
        bot(&folder, "fan", "cs-fan", "beyond = 0"),
        bot(&folder, "steps", "cs-eight-step", ""),
    ];
    let args = ["--game", "chinese-standard", "--games", "60", "--seed", "1"];
    let (results, finished) = results(&folder, &args, &two);
    let pair = &results["pairs"][0];
    let share = pair["ahead"].as_f64().expect("a share");
    let elo = pair["elo"]["difference"].as_f64().expect("a number");
    assert!(
        (elo - 400.0 * (share / (1.0 - share)).log10()).abs() < 1e-9,
        "{pair}"
    );
    assert!(
        finished.out.contains(&format!(" {:.1} ", share * 100.0)),
        "{}",
        finished.out
    );
}

#[test]
fn a_policy_that_fails_is_reported_apart_from_an_illegal_one_and_in_the_conclusion() {
    let folder = Folder::new();
    let odd = |fault: &str| {
        let library = MISBEHAVE.display();
        let params = format!("fault = {fault:?}\nfrom = 4");
        let text = format!(
            "name = \"odd\"\n[policy]\nlibrary = \"{library}\"\n[policy.params]\n{params}\n"
        );
        folder.file(&format!("{fault}.toml"), text)
    };
    let sound = folder.file("sound.toml", format!("name = \"sound\"\n{POLICY}"));
    for (fault, key, words) in [
        ("fail", "failed", "failed"),
        ("out-of-range", "illegal", "were not legal"),
    ] {
        let args = ["--games", "12", "--seed", "1", "--length", "east"];
        let (results, finished) = results(&folder, &args, &[odd(fault), sound.clone()]);
        let entrant = &results["entrants"][0];
        let (count, decisions) = (
            entrant[key].as_u64().expect("a count"),
            entrant["decisions"].as_u64(),
        );
        assert!(count > 100 && Some(count) < decisions, "{entrant}");
        let other = if key == "failed" { "illegal" } else { "failed" };
        assert_eq!(entrant[other], 0, "{entrant}");
        let share = 100.0 * count as f64 / decisions.expect("a count") as f64;
        let said = format!(
            "Conclusion: {share:.1} % of the decisions of odd {words}, and the safe answer was played: "
        );
        assert!(last(&finished).starts_with(&said), "{}", finished.out);
        assert!(!last(&finished).contains("take"), "{}", finished.out);
        assert!(
            finished.out.contains(&format!(
                "{words}; the safe answer was played; the first: it "
            )),
            "{}",
            finished.out
        );
        assert!(
            finished.out.contains(&format!("\nodd: {count} of ")),
            "{}",
            finished.out
        );
        let row = table(&finished.out)
            .into_iter()
            .find(|row| cell(row, "bot") == "odd")
            .expect("a row");
        assert_eq!(cell(&row, key), count.to_string());
    }
}
