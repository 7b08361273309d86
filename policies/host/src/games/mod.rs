//! The games that a policy may play, and all in which they differ for a host.
//!
//! The one place that chooses by the game is [`GameKind::definition`].

pub(crate) mod doudizhu;
mod kind;
pub(crate) mod mcr;
pub(crate) mod riichi;
mod seat_table;

pub use kind::{GameKind, RecordedEvents, UnknownGame};
pub use seat_table::{ScriptedQuestion, SeatTable, scripted_questions};

use crate::view::{Asked, GameLayout, ViewBuffer};

/// What a game brings.
pub(crate) struct GameDefinition {
    /// What its views measure.
    pub(crate) layout: GameLayout,
    /// Everything that a seat is asked in a game for so many players that takes its course whatever is answered.
    pub(crate) scripted: fn(u8, Asked) -> Vec<ViewBuffer>,
}

impl GameKind {
    /// What the game brings.
    pub(crate) const fn definition(self) -> &'static GameDefinition {
        match self {
            Self::Riichi => &riichi::DEFINITION,
            Self::Mcr => &mcr::DEFINITION,
            Self::DouDizhu => &doudizhu::DEFINITION,
        }
    }
}

/// Most bytes of a view of any game with all that it points to.
pub(crate) const MAX_VIEW_BYTES: usize = {
    let mut most = 0;
    let mut at = 0;
    while at < GameKind::ALL.len() {
        let bytes = GameKind::ALL[at].definition().layout.most_bytes();
        if bytes > most {
            most = bytes;
        }
        at += 1;
    }
    most
};

/// Most legal actions of any game.
pub(crate) const MAX_ACTIONS: usize = {
    let mut most = 0;
    let mut at = 0;
    while at < GameKind::ALL.len() {
        let actions = GameKind::ALL[at].definition().layout.max_legal;
        if actions > most {
            most = actions;
        }
        at += 1;
    }
    most
};
