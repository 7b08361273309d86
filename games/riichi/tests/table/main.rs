//! The table and its legal actions, as a specification.
//!
//! Rounds are written event by event in mjai's tile names and seen from seat 0; see [`round`].

mod calls;
mod consistency;
mod contradictions;
mod discards;
mod furiten;
mod hidden;
mod kans;
mod properties;
mod records;
mod riichi;
mod rivers;
mod round;
mod scores;
mod snapshot;
mod three_players;
mod wins;
mod worth;
