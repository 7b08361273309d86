//! Matches that have ended for an account.

use std::collections::{HashSet, VecDeque};

use protocol::botzone::{MatchId, MatchResult};

/// Maximum number of ended matches that are remembered.
const MAX_OVER: usize = 1_024;

/// Maximum number of results kept while a match is being created, since one may belong to it.
const MAX_EARLY: usize = 64;

/// Maximum number of scores in such a result.
const MAX_SCORES: usize = 8;

/// The latest ended or abandoned matches: further messages about them are ignored.
#[derive(Debug, Default)]
pub(super) struct OverMatches {
    known: HashSet<MatchId>,
    in_order: VecDeque<MatchId>,
}

impl OverMatches {
    pub(super) fn contains(&self, id: &MatchId) -> bool {
        self.known.contains(id)
    }

    /// Adds a match; returns whether it is new.
    pub(super) fn insert(&mut self, id: &MatchId) -> bool {
        if !self.known.insert(id.clone()) {
            return false;
        }
        self.in_order.push_back(id.clone());
        if self.in_order.len() > MAX_OVER
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.known.remove(&oldest);
        }
        true
    }
}

/// Results of unknown matches, while one is being created: it may end before its id is known.
#[derive(Debug, Default)]
pub(super) struct EarlyResults(VecDeque<MatchResult>);

impl EarlyResults {
    pub(super) fn keep(&mut self, result: MatchResult) {
        if result.scores.len() > MAX_SCORES {
            return;
        }
        if self.0.len() == MAX_EARLY {
            self.0.pop_front();
        }
        self.0.push_back(result);
    }

    /// The result of the created match, if it has arrived; the others are dropped.
    pub(super) fn take(&mut self, id: &MatchId) -> Option<MatchResult> {
        std::mem::take(&mut self.0)
            .into_iter()
            .find(|result| result.id == *id)
    }

    /// Drops all results, because no match is being created any more.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> MatchId {
        MatchId::new(&format!("{number:024x}")).expect("24 digits")
    }

    #[test]
    fn the_latest_matches_that_are_over_are_remembered_and_no_more_of_them() {
        let mut over = OverMatches::default();
        for number in 0..3 * MAX_OVER {
            assert!(over.insert(&id(number)) && !over.insert(&id(number)));
        }
        assert_eq!(
            (over.known.len(), over.in_order.len()),
            (MAX_OVER, MAX_OVER)
        );
        assert!(over.contains(&id(3 * MAX_OVER - 1)) && !over.contains(&id(0)));
    }

    #[test]
    fn of_results_that_come_while_a_match_is_made_a_few_are_kept() {
        let mut early = EarlyResults::default();
        for number in 0..10 * MAX_EARLY {
            early.keep(MatchResult {
                id: id(number),
                slot: 0,
                scores: vec![0.0; 4],
            });
        }
        early.keep(MatchResult {
            id: id(7),
            slot: 0,
            scores: vec![0.0; 1_000],
        });
        assert_eq!(early.0.len(), MAX_EARLY);
        assert_eq!(
            early
                .take(&id(10 * MAX_EARLY - 1))
                .map(|result| result.slot),
            Some(0)
        );
        assert!(early.0.is_empty() && early.take(&id(1)).is_none());
    }
}
