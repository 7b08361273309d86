//! What stands in a line, and how a program is treated.

mod boundary;
mod game;
mod life;
mod lines;
pub(crate) mod schema;
