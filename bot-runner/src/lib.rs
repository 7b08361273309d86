//! The program around the [`client`]: configs, the fleet of bots, control, pages, and the commands.
#![forbid(unsafe_code)]

pub mod builtin;
pub mod cli;
pub mod commands;
pub mod config;
pub mod control;
pub mod demo;
pub mod fleet;
pub mod logging;
pub mod output;
pub mod page;
pub mod program;
pub mod version;
