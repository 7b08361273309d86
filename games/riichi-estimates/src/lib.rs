//! Estimates about riichi hands, for policies and analysis: [`splits`] of a hand into parts, the
//! [`expectation`] of one hand alone, the [`danger`] of a discard, and a [`belief`] about what
//! others hold. This crate has no I/O, and sees what one seat sees.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]
#![forbid(unsafe_code)]

pub mod belief;
pub mod danger;
pub mod expectation;
pub mod figures;
pub mod splits;
