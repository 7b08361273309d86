//! The danger figures measured anew, from games whose hands are all known.

mod count;
mod fit;
mod print;
#[cfg(test)]
mod tests;

pub(crate) use count::{CannotCount, DangerCounter, would_win};
