//! Games that take the same course for all answers, and in which every sort of action comes up: for
//! trials.

mod doudizhu;
mod mcr;
mod riichi;

pub(super) use doudizhu::scripts as doudizhu;
pub(super) use mcr::scripts as mcr;
pub(super) use riichi::scripts as riichi;
