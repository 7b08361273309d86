//! Seats bots at mahjong arenas: connections, sessions, bots, and the commands.
#![forbid(unsafe_code)]

pub mod bot;
pub mod budget;
pub mod builtin;
pub mod cli;
pub mod commands;
pub mod config;
pub mod control;
pub mod decision_note;
pub mod demo;
pub mod fleet;
mod kept_game;
pub mod latency;
pub mod logging;
pub mod output;
mod own_thread;
pub mod place;
pub mod program;
pub mod records;
mod screen;
pub mod session;
mod shown_choice;
pub mod shutdown;
pub mod token_lock;
pub mod transport;
pub mod web;
