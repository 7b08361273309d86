//! Actions in words.

use mahjong::notation::Tiles;
use mahjong::{Action, Tile};

/// An action in words.
pub(super) fn action_words(action: &Action) -> String {
    match *action {
        Action::Dahai { tile, tsumogiri } => {
            format!("discard {}{}", written([tile]), if tsumogiri { " (drawn)" } else { "" })
        }
        Action::Reach { tile, .. } => format!("riichi with {}", written([tile])),
        Action::Chi { tile, consumed, .. } => format!("chi {} with {}", written([tile]), written(consumed)),
        Action::Pon { tile, consumed, .. } => format!("pon {} with {}", written([tile]), written(consumed)),
        Action::Daiminkan { tile, .. } => format!("kan of {} called", written([tile])),
        Action::Ankan { consumed } => format!("closed kan {}", written(consumed)),
        Action::Kakan { tile, .. } => format!("{} added to its pon", written([tile])),
        Action::Kita => "North set aside".to_owned(),
        Action::Hora { tile, .. } => format!("win on {}", written([tile])),
        Action::Ryukyoku => "draw by nine terminals".to_owned(),
        Action::None => "pass".to_owned(),
    }
}

pub(super) fn written(tiles: impl IntoIterator<Item = Tile>) -> Tiles {
    tiles.into_iter().collect()
}
