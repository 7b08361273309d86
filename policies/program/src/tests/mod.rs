//! The contents of a line, and the handling of a program.

mod boundary;
mod game;
mod life;
mod lines;
mod other_games;
pub(crate) mod schema;
mod shared;
