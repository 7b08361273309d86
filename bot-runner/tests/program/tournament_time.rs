//! `tournament --think-ms`: decisions whose time is kept.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::configs::{Folder, POLICY};
use super::tournament::tournament;
use crate::common::libraries::MISBEHAVE;

/// A bot that goes wrong so in these decisions of each game, and a sound one.
fn bots(folder: &Folder, params: &str) -> [PathBuf; 2] {
    let odd = format!(
        "name = \"odd\"\n[policy]\nlibrary = {:?}\n[policy.params]\n{params}\n",
        MISBEHAVE.display()
    );
    [
        folder.file("odd.toml", odd),
        folder.file("sound.toml", format!("name = \"sound\"\n{POLICY}")),
    ]
}

/// The results of the two, of East-only games.
fn results(params: &str, args: &[&str]) -> (Value, Value, String) {
    let folder = Folder::new();
    let out = folder.path().join("results.json");
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
    let finished = tournament(&all, &bots(&folder, params));
    finished.exited(0);
    let text = std::fs::read_to_string(&out).expect("it was written");
    let mut results: Value = serde_json::from_str(&text).expect("JSON");
    (
        results["entrants"][0].take(),
        results["entrants"][1].take(),
        finished.out,
    )
}

#[test]
fn a_decision_that_takes_longer_counts_as_late_and_no_other() {
    // In the sixth decision of each game it takes 50 ms more than it has.
    let (odd, sound, out) = results(
        "fault = \"late\"\nat = 5",
        &["--games", "6", "--think-ms", "150"],
    );
    assert_eq!(
        (&odd["late"], &odd["illegal"]),
        (&odd["seats"], &0.into()),
        "{odd}"
    );
    assert_eq!(
        (&sound["late"], &sound["first_fault"]),
        (&0.into(), &Value::Null),
        "{sound}"
    );
    assert!(
        out.contains("odd: 12 of ")
            && out.contains(" decisions were late")
            && out.contains("it did not answer within 150 ms"),
        "{out}"
    );
}

#[test]
fn a_policy_that_hangs_does_not_hang_the_tournament() {
    let begun = Instant::now();
    let (odd, sound, _) = results(
        "fault = \"hang\"\nat = 5",
        &["--games", "6", "--think-ms", "150", "--jobs", "1"],
    );
    assert_eq!(
        (&odd["late"], &sound["late"]),
        (&odd["seats"], &0.into()),
        "{odd} {sound}"
    );
    assert!(begun.elapsed() < Duration::from_secs(50));
}
