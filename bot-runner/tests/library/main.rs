//! Tests of the library, part by part: dialects of lines on real sockets and pipes, records, and
//! tournaments.

#[path = "../common/mod.rs"]
mod common;

mod fuzz_corpus;
mod lines;
mod records;
mod tournament;
