//! Bots on a real socket, against an arena that does what the test wants.

pub(crate) mod bot;
mod drops;
mod ending;
mod hostile;
mod login;
mod policies;
mod queue;
mod records;
mod refusals;
mod stopping;
mod transport;
mod validation;
