//! Sessions on frames, one text after another and without a connection; on RiichiLab's unless
//! stated otherwise.

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
