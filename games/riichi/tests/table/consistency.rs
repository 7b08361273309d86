//! Properties of every table after any events.

use std::collections::HashSet;

use riichi::kinds::Counts;
use riichi::table::{Contradiction, Phase};
use riichi::waits::waits;
use riichi::{Action, Event, Seat, Table, Tile};

use super::round::{hora, state, tile};

/// Fails when the table contradicts itself or offers what cannot be done.
#[track_caller]
pub(crate) fn assert_consistent(table: &Table) {
    if table.rounds() == 0 {
        assert!(table.legal_actions().is_empty());
        return;
    }
    assert_hand(table);
    assert_sight(table);
    assert_order(table);
    assert!(table.tiles_left() <= table.rules().drawable_tiles());
    assert_legal(table);
}

fn assert_hand(table: &Table) {
    let closed = table.hand().counts().total();
    let melds = table.player(table.seat()).melds.len() as u32;
    let me = table.seat();
    let expected: &[u32] = match table.phase() {
        Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) if seat == me => &[14],
        Phase::Won { .. } | Phase::Drawn | Phase::Between => &[13, 14],
        _ => &[13],
    };
    assert!(
        expected.contains(&(closed + 3 * melds)),
        "{closed} tiles and {melds} melds in {:?}",
        table.phase()
    );
    if expected == [13] {
        assert_eq!(
            table.waits(),
            waits(&table.concealed().expect("a round is being played"))
        );
    }
    if let Some(drawn) = table.drawn() {
        assert!(table.hand().count(drawn) > 0);
    }
}

/// The visible tiles, counted independently: own hand, indicators, rivers, and melds without the
/// called tiles.
fn in_sight(table: &Table) -> Vec<Tile> {
    let mut tiles: Vec<Tile> = table
        .hand()
        .tiles()
        .chain(table.dora_markers().iter().copied())
        .collect();
    for (_, player) in table.players().iter() {
        tiles.extend(player.river.iter().map(|discard| discard.tile));
        tiles.extend(std::iter::repeat_n(tile("N"), usize::from(player.kita)));
        for meld in &player.melds {
            let mut own = meld.tiles().to_vec();
            if let Some(called) = meld.called {
                let place = own
                    .iter()
                    .position(|&tile| tile == called.tile)
                    .expect("the called tile is in the meld");
                own.remove(place);
            }
            tiles.extend(own);
        }
    }
    tiles
}

fn assert_sight(table: &Table) {
    let tiles = in_sight(table);
    let seen: Counts = tiles.iter().copied().collect();
    let unseen = table.unseen();
    for kind in seen.kinds().iter() {
        assert_eq!(seen[kind] + unseen[kind], 4, "{kind}");
    }
    assert_eq!(
        unseen.total() as usize + tiles.len(),
        4 * table.rules().kinds().len()
    );
    let mut reds = [0; 3];
    for red in tiles.iter().filter(|tile| tile.is_red()) {
        reds[usize::from(red.kind().suit().expect("a five"))] += 1;
    }
    assert_eq!(table.seen_reds(), reds);
}

/// Discards and melds are numbered from 0 without a gap, and every called tile lies in a river with
/// its caller's mark.
fn assert_order(table: &Table) {
    let players = || table.players().iter();
    let discards = || players().flat_map(|(_, player)| &player.river);
    let melds = || players().flat_map(|(_, player)| &player.melds);
    let mut numbers: Vec<u8> = discards()
        .map(|discard| discard.order)
        .chain(melds().map(|meld| meld.order))
        .collect();
    numbers.sort_unstable();
    let upto = table.last_order().map_or(0, |last| last + 1);
    assert_eq!(numbers, (0..upto).collect::<Vec<_>>());
    for (_, player) in players() {
        assert!(player.river.is_sorted_by_key(|discard| discard.order));
    }
    for (caller, player) in players() {
        for meld in &player.melds {
            let Some(called) = meld.called else { continue };
            let marked = |discard: &&riichi::table::Discard| discard.order + 1 == meld.order;
            let discard = table
                .player(called.from)
                .river
                .iter()
                .find(marked)
                .expect("the discard before the call");
            assert_eq!(
                (discard.tile, discard.called_by),
                (called.tile, Some(caller))
            );
        }
    }
    assert_eq!(
        discards()
            .filter(|discard| discard.called_by.is_some())
            .count(),
        melds().filter(|meld| meld.called.is_some()).count()
    );
}

fn assert_legal(table: &Table) {
    let legal = table.legal_actions();
    let me = table.seat();
    assert_eq!(
        legal.iter().collect::<HashSet<_>>().len(),
        legal.len(),
        "a duplicate in {legal:?}"
    );
    let count = |wanted: fn(&Action) -> bool| legal.iter().filter(|action| wanted(action)).count();
    assert!(count(|action| matches!(action, Action::Dahai { .. })) <= 14);
    assert!(count(|action| matches!(action, Action::Reach { .. })) <= 14);
    let own_turn = matches!(table.phase(), Phase::Turn(seat) | Phase::Called(seat) | Phase::Declared(seat) if seat == me);
    assert_eq!(
        legal.contains(&Action::None),
        !own_turn && !legal.is_empty(),
        "{legal:?}"
    );
    for action in legal {
        let mut after = table.clone();
        for event in events_of(table, action) {
            if let Err(contradiction) = after.apply(&event) {
                panic!("{action:?} is offered, but {event:?}: {contradiction}");
            }
        }
        assert_hand(&after);
        assert_sight(&after);
        assert_order(&after);
    }
}

/// An arena's announcement of an action.
pub(crate) fn events_of(table: &Table, action: Action) -> Vec<Event> {
    let actor = table.seat();
    match action {
        Action::Dahai { tile, tsumogiri } => vec![Event::Dahai {
            actor,
            tile,
            tsumogiri,
        }],
        Action::Reach { tile, tsumogiri } => vec![
            Event::Reach { actor },
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            },
        ],
        Action::Chi {
            target,
            tile,
            consumed,
        } => vec![Event::Chi {
            actor,
            target,
            tile,
            consumed,
        }],
        Action::Pon {
            target,
            tile,
            consumed,
        } => vec![Event::Pon {
            actor,
            target,
            tile,
            consumed,
        }],
        Action::Daiminkan {
            target,
            tile,
            consumed,
        } => vec![Event::Daiminkan {
            actor,
            target,
            tile,
            consumed,
        }],
        Action::Ankan { consumed } => vec![Event::Ankan { actor, consumed }],
        Action::Kakan { tile, consumed } => vec![Event::Kakan {
            actor,
            tile,
            consumed,
        }],
        Action::Kita => vec![Event::Kita { actor }],
        Action::Hora { target, .. } => vec![hora(actor, target, None, None)],
        Action::Ryukyoku => vec![Event::Ryukyoku {
            deltas: None,
            scores: None,
            reason: None,
        }],
        Action::None => vec![],
    }
}

/// Applies an event; if it is refused, the table must be unchanged, except in the two documented
/// cases.
#[track_caller]
pub(crate) fn apply_or_refuse(table: &mut Table, event: &Event) -> Result<(), Contradiction> {
    let before = table.clone();
    let result = table.apply(event);
    match &result {
        Ok(()) | Err(Contradiction::Scores { .. } | Contradiction::RoundNotEnded) => {}
        Err(contradiction) => {
            assert_eq!(
                state(table),
                state(&before),
                "{event:?} was refused ({contradiction}) but changed the table"
            );
        }
    }
    result
}

/// All four seats.
pub(crate) fn seats() -> impl Iterator<Item = Seat> {
    Seat::all(4)
}
