//! The future of a hand, by example, against all orders of small walls, and against whole walls
//! drawn at random.
//!
//! `EXPECTATION_POSITIONS=1000 cargo test --release -p riichi-estimates --test expectation` draws
//! from the walls of that many positions.

mod examples;
mod orders;
mod scene;
mod walls;
