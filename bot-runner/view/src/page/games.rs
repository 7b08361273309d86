//! The games whose records can be shown.

use policy_host::GameKind;

use super::doudizhu::ShownDouDizhu;
use super::mcr::ShownMcr;
use super::record::{RecordPage, Recorded};
use super::riichi::ShownRiichi;

/// The page of a record of this game. With `last_only` of all positions the last is kept.
pub fn record_page(game: GameKind, last_only: bool) -> Box<dyn RecordPage> {
    match game {
        GameKind::Riichi => Box::new(Recorded::<ShownRiichi>::new(last_only)),
        GameKind::Mcr => Box::new(Recorded::<ShownMcr>::new(last_only)),
        GameKind::DouDizhu => Box::new(Recorded::<ShownDouDizhu>::new(last_only)),
    }
}
