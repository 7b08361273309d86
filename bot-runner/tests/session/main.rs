//! What a RiichiLab session makes of an arena's frames, one text after the other and without any connection.

#[path = "../common/mod.rs"]
mod common;

mod acks;
mod desync;
mod ending;
mod games;
mod hidden;
mod lists;
mod player;
mod requests;
mod riichi;
mod seats;
mod secrets;
