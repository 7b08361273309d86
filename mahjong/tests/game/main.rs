//! The game: against `riichienv-core`, by examples of single rules, and by what holds in every game.
//!
//! `GAMES=10000 cargo test --release -p mahjong --test game against -- --nocapture` is the long run of the comparison.

mod against;
mod choice;
mod claims;
mod deal;
mod draws;
mod faults;
mod kans;
mod peer;
mod play;
mod records;
mod setup;
mod soak;
mod wins;

/// How many games a test plays, of `default` or as the environment says.
fn games(default: u64) -> u64 {
    std::env::var("GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(default)
}
