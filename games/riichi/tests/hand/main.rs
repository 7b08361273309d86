//! Functions about hands, checked by examples and against independent implementations.
//!
//! The comparisons take 10,000 random cases of each class; `HAND_CHECKS=1000000 cargo test
//! --release -p bot-runner-riichi --test hand` takes more. (With much fewer, some yaku never come
//! up, and a test says so.)

mod cases;
mod certainty;
mod checks;
mod engine;
mod garbage;
mod peers;
#[path = "../../benches/hand/random.rs"]
mod random;
mod shapes;
mod text;
mod three_players;
mod wins;
mod yaku;

use checks::checks;
