//! Complete shapes, and the readings of a hand: the ways to divide it into sets and a pair.

use arrayvec::ArrayVec;

use tiles::shanten::{seven_pairs_shanten, shanten, thirteen_orphans_shanten};
use tiles::{ConcealedHand, KINDS, Kind, KindSet};

/// Whether a hand, which holds the winning tile, is complete: four sets and a pair, where each meld
/// is a set, or seven pairs, or thirteen orphans.
pub fn is_complete(hand: &ConcealedHand) -> bool {
    hand.is_full() && shanten(hand) == -1
}

/// Whether these are seven pairs of different kinds.
pub(crate) fn is_seven_pairs(hand: &ConcealedHand) -> bool {
    hand.is_full() && seven_pairs_shanten(hand) == Some(-1)
}

/// Whether these are thirteen orphans and one of them twice.
pub(crate) fn is_thirteen_orphans(hand: &ConcealedHand) -> bool {
    hand.is_full() && thirteen_orphans_shanten(hand) == Some(-1)
}

/// A concealed set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Set {
    /// A run, by its lowest kind.
    Run(Kind),
    /// Three of a kind.
    Triplet(Kind),
}

impl Set {
    /// The lowest kind in it.
    pub const fn first(self) -> Kind {
        match self {
            Self::Run(kind) | Self::Triplet(kind) => kind,
        }
    }

    /// Whether a tile of this kind is in it.
    pub fn contains(self, kind: Kind) -> bool {
        match self {
            Self::Triplet(of) => of == kind,
            Self::Run(first) => {
                kind.suit() == first.suit()
                    && (0..3).contains(&(kind.index() as i8 - first.index() as i8))
            }
        }
    }
}

/// One way to read the concealed tiles of a complete hand as sets and a pair.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HandReading {
    /// The kind of the pair.
    pub pair: Kind,
    /// The concealed sets in order of their lowest kinds, a triplet before runs.
    pub sets: ArrayVec<Set, 4>,
}

/// No hand has more readings than this, as a test over all hands finds: for instance
/// `66677778888999m` has four.
pub const MAX_READINGS: usize = 4;

/// All readings of the concealed tiles of a complete hand, the winning one included, each once, in
/// order of the pair.
///
/// Empty for anything that is not sets and one pair: for seven pairs and thirteen orphans too,
/// unless the pairs can also be read as runs.
pub fn readings(hand: &ConcealedHand) -> ArrayVec<HandReading, MAX_READINGS> {
    let mut found = ArrayVec::new();
    each_reading(hand, |reading| {
        // There are never more than fit.
        let _ = found.try_push(reading.spelt_out());
    });
    found
}

/// A reading as bits by index of kind, which is faster to work with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BitReading {
    pub(crate) pair: Kind,
    /// Kinds with a triplet.
    pub(crate) triplets: u64,
    /// Kinds at which a run begins; at which two do, three, four.
    pub(crate) runs: [u64; 4],
}

impl BitReading {
    fn spelt_out(&self) -> HandReading {
        let mut sets = ArrayVec::new();
        for kind in KindSet::from_bits(self.triplets | self.runs[0]).iter() {
            let bit = 1 << kind.index();
            sets.extend((self.triplets & bit != 0).then_some(Set::Triplet(kind)));
            let runs = self.runs.iter().filter(|&starts| starts & bit != 0).count();
            sets.extend(std::iter::repeat_n(Set::Run(kind), runs));
        }
        HandReading {
            pair: self.pair,
            sets,
        }
    }
}

/// A suit, or the honours, with the counts packed in a word, four bits for each kind.
#[derive(Clone, Copy)]
struct PackedSuit {
    word: u64,
    first: Kind,
}

impl PackedSuit {
    /// From the counts (each at most 4) of nine kinds, or seven for honours, from `first` on.
    fn new(counts: &[u8], first: Kind) -> Self {
        let word = counts
            .iter()
            .rev()
            .fold(0, |word, &count| word << 4 | u64::from(count));
        Self { word, first }
    }
}

/// Calls `visit` for each reading, in the order of [`readings`].
pub(crate) fn each_reading(hand: &ConcealedHand, mut visit: impl FnMut(&BitReading)) {
    let counts = &hand.counts().0;
    let mut parts = [0, 9, 18, 27].map(|first| {
        let kind = Kind::new(first as u8).unwrap_or(Kind::EAST);
        PackedSuit::new(&counts[first..KINDS.min(first + 9)], kind)
    });
    // The sum of digits of base 16 is the number itself, modulo 3. The pair must be in the one part
    // whose total is not a multiple of three; that part comes first, since most choices of the pair
    // fail there.
    let mut with_pair = None;
    for (place, part) in parts.iter().enumerate() {
        match part.word % 3 {
            0 => {}
            2 if with_pair.is_none() => with_pair = Some(place),
            _ => return,
        }
    }
    let Some(with_pair) = with_pair else { return };
    parts.swap(0, with_pair);
    let [PackedSuit { word, first }, others @ ..] = parts;
    for place in 0..9 {
        if word >> (4 * place) & 0xf >= 2
            && let Some(pair) = Kind::new((first.index() + place) as u8)
        {
            let reading = BitReading {
                pair,
                triplets: 0,
                runs: [0; 4],
            };
            split(
                PackedSuit {
                    word: word - (2 << (4 * place)),
                    first,
                },
                &others,
                reading,
                &mut visit,
            );
        }
    }
}

/// Splits a part, and the others after it, into sets, lowest kind first, and calls `visit` for each
/// way.
fn split(
    PackedSuit { mut word, first }: PackedSuit,
    others: &[PackedSuit],
    mut reading: BitReading,
    visit: &mut impl FnMut(&BitReading),
) {
    while word != 0 {
        let place = word.trailing_zeros() / 4;
        let count = word >> (4 * place) & 0xf;
        let kind = 1 << (first.index() as u32 + place);
        if count >= 3 {
            // First with a triplet and the fourth tile, if any, in a run; below with all of them in
            // runs.
            let mut with_triplet = reading;
            with_triplet.triplets |= kind;
            split(
                PackedSuit {
                    word: word - (3 << (4 * place)),
                    first,
                },
                others,
                with_triplet,
                visit,
            );
        }
        // Each of them begins a run. Past the end of a suit the counts are 0.
        let next = |steps: u32| word >> (4 * (place + steps)) & 0xf;
        if first.is_honour() || next(1) < count || next(2) < count {
            return;
        }
        word -= (count * 0x111) << (4 * place);
        for starts in &mut reading.runs[..count as usize] {
            *starts |= kind;
        }
    }
    match others {
        [] => visit(&reading),
        [next, others @ ..] => split(*next, others, reading, visit),
    }
}
