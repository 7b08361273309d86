//! Sessions: the arenas' dialects as state machines without I/O.

pub mod choice;
pub mod desync;
pub mod observed;
pub mod riichilab;
