//! The discard of the own turn.

use std::cmp::Reverse;

use policy_common::{Candidate, Throw, candidate};
use policy_sdk::View;

pub(crate) fn best(view: &View<'_>, candidates: &[Candidate]) -> Option<Candidate> {
    candidate::eligible(view, candidates)
        .into_iter()
        .min_by_key(|candidate| order(view, candidate))
}

/// Sorts the better first.
fn order(view: &View<'_>, candidate: &Candidate) -> ((i8, Reverse<u32>), Throw) {
    (
        candidate.progress.order(),
        Throw::new(view, candidate.tile, candidate.tsumogiri),
    )
}
