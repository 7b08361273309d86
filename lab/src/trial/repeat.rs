//! Checks whether a policy decides by the view alone.

use super::subject::Subject;
use crate::game::LabGame;
use policy_host::ScriptedQuestion;
use riichi::ActionOf;

/// The answers of a fresh instance to repeated questions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repeat {
    /// Number of repeated questions.
    pub asked: usize,
    /// The first different answer, as text.
    pub first_difference: Option<String>,
    /// Number of different answers.
    pub different: usize,
}

/// Asks a fresh instance the questions that another one has answered, in reverse order, so that it
/// can know only the contents of each view. Views hold the random keys, which may therefore be the
/// reason for equal answers.
pub fn repeat<G: LabGame>(
    fresh: &mut Subject,
    answered: &[(ScriptedQuestion<ActionOf<G>>, ActionOf<G>)],
) -> Repeat {
    let mut repeat = Repeat::default();
    for (ScriptedQuestion { view, legal, .. }, before) in answered.iter().rev() {
        if fresh.is_over() {
            break;
        }
        let Some(now) = fresh.ask(view, legal, "asked again, a fresh instance") else {
            continue;
        };
        repeat.asked += 1;
        if now.action != *before {
            repeat.different += 1;
            repeat.first_difference.get_or_insert_with(|| {
                format!(
                    "{} at first, then {}",
                    G::trial_words(before),
                    G::trial_words(&now.action)
                )
            });
        }
    }
    repeat
}
