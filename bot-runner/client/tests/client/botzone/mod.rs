//! Botzone: matches as state machines, and an account on a real socket.

mod account;
mod bidding_match;
mod doudizhu_match;
mod independent;
mod mcr_match;
