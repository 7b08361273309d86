//! A bot as a program under Botzone's own judge, and configs for Botzone.

use std::path::PathBuf;

use crate::configs::Folder;
use crate::program::Runner;

fn config(folder: &Folder, game: &str, policy: &str) -> PathBuf {
    let arena =
        format!("[arena]\nkind = \"botzone\"\ngame = {game:?}\nuser = \"0a1b\"\nsecret_env = \"NO_SUCH_SECRET\"");
    folder.file("panda.toml", format!("name = \"panda\"\n{arena}\n[policy]\nlibrary = \"builtin\"\nid = {policy:?}\n"))
}

/// What the program says to a turn of this game, by this policy.
fn answer(game: &str, policy: &str, more: &[&str], turn: &str) -> String {
    let folder = Folder::new();
    let config = config(&folder, game, policy);
    let arguments = ["botzone", config.to_str().expect("a path")].into_iter().chain(more.iter().copied());
    let finished = Runner::new(arguments).input(turn).run();
    finished.exited(0).to_owned()
}

const MAHJONG: (&str, &str) = ("chinese-standard", "cs-fan");
const DEAL: &str = "1 0 0 0 0 W1 W2 W3 W4 W5 W6 B1 B1 B2 B3 B4 T9 F1";
const KEEP: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

#[test]
fn a_turn_in_simple_io_is_answered_and_its_data_is_left_as_it_was() {
    let said =
        answer(MAHJONG.0, MAHJONG.1, &[], &format!("3\n0 0 1\nPASS\n{DEAL}\nPASS\n2 F2\nmy data\nfor all\nmatches\n"));
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("PLAY ") && !lines[1].is_empty(), "{said}");
    assert_eq!(lines[2..], ["my data", "for all", "matches"]);
}

#[test]
fn a_turn_in_json_is_answered_and_its_data_is_left_as_it_was() {
    let turn = format!(
        r#"{{"requests":["0 0 1","{DEAL}","2 F2"],"responses":["PASS","PASS"],"data":{{"my":[1]}},"globaldata":"all","time_limit":"1"}}"#
    );
    let said = answer(MAHJONG.0, MAHJONG.1, &[], &(turn + "\n"));
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert!(said["response"].as_str().is_some_and(|response| response.starts_with("PLAY ")), "{said}");
    assert_eq!((&said["data"]["my"][0], &said["globaldata"]), (&1.into(), &"all".into()));
    assert!(said["debug"].as_str().is_some_and(|why| !why.is_empty()), "{said}");
}

#[test]
fn a_program_that_is_kept_running_answers_turn_after_turn_in_either_form() {
    let said = answer(MAHJONG.0, MAHJONG.1, &["--keep-running"], &format!("1\n0 0 1\n\n\n{DEAL}\n2 F2\n3 0 PLAY F2\n"));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[2], lines[6]), (8, "PASS", "PASS", "PASS"));
    assert!(lines[4].starts_with("PLAY ") && lines.iter().skip(1).step_by(2).all(|&line| line == KEEP), "{said}");
    let turns = format!("{{\"requests\":[\"0 0 1\"],\"responses\":[]}}\n\"{DEAL}\"\n\"2 F2\"\n");
    let said = answer(MAHJONG.0, MAHJONG.1, &["--keep-running"], &turns);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1]), (6, "{\"response\":\"PASS\"}", KEEP));
    assert!(lines[4].starts_with("{\"response\":\"PLAY "), "{said}");
}

#[test]
fn whoever_leads_twice_in_a_row_as_a_program_plays_twice() {
    // Triples that are no run, so that it cannot be out after three plays.
    let own = "0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,42,48,52";
    let first = format!("{{\"own\":[{own}],\"history\":[[],[]],\"publiccard\":[0,1,2]}}");
    let lead = "{\"history\":[[],[]]}";
    let turns = format!("{{\"requests\":[{first}],\"responses\":[]}}\n{lead}\n{lead}\n");
    let said = answer("doudizhu", "doudizhu-split", &["--keep-running"], &turns);
    let played: Vec<&str> = said.lines().step_by(2).collect();
    assert_eq!(played.len(), 3, "{said}");
    assert!(played.iter().all(|line| line.starts_with("{\"response\":[") && *line != "{\"response\":[]}"), "{said}");
    let whole = format!("{{\"requests\":[{first},{lead},{lead}],\"responses\":[[0],[1]]}}\n");
    let said = answer("doudizhu", "doudizhu-split", &[], &whole);
    assert!(said.starts_with("{\"response\":[") && !said.starts_with("{\"response\":[]"), "{said}");
}

#[test]
fn a_config_that_says_nothing_of_botzone_or_has_a_policy_of_another_game_is_refused_in_words() {
    let folder = Folder::new();
    let refused = Runner::new(["botzone".into(), folder.bot("kuma")]).input("1\n2 F2\n").run();
    refused.exited(1);
    assert!(refused.all().contains("kind = \"botzone\""), "{}", refused.all());
    let other = config(&folder, "doudizhu", "cs-fan");
    let refused = Runner::new(["check".into(), other]).env("NO_SUCH_SECRET", "canary-1").run();
    refused.exited(1);
    let said = refused.all();
    assert!(said.contains("chinese-standard") && said.contains("doudizhu") && !said.contains("canary"), "{said}");
}

#[test]
fn a_secret_that_would_end_its_part_of_the_address_is_refused_and_not_shown() {
    let folder = Folder::new();
    let config = config(&folder, "chinese-standard", "cs-fan");
    for secret in ["canary/0123456789", "canary?0123456789", "canary#0123456789"] {
        let refused = Runner::new(["check".into(), config.clone()]).env("NO_SUCH_SECRET", secret).run();
        refused.exited(1);
        let said = refused.all();
        assert!(
            said.contains("arena.secret_env")
                && said.contains("cannot stand in an address")
                && !said.contains("canary"),
            "{said}"
        );
    }
}

#[test]
fn without_a_turn_there_is_nothing_to_answer_and_it_says_so() {
    let folder = Folder::new();
    let config = config(&folder, MAHJONG.0, MAHJONG.1);
    for more in [None, Some("--keep-running")] {
        let args = ["botzone", config.to_str().expect("a path")].into_iter().chain(more);
        let refused = Runner::new(args).input("").run();
        refused.exited(1);
        assert!(refused.err.contains("standard input ended before a turn was there"), "{}", refused.err);
    }
}
