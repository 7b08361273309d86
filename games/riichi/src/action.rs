//! The actions of a seat, and the list of its legal actions.

use arrayvec::ArrayVec;

use game_core::Seat;
use tiles::Tile;

/// One thing a seat may do, complete: nothing is left to be asked afterwards.
///
/// The names are mjai's. A call names the called tile and its discarder; a riichi names the tile
/// that it discards, although arenas request the two one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Discard a tile.
    Dahai {
        /// The tile, colour included.
        tile: Tile,
        /// Whether it is the tile just drawn.
        tsumogiri: bool,
    },
    /// Declare riichi with this discard.
    Reach {
        /// The tile, colour included.
        tile: Tile,
        /// Whether it is the tile just drawn.
        tsumogiri: bool,
    },
    /// Call a run.
    Chi {
        /// The discarder of the tile.
        target: Seat,
        /// The discarded tile.
        tile: Tile,
        /// Own tiles used, lower kind first.
        consumed: [Tile; 2],
    },
    /// Call a triplet.
    Pon {
        /// The discarder of the tile.
        target: Seat,
        /// The discarded tile.
        tile: Tile,
        /// Own tiles used, plain before red.
        consumed: [Tile; 2],
    },
    /// Call an open kan.
    Daiminkan {
        /// The discarder of the tile.
        target: Seat,
        /// The discarded tile.
        tile: Tile,
        /// Own tiles used, plain before red.
        consumed: [Tile; 3],
    },
    /// Show a closed kan.
    Ankan {
        /// Its tiles, plain before red.
        consumed: [Tile; 4],
    },
    /// Add the fourth tile to a pon.
    Kakan {
        /// The added tile.
        tile: Tile,
        /// The tiles of the pon, plain before red.
        consumed: [Tile; 3],
    },
    /// Set a North aside (three players).
    Kita,
    /// Win.
    Hora {
        /// The seat that dealt in; the winner itself on a self-draw.
        target: Seat,
        /// The winning tile.
        tile: Tile,
    },
    /// Declare the draw by nine terminals (kyuushu kyuuhai).
    Ryukyoku,
    /// Let the offered tile pass.
    None,
}

/// Maximum number of actions of a seat: 14 tiles to discard, the same 14 to declare riichi with,
/// kans and the rest.
pub const MAX_ACTIONS: usize = 64;

/// The actions a seat may choose from. Empty: it is not this seat's turn and nothing is offered.
pub type LegalActions = ArrayVec<Action, MAX_ACTIONS>;

/// The action that cannot hurt, taken when there is no decision: a win if listed, else passing if
/// listed, else discarding the drawn tile if listed, else the first listed discard. `None` when
/// none of these is listed: then the right thing to say is nothing.
pub fn safe_answer(legal: &[Action]) -> Option<Action> {
    let first = |wanted: fn(&Action) -> bool| legal.iter().copied().find(wanted);
    first(|action| matches!(action, Action::Hora { .. }))
        .or_else(|| first(|action| matches!(action, Action::None)))
        .or_else(|| {
            first(|action| {
                matches!(
                    action,
                    Action::Dahai {
                        tsumogiri: true,
                        ..
                    }
                )
            })
        })
        .or_else(|| first(|action| matches!(action, Action::Dahai { .. })))
}

/// Whether there is anything to decide among these actions: a single one leaves no choice, unless
/// it is a riichi.
pub fn leaves_choice(legal: &[Action]) -> bool {
    match legal {
        [] => false,
        [only] => matches!(only, Action::Reach { .. }),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(name: &str) -> Tile {
        name.parse().unwrap()
    }

    #[test]
    fn the_safe_answer_wins_else_passes_else_discards_the_drawn_tile_else_takes_the_first_discard()
    {
        let hora = Action::Hora {
            target: Seat::new(1).unwrap(),
            tile: tile("E"),
        };
        let hand = Action::Dahai {
            tile: tile("1m"),
            tsumogiri: false,
        };
        let drawn = Action::Dahai {
            tile: tile("9m"),
            tsumogiri: true,
        };
        let riichi = Action::Reach {
            tile: tile("1m"),
            tsumogiri: false,
        };
        assert_eq!(safe_answer(&[riichi, hand, drawn, hora]), Some(hora));
        assert_eq!(safe_answer(&[Action::None, hora]), Some(hora));
        assert_eq!(safe_answer(&[riichi, Action::None]), Some(Action::None));
        assert_eq!(safe_answer(&[riichi, hand, drawn]), Some(drawn));
        assert_eq!(safe_answer(&[riichi, hand]), Some(hand));
        assert_eq!(safe_answer(&[riichi]), None);
        assert_eq!(safe_answer(&[]), None);
    }
}
