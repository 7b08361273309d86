//! What sessions make of frames, one text after the other and without any connection; where nothing else is said, of
//! RiichiLab's.

mod acks;
mod desync;
mod ending;
mod games;
mod hidden;
mod lists;
mod log;
mod mjsonp;
mod player;
mod requests;
mod riichi;
mod seats;
mod secrets;
mod stdio;
mod wrong_table;
