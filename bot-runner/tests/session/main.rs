//! What a RiichiLab session makes of an arena's frames, one text after the other and without any connection.

mod acks;
mod desync;
mod ending;
mod frames;
mod games;
mod hidden;
mod lists;
mod requests;
mod riichi;
mod seats;
mod secrets;
