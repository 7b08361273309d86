//! Planes: a number for each kind of tile.

use policy_common::opponent;
use policy_sdk::{Player, Request, View};
use riichi::acceptance::{acceptance, discard_options};
use riichi::danger::{Danger, Sight};
use riichi::tile::KINDS;
use riichi::{Counts, Kind, KindSet, MeldKind, Seat, Tile};

use crate::{EncodingPart, PlaneSet};

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

/// The numbers of planes, while they are written.
struct Planes<'p>(&'p mut [f32]);

impl Planes<'_> {
    fn set(&mut self, plane: usize, kind: Kind, value: f32) {
        self.0[plane * KINDS + kind.index()] = value;
    }

    fn set_all(&mut self, plane: usize, kinds: KindSet) {
        kinds.iter().for_each(|kind| self.set(plane, kind, 1.0));
    }

    fn add(&mut self, plane: usize, kind: Kind, value: f32) {
        self.0[plane * KINDS + kind.index()] += value;
    }

    fn set_counts(&mut self, plane: usize, counts: &Counts) {
        for (value, &count) in self.0[plane * KINDS..][..KINDS].iter_mut().zip(&counts.0) {
            *value = f32::from(count) / 4.0;
        }
    }
}

pub(crate) fn write(view: &View<'_>, set: PlaneSet, planes: &mut [f32]) {
    planes.fill(0.0);
    let mut planes = Planes(planes);
    write_own(view, &mut planes);
    for (place, seat) in seats_from(view).enumerate() {
        write_seat(&view.player(seat), OWN_PLANES + place * SEAT_PLANES, &mut planes);
    }
    if set == PlaneSet::All {
        write_acceptance(view, &mut planes);
        write_danger(view, &mut planes);
    }
}

/// The seats of the table in turn order, the own one first.
pub(crate) fn seats_from(view: &View<'_>) -> impl Iterator<Item = Seat> {
    let players = view.players();
    std::iter::successors(Some(view.seat()), move |seat| Some(seat.next(players))).take(players.into())
}

fn write_own(view: &View<'_>, planes: &mut Planes<'_>) {
    for copies in 1..=4 {
        planes.set_all(usize::from(copies) - 1, view.closed().at_least(copies));
    }
    for (suit, unseen) in (0..).zip(view.unseen_reds()) {
        let red = Tile::red_five(suit).expect("there are three suits");
        planes.set(4, red.kind(), f32::from(u8::from(view.hand().count(red) > 0)));
        planes.set(10, red.kind(), f32::from(u8::from(unseen > 0)));
    }
    if let Some(drawn) = view.drawn() {
        planes.set(5, drawn.kind(), 1.0);
    }
    if let Request::Claim { tile, .. } = view.request() {
        planes.set(6, tile.kind(), 1.0);
    }
    for marker in view.dora_markers() {
        planes.add(7, marker.kind(), 0.25);
        planes.add(8, view.rules().dora_of(marker.kind()), 0.25);
    }
    planes.set_counts(9, &view.unseen());
    planes.set_all(11, view.waits());
}

fn write_seat(player: &Player<'_>, first: usize, planes: &mut Planes<'_>) {
    for meld in player.melds() {
        let plane = match meld.kind() {
            MeldKind::Chi => 1,
            MeldKind::Pon => 2,
            MeldKind::Daiminkan | MeldKind::Ankan | MeldKind::Kakan => 3,
        };
        for tile in meld.tiles() {
            planes.add(first, tile.kind(), 0.25);
            planes.set(first + plane, tile.kind(), 1.0);
            if tile.is_red() {
                planes.set(first + 4, tile.kind(), 1.0);
            }
        }
    }
    let mut seen = KindSet::EMPTY;
    for (discard, number) in player.river().zip(1_u8..) {
        let kind = discard.tile.kind();
        let order = f32::from(number) / 32.0;
        planes.add(first + 5, kind, 0.25);
        if !discard.tsumogiri {
            planes.set(first + 6, kind, 1.0);
        }
        if !seen.contains(kind) {
            planes.set(first + 7, kind, order);
            seen.insert(kind);
        }
        planes.set(first + 8, kind, order);
        if discard.riichi {
            planes.set(first + 9, kind, 1.0);
        }
        if discard.called_by.is_some() {
            planes.set(first + 10, kind, 1.0);
        }
        if discard.tile.is_red() {
            planes.set(first + 11, kind, 1.0);
        }
    }
    planes.set_all(first + 12, player.cannot_ron().all());
}

fn write_acceptance(view: &View<'_>, planes: &mut Planes<'_>) {
    let unseen = view.unseen();
    let tiles = |kinds: KindSet| kinds.iter().map(|kind| u32::from(unseen[kind])).sum::<u32>();
    let accepted = if view.concealed().is_full() {
        let options = discard_options(view.concealed());
        let lowest = options.iter().map(|option| option.shanten).min().unwrap_or_default();
        let mut widest = (0, KindSet::EMPTY);
        for option in options.iter().filter(|option| option.shanten == lowest) {
            let number = tiles(option.acceptance);
            planes.set(BASE_PLANES + 1, option.kind, 1.0);
            planes.set(BASE_PLANES + 2, option.kind, (number as f32 / 60.0).min(1.0));
            if number > widest.0 {
                widest = (number, option.acceptance);
            }
        }
        widest.1
    } else {
        acceptance(view.concealed())
    };
    accepted.iter().for_each(|kind| planes.set(BASE_PLANES, kind, f32::from(unseen[kind]) / 4.0));
}

fn write_danger(view: &View<'_>, planes: &mut Planes<'_>) {
    let sight = Sight::new(view.rules(), view.unseen(), view.dora_markers());
    for (place, player) in view.opponents().enumerate() {
        let danger = Danger::of(&sight, &opponent(view, &player));
        for kind in view.rules().kinds().iter() {
            planes.set(BASE_PLANES + 3 + place, kind, danger.deal_in(kind));
        }
    }
}
