//! Short constructors of actions for tests.

use riichi::{Action, Seat};

use super::notation::tile;

/// The seat with this number.
///
/// # Panics
///
/// If there is no such seat.
pub fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap_or_else(|| panic!("there is no seat {number}"))
}

/// A discard from the hand.
pub fn from_hand(shown: &str) -> Action {
    Action::Dahai {
        tile: tile(shown),
        tsumogiri: false,
    }
}

/// A discard of the drawn tile.
pub fn drawn(shown: &str) -> Action {
    Action::Dahai {
        tile: tile(shown),
        tsumogiri: true,
    }
}

/// A pon of plain tiles from a seat.
///
/// ```
/// use policy_sdk::mahjong::Action;
/// use policy_sdk::testing::{Situation, pon};
///
/// // The seat after next has thrown a red dragon, and there are two in the hand.
/// let offered = Situation::offered("234m 67m 34p 77z 88s 29p", "7z", 2).also(pon("7z", 2)).build();
/// let legal = offered.view(|view| view.legal().to_vec()).expect("a sound view");
/// assert_eq!(legal, [Action::None, pon("7z", 2)]);
/// ```
pub fn pon(shown: &str, from: u8) -> Action {
    Action::Pon {
        target: seat(from),
        tile: tile(shown),
        consumed: [tile(shown); 2],
    }
}

/// A chi by seat 0, from the seat before it.
pub fn chi(called: &str, low: &str, high: &str) -> Action {
    Action::Chi {
        target: seat(3),
        tile: tile(called),
        consumed: [tile(low), tile(high)],
    }
}

/// A closed kan of plain tiles.
pub fn ankan(shown: &str) -> Action {
    Action::Ankan {
        consumed: [tile(shown); 4],
    }
}

/// A plain tile added to a pon of plain ones.
pub fn kakan(shown: &str) -> Action {
    Action::Kakan {
        tile: tile(shown),
        consumed: [tile(shown); 3],
    }
}

/// An open kan of plain tiles from a seat.
pub fn daiminkan(shown: &str, from: u8) -> Action {
    Action::Daiminkan {
        target: seat(from),
        tile: tile(shown),
        consumed: [tile(shown); 3],
    }
}
