//! Botzone's names of tiles.

use mahjong::Kind;

/// Botzone's name of a kind.
pub(crate) fn name(kind: Kind) -> String {
    let index = kind.index();
    match (kind.suit(), kind.number()) {
        (Some(suit), Some(number)) => format!("{}{number}", ["W", "B", "T"][usize::from(suit)]),
        _ if kind.is_dragon() => format!("J{}", 34 - index),
        _ => format!("F{}", index - 26),
    }
}
