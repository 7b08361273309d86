//! Botzone's texts, read and written.

mod doudizhu;
mod hostile;
mod mcr;
mod poll;
mod turns;
