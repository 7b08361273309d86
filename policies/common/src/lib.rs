//! What the strategies do the same way, whatever else they look at.
//!
//! A decision opens with what leaves no choice, and then asks the [`Strategy`]. On the own turn a strategy ranks the
//! [`candidates`] that it is [left with](candidate::eligible), [ties](throw) included, and may show a
//! [safe kan](kan::or_discard) instead. On a claim it looks at the [calls](call::offered) that keep a yaku certain. Which
//! discard is the best, and which call is worth making, is each strategy's own; [`call::nearest`] serves those that call
//! for speed.
//!
//! [`candidates`]: candidate::candidates
#![forbid(unsafe_code)]

pub mod call;
pub mod candidate;
pub mod habits;
pub mod kan;
pub mod kita;
mod opponent;
pub mod progress;
mod strategy;
#[cfg(test)]
mod tests;
pub mod throw;

pub use candidate::Candidate;
pub use habits::{Calls, Habits, Kans};
pub use opponent::opponent;
pub use progress::Progress;
pub use strategy::{Strategy, decide};
pub use throw::Throw;
