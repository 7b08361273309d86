//! Whether a policy decides by the view alone.

use super::games::TrialGame;
use super::subject::Subject;
use policy_host::ScriptedQuestion;
use riichi::ActionOf;

/// How often a fresh instance answered otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repeat {
    /// How many questions were asked again.
    pub asked: usize,
    /// The first that was answered otherwise, in words.
    pub first_difference: Option<String>,
    /// How many were answered otherwise.
    pub different: usize,
}

/// Asks a fresh instance what another one has answered before, last things first, so that it can know no more than what
/// stands in each view. Views hold the keys of randomness, which may therefore be the reason for no difference.
pub fn repeat<G: TrialGame>(fresh: &mut Subject, answered: &[(ScriptedQuestion<ActionOf<G>>, ActionOf<G>)]) -> Repeat {
    let mut repeat = Repeat::default();
    for (ScriptedQuestion { view, legal }, before) in answered.iter().rev() {
        if fresh.is_over() {
            break;
        }
        let Some(now) = fresh.ask(view, legal, "asked again, a fresh instance") else { continue };
        repeat.asked += 1;
        if now.action != *before {
            repeat.different += 1;
            repeat.first_difference.get_or_insert_with(|| {
                format!("{} at first, then {}", G::trial_words(before), G::trial_words(&now.action))
            });
        }
    }
    repeat
}
