//! A game as a page: one HTML file with the game as data, a script that plays it and the tiles that it is drawn with. It asks
//! for nothing from anywhere.
//!
//! ```
//! use riichi::{Event, Seat, game::Game, Rules, safe_answer};
//! use page::GamePage;
//!
//! let mut game = Game::new(Rules::TENHOU_HALF, 7);
//! let mut events = game.events().to_vec();
//! while !game.is_over() {
//!     for seat in game.asked() {
//!         let legal = game.legal_actions(seat);
//!         game.answer(seat, safe_answer(&legal).unwrap_or(legal[0]))?;
//!     }
//!     events.extend_from_slice(game.events());
//! }
//! let page = GamePage { title: "Four who only discard".to_owned(), events, ..GamePage::default() };
//! let html = page.html();
//! assert!(html.starts_with("<!DOCTYPE html>") && html.len() < 400_000);
//! # Ok::<(), riichi::game::AnswerError>(())
//! ```
#![forbid(unsafe_code)]

mod codes;
mod data;
mod document;
mod game;
mod rounds;
mod steps;
mod text;
mod web;

pub use document::Document;
pub use game::{GamePage, OtherChoice, OwnChoice, PageDecision, PageDesync};
pub use steps::{GameStep, Pieces, StepDecision, StepPage, StepRow, StepSeat};
pub use web::{WebAsset, web_asset};
