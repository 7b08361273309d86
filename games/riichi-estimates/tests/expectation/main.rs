//! The future of a hand, by example, against all orders of small walls, and against whole walls
//! drawn at random.
//!
//! `EXPECTATION_POSITIONS=1000 cargo test --release -p riichi-estimates --test expectation` draws
//! from the walls of that many positions.

#[path = "../../../riichi/benches/hand/random.rs"]
#[allow(
    dead_code,
    reason = "shared with benches and other tests, which use the rest"
)]
mod random;

mod examples;
mod frozen;
mod orders;
mod scene;
mod walls;
