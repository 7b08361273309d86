//! Whole games: the table of one seat, the judge, its scores and faults.

mod bidding;
mod faults;
mod random;
mod scene;
mod scores;
mod table;
