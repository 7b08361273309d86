//! The program around the [`client`]: configs, the fleet of bots, control, pages, and the commands.
#![forbid(unsafe_code)]

pub mod cli;
pub mod commands;
pub mod demo;
pub mod logging;
pub mod page;
pub mod program;
pub mod version;
