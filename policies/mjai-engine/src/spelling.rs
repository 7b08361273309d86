//! The messages to an engine, in mjai's spelling.

use policy_sdk::{DrawnRound, RoundEnd, WonRound};
use protocol::{NorthName, event_json};
use riichi::event::{HAND_SIZE, Hora, UraMarkers};
use riichi::rules::Length;
use riichi::{Event, Rules, Seat};
use serde_json::{Map, Value, json};

/// A message, and the event it stands for.
#[derive(Debug, Clone)]
pub(crate) struct Spelled {
    pub(crate) event: Event,
    pub(crate) fields: Map<String, Value>,
}

/// How the events of a game of three are written for an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Spelling {
    /// Whether lists of hands and points have a fourth, empty slot.
    pub(crate) four_slots: bool,
    /// The name of the event in which a North is set aside.
    pub(crate) north: NorthName,
}

impl Spelling {
    /// An event as the arenas spell it.
    pub(crate) fn event(self, event: &Event) -> Spelled {
        let mut fields: Map<String, Value> =
            serde_json::from_str(&event_json(event)).expect("an event is written as an object");
        if matches!(event, Event::Kita { .. }) {
            fields.insert("type".to_owned(), json!(self.north.name()));
        }
        if self.four_slots {
            for (key, nothing) in [
                ("scores", json!(0)),
                ("deltas", json!(0)),
                ("tehais", Value::from(vec!["?"; HAND_SIZE])),
            ] {
                if let Some(Value::Array(slots)) = fields.get_mut(key) {
                    slots.push(nothing);
                }
            }
        }
        Spelled {
            event: *event,
            fields,
        }
    }

    /// The beginning of a game, with all fields that some engine needs: the seat as `id` (mjai),
    /// names (mjai.app), the first round and whether there are red fives (akochan stops without
    /// them), the number of players (Akagi).
    pub(crate) fn start_game(self, seat: Seat, rules: &Rules) -> Spelled {
        let mut spelled = self.event(&Event::StartGame { seat: Some(seat) });
        // Among the eight rounds of a hanchan; a game of four rounds counts as its second half.
        let kyoku_first = if rules.length == Length::Half { 0 } else { 4 };
        let mut names: Vec<String> = Seat::all(rules.players)
            .map(|seat| seat.to_string())
            .collect();
        if self.four_slots {
            names.push(String::new());
        }
        for (key, value) in [
            ("names", json!(names)),
            ("kyoku_first", json!(kyoku_first)),
            ("aka_flag", json!(rules.red_fives > 0)),
            ("num_players", json!(rules.players)),
        ] {
            spelled.fields.insert(key.to_owned(), value);
        }
        spelled
    }

    /// The end of a round: `hora`, with the tile as `pai` as in the first mjai server, or
    /// `ryukyoku`.
    pub(crate) fn round_end(self, end: &RoundEnd) -> Spelled {
        match *end {
            RoundEnd::Won(WonRound {
                winner,
                from,
                tile,
                deltas,
            }) => {
                let hora = Hora {
                    actor: winner,
                    target: from,
                    deltas,
                    scores: None,
                    ura_markers: UraMarkers::default(),
                };
                let mut spelled = self.event(&Event::Hora(hora));
                if let Some(tile) = tile {
                    spelled.fields.insert("pai".to_owned(), json!(tile.name()));
                }
                spelled
            }
            RoundEnd::Drawn(DrawnRound { reason, deltas, .. }) => self.event(&Event::Ryukyoku {
                deltas,
                scores: None,
                reason,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use riichi::event::StartKyoku;
    use riichi::{PerSeat, Wind};

    use super::*;

    #[test]
    fn the_start_of_a_game_names_the_seat_and_fields_for_single_engines() {
        let spelled = |rules| {
            Value::Object(
                Spelling::default()
                    .start_game(Seat::new(2).unwrap(), &rules)
                    .fields,
            )
        };
        let half = json!({
            "type": "start_game", "id": 2, "names": ["0", "1", "2", "3"],
            "kyoku_first": 0, "aka_flag": true, "num_players": 4,
        });
        assert_eq!(spelled(Rules::TENHOU_HALF), half);
        assert_eq!(
            spelled(Rules::TENHOU_HALF.with_length(Length::East))["kyoku_first"],
            4
        );
        assert_eq!(
            spelled(Rules {
                red_fives: 0,
                ..Rules::TENHOU_HALF
            })["aka_flag"],
            false
        );
    }

    #[test]
    fn games_of_three_are_written_in_three_slots_or_in_four() {
        let deal = Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: Seat::FIRST,
            dora_marker: "1s".parse().unwrap(),
            scores: Some(PerSeat::from_fn(3, |_| 35_000)),
            tehais: PerSeat::from_fn(3, |_| None),
        });
        let drawn = Event::Ryukyoku {
            deltas: Some(PerSeat::from_fn(3, |_| 0)),
            scores: None,
            reason: None,
        };
        let kita = Event::Kita { actor: Seat::FIRST };
        let rules = Rules::TENHOU_HALF.with_players(3);
        for (four_slots, north, slots, name) in [
            (false, NorthName::Kita, 3, "kita"),
            (true, NorthName::Nukidora, 4, "nukidora"),
        ] {
            let spelling = Spelling { four_slots, north };
            let length = |event: &Event, key: &str| {
                spelling.event(event).fields[key].as_array().unwrap().len()
            };
            assert_eq!(
                [
                    length(&deal, "tehais"),
                    length(&deal, "scores"),
                    length(&drawn, "deltas")
                ],
                [slots; 3]
            );
            assert_eq!(spelling.event(&kita).fields["type"], name);
            let start = spelling.start_game(Seat::FIRST, &rules).fields;
            assert_eq!(
                (
                    &start["num_players"],
                    start["names"].as_array().unwrap().len()
                ),
                (&json!(3), slots)
            );
        }
        let fourth = Spelling {
            four_slots: true,
            north: NorthName::Kita,
        }
        .event(&deal)
        .fields;
        assert_eq!(
            (&fourth["scores"][3], &fourth["tehais"][3]),
            (&json!(0), &json!(["?"; 13].to_vec()))
        );
    }
}
