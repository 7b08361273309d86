//! All plays of a hand, and all plays that beat another.

use crate::card::Rank;
use crate::combination::{Combination, CombinationKind, Wings};
use crate::counts::RankCounts;
use crate::rules::DouDizhuRules;

/// The maximum number of plays of a hand, and so of legal actions. If a shuttle takes two wings for
/// each four it is 804, for 3456789TJQKKKKAAAAxX, whose shuttle takes four of twelve single cards
/// in 495 ways. With one wing for each it is
/// 497. Every hand of 20 cards was counted (`tests/rules/most_plays.rs`).
pub const MAX_PLAYS: usize = 804;

/// Cards that may be played together, with their combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DouDizhuPlay {
    /// The combination, which decides what beats what.
    pub combination: Combination,
    /// The cards.
    pub cards: RankCounts,
}

impl DouDizhuPlay {
    /// The play that these cards make, if they make one.
    pub fn of(cards: RankCounts, rules: DouDizhuRules) -> Option<Self> {
        Combination::of(cards, rules).map(|combination| Self { combination, cards })
    }
}

/// All plays of a hand, each once: by kind, then length, then wings, then the lowest rank.
pub fn for_each_play(hand: RankCounts, rules: DouDizhuRules, mut visit: impl FnMut(DouDizhuPlay)) {
    for kind in CombinationKind::ALL {
        for length in lengths(kind) {
            for &wings in kind.allowed_wings() {
                for low in Rank::all() {
                    with_wings(
                        hand,
                        Combination {
                            kind,
                            low,
                            length,
                            wings,
                        },
                        rules,
                        &mut visit,
                    );
                }
            }
        }
    }
}

/// All plays of a hand that beat another combination, each once.
pub fn for_each_answer(
    hand: RankCounts,
    last: &Combination,
    rules: DouDizhuRules,
    mut visit: impl FnMut(DouDizhuPlay),
) {
    for low in Rank::all().filter(|&low| low > last.low) {
        with_wings(hand, Combination { low, ..*last }, rules, &mut visit);
    }
    for kind in [CombinationKind::Bomb, CombinationKind::Rocket]
        .into_iter()
        .filter(|&kind| kind != last.kind)
    {
        for low in Rank::all() {
            let bomb = Combination {
                kind,
                low,
                length: *lengths(kind).start(),
                wings: Wings::None,
            };
            if bomb.beats(last) {
                with_wings(hand, bomb, rules, &mut visit);
            }
        }
    }
}

/// The legal plays of a hand: all plays if there is nothing to beat, else those that beat it.
pub fn plays(
    hand: RankCounts,
    to_beat: Option<&Combination>,
    rules: DouDizhuRules,
) -> Vec<DouDizhuPlay> {
    let mut found = Vec::new();
    match to_beat {
        None => for_each_play(hand, rules, |play| found.push(play)),
        Some(last) => for_each_answer(hand, last, rules, |play| found.push(play)),
    }
    found
}

/// The possible number of ranks in the body of a kind.
fn lengths(kind: CombinationKind) -> std::ops::RangeInclusive<u8> {
    match (kind, kind.shortest_run()) {
        (CombinationKind::Rocket, _) => 2..=2,
        (_, None) => 1..=1,
        // From the three to the ace.
        (_, Some(shortest)) => shortest..=Rank::ACE.index() as u8 + 1,
    }
}

/// Each way to play a combination.
fn with_wings(
    hand: RankCounts,
    combination: Combination,
    rules: DouDizhuRules,
    visit: &mut impl FnMut(DouDizhuPlay),
) {
    let Some(body) = body_of(&combination) else {
        return;
    };
    let Some(rest) = hand.minus(body) else { return };
    let width = combination.wings.width();
    let mut ranks = if width == 0 { 0 } else { rest.at_least(width) };
    for (rank, _) in body.iter() {
        ranks &= !(1 << rank.index());
    }
    choose(
        ranks,
        combination.wing_count(rules),
        body,
        width,
        &mut |cards| visit(DouDizhuPlay { combination, cards }),
    );
}

/// The cards of the body; `None` if there is no such combination.
fn body_of(combination: &Combination) -> Option<RankCounts> {
    let (kind, low) = (combination.kind, combination.low);
    let last = low.above(combination.length - 1)?;
    let exists = match kind {
        CombinationKind::Rocket => low == Rank::SMALL_JOKER,
        _ => kind.shortest_run().is_none() || last <= Rank::ACE,
    };
    if exists {
        RankCounts::run(low, combination.length, kind.width())
    } else {
        None
    }
}

/// Adds `width` cards of each of `number` different ranks, in all ways, lowest ranks first.
fn choose(
    ranks: u16,
    number: u8,
    cards: RankCounts,
    width: u8,
    visit: &mut impl FnMut(RankCounts),
) {
    if number == 0 {
        return visit(cards);
    }
    let mut left = ranks;
    while left.count_ones() >= u32::from(number) {
        let wing =
            Rank::new(left.trailing_zeros() as u8).and_then(|rank| RankCounts::of(rank, width));
        left &= left - 1;
        if let Some(wing) = wing {
            choose(left, number - 1, cards.plus(wing), width, visit);
        }
    }
}
