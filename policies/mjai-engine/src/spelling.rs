//! The messages to an engine, in mjai's spelling.

use policy_sdk::{DrawnRound, RoundEnd, WonRound};
use protocol::event_json;
use riichi::event::{Hora, StartKyoku, UraMarkers};
use riichi::rules::Length;
use riichi::{Action, Event, PerSeat, Rules, Seat, Tile, Wind};
use serde_json::{Map, Value, json};

/// A message, and the event it stands for.
#[derive(Debug, Clone)]
pub(crate) struct Spelled {
    pub(crate) event: Event,
    pub(crate) fields: Map<String, Value>,
}

/// An event as the arenas spell it.
pub(crate) fn event(event: &Event) -> Spelled {
    let fields = serde_json::from_str(&event_json(event)).expect("an event is written as an object");
    Spelled { event: *event, fields }
}

/// The beginning of a game, with all fields that some engine needs: the seat as `id` (mjai), four names (mjai.app), the
/// first round and whether there are red fives (akochan stops without them), the number of players (Akagi).
pub(crate) fn start_game(seat: Seat, rules: &Rules) -> Spelled {
    let mut spelled = event(&Event::StartGame { seat: Some(seat) });
    // Among the eight rounds of a hanchan; a game of four rounds counts as its second half.
    let kyoku_first = if rules.length == Length::Half { 0 } else { 4 };
    for (key, value) in [
        ("names", json!(["0", "1", "2", "3"])),
        ("kyoku_first", json!(kyoku_first)),
        ("aka_flag", json!(rules.red_fives > 0)),
        ("num_players", json!(rules.players)),
    ] {
        spelled.fields.insert(key.to_owned(), value);
    }
    spelled
}

/// The end of a round: `hora`, with the tile as `pai` as in the first mjai server, or `ryukyoku`.
pub(crate) fn round_end(end: &RoundEnd) -> Spelled {
    match *end {
        RoundEnd::Won(WonRound { winner, from, tile, deltas }) => {
            let hora = Hora { actor: winner, target: from, deltas, scores: None, ura_markers: UraMarkers::default() };
            let mut spelled = event(&Event::Hora(hora));
            if let Some(tile) = tile {
                spelled.fields.insert("pai".to_owned(), json!(tile.name()));
            }
            spelled
        }
        RoundEnd::Drawn(DrawnRound { reason, deltas, .. }) => event(&Event::Ryukyoku { deltas, scores: None, reason }),
    }
}

/// The tiles of the trial round: the only decision about them is the plainest discard.
const TRIAL_HAND: [&str; 13] = ["2m", "5m", "8m", "2p", "5p", "8p", "2s", "5s", "8s", "E", "S", "W", "P"];

const TRIAL_DRAW: &str = "N";

pub(crate) fn trial_actions() -> Vec<Action> {
    let discard = |name: &str| Action::Dahai { tile: tile(name), tsumogiri: name == TRIAL_DRAW };
    TRIAL_HAND.into_iter().chain([TRIAL_DRAW]).map(discard).collect()
}

fn tile(name: &str) -> Tile {
    name.parse().expect("the name of a tile")
}

/// A round that is begun to see whether an engine decides: the seat deals, and has drawn its first tile.
pub(crate) fn trial_round(seat: Seat) -> [Event; 2] {
    let start = StartKyoku {
        bakaze: Wind::East,
        kyoku: seat.index() as u8 + 1,
        honba: 0,
        kyotaku: 0,
        oya: seat,
        dora_marker: tile("3m"),
        scores: Some(PerSeat::from_fn(4, |_| 25_000)),
        tehais: PerSeat::from_fn(4, |owner| (owner == seat).then(|| TRIAL_HAND.map(tile))),
    };
    [Event::StartKyoku(start), Event::Tsumo { actor: seat, tile: Some(tile(TRIAL_DRAW)) }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_a_game_names_the_seat_and_fields_for_single_engines() {
        let spelled = |rules| Value::Object(start_game(Seat::new(2).unwrap(), &rules).fields);
        let half = json!({
            "type": "start_game", "id": 2, "names": ["0", "1", "2", "3"],
            "kyoku_first": 0, "aka_flag": true, "num_players": 4,
        });
        assert_eq!(spelled(Rules::TENHOU_HALF), half);
        assert_eq!(spelled(Rules::TENHOU_HALF.with_length(Length::East))["kyoku_first"], 4);
        assert_eq!(spelled(Rules { red_fives: 0, ..Rules::TENHOU_HALF })["aka_flag"], false);
    }

    #[test]
    fn in_the_trial_round_the_seat_deals_and_sees_its_own_tiles_only() {
        let [start, draw] = trial_round(Seat::new(1).unwrap()).map(|told| event(&told).fields);
        assert_eq!((&start["oya"], &start["kyoku"], &start["bakaze"]), (&json!(1), &json!(2), &json!("E")));
        for (seat, hand) in start["tehais"].as_array().unwrap().iter().enumerate() {
            assert_eq!(hand[0] == "?", seat != 1);
            assert_eq!(hand.as_array().unwrap().len(), 13);
        }
        assert_eq!((&draw["actor"], &draw["pai"]), (&json!(1), &json!("N")));
    }
}
