//! Policies in their own processes.

mod child;
mod deciding;
mod ending;
mod mutated;
mod playing;
mod starting;
mod surroundings;
