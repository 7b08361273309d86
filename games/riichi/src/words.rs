//! The words of actions.

use std::fmt;

use game_core::{ActionWords, WordedAction};
use tiles::notation::Tiles;
use tiles::{Kind, Tile};

use crate::action::Action;

/// By the names of mjai, as arenas and libraries log them.
impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |tsumogiri| if tsumogiri { " tsumogiri" } else { "" };
        match *self {
            Self::Dahai { tile, tsumogiri } => write!(f, "dahai {tile}{}", hand(tsumogiri)),
            Self::Reach { tile, tsumogiri } => write!(f, "reach {tile}{}", hand(tsumogiri)),
            Self::Chi { tile, consumed, .. } => write!(f, "chi {tile} with {consumed:?}"),
            Self::Pon { tile, consumed, .. } => write!(f, "pon {tile} with {consumed:?}"),
            Self::Daiminkan { tile, consumed, .. } => {
                write!(f, "daiminkan {tile} with {consumed:?}")
            }
            Self::Ankan { consumed } => write!(f, "ankan {consumed:?}"),
            Self::Kakan { tile, consumed } => write!(f, "kakan {tile} to {consumed:?}"),
            Self::Kita => f.write_str("kita"),
            Self::Hora { tile, target } => write!(f, "hora {tile} from {target}"),
            Self::Ryukyoku => f.write_str("ryukyoku"),
            Self::None => f.write_str("none"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let notation = |tiles: &Vec<Tile>| Tiles(tiles.clone()).to_string();
        f.write_str(&self.in_words(&notation).words)
    }
}

impl ActionWords for Action {
    type Pieces = Vec<Tile>;

    const SORTS: &'static [&'static str] = &[
        "discard",
        "riichi",
        "call",
        "kan",
        "pass",
        "win",
        "nine terminals",
    ];

    fn in_words(&self, written: &dyn Fn(&Vec<Tile>) -> String) -> WordedAction<Vec<Tile>> {
        let one = |tile: Tile| written(&vec![tile]);
        let several = |tiles: &[Tile]| written(&tiles.to_vec());
        let called = |own: &[Tile], tile: Tile| own.iter().copied().chain([tile]).collect();
        let (name, sort, words, pieces) = match *self {
            Self::Dahai { tile, tsumogiri } => {
                let drawn = if tsumogiri { " (drawn)" } else { "" };
                let words = format!("discard {}{drawn}", one(tile));
                ("dahai", "discard", words, vec![tile])
            }
            Self::Reach { tile, .. } => {
                let words = format!("riichi with {}", one(tile));
                ("reach", "riichi", words, vec![tile])
            }
            Self::Chi { tile, consumed, .. } => {
                let words = format!("chi {} with {}", one(tile), several(&consumed));
                ("chi", "call", words, called(&consumed, tile))
            }
            Self::Pon { tile, consumed, .. } => {
                let words = format!("pon {} with {}", one(tile), several(&consumed));
                ("pon", "call", words, called(&consumed, tile))
            }
            Self::Daiminkan { tile, consumed, .. } => {
                let words = format!("kan of {} called", one(tile));
                ("daiminkan", "kan", words, called(&consumed, tile))
            }
            Self::Ankan { consumed } => {
                let words = format!("closed kan {}", several(&consumed));
                ("ankan", "kan", words, consumed.to_vec())
            }
            Self::Kakan { tile, .. } => {
                let words = format!("{} added to its pon", one(tile));
                ("kakan", "kan", words, vec![tile])
            }
            Self::Kita => {
                let words = "North set aside".to_owned();
                ("kita", "kan", words, vec![Kind::NORTH.tile()])
            }
            Self::Hora { tile, .. } => {
                let words = format!("win on {}", one(tile));
                ("hora", "win", words, vec![tile])
            }
            Self::Ryukyoku => {
                let words = "draw by nine terminals".to_owned();
                ("ryukyoku", "nine terminals", words, Vec::new())
            }
            Self::None => ("none", "pass", "pass".to_owned(), Vec::new()),
        };
        WordedAction {
            name,
            sort,
            words,
            pieces,
        }
    }
}

#[cfg(test)]
mod tests {
    use game_core::Seat;

    use super::*;

    #[test]
    fn every_action_has_words_and_a_listed_sort() {
        let tile = |name: &str| -> Tile { name.parse().unwrap() };
        let (five, red, target) = (tile("5m"), tile("5mr"), Seat::FIRST);
        let expected = [
            (
                Action::Dahai {
                    tile: red,
                    tsumogiri: true,
                },
                "discard 0m (drawn)",
                "discard",
            ),
            (
                Action::Reach {
                    tile: tile("E"),
                    tsumogiri: false,
                },
                "riichi with 1z",
                "riichi",
            ),
            (
                Action::Chi {
                    target,
                    tile: tile("4m"),
                    consumed: [red, tile("6m")],
                },
                "chi 4m with 06m",
                "call",
            ),
            (
                Action::Pon {
                    target,
                    tile: five,
                    consumed: [five, red],
                },
                "pon 5m with 50m",
                "call",
            ),
            (
                Action::Daiminkan {
                    target,
                    tile: five,
                    consumed: [five, five, red],
                },
                "kan of 5m called",
                "kan",
            ),
            (
                Action::Ankan {
                    consumed: [five, five, five, red],
                },
                "closed kan 5550m",
                "kan",
            ),
            (
                Action::Kakan {
                    tile: red,
                    consumed: [five; 3],
                },
                "0m added to its pon",
                "kan",
            ),
            (Action::Kita, "North set aside", "kan"),
            (Action::Hora { target, tile: five }, "win on 5m", "win"),
            (Action::Ryukyoku, "draw by nine terminals", "nine terminals"),
            (Action::None, "pass", "pass"),
        ];
        for (action, words, sort) in expected {
            assert_eq!(
                (action.to_string().as_str(), Action::SORTS[action.sort()]),
                (words, sort)
            );
        }
    }
}
