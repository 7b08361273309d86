//! The original server's spelling of events.

use serde_json::{Value, json};

use super::hand::{Hand, names};

const REASONS: [(&str, &str); 7] = [
    ("exhaustive_draw", "fanpai"),
    ("nagashimangan", "nagashimangan"),
    ("kyushu_kyuhai", "kyushukyuhai"),
    ("sufuurenta", "sufonrenta"),
    ("suukansansen", "sukaikan"),
    ("suucha_riichi", "suchareach"),
    ("sanchaho", "sanchaho"),
];

/// Further information of the server, sent with the events.
pub(crate) struct Spelling {
    names: [String; 4],
    scores: [i64; 4],
    /// The tile last drawn, discarded or added.
    tile: Value,
}

impl Spelling {
    pub(crate) fn new(names: [String; 4]) -> Self {
        Self {
            names,
            scores: [25_000; 4],
            tile: Value::Null,
        }
    }

    /// Takes in an event; `heard` by each seat.
    pub(crate) fn take_in(&mut self, heard: &[Value; 4]) {
        let event = &heard[heard[0]["actor"].as_u64().unwrap_or(0) as usize];
        match event["type"].as_str().expect("an event has a type") {
            "tsumo" | "dahai" | "kakan" => self.tile = event["pai"].clone(),
            "reach_accepted" => {
                self.scores[event["actor"].as_u64().expect("a seat") as usize] -= 1000
            }
            "hora" | "ryukyoku" => {
                for (score, delta) in self
                    .scores
                    .iter_mut()
                    .zip(event["deltas"].as_array().expect("deltas"))
                {
                    *score += delta.as_i64().expect("points");
                }
            }
            _ => {}
        }
    }

    /// The line for a seat, with its list of choices if the seat is asked.
    pub(crate) fn line(
        &self,
        event: &Value,
        hand: &Hand,
        seat: usize,
        list: Option<&[Value]>,
        end: &Value,
    ) -> Value {
        let own = event["actor"] == seat;
        let mut line = event.clone();
        match event["type"].as_str().expect("an event has a type") {
            "start_game" => line["names"] = json!(self.names),
            "start_kyoku" => {
                assert_eq!(
                    event["scores"],
                    json!(self.scores),
                    "the server keeps the scores"
                );
                remove(&mut line, "scores");
            }
            "tsumo" if own => line["possible_actions"] = self.possible_actions(event, seat, list),
            "dahai" | "kakan" if !own => {
                line["possible_actions"] = self.possible_actions(event, seat, list)
            }
            "ankan" => remove(&mut line, "pai"),
            "chi" | "pon" | "reach" if own => line["cannot_dahai"] = cannot_dahai(hand, list),
            "reach_accepted" => {
                let mut deltas = [0; 4];
                deltas[event["actor"].as_u64().expect("a seat") as usize] = -1000;
                line["deltas"] = json!(deltas);
                line["scores"] = json!(self.scores);
            }
            "hora" => {
                line["uradora_markers"] = event["ura_markers"].clone();
                remove(&mut line, "ura_markers");
                remove(&mut line, "tsumo");
                line["pai"] = self.tile.clone();
                line["scores"] = json!(self.scores);
                // Fields that clients do not need but must accept.
                let more = json!({"hora_tehais": [], "yakus": [["reach", 1]], "fu": 30, "fan": 1, "hora_points": 1000});
                for (key, value) in more.as_object().expect("an object") {
                    line[key] = value.clone();
                }
            }
            "ryukyoku" => {
                let reason = REASONS.iter().find(|(ours, _)| event["reason"] == *ours);
                line["reason"] = json!(reason.expect("a reason that the original server knows").1);
                line["tenpais"] = json!([false, false, false, false]);
                line["tehais"] = json!([[], [], [], []]);
                line["scores"] = json!(self.scores);
            }
            "end_game" => line["scores"] = end.clone(),
            _ => {}
        }
        line
    }

    /// The list for a seat without discards and passing, each entry a whole action.
    fn possible_actions(&self, event: &Value, seat: usize, list: Option<&[Value]>) -> Value {
        let entries = list
            .into_iter()
            .flatten()
            .filter(|entry| entry["type"] != "dahai" && entry["type"] != "none");
        Value::Array(
            entries
                .map(|entry| {
                    let mut action = entry.clone();
                    action["actor"] = json!(seat);
                    match entry["type"].as_str().expect("an entry has a type") {
                        "chi" | "pon" | "daiminkan" => action["target"] = event["actor"].clone(),
                        "hora" => {
                            action["target"] = event["actor"].clone();
                            action["pai"] = self.tile.clone();
                        }
                        "ankan" => remove(&mut action, "pai"),
                        "ryukyoku" => action["reason"] = json!("kyushukyuhai"),
                        _ => {}
                    }
                    action
                })
                .collect(),
        )
    }
}

/// The different tiles of the hand that the engine does not list for a discard.
fn cannot_dahai(hand: &Hand, list: Option<&[Value]>) -> Value {
    let listed = |tile: &String| {
        list.into_iter()
            .flatten()
            .any(|entry| entry["pai"] == **tile)
    };
    let mut tiles: Vec<&String> = hand.tiles().iter().filter(|tile| !listed(tile)).collect();
    tiles.sort();
    tiles.dedup();
    json!(tiles)
}

fn remove(line: &mut Value, key: &str) {
    line.as_object_mut()
        .expect("a line is an object")
        .remove(key);
}

/// Tiles in one order, for comparison.
pub(crate) fn sorted(tiles: &Value) -> Vec<String> {
    let mut tiles = names(tiles);
    tiles.sort();
    tiles
}
