//! Arbitrary events: no event panics, and accepted ones leave a consistent table.

use proptest::prelude::*;
use riichi::event::{HAND_SIZE, StartKyoku};
use riichi::table::Phase;
use riichi::{Event, Kind, PerSeat, Rules, Seat, Table, Tile, Wind};

use crate::consistency::{apply_or_refuse, assert_consistent, events_of};
use crate::round::hora;

pub(crate) fn any_tile() -> impl Strategy<Value = Tile> + Clone {
    (0_u8..37).prop_map(|index| Tile::new(index).expect("a tile"))
}

fn any_seat() -> impl Strategy<Value = Seat> + Clone {
    (0_u8..4).prop_map(|number| Seat::new(number).expect("a seat"))
}

fn any_points() -> impl Strategy<Value = Option<PerSeat<i32>>> {
    let values = prop_oneof![-100_000..100_000, Just(i32::MIN), Just(i32::MAX)];
    prop::option::of(
        prop::collection::vec(values, 0..=4)
            .prop_map(|values| PerSeat::from_slice(&values).expect("at most four")),
    )
}

fn any_deal() -> impl Strategy<Value = Event> {
    let hands = prop::collection::vec(prop::option::of(prop::array::uniform13(any_tile())), 4);
    (
        any_seat(),
        any_tile(),
        any_points(),
        hands,
        any::<(u8, u8, u8)>(),
        3_u8..=4,
    )
        .prop_map(
            |(oya, dora_marker, scores, hands, (kyoku, honba, kyotaku), players)| {
                let tehais = PerSeat::from_fn(players, |seat| hands[seat.index()]);
                Event::StartKyoku(StartKyoku {
                    bakaze: Wind::South,
                    kyoku,
                    honba,
                    kyotaku,
                    oya,
                    dora_marker,
                    scores,
                    tehais,
                })
            },
        )
}

/// Any event, with random fields.
fn any_event() -> impl Strategy<Value = Event> {
    let (actor, target, tile) = (any_seat(), any_seat(), any_tile());
    prop_oneof![
        Just(Event::StartGame { seat: None }),
        any_deal(),
        (actor.clone(), prop::option::of(any_tile()))
            .prop_map(|(actor, tile)| Event::Tsumo { actor, tile }),
        (actor.clone(), tile.clone(), any::<bool>()).prop_map(|(actor, tile, tsumogiri)| {
            Event::Dahai {
                actor,
                tile,
                tsumogiri,
            }
        }),
        (
            actor.clone(),
            target.clone(),
            tile.clone(),
            prop::array::uniform2(any_tile())
        )
            .prop_map(|(actor, target, tile, consumed)| Event::Chi {
                actor,
                target,
                tile,
                consumed
            }),
        (
            actor.clone(),
            target.clone(),
            tile.clone(),
            prop::array::uniform2(any_tile())
        )
            .prop_map(|(actor, target, tile, consumed)| Event::Pon {
                actor,
                target,
                tile,
                consumed
            }),
        (
            actor.clone(),
            target.clone(),
            tile.clone(),
            prop::array::uniform3(any_tile())
        )
            .prop_map(|(actor, target, tile, consumed)| Event::Daiminkan {
                actor,
                target,
                tile,
                consumed
            }),
        (actor.clone(), prop::array::uniform4(any_tile()))
            .prop_map(|(actor, consumed)| Event::Ankan { actor, consumed }),
        (
            actor.clone(),
            tile.clone(),
            prop::array::uniform3(any_tile())
        )
            .prop_map(|(actor, tile, consumed)| Event::Kakan {
                actor,
                tile,
                consumed
            }),
        actor.clone().prop_map(|actor| Event::Kita { actor }),
        tile.clone().prop_map(|marker| Event::Dora { marker }),
        actor.clone().prop_map(|actor| Event::Reach { actor }),
        (actor.clone(), any_points())
            .prop_map(|(actor, scores)| Event::ReachAccepted { actor, scores }),
        (actor, target, any_points(), any_points())
            .prop_map(|(actor, target, deltas, scores)| hora(actor, target, deltas, scores)),
        (any_points(), any_points()).prop_map(|(deltas, scores)| Event::Ryukyoku {
            deltas,
            scores,
            reason: None
        }),
        Just(Event::EndKyoku),
        any_points().prop_map(|scores| Event::EndGame { scores }),
    ]
}

/// A step of a round: something that fits the moment, chosen by numbers, or anything.
#[derive(Debug, Clone)]
enum RandomStep {
    Fitting { what: u8, which: usize, tile: Tile },
    Anything(Event),
}

fn any_step() -> impl Strategy<Value = RandomStep> {
    let fitting = (any::<u8>(), any::<usize>(), any_tile())
        .prop_map(|(what, which, tile)| RandomStep::Fitting { what, which, tile });
    prop_oneof![
        12 => fitting,
        1 => any_event().prop_map(RandomStep::Anything),
    ]
}

/// A plausible next event from an arena.
fn fitting(table: &Table, what: u8, which: usize, tile: Tile) -> Event {
    let me = table.seat();
    let players = table.rules().players;
    let tile = if table.rules().kinds().contains(tile.kind()) {
        tile
    } else {
        dots_instead(tile)
    };
    let legal = table.legal_actions();
    // Rarely enough for rounds to continue.
    let ends = what > 250;
    let ours = legal
        .get(which % legal.len().max(1))
        .map(|&action| events_of(table, action));
    if let Some(&[event, ..]) = ours.as_deref()
        && (ends || !matches!(event, Event::Hora(_) | Event::Ryukyoku { .. }))
        && (table.phase() == Phase::Turn(me) || what.is_multiple_of(2))
    {
        return event;
    }
    let kind = tile.kind();
    let other = Seat::new((which % usize::from(players)) as u8).unwrap_or(me);
    match table.phase() {
        Phase::Between | Phase::Won { .. } | Phase::Drawn => start(table.rules(), which, tile),
        Phase::Draw(actor) => Event::Tsumo {
            actor,
            tile: Some(tile),
        },
        Phase::Kan { by: actor, .. } | Phase::Kita { by: actor } if what.is_multiple_of(3) => {
            hora(other, actor, Some(PerSeat::from_fn(players, |_| 0)), None)
        }
        Phase::Kan { by: actor, .. } | Phase::Kita { by: actor } => Event::Tsumo {
            actor,
            tile: Some(tile),
        },
        Phase::Turn(actor) => match what % 16 {
            0 => Event::Ankan {
                actor,
                consumed: [kind.tile(); 4],
            },
            1 => pon_to_add(table, actor).unwrap_or(Event::Reach { actor }),
            2 | 3 => Event::Reach { actor },
            4 if players == 3 => Event::Kita { actor },
            5 if ends => hora(actor, actor, Some(PerSeat::from_fn(players, |_| 0)), None),
            _ => Event::Dahai {
                actor,
                tile,
                tsumogiri: table.player(actor).riichi.is_some(),
            },
        },
        Phase::Called(actor) => Event::Dahai {
            actor,
            tile,
            tsumogiri: false,
        },
        Phase::Declared(actor) => Event::Dahai {
            actor,
            tile,
            tsumogiri: what.is_multiple_of(2),
        },
        Phase::Discarded { by, .. } if ends => {
            hora(other, by, Some(PerSeat::from_fn(players, |_| 0)), None)
        }
        Phase::Discarded { by, tile: thrown } | Phase::Accepted { by, tile: thrown } => {
            let next = by.next(players);
            let own = |steps: i8| thrown.kind().offset(steps).unwrap_or(kind).tile();
            match what % 12 {
                0 | 1 => Event::Pon {
                    actor: other,
                    target: by,
                    tile: thrown,
                    consumed: [thrown.kind().tile(); 2],
                },
                2 => Event::Daiminkan {
                    actor: other,
                    target: by,
                    tile: thrown,
                    consumed: [thrown.kind().tile(); 3],
                },
                3 => Event::Chi {
                    actor: next,
                    target: by,
                    tile: thrown,
                    consumed: [own(1), own(2)],
                },
                4 => Event::Chi {
                    actor: next,
                    target: by,
                    tile: thrown,
                    consumed: [own(-1), own(1)],
                },
                5 if ends => Event::Ryukyoku {
                    deltas: None,
                    scores: None,
                    reason: None,
                },
                6 => Event::Dora { marker: tile },
                7 => Event::ReachAccepted {
                    actor: by,
                    scores: None,
                },
                _ => Event::Tsumo {
                    actor: next,
                    tile: Some(tile),
                },
            }
        }
    }
}

fn pon_to_add(table: &Table, actor: Seat) -> Option<Event> {
    let pon = table
        .player(actor)
        .melds
        .iter()
        .find(|meld| meld.kind() == riichi::MeldKind::Pon)?;
    Some(Event::Kakan {
        actor,
        tile: pon.first().tile(),
        consumed: pon.tiles().try_into().ok()?,
    })
}

/// The dots of the number on these characters.
fn dots_instead(characters: Tile) -> Tile {
    Tile::new(characters.kind().index() as u8 + 9).expect("there are dots of every number")
}

/// A deal of 13 neighbouring tiles of a shuffled wall, so that hands hold sets.
fn start(rules: &Rules, which: usize, dora_marker: Tile) -> Event {
    let players = rules.players;
    let kinds: Vec<Kind> = rules.kinds().iter().collect();
    let kind_at =
        |place: usize| kinds[(which % kinds.len() + place * (which % 5 + 1) / 2) % kinds.len()];
    let hand: [Tile; HAND_SIZE] = std::array::from_fn(|place| kind_at(place).tile());
    Event::StartKyoku(StartKyoku {
        bakaze: Wind::East,
        kyoku: 1,
        honba: 0,
        kyotaku: 0,
        oya: Seat::new((which % usize::from(players)) as u8).expect("a seat"),
        dora_marker,
        scores: None,
        tehais: PerSeat::from_fn(players, |_| Some(hand)),
    })
}

fn run(rules: Rules, seat: Seat, steps: &[RandomStep]) {
    let mut table = Table::new(rules, seat);
    for step in steps {
        let event = match step {
            RandomStep::Fitting { what, which, tile } => fitting(&table, *what, *which, *tile),
            RandomStep::Anything(event) => *event,
        };
        let mut masked = table.clone();
        let result = apply_or_refuse(&mut table, &event);
        assert_eq!(
            masked.apply(&event.masked_for(seat)),
            result,
            "{event:?} hidden and shown"
        );
        assert_consistent(&table);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_events_of_four_leave_a_consistent_table(
        seat in any_seat(),
        soul in any::<bool>(),
        steps in prop::collection::vec(any_step(), 1..250),
    ) {
        run(if soul { Rules::MAHJONG_SOUL_HALF } else { Rules::TENHOU_HALF }, seat, &steps);
    }

    #[test]
    fn any_events_of_three_leave_a_consistent_table(
        seat in 0_u8..3,
        steps in prop::collection::vec(any_step(), 1..250),
    ) {
        run(Rules::TENHOU_HALF.with_players(3), Seat::new(seat).expect("a seat"), &steps);
    }
}
