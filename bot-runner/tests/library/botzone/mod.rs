//! Botzone: matches as state machines, and an account on a real socket.

mod account;
mod bidding_match;
mod card_match;
mod independent;
mod standard_match;
