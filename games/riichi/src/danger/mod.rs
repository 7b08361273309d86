//! Danger: how likely a discard is to deal in, judged from what is public.
//!
//! A seat that judges makes a [`Sight`] of what it sees, and an [`Opponent`] of what each other seat has shown;
//! [`Danger::of`] the two tells for every kind how likely that opponent is to win on it:
//!
//! ```
//! use riichi::danger::{Danger, Opponent, Sight};
//! # use riichi::{Rules, Seat, Table};
//! # let (table, other, kind) = (Table::new(Rules::default(), Seat::FIRST), Seat::new(1).unwrap(), riichi::Kind::EAST);
//! let danger = Danger::of(&Sight::of_table(&table), &Opponent::of_table(&table, other));
//! let chance: f32 = danger.deal_in(kind);
//! ```
//!
//! The estimate has two parts. How likely the opponent is to be **tenpai** is certain in riichi, and else read from its
//! melds and its turn. How likely a tenpai hand is to **wait for the kind** is read from the [`Class`] of the kind (what
//! waits can still take it: suji, walls, honours by copies seen) and from how many two-sided waits are still possible
//! at all, and then multiplied by a factor for each of its [`Traits`] (dora, outside of an early discard, beside the
//! riichi tile, copies not seen, the suit that the opponent collects). All figures are measured; `figures/`
//! holds them, of four players and of three, with the commands. They are those of bots that go for the widest acceptance: a collected suit says little
//! of these. What is certainly safe is exact and no figure at all: see [`Opponent::safe`] and [`Class::Never`].
//!
//! A tile that the judging seat holds itself is seen like any other: a wall of it keeps others from waits just the same.
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

/// How likely one opponent is to win on each kind, if it is thrown now.
#[derive(Debug, Clone, PartialEq)]
pub struct Danger {
    tenpai: f32,
    waits_for: [f32; KINDS],
    loss: [f32; KINDS],
}

impl Danger {
    /// The estimate for one opponent as the judging seat sees it.
    #[must_use]
    pub fn of(sight: &Sight, opponent: &Opponent) -> Self {
        let measured = measured(sight.players);
        let figures = measured.waits(opponent.threat());
        let lines = TwoSidedWaits::new(sight, opponent);
        let mut waits_for = [0.0; KINDS];
        let loss = measured.loss(opponent.threat(), opponent.is_dealer(), opponent.shown_han(sight));
        let mut losses = [loss; KINDS];
        for kind in Kind::all() {
            let class = Class::of(kind, sight, opponent, &lines);
            let traits = Traits::of(kind, sight, opponent);
            waits_for[kind.index()] = figures.chance(class, lines.live(), &traits);
            losses[kind.index()] *= measured.dora_loss(traits.dora);
        }
        Self { tenpai: measured.tenpai(opponent.threat()), waits_for, loss: losses }
    }

    /// How likely the opponent is to be tenpai, from 0 to 1.
    #[must_use]
    pub const fn tenpai(&self) -> f32 {
        self.tenpai
    }

    /// How likely a discard of this kind is to deal in to the opponent, from 0 to 1; to one in riichi, 0 exactly where it
    /// certainly does not.
    #[must_use]
    pub const fn deal_in(&self, kind: Kind) -> f32 {
        self.tenpai * self.waits_for[kind.index()]
    }

    /// What a deal-in with this kind costs on average, points without honba: more to the dealer, to melds that show han,
    /// and on and near the dora.
    #[must_use]
    pub const fn loss(&self, kind: Kind) -> f32 {
        self.loss[kind.index()]
    }
}
