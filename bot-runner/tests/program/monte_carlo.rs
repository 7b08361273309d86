//! `monte-carlo` in whole games.

use serde_json::Value;

use super::configs::Folder;
use super::tournament::tournament;

/// The results of a bot with these parameters and one of defensive-fold, of six games.
fn results(params: &str, think_ms: u32) -> Value {
    let folder = Folder::new();
    let config = |name: &str, id: &str, params: &str| {
        let text =
            format!("name = \"{name}\"\n[policy]\nid = \"{id}\"\nthink_ms = {think_ms}\n[policy.params]\n{params}\n");
        folder.file(&format!("{name}.toml"), text)
    };
    let bots = [config("kitsune", "monte-carlo", params), config("usagi", "defensive-fold", "")];
    let out = folder.path().join("results.json");
    let args = ["--games", "6", "--seed", "3", "--length", "east", "--out", out.to_str().expect("a plain path")];
    tournament(&args, &bots).exited(0);
    serde_json::from_str(&std::fs::read_to_string(&out).expect("it was written")).expect("JSON")
}

#[test]
fn the_same_number_of_simulations_plays_the_same_games_and_every_answer_is_legal() {
    let first = results("simulations = 20", 60_000);
    assert_eq!((&first["entrants"][0]["illegal"], &first["entrants"][0]["first_fault"]), (&0.into(), &Value::Null));
    let games = |results: &Value| [&results["counted"], &results["played"]].map(Clone::clone);
    assert_eq!(games(&first), games(&results("simulations = 20", 60_000)));
    assert_ne!(games(&first), games(&results("simulations = 0", 60_000)), "simulations change something");
}

#[test]
fn an_invalid_goal_is_refused_with_the_allowed_values() {
    let folder = Folder::new();
    let text = "name = \"kitsune\"\n[policy]\nid = \"monte-carlo\"\n[policy.params]\ngoal = \"win\"\n";
    let bot = folder.file("kitsune.toml", text);
    let finished = tournament(&["--games", "6"], &[bot.clone(), bot]);
    finished.exited(1);
    assert!(finished.err.contains("goal") && finished.err.contains("four numbers"), "{}", finished.err);
}
