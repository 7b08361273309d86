//! Frames as the arena writes them, composed by hand.

use serde_json::{Value, json};

/// Our seat in these games. The dealer is seat 0, so we are next after his discard.
pub(crate) const SEAT: u8 = 1;

/// A hand far from everything, with a pair of 4p.
pub(crate) const PLAIN: &str = "1m 6m 4p 4p 8p 1s 3s 5s 6s 6s 7s F C";

pub(crate) fn names(tiles: &str) -> Vec<&str> {
    tiles.split_whitespace().collect()
}

pub(crate) fn start_game(seat: u8) -> Value {
    json!({"id": seat, "type": "start_game"})
}

/// East 1 with our hand dealt and the others' hidden.
pub(crate) fn start_kyoku(seat: u8, hand: &str) -> Value {
    let mut tehais = vec![vec!["?"; 13]; 4];
    tehais[usize::from(seat)] = names(hand);
    json!({
        "bakaze": "E", "dora_marker": "2m", "honba": 0, "kyotaku": 0, "kyoku": 1, "oya": 0,
        "scores": [25000, 25000, 25000, 25000], "tehais": tehais, "type": "start_kyoku",
    })
}

pub(crate) fn tsumo(actor: u8, pai: &str) -> Value {
    json!({"actor": actor, "pai": pai, "type": "tsumo"})
}

pub(crate) fn dahai(actor: u8, pai: &str, tsumogiri: bool) -> Value {
    json!({"actor": actor, "pai": pai, "tsumogiri": tsumogiri, "type": "dahai"})
}

pub(crate) fn end_kyoku() -> Value {
    json!({"type": "end_kyoku"})
}

pub(crate) fn end_game() -> Value {
    json!({"type": "end_game"})
}

pub(crate) fn ryukyoku(deltas: [i32; 4]) -> Value {
    json!({"deltas": deltas, "reason": "exhaustive_draw", "type": "ryukyoku"})
}

pub(crate) fn request(request_id: u64, entries: impl IntoIterator<Item = Value>) -> Value {
    json!({
        "possible_actions": entries.into_iter().collect::<Vec<_>>(), "request_id": request_id,
        "time": {"bank_ms": 15000, "deadline_ms": 18000, "grace_ms": 3000}, "type": "request_action",
    })
}

pub(crate) fn ack(request_id: u64, status: &str) -> Value {
    json!({
        "bank_consumed_ms": 0, "bank_ms": 15000, "elapsed_ms": 41, "request_id": request_id, "status": status,
        "type": "action_ack",
    })
}

/// An entry without tiles.
pub(crate) fn bare(kind: &str) -> Value {
    json!({"type": kind})
}

/// An entry for a call.
pub(crate) fn call(kind: &str, pai: &str, consumed: &str) -> Value {
    json!({"consumed": names(consumed), "pai": pai, "type": kind})
}

/// An entry for each of these discards.
pub(crate) fn discards(tiles: &str) -> Vec<Value> {
    names(tiles)
        .iter()
        .map(|pai| json!({"pai": pai, "type": "dahai"}))
        .collect()
}
