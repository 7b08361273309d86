//! Situations in which every sort of action comes up: events of games that take their course whatever is answered.

mod chinese_standard;
mod doudizhu;
mod riichi;

pub(super) use chinese_standard::situations as chinese_standard;
pub(super) use doudizhu::situations as doudizhu;
pub(super) use riichi::situations as riichi;
