//! What each action of a round comes to: every candidate is played to the end of the round many times, by all seats, on hidden
//! tiles drawn at random; then the game is played out by how rounds end.
//!
//! [`Calculation`] does that for a decision of one seat. All candidates are played on the same worlds, so that luck that is the
//! same for all cancels out, and most simulations go where the choice is close. All seats play by one fast policy, which
//! looks at nothing that its seat may not know. What a final place is likely to be when the round is over comes from
//! [`places`]. What simulations and strategies estimate alike is in [`estimates`].
//!
//! There is no I/O and no clock here: whoever calculates says when it is enough.
#![forbid(unsafe_code)]

mod attack;
mod calculation;
pub mod estimates;
mod fast_policy;
pub mod places;
mod round;
mod stakes;
mod tally;
mod worth;

pub use calculation::{ActionEstimate, Calculation, CalculationError, Goal, Prior};
pub use tally::{ActionFigures, Mean};
