//! The recorded hands: 600 wins over all fan, with the counts of PyMahjongGB 1.4.0.

use std::collections::BTreeSet;

use mcr::{Counting, Fan};

use crate::botzone::{names, recorded};

#[test]
fn every_recorded_hand_counts_as_the_judges_calculator_counts_it() {
    for hand in recorded() {
        let count = hand.count(Counting::Judge);
        let mut expected: Vec<_> = hand
            .fans
            .iter()
            .map(|(name, _, times)| (name.clone(), *times))
            .collect();
        expected.sort();
        assert_eq!(
            (count.total(), names(&count)),
            (hand.fan, expected),
            "hand {} ({})",
            hand.id,
            hand.source
        );
    }
}

#[test]
fn the_recorded_hands_show_every_fan() {
    let seen: BTreeSet<Fan> = recorded()
        .iter()
        .flat_map(|hand| {
            hand.count(Counting::Judge)
                .fans()
                .map(|(fan, _)| fan)
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(seen.len(), Fan::ALL.len());
}
