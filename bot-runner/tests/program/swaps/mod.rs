//! Policies swapped while the program plays.

mod builds;
mod by_command;
mod by_file;
mod gate;
