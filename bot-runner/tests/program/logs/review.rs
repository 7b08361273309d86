//! `review`.

use std::fs;
use std::path::{Path, PathBuf};

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
    for id in ["defensive-fold", "learned"] {
        let folder = Folder::new();
        let config = policy(&folder, id);
        let games = folder.path().join("games");
        let bots = [&*config; 4];
        let mut paths = vec![&*games];
        paths.extend(bots);
        run(
            &["play", "--games=2", "--seed=5", "--length=east", "--record"],
            &paths,
        )
        .exited(0);
        let review = reviewed(&folder, &games, id, &["--length=east"]);
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
fn each_game_has_a_page_with_the_loss_of_its_decisions_and_the_index_links_to_the_costliest() {
    let folder = Folder::new();
    let games = games(&folder, 2, &[]);
    let pages = folder.path().join("pages");
    let more = ["--pages", pages.to_str().expect("a path")];
    let review = reviewed(&folder, &games, "defensive-fold", &more);
    let address = review["costliest"][0]["page"].as_str().expect("a page");
    let (file, place) = address.split_once('#').expect("a place");
    assert!(place.starts_with("round="), "{place}");
    let page = fs::read_to_string(pages.join(file)).expect("it is written");
    assert!(page.contains("\"loss\":{"), "the decisions have losses");
    let why = review["costliest"][0]["why"].as_str().expect("sentences");
    assert!(
        why.contains(" is worth ") && why.contains(" places more than "),
        "{why}"
    );
    let index = fs::read_to_string(pages.join("index.html")).expect("it is written");
    assert!(
        index.contains(&address.replace('&', "&amp;")),
        "the index links to {address}"
    );
    for game in ["00001-game-0001.html", "00002-game-0002.html"] {
        assert!(index.contains(&format!("./{game}")) && pages.join(game).exists());
    }
}

#[test]
fn a_review_that_was_stopped_goes_on_and_ends_byte_for_byte_as_one_that_was_not() {
    let folder = Folder::new();
    let games = games(&folder, 6, &[]);
    let config = policy(&folder, "defensive-fold");
    let (state, csv, whole_csv) = (
        folder.path().join("state"),
        folder.path().join("resumed.csv"),
        folder.path().join("whole.csv"),
    );
    let read = |csv: &Path| fs::read_to_string(csv).expect("it is written");
    let review = |csv: &Path, more: &[&Path], logs: &[PathBuf]| {
        let args = ["review", "--json", "--policy"];
        let mut paths = vec![&*config, "--csv".as_ref(), csv];
        paths.extend(more);
        paths.extend(logs.iter().map(PathBuf::as_path));
        run(&args, &paths)
    };
    let logs: Vec<PathBuf> = (1..=6)
        .map(|number| games.join(format!("game-000{number}.jsonl")))
        .collect();
    let whole = review(&whole_csv, &[], &logs);
    let resumed = |logs: &[PathBuf]| review(&csv, &["--resume".as_ref(), &state], logs);
    // The logs of each run begin with those of the run before.
    let mut ended = String::new();
    for until in 1..=6 {
        ended = resumed(&logs[..until]).exited(0).to_owned();
        assert!(
            read(&whole_csv).starts_with(&read(&csv)),
            "after log {until}"
        );
    }
    assert_eq!(ended, whole.exited(0));
    assert_eq!(read(&csv), read(&whole_csv));
    let other = resumed(&logs[1..]);
    other.exited(1);
    assert!(
        other
            .err
            .contains("the logs are not those of the review to resume"),
        "{}",
        other.err
    );
}

#[test]
fn a_review_whose_time_is_over_says_what_it_left_out() {
    let folder = Folder::new();
    let games = games(&folder, 2, &[]);
    let config = policy(&folder, "greedy-tenpai");
    let args = ["review", "--limit=0s", "--policy"];
    let finished = run(&args, &[&config, &games]);
    finished.exited(1);
    assert!(
        finished.err.contains("no decision was reviewed"),
        "{}",
        finished.err
    );
    let args = ["review", "--json", "--limit=1h", "--policy"];
    let finished = run(&args, &[&config, &games]);
    let review: Value = serde_json::from_str(finished.exited(0).trim()).expect("it is JSON");
    assert_eq!(review["not_begun"], 0);
}

#[test]
fn the_loss_of_a_kind_is_shown_beside_that_of_the_baseline() {
    let folder = Folder::new();
    let games = games(&folder, 2, &[]);
    let own = folder.path().join("own");
    let config = policy(&folder, "defensive-fold");
    let mut paths = vec![&*own];
    paths.extend([&*config; 4]);
    run(
        &["play", "--games=2", "--seed=5", "--length=east", "--record"],
        &paths,
    )
    .exited(0);
    let more = ["--baseline", own.to_str().expect("a path"), "--player=0"];
    let review = reviewed(&folder, &games, "defensive-fold", &more);
    let kinds = review["players"][0]["kinds"].as_array().expect("kinds");
    let mut compared = 0;
    for kind in kinds.iter().filter(|kind| !kind["beside"].is_null()) {
        // The policy loses nothing in its own games.
        let (each, beside) = (&kind["loss_each"]["mean"], &kind["beside"]["mean"]);
        let away = each.as_f64().expect("a mean") - beside.as_f64().expect("a mean");
        assert!(away.abs() < 1e-9, "{kind}");
        compared += 1;
    }
    assert!(compared > 3, "{review}");
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

/// So many games of these policies, which are over after the East rounds.
fn games_of(
    folder: &Folder,
    (name, seed, count): (&str, u32, u32),
    policies: [&Path; 4],
) -> PathBuf {
    let games = folder.path().join(name);
    let (seed, count) = (format!("--seed={seed}"), format!("--games={count}"));
    let args = ["play", &count, &seed, "--length=east", "--record"];
    let paths: Vec<&Path> = std::iter::once(&*games).chain(policies).collect();
    run(&args, &paths).exited(0);
    games
}

/// The kinds of decision that a review by `learned` names as weaknesses of a player, beside the
/// baseline.
fn weaknesses(folder: &Folder, player: &str, [games, own]: [&Path; 2]) -> Vec<String> {
    let player = format!("--player={player}");
    let baseline = own.to_str().expect("a path");
    let more = ["--length=east", &player, "--baseline", baseline];
    let review = reviewed(folder, games, "learned", &more);
    let kinds = review["players"][0]["kinds"].as_array().expect("kinds");
    kinds
        .iter()
        .filter(|kind| kind["verdict"] == "weakness")
        .filter_map(|kind| kind["kind"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn a_review_names_the_calls_and_folds_of_a_policy_without_defence_as_weaknesses() {
    let folder = Folder::new();
    let (greedy, learned) = (policy(&folder, "greedy-tenpai"), policy(&folder, "learned"));
    let both = [&*greedy, &greedy, &learned, &learned];
    let games = games_of(&folder, ("games", 2, 24), both);
    let own = games_of(&folder, ("own", 3, 24), [&learned; 4]);
    let weak = weaknesses(&folder, "greedy-tenpai", [&games, &own]);
    for kind in ["call", "discard under threat", "push or fold"] {
        assert!(weak.iter().any(|weak| weak == kind), "{weak:?}");
    }
}

#[test]
fn a_review_of_random_discards_names_the_discards_and_shows_how_many_are_random() {
    let folder = Folder::new();
    let plain = policy(&folder, "eight-step");
    let text = "name = \"weak\"\n[policy]\nid = \"eight-step\"\nlibrary = \"builtin\"\n\
                [policy.params]\nhandicap = 0.3\n";
    let weak = folder.file("weak.toml", text);
    let games = games_of(&folder, ("games", 4, 12), [&weak, &plain, &plain, &plain]);
    let own = games_of(&folder, ("own", 5, 12), [&plain; 4]);
    let named = weaknesses(&folder, "weak", [&games, &own]);
    assert_eq!(named, ["discard in attack"]);
    let review = reviewed(&folder, &games, "eight-step", &["--player=weak"]);
    for kind in review["players"][0]["kinds"].as_array().expect("kinds") {
        let part = |key: &str| kind[key].as_f64().expect("a number");
        let agreed = part("agreed") / part("decisions");
        match kind["kind"].as_str() {
            // Some random discards are the policy's own.
            Some("discard in attack") => assert!((0.68..0.8).contains(&agreed), "{kind}"),
            Some("call" | "win") => assert!(agreed > 0.999, "{kind}"),
            _ => {}
        }
    }
}

#[test]
fn an_engine_reviews_without_values_on_several_threads() {
    let folder = Folder::new();
    let games = games(&folder, 2, &[]);
    let engine =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../policies/mjai-engine/tests/line_bot.py");
    let params = format!("command = 'python3 {}'", engine.display());
    let text = format!("name = \"e\"\n[policy]\nid = \"mjai-engine\"\n[policy.params]\n{params}\n");
    let config = folder.file("engine.toml", text);
    let finished = run(
        &["review", "--json", "--jobs=2", "--policy"],
        &[&config, &games],
    );
    let review: Value = serde_json::from_str(finished.exited(0).trim()).expect("it is JSON");
    let player = &review["players"][0];
    assert!(player["decisions"].as_u64() > Some(20), "{player}");
    assert!(player["loss_a_game"].is_null(), "{player}");
}

/// The review of a change from one policy to another.
fn changed(folder: &Folder, [old, new]: [&str; 2], more: &[&str], code: i32) -> Value {
    let games = folder.path().join("games");
    let args: Vec<&str> = ["review", "--json"]
        .into_iter()
        .chain(more.iter().copied())
        .collect();
    let (old, new) = (policy(folder, old), policy(folder, new));
    let args: Vec<&str> = args.into_iter().chain(["--old"]).collect();
    let finished = run(&args, &[&old, "--new".as_ref(), &new, &games]);
    serde_json::from_str(finished.exited(code).trim()).expect("it is JSON")
}

#[test]
fn a_new_version_that_decides_the_same_passes_and_one_that_changes_too_much_fails() {
    let folder = Folder::new();
    games(&folder, 2, &[]);
    let same = changed(
        &folder,
        ["greedy-tenpai"; 2],
        &["--max-change=0%", "--no-fault"],
        0,
    );
    assert_eq!(
        (&same["changed"], &same["passes"]),
        (&0.into(), &true.into())
    );
    assert!(same["decisions"].as_u64() > Some(100), "{same}");
    let both = ["greedy-tenpai", "defensive-fold"];
    let other = changed(&folder, both, &["--max-change=5%"], 1);
    assert!(other["changed"].as_u64() > Some(10), "{other}");
    let why = other["failures"][0].as_str().expect("a reason");
    assert!(
        why.contains("% of the decisions change, and 5 % may"),
        "{why}"
    );
    assert!(other["gain_by_new"]["mean"].as_f64() > Some(0.0), "{other}");
    changed(&folder, both, &["--max-change=100%"], 0);
    let last = changed(&folder, both, &["--last=1"], 0);
    assert_eq!(last["games"], 1);
}
