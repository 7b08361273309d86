//! A choice: the cards that it plays, and the hand that it leaves.

use correction::features;
use doudizhu::split::fewest_turns;
use doudizhu::{Combination, CombinationKind, DouDizhuAction, DouDizhuSeatState, Rank, RankCounts};

use super::table::{answers_partner, cards_of_others};

/// The own hand before the choice.
pub(super) struct OwnHand {
    counts: RankCounts,
    turns: usize,
    unseen: RankCounts,
    fewest: u8,
    answers_partner: bool,
}

impl OwnHand {
    pub(super) fn new(table: &DouDizhuSeatState) -> Self {
        let counts = table.hand_counts();
        Self {
            counts,
            turns: fewest_turns(counts, table.round().rules()),
            unseen: RankCounts::from(table.unseen()),
            fewest: cards_of_others(table).0,
            answers_partner: answers_partner(table) == Some(true),
        }
    }
}

fn high(cards: RankCounts) -> f32 {
    let ranks = [Rank::TWO, Rank::SMALL_JOKER, Rank::BIG_JOKER];
    ranks.iter().map(|&rank| f32::from(cards.get(rank))).sum()
}

fn bombs(cards: RankCounts) -> u32 {
    let rocket = cards.get(Rank::SMALL_JOKER) + cards.get(Rank::BIG_JOKER) == 2;
    cards.at_least(4).count_ones() + u32::from(rocket)
}

/// The ranks above the body of a single, pair or trio of which unseen cards make the same.
fn higher(combination: &Combination, unseen: RankCounts) -> u32 {
    let ranks = unseen.at_least(combination.kind.width());
    (ranks
        & !1_u16
            .checked_shl(combination.low.index() as u32 + 1)
            .map_or(u16::MAX, |bit| bit - 1))
    .count_ones()
}

/// Whether no unseen cards make a higher combination of the same kind and size.
fn is_unbeaten(combination: &Combination, unseen: RankCounts) -> bool {
    let Combination {
        kind, low, length, ..
    } = *combination;
    match kind {
        CombinationKind::Rocket => true,
        CombinationKind::Bomb => higher(combination, unseen) == 0 && bombs(unseen) == 0,
        _ if kind.shortest_run().is_some() => Rank::all().filter(|rank| *rank > low).all(|rank| {
            RankCounts::run(rank, length, kind.width()).is_none_or(|run| !unseen.contains(run))
        }),
        _ => higher(combination, unseen) == 0,
    }
}

features! {
    /// The features of a choice, in their order. "Left" is the hand that it leaves.
    pub const CHOICE;

    /// The features of a choice with this value, less that of the best choice.
    pub(super) fn of_choice(
        value: f32,
        table: &DouDizhuSeatState,
        hand: &OwnHand,
        action: &DouDizhuAction,
    ) -> [f32; CHOICE.len()] {
        let play = match action {
            DouDizhuAction::Play(play) => Some(play),
            DouDizhuAction::Pass | DouDizhuAction::Bid(_) => None,
        };
        let left = play
            .and_then(|play| hand.counts.minus(play.cards))
            .unwrap_or(hand.counts);
        let turns = match play {
            Some(_) => fewest_turns(left, table.round().rules()),
            None => hand.turns,
        };
        let bids = matches!(action, DouDizhuAction::Bid(bid) if *bid > 0);
        let saved = hand.turns as f32 - turns as f32 - 1.0;
        let kind = play.map(|play| play.combination.kind);
        let is = |kinds: &[CombinationKind]| kind.is_some_and(|kind| kinds.contains(&kind));
        use CombinationKind::{
            Bomb, FourWithTwo, Pair, PairStraight, Plane, Rocket, Shuttle, Single, Straight, Trio,
        };
        let small = play.filter(|_| is(&[Single, Pair, Trio]));
        let above = small.map_or(0, |play| higher(&play.combination, hand.unseen));
        let feeds = play.is_some_and(|play| play.cards.len() == hand.fewest && above > 0);
    }

    around("value", "units", 1.0, "the value of doudizhu-split, less that of the best choice") =
        value;
    flag("pass", "whether it passes, or bids nothing") = play.is_none() && !bids;
    flag("bid", "whether it bids") = bids;
    upto("turns", "turns / 8", 2.0, "left: turns to play it out alone") = turns as f32 / 8.0;
    flag("last-turn", "left: one turn") = turns == 1;
    flag("second-last", "left: two turns") = turns == 2;
    around("saved", "turns", 3.0, "turns that it saves, less the one that it takes") =
        if play.is_some() { saved } else { 0.0 };
    upto("left", "cards / 20", 1.0, "left: cards") = f32::from(left.len()) / 20.0;
    upto("cards", "cards / 10", 2.0, "cards played") =
        play.map_or(0.0, |play| f32::from(play.cards.len())) / 10.0;
    flag("single", "a single") = is(&[Single]);
    flag("pair", "a pair") = is(&[Pair]);
    flag("trio", "a trio, with wings or without") = is(&[Trio]);
    flag("run", "a straight, pair straight or plane") = is(&[Straight, PairStraight, Plane]);
    flag("four", "a four with two, or a shuttle") = is(&[FourWithTwo, Shuttle]);
    flag("bomb", "a bomb or the rocket") = is(&[Bomb, Rocket]);
    upto("rank", "ranks / 14", 1.0, "the rank of a single, pair or trio, from the three") =
        small.map_or(0.0, |play| play.combination.low.index() as f32) / 14.0;
    upto("high-used", "cards / 3", 2.0, "twos and jokers played") =
        play.map_or(0.0, |play| high(play.cards)) / 3.0;
    upto("high-left", "cards / 4", 2.0, "left: twos and jokers") = high(left) / 4.0;
    upto("bombs-left", "bombs / 2", 2.0, "left: bombs and the rocket") = bombs(left) as f32 / 2.0;
    flag("unbeaten", "no unseen cards of the same kind are higher; bombs are left aside") =
        play.is_some_and(|play| is_unbeaten(&play.combination, hand.unseen));
    upto("higher", "ranks / 8", 2.0, "a single, pair or trio: unseen ranks that beat it") =
        above as f32 / 8.0;
    flag("beats-partner", "it beats the partner's play") = play.is_some() && hand.answers_partner;
    flag("feeds", "a single or pair, where an opponent may go out with a higher one") = feeds;
}
