//! The referee of records: sound records of all kinds pass, single rules by example, and random
//! changes.

mod changes;
mod examples;
mod lines;
mod played;
mod scene;
mod sound;
