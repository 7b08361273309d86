//! Tests of the client, part by part: sessions on texts, bots on real sockets, accounts at Botzone.

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "the tests of bot-runner use the rest")]
mod common;

mod botzone;
mod explore;
mod golden;
mod session;
mod tls;
mod websocket;
