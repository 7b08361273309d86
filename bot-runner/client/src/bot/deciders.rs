//! The builds of a policy that decided in a game.

use std::sync::Arc;

use policy_host::PolicyIdentity;

use crate::records::PolicyNote;

/// Builds of a policy, with their numbers of decisions.
#[derive(Debug, Default)]
pub(super) struct DeciderCounts(Vec<(Arc<PolicyIdentity>, u64)>);

impl DeciderCounts {
    /// Counts a request to this build.
    pub(super) fn count(&mut self, identity: &Arc<PolicyIdentity>) {
        match self.0.iter_mut().find(|(known, _)| known == identity) {
            Some((_, count)) => *count += 1,
            None => self.0.push((Arc::clone(identity), 1)),
        }
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// In the form of results; if there was nothing to decide, only the build at the seat.
    pub(super) fn kept(&self, at_seat: &PolicyIdentity) -> Vec<PolicyNote> {
        let note = |identity, decisions| PolicyNote {
            decisions,
            ..PolicyNote::of(identity)
        };
        let all: Vec<PolicyNote> = self
            .0
            .iter()
            .map(|(identity, count)| note(identity, *count))
            .collect();
        if all.is_empty() {
            vec![note(at_seat, 0)]
        } else {
            all
        }
    }
}
