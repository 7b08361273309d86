//! The maximum number of plays of a hand: every hand of 20 cards is counted.
//!
//! A larger hand has at least the plays of each part of it, and the answers to a play are a part of
//! the possible leads; so no hand of 20 cards or fewer has more choices than the hand of 20 with
//! the most plays. Hands differ here by the number of cards of each rank: there are 57,521,029, not
//! counting reversals of the ranks from the three to the ace, which no rule distinguishes.

use doudizhu::plays::{MAX_PLAYS, plays};
use doudizhu::{Card, CardSet, DouDizhuRules, Rank, RankCounts};

use super::cards;

/// The ranks that can be in runs, from the three to the ace.
const RUN_RANKS: usize = 12;
/// Cards of the largest hand.
const CARDS: usize = 20;
/// The longest run of triplets, and with it of fours, that 20 cards can hold.
const MAX_LENGTH: usize = CARDS / 3;

const RULES: [DouDizhuRules; 2] = [DouDizhuRules::FIXED, DouDizhuRules::BIDDING];

/// The number of runs of each length in a set of ranks: tables for all sets.
struct RunTables {
    straights: Vec<u32>,
    pair_straights: Vec<u32>,
    by_length: Vec<[u32; MAX_LENGTH + 1]>,
}

impl RunTables {
    fn new() -> Self {
        let windows = |set: usize, length: usize| {
            let window = (1 << length) - 1;
            (0..=RUN_RANKS - length)
                .filter(|low| set >> low & window == window)
                .count() as u32
        };
        let at_least = |set, shortest| {
            (shortest..=RUN_RANKS)
                .map(|length| windows(set, length))
                .sum()
        };
        let sets = 0..1 << RUN_RANKS;
        Self {
            straights: sets.clone().map(|set| at_least(set, 5)).collect(),
            pair_straights: sets.clone().map(|set| at_least(set, 3)).collect(),
            by_length: sets
                .map(|set| std::array::from_fn(|length| windows(set, length)))
                .collect(),
        }
    }
}

/// A hand: the ranks with at least one card, two, three, four, those that can be in runs as a set;
/// and their number including the twos and the jokers.
#[derive(Clone, Copy)]
struct CountedHand {
    sets: [usize; 4],
    ranks: [usize; 4],
    has_rocket: bool,
}

impl CountedHand {
    fn of(hand: RankCounts) -> Self {
        let ranks =
            std::array::from_fn(|width| hand.at_least(width as u8 + 1).count_ones() as usize);
        let sets = std::array::from_fn(|width| {
            usize::from(hand.at_least(width as u8 + 1)) & ((1 << RUN_RANKS) - 1)
        });
        let has = |rank| hand.get(rank) > 0;
        Self {
            sets,
            ranks,
            has_rocket: has(Rank::SMALL_JOKER) && has(Rank::BIG_JOKER),
        }
    }

    /// Its number of plays, by arithmetic.
    fn plays(self, tables: &RunTables, rules: DouDizhuRules) -> u32 {
        let [ones, twos, threes, fours] = self.ranks;
        let [one, two, three, four] = self.sets;
        // Wings have ranks outside the body, each with at least one card, or two.
        let wings =
            |body: usize, number: usize| choose(ones - body, number) + choose(twos - body, number);
        let mut all = (ones + twos + fours) as u32 + u32::from(self.has_rocket);
        all += tables.straights[one] + tables.pair_straights[two];
        if threes > 0 {
            all += threes as u32 * (1 + wings(1, 1));
        }
        if fours > 0 {
            all += fours as u32 * wings(1, 2);
        }
        for length in 2..=MAX_LENGTH {
            let (planes, shuttles) = (
                tables.by_length[three][length],
                tables.by_length[four][length],
            );
            if planes > 0 {
                all += planes * (1 + wings(length, length));
            }
            if shuttles > 0 {
                all += shuttles * (1 + wings(length, length * usize::from(rules.shuttle_wings)));
            }
        }
        all
    }
}

/// The binomial coefficient.
const fn choose(of: usize, number: usize) -> u32 {
    if number > of { 0 } else { CHOOSE[of][number] }
}

const CHOOSE: [[u32; 16]; 16] = {
    let mut rows = [[0; 16]; 16];
    let mut row = 0;
    while row < 16 {
        rows[row][0] = 1;
        let mut column = 1;
        while column <= row {
            rows[row][column] = rows[row - 1][column - 1] + rows[row - 1][column];
            column += 1;
        }
        row += 1;
    }
    rows
};

/// Every hand of 20 cards, found rank by rank.
struct Search {
    tables: RunTables,
    /// By how many cards each of the ranks that run is held.
    hand: [usize; RUN_RANKS],
    /// The maximum so far under each set of rules.
    most: [u32; RULES.len()],
    hands: u64,
}

impl Search {
    /// With what the ranks before this one hold.
    fn from(&mut self, rank: usize, sets: [usize; 4], held: usize) {
        if rank == RUN_RANKS {
            return self.complete(sets, held);
        }
        // Twos and jokers are six, the ranks that come hold four each.
        let least = CARDS.saturating_sub(held + 6 + 4 * (RUN_RANKS - 1 - rank));
        for cards in least..=4.min(CARDS - held) {
            let mut sets = sets;
            sets[..cards].iter_mut().for_each(|set| *set |= 1 << rank);
            self.hand[rank] = cards;
            self.from(rank + 1, sets, held + cards);
        }
    }

    fn complete(&mut self, sets: [usize; 4], held: usize) {
        // A hand and its reverse have the same number of plays.
        if self.hand.iter().rev().lt(self.hand.iter()) {
            return;
        }
        let run_ranks = sets.map(|set| set.count_ones() as usize);
        for jokers in 0..=2.min(CARDS - held) {
            let twos = CARDS - held - jokers;
            if twos > 4 {
                continue;
            }
            let mut ranks = run_ranks;
            ranks[..twos].iter_mut().for_each(|ranks| *ranks += 1);
            ranks[0] += jokers;
            let hand = CountedHand {
                sets,
                ranks,
                has_rocket: jokers == 2,
            };
            self.hands += 1;
            for (most, rules) in self.most.iter_mut().zip(RULES) {
                *most = hand.plays(&self.tables, rules).max(*most);
            }
        }
    }
}

#[test]
fn counting_plays_by_arithmetic_equals_listing_them() {
    let (mut rng, tables) = (fastrand::Rng::with_seed(5), RunTables::new());
    for number in 0..400 {
        let mut deck: Vec<Card> = Card::all().collect();
        let ranks = [15, 10, 7, 5][number % 4];
        deck.retain(|card| card.rank().index() < ranks || card.rank().is_joker());
        rng.shuffle(&mut deck);
        let hand = RankCounts::from(deck[..20].iter().copied().collect::<CardSet>());
        for rules in RULES {
            let listed = plays(hand, None, rules).len();
            assert_eq!(
                CountedHand::of(hand).plays(&tables, rules) as usize,
                listed,
                "{hand} {rules:?}"
            );
        }
    }
}

#[test]
fn no_hand_has_more_plays_than_the_most() {
    let mut search = Search {
        tables: RunTables::new(),
        hand: [0; RUN_RANKS],
        most: [0; RULES.len()],
        hands: 0,
    };
    search.from(0, [0; 4], 0);
    assert_eq!((search.hands, search.most), (57_521_029, [497, 804]));
    let listed = |hand, rules| plays(cards(hand), None, rules).len();
    assert_eq!(listed("3456789TJJJQQQKKKAAA", DouDizhuRules::FIXED), 497);
    assert_eq!(listed("3456789TJQKKKKAAAAxX", DouDizhuRules::BIDDING), 804);
    assert_eq!(MAX_PLAYS, 804);
}
