//! Fan of wins: hands counted by the judge's calculator, the rules' own examples, and each point on
//! which bots go wrong.

mod book;
mod botzone;
mod recorded;
mod traps;
