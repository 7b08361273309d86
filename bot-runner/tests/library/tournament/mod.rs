//! Tournaments: the same seed gives the same results, faults of policies cost one action, and the games are those of the
//! arena.

mod faults;
mod games;
mod hidden;
mod repeats;
mod seated;
mod table_of_view;
