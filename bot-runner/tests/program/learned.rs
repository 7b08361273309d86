//! The learned policies in whole games.

use std::path::PathBuf;

use learned::RiichiWeights as Weights;
use serde_json::Value;

use super::configs::Folder;
use super::tournament::tournament;

fn config(folder: &Folder, name: &str, policy: &str) -> PathBuf {
    folder.file(
        &format!("{name}.toml"),
        format!("name = \"{name}\"\n[policy]\n{policy}"),
    )
}

/// The places of six games against eight-step.
fn games(folder: &Folder, policy: &str) -> Value {
    let bots = [
        config(folder, "tora", policy),
        config(folder, "ladder", "id = \"eight-step\"\n"),
    ];
    let out = folder.path().join("results.json");
    let args = [
        "--games",
        "6",
        "--seed",
        "4",
        "--out",
        out.to_str().expect("a plain path"),
    ];
    tournament(&args, &bots).exited(0);
    let results: Value =
        serde_json::from_slice(&std::fs::read(&out).expect("it was written")).expect("JSON");
    std::fs::remove_file(out).expect("it is there");
    assert_eq!(
        (
            &results["entrants"][0]["illegal"],
            &results["entrants"][0]["first_fault"]
        ),
        (&0.into(), &Value::Null)
    );
    [&results["counted"], &results["played"]]
        .map(Clone::clone)
        .to_vec()
        .into()
}

#[test]
fn without_weights_it_plays_as_defensive_fold_and_with_its_own_it_does_not() {
    let folder = Folder::new();
    folder.file("none.txt", Weights::none(4).to_text());
    let teacher = games(&folder, "id = \"defensive-fold\"\n");
    assert_eq!(
        games(
            &folder,
            "id = \"learned\"\n[policy.params]\nweights = \"none.txt\"\n"
        ),
        teacher
    );
    assert_ne!(games(&folder, "id = \"learned\"\n"), teacher);
}

#[test]
fn weights_that_cannot_be_used_are_refused_with_file_and_reason() {
    let folder = Folder::new();
    let refused = |weights: &str| {
        folder.file("weights.txt", weights);
        let bot = config(
            &folder,
            "tora",
            "id = \"learned\"\n[policy.params]\nweights = \"weights.txt\"\n",
        );
        let finished = tournament(&["--games", "6"], &[bot.clone(), bot]);
        finished.exited(1);
        finished.err
    };
    let err = refused("12 13\n");
    assert!(
        err.contains("weights.txt") && err.contains("a file of weights begins with"),
        "{err}"
    );
    let err = refused(&Weights::none(3).to_text());
    assert!(err.contains("tables of 3 players"), "{err}");
}
