//! Botzone: matches as state machines, and an account on a real socket.

mod account;
mod card_match;
mod independent;
mod standard_match;
