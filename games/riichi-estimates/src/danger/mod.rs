//! Danger: the probability that a discard deals in, based on public information.
//!
//! The judging seat creates a [`Sight`] of the tiles that it sees, and an [`Opponent`] from the
//! actions of each other seat; [`Danger::of`] the two gives, for every kind, the probability that
//! the opponent wins on it:
//!
//! ```
//! use riichi_estimates::danger::{Danger, Opponent, Sight};
//! # use riichi::{Rules, Seat, Table};
//! # let (table, other, kind) = (Table::new(Rules::default(), Seat::FIRST), Seat::new(1).unwrap(), riichi::Kind::EAST);
//! let danger = Danger::of(&Sight::of_table(&table), &Opponent::of_table(&table, other));
//! let chance: f32 = danger.deal_in(kind);
//! ```
//!
//! The estimate has two parts. In riichi the opponent is certainly **tenpai**; otherwise the
//! probability follows from its melds and its turn. The probability that a tenpai hand **waits for
//! the kind** follows from the [`Class`] of the kind (the waits that are still possible: suji,
//! walls, honours by copies seen) and from the number of two-sided waits that are still possible,
//! and is then multiplied by a factor for each of its [`Traits`] (dora, outside of an early
//! discard, next to the riichi tile, unseen copies, the suit that the opponent collects). All
//! figures are measured; `figures/` holds them, of four players and of three, with the commands.
//! They come from bots that maximise acceptance, so a collected suit says little. Certain safety is
//! exact and not an estimate: see [`Opponent::safe`] and [`Class::Never`].
//!
//! A tile that the judging seat holds itself is seen like any other: a wall of it keeps others from
//! waits just the same.
//!
//! Nothing here allocates.

mod class;
pub mod figures;
mod lines;
mod opponent;
mod sight;
mod traits;

pub use class::{Class, Group, Side};
pub use lines::{MAX_LINES, TwoSidedWaits};
pub use opponent::{Opponent, Threat};
pub use sight::Sight;
pub use traits::{Copies, DoraTrait, OutsideTrait, RiichiTrait, SuitTrait, Traits};

use figures::measured;
use tiles::{KINDS, Kind};

/// The probability that one opponent wins on each kind, if it is discarded now.
#[derive(Debug, Clone, PartialEq)]
pub struct Danger {
    tenpai: f32,
    waits_for: [f32; KINDS],
    loss: [f32; KINDS],
}

impl Danger {
    /// The estimate for one opponent as the judging seat sees it.
    pub fn of(sight: &Sight, opponent: &Opponent) -> Self {
        let measured = measured(sight.players);
        let figures = measured.waits(opponent.threat());
        let lines = TwoSidedWaits::new(sight, opponent);
        let mut waits_for = [0.0; KINDS];
        let loss = measured.loss(
            opponent.threat(),
            opponent.is_dealer(),
            opponent.shown_han(sight),
        );
        let mut losses = [loss; KINDS];
        for kind in Kind::all() {
            let class = Class::of(kind, sight, opponent, &lines);
            let traits = Traits::of(kind, sight, opponent);
            waits_for[kind.index()] = figures.chance(class, lines.live(), &traits);
            losses[kind.index()] *= measured.dora_loss(traits.dora);
        }
        Self {
            tenpai: measured.tenpai(opponent.threat()),
            waits_for,
            loss: losses,
        }
    }

    /// The probability that the opponent is tenpai, from 0 to 1.
    pub const fn tenpai(&self) -> f32 {
        self.tenpai
    }

    /// The probability that a discard of this kind deals in to the opponent, from 0 to 1; for one
    /// in riichi, exactly 0 if the kind is certainly safe.
    pub const fn deal_in(&self, kind: Kind) -> f32 {
        self.tenpai * self.waits_for[kind.index()]
    }

    /// The average cost of a deal-in with this kind in points without honba: higher for the dealer,
    /// for melds with han, and on and near the dora.
    pub const fn loss(&self, kind: Kind) -> f32 {
        self.loss[kind.index()]
    }
}
