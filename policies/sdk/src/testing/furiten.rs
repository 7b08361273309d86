//! The kinds that opponents cannot win on in a hand-written situation.

use policy_abi::SEATS;
use policy_abi::seat::{RIICHI_DECLARED, SeatView};
use policy_abi::view::CannotRon;
use riichi::{KindSet, Tile};

/// A discard of a seat.
struct Thrown {
    by: usize,
    tile: Tile,
    order: u8,
}

/// The kinds that each other seat cannot win on by ron: its own river, and the discards of others
/// since its riichi and since its last discard. `offered` is the number of a discard that may still
/// be claimed.
pub(super) fn cannot_ron(
    seats: &[SeatView; SEATS],
    own: u8,
    offered: Option<u8>,
) -> [CannotRon; SEATS] {
    let thrown: Vec<Thrown> = seats
        .iter()
        .enumerate()
        .flat_map(|(by, seat)| river(by, seat))
        .collect();
    std::array::from_fn(|seat| {
        if seat == usize::from(own) {
            return CannotRon {
                river: 0,
                since_riichi: 0,
                since_discard: 0,
            };
        }
        let (mine, others): (Vec<_>, Vec<_>) = thrown.iter().partition(|thrown| thrown.by == seat);
        let passed_since = |since: Option<u8>| {
            let passed = others
                .iter()
                .filter(|thrown| Some(thrown.order) > since && Some(thrown.order) != offered);
            kinds(passed.copied())
        };
        let riichi =
            (seats[seat].riichi & RIICHI_DECLARED != 0).then_some(seats[seat].riichi_order);
        CannotRon {
            river: kinds(mine.iter().copied()),
            since_riichi: riichi.map_or(0, |riichi| passed_since(Some(riichi))),
            since_discard: passed_since(mine.iter().map(|thrown| thrown.order).max()),
        }
    })
}

fn river(by: usize, seat: &SeatView) -> impl Iterator<Item = Thrown> {
    let discards = seat.river[..usize::from(seat.river_len)].iter();
    discards.filter_map(move |discard| {
        Some(Thrown {
            by,
            tile: Tile::new(discard.tile)?,
            order: discard.order,
        })
    })
}

fn kinds<'t>(thrown: impl Iterator<Item = &'t Thrown>) -> u64 {
    thrown
        .map(|thrown| thrown.tile.kind())
        .collect::<KindSet>()
        .bits()
}
