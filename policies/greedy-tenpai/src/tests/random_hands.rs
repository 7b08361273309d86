//! The rule for discards, counted out the long way on random hands.

use super::*;

use std::cmp::Reverse;

use mahjong::shanten::shanten;
use mahjong::{Counts, Kind};
use proptest::prelude::*;

/// All tiles of a four-player game, one of each five red.
fn all_tiles() -> Vec<Tile> {
    let copies = |kind: Kind| {
        let red = kind.suit().and_then(Tile::red_five).filter(|red| red.kind() == kind);
        [kind.tile(), kind.tile(), kind.tile(), red.unwrap_or(kind.tile())]
    };
    Kind::all().flat_map(copies).collect()
}

/// As [`Situation`] takes them.
fn written(tiles: &[Tile]) -> String {
    let one = |tile: &Tile| match (tile.is_red(), tile.kind().number(), tile.kind().suit()) {
        (true, _, Some(suit)) => format!("0{}", ["m", "p", "s"][usize::from(suit)]),
        (false, Some(number), Some(suit)) => format!("{number}{}", ["m", "p", "s"][usize::from(suit)]),
        _ => format!("{}z", tile.kind().index() - Kind::EAST.index() + 1),
    };
    tiles.iter().map(one).collect()
}

/// Shanten after a discard, and the unseen copies of every kind that lowers it, by trying each.
fn counted_out(closed: &Counts, thrown: Kind, unseen: &Counts) -> (i8, Reverse<u32>) {
    let mut rest = *closed;
    rest[thrown] -= 1;
    let now = shanten(&rest, 0);
    let lowers = |&kind: &Kind| {
        let mut more = rest;
        more[kind] += 1;
        rest[kind] < 4 && shanten(&more, 0) < now
    };
    (now, Reverse(Kind::all().filter(lowers).map(|kind| u32::from(unseen[kind])).sum()))
}

proptest! {
    #[test]
    fn no_discard_leaves_a_lower_shanten_number_or_as_low_a_one_with_more_acceptance(
        tiles in Just(all_tiles()).prop_shuffle(),
        seen in 0_usize..60,
    ) {
        let (hand, rest) = tiles.split_at(14);
        let (marker, discards) = rest.split_at(1);
        let river = |seat: usize| written(&discards[15 * seat..seen.clamp(15 * seat, 15 * seat + 15)]);
        let situation = (0..4).fold(
            Situation::drew(&written(&hand[..13]), &written(&hand[13..])).dora_markers(&written(marker)),
            |situation, seat| situation.river(seat as u8, &river(seat)),
        );

        let scene = situation.build();
        let chosen = Bot::create(&ENTRY, "greedy-tenpai", &[]).unwrap().decide(&scene).unwrap().action;
        let (listed, closed, unseen) =
            scene.view(|view| (view.legal().to_vec(), *view.closed(), view.unseen())).unwrap();
        let worth = |action: &Action| match *action {
            Action::Dahai { tile, .. } => (true, counted_out(&closed, tile.kind(), &unseen)),
            Action::Reach { tile, .. } => (false, counted_out(&closed, tile.kind(), &unseen)),
            other => panic!("neither listed nor chosen: {other:?}"),
        };
        prop_assert_eq!(Some(worth(&chosen)), listed.iter().map(worth).min());
    }
}
