//! The boundary, from both of its sides.

mod calls;
mod extensions;
mod hostile_games;
mod hostile_view;
mod panics;
mod params;
mod reading;
mod table;
mod win;
