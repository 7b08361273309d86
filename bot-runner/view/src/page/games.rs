//! The games whose records have their own format.

use policy_host::GameKind;

use super::doudizhu::ShownDouDizhu;
use super::mcr::ShownMcr;
use super::record::{RecordPage, Recorded};

/// The page of a record of this game, by the game's name in records; `None` for a game without such
/// records. With `last_only` of all positions the last is kept.
#[must_use]
pub fn record_page(game: &str, last_only: bool) -> Option<Box<dyn RecordPage>> {
    match game.parse().ok()? {
        GameKind::Riichi => None,
        GameKind::Mcr => Some(Box::new(Recorded::<ShownMcr>::new(last_only))),
        GameKind::DouDizhu => Some(Box::new(Recorded::<ShownDouDizhu>::new(last_only))),
    }
}
