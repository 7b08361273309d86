//! Shanten, acceptance and waits against `xiangting` and `riichienv-core`.

use std::collections::HashSet;

use mahjong::acceptance::{DiscardOption, acceptance, discard_options};
use mahjong::shanten::shanten;
use mahjong::shape::{MAX_READINGS, Set, is_complete, readings};
use mahjong::waits::waits;
use mahjong::{Counts, Kind, KindSet};
use riichienv_core::agari::{Mentsu, find_divisions, is_agari};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::shanten::calc_shanten_from_counts;
use riichienv_core::types::{Hand as PeerHand, Meld as PeerMeld, MeldType};
use xiangting::{PlayerCount, calculate_necessary_tiles, calculate_replacement_number};

use crate::checks;
use crate::random::Random;

/// Every kind, and the kinds of one suit.
const ALL: (usize, usize) = (0, 34);
const ONE_SUIT: (usize, usize) = (9, 18);

/// Half the hands as dealt, the other half near complete ones, where shapes interlock.
fn hand(random: &mut Random, melds: usize, tiles: usize, range: (usize, usize)) -> Counts {
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

fn peer_shanten(counts: &Counts) -> i8 {
    calc_shanten_from_counts(&counts.0, (counts.total() / 3) as u8)
}

/// Compares everything about one hand of 13 and one of 14 tiles, less 3 for each meld.
fn compare(random: &mut Random, melds: usize, range: (usize, usize)) {
    let melded = melds as u8;
    let mut counts = hand(random, melds, 13, range);
    let context = format!("{counts:?} with {melds} melds");
    let (number, necessary) = calculate_necessary_tiles(&counts.0, PlayerCount::Four).expect("a hand");
    assert_eq!(shanten(&counts, melded), number as i8 - 1, "{context}");
    assert_eq!(shanten(&counts, melded), peer_shanten(&counts), "{context}");
    assert_eq!(acceptance(&counts, melded), KindSet::from_bits(necessary), "{context}");

    let before = peer_shanten(&counts);
    let lowering: KindSet = Kind::all()
        .filter(|&kind| {
            counts[kind] < 4 && {
                counts[kind] += 1;
                let after = peer_shanten(&counts);
                counts[kind] -= 1;
                after < before
            }
        })
        .collect();
    assert_eq!(acceptance(&counts, melded), lowering, "{context}");
    assert_eq!(waits(&counts, melded), peer_waits(&counts, melds), "{context}");

    let counts = hand(random, melds, 14, range);
    let context = format!("{counts:?} with {melds} melds");
    let number = calculate_replacement_number(&counts.0, PlayerCount::Four).expect("a hand");
    assert_eq!(shanten(&counts, melded), number as i8 - 1, "{context}");
    assert_eq!(shanten(&counts, melded), peer_shanten(&counts), "{context}");
    let mut peer_hand = PeerHand { counts: counts.0 };
    assert_eq!(is_complete(&counts, melded), is_agari(&mut peer_hand), "{context}");
    let ours = readings(&counts);
    let distinct: HashSet<(Kind, Vec<Set>)> =
        ours.iter().map(|reading| sorted(reading.pair, reading.sets.iter().copied())).collect();
    assert_eq!(distinct.len(), ours.len(), "the same reading twice: {context}");
    assert_eq!(distinct, peer_readings(&peer_hand), "{context}");
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
    find_divisions(hand).iter().map(|division| sorted(kind(division.head), division.body.iter().map(set))).collect()
}

/// `melds` stand-ins: what is melded has no influence on the waits.
fn peer_waits(counts: &Counts, melds: usize) -> KindSet {
    let tiles = Kind::all().flat_map(|kind| (0..counts[kind]).map(move |copy| 4 * kind.index() as u8 + copy)).collect();
    let meld = PeerMeld::new(MeldType::Pon, vec![0, 1, 2], true, 0, None);
    let evaluator = HandEvaluator::new(tiles, vec![meld; melds]);
    evaluator.get_waits_u8().into_iter().filter_map(Kind::new).collect()
}

#[test]
fn closed_hands_agree_with_peers() {
    let mut random = Random::new(10);
    for _ in 0..checks() {
        compare(&mut random, 0, ALL);
    }
}

#[test]
fn melded_hands_agree_with_peers() {
    let mut random = Random::new(11);
    for _ in 0..checks() {
        let melds = 1 + random.below(4);
        compare(&mut random, melds, ALL);
    }
}

#[test]
fn hands_of_one_suit_agree_with_peers() {
    let mut random = Random::new(12);
    for _ in 0..checks() {
        let melds = random.below(3);
        compare(&mut random, melds, ONE_SUIT);
    }
}

#[test]
fn each_discard_is_judged_as_the_hand_it_leaves() {
    let mut random = Random::new(13);
    for _ in 0..checks() / 10 {
        let melds = random.below(5);
        let mut counts = hand(&mut random, melds, 14, ALL);
        for option in discard_options(&counts, melds as u8) {
            counts[option.kind] -= 1;
            let (shanten, acceptance) = (shanten(&counts, melds as u8), acceptance(&counts, melds as u8));
            assert_eq!(option, DiscardOption { kind: option.kind, shanten, acceptance });
            counts[option.kind] += 1;
        }
    }
}

/// By the engine's count, over everything that one suit can hold; suits multiply.
#[test]
fn no_hand_has_more_readings_than_there_is_room_for() {
    // The most readings of so many tiles of a suit, those with a pair beside those without.
    let mut most = [0; 15];
    for tiles in [2, 3, 5, 6, 8, 9, 11, 12, 14] {
        let mut hand = Counts::EMPTY;
        // Sets alone are read beside a pair elsewhere.
        hand.0[33] = if tiles % 3 == 0 { 2 } else { 0 };
        each_of_one_suit(&mut hand, 0, tiles, &mut |hand| {
            most[usize::from(tiles)] = most[usize::from(tiles)].max(peer_readings(&PeerHand { counts: hand.0 }).len());
        });
    }
    most[0] = 1;
    let shared = |first: usize| (0..=14 - first).map(move |second| [first, second, 14 - first - second]);
    let readings = (0..=14).flat_map(shared).map(|tiles| tiles.map(|tiles| most[tiles]).iter().product()).max();
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
