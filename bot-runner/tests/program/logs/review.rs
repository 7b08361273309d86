//! `review`.

use std::fs;

use serde_json::Value;

use super::{games, policy, run};
use crate::configs::Folder;

fn reviewed(folder: &Folder, games: &std::path::Path, by: &str, more: &[&str]) -> Value {
    let config = policy(folder, by);
    let args: Vec<&str> = ["review", "--json"]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    let args: Vec<&str> = args.into_iter().chain(["--policy"]).collect();
    let finished = run(&args, &[&config, games]);
    serde_json::from_str(finished.exited(0).trim()).expect("it is JSON")
}

#[test]
fn a_review_of_a_policy_by_itself_has_no_loss_and_agrees_everywhere() {
    let folder = Folder::new();
    let config = policy(&folder, "defensive-fold");
    let games = folder.path().join("games");
    let bots = [&*config; 4];
    let mut paths = vec![&*games];
    paths.extend(bots);
    run(
        &["play", "--games=2", "--seed=5", "--length=east", "--record"],
        &paths,
    )
    .exited(0);
    let review = reviewed(&folder, &games, "defensive-fold", &[]);
    assert_eq!(review["games"], 2);
    let players = review["players"].as_array().expect("players");
    assert!(!players.is_empty());
    for player in players {
        assert!(player["decisions"].as_u64() > Some(50), "{player}");
        assert_eq!(player["agreed"], player["decisions"], "{player}");
        assert_eq!(player["loss"], 0.0, "{player}");
    }
    assert_eq!(review["costliest"].as_array().map(Vec::len), Some(0));
}

#[test]
fn the_costliest_decisions_come_first_and_the_csv_has_all() {
    let folder = Folder::new();
    let games = games(&folder, 3, &[]);
    let csv = folder.path().join("decisions.csv");
    let more = ["--csv", csv.to_str().expect("a path")];
    let review = reviewed(&folder, &games, "defensive-fold", &more);
    let costliest = review["costliest"].as_array().expect("decisions");
    assert_eq!(costliest.len(), 20);
    let losses: Vec<f64> = costliest
        .iter()
        .filter_map(|one| one["loss"].as_f64())
        .collect();
    assert!(
        losses.windows(2).all(|two| two[0] >= two[1]) && losses[0] > 0.0,
        "{losses:?}"
    );
    let decisions: u64 = review["players"]
        .as_array()
        .expect("players")
        .iter()
        .filter_map(|player| player["decisions"].as_u64())
        .sum();
    let text = fs::read_to_string(&csv).expect("it is written");
    assert_eq!(text.lines().count() as u64, decisions + 1);
    let of_kinds: u64 = review["players"][0]["kinds"]
        .as_array()
        .expect("kinds")
        .iter()
        .filter_map(|kind| kind["decisions"].as_u64())
        .sum();
    assert_eq!(Some(of_kinds), review["players"][0]["decisions"].as_u64());
    // Where `analyze` finds the first.
    let log = costliest[0]["log"].as_str().expect("a log");
    let at = format!(
        "--at={}.{}",
        costliest[0]["round"], costliest[0]["decision"]
    );
    let seat = format!("--seat={}", costliest[0]["seat"]);
    run(&["analyze", &at, &seat, log], &[]).exited(0);
}

#[test]
fn one_player_is_reviewed_alone() {
    let folder = Folder::new();
    let games = games(&folder, 1, &[]);
    let review = reviewed(&folder, &games, "defensive-fold", &["--player=2"]);
    assert_eq!(review["players"].as_array().map(Vec::len), Some(1));
    let config = policy(&folder, "defensive-fold");
    let none = run(
        &["review", "--player=stranger", "--policy"],
        &[&config, &games],
    );
    none.exited(1);
    assert!(
        none.err.contains("no game has a decision of this player"),
        "{}",
        none.err
    );
}

#[test]
fn all_games_are_reviewed() {
    for (game, by, kind) in [
        ("chinese-standard", "cs-eight-step", "discard"),
        ("doudizhu", "doudizhu-split", "lead"),
    ] {
        let folder = Folder::new();
        let games = folder.path().join("games");
        let game = format!("--game={game}");
        run(&["play", &game, "--seed=1", "--record"], &[&games]).exited(0);
        let review = reviewed(&folder, &games, by, &[]);
        let kinds = review["players"][0]["kinds"].to_string();
        assert!(kinds.contains(kind), "{review}");
    }
}

#[test]
fn three_and_four_players_are_reviewed_together_and_a_contradiction_is_left_out() {
    let folder = Folder::new();
    let four = games(&folder, 1, &[]);
    let more = Folder::new();
    let three = games(&more, 1, &["--players=3"]);
    let all = folder.path().join("all");
    fs::create_dir(&all).expect("it is made");
    let copy = |from: &std::path::Path, name: &str| {
        fs::copy(from.join("game-0001.jsonl"), all.join(name)).expect("it is copied");
    };
    copy(&four, "four.jsonl");
    copy(&three, "three.jsonl");
    let review = reviewed(&folder, &all, "defensive-fold", &[]);
    assert_eq!(review["games"], 2);
    let text = fs::read_to_string(all.join("four.jsonl")).expect("it is there");
    let wrong = text.replacen("\"honba\":0", "\"honba\":3", 1);
    fs::write(all.join("wrong.jsonl"), wrong).expect("it is written");
    let config = policy(&folder, "defensive-fold");
    let finished = run(&["review", "--json", "--policy"], &[&config, &all]);
    finished.exited(1);
    assert!(
        finished.err.contains("wrong.jsonl: contradiction at line "),
        "{}",
        finished.err
    );
    let review: Value = serde_json::from_str(finished.out.trim()).expect("it is JSON");
    assert_eq!(
        (&review["games"], &review["left_out"]),
        (&2.into(), &1.into())
    );
}
