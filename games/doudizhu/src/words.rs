//! The words of actions.

use std::fmt;

use game_core::{ActionWords, WordedAction};

use crate::counts::RankCounts;
use crate::event::DouDizhuAction;

impl fmt::Display for DouDizhuAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(&RankCounts::to_string).words)
    }
}

impl ActionWords for DouDizhuAction {
    type Pieces = RankCounts;

    const SORTS: &'static [&'static str] = &["bid", "play", "pass"];

    fn in_words(&self, written: &dyn Fn(&RankCounts) -> String) -> WordedAction<RankCounts> {
        let (name, sort, words, pieces) = match self {
            Self::Bid(0) => ("bid", "bid", "no bid".to_owned(), RankCounts::default()),
            Self::Bid(bid) => ("bid", "bid", format!("bid {bid}"), RankCounts::default()),
            Self::Pass => ("pass", "pass", "pass".to_owned(), RankCounts::default()),
            Self::Play(play) => {
                let words = format!("play {}", written(&play.cards));
                (play.combination.kind.name(), "play", words, play.cards)
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
