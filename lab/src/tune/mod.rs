//! Better values for a policy's parameters, searched by games.

mod plot;
mod spsa;

pub use plot::{PlottedParam, plot};
pub use spsa::{ParamRange, Spsa, SpsaGains, SpsaStep};
