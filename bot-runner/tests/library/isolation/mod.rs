//! Policies in processes of their own.

mod child;
mod deciding;
mod ending;
mod mutated;
mod playing;
mod starting;
mod surroundings;
