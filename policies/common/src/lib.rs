//! Functions that the strategies share, whatever else they do.
//!
//! A decision first handles the cases without a choice, and then asks the [`Strategy`]. On the own
//! turn a strategy ranks the [`candidates`] that are [eligible](candidate::eligible), breaking
//! [ties](throw), and may show a [safe kan](kan::or_discard) instead. On a claim it considers the
//! [calls](call::offered) that keep a yaku certain. Each strategy decides for itself which discard
//! is best, and which call is worth making; [`call::nearest`] serves those that call for speed.
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
