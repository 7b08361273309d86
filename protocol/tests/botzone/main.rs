//! Botzone's texts, read and written.

mod cards;
mod hostile;
mod poll;
mod standard;
mod turns;
