//! What the strategies do the same way, whatever else they look at.
//!
//! A decision opens with what leaves no choice ([`opening`]). On the own turn a strategy ranks the [`candidates`] that it
//! is [left with](candidate::eligible), and may show a [safe kan](kan::safe). On a claim it looks at the
//! [calls](call::offered) that keep a yaku certain. Which discard is the best, and which call is worth making, is each
//! strategy's own; [`call::nearest`] serves those that call for speed.
//!
//! [`opening`]: opening::opening
//! [`candidates`]: candidate::candidates

pub mod call;
pub mod candidate;
pub mod habits;
pub mod kan;
pub mod kita;
pub mod opening;
pub mod progress;

pub use candidate::Candidate;
pub use habits::{Calls, Habits, Kans};
pub use progress::Progress;
