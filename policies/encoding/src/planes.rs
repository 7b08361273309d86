//! Planes: a number for each kind of tile.

use policy_sdk::Request;
use riichi::acceptance::{acceptance, discard_options};
use riichi::danger::{Danger, Opponent, Sight};
use riichi::tile::KINDS;
use riichi::{Kind, KindSet, MeldKind, Seat, Tile, Wind};

use crate::{EncodingPart, PlaneSet, SeatKnowledge};

const fn part(name: &'static str, meaning: &'static str) -> EncodingPart {
    EncodingPart { name, meaning }
}

/// The planes, in their order. Kinds are 1 to 9 of characters, dots and bamboo, then east, south, west, north, white,
/// green, red.
pub const PLANES: [EncodingPart; BASE_PLANES + 6] = [
    part("hand-1", "1 where at least one tile of the kind is in the own closed hand, the drawn one included"),
    part("hand-2", "1 where at least two are"),
    part("hand-3", "1 where at least three are"),
    part("hand-4", "1 where all four are"),
    part("hand-red", "1 where a red five of the kind is in the own closed hand"),
    part("drawn", "1 at the kind of the tile just drawn"),
    part("offered", "1 at the kind of the tile that may be claimed"),
    part("markers", "dora indicators of the kind / 4"),
    part("dora", "indicators that make the kind dora / 4"),
    part("unseen", "tiles of the kind that the seat does not see / 4"),
    part("unseen-red", "1 where a red five of the kind is not seen"),
    part("waits", "1 where the kind completes the own hand, without the drawn tile"),
    part("own-melds", "own seat: tiles of the kind in melds / 4"),
    part("own-chi", "own seat: 1 where the kind is in a chi"),
    part("own-pon", "own seat: 1 where the kind is in a pon"),
    part("own-kan", "own seat: 1 where the kind is in a kan"),
    part("own-meld-red", "own seat: 1 where a red five of the kind is in a meld"),
    part("own-river", "own seat: discards of the kind / 4, those called away included"),
    part("own-from-hand", "own seat: 1 where one of them was not the tile just drawn"),
    part("own-first", "own seat: number of the first discard of the kind, from 1, / 32"),
    part("own-last", "own seat: number of the last discard of the kind, from 1, / 32"),
    part("own-riichi", "own seat: 1 at the kind that riichi was declared with"),
    part("own-called", "own seat: 1 where a discard of the kind was called away"),
    part("own-river-red", "own seat: 1 where a red five of the kind was discarded"),
    part("own-safe", "own seat: always 0"),
    part("right-melds", "seat on the right: as the own seat's"),
    part("right-chi", "seat on the right: as the own seat's"),
    part("right-pon", "seat on the right: as the own seat's"),
    part("right-kan", "seat on the right: as the own seat's"),
    part("right-meld-red", "seat on the right: as the own seat's"),
    part("right-river", "seat on the right: as the own seat's"),
    part("right-from-hand", "seat on the right: as the own seat's"),
    part("right-first", "seat on the right: as the own seat's"),
    part("right-last", "seat on the right: as the own seat's"),
    part("right-riichi", "seat on the right: as the own seat's"),
    part("right-called", "seat on the right: as the own seat's"),
    part("right-river-red", "seat on the right: as the own seat's"),
    part("right-safe", "seat on the right: 1 where it cannot win on the kind by ron, whatever it holds (genbutsu)"),
    part("across-melds", "seat across: as the own seat's; with three players the seat on the left"),
    part("across-chi", "seat across: as the own seat's"),
    part("across-pon", "seat across: as the own seat's"),
    part("across-kan", "seat across: as the own seat's"),
    part("across-meld-red", "seat across: as the own seat's"),
    part("across-river", "seat across: as the own seat's"),
    part("across-from-hand", "seat across: as the own seat's"),
    part("across-first", "seat across: as the own seat's"),
    part("across-last", "seat across: as the own seat's"),
    part("across-riichi", "seat across: as the own seat's"),
    part("across-called", "seat across: as the own seat's"),
    part("across-river-red", "seat across: as the own seat's"),
    part("across-safe", "seat across: as of the right"),
    part("left-melds", "seat on the left: as the own seat's; 0 with three players, as all of its planes"),
    part("left-chi", "seat on the left: as the own seat's"),
    part("left-pon", "seat on the left: as the own seat's"),
    part("left-kan", "seat on the left: as the own seat's"),
    part("left-meld-red", "seat on the left: as the own seat's"),
    part("left-river", "seat on the left: as the own seat's"),
    part("left-from-hand", "seat on the left: as the own seat's"),
    part("left-first", "seat on the left: as the own seat's"),
    part("left-last", "seat on the left: as the own seat's"),
    part("left-riichi", "seat on the left: as the own seat's"),
    part("left-called", "seat on the left: as the own seat's"),
    part("left-river-red", "seat on the left: as the own seat's"),
    part("left-safe", "seat on the left: as of the right"),
    part("accepted", "unseen tiles of the kind / 4 where it lowers shanten; on the own turn after the widest discard"),
    part("keeps", "own turn: 1 where a discard of the kind leaves the lowest shanten"),
    part("acceptance", "own turn: unseen tiles that lower shanten after such a discard / 60, at most 1"),
    part("right-deals-in", "chance that a discard of the kind deals in to the right"),
    part("across-deals-in", "the same of the seat across"),
    part("left-deals-in", "the same of the left"),
];

/// Planes before the seats' planes.
const OWN_PLANES: usize = 12;
/// Planes of each seat.
const SEAT_PLANES: usize = 13;
/// Number of planes in [`PlaneSet::Base`].
pub const BASE_PLANES: usize = OWN_PLANES + 4 * SEAT_PLANES;
/// Number of values in them.
const BASE_NUMBERS: usize = PlaneSet::Base.numbers();
/// Number of values in the other planes.
const MORE_NUMBERS: usize = PlaneSet::All.numbers() - BASE_NUMBERS;

/// One, in the units of the base planes: all of their values are whole numbers of 1/32.
const ONE: u8 = 32;
/// A quarter in these units.
const QUARTER: u8 = ONE / 4;

/// The planes of a decision, in a quarter of the memory of their numbers.
#[derive(Debug, Clone)]
pub(crate) struct Planes {
    base: [u8; BASE_NUMBERS],
    more: [f32; MORE_NUMBERS],
}

impl Planes {
    pub(crate) const EMPTY: Self = Self { base: [0; BASE_NUMBERS], more: [0.0; MORE_NUMBERS] };

    /// Takes in a decision. Planes that are not in the set remain as they are.
    pub(crate) fn take(&mut self, knowledge: &impl SeatKnowledge, set: PlaneSet) {
        self.base.fill(0);
        self.take_own(knowledge);
        for (place, seat) in seats_from(knowledge).enumerate() {
            self.take_seat(knowledge, seat, OWN_PLANES + place * SEAT_PLANES);
        }
        if set == PlaneSet::All {
            self.more.fill(0.0);
            self.take_acceptance(knowledge);
            self.take_danger(knowledge);
        }
    }

    /// Writes as many as there is room for.
    pub(crate) fn write(&self, planes: &mut [f32]) {
        for (value, &units) in planes.iter_mut().zip(&self.base) {
            *value = f32::from(units) * (1.0 / ONE as f32);
        }
        if let Some(more) = planes.get_mut(BASE_NUMBERS..) {
            more.copy_from_slice(&self.more[..more.len()]);
        }
    }

    fn plane(&mut self, plane: usize) -> &mut [u8; KINDS] {
        &mut self.base.as_chunks_mut().0[plane]
    }

    fn take_own(&mut self, knowledge: &impl SeatKnowledge) {
        let (hand, unseen) = (knowledge.hand(), knowledge.unseen());
        for copies in 1..=4 {
            for (units, &count) in self.plane(copies - 1).iter_mut().zip(&hand.counts().0) {
                *units = u8::from(count >= copies as u8) * ONE;
            }
        }
        for ((suit, held), unseen) in (0..).zip(hand.reds()).zip(knowledge.unseen_reds()) {
            let red = Tile::red_five(suit).expect("there are three suits").kind().index();
            self.plane(4)[red] = u8::from(held > 0) * ONE;
            self.plane(10)[red] = u8::from(unseen > 0) * ONE;
        }
        if let Some(drawn) = knowledge.drawn() {
            self.plane(5)[drawn.kind().index()] = ONE;
        }
        if let Request::Claim { tile, .. } = knowledge.request() {
            self.plane(6)[tile.kind().index()] = ONE;
        }
        for marker in knowledge.dora_markers() {
            add_quarter(&mut self.plane(7)[marker.kind().index()]);
            add_quarter(&mut self.plane(8)[knowledge.rules().dora_of(marker.kind()).index()]);
        }
        for (units, count) in self.plane(9).iter_mut().zip(unseen.0) {
            *units = count * QUARTER;
        }
        set_all(self.plane(11), knowledge.waits());
    }

    fn take_seat(&mut self, knowledge: &impl SeatKnowledge, seat: Seat, first: usize) {
        let planes = &mut self.base.as_chunks_mut::<KINDS>().0[first..];
        let [tiles, chi, pon, kan, meld_red, river, from_hand, earliest, latest, riichi, called, river_red, safe, ..] =
            planes
        else {
            return;
        };
        for meld in knowledge.melds(seat) {
            let shape = match meld.kind() {
                MeldKind::Chi => &mut *chi,
                MeldKind::Pon => &mut *pon,
                MeldKind::Daiminkan | MeldKind::Ankan | MeldKind::Kakan => &mut *kan,
            };
            for tile in meld.tiles() {
                let kind = tile.kind().index();
                add_quarter(&mut tiles[kind]);
                shape[kind] = ONE;
                meld_red[kind] |= u8::from(tile.is_red()) * ONE;
            }
        }
        // Without branches, because the discards cannot be predicted.
        for (discard, number) in knowledge.river(seat).zip(1_u8..) {
            let kind = discard.tile.kind().index();
            add_quarter(&mut river[kind]);
            from_hand[kind] |= u8::from(!discard.tsumogiri) * ONE;
            earliest[kind] = if latest[kind] == 0 { number } else { earliest[kind] };
            latest[kind] = number;
            riichi[kind] |= u8::from(discard.riichi) * ONE;
            called[kind] |= u8::from(discard.called_by.is_some()) * ONE;
            river_red[kind] |= u8::from(discard.tile.is_red()) * ONE;
        }
        set_all(safe, knowledge.cannot_ron(seat));
    }

    fn set_more(&mut self, plane: usize, kind: Kind, value: f32) {
        self.more[plane * KINDS + kind.index()] = value;
    }

    fn take_acceptance(&mut self, knowledge: &impl SeatKnowledge) {
        let (hand, unseen) = (knowledge.concealed(), knowledge.unseen());
        let tiles = |kinds: KindSet| kinds.iter().map(|kind| u32::from(unseen[kind])).sum::<u32>();
        let accepted = if hand.is_full() {
            let options = discard_options(&hand);
            let lowest = options.iter().map(|option| option.shanten).min().unwrap_or_default();
            let mut widest = (0, KindSet::EMPTY);
            for option in options.iter().filter(|option| option.shanten == lowest) {
                let number = tiles(option.acceptance);
                self.set_more(1, option.kind, 1.0);
                self.set_more(2, option.kind, (number as f32 / 60.0).min(1.0));
                if number > widest.0 {
                    widest = (number, option.acceptance);
                }
            }
            widest.1
        } else {
            acceptance(&hand)
        };
        accepted.iter().for_each(|kind| self.set_more(0, kind, f32::from(unseen[kind]) / 4.0));
    }

    fn take_danger(&mut self, knowledge: &impl SeatKnowledge) {
        let rules = knowledge.rules();
        let sight = Sight::new(rules, knowledge.unseen(), knowledge.dora_markers());
        for (place, seat) in seats_from(knowledge).skip(1).enumerate() {
            let wind = Wind::of_seat(seat, knowledge.oya(), rules.players);
            let (river, melds) = (knowledge.river(seat), knowledge.melds(seat));
            let opponent = Opponent::new(river, melds, knowledge.cannot_ron(seat), wind, knowledge.bakaze());
            let danger = Danger::of(&sight, &opponent.with_norths(knowledge.norths(seat)));
            for kind in rules.kinds().iter() {
                self.set_more(3 + place, kind, danger.deal_in(kind));
            }
        }
    }
}

fn add_quarter(units: &mut u8) {
    *units = units.saturating_add(QUARTER);
}

/// Writes 1 for each kind of a set, and 0 for the others: eight kinds at a time, a byte for each.
fn set_all(plane: &mut [u8; KINDS], kinds: KindSet) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const OWN_BIT: u64 = 0x8040_2010_0804_0201;
    for (place, eight) in plane.chunks_mut(8).enumerate() {
        let bits = ((kinds.bits() >> (8 * place) & 0xff) * EACH) & OWN_BIT;
        // The highest bit of each byte that is not 0, moved to the place of `ONE`.
        let units = ((bits + 0x7f * EACH) >> 7) & EACH;
        eight.copy_from_slice(&(units * u64::from(ONE)).to_le_bytes()[..eight.len()]);
    }
}

/// The seats of the table in turn order, the own one first.
pub(crate) fn seats_from<K: SeatKnowledge>(knowledge: &K) -> impl Iterator<Item = Seat> + use<K> {
    let players = knowledge.rules().players;
    std::iter::successors(Some(knowledge.seat()), move |seat| Some(seat.next(players))).take(players.into())
}
