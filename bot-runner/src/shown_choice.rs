//! What a bot decided, as pages show it.

use page::{OwnChoice, RecordedChoice};
use serde_json::Value;

use client::decision_note::RecordedDecision;

/// What was chosen, and why.
pub(crate) fn own_choice<A>(note: RecordedDecision<A>, desync: bool) -> OwnChoice {
    OwnChoice {
        chosen: note.chosen,
        values: note.values,
        reason: note.reason,
        policy: note.policy,
        took_us: note.took_us,
        safe_answer: note.safe_answer,
        desync,
    }
}

/// The note of a game other than riichi.
pub(crate) fn recorded_choice(mut note: RecordedDecision<Value>) -> RecordedChoice {
    let legal = std::mem::take(&mut note.legal);
    RecordedChoice { seat: note.seat.index(), decision: note.decision, legal, own: own_choice(note, false) }
}
