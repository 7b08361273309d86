//! Tests of the library, part by part: sessions on texts, bots on real sockets and pipes, policies
//! in processes, and tournaments.

#[path = "../common/mod.rs"]
mod common;

mod botzone;
mod explore;
mod fuzz_corpus;
mod isolation;
mod lines;
mod records;
mod session;
mod tls;
mod tournament;
mod websocket;
