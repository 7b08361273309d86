//! Measures how rounds end: `cargo run --release -p calculator --example rounds -- 20000`.
#![allow(clippy::print_stdout, reason = "its output is the file of the figures")]

fn main() {
    let games = std::env::args()
        .nth(1)
        .and_then(|games| games.parse().ok())
        .unwrap_or(20_000);
    print!("{}", calculator::places::measure(games));
}
