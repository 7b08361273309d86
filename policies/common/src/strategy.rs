//! The course of a decision that all strategies share.

use policy_sdk::{Answer, DecideError, View};
use riichi::Action;

use crate::habits::{Calls, Habits};
use crate::kita;

/// The value of an action without a choice, the only value given: above all values that strategies
/// give to discards.
const NO_CHOICE: f32 = 1_000.0;

/// A strategy's decisions when there is a choice. It adds a value for the actions it considered,
/// and a reason.
pub trait Strategy {
    /// The settings of the parameters that all strategies take.
    fn habits(&self) -> &Habits;

    /// The place in the legal list of the call to make, or `pass`. Not called if calls are switched
    /// off.
    fn claim(&mut self, view: &View<'_>, pass: usize, answer: &mut Answer) -> usize;

    /// The place in the legal list of the discard or kan of the own turn.
    ///
    /// # Errors
    ///
    /// If the list contains nothing that it plays.
    fn own_turn(&mut self, view: &View<'_>, answer: &mut Answer) -> Result<usize, DecideError>;
}

/// Decides: a win whenever one is listed, else the draw by nine terminals if `kyushu` says so, else
/// a [North that can be spared](kita::spare), else what the strategy does.
///
/// # Errors
///
/// Those of [`Strategy::own_turn`].
pub fn decide(
    strategy: &mut impl Strategy,
    view: &View<'_>,
    answer: &mut Answer,
) -> Result<usize, DecideError> {
    let find = |wanted: fn(&Action) -> bool| view.legal().iter().position(wanted);
    let habits = *strategy.habits();
    let win = || find(|action| matches!(action, Action::Hora { .. }));
    let draw = || find(|action| matches!(action, Action::Ryukyoku)).filter(|_| habits.kyushu);
    let no_choice = win().map(|win| (win, "a win"));
    let no_choice = no_choice.or_else(|| Some((draw()?, "nine terminals")));
    let no_choice = no_choice.or_else(|| Some((kita::spare(view)?, "a North to spare")));
    if let Some((index, reason)) = no_choice {
        answer.value(index, NO_CHOICE);
        answer.reason(format_args!("{reason}"));
        return Ok(index);
    }
    match find(|action| matches!(action, Action::None)) {
        Some(pass) if habits.calls == Calls::Never => {
            answer.value(pass, 0.0);
            answer.reason(format_args!("passed: it never calls"));
            Ok(pass)
        }
        Some(pass) => Ok(strategy.claim(view, pass, answer)),
        None => strategy.own_turn(view, answer),
    }
}
