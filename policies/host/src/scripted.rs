//! What a seat is asked in a round that takes its course whatever is answered.

use mahjong::{Action, Event, LegalActions, Rules, Seat, Table};

use crate::view::{Asked, RoundLog, ViewBuffer};

/// A decision to be made.
#[derive(Debug)]
pub struct ScriptedQuestion {
    /// What the policy is shown.
    pub view: ViewBuffer,
    /// What may be done.
    pub legal: LegalActions,
}

/// Everything that seat 0 is asked in a round, which it hears of by these events. The decisions are numbered from
/// `asked`'s on.
///
/// # Panics
///
/// When the round cannot be played.
#[must_use]
pub fn questions(rules: Rules, round: &[Event], mut asked: Asked) -> Vec<ScriptedQuestion> {
    let mut table = Table::new(rules, Seat::FIRST);
    let mut log = RoundLog::default();
    let mut questions = Vec::new();
    for event in round {
        table.apply(event).expect("the round can be played");
        log.push(event, &table);
        let legal = table.legal_actions();
        if leaves_choice(&legal) {
            let mut view = ViewBuffer::default();
            view.fill(&table, &log, &legal, &asked);
            questions.push(ScriptedQuestion { view, legal });
            asked.decision += 1;
        }
    }
    questions
}

/// Whether a policy is asked at all: as in a session, what leaves no choice is not, but for a riichi.
#[must_use]
pub fn leaves_choice(legal: &[Action]) -> bool {
    match legal {
        [] => false,
        [only] => matches!(only, Action::Reach { .. }),
        _ => true,
    }
}
