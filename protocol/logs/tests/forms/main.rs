//! Games go through each form and back, and broken logs are refused.
//!
//! The long run: `GAMES=10000 cargo test -p game-logs --test forms`.

#[path = "../../../../games/riichi/tests/game/choice.rs"]
mod choice;
mod containers;
mod hostile;
mod played;
mod round_trip;
mod spellings;
mod writers;
