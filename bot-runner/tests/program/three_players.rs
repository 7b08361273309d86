//! Games of three: played, recorded, replayed, validated; and the message to a policy that cannot
//! play them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::common::libraries::numbered;
use super::configs::{Folder, POLICY, arena};
use super::program::{Finished, Runner, Running, cell, table};

const URL: &str = "wss://game.riichi.dev";

fn check(folder: &Folder, section: &str, policy: &str) -> Finished {
    let text = format!(
        "name = \"kuma\"\n{}{section}{policy}",
        arena(URL, "KUMA_TOKEN")
    );
    let config = folder.file("kuma.toml", text);
    Runner::new([Path::new("check"), &config])
        .env("KUMA_TOKEN", "canary")
        .run()
}

/// A policy that plays with four players only.
const FOUR_ONLY: &str = "\n[policy]\nlibrary = \"libnumbered.so\"\n";

#[test]
fn three_bots_play_a_game_whose_record_replays_from_all_their_seats() {
    let folder = Folder::new();
    let records = folder.path().join("records");
    let policies = [
        "greedy-tenpai",
        "defensive-fold",
        "weighted-shape",
        "eight-step",
    ];
    let bots: Vec<PathBuf> = policies
        .iter()
        .map(|id| {
            let text = format!("name = {id:?}\n[policy]\nlibrary = \"builtin\"\nid = {id:?}\n");
            folder.file(&format!("{id}.toml"), text)
        })
        .collect();
    for absent in 0..policies.len() {
        let args = ["play", "--players=3", "--seed=3", "--record"].map(PathBuf::from);
        let seated = bots
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != absent)
            .map(|(_, bot)| bot);
        let finished = Runner::new(args.iter().chain([&records]).chain(seated)).run();
        let rows = table(finished.exited(0));
        assert_eq!(
            rows.iter()
                .map(|row| cell(row, "place"))
                .collect::<Vec<_>>(),
            ["1", "2", "3"]
        );
        let scores = rows.iter().map(|row| {
            cell(row, "score")
                .replace(',', "")
                .parse::<i32>()
                .expect("a score")
        });
        assert_eq!(scores.sum::<i32>(), 105_000);
        assert!(
            !finished.all().contains("desync") && !finished.all().contains("safe answer"),
            "{}",
            finished.all()
        );

        let record = finished
            .out
            .lines()
            .find_map(|line| line.strip_prefix("record: "))
            .expect("it is named");
        let out = Runner::new(["replay", record]).run().exited(0).to_owned();
        assert!(
            out.contains("no contradiction in ") && out.contains("seen from all seats"),
            "{out}"
        );
        let refused = Runner::new(["replay", record, "--seat", "3"]).run();
        refused.exited(1);
        assert!(
            refused
                .err
                .contains("a game of 3 players has no seat 3; allowed: 0 to 2"),
            "{}",
            refused.err
        );
        let asked = Path::new(record);
        let asked = [
            Path::new("replay"),
            asked,
            Path::new("--seat=2"),
            Path::new("--policy"),
            &bots[absent],
        ];
        let out = Runner::new(asked).run().exited(0).to_owned();
        assert!(out.contains("agreed"), "{out}");
    }
}

#[test]
fn a_record_of_three_in_four_slots_replays_and_is_shown_as_one_of_three() {
    let folder = Folder::new();
    let records = folder.path().join("records");
    let played = ["play", "--players=3", "--seed=4", "--record"].map(PathBuf::from);
    Runner::new(played.iter().chain([&records])).run().exited(0);
    let text = std::fs::read_to_string(records.join("game-0001.jsonl")).expect("it was written");
    // As Mortal3p writes it: the fourth slot has 0 points, and a hand that is hidden or empty.
    for hand in [json!(vec!["?"; 13]), json!([])] {
        let four_slots = text.lines().map(|line| {
            let mut event: Value = serde_json::from_str(line).expect("JSON");
            for field in ["deltas", "scores"] {
                if let Some(points) = event[field].as_array_mut() {
                    points.push(json!(0));
                }
            }
            if let Some(hands) = event["tehais"].as_array_mut() {
                hands.push(hand.clone());
            }
            if event["type"] == "kita" {
                event["type"] = json!("nukidora");
            }
            event.to_string() + "\n"
        });
        let lines: String = four_slots.collect();
        assert!(lines.contains("nukidora"));
        let record = folder.file("four.jsonl", lines);
        let out = Runner::new([Path::new("replay"), &record])
            .run()
            .exited(0)
            .to_owned();
        assert!(
            out.contains("no contradiction in ") && out.contains("seen from all seats"),
            "{out}"
        );
        let refused = Runner::new([Path::new("replay"), &record, Path::new("--seat=3")]).run();
        refused.exited(1);
        assert!(
            refused.err.contains("a game of 3 players has no seat 3"),
            "{}",
            refused.err
        );
        let page = folder.path().join("page.html");
        let viewed = Runner::new([Path::new("view"), &record, Path::new("--out"), &page]).run();
        viewed.exited(0);
        assert!(
            !viewed.err.contains("cannot have happened"),
            "{}",
            viewed.err
        );
        let exported = ["records", "export", "--format=tenhou"].map(PathBuf::from);
        let game = Runner::new(exported.iter().chain([&record]))
            .run()
            .exited(0)
            .to_owned();
        assert!(game.contains("三"), "{game}");
    }
}

#[test]
fn without_configs_three_demo_bots_play() {
    let finished = Runner::new(["play", "--players", "3", "--seed", "2"]).run();
    assert_eq!(table(finished.exited(0)).len(), 3);
}

#[test]
fn four_configs_are_too_many_for_a_table_of_three() {
    let folder = Folder::new();
    let kuma = folder.bot("kuma");
    let finished = Runner::new(
        ["play", "--players", "3"]
            .map(Path::new)
            .iter()
            .chain(&[kuma.as_path(); 4]),
    )
    .run();
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("a table seats 3 bots, and 4 configs are given"),
        "{}",
        finished.err
    );
}

#[test]
fn a_bot_for_three_whose_policy_plays_with_them_is_described() {
    let finished = check(&Folder::new(), "players = 3\n", POLICY);
    assert!(
        finished
            .exited(0)
            .contains("plays with three at wss://game.riichi.dev"),
        "{}",
        finished.out
    );
}

#[test]
fn a_policy_that_does_not_play_with_three_is_refused_before_any_game() {
    let folder = Folder::new();
    folder.file("libnumbered.so", numbered(0));
    let out = check(&folder, "players = 3\n", FOUR_ONLY)
        .exited(1)
        .to_owned();
    let expected = "the policy numbered plays with four players, and 3 play at this bot's tables; take another";
    assert!(
        out.contains(expected) && out.contains("`players` in [arena]"),
        "{out}"
    );
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{FOUR_ONLY}"));
    let played = Runner::new([Path::new("play"), Path::new("--players=3"), &config]).run();
    played.exited(1);
    assert!(
        played.err.contains("3 play at this bot's tables"),
        "{}",
        played.err
    );
}

#[test]
fn another_number_of_players_is_no_number_of_players() {
    for found in ["5", "\"3\"", "3.0"] {
        let out = check(&Folder::new(), &format!("players = {found}\n"), POLICY)
            .exited(1)
            .to_owned();
        assert!(
            out.contains(&format!(
                "arena.players: found {found}, allowed are 3 and 4"
            )),
            "{out}"
        );
    }
}

/// An arena with tables of this size that fills them at once, and a config for another size.
fn at_a_table_of(players: u8, folder: &Folder) -> (Running, PathBuf) {
    let args = [
        "arena",
        "--length=east",
        "--fill-after=0",
        "--players",
        &players.to_string(),
    ];
    let mut running = Runner::new(args).start();
    let url = running
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    let other = if players == 3 { "" } else { "players = 3\n" };
    let kept = "[records]\n[results]\ndatabase = \"sqlite:results.db\"\n";
    let text = format!(
        "name = \"kuma\"\n{}{other}{POLICY}{kept}",
        arena(&url, "KUMA_TOKEN")
    );
    (running, folder.file("kuma.toml", text))
}

#[test]
fn a_table_of_another_size_is_reported_with_the_remedy_and_nothing_of_it_counts() {
    for (players, sentence) in [
        (
            3,
            "this table has three players, and the bot is set to play with four; set `players = 3` in [arena]",
        ),
        (
            4,
            "this table has four players, and the bot is set to play with three; set `players = 4` in [arena]",
        ),
    ] {
        let folder = Folder::new();
        let (_arena, config) = at_a_table_of(players, &folder);
        let runner = |args: &[&Path]| {
            Runner::new(args.iter().copied())
                .env("KUMA_TOKEN", "t")
                .in_folder(folder.path())
        };
        let validated = runner(&[Path::new("validate"), &config]).run();
        assert_eq!(
            validated.exited(3).matches(sentence).count(),
            1,
            "{validated:?}"
        );
        assert!(!validated.all().contains("desync"), "{}", validated.all());

        let played = runner(&[Path::new("run"), Path::new("--games=1"), &config]).run();
        let out = played.exited(1);
        // When it happens, and at the end.
        assert_eq!(out.matches(sentence).count(), 2, "{out}");
        assert!(
            !out.contains("game over") && out.contains("results of 0 games"),
            "{out}"
        );
        let [row] = &table(out)[..] else {
            panic!("{out}")
        };
        for (column, value) in [
            ("games", "0"),
            ("avg place", "-"),
            ("accepted", "0"),
            ("safe", "0"),
            ("desyncs", "0"),
        ] {
            assert_eq!(cell(row, column), value, "{column} in {out}");
        }
        assert!(out.contains("records of 0 whole games"), "{out}");
        assert!(
            !folder.path().join("results.db").exists(),
            "no row was ever written"
        );
    }
}

#[test]
fn a_host_that_deals_to_three_is_answered_in_three_slots_and_in_four() {
    let folder = Folder::new();
    let config = folder.bot("kuma");
    let hidden = ["?"; 13];
    let own = [
        "1m", "9m", "4p", "4p", "8p", "1s", "3s", "5s", "6s", "6s", "7s", "F", "C",
    ];
    let deal = json!({
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 1, "dora_marker": "2p",
        "scores": [35000, 35000, 35000], "tehais": [hidden, own, hidden],
    });
    let mut in_four = deal.clone();
    in_four["scores"] = json!([35000, 35000, 35000, 0]);
    in_four["tehais"] = json!([hidden, own, hidden, hidden]);
    let draw = json!({"type": "tsumo", "actor": 1, "pai": "9m"});
    for deal in [deal, in_four] {
        for input in [format!("{deal}\n{draw}\n"), format!("[{deal},{draw}]\n")] {
            let args = [Path::new("stdio"), &config, Path::new("--seat=1")];
            let ended = Runner::new(args).input(&input).run();
            let answer: Value = serde_json::from_str(ended.exited(0)).expect("one answer");
            assert_eq!(
                (&answer["type"], &answer["actor"]),
                (&json!("dahai"), &json!(1)),
                "{input}"
            );
            assert_eq!(ended.err, "");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_for_three_is_validated_and_plays_ranked_games() {
    let mut arena = ::arena::start(::arena::ArenaSettings {
        players: 3,
        length: riichi::rules::Length::East,
        ..::arena::ArenaSettings::default()
    })
    .await
    .expect("loopback has a free port");
    let folder = Folder::new();
    let bots = ["kuma", "neko", "risu"].map(|name| {
        let variable = format!("{}_TOKEN", name.to_uppercase());
        let text = format!(
            "name = {name:?}\n{}players = 3\n{POLICY}",
            self::arena(&arena.url(), &variable)
        );
        folder.file(&format!("{name}.toml"), text)
    });
    let with_tokens = |runner: Runner| {
        ["KUMA", "NEKO", "RISU"]
            .iter()
            .fold(runner, |runner, name| {
                runner.env(&format!("{name}_TOKEN"), name)
            })
    };
    let validated = with_tokens(Runner::new([Path::new("validate"), &bots[0]])).run();
    assert!(
        validated.exited(0).contains("kuma: passed"),
        "{}",
        validated.out
    );
    let args = [Path::new("run"), Path::new("--games=1")];
    let played = with_tokens(Runner::new(
        args.into_iter().chain(bots.iter().map(PathBuf::as_path)),
    ))
    .run();
    for row in table(played.exited(0)) {
        assert_eq!(cell(&row, "requests"), cell(&row, "accepted"), "{row:?}");
        assert_eq!(cell(&row, "desyncs"), "0", "{row:?}");
    }
    for players in [arena.finished().await, arena.finished().await]
        .map(|game| game.expect("it ended").seats.len())
    {
        assert_eq!(players, 3);
    }
}
