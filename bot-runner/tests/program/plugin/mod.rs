//! The commands for those who write policies.

mod guide;
mod inspect;
mod list;
mod new;
mod program;
mod test;
