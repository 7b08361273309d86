//! Records in Tenhou's form, read by a reader of the tests' own that knows nothing but the form.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

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
        suit => format!(
            "{rank}{}",
            ["m", "p", "s"][suit.parse::<usize>().expect("a digit") - 1]
        ),
    }
}

/// The letter of an entry, the tile after it, and the number of tiles before it.
fn call(entry: &str) -> (char, String, usize) {
    let place = entry
        .find(|letter: char| letter.is_ascii_alphabetic())
        .expect("a letter");
    (
        entry[place..].chars().next().expect("a letter"),
        tile(&entry[place + 1..place + 3]),
        place / 2,
    )
}

/// A seat's actions in a round, in words that both formats can be converted to.
fn of_tenhou(drawn: &Value, discarded: &Value) -> (Vec<String>, Vec<String>) {
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let drawn = drawn
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| match entry.as_str() {
            None => tile(&text(entry)),
            Some(entry) => {
                let (letter, tile, place) = call(entry);
                format!("{letter} {tile} {place}")
            }
        });
    let discarded = discarded.as_array().expect("a list").iter().map(|entry| {
        let text = text(entry);
        let (riichi, number) = text
            .strip_prefix('r')
            .map_or(("", text.as_str()), |number| ("riichi ", number));
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
        // Opposite after one tile, the seat before after none, the seat after last; three players
        // sit on the first seats of four.
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
            "ankan" => discarded.push(format!(
                "a {}",
                event["consumed"][3].as_str().expect("a tile")
            )),
            "kakan" => discarded.push(format!("k {pai}")),
            "kita" | "nukidora" => discarded.push("f N".to_owned()),
            "reach" => riichi = "riichi ",
            "dahai" => {
                let tile = if event["tsumogiri"] == true {
                    "drawn"
                } else {
                    pai
                };
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
    let args = [
        "play",
        "--games=6",
        "--seed=1",
        "--players",
        players,
        "--record",
    ]
    .map(Into::into);
    let fours = vec![config; players.parse().expect("a number")];
    Runner::new(args.iter().chain([&records]).chain(&fours))
        .run()
        .exited(0);
    (1..=6)
        .map(|number| records.join(format!("game-{number:04}.jsonl")))
        .collect()
}

#[test]
fn every_round_agrees_with_the_events() {
    for players in [4_u64, 3] {
        let folder = Folder::new();
        let mut wins = 0;
        for record in records(&folder, &players.to_string()) {
            let text = fs::read_to_string(&record).expect("it is there");
            let events: Vec<Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect();
            let rounds: Vec<&[Value]> =
                events.split(|event| event["type"] == "end_kyoku").collect();
            let game = export(&record);
            let log = game["log"].as_array().expect("rounds");
            assert_eq!(log.len(), rounds.len() - 1);
            assert_eq!(game["name"].as_array().map(Vec::len), Some(4));
            assert_eq!(game["name"][0], events[0]["names"][0]);
            assert!(
                game["rule"]["disp"]
                    .as_str()
                    .is_some_and(|rule| rule.starts_with('三') == (players == 3)),
                "{game}"
            );
            let mut scores: Vec<i64> = Vec::new();
            for (round, events) in log.iter().zip(rounds) {
                let round = round.as_array().expect("a list");
                assert_eq!(round.len(), 17, "{round:?}");
                let start = events
                    .iter()
                    .find(|event| event["type"] == "start_kyoku")
                    .expect("a start");
                let wind = ["E", "S", "W"]
                    .iter()
                    .position(|&wind| start["bakaze"] == wind)
                    .expect("a wind") as u64;
                let number = 4 * wind + start["kyoku"].as_u64().expect("a number") - 1;
                assert_eq!(
                    round[0],
                    serde_json::json!([number, start["honba"], start["kyotaku"]])
                );
                assert_eq!(round[2][0].to_string().len(), 2, "a dora indicator");
                let now: Vec<i64> = round[1]
                    .as_array()
                    .expect("scores")
                    .iter()
                    .map(|score| score.as_i64().expect("points"))
                    .collect();
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
                    assert_eq!(
                        round[13..16],
                        [
                            serde_json::json!([]),
                            serde_json::json!([]),
                            serde_json::json!([])
                        ]
                    );
                }
                // The payments lead to the next round's scores, with the sticks that were accepted.
                scores = now;
                for event in events
                    .iter()
                    .filter(|event| event["type"] == "reach_accepted")
                {
                    scores[event["actor"].as_u64().expect("a seat") as usize] -= 1000;
                }
                let result = round[16].as_array().expect("a result");
                let won = result[0] == "和了";
                let pays = |points: &Value| {
                    points
                        .as_array()
                        .is_some_and(|points| points.iter().any(|delta| delta != 0))
                };
                assert!(won || result.len() == 1 || pays(&result[1]), "{result:?}");
                for deltas in result[1..].iter().step_by(if won { 2 } else { 1 }) {
                    for (score, delta) in scores.iter_mut().zip(deltas.as_array().expect("points"))
                    {
                        *score += delta.as_i64().expect("points");
                    }
                }
                let hora: Vec<&Value> = events
                    .iter()
                    .filter(|event| event["type"] == "hora")
                    .collect();
                assert_eq!(won, !hora.is_empty());
                for (details, hora) in result[1..]
                    .iter()
                    .skip(1)
                    .step_by(2)
                    .zip(hora)
                    .filter(|_| won)
                {
                    wins += 1;
                    assert_eq!(
                        [&details[0], &details[1]],
                        [&hora["actor"], &hora["target"]],
                        "{details}"
                    );
                    let worth = details[3].as_str().expect("a worth");
                    assert!(
                        worth.contains('点') && (worth.contains('飜') || worth.contains('満')),
                        "{worth}"
                    );
                    let yaku = &details.as_array().expect("a list")[4..];
                    assert!(
                        !yaku.is_empty()
                            && yaku
                                .iter()
                                .all(|yaku| yaku.as_str().is_some_and(|yaku| yaku.ends_with(')'))),
                        "{details}"
                    );
                }
            }
        }
        assert!(wins > 10, "{wins}");
    }
}

/// A record of one round that the wall ends, in which all seats discard what they draw but for
/// these first lines.
fn drawn_round(folder: &Folder, hands: [&str; 4], deltas: [i32; 4]) -> PathBuf {
    let hands = hands.map(|hand| hand.split(' ').map(str::to_owned).collect::<Vec<_>>());
    let held = |tile: &str| hands.iter().flatten().filter(|held| *held == tile).count();
    let kinds = |suit: &str| {
        (1..=9)
            .map(|number| format!("{number}{suit}"))
            .collect::<Vec<_>>()
    };
    let honours = ["E", "S", "W", "N", "P", "F", "C"].map(str::to_owned);
    let all = ["m", "p", "s"]
        .map(kinds)
        .into_iter()
        .flatten()
        .chain(honours);
    // Four tiles of a kind go to four seats in turn, so that no seat has only terminals and
    // honours.
    let rest: Vec<String> = all
        .flat_map(|tile| {
            std::iter::repeat_n(tile.clone(), 4 - held(&tile) - usize::from(tile == "9s"))
        })
        .collect();
    let mut lines = vec![
        json!({"type": "start_game", "names": ["a", "b", "c", "d"]}),
        json!({"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
            "dora_marker": "9s", "scores": vec![25_000; 4], "tehais": hands}),
    ];
    for (turn, tile) in rest.iter().take(70).enumerate() {
        lines.push(json!({"type": "tsumo", "actor": turn % 4, "pai": tile}));
        lines.push(json!({"type": "dahai", "actor": turn % 4, "pai": tile, "tsumogiri": true}));
    }
    lines.push(json!({"type": "ryukyoku", "reason": "exhaustive_draw", "deltas": deltas}));
    lines.push(json!({"type": "end_kyoku"}));
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    folder.file("drawn.jsonl", text.join("\n"))
}

#[test]
fn a_draw_without_payments_says_whether_all_seats_are_tenpai_or_none() {
    let folder = Folder::new();
    let noten = [
        "E S W N P F C 1m 4m 7m 1p 4p 7p",
        "E S W N P F C 1m 4m 7m 1p 4p 7p",
    ];
    let other = [
        "E S W N P F C 2m 5m 8m 2p 5p 8p",
        "E S W N P F C 2m 5m 8m 2p 5p 8p",
    ];
    let none = drawn_round(&folder, [noten[0], other[0], noten[1], other[1]], [0; 4]);
    assert_eq!(export(&none)["log"][0][16], json!(["全員不聴"]));
    let tenpai = [
        "1m 2m 3m 4m 5m 6m 7m 8m 9m E E S S",
        "1p 2p 3p 4p 5p 6p 7p 8p 9p W W N N",
    ];
    let others = [
        "1s 2s 3s 4s 5s 6s 7s 8s 9s P P F F",
        "1m 2m 3m 4m 5m 6m 7m 8m 9m C C 1p 1p",
    ];
    let all = drawn_round(
        &folder,
        [tenpai[0], tenpai[1], others[0], others[1]],
        [0; 4],
    );
    assert_eq!(export(&all)["log"][0][16], json!(["全員聴牌"]));
    let alone = "1s 2s 3s 4s 5s 6s 7s 8s 9s 9p 9p 3p 3p";
    let one = drawn_round(
        &folder,
        [alone, other[0], noten[0], other[1]],
        [3000, -1000, -1000, -1000],
    );
    assert_eq!(
        export(&one)["log"][0][16],
        json!(["流局", [3000, -1000, -1000, -1000]])
    );
}

#[test]
fn a_call_that_the_form_cannot_place_gets_a_warning() {
    let folder = Folder::new();
    let hands = [
        "1m 1m 2m 8p 5m 8s 5p 6m 5s 3m 6m C 1s",
        "N N 9m 6s 8s P F 7s 3m 5s 3m W P",
        "P 7s 7p 9p 6p 8m 2s 4m 5m 2m 5p 3p 8m",
        "C 3p 9p 2p 4p 4s 2s 6p 7p 9s W E E",
    ];
    let hands = hands.map(|hand| hand.split(' ').collect::<Vec<_>>());
    let turn = |actor: u8, tile: &str| {
        [
            json!({"type": "tsumo", "actor": actor, "pai": tile}),
            json!({"type": "dahai", "actor": actor, "pai": tile, "tsumogiri": true}),
        ]
    };
    let pon = |actor: u8, target: u8, tile: &str, discard: &str| {
        [
            json!({"type": "pon", "actor": actor, "target": target, "pai": tile, "consumed": [tile, tile]}),
            json!({"type": "dahai", "actor": actor, "pai": discard, "tsumogiri": false}),
        ]
    };
    let start = [
        json!({"type": "start_game", "names": ["a", "b", "c", "d"]}),
        json!({"type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0,
            "dora_marker": "9s", "scores": vec![25_000; 4], "tehais": hands}),
    ];
    let turns = [
        turn(0, "S"),
        turn(1, "7m"),
        turn(2, "1m"),
        turn(3, "N"),
        pon(1, 3, "N", "9m"),
        turn(2, "1m"),
        pon(0, 2, "1m", "2m"),
        turn(1, "4p"),
    ];
    let lines: Vec<String> = start
        .iter()
        .chain(turns.iter().flatten())
        .map(Value::to_string)
        .collect();
    let record = folder.file("ambiguous.jsonl", lines.join("\n"));
    let args = ["records", "export", "--format=tenhou"].map(Into::into);
    let exported = Runner::new(args.iter().chain([&record])).run();
    exported.exited(0);
    let said = "line 15: Tenhou's form does not say which 1m of seat 2 seat 0 calls: it discarded two since seat 0 had drawn \
                or called, and readers take the first";
    assert!(exported.err.contains(said), "{}", exported.err);
    assert_eq!(
        exported.err.matches("does not say which").count(),
        1,
        "{}",
        exported.err
    );
}

#[test]
fn a_record_with_hidden_hands_or_of_another_game_has_no_such_form() {
    let ranked = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/records-format-1/2026-11-22T084820Z-kuma-1bbb7c");
    let args = ["records", "export", "--format=tenhou"].map(Into::into);
    let refused = Runner::new(args.iter().chain([&ranked])).run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("hands are hidden, as in records of ranked games"),
        "{}",
        refused.err
    );
    let folder = Folder::new();
    let games = folder.path().join("games");
    let play = ["play", "--game=doudizhu", "--seed=1", "--record"].map(Into::into);
    Runner::new(play.iter().chain([&games])).run().exited(0);
    let refused = Runner::new(args.iter().chain([&games.join("game-0001.jsonl")])).run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("this is the record of a game of doudizhu"),
        "{}",
        refused.err
    );
    let show = Runner::new(
        ["records", "show"]
            .map(Into::into)
            .iter()
            .chain([&games.join("game-0001.jsonl")]),
    )
    .run();
    show.exited(1);
    assert!(
        show.err.contains("is a file, as `play --record` writes it") && show.err.contains("view"),
        "{}",
        show.err
    );
    let list = Runner::new(["records", "list"].map(Into::into).iter().chain([&games])).run();
    list.exited(0);
    assert!(
        list.err.contains("1 file of games of `play --record`"),
        "{}",
        list.err
    );
}
