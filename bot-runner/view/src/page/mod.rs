//! A game as a page: one HTML file with the game as data, a script that draws it, and the drawings
//! of the tiles. It loads nothing from elsewhere.
//!
//! The positions are computed here: the page stores each as the difference from the previous one,
//! and its script knows no rules.
//!
//! ```
//! use riichi::{Rules, game::RiichiGame, safe_answer};
//! use view::page::Walk;
//!
//! let mut game = RiichiGame::new(Rules::TENHOU_HALF, 7);
//! let mut events = game.events().to_vec();
//! while !game.is_over() {
//!     for seat in game.asked() {
//!         let legal = game.legal_actions(seat);
//!         game.answer(seat, safe_answer(&legal).unwrap_or(legal[0]))?;
//!     }
//!     events.extend_from_slice(game.events());
//! }
//! let mut walk = Walk::riichi(&events, &[], false).expect("a round is dealt");
//! events.iter().for_each(|event| assert!(walk.hear(event)));
//! let html = walk.into_page().html();
//! assert!(html.starts_with("<!DOCTYPE html>") && html.len() < 400_000);
//! # Ok::<(), riichi::game::AnswerError>(())
//! ```
mod assets;
mod document;
mod doudizhu;
mod games;
mod index;
mod languages;
mod list;
mod mcr;
mod model;
mod outcome;
mod record;
mod riichi;
mod simulated;
mod text;
mod walk;
mod words;

pub(crate) use assets::SCRIPT;
pub use assets::{WebAsset, web_asset};
pub use document::Document;
pub use games::record_page;
pub use index::{IndexedGame, IndexedRecord, index_html};
pub use languages::PageLanguage;
pub(crate) use languages::tables_module;
pub use list::{ListCell, ListPage, ListTable};
pub use model::{
    OtherChoice, OwnChoice, Page, PageDecision, PageDesync, PageLoss, Pieces, Position, Round,
    SeatPosition, ShownAction, ShownEnd, ShownMeld, SimulatedValue, Step, StepSort,
};
pub use outcome::{outcome_words, payment_words, result_words, seat_name};
pub use record::{RecordPage, Recorded, show_end};
pub use riichi::ShownRiichi;
pub use simulated::SimulatedFigure;
pub use walk::{ShownEventOf, ShownGame, Told, Walk};
pub use words::ShownPieces;
pub(crate) use words::{tile_code, tile_codes};
