//! Tiles, actions and events as the script reads them: short, for a game has thousands.
//!
//! A tile is two characters: its number and its suit, `m`, `p` or `s`; `0` for a red five; `1z` to `7z` for the honours East,
//! South, West, North, white, green, red. Several stand one after the other.

use riichi::event::{Hora, Points};
use riichi::{Action, Event, Seat, Tile};
use serde_json::{Value, json};

/// Tiles, one after the other.
pub(crate) fn tiles(tiles: impl IntoIterator<Item = Tile>) -> String {
    let mut codes = String::new();
    for tile in tiles {
        let kind = tile.kind();
        let number = match kind.number() {
            Some(_) if tile.is_red() => 0,
            Some(number) => number,
            // Honours follow the three suits of nine.
            None => kind.index() as u8 - 27 + 1,
        };
        codes.push(char::from(b'0' + number));
        codes.push(kind.suit().map_or('z', |suit| char::from(b"mps"[usize::from(suit)])));
    }
    codes
}

fn tile(of: Tile) -> String {
    tiles([of])
}

/// An action: its letter, and the tiles that it needs.
pub(crate) fn action(action: &Action) -> Value {
    match *action {
        Action::Dahai { tile: thrown, tsumogiri: false } => json!(["d", tile(thrown)]),
        Action::Dahai { tile: thrown, tsumogiri: true } => json!(["d", tile(thrown), 1]),
        Action::Reach { tile: thrown, .. } => json!(["r", tile(thrown)]),
        Action::Chi { tile: called, consumed, .. } => json!(["c", tile(called), tiles(consumed)]),
        Action::Pon { tile: called, consumed, .. } => json!(["p", tile(called), tiles(consumed)]),
        Action::Daiminkan { tile: called, consumed, .. } => json!(["k", tile(called), tiles(consumed)]),
        Action::Ankan { consumed } => json!(["a", tiles(consumed)]),
        Action::Kakan { tile: added, .. } => json!(["+", tile(added)]),
        Action::Kita => json!(["n"]),
        Action::Hora { tile: won, .. } => json!(["w", tile(won)]),
        Action::Ryukyoku => json!(["x"]),
        Action::None => json!(["-"]),
    }
}

/// An event within a round; `None` for those that change nothing on the table.
pub(crate) fn event(event: &Event, win: Option<String>) -> Option<Value> {
    let seat = |seat: Seat| seat.index();
    let points = |points: Option<Points>| points.map(|points| points.as_slice().to_vec());
    Some(match *event {
        Event::StartGame { .. } | Event::StartKyoku(_) | Event::EndKyoku | Event::EndGame { .. } => return None,
        Event::Tsumo { actor, tile: None } => json!(["t", seat(actor)]),
        Event::Tsumo { actor, tile: Some(drawn) } => json!(["t", seat(actor), tile(drawn)]),
        Event::Dahai { actor, tile: thrown, tsumogiri: false } => json!(["d", seat(actor), tile(thrown)]),
        Event::Dahai { actor, tile: thrown, tsumogiri: true } => json!(["d", seat(actor), tile(thrown), 1]),
        Event::Chi { actor, target, tile: called, consumed } => {
            json!(["c", seat(actor), seat(target), tile(called), tiles(consumed)])
        }
        Event::Pon { actor, target, tile: called, consumed } => {
            json!(["p", seat(actor), seat(target), tile(called), tiles(consumed)])
        }
        Event::Daiminkan { actor, target, tile: called, consumed } => {
            json!(["k", seat(actor), seat(target), tile(called), tiles(consumed)])
        }
        Event::Ankan { actor, consumed } => json!(["a", seat(actor), tiles(consumed)]),
        Event::Kakan { actor, tile: added, .. } => json!(["+", seat(actor), tile(added)]),
        Event::Kita { actor } => json!(["n", seat(actor)]),
        Event::Dora { marker } => json!(["i", tile(marker)]),
        Event::Reach { actor } => json!(["r", seat(actor)]),
        Event::ReachAccepted { actor, scores } => json!(["R", seat(actor), points(scores)]),
        Event::Hora(Hora { actor, target, deltas, scores, ura_markers }) => {
            json!(["w", seat(actor), seat(target), points(deltas), points(scores), tiles(ura_markers.to_vec()), win])
        }
        Event::Ryukyoku { deltas, scores, reason } => {
            json!(["x", reason.map(draw_words), points(deltas), points(scores)])
        }
    })
}

fn draw_words(reason: riichi::event::DrawReason) -> String {
    use riichi::event::DrawReason;
    match reason {
        DrawReason::Exhaustive => "exhaustive draw".to_owned(),
        DrawReason::NagashiMangan => "nagashi mangan".to_owned(),
        DrawReason::NineTerminals => "draw by nine terminals".to_owned(),
        DrawReason::FourWinds => "draw by four equal winds".to_owned(),
        DrawReason::FourKans => "draw by four kans".to_owned(),
        DrawReason::FourRiichi => "draw by four riichi".to_owned(),
        DrawReason::ThreeWinners => "draw by three winners".to_owned(),
        DrawReason::IllegalAction(seat) => format!("ended by an action of seat {seat} that was not legal"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_two_characters_each() {
        let codes = tiles(["1m", "5mr", "5p", "9s", "E", "P", "C"].map(|name| name.parse().expect("a tile")));
        assert_eq!(codes, "1m0m5p9s1z5z7z");
        let all: std::collections::HashSet<String> = Tile::all().map(tile).collect();
        assert_eq!(all.len(), 37);
    }
}
