//! A policy that plays: on a thread of its own, in its own process, or at once on the thread of a
//! tournament; and the seat for which it decides, with the policies that replace each other there.

pub(crate) mod direct;
pub(crate) mod hang_alarm;
pub(crate) mod pace;
pub(crate) mod replacement;
pub(crate) mod seated;
pub(crate) mod thread;
pub(crate) mod timed;
pub(crate) mod worker;
