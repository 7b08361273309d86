//! The danger figures measured anew, from games whose hands are all known.

mod count;
mod file;
mod fit;
mod print;
#[cfg(test)]
mod tests;

pub(crate) use count::would_win;
pub use count::{CannotCount, Counter};
pub use file::{BadDangerFile, CountedRecord, DangerArguments, DangerFile, Item};
