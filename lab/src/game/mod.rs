//! Whole games in this process: what a game is ([`Game`]), and the one loop that plays any of them ([`play`]).
//!
//! Nothing here knows a clock: the same numbers give the same game.

mod chinese_standard;
mod counts;
mod definition;
mod doudizhu;
mod play;
mod played;
mod player;
mod riichi;

pub use chinese_standard::ChineseStandardGame;
pub use counts::{SeatCounter, SeatCounts};
pub use definition::{ActionOf, EventOf, Game, RecordedGame};
pub use doudizhu::DouDizhuGame;
pub use play::{GameError, GameNews, SeatDecision, play};
pub use played::{GameEnd, GameId, PlayedGame, SeatAnswers};
pub use player::{Entrant, SeatPlayer};
pub use riichi::RiichiGame;
