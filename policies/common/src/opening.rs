//! The opening of a decision: what is done whatever else is possible.

use mahjong::Action;
use policy_sdk::{Answer, View};

use crate::kita;

/// A win whenever one is listed, else the draw by nine terminals if `kyushu` says so, else a [North that can be
/// spared](kita::spare), with its reason.
#[must_use]
pub fn opening(view: &View<'_>, kyushu: bool, answer: &mut Answer) -> Option<usize> {
    let find = |wanted: fn(&Action) -> bool| view.legal().iter().position(wanted);
    if let Some(win) = find(|action| matches!(action, Action::Hora { .. })) {
        answer.reason(format_args!("a win"));
        return Some(win);
    }
    if let Some(draw) = find(|action| matches!(action, Action::Ryukyoku)).filter(|_| kyushu) {
        answer.reason(format_args!("nine terminals"));
        return Some(draw);
    }
    let kita = kita::spare(view)?;
    answer.reason(format_args!("a North to spare"));
    Some(kita)
}
