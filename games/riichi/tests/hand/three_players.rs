//! Hands of three players, who have no 2m to 8m: by example, and against a search over all complete
//! hands.

use riichi::acceptance::acceptance;
use riichi::shanten::{ORPHANS, shanten};
use riichi::waits::waits;
use riichi::{ConcealedHand, Counts, Kind, KindSet};

use crate::checks;
use crate::random::SplitMix64;
use crate::text::{counts, hand_of, set};

fn three(text: &str, melds: usize) -> ConcealedHand {
    hand_of(counts(text), melds, 3)
}

#[test]
fn ones_and_nines_of_characters_make_no_runs() {
    // Three sets and a pair. With four players the fourth 1m or 9m begins a run that lacks two
    // tiles; with three nothing goes with it, and a whole set is to come.
    for tiles in ["1111m1111z222z33z", "1119999m111122z"] {
        assert_eq!(shanten(&hand_of(counts(tiles), 0, 4)), 1, "{tiles}");
        assert_eq!(shanten(&three(tiles, 0)), 2, "{tiles}");
    }
}

#[test]
fn nothing_is_accepted_that_there_are_no_tiles_of() {
    let hand = three("19m19p19s1234567z", 0);
    assert_eq!(waits(&hand), set("19m19p19s1234567z"));
    // Six pairs and a tile too many: a seventh kind is wanted, of those that there are.
    let hand = three("1199m1199p1144z3s", 0);
    assert_eq!(acceptance(&hand), set("3s"));
    let hand = three("11119999m1122z1p", 0);
    assert!(
        acceptance(&hand)
            .iter()
            .all(|kind| hand.kinds_in_play().contains(kind)),
        "{:?}",
        acceptance(&hand)
    );
}

/// A hand of three players: as dealt, of so few kinds that it holds most of them four times, or
/// near a complete one.
pub(crate) fn random_of_three(random: &mut SplitMix64, melds: usize, tiles: usize) -> Counts {
    let tiles = tiles - 3 * melds;
    match random.below(3) {
        0 => random.deal_three(tiles),
        1 => {
            // Half of them have no suit in which there are runs.
            let with_runs = random.below(2) == 0;
            let is_wanted = |kind: &Kind| with_runs || kind.suit().is_none_or(|suit| suit == 0);
            let mut kinds: Vec<Kind> = KindSet::in_play(3).iter().filter(is_wanted).collect();
            let few = (0..tiles.div_ceil(4)).map(|_| kinds.swap_remove(random.below(kinds.len())));
            let mut wall: Vec<Kind> = few.collect::<Vec<_>>().repeat(4);
            (0..tiles)
                .map(|_| wall.swap_remove(random.below(wall.len())))
                .collect()
        }
        _ => {
            // 8m represents 1m; no run begins at 8m or 9m.
            let mut counts = random.complete(4 - melds, (7, 34));
            let exchanged = random.below(5);
            random.exchange(&mut counts, exchanged, (7, 34));
            if counts.total() as usize > tiles {
                random.take(&mut counts);
            }
            counts.0.swap(0, 7);
            counts
        }
    }
}

/// Tiles that a hand lacks to the nearest complete hand, found by going through all complete hands
/// of sets and a pair, of seven pairs and of thirteen orphans that have no kind five times. Nothing
/// is shared with the tables.
fn lacking(hand: &ConcealedHand) -> u8 {
    let mut search = Search {
        held: *hand.counts(),
        wanted: Counts::EMPTY,
        lacking: 0,
        best: u8::MAX,
        sets: sets(),
    };
    for pair in KindSet::in_play(3).iter() {
        search.with_tiles(&[pair, pair], |search| search.choose(0, 4 - hand.melds()));
    }
    if hand.melds() > 0 {
        return search.best;
    }
    let counts = hand.counts();
    let held = |least: u8| {
        KindSet::in_play(3)
            .iter()
            .filter(|&kind| counts[kind] >= least)
            .count() as u8
    };
    let (kinds, pairs) = (held(1).min(7), held(2).min(7));
    // Of seven kinds that are best paired, those held twice lack nothing, those held once a tile,
    // the others two.
    let seven_pairs = 7 - pairs + (7 - kinds);
    let orphans = ORPHANS.iter().filter(|&kind| counts[kind] > 0).count() as u8;
    let orphan_pair = ORPHANS.iter().any(|kind| counts[kind] > 1);
    search
        .best
        .min(seven_pairs)
        .min(14 - orphans - u8::from(orphan_pair))
}

/// All sets of a game of three.
fn sets() -> Vec<[Kind; 3]> {
    let in_play = KindSet::in_play(3);
    let run = |kind: Kind| Some([kind, kind.offset(1)?, kind.offset(2)?]);
    let runs = in_play
        .iter()
        .filter_map(run)
        .filter(|run| run.iter().all(|&kind| in_play.contains(kind)));
    in_play.iter().map(|kind| [kind; 3]).chain(runs).collect()
}

struct Search {
    held: Counts,
    wanted: Counts,
    /// Number of wanted tiles that are not held.
    lacking: u8,
    best: u8,
    sets: Vec<[Kind; 3]>,
}

impl Search {
    /// Goes on with these tiles among the wanted ones, unless there are five of a kind or too many
    /// are lacking.
    fn with_tiles(&mut self, tiles: &[Kind], go_on: impl FnOnce(&mut Self)) {
        let before = self.lacking;
        for &kind in tiles {
            self.wanted[kind] += 1;
            self.lacking += u8::from(self.wanted[kind] > self.held[kind]);
        }
        if self.lacking < self.best && tiles.iter().all(|&kind| self.wanted[kind] <= 4) {
            go_on(self);
        }
        tiles.iter().for_each(|&kind| self.wanted[kind] -= 1);
        self.lacking = before;
    }

    /// Chooses this many sets of the list, from this index on.
    fn choose(&mut self, from: usize, sets: u8) {
        if sets == 0 {
            // It lacks fewer than the best, or the search would not have come here.
            self.best = self.lacking;
            return;
        }
        for place in from..self.sets.len() {
            let set = self.sets[place];
            self.with_tiles(&set, |search| search.choose(place, sets - 1));
        }
    }
}

#[test]
fn the_search_finds_the_missing_tiles() {
    for (text, melds, expected) in [
        ("111m999m123p789s11z", 0, 0),
        ("19m19p19s12345677z", 0, 0),
        ("1199m2255p3388s4z", 0, 1),
        ("1m", 4, 1),
    ] {
        assert_eq!(lacking(&three(text, melds)), expected, "{text}");
    }
}

#[test]
fn shanten_and_acceptance_are_those_of_the_nearest_complete_hand() {
    let mut random = SplitMix64::new(40);
    let mut differs = 0;
    for check in 0..checks() / 5 {
        let melds = random.below(5);
        let hand = hand_of(random_of_three(&mut random, melds, 13), melds, 3);
        let lacking_now = lacking(&hand);
        assert_eq!(shanten(&hand), lacking_now as i8 - 1, "{hand:?}");
        differs += u32::from(shanten(&hand) != shanten(&hand_of(*hand.counts(), melds, 4)));
        let full = hand_of(random_of_three(&mut random, melds, 14), melds, 3);
        assert_eq!(shanten(&full), lacking(&full) as i8 - 1, "{full:?}");
        if check % 10 == 0 {
            let lowers = |&kind: &Kind| {
                hand.with(kind)
                    .is_some_and(|more| lacking(&more) < lacking_now)
            };
            let expected: KindSet = Kind::all().filter(lowers).collect();
            assert_eq!(acceptance(&hand), expected, "{hand:?}");
        }
    }
    assert!(
        differs > checks() / 2_000,
        "only {differs} hands are further away than with four players"
    );
}
