//! Riichi mahjong as one seat may know it.
//!
//! A [`Table`] applies [`Event`]s, tracks the game from one seat's point of view, and lists the
//! seat's legal actions. The other modules answer questions about hands: [`shanten`],
//! [`acceptance`], [`waits`], [`yaku`], [`score`]. This crate has no I/O and no JSON, and knows no
//! arena.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

pub mod acceptance;
pub mod action;
pub mod event;
pub mod game;
pub mod hand;
pub mod meld;
pub mod notation;
pub mod referee;
pub mod rules;
pub mod score;
pub mod shape;
pub mod table;
pub mod waits;
mod words;
pub mod yaku;

pub use game_core::{
    ActionOf, ActionWords, EventOf, Finding, FindingKind, MAX_PLAYERS, Measure, PerSeat, Seat,
    SeatTable, WholeGame, WordedAction, rng,
};
pub use tiles::{
    ConcealedHand, Counts, Kind, KindSet, Tile, Wind, concealed, kinds, shanten, tile,
};

pub use action::{Action, LegalActions, leaves_choice, safe_answer};
pub use event::Event;
pub use hand::{FifthTile, Hand, NotHeld};
pub use meld::{Called, Meld, MeldKind};
pub use rules::Rules;
pub use table::Table;
