//! Acceptance (ukeire): the tiles that bring a hand nearer to completion.
//!
//! Kinds are found, not copies: how many of them are still unseen is for the caller to count. A
//! kind with all four tiles concealed in the hand is never accepted, nor one that the game does not
//! use.

use arrayvec::ArrayVec;

use tiles::shanten::ORPHANS;
use tiles::shanten::tables::Keyed;
use tiles::{ConcealedHand, Kind, KindSet};

/// Kinds that lower the shanten number of a hand before its draw; its waits when it is tenpai.
/// Empty for a full hand, which must discard before it takes a tile.
pub fn acceptance(hand: &ConcealedHand) -> KindSet {
    if hand.is_full() {
        KindSet::EMPTY
    } else {
        shanten_and_acceptance(hand).1
    }
}

/// The hand after discarding one of its tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscardOption {
    /// The discarded kind.
    pub kind: Kind,
    /// Shanten number afterwards.
    pub shanten: i8,
    /// Acceptance afterwards.
    pub acceptance: KindSet,
}

/// For each kind in a full hand: shanten number and acceptance after throwing it, in order of
/// index. None for a hand that is not full.
pub fn discard_options(hand: &ConcealedHand) -> ArrayVec<DiscardOption, 14> {
    let mut options = ArrayVec::new();
    hand.each_discard(|kind, rest| {
        let (shanten, acceptance) = shanten_and_acceptance(rest);
        options.push(DiscardOption {
            kind,
            shanten,
            acceptance,
        });
    });
    options
}

/// The [`discard_options`] that leave at most this shanten number. Faster where few do, because
/// acceptance takes most of the time.
pub fn discard_options_within(hand: &ConcealedHand, at_most: i8) -> ArrayVec<DiscardOption, 14> {
    let within = discards_within(hand, hand.counts().kinds(), at_most);
    let options = within.iter().filter_map(|kind| {
        let (shanten, acceptance) = shanten_and_acceptance(&hand.without(kind)?);
        Some(DiscardOption {
            kind,
            shanten,
            acceptance,
        })
    });
    options.collect()
}

/// Of these kinds of a full hand, those whose discard leaves at most this shanten number. None of a
/// hand that is not full.
pub fn discards_within(hand: &ConcealedHand, kinds: KindSet, at_most: i8) -> KindSet {
    let kinds = kinds & hand.counts().kinds();
    if !hand.is_full() || kinds.is_empty() || at_most < 0 {
        // A hand before its draw is not complete.
        return KindSet::EMPTY;
    }
    if hand.players() == 3 {
        within::<true>(hand, kinds, at_most)
    } else {
        within::<false>(hand, kinds, at_most)
    }
}

fn within<const THREE_PLAYERS: bool>(hand: &ConcealedHand, kinds: KindSet, at_most: i8) -> KindSet {
    let keyed = Keyed::<THREE_PLAYERS>::new(hand);
    let mut within =
        KindSet::from_bits(keyed.dispensable(kinds.bits(), at_most.unsigned_abs() + 1));
    if hand.melds() > 0 {
        return within;
    }
    // A discard never lowers the number of a form, and these two forms are rarely near.
    let counts = hand.counts();
    let pairs = keyed.seven_pairs_shanten();
    if pairs <= at_most {
        let (held, paired, more) = (counts.kinds(), counts.at_least(2), counts.at_least(3));
        within |= kinds & more;
        if pairs < at_most {
            within |= kinds & paired;
        }
        // With more than seven kinds a single tile is too much.
        if pairs < at_most || held.len() > 7 {
            within |= kinds - paired;
        }
    }
    let orphans = keyed.thirteen_orphans_shanten();
    if orphans <= at_most {
        let paired = counts.at_least(2) & ORPHANS;
        let wanted = match paired.len() {
            // The only pair; a third tile of its kind is too much.
            1 => ORPHANS - counts.at_least(3),
            _ => ORPHANS - paired,
        };
        within |= kinds - wanted;
        if orphans < at_most {
            within |= kinds;
        }
    }
    within
}

/// The exchanges that keep the distance to four sets and a pair: for each kind of a hand before its
/// draw, the kinds that may be drawn in place of one tile of it. Kinds that bring the hand nearer
/// are among them. None for a full hand.
pub fn exchanges(hand: &ConcealedHand) -> ArrayVec<(Kind, KindSet), 13> {
    if hand.players() == 3 {
        standard_exchanges::<true>(hand)
    } else {
        standard_exchanges::<false>(hand)
    }
}

fn standard_exchanges<const THREE_PLAYERS: bool>(
    hand: &ConcealedHand,
) -> ArrayVec<(Kind, KindSet), 13> {
    let mut exchanges = ArrayVec::new();
    if hand.is_full() {
        return exchanges;
    }
    let (now, drawable) = (
        Keyed::<THREE_PLAYERS>::new(hand).missing(),
        hand.kinds_in_play() - hand.counts().at_least(4),
    );
    let mut rest = *hand.counts();
    for kind in hand.counts().kinds().iter() {
        rest[kind] -= 1;
        let keyed = Keyed::<THREE_PLAYERS>::of_tiles(&rest, hand.melds());
        rest[kind] += 1;
        let missing = keyed.missing();
        let drawn = if missing == now {
            drawable
        } else {
            drawable & KindSet::from_bits(keyed.improving(missing))
        };
        exchanges.push((kind, drawn));
    }
    exchanges
}

/// The [`shanten`](crate::shanten) number and the accepted kinds of a hand before its draw, at
/// once: they share most of the work.
pub fn shanten_and_acceptance(hand: &ConcealedHand) -> (i8, KindSet) {
    if hand.players() == 3 {
        both::<true>(hand)
    } else {
        both::<false>(hand)
    }
}

fn both<const THREE_PLAYERS: bool>(hand: &ConcealedHand) -> (i8, KindSet) {
    let keyed = Keyed::<THREE_PLAYERS>::new(hand);
    let standard = keyed.missing() as i8 - 1;
    let (pairs, orphans) = if hand.melds() == 0 {
        (
            keyed.seven_pairs_shanten(),
            keyed.thirteen_orphans_shanten(),
        )
    } else {
        (i8::MAX, i8::MAX)
    };
    let least = standard.min(pairs).min(orphans);
    let mut kinds = KindSet::EMPTY;
    // A tile lowers the number of a form by at most one, so forms that are further away do not
    // count.
    if standard == least {
        kinds |= KindSet::from_bits(keyed.improving(keyed.missing())) - hand.counts().at_least(4);
    }
    if pairs == least {
        kinds |= wanted_by_seven_pairs(hand);
    }
    if orphans == least {
        kinds |= wanted_by_thirteen_orphans(hand);
    }
    (least, kinds)
}

fn wanted_by_seven_pairs(hand: &ConcealedHand) -> KindSet {
    let (held, paired) = (hand.counts().kinds(), hand.counts().at_least(2));
    // With seven kinds or more only a second tile helps; with fewer, a new kind does too.
    if held.len() < 7 {
        hand.kinds_in_play() - paired
    } else {
        held - paired
    }
}

fn wanted_by_thirteen_orphans(hand: &ConcealedHand) -> KindSet {
    let paired = hand.counts().at_least(2);
    // Without a pair a second tile of any helps as well.
    if paired.intersects(ORPHANS) {
        ORPHANS - hand.counts().kinds()
    } else {
        ORPHANS
    }
}
