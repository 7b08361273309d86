//! The dialects in which an event is the request, on real sockets and pipes, with a server and a
//! host that take nothing for granted.

mod bots;
mod faults;
mod games;
mod hand;
mod hosted;
mod joining;
mod rounds;
mod server;
mod spelling;
mod stalls;
mod strict;
