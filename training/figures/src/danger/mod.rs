//! Measures the danger figures from games with known hands.

mod count;
mod fit;
mod print;
#[cfg(test)]
mod tests;

pub(crate) use count::{DangerCounter, would_win};
