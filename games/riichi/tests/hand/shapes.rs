//! Complete shapes, readings, waits, shanten and acceptance by example.

use riichi::acceptance::{
    acceptance, discard_options, discard_options_within, discards_within, exchanges,
};
use riichi::shanten::{seven_pairs_shanten, shanten, standard_shanten, thirteen_orphans_shanten};
use riichi::shape::{HandReading, Set, is_complete, readings};
use riichi::waits::waits;
use riichi::{Counts, Kind, KindSet};

use crate::random::SplitMix64;
use crate::text::{counts, hand, hand_of, kind, set};

/// Whether these tiles are sets: with an honour pair and melds for the rest they make a complete
/// hand.
fn are_sets(text: &str) -> bool {
    let tiles = counts(&format!("{text}11z"));
    is_complete(&hand_of(tiles, (14 - tiles.total() as usize) / 3, 4))
}

fn run(text: &str) -> Set {
    Set::Run(kind(text))
}

fn triplet(text: &str) -> Set {
    Set::Triplet(kind(text))
}

fn reading(pair: &str, sets: &[Set]) -> HandReading {
    HandReading {
        pair: kind(pair),
        sets: sets.iter().copied().collect(),
    }
}

#[test]
fn three_sided_wait_beside_complete_parts() {
    assert_eq!(waits(&hand("23456s456p55m777z", 0)), set("147s"));
}

#[test]
fn a_run_around_a_pair_is_complete() {
    assert!(is_complete(&hand("23334m", 3)));
    assert_eq!(
        readings(&hand("23334m", 3)).as_slice(),
        [reading("3m", &[run("2m")])]
    );
}

#[test]
fn interleaved_runs_are_two_sets() {
    for sets in ["122334m", "112233p", "122223s"] {
        assert!(are_sets(sets), "{sets}");
    }
}

#[test]
fn nine_tiles_can_be_three_sets() {
    for sets in ["111123456m", "123455667p", "122334777s"] {
        assert!(are_sets(sets), "{sets}");
    }
}

#[test]
fn of_nine_tiles_neither_end_need_be_a_set() {
    // 122 and 445 are not sets.
    let tiles = hand("122333445m11z", 1);
    assert_eq!(
        readings(&tiles).as_slice(),
        [reading("1z", &[run("1m"), run("2m"), run("3m")])]
    );
}

#[test]
fn a_hand_has_every_reading_once() {
    let tiles = hand("111222333m99p456s", 0);
    let triplets = [triplet("1m"), triplet("2m"), triplet("3m"), run("4s")];
    let runs = [run("1m"), run("1m"), run("1m"), run("4s")];
    assert_eq!(
        readings(&tiles).as_slice(),
        [reading("9p", &triplets), reading("9p", &runs)]
    );
    assert_eq!(readings(&hand("66677778888999m", 0)).len(), 4);
}

#[test]
fn a_suit_of_a_complete_hand_never_holds_one_tile_more_than_sets() {
    let mut random = SplitMix64::new(1);
    let mut seen = [false; 15];
    for _ in 0..20_000 {
        let range = [(0, 9), (0, 18), (0, 34)][random.below(3)];
        let tiles = random.complete(4, range);
        assert!(is_complete(&hand_of(tiles, 0, 4)), "{tiles:?}");
        seen[tiles.0[..9]
            .iter()
            .map(|&count| usize::from(count))
            .sum::<usize>()] = true;
    }
    let allowed: Vec<usize> = (0..15).filter(|&tiles| seen[tiles]).collect();
    assert_eq!(allowed, [0, 2, 3, 5, 6, 8, 9, 11, 12, 14]);
}

#[test]
fn four_of_a_kind_among_the_closed_tiles_is_no_set() {
    assert!(!is_complete(&hand("1111m5555p9999s11z", 0)));
    assert_eq!(readings(&hand("1111m5555p9999s11z", 0)).len(), 0);
}

#[test]
fn seven_pairs_are_of_seven_kinds() {
    assert!(is_complete(&hand("1122m3344p5566s77z", 0)));
    assert!(!is_complete(&hand("1111m3344p5566s77z", 0)));
    assert_eq!(
        seven_pairs_shanten(&hand("1111m3344p5566s7z", 0)),
        Some(2),
        "a seventh kind is still to come"
    );
    assert_eq!(waits(&hand("1122m3344p5566s7z", 0)), set("7z"));
}

#[test]
fn thirteen_orphans_wait_for_one_kind_or_for_all() {
    assert!(is_complete(&hand("19m19p19s12345677z", 0)));
    assert_eq!(
        waits(&hand("19m19p19s1234567z", 0)),
        set("19m19p19s1234567z")
    );
    assert_eq!(waits(&hand("19m19p19s1234566z", 0)), set("7z"));
    assert_eq!(
        thirteen_orphans_shanten(&hand("19m19p19s1234555z", 0)),
        Some(1)
    );
}

#[test]
fn melds_rule_out_seven_pairs_and_thirteen_orphans() {
    let hand = hand("1122m3344p5s6z", 1);
    assert_eq!(
        (seven_pairs_shanten(&hand), thirteen_orphans_shanten(&hand)),
        (None, None)
    );
    assert_eq!(shanten(&hand), standard_shanten(&hand));
}

#[test]
fn a_hand_is_complete_only_with_its_last_tile() {
    assert!(is_complete(&hand("123m456p789s11122z", 0)));
    assert!(!is_complete(&hand("123m456p789s1122z", 0)));
    assert!(is_complete(&hand("123m456p789s11z", 1)));
}

#[test]
fn a_full_hand_takes_no_tile() {
    for text in ["123m456p789s11122z", "123m456p789s11223z"] {
        let full = hand(text, 0);
        assert_eq!(
            (acceptance(&full), waits(&full)),
            (KindSet::EMPTY, KindSet::EMPTY),
            "{text}"
        );
    }
    assert!(
        discard_options(&hand("123m456p789s1122z", 0)).is_empty(),
        "nothing is drawn"
    );
}

#[test]
fn a_kind_held_four_times_is_no_wait_and_makes_no_tenpai() {
    // Only a fifth 1m would make the pair.
    let tiles = hand("1111m234p567s888s", 0);
    assert_eq!(waits(&tiles), KindSet::EMPTY);
    assert_eq!(shanten(&tiles), 1);
}

#[test]
fn the_tiles_of_a_kan_of_ones_own_can_be_waited_for() {
    // Beside a kan of 1m.
    assert_eq!(waits(&hand("23m456p789s55z", 1)), set("14m"));
}

#[test]
fn shanten_counts_the_tiles_to_tenpai() {
    for (text, melds, expected) in [
        ("123m456p789s11122z", 0, -1),
        ("123m456p789s1122z", 0, 0),
        ("123m456p78s1122z7p", 0, 1),
        ("147m258p369s1234z", 0, 6),
        ("1z", 4, 0),
        ("11z", 4, -1),
        ("1m4p", 4, 0),
        ("1m4p7s1z", 3, 2),
    ] {
        assert_eq!(shanten(&hand(text, melds)), expected, "{text}");
    }
}

#[test]
fn acceptance_is_the_kinds_that_lower_shanten() {
    assert_eq!(acceptance(&hand("123m456p78s1122z7p", 0)), set("69s12z"));
    // Tenpai: the waits.
    assert_eq!(acceptance(&hand("123m456p789s1122z", 0)), set("12z"));
}

#[test]
fn each_discard_is_listed_with_its_result() {
    let tiles = hand("123m456p789s11223z", 0);
    let options = discard_options(&tiles);
    let thrown: Vec<_> = options.iter().map(|option| option.kind).collect();
    assert_eq!(thrown, tiles.counts().kinds().iter().collect::<Vec<_>>());
    let honour = options
        .iter()
        .find(|option| option.kind == kind("3z"))
        .expect("3z is in the hand");
    assert_eq!((honour.shanten, honour.acceptance), (0, set("12z")));
    let one = options
        .iter()
        .find(|option| option.kind == kind("1z"))
        .expect("1z is in the hand");
    assert_eq!((one.shanten, one.acceptance), (1, set("123z")));
}

#[test]
fn discards_within_a_shanten_number_are_those_of_all_that_keep_to_it() {
    for tiles in [
        "123m456p789s11223z",
        "1223m456p78s11223z",
        "159m258p369s12345z",
    ]
    .map(|tiles| hand(tiles, 0))
    {
        let all = discard_options(&tiles);
        for at_most in -1..=6 {
            let within = all
                .iter()
                .copied()
                .filter(|option| option.shanten <= at_most);
            assert!(
                discard_options_within(&tiles, at_most)
                    .into_iter()
                    .eq(within),
                "{tiles:?}: {at_most}"
            );
        }
    }
}

#[test]
fn discards_within_a_shanten_number_leave_hands_that_have_it() {
    let mut random = SplitMix64::new(53);
    for case in 0..20_000 {
        let melds = [0, 0, 0, 1, 2][case % 5];
        let players = 3 + (case % 2) as u8;
        let counts = match (players, case % 3) {
            (3, _) => random.deal_three(14 - 3 * melds),
            // Near to seven pairs, thirteen orphans or both.
            (_, 0) => random.deal(14 - 3 * melds, (27, 34)),
            (_, 1) => {
                let mut counts = Counts::EMPTY;
                while counts.total() < 14 - 3 * melds as u32 {
                    let kind = random.kind(0, 34);
                    if kind.is_terminal_or_honour() && counts[kind] < 3 {
                        counts[kind] += 1;
                    }
                }
                counts
            }
            _ => {
                let mut counts = random.complete(4 - melds, (0, 34));
                random.exchange(&mut counts, case % 4, (0, 34));
                counts
            }
        };
        let hand = hand_of(counts, melds, players);
        let kinds = KindSet::from_bits(random.below(1 << 34) as u64);
        for at_most in -1..=4 {
            let within = counts.kinds().iter().filter(|&kind| {
                let rest = hand.without(kind).expect("it is held");
                kinds.contains(kind) && shanten(&rest) <= at_most
            });
            let within: KindSet = within.collect();
            assert_eq!(
                discards_within(&hand, kinds, at_most),
                within,
                "{hand:?}: {at_most}"
            );
        }
    }
}

#[test]
fn exchanges_are_all_that_keep_the_distance_to_sets_and_a_pair() {
    for tiles in [
        "123m456p789s1122z",
        "1223m456p78s1223z",
        "159m258p369s1234z",
        "1111m444p13579s6z",
    ] {
        let hand = hand(tiles, 0);
        for (thrown, drawn) in exchanges(&hand) {
            for kind in Kind::all().filter(|&kind| kind != thrown) {
                let exchanged = hand.with(kind).and_then(|full| full.without(thrown));
                let keeps = exchanged
                    .is_some_and(|other| standard_shanten(&other) <= standard_shanten(&hand));
                assert_eq!(drawn.contains(kind), keeps, "{tiles}: {thrown} for {kind}");
            }
        }
        assert_eq!(exchanges(&hand).len(), hand.counts().kinds().len());
    }
    assert!(
        exchanges(&hand("123m456p789s11223z", 0)).is_empty(),
        "a full hand"
    );
}
