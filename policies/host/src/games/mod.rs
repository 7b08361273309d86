//! The games that a policy may play, and all in which they differ for a host.
//!
//! The one place that chooses by the game is [`GameKind::definition`].

mod doudizhu;
mod kind;
mod mcr;
mod policy_table;
mod riichi;
mod scripts;

pub use kind::{GameKind, RecordedEvents, UnknownGame};
pub use policy_table::{PolicyTable, ScriptedQuestion, ShownTable, scripted_questions};
pub use riichi::RoundLog;

use ::doudizhu::DouDizhuSeatState;
use ::mcr::McrSeatState;
use ::riichi::Table;

use crate::view::{Asked, GameLayout, ViewBuffer};

/// The parts that a game provides.
pub(crate) struct GameDefinition {
    /// The sizes of its views.
    pub(crate) layout: GameLayout,
    /// The views that a policy is asked before it is admitted, for this many players.
    pub(crate) admission_views: fn(u8, Asked) -> Vec<ViewBuffer>,
}

impl GameDefinition {
    const fn of<T: ShownTable>() -> Self {
        Self {
            layout: GameLayout::of::<T::View>(),
            admission_views: policy_table::admission_views::<T>,
        }
    }
}

impl GameKind {
    pub(crate) const fn definition(self) -> &'static GameDefinition {
        match self {
            Self::Riichi => const { &GameDefinition::of::<Table>() },
            Self::Mcr => const { &GameDefinition::of::<McrSeatState>() },
            Self::DouDizhu => const { &GameDefinition::of::<DouDizhuSeatState>() },
        }
    }
}

/// Maximum size, in bytes, of a view of any game with the arrays it points to.
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

/// Maximum number of legal actions in any game.
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
