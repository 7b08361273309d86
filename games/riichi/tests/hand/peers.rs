//! Shanten, acceptance and waits against `xiangting` and `riichienv-core`.

use std::collections::HashSet;

use riichi::acceptance::{DiscardOption, acceptance, discard_options};
use riichi::shanten::shanten;
use riichi::shape::{MAX_READINGS, Set, is_complete, readings};
use riichi::waits::waits;
use riichi::{Counts, Kind, KindSet};
use riichienv_core::agari::{Mentsu, find_divisions, is_agari};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::shanten::{calc_shanten_from_counts, calc_shanten_from_counts_3p};
use riichienv_core::types::{Hand as PeerHand, Meld as PeerMeld, MeldType};
use xiangting::{PlayerCount, calculate_necessary_tiles, calculate_replacement_number};

use crate::checks;
use crate::random::SplitMix64;
use crate::text::hand_of;
use crate::three_players::random_of_three;

/// Every kind, and the kinds of one suit.
const ALL: (usize, usize) = (0, 34);
const ONE_SUIT: (usize, usize) = (9, 18);

/// Half the hands as dealt, the other half near complete ones, where shapes interlock.
fn hand(random: &mut SplitMix64, melds: usize, tiles: usize, range: (usize, usize)) -> Counts {
    if random.below(2) == 0 {
        return random.deal(tiles - 3 * melds, range);
    }
    let mut counts = random.complete(4 - melds, range);
    let exchanged = random.below(5);
    random.exchange(&mut counts, exchanged, range);
    if tiles == 13 {
        random.take(&mut counts);
    }
    counts
}

fn peer_shanten(counts: &Counts, players: u8) -> i8 {
    let sets = (counts.total() / 3) as u8;
    if players == 3 {
        calc_shanten_from_counts_3p(&counts.0, sets)
    } else {
        calc_shanten_from_counts(&counts.0, sets)
    }
}

/// Compares everything about a hand before its draw and a full one.
fn compare(before: Counts, full: Counts, melds: usize, players: u8) {
    let hand = hand_of(before, melds, players);
    let context = format!("{before:?} with {melds} melds, {players} players");
    let other_players = if players == 3 {
        PlayerCount::Three
    } else {
        PlayerCount::Four
    };
    let (number, necessary) = calculate_necessary_tiles(&before.0, other_players).expect("a hand");
    assert_eq!(shanten(&hand), number as i8 - 1, "{context}");
    assert_eq!(shanten(&hand), peer_shanten(&before, players), "{context}");
    assert_eq!(
        acceptance(&hand),
        KindSet::from_bits(necessary),
        "{context}"
    );

    let lowers = |&kind: &Kind| {
        hand.with(kind).is_some_and(|more| {
            peer_shanten(more.counts(), players) < peer_shanten(&before, players)
        })
    };
    let lowering: KindSet = Kind::all().filter(lowers).collect();
    assert_eq!(acceptance(&hand), lowering, "{context}");
    assert_eq!(waits(&hand), peer_waits(&before, melds), "{context}");

    let hand = hand_of(full, melds, players);
    let context = format!("{full:?} with {melds} melds, {players} players");
    let number = calculate_replacement_number(&full.0, other_players).expect("a hand");
    assert_eq!(shanten(&hand), number as i8 - 1, "{context}");
    assert_eq!(shanten(&hand), peer_shanten(&full, players), "{context}");
    let mut peer_hand = PeerHand { counts: full.0 };
    assert_eq!(is_complete(&hand), is_agari(&mut peer_hand), "{context}");
    let ours = readings(&hand);
    let distinct: HashSet<(Kind, Vec<Set>)> = ours
        .iter()
        .map(|reading| sorted(reading.pair, reading.sets.iter().copied()))
        .collect();
    assert_eq!(
        distinct.len(),
        ours.len(),
        "the same reading twice: {context}"
    );
    assert_eq!(distinct, peer_readings(&peer_hand), "{context}");
}

fn compare_random(random: &mut SplitMix64, melds: usize, range: (usize, usize)) {
    let (before, full) = (
        hand(random, melds, 13, range),
        hand(random, melds, 14, range),
    );
    compare(before, full, melds, 4);
}

fn sorted(pair: Kind, sets: impl Iterator<Item = Set>) -> (Kind, Vec<Set>) {
    let mut sets: Vec<Set> = sets.collect();
    sets.sort_unstable();
    (pair, sets)
}

fn peer_readings(hand: &PeerHand) -> HashSet<(Kind, Vec<Set>)> {
    let kind = |index: u8| Kind::new(index).expect("a kind");
    let set = |set: &Mentsu| match *set {
        Mentsu::Koutsu(index) => Set::Triplet(kind(index)),
        Mentsu::Shuntsu(index) => Set::Run(kind(index)),
    };
    find_divisions(hand)
        .iter()
        .map(|division| sorted(kind(division.head), division.body.iter().map(set)))
        .collect()
}

/// `melds` placeholder sets: melds have no influence on the waits.
fn peer_waits(counts: &Counts, melds: usize) -> KindSet {
    let tiles = Kind::all()
        .flat_map(|kind| (0..counts[kind]).map(move |copy| 4 * kind.index() as u8 + copy))
        .collect();
    let meld = PeerMeld::new(MeldType::Pon, vec![0, 1, 2], true, 0, None);
    let evaluator = HandEvaluator::new(tiles, vec![meld; melds]);
    evaluator
        .get_waits_u8()
        .into_iter()
        .filter_map(Kind::new)
        .collect()
}

#[test]
fn closed_hands_agree_with_peers() {
    let mut random = SplitMix64::new(10);
    for _ in 0..checks() {
        compare_random(&mut random, 0, ALL);
    }
}

#[test]
fn melded_hands_agree_with_peers() {
    let mut random = SplitMix64::new(11);
    for _ in 0..checks() {
        let melds = 1 + random.below(4);
        compare_random(&mut random, melds, ALL);
    }
}

#[test]
fn hands_of_one_suit_agree_with_peers() {
    let mut random = SplitMix64::new(12);
    for _ in 0..checks() {
        let melds = random.below(3);
        compare_random(&mut random, melds, ONE_SUIT);
    }
}

#[test]
fn hands_of_three_players_agree_with_peers() {
    let mut random = SplitMix64::new(14);
    for _ in 0..checks() {
        let melds = random.below(5);
        let [before, full] = [13, 14].map(|tiles| random_of_three(&mut random, melds, tiles));
        compare(before, full, melds, 3);
    }
}

#[test]
fn each_discard_is_judged_as_the_hand_it_leaves() {
    let mut random = SplitMix64::new(13);
    for _ in 0..checks() / 10 {
        let melds = random.below(5);
        let full = hand_of(hand(&mut random, melds, 14, ALL), melds, 4);
        for option in discard_options(&full) {
            let rest = full.without(option.kind).expect("it is in the hand");
            let (shanten, acceptance) = (shanten(&rest), acceptance(&rest));
            assert_eq!(
                option,
                DiscardOption {
                    kind: option.kind,
                    shanten,
                    acceptance
                }
            );
        }
    }
}

/// By the engine's count, over everything that one suit can hold; suits multiply.
#[test]
fn no_hand_has_more_readings_than_there_is_room_for() {
    // The maximum number of readings of a suit with this many tiles.
    let mut most = [0; 15];
    for tiles in [2, 3, 5, 6, 8, 9, 11, 12, 14] {
        let mut hand = Counts::EMPTY;
        // Sets without a pair are read with a pair elsewhere.
        hand.0[33] = if tiles % 3 == 0 { 2 } else { 0 };
        each_of_one_suit(&mut hand, 0, tiles, &mut |hand| {
            most[usize::from(tiles)] =
                most[usize::from(tiles)].max(peer_readings(&PeerHand { counts: hand.0 }).len());
        });
    }
    most[0] = 1;
    let shared =
        |first: usize| (0..=14 - first).map(move |second| [first, second, 14 - first - second]);
    let readings = (0..=14)
        .flat_map(shared)
        .map(|tiles| tiles.map(|tiles| most[tiles]).iter().product())
        .max();
    assert_eq!(readings, Some(MAX_READINGS));
}

fn each_of_one_suit(hand: &mut Counts, kind: usize, left: u8, visit: &mut impl FnMut(&Counts)) {
    if kind == 9 {
        if left == 0 {
            visit(hand);
        }
        return;
    }
    for count in 0..=left.min(4) {
        hand.0[kind] = count;
        each_of_one_suit(hand, kind + 1, left - count, visit);
    }
    hand.0[kind] = 0;
}
