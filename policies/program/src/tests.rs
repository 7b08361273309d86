//! What stands in a line, and how a program is treated.

mod boundary;
mod game;
mod life;
mod lines;
mod other_games;
pub(crate) mod schema;
