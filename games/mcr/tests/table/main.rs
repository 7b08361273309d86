//! Whole games and the seats in them: single rules of play by example, and games with random
//! answers.
//!
//! Against an independent judge, with the same walls and answers: `tests/judge/` (2,000 games in
//! the long run).

mod claims;
mod ends;
mod scene;
mod seats;
