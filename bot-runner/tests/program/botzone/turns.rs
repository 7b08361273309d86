//! A bot as a program under Botzone's own judge, and configs for Botzone.

use std::io::{BufRead, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::common::bidding_judge::BiddingJudge;
use crate::common::libraries::PROGRAM;
use crate::configs::Folder;
use crate::program::Runner;

fn config(folder: &Folder, game: &str, policy: &str) -> PathBuf {
    let arena = format!(
        "[arena]\nkind = \"botzone\"\ngame = {game:?}\nuser = \"0a1b\"\nsecret_env = \"NO_SUCH_SECRET\""
    );
    folder.file(
        "panda.toml",
        format!("name = \"panda\"\n{arena}\n[policy]\nlibrary = \"builtin\"\nid = {policy:?}\n"),
    )
}

fn answer(game: &str, policy: &str, more: &[&str], turn: &str) -> String {
    let folder = Folder::new();
    let config = config(&folder, game, policy);
    let arguments = ["botzone", config.to_str().expect("a path")]
        .into_iter()
        .chain(more.iter().copied());
    let finished = Runner::new(arguments).input(turn).run();
    finished.exited(0).to_owned()
}

const MAHJONG: (&str, &str) = ("chinese-standard", "cs-fan");
const DEAL: &str = "1 0 0 0 0 W1 W2 W3 W4 W5 W6 B1 B1 B2 B3 B4 T9 F1";
const KEEP: &str = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";

#[test]
fn a_turn_in_simple_io_is_answered_and_its_data_is_unchanged() {
    let said = answer(
        MAHJONG.0,
        MAHJONG.1,
        &[],
        &format!("3\n0 0 1\nPASS\n{DEAL}\nPASS\n2 F2\nmy data\nfor all\nmatches\n"),
    );
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("PLAY ") && !lines[1].is_empty(),
        "{said}"
    );
    assert_eq!(lines[2..], ["my data", "for all", "matches"]);
}

#[test]
fn a_turn_in_json_is_answered_and_its_data_is_unchanged() {
    let turn = format!(
        r#"{{"requests":["0 0 1","{DEAL}","2 F2"],"responses":["PASS","PASS"],"data":{{"my":[1]}},"globaldata":"all","time_limit":"1"}}"#
    );
    let said = answer(MAHJONG.0, MAHJONG.1, &[], &(turn + "\n"));
    let said: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert!(
        said["response"]
            .as_str()
            .is_some_and(|response| response.starts_with("PLAY ")),
        "{said}"
    );
    assert_eq!(
        (&said["data"]["my"][0], &said["globaldata"]),
        (&1.into(), &"all".into())
    );
    assert!(
        said["debug"].as_str().is_some_and(|why| !why.is_empty()),
        "{said}"
    );
}

#[test]
fn a_program_that_is_kept_running_answers_turn_after_turn_in_either_form() {
    let said = answer(
        MAHJONG.0,
        MAHJONG.1,
        &["--keep-running"],
        &format!("1\n0 0 1\n\n\n{DEAL}\n2 F2\n3 0 PLAY F2\n"),
    );
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        (lines.len(), lines[0], lines[2], lines[6]),
        (8, "PASS", "PASS", "PASS")
    );
    assert!(
        lines[4].starts_with("PLAY ") && lines.iter().skip(1).step_by(2).all(|&line| line == KEEP),
        "{said}"
    );
    let turns = format!("{{\"requests\":[\"0 0 1\"],\"responses\":[]}}\n\"{DEAL}\"\n\"2 F2\"\n");
    let said = answer(MAHJONG.0, MAHJONG.1, &["--keep-running"], &turns);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        (lines.len(), lines[0], lines[1]),
        (6, "{\"response\":\"PASS\"}", KEEP)
    );
    assert!(lines[4].starts_with("{\"response\":\"PLAY "), "{said}");
}

#[test]
fn a_program_that_leads_twice_in_a_row_plays_twice() {
    // Triples that are no run, so that it cannot be out after three plays.
    let own = "0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,42,48,52";
    let first = format!("{{\"own\":[{own}],\"history\":[[],[]],\"publiccard\":[0,1,2]}}");
    let lead = "{\"history\":[[],[]]}";
    let turns = format!("{{\"requests\":[{first}],\"responses\":[]}}\n{lead}\n{lead}\n");
    let said = answer("doudizhu", "doudizhu-split", &["--keep-running"], &turns);
    let played: Vec<&str> = said.lines().step_by(2).collect();
    assert_eq!(played.len(), 3, "{said}");
    assert!(
        played
            .iter()
            .all(|line| line.starts_with("{\"response\":[") && *line != "{\"response\":[]}"),
        "{said}"
    );
    let whole = format!("{{\"requests\":[{first},{lead},{lead}],\"responses\":[[0],[1]]}}\n");
    let said = answer("doudizhu", "doudizhu-split", &[], &whole);
    assert!(
        said.starts_with("{\"response\":[") && !said.starts_with("{\"response\":[]"),
        "{said}"
    );
}

/// A config with only the game and the policy.
fn program_config(folder: &Folder, game: &str, policy: &str) -> PathBuf {
    config_with(folder, game, policy, "")
}

/// A config for games with bidding, whose policy decides fast.
fn bidding_config(folder: &Folder, game: &str) -> PathBuf {
    config_with(
        folder,
        game,
        "doudizhu-split",
        "params = { playouts = 16 }\n",
    )
}

fn config_with(folder: &Folder, game: &str, policy: &str, more: &str) -> PathBuf {
    let text =
        format!("[arena]\nkind = \"botzone\"\ngame = {game:?}\n[policy]\nid = {policy:?}\n{more}");
    folder.file("tanuki.toml", text)
}

/// Plays a game with bidding, its own seat by the program, which is asked by `respond`, and the
/// others by the safe action.
fn play_with_bidding(seed: u64, own: usize, mut respond: impl FnMut(&str) -> String) {
    let mut judge = BiddingJudge::new(seed);
    while let Some((seat, request)) = judge.request() {
        if seat == own {
            judge.take(&respond(&request));
        } else {
            let safe =
                doudizhu::safe_action(&judge.game.legal_actions()).expect("there always is one");
            judge.game.act(safe).expect("it is legal");
        }
    }
    assert!(judge.game.scores().is_some());
}

#[test]
fn a_game_with_bidding_is_played_by_a_program_for_each_turn() {
    let folder = Folder::new();
    let config = bidding_config(&folder, "doudizhu-bidding");
    let (mut requests, mut responses) = (Vec::<Value>::new(), Vec::<Value>::new());
    play_with_bidding(3, 0, |request| {
        requests.push(serde_json::from_str(request).expect("JSON"));
        let turn = json!({"requests": requests, "responses": responses});
        let finished = Runner::new(["botzone".into(), config.clone()])
            .input(&format!("{turn}\n"))
            .run();
        let said: Value = serde_json::from_str(finished.exited(0)).expect("JSON");
        assert_eq!(finished.err, "", "nothing to complain of");
        responses.push(said["response"].clone());
        said["response"].to_string()
    });
    assert!(
        responses[0].is_number() && responses[1..].iter().all(Value::is_array),
        "{responses:?}"
    );
}

#[test]
fn games_with_bidding_are_played_by_a_program_that_is_kept_running() {
    let folder = Folder::new();
    let config = bidding_config(&folder, "FightTheLandlord2");
    for (seed, own) in [(4, 0), (5, 1), (6, 2)] {
        let mut program = Command::new(PROGRAM);
        program
            .arg("botzone")
            .arg(&config)
            .arg("--keep-running")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut program = program.spawn().expect("the program starts");
        let mut input = program.stdin.take().expect("it is piped");
        let mut lines = BufReader::new(program.stdout.take().expect("it is piped")).lines();
        let mut line = || lines.next().expect("an answer").expect("it can be read");
        let mut first = true;
        play_with_bidding(seed, own, |request| {
            let turn = if std::mem::take(&mut first) {
                format!("{{\"requests\":[{request}],\"responses\":[]}}")
            } else {
                request.to_owned()
            };
            writeln!(input, "{turn}").expect("it listens");
            let said: Value = serde_json::from_str(&line()).expect("JSON");
            assert_eq!(line(), KEEP);
            said["response"].to_string()
        });
        drop(input);
        assert!(program.wait().expect("it ends").success());
    }
}

#[test]
fn a_request_of_another_game_than_the_configs_is_an_error_with_the_remedy_and_an_answer_that_is_json()
 {
    let own = "0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41";
    let bid = format!("{{\"own\":[{own}],\"bid\":[]}}");
    let lead =
        format!("{{\"own\":[{own},44,48,49],\"history\":[[],[]],\"publiccard\":[44,48,49]}}");
    for (game, policy, request, response, remedy) in [
        (
            "chinese-standard",
            "cs-fan",
            "{\"history\":[[],[]]}",
            json!([]),
            "\"doudizhu\" or \"doudizhu-bidding\"",
        ),
        (
            "Chinese-Standard-Mahjong",
            "cs-fan",
            &lead,
            json!([]),
            "\"doudizhu\"",
        ),
        (
            "chinese-standard",
            "cs-fan",
            &bid,
            json!(0),
            "\"doudizhu-bidding\"",
        ),
        (
            "FightTheLandlord",
            "doudizhu-split",
            &bid,
            json!(0),
            "\"doudizhu-bidding\"",
        ),
        (
            "doudizhu-bidding",
            "doudizhu-split",
            &lead,
            json!([]),
            "\"doudizhu\"",
        ),
        (
            "doudizhu",
            "doudizhu-split",
            "\"0 0 0\"",
            json!("PASS"),
            "\"chinese-standard\"",
        ),
    ] {
        let folder = Folder::new();
        let config = program_config(&folder, game, policy);
        let turn = format!("{{\"requests\":[{request}],\"responses\":[]}}\n");
        let refused = Runner::new(["botzone".into(), config]).input(&turn).run();
        refused.exited(1);
        let said: Value = serde_json::from_str(&refused.out).expect(&refused.out);
        assert_eq!(said["response"], response, "{game}: {request}");
        assert!(
            refused.err.contains(&format!("set arena.game to {remedy}")),
            "{}",
            refused.err
        );
        assert_eq!(
            refused.err.matches("arena.game").count(),
            1,
            "it is said once: {}",
            refused.err
        );
    }
}

#[test]
fn a_request_that_cannot_be_read_is_answered_and_its_wrong_word_is_named_on_standard_error() {
    let no_tile = "1 0 0 0 0 W1 W2 W3 W4 W5 W6 B1 B1 B2 B3 B4 T9 X9";
    for (requests, response, words) in [
        (
            &["0 0 0", no_tile][..],
            "PASS",
            "`request, word 18` is \"X9\"; allowed is a tile",
        ),
        (
            &["0 0 0", no_tile, "2 F2"],
            "PLAY F2",
            "`request, word 18` is \"X9\"",
        ),
        (
            &["0 0 7"],
            "PASS",
            "`request, word 3` is \"7\"; allowed is a wind",
        ),
        (
            &["0 0 0", DEAL, "2 W99"],
            "PASS",
            "`request, word 2` is \"W99\"",
        ),
        (
            &["0 0 0", DEAL, "2 F2", "2 F2"],
            "PLAY F2",
            "the request \"2 F2\" does not fit: ",
        ),
        (&["2 F2"], "PLAY F2", "the match was joined in its middle"),
    ] {
        let folder = Folder::new();
        let config = program_config(&folder, MAHJONG.0, MAHJONG.1);
        let responses = vec!["PASS"; requests.len() - 1];
        let turn = json!({"requests": requests, "responses": responses});
        let finished = Runner::new(["botzone".into(), config])
            .input(&format!("{turn}\n"))
            .run();
        let said: Value = serde_json::from_str(finished.exited(0)).expect("JSON");
        assert_eq!(said["response"], response, "{requests:?}");
        assert!(
            finished.err.contains(words),
            "{requests:?}: {:?}",
            finished.err
        );
        assert_eq!(finished.err.lines().count(), 1, "{}", finished.err);
    }
}

#[test]
fn a_policy_that_is_not_there_is_reported_before_the_first_answer() {
    let folder = Folder::new();
    for (more, words) in [
        ("id = \"cs-fann\"", "policy.id: no policy \"cs-fann\""),
        (
            "id = \"cs-fan\"\nlibrary = \"no_such.so\"",
            "policy.library: ",
        ),
        (
            "id = \"cs-fan\"\n[policy.params]\nno_such = 1",
            "policy.params.no_such",
        ),
        ("id = \"doudizhu-split\"", "plays doudizhu"),
    ] {
        let text =
            format!("[arena]\nkind = \"botzone\"\ngame = \"chinese-standard\"\n[policy]\n{more}\n");
        let config = folder.file("tanuki.toml", text);
        let refused = Runner::new(["botzone".into(), config])
            .input("1\n0 0 0\n")
            .run();
        refused.exited(1);
        assert!(
            refused.out.is_empty() && refused.err.contains(words),
            "{}{}",
            refused.out,
            refused.err
        );
    }
}

#[test]
fn a_config_without_an_account_is_valid_for_a_program_and_run_names_the_missing_keys() {
    let folder = Folder::new();
    for game in ["chinese-standard", "Chinese-Standard-Mahjong"] {
        let config = program_config(&folder, game, "cs-fan");
        let checked = Runner::new(["check".into(), config.clone()]).run();
        let words = "tanuki decides by cs-fan ";
        assert!(checked.exited(0).contains(words), "{}", checked.out);
        let place = "plays Chinese-Standard-Mahjong as a program (`botzone`); `run` needs arena.user and arena.secret_env too";
        assert!(checked.out.contains(place), "{}", checked.out);
        let said = Runner::new(["botzone".into(), config.clone()])
            .input("1\n0 0 0\n")
            .run();
        assert_eq!(said.exited(0).lines().next(), Some("PASS"));
        let refused = Runner::new(["run".into(), config]).run();
        refused.exited(1);
        assert!(
            refused
                .err
                .contains("arena.user: the key is missing; `run` plays through an account"),
            "{}",
            refused.err
        );
    }
    // Of an account whose variable is not set, `check` says that `run` needs it.
    let config = config(&folder, "chinese-standard", "cs-fan");
    let checked = Runner::new(["check".into(), config.clone()]).run();
    let place = "`run` needs the variable of arena.secret_env, which is not set, too";
    assert!(checked.exited(0).contains(place), "{}", checked.out);
    let refused = Runner::new(["run".into(), config]).run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("arena.secret_env: the environment variable named here is not set"),
        "{}",
        refused.err
    );
    // Half an account is a mistake.
    let half = "[arena]\nkind = \"botzone\"\ngame = \"doudizhu\"\nuser = \"0a1b\"\n[policy]\nid = \"doudizhu-split\"\n";
    let checked = Runner::new(["check".into(), folder.file("half.toml", half)]).run();
    checked.exited(1);
    assert!(
        checked.out.contains("name: the key is missing")
            && checked.out.contains("arena.secret_env: "),
        "{}",
        checked.out
    );
}

#[test]
fn a_config_that_says_nothing_of_botzone_or_has_a_policy_of_another_game_is_refused_in_words() {
    let folder = Folder::new();
    let refused = Runner::new(["botzone".into(), folder.bot("kuma")])
        .input("1\n2 F2\n")
        .run();
    refused.exited(1);
    assert!(
        refused.all().contains("kind = \"botzone\""),
        "{}",
        refused.all()
    );
    let other = config(&folder, "doudizhu", "cs-fan");
    let refused = Runner::new(["check".into(), other])
        .env("NO_SUCH_SECRET", "canary-1")
        .run();
    refused.exited(1);
    let said = refused.all();
    assert!(
        said.contains("chinese-standard") && said.contains("doudizhu") && !said.contains("canary"),
        "{said}"
    );
}

#[test]
fn a_secret_that_would_end_its_part_of_the_address_is_refused_and_not_shown() {
    let folder = Folder::new();
    let config = config(&folder, "chinese-standard", "cs-fan");
    for secret in [
        "canary/0123456789",
        "canary?0123456789",
        "canary#0123456789",
    ] {
        let refused = Runner::new(["check".into(), config.clone()])
            .env("NO_SUCH_SECRET", secret)
            .run();
        refused.exited(1);
        let said = refused.all();
        assert!(
            said.contains("arena.secret_env")
                && said.contains("may not contain")
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
        let args = ["botzone", config.to_str().expect("a path")]
            .into_iter()
            .chain(more);
        let refused = Runner::new(args).input("").run();
        refused.exited(1);
        assert!(
            refused
                .err
                .contains("standard input ended before a turn came"),
            "{}",
            refused.err
        );
    }
}
