//! Situations in which every sort of action comes up: events of games that take their course whatever is answered.

mod doudizhu;
mod mcr;
mod riichi;

pub(super) use doudizhu::situations as doudizhu;
pub(super) use mcr::situations as mcr;
pub(super) use riichi::situations as riichi;
