//! Policies in processes of their own.

mod child;
mod deciding;
mod ending;
mod playing;
mod starting;
mod surroundings;
