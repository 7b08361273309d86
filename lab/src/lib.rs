//! Games and hands studied without an arena: tournaments between policies, trials of libraries, analysis of hands,
//! records read and compared.
//!
//! No network and no config files in here: policies come in as [`policy_host::ChosenPolicy`].
#![forbid(unsafe_code)]

pub mod advisor;
pub mod analyze;
pub mod comparison;
pub mod course;
pub mod decisions;
pub mod drawing;
pub mod game;
pub mod part;
pub mod record;
pub mod replay;
pub mod replayed;
pub mod tournament;
pub mod trial;
pub mod tune;
