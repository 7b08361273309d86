//! The figures of `riichi::belief`: fitted to games whose hands are all known, and checked on others.

mod check;
mod fit;
mod keeps;
mod observe;
mod plot;
mod print;
mod regression;
mod said;
mod samples;
#[cfg(test)]
mod tests;

pub use check::Check;
pub use fit::{Fitted, fit};
pub use observe::{Observer, Seen};
pub use said::{Bin, Calibration, Compared};
pub use samples::Samples;
