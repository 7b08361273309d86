//! The splitter, against the examples of the article it comes from and against exhaustive search.
//!
//! `SPLIT_HANDS=100000 cargo test --release -p doudizhu --test split` is the long run.

mod exhaustive;
mod hands;
mod seed;
