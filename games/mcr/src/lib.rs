//! Chinese Standard mahjong (国标麻将, MCR), as Botzone plays it and as its official rules count it.
//!
//! This crate has no I/O and no JSON, and knows no arena. Kinds, counts and the short notation of
//! tiles come from
//! [`tiles`]: the 34 kinds are the same, and no tile here is red.
//!
//! Sources cited in the modules: *the rules* are 中国麻将竞赛规则（试行）, July 1998 (fan table pp. 23-27,
//! principles pp. 29-30, definitions pp. 52-93, payments p. 22); *the judge* is Botzone's program
//! for this game (ailab-pku/Chinese-Standard-Mahjong, `judge/main.cpp`), which counts fan with the
//! calculator in PyPI's PyMahjongGB 1.4.0.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

mod combine;
pub mod count;
pub mod decision;
pub mod distance;
mod division;
pub mod event;
pub mod fan;
mod fan_cache;
pub mod game;
pub mod hand;
mod masks;
pub mod referee;
pub mod seat;
pub mod targets;
mod words;

pub use count::{FanCount, WinToCount, count_fan};
pub use decision::McrDecision;
pub use event::{McrAction, McrEvent};
pub use fan::{Counting, Fan};
pub use game::McrGame;
pub use hand::{DeclaredSet, HandTiles, NotAHand};
pub use seat::{McrRules, McrSeatState};
