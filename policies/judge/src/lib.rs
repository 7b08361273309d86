//! The estimated value of each action of a riichi decision, in places, for the strategies that
//! choose among them.
//!
//! [`choices`] visits the actions worth considering, each with its value and the parts of it as a
//! [`ValuedAction`]; [`features`] describes a choice and its decision in numbers, for learning from
//! games.
//!
//! The value of an action is the expected gain in places over the current state of the game:
//!
//! - **Attack.** Without a threat a hand aims for the lowest shanten number and the widest
//!   acceptance, and also weighs its acceptance and value one step later. One step from tenpai the
//!   wins are scored exactly, with all yaku; before that, by dora, reds, value honours, simples and
//!   one suit.
//! - **Threat.** [`riichi_estimates::danger`] gives the probability of each opponent's tenpai, by
//!   riichi or open melds, and the cost of a tile against it. Several opponents are added up.
//! - **Push or fold.** A hand that is played on is a [race]: in each go-round it may come a step
//!   nearer, win, lose to another's win, or pay for a dangerous discard. The [standing] converts
//!   the points at the end into places. The race ends as soon as giving up is worth more, so
//!   folding needs no separate rule.
//! - **Fold.** Certainly safe tiles cost nothing; others cost the average for their class, their
//!   traits and the opponent's hand. A tile that leaves another safe one is better than one that
//!   leaves none.
//! - **Kans.** A kan that changes neither shanten nor waits is valued with its extra draw and its
//!   extra indicator.
//! - **Going back.** Against a threat a hand may go back a step with a safer tile and still be
//!   played on. From tenpai it may do so at any time: the wait may be dead, furiten or without a
//!   yaku.
//!
//! The origin of the figures:
//!
//! | figures | origin |
//! |---|---|
//! | probability and cost of dealing in, probability that melds mean tenpai | measured: [`riichi_estimates::danger::figures`] |
//! | all others | [`tuning`] and [`calculator::estimates`], one by one |
#![forbid(unsafe_code)]

mod choice;
mod choices;
mod claim;
pub mod features;
mod kans;
mod options;
mod own_turn;
mod payoff;
mod prospect;
mod race;
mod standing;
mod threats;
mod tuning;
mod worth;

pub use choice::{Best, Deed, Judged, ValuedAction};
pub use choices::choices;
pub use options::{JudgeOptions, PARAMS};
pub use payoff::Payoff;
pub use prospect::{Judge, Prospect};
