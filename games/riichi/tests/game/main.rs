//! The game: against `riichienv-core`, by examples of single rules, and by properties of every
//! game.
//!
//! The long runs, which may be split into parts by the number of the first game (`FIRST=1001
//! GAMES=1000 ...`):
//!
//! ```sh
//! GAMES=10000 cargo test --release -p bot-runner-riichi --test game against_the_engine_by -- --nocapture    # four players
//! GAMES=5000 cargo test --release -p bot-runner-riichi --test game against_the_engine_with -- --nocapture   # three
//! GAMES=1000000 cargo test --release -p bot-runner-riichi --test game soak -- --nocapture
//! GAMES=10000 cargo test --release -p bot-runner-riichi --test game referee::sound -- --nocapture
//! CHANGES=20000 cargo test --release -p bot-runner-riichi --test game referee::changes -- --nocapture
//! ```

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
mod referee;
mod scenes;
mod setup;
mod soak;
mod wins;

use std::ops::Range;

/// The numbers of the games that a test plays: this many from 1 on, or `GAMES` from `FIRST` on,
/// from the environment.
fn games(default: u64) -> Range<u64> {
    let number =
        |name| {
            let text = std::env::var(name).ok()?;
            Some(text.parse::<u64>().unwrap_or_else(|error| {
                panic!("{name}={text}: {error}; a whole number is expected")
            }))
        };
    let first = number("FIRST").unwrap_or(1);
    first..first + number("GAMES").unwrap_or(default)
}
