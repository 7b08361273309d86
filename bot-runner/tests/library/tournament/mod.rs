//! Tournaments: the same seed gives the same results, faults of policies cost one action, and the
//! games equal the arena's.

mod faults;
mod games;
mod hidden;
mod repeats;
mod seated;
mod table_of_view;
