//! The words of actions.

use std::fmt;

use game_core::{ActionWords, WordedAction};
use tiles::{Kind, Tile};

use crate::event::McrAction;
use crate::hand::DeclaredSet;

impl fmt::Display for McrAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |tiles: &Vec<Tile>| tiles.iter().map(|tile| tile.name()).collect();
        f.write_str(&self.in_words(&names).words)
    }
}

impl ActionWords for McrAction {
    type Pieces = Vec<Tile>;

    const SORTS: &'static [&'static str] = &["discard", "claim", "kong", "pass", "win"];

    fn in_words(&self, written: &dyn Fn(&Vec<Tile>) -> String) -> WordedAction<Vec<Tile>> {
        let one = |kind: Kind| written(&vec![kind.tile()]);
        let (name, sort, words, pieces) = match *self {
            Self::Pass => ("pass", "pass", "pass".to_owned(), Vec::new()),
            Self::Win => ("win", "win", "win".to_owned(), Vec::new()),
            Self::Discard(kind) => {
                let words = format!("discard {}", one(kind));
                ("discard", "discard", words, vec![kind.tile()])
            }
            Self::ConcealedKong(kind) => {
                let words = format!("concealed kong of {}", one(kind));
                ("concealed kong", "kong", words, vec![kind.tile(); 4])
            }
            Self::AddKong(kind) => {
                let words = format!("{} added to the pung", one(kind));
                ("added kong", "kong", words, vec![kind.tile()])
            }
            Self::ClaimKong => ("kong", "kong", "kong".to_owned(), Vec::new()),
            Self::ClaimPung { discard } => {
                let words = format!("pung, then discard {}", one(discard));
                ("pung", "claim", words, vec![discard.tile()])
            }
            Self::ClaimChow { middle, discard } => {
                let tiles = DeclaredSet::Chow(middle).tiles();
                let chow: Vec<Tile> = tiles.map(|(kind, _)| kind.tile()).collect();
                let words = format!("chow around {}, then discard {}", one(middle), one(discard));
                ("chow", "claim", words, chow)
            }
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
    use super::*;

    #[test]
    fn every_action_has_words_and_a_listed_sort() {
        let [middle, discard] = ["5m", "E"].map(|name| name.parse::<Tile>().unwrap().kind());
        let expected = [
            (McrAction::Pass, "pass", "pass"),
            (McrAction::Win, "win", "win"),
            (McrAction::Discard(discard), "discard E", "discard"),
            (
                McrAction::ConcealedKong(discard),
                "concealed kong of E",
                "kong",
            ),
            (McrAction::AddKong(middle), "5m added to the pung", "kong"),
            (McrAction::ClaimKong, "kong", "kong"),
            (
                McrAction::ClaimPung { discard },
                "pung, then discard E",
                "claim",
            ),
            (
                McrAction::ClaimChow { middle, discard },
                "chow around 5m, then discard E",
                "claim",
            ),
        ];
        for (action, words, sort) in expected {
            assert_eq!(
                (action.to_string().as_str(), McrAction::SORTS[action.sort()]),
                (words, sort)
            );
        }
    }
}
