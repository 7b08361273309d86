//! Planes: a number for each kind of tile.

use policy_sdk::Request;
use riichi::acceptance::{acceptance, discard_options};
use riichi::concealed::ConcealedHand;
use riichi::tile::KINDS;
use riichi::{KindSet, MeldKind, Tile};
use riichi_estimates::danger::{Danger, Opponent, Sight};

use crate::knowledge::{PlayerKnowledge, SeatKnowledge};
use crate::{EncodingPart, PlaneSet, flag};

const fn part(name: &'static str, meaning: &'static str) -> EncodingPart {
    EncodingPart { name, meaning }
}

/// The planes, in their order. Kinds are 1 to 9 of characters, dots and bamboo, then east, south,
/// west, north, white, green, red.
pub const PLANES: [EncodingPart; BASE_PLANES + 6] = [
    part(
        "hand-1",
        "1 where at least one tile of the kind is in the own closed hand, the drawn one included",
    ),
    part("hand-2", "1 where at least two are"),
    part("hand-3", "1 where at least three are"),
    part("hand-4", "1 where all four are"),
    part(
        "hand-red",
        "1 where a red five of the kind is in the own closed hand",
    ),
    part("drawn", "1 at the kind of the tile just drawn"),
    part("offered", "1 at the kind of the tile that may be claimed"),
    part("markers", "dora indicators of the kind / 4"),
    part("dora", "indicators that make the kind dora / 4"),
    part("unseen", "tiles of the kind that the seat does not see / 4"),
    part("unseen-red", "1 where a red five of the kind is not seen"),
    part(
        "waits",
        "1 where the kind completes the own hand, without the drawn tile",
    ),
    part("own-melds", "own seat: tiles of the kind in melds / 4"),
    part("own-chi", "own seat: 1 where the kind is in a chi"),
    part("own-pon", "own seat: 1 where the kind is in a pon"),
    part("own-kan", "own seat: 1 where the kind is in a kan"),
    part(
        "own-meld-red",
        "own seat: 1 where a red five of the kind is in a meld",
    ),
    part(
        "own-river",
        "own seat: discards of the kind / 4, those called away included",
    ),
    part(
        "own-from-hand",
        "own seat: 1 where one of them was not the tile just drawn",
    ),
    part(
        "own-first",
        "own seat: number of the first discard of the kind, from 1, / 32",
    ),
    part(
        "own-last",
        "own seat: number of the last discard of the kind, from 1, / 32",
    ),
    part(
        "own-riichi",
        "own seat: 1 at the kind that riichi was declared with",
    ),
    part(
        "own-called",
        "own seat: 1 where a discard of the kind was called away",
    ),
    part(
        "own-river-red",
        "own seat: 1 where a red five of the kind was discarded",
    ),
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
    part(
        "right-safe",
        "seat on the right: 1 where it cannot win on the kind by ron, whatever it holds (genbutsu)",
    ),
    part(
        "across-melds",
        "seat across: as the own seat's; with three players the seat on the left",
    ),
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
    part(
        "left-melds",
        "seat on the left: as the own seat's; 0 with three players, as all of its planes",
    ),
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
    part(
        "accepted",
        "unseen tiles of the kind / 4 where it lowers shanten; on the own turn after the widest discard",
    ),
    part(
        "keeps",
        "own turn: 1 where a discard of the kind leaves the lowest shanten",
    ),
    part(
        "acceptance",
        "own turn: unseen tiles that lower shanten after such a discard / 60, at most 1",
    ),
    part(
        "right-deals-in",
        "chance that a discard of the kind deals in to the right",
    ),
    part("across-deals-in", "the same of the seat across"),
    part("left-deals-in", "the same of the left"),
];

/// Planes before the seats' planes.
const OWN_PLANES: usize = 12;
/// Planes of each seat.
const SEAT_PLANES: usize = 13;
/// Number of planes in [`PlaneSet::Base`].
pub const BASE_PLANES: usize = OWN_PLANES + 4 * SEAT_PLANES;

/// For one tile of a kind.
const QUARTER: f32 = 0.25;

/// Planes, all 0 at first.
type Rows<'p> = &'p mut [[f32; KINDS]];

/// Writes the planes of a set, for which there is just enough room.
pub(crate) fn write(knowledge: &SeatKnowledge<'_>, set: PlaneSet, planes: &mut [f32]) {
    assert_eq!(
        planes.len(),
        set.numbers(),
        "there is room for the planes of the set"
    );
    let (base, more) = planes.as_chunks_mut().0.split_at_mut(BASE_PLANES);
    let (own, seats) = base.split_at_mut(OWN_PLANES);
    // Each part is cleared just before it is written, while it is near the processor.
    own.as_flattened_mut().fill(0.0);
    write_own(knowledge, own);
    for (planes, player) in seats.as_chunks_mut().0.iter_mut().zip(&knowledge.players) {
        planes.as_flattened_mut().fill(0.0);
        if let Some(player) = player {
            write_player(player, planes);
        }
    }
    if set == PlaneSet::All {
        more.as_flattened_mut().fill(0.0);
        write_acceptance(knowledge, more);
        write_danger(knowledge, more);
    }
}

fn write_own(knowledge: &SeatKnowledge<'_>, planes: Rows<'_>) {
    let [
        hand_1,
        hand_2,
        hand_3,
        hand_4,
        hand_red,
        drawn,
        offered,
        markers,
        dora,
        unseen,
        unseen_red,
        waits,
        ..,
    ] = planes
    else {
        return;
    };
    let hand = knowledge.hand;
    for kind in hand.counts().kinds().iter() {
        let (copies, kind) = (hand.counts()[kind], kind.index());
        hand_1[kind] = 1.0;
        hand_2[kind] = flag(copies >= 2);
        hand_3[kind] = flag(copies >= 3);
        hand_4[kind] = flag(copies >= 4);
    }
    for ((suit, held), unseen) in (0..).zip(hand.reds()).zip(knowledge.unseen_reds) {
        let red = Tile::red_five(suit)
            .expect("there are three suits")
            .kind()
            .index();
        hand_red[red] = flag(held > 0);
        unseen_red[red] = flag(unseen > 0);
    }
    if let Some(tile) = knowledge.drawn {
        drawn[tile.kind().index()] = 1.0;
    }
    if let Request::Claim { tile, .. } = knowledge.request {
        offered[tile.kind().index()] = 1.0;
    }
    for marker in knowledge.dora_markers.iter() {
        markers[marker.kind().index()] += QUARTER;
        dora[knowledge.rules.dora_of(marker.kind()).index()] += QUARTER;
    }
    for (value, count) in unseen.iter_mut().zip(knowledge.unseen.0) {
        *value = f32::from(count) * QUARTER;
    }
    set_all(waits, knowledge.waits);
}

fn write_player(player: &PlayerKnowledge<'_>, planes: &mut [[f32; KINDS]; SEAT_PLANES]) {
    let [
        tiles,
        chi,
        pon,
        kan,
        meld_red,
        river,
        from_hand,
        first,
        last,
        riichi,
        called,
        river_red,
        safe,
    ] = planes;
    for meld in player.melds {
        let (shape, kinds, each) = match meld.kind() {
            MeldKind::Chi => (&mut *chi, 3, QUARTER),
            MeldKind::Pon => (&mut *pon, 1, 3.0 * QUARTER),
            MeldKind::Daiminkan | MeldKind::Ankan | MeldKind::Kakan => (&mut *kan, 1, 1.0),
        };
        let first = meld.first().index();
        for (tiles, shape) in tiles[first..]
            .iter_mut()
            .zip(&mut shape[first..])
            .take(kinds)
        {
            *tiles += each;
            *shape = 1.0;
        }
        for red in meld.tiles().iter().filter(|tile| tile.is_red()) {
            meld_red[red.kind().index()] = 1.0;
        }
    }
    let mut number = 0.0;
    player.river.iter().for_each(|discard| {
        let kind = discard.tile.kind().index();
        number += 1.0 / 32.0;
        set_if(first[kind].to_bits() == 0, &mut first[kind], number);
        last[kind] = number;
        river[kind] += QUARTER;
        set_if(!discard.tsumogiri, &mut from_hand[kind], 1.0);
        set_if(discard.called_by.is_some(), &mut called[kind], 1.0);
        // These are rare.
        if discard.riichi {
            riichi[kind] = 1.0;
        }
        if discard.tile.is_red() {
            river_red[kind] = 1.0;
        }
    });
    set_all(safe, player.cannot_ron);
}

fn write_acceptance(knowledge: &SeatKnowledge<'_>, planes: Rows<'_>) {
    let (unseen, melds, players) = (
        knowledge.unseen,
        knowledge.own().melds.len(),
        knowledge.rules.players,
    );
    let hand = ConcealedHand::new(*knowledge.hand.counts(), melds, players)
        .expect("a seat that decides has a hand");
    let tiles = |kinds: KindSet| {
        kinds
            .iter()
            .map(|kind| u32::from(unseen[kind]))
            .sum::<u32>()
    };
    let accepted = if hand.is_full() {
        let options = discard_options(&hand);
        let lowest = options
            .iter()
            .map(|option| option.shanten)
            .min()
            .unwrap_or_default();
        let mut widest = (0, KindSet::EMPTY);
        for option in options.iter().filter(|option| option.shanten == lowest) {
            let number = tiles(option.acceptance);
            planes[1][option.kind.index()] = 1.0;
            planes[2][option.kind.index()] = (number as f32 / 60.0).min(1.0);
            if number > widest.0 {
                widest = (number, option.acceptance);
            }
        }
        widest.1
    } else {
        acceptance(&hand)
    };
    accepted
        .iter()
        .for_each(|kind| planes[0][kind.index()] = f32::from(unseen[kind]) / 4.0);
}

fn write_danger(knowledge: &SeatKnowledge<'_>, planes: Rows<'_>) {
    let rules = knowledge.rules;
    let sight = Sight::new(
        rules,
        knowledge.unseen,
        knowledge.dora_markers.iter().copied(),
    );
    for (place, player) in knowledge.players[1..].iter().flatten().enumerate() {
        let river = player.river.iter().copied();
        let opponent = Opponent::new(
            river,
            player.melds,
            player.cannot_ron,
            player.wind,
            knowledge.bakaze,
        );
        let danger = Danger::of(&sight, &opponent.with_norths(player.norths));
        for kind in rules.kinds().iter() {
            planes[3 + place][kind.index()] = danger.deal_in(kind);
        }
    }
}

/// Sets a number, which is 0 or has this value already, without a branch: the conditions cannot be
/// predicted.
fn set_if(holds: bool, number: &mut f32, value: f32) {
    *number = f32::from_bits(number.to_bits() | value.to_bits() & u32::from(holds).wrapping_neg());
}

/// Writes 1 for each kind of a set, four kinds at a time.
fn set_all(plane: &mut [f32; KINDS], kinds: KindSet) {
    if kinds.is_empty() {
        return;
    }
    const FOURS: [[f32; 4]; 16] = {
        let mut fours = [[0.0; 4]; 16];
        let mut place = 0;
        while place < 64 {
            fours[place / 4][place % 4] = ((place / 4) >> (place % 4) & 1) as f32;
            place += 1;
        }
        fours
    };
    let mut bits = kinds.bits();
    let (fours, rest) = plane.as_chunks_mut();
    for four in fours {
        *four = FOURS[bits as usize & 0xf];
        bits >>= 4;
    }
    rest.copy_from_slice(&FOURS[bits as usize & 0xf][..rest.len()]);
}
