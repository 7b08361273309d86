//! Games and hands without an arena: tournaments between policies, trials of libraries, analysis of
//! hands, replay and comparison of records.
//!
//! This crate has no network and no config files: policies are passed in as
//! [`policy_host::ChosenPolicy`].
#![forbid(unsafe_code)]

pub mod advisor;
pub mod analyze;
pub mod change;
pub mod comparison;
pub mod course;
pub mod decisions;
pub mod drawing;
pub mod game;
pub mod judgement;
pub mod part;
pub mod record;
pub mod replay;
pub mod replayed;
pub mod review;
pub mod suite;
pub mod tournament;
pub mod trial;
pub mod tune;
pub mod whole_file;
