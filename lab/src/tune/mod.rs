//! Searches for better values of a policy's parameters with games.

mod plot;
mod spsa;

pub use plot::{PlottedParam, plot};
pub use spsa::{ParamRange, Spsa, SpsaGains, SpsaStep};
