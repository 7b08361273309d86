//! Seats bots at mahjong arenas: connections, sessions, the policy host and the commands.

pub mod advisor;
pub mod analyze;
pub mod bot;
pub mod budget;
pub mod cli;
pub mod commands;
pub mod comparison;
pub mod config;
pub mod content_hash;
pub mod control;
pub mod danger;
pub mod demo;
pub mod logging;
pub mod output;
pub mod plugin;
pub mod record;
pub mod records;
pub mod reload;
pub mod replay;
pub mod session;
pub mod setup;
pub mod shutdown;
pub mod tally;
pub mod tournament;
pub mod transport;
pub mod trial;
