//! Records in Tenhou's form, read by a reader of the tests' own that knows nothing but the form.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::configs::Folder;
use crate::program::Runner;

/// An mjai tile by Tenhou's number.
fn tile(number: &str) -> String {
    let honours = ["E", "S", "W", "N", "P", "F", "C"];
    let (suit, rank) = number.split_at(1);
    let rank: usize = rank.parse().expect("a digit");
    match suit {
        "4" => honours[rank - 1].to_owned(),
        "5" => format!("5{}r", ["m", "p", "s"][rank - 1]),
        suit => format!("{rank}{}", ["m", "p", "s"][suit.parse::<usize>().expect("a digit") - 1]),
    }
}

/// The letter of an entry, the tile after it, and the number of tiles before it.
fn call(entry: &str) -> (char, String, usize) {
    let place = entry.find(|letter: char| letter.is_ascii_alphabetic()).expect("a letter");
    (entry[place..].chars().next().expect("a letter"), tile(&entry[place + 1..place + 3]), place / 2)
}

/// A seat's actions in a round, in words that both formats can be converted to.
fn of_tenhou(drawn: &Value, discarded: &Value) -> (Vec<String>, Vec<String>) {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let drawn = drawn.as_array().expect("a list").iter().map(|entry| match entry.as_str() {
        None => tile(&text(entry)),
        Some(entry) => {
            let (letter, tile, place) = call(entry);
            format!("{letter} {tile} {place}")
        }
    });
    let discarded = discarded.as_array().expect("a list").iter().map(|entry| {
        let text = text(entry);
        let (riichi, number) = text.strip_prefix('r').map_or(("", text.as_str()), |number| ("riichi ", number));
        match number {
            "0" => "nothing".to_owned(),
            "60" => format!("{riichi}drawn"),
            number if number.len() == 2 => format!("{riichi}{}", tile(number)),
            number => {
                let (letter, tile, _) = call(number);
                format!("{letter} {tile}")
            }
        }
    });
    (drawn.collect(), discarded.collect())
}

/// The same of the events of a round.
fn of_events(events: &[Value], seat: u64) -> (Vec<String>, Vec<String>) {
    let (mut drawn, mut discarded, mut riichi) = (Vec::new(), Vec::new(), "");
    for event in events.iter().filter(|event| event["actor"] == seat) {
        let pai = event["pai"].as_str().unwrap_or_default();
        // Opposite after one tile, the seat before after none, the seat after last; three players sit on the first
        // seats of four.
        let place = |own: usize| match (event["target"].as_u64().expect("a seat") + 4 - seat) % 4 {
            3 => 0,
            2 => 1,
            _ => own,
        };
        match event["type"].as_str().expect("a type") {
            "tsumo" => drawn.push(pai.to_owned()),
            "chi" => drawn.push(format!("c {pai} 0")),
            "pon" => drawn.push(format!("p {pai} {}", place(2))),
            "daiminkan" => {
                drawn.push(format!("m {pai} {}", place(3)));
                discarded.push("nothing".to_owned());
            }
            "ankan" => discarded.push(format!("a {}", event["consumed"][3].as_str().expect("a tile"))),
            "kakan" => discarded.push(format!("k {pai}")),
            "kita" | "nukidora" => discarded.push("f N".to_owned()),
            "reach" => riichi = "riichi ",
            "dahai" => {
                let tile = if event["tsumogiri"] == true { "drawn" } else { pai };
                discarded.push(format!("{}{tile}", std::mem::take(&mut riichi)));
            }
            _ => {}
        }
    }
    (drawn, discarded)
}

fn export(record: &Path) -> Value {
    let args = ["records", "export", "--format", "tenhou"].map(Path::new);
    let exported = Runner::new(args.iter().copied().chain([record])).run();
    serde_json::from_str(exported.exited(0)).expect("JSON")
}

/// Records of games with calls, with this many players.
fn records(folder: &Folder, players: &str) -> Vec<PathBuf> {
    let text = "name = \"kuma\"\n[policy]\nid = \"greedy-tenpai\"\nlibrary = \"builtin\"\n[policy.params]\ncalls = \"yaku\"\nkan = \"safe\"\n";
    let config = folder.file("kuma.toml", text);
    let records = folder.path().join("games");
    let args = ["play", "--games=6", "--seed=1", "--players", players, "--record"].map(Into::into);
    let fours = vec![config; players.parse().expect("a number")];
    Runner::new(args.iter().chain([&records]).chain(&fours)).run().exited(0);
    (1..=6).map(|number| records.join(format!("game-{number:04}.jsonl"))).collect()
}

#[test]
fn every_round_agrees_with_the_events() {
    for players in [4_u64, 3] {
        let folder = Folder::new();
        let mut wins = 0;
        for record in records(&folder, &players.to_string()) {
            let text = fs::read_to_string(&record).expect("it is there");
            let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            let rounds: Vec<&[Value]> = events.split(|event| event["type"] == "end_kyoku").collect();
            let game = export(&record);
            let log = game["log"].as_array().expect("rounds");
            assert_eq!(log.len(), rounds.len() - 1);
            assert_eq!(game["name"].as_array().map(Vec::len), Some(4));
            assert_eq!(game["name"][0], events[0]["names"][0]);
            assert!(
                game["rule"]["disp"].as_str().is_some_and(|rule| rule.starts_with('三') == (players == 3)),
                "{game}"
            );
            let mut scores: Vec<i64> = Vec::new();
            for (round, events) in log.iter().zip(rounds) {
                let round = round.as_array().expect("a list");
                assert_eq!(round.len(), 17, "{round:?}");
                let start = events.iter().find(|event| event["type"] == "start_kyoku").expect("a start");
                let wind = ["E", "S", "W"].iter().position(|&wind| start["bakaze"] == wind).expect("a wind") as u64;
                let number = 4 * wind + start["kyoku"].as_u64().expect("a number") - 1;
                assert_eq!(round[0], serde_json::json!([number, start["honba"], start["kyotaku"]]));
                assert_eq!(round[2][0].to_string().len(), 2, "a dora indicator");
                let now: Vec<i64> =
                    round[1].as_array().expect("scores").iter().map(|score| score.as_i64().expect("points")).collect();
                assert!(scores.is_empty() || scores == now, "{scores:?} and {now:?}");
                for seat in 0..players as usize {
                    let dealt: Vec<String> = round[4 + 3 * seat]
                        .as_array()
                        .expect("tiles")
                        .iter()
                        .map(|number| tile(&number.to_string()))
                        .collect();
                    let own: Vec<&str> = start["tehais"][seat]
                        .as_array()
                        .expect("tiles")
                        .iter()
                        .map(|tile| tile.as_str().expect("a tile"))
                        .collect();
                    assert_eq!(dealt, own);
                    let told = of_tenhou(&round[5 + 3 * seat], &round[6 + 3 * seat]);
                    assert_eq!(told, of_events(events, seat as u64), "{}", record.display());
                }
                if players == 3 {
                    assert_eq!(round[13..16], [serde_json::json!([]), serde_json::json!([]), serde_json::json!([])]);
                }
                // The payments lead to the next round's scores, with the sticks that were accepted.
                scores = now;
                for event in events.iter().filter(|event| event["type"] == "reach_accepted") {
                    scores[event["actor"].as_u64().expect("a seat") as usize] -= 1000;
                }
                let result = round[16].as_array().expect("a result");
                let won = result[0] == "和了";
                for deltas in result[1..].iter().step_by(if won { 2 } else { 1 }) {
                    for (score, delta) in scores.iter_mut().zip(deltas.as_array().expect("points")) {
                        *score += delta.as_i64().expect("points");
                    }
                }
                let hora: Vec<&Value> = events.iter().filter(|event| event["type"] == "hora").collect();
                assert_eq!(won, !hora.is_empty());
                for (details, hora) in result[1..].iter().skip(1).step_by(2).zip(hora).filter(|_| won) {
                    wins += 1;
                    assert_eq!([&details[0], &details[1]], [&hora["actor"], &hora["target"]], "{details}");
                    let worth = details[3].as_str().expect("a worth");
                    assert!(worth.contains('点') && (worth.contains('飜') || worth.contains('満')), "{worth}");
                    let yaku = &details.as_array().expect("a list")[4..];
                    assert!(
                        !yaku.is_empty()
                            && yaku.iter().all(|yaku| yaku.as_str().is_some_and(|yaku| yaku.ends_with(')'))),
                        "{details}"
                    );
                }
            }
        }
        assert!(wins > 10, "{wins}");
    }
}

#[test]
fn a_record_with_hidden_hands_or_of_another_game_has_no_such_form() {
    let ranked =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records-format-1/2026-11-22T084820Z-kuma-1bbb7c");
    let args = ["records", "export", "--format=tenhou"].map(Into::into);
    let refused = Runner::new(args.iter().chain([&ranked])).run();
    refused.exited(1);
    assert!(refused.err.contains("hands are hidden, as in records of ranked games"), "{}", refused.err);
    let folder = Folder::new();
    let games = folder.path().join("games");
    let play = ["play", "--game=doudizhu", "--seed=1", "--record"].map(Into::into);
    Runner::new(play.iter().chain([&games])).run().exited(0);
    let refused = Runner::new(args.iter().chain([&games.join("game-0001.jsonl")])).run();
    refused.exited(1);
    assert!(refused.err.contains("this is the record of a game of doudizhu"), "{}", refused.err);
    let show = Runner::new(["records", "show"].map(Into::into).iter().chain([&games.join("game-0001.jsonl")])).run();
    show.exited(1);
    assert!(show.err.contains("is a file, as `play --record` writes it") && show.err.contains("view"), "{}", show.err);
    let list = Runner::new(["records", "list"].map(Into::into).iter().chain([&games])).run();
    list.exited(0);
    assert!(list.err.contains("1 file of games of `play --record`"), "{}", list.err);
}
