//! Dou Dizhu ("Fight the Landlord"): three seats, 54 cards, one landlord against two peasants.
//!
//! - [`card`], [`counts`], [`notation`]: cards, sets of them, and their notation;
//! - [`combination`], [`plays`]: what may be played, what beats what, and everything a hand can
//!   play;
//! - [`split`]: the fewest turns in which a hand can be played out, and how;
//! - [`event`], [`round`], [`table`]: the public part of a game, the game from one seat's point of
//!   view, and its legal actions;
//! - [`game`]: the whole game, judged; [`referee`]: whether a record can have happened.
//!
//! The rules come from Botzone's judges of `FightTheLandlord` and `FightTheLandlord2`
//! (<https://github.com/ailab-pku/botzone-local>, `botzone/online/game/FightTheLandlord.py3` and
//! `FightTheLandlord2.py36`); each module names the parts that it implements. Suits have no
//! meaning. This crate has no I/O, no JSON and no clock, and knows no arena.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

pub mod card;
pub mod combination;
pub mod counts;
pub mod event;
pub mod game;
pub mod masks;
pub mod notation;
pub mod plays;
pub mod referee;
pub mod round;
pub mod rules;
pub mod seat;
pub mod split;
pub mod table;
mod words;

pub use card::{Card, CardSet, Rank};
pub use combination::{Combination, CombinationKind, Wings};
pub use counts::RankCounts;
pub use event::{DouDizhuAction, DouDizhuEvent, safe_action};
pub use game::{DouDizhuDeal, DouDizhuGame};
pub use masks::RankMasks;
pub use plays::DouDizhuPlay;
pub use round::{DouDizhuEnd, DouDizhuRound};
pub use rules::DouDizhuRules;
pub use seat::DouDizhuSeat;
pub use split::{HandSplit, best_split, best_splits};
pub use table::DouDizhuSeatState;
