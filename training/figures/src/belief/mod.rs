//! The figures of `riichi_estimates::belief`: fitted to games whose hands are all known, and
//! checked on others.

mod check;
mod fit;
mod keeps;
mod plot;
mod print;
mod regression;
mod said;
mod samples;
#[cfg(test)]
mod tests;

pub(crate) use check::Check;
pub(crate) use fit::fit;
pub(crate) use samples::Samples;
