//! The arena's description of a table: compared with ours, and taken over.

use arrayvec::ArrayVec;
use proptest::prelude::*;
use riichi::event::Points;
use riichi::table::{Phase, PlayerSnapshot, Snapshot};
use riichi::{Action, Event, Hand, Meld, MeldKind, PerSeat, Rules, Seat, Table, Tile, Wind};

use crate::consistency::{apply_or_refuse, seats};
use crate::properties::any_tile;
use crate::records::RECORDS;
use crate::round::{
    ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, deal_from, kind, points, seat, tile,
};

/// The description by an arena that agrees with the table.
fn snapshot(table: &Table) -> Snapshot {
    let offered = match table.phase() {
        Phase::Discarded { tile, .. } | Phase::Kan { tile, .. } => Some(tile),
        Phase::Kita { .. } => Some(tile("N")),
        _ => None,
    };
    Snapshot {
        bakaze: table.bakaze(),
        kyoku: table.kyoku(),
        honba: table.honba(),
        kyotaku: table.kyotaku(),
        oya: table.oya(),
        scores: *table.scores(),
        dora_markers: table.dora_markers().iter().copied().collect(),
        hand: *table.hand(),
        drawn: table.drawn(),
        offered,
        waits: Some(table.waits()),
        players: PerSeat::from_fn(table.rules().players, |seat| {
            let player = table.player(seat);
            PlayerSnapshot {
                melds: player.melds.clone(),
                river: player.river.iter().map(|discard| discard.tile).collect(),
                riichi: player.riichi.is_some(),
                riichi_tile: player.riichi_tile(),
            }
        }),
    }
}

fn rebuilt(table: &Table) -> Table {
    let mut rebuilt = Table::new(*table.rules(), table.seat());
    rebuilt
        .rebuild(&snapshot(table))
        .expect("the tiles are a valid hand");
    rebuilt
}

/// A round with everything in it: melds of three kinds, a riichi, two indicators, our turn.
fn eventful() -> Round {
    let mut round = Deal {
        kyotaku: 1,
        ..Deal::of("2m 3m 5p 5p 5pr 7p 8p 9p 9s 9s 9s F F")
    }
    .begin();
    round.draw_and_discard("N");
    round.throws(RIGHT, "F");
    round.pon(ME, "F", "F F");
    round.discard("2m");
    round.riichi(RIGHT, "E");
    round.draws(ACROSS);
    round.ankan(ACROSS, "1s 1s 1s 1s");
    round.dora("3p");
    round.throws(ACROSS, "4m");
    round.chi(LEFT, "4m", "5m 6m");
    round.throws(LEFT, "S");
    round.draw("8m");
    round
}

#[test]
fn a_table_does_not_differ_from_its_own_description() {
    assert_eq!(
        eventful().table.differences(&snapshot(&eventful().table)),
        []
    );
}

/// The points in which the eventful round differs once its description is changed.
fn noticed(change: impl FnOnce(&mut Snapshot)) -> Vec<String> {
    let table = eventful().table;
    let mut theirs = snapshot(&table);
    change(&mut theirs);
    table
        .differences(&theirs)
        .into_iter()
        .map(|difference| difference.what)
        .collect()
}

#[test]
fn every_changed_field_is_noticed_and_named() {
    assert_eq!(noticed(|theirs| theirs.bakaze = Wind::South), ["bakaze"]);
    assert_eq!(noticed(|theirs| theirs.kyoku += 1), ["kyoku"]);
    assert_eq!(noticed(|theirs| theirs.honba += 1), ["honba"]);
    assert_eq!(noticed(|theirs| theirs.kyotaku -= 1), ["kyotaku"]);
    assert_eq!(noticed(|theirs| theirs.oya = LEFT), ["oya"]);
    assert_eq!(noticed(|theirs| theirs.scores[LEFT] += 100), ["scores"]);
    assert_eq!(
        noticed(|theirs| theirs.scores = PerSeat::from_fn(3, |_| 25_000)),
        ["scores"]
    );
    assert_eq!(
        noticed(|theirs| theirs.dora_markers[0] = tile("C")),
        ["dora indicators"]
    );
    assert_eq!(
        noticed(|theirs| theirs.dora_markers.truncate(1)),
        ["dora indicators"]
    );
    assert_eq!(
        noticed(|theirs| theirs.drawn = Some(tile("3m"))),
        ["drawn tile"]
    );
    assert_eq!(noticed(|theirs| theirs.drawn = None), ["drawn tile"]);
}

#[test]
fn a_hand_that_differs_only_in_the_colour_of_a_five_is_noticed() {
    let recoloured = |theirs: &mut Snapshot| {
        theirs.hand = theirs
            .hand
            .without(&[tile("5p")])
            .unwrap()
            .with(tile("5pr"))
            .unwrap();
    };
    assert_eq!(noticed(recoloured), ["hand"]);
}

#[test]
fn every_change_of_a_seat_is_noticed_and_named() {
    assert_eq!(
        noticed(|theirs| theirs.players[RIGHT].river[1] = tile("C")),
        ["river of seat 1"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[RIGHT].river[0] = tile("E")),
        ["river of seat 1"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[LEFT].river.push(tile("C"))),
        ["river of seat 3"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[ACROSS].river.clear()),
        ["river of seat 2"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[RIGHT].riichi = false),
        ["riichi of seat 1"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[LEFT].riichi = true),
        ["riichi of seat 3"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[RIGHT].riichi_tile = Some(tile("F"))),
        ["riichi tile of seat 1"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[LEFT].riichi_tile = Some(tile("S"))),
        ["riichi tile of seat 3"]
    );
    assert_eq!(
        noticed(|theirs| theirs.players[ACROSS].melds.clear()),
        ["melds of seat 2"]
    );
}

#[test]
fn every_change_of_a_meld_is_noticed() {
    let changed = |kind, names: &str, from: Option<Seat>| {
        let tiles: Vec<Tile> = names.split(' ').map(tile).collect();
        let called = from.map(|from| riichi::Called {
            tile: tiles[0],
            from,
        });
        let meld = Meld::new(kind, &tiles, called, 0).expect("a meld");
        noticed(|theirs| theirs.players[LEFT].melds[0] = meld)
    };
    assert_eq!(changed(MeldKind::Chi, "4m 5m 6m", Some(ACROSS)), [""; 0]);
    assert_eq!(
        changed(MeldKind::Chi, "4m 5mr 6m", Some(ACROSS)),
        ["melds of seat 3"]
    );
    assert_eq!(
        changed(MeldKind::Chi, "4m 5m 6m", Some(RIGHT)),
        ["melds of seat 3"]
    );
    assert_eq!(
        changed(MeldKind::Chi, "5m 6m 7m", Some(ACROSS)),
        ["melds of seat 3"]
    );
    assert_eq!(
        changed(MeldKind::Pon, "4m 4m 4m", Some(ACROSS)),
        ["melds of seat 3"]
    );
}

#[test]
fn an_added_kan_is_distinguished_from_an_open_one() {
    let called = riichi::Called {
        tile: tile("C"),
        from: ACROSS,
    };
    let all = [tile("C"); 4];
    let pon = Meld::new(MeldKind::Pon, &all[..3], Some(called), 0).expect("a pon");
    let kakan = pon.with_added(tile("C")).expect("a kakan");
    let daiminkan = Meld::new(MeldKind::Daiminkan, &all, Some(called), 0).expect("a daiminkan");
    let table = eventful().table;
    let with = |meld| {
        let mut theirs = snapshot(&table);
        theirs.players[LEFT].melds.push(meld);
        theirs
    };
    let mut ours = Table::new(Rules::TENHOU_HALF, ME);
    ours.rebuild(&with(kakan)).unwrap();
    assert_eq!(ours.differences(&with(kakan)), []);
    assert_eq!(ours.differences(&with(daiminkan)).len(), 1);
}

#[test]
fn waits_are_compared_without_a_drawn_tile() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s");
    round.draw_and_discard("N");
    round.throws(RIGHT, "1m");
    let mut theirs = snapshot(&round.table);
    assert_eq!(round.table.differences(&theirs), []);
    theirs.waits = Some(std::iter::once(kind("1m")).collect());
    let differences = round.table.differences(&theirs);
    assert_eq!(differences.len(), 1);
    assert_eq!(
        differences[0].to_string(),
        "waits: ours {1m, 4m}, the arena's {1m}"
    );
    theirs.waits = None;
    assert_eq!(
        round.table.differences(&theirs),
        [],
        "the arena may leave them out"
    );
}

#[test]
fn a_riichi_tile_that_the_arena_leaves_out_is_not_compared() {
    assert_eq!(
        noticed(|theirs| theirs.players[RIGHT].riichi_tile = None),
        [""; 0]
    );
}

/// The parts that a rebuilt table must share with the described one: all except facts that no
/// player can know from the description.
#[track_caller]
fn assert_taken_over(ours: &Table, rebuilt: &Table) {
    assert_eq!(rebuilt.differences(&snapshot(ours)), []);
    assert_eq!(
        rebuilt.phase(),
        if let Phase::Declared(seat) = ours.phase() {
            Phase::Turn(seat)
        } else {
            ours.phase()
        }
    );
    assert_eq!(rebuilt.tiles_left(), ours.tiles_left(), "tiles left");
    assert_eq!(rebuilt.unseen(), ours.unseen());
    assert_eq!(rebuilt.seen_reds(), ours.seen_reds());
    assert_eq!(rebuilt.waits(), ours.waits());
    assert_eq!(rebuilt.is_first_turn(), ours.is_first_turn());
    assert_eq!(rebuilt.furiten().river, ours.furiten().river);
    assert_eq!(rebuilt.final_scores(), ours.final_scores());
    for seat in seats() {
        let riichi = |table: &Table| {
            table
                .player(seat)
                .riichi
                .map(|riichi| (riichi.accepted, riichi.double))
        };
        assert_eq!(riichi(rebuilt), riichi(ours), "riichi of seat {seat}");
        assert_eq!(rebuilt.player(seat).discarded, ours.player(seat).discarded);
        assert_eq!(
            rebuilt.player(seat).is_closed(),
            ours.player(seat).is_closed()
        );
    }
    if let Phase::Declared(_) = ours.phase() {
        return;
    }
    // The description does not contain passed tiles, nor that the drawn tile replaces a kan's.
    let hidden = ours.furiten().any() || ours.is_rinshan();
    let wins = |action: &Action| hidden && matches!(action, Action::Hora { .. } | Action::None);
    let list = |table: &Table| -> Vec<Action> {
        table
            .legal_actions()
            .into_iter()
            .filter(|action| !wins(action))
            .collect()
    };
    assert_eq!(list(rebuilt), list(ours));
}

#[test]
fn a_table_rebuilt_on_our_turn_agrees() {
    let round = eventful();
    assert_taken_over(&round.table, &rebuilt(&round.table));
}

#[test]
fn a_table_rebuilt_after_our_call_agrees_and_knows_kuikae() {
    let mut round = deal_from(LEFT, "3m 4m 5m 6m 7m 1p 1p 9p 2s E S N C");
    round.throws(LEFT, "3m");
    round.chi(ME, "3m", "4m 5m");
    let mut rebuilt = rebuilt(&round.table);
    assert_taken_over(&round.table, &rebuilt);
    rebuilt
        .apply(&Event::Dahai {
            actor: ME,
            tile: tile("E"),
            tsumogiri: false,
        })
        .expect("it goes on");
}

#[test]
fn a_table_rebuilt_after_our_first_discard_of_a_pon_with_earlier_kans_agrees() {
    let mut round = deal("2m 3m 5p 5p 7p 8p 9p 9s 9s 9s E F F");
    round.draw("9s");
    round.ankan(ME, "9s 9s 9s 9s");
    round.draw_and_discard("N");
    round.throws(RIGHT, "F");
    round.pon(ME, "F", "F F");
    assert_taken_over(&round.table, &rebuilt(&round.table));
    round.discard("E");
    round.others_throw(["1m", "1m", "1m"]);
    round.draw("F");
    round.kakan(ME, "F");
    round.draw("S");
    assert_taken_over(&round.table, &rebuilt(&round.table));
}

#[test]
fn a_table_rebuilt_when_a_kan_can_be_robbed_agrees_and_continues() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s F F");
    round.draw_and_discard("E");
    round.throws(RIGHT, "9m");
    round.throws(ACROSS, "4m");
    round.pon(RIGHT, "4m", "4m 4m");
    round.throws(RIGHT, "9m");
    round.throws(ACROSS, "8m");
    round.throws(LEFT, "8m");
    round.draw_and_discard("N");
    round.draws(RIGHT);
    round.kakan(RIGHT, "4m");
    assert_eq!(round.legal(), ["hora 4m from 1", "none"]);
    let mut rebuilt = rebuilt(&round.table);
    assert_taken_over(&round.table, &rebuilt);
    rebuilt
        .apply(&Event::Tsumo {
            actor: RIGHT,
            tile: None,
        })
        .expect("the replacement");
    assert!(rebuilt.furiten().temporary);
}

#[test]
fn a_table_rebuilt_after_an_accepted_riichi_knows_it_to_be_accepted() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.draw_and_discard("N");
    round.riichi(RIGHT, "E");
    round.throws(ACROSS, "F");
    assert_taken_over(&round.table, &rebuilt(&round.table));
}

#[test]
fn a_table_rebuilt_after_a_first_riichi_that_a_call_preceded_knows_it_to_be_single() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.draw_and_discard("N");
    round.pon(LEFT, "N", "N N");
    round.throws(LEFT, "E");
    round.draw_and_discard("E");
    round.riichi(RIGHT, "E");
    round.throws(ACROSS, "F");
    assert_taken_over(&round.table, &rebuilt(&round.table));
}

#[test]
fn a_table_rebuilt_before_a_riichi_is_accepted_takes_the_acceptance() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.draw_and_discard("N");
    round.declare_riichi(RIGHT, "F");
    let mut rebuilt = rebuilt(&round.table);
    assert_taken_over(&round.table, &rebuilt);
    rebuilt
        .apply(&Event::ReachAccepted {
            actor: RIGHT,
            scores: None,
        })
        .expect("it is accepted");
    assert_eq!(*rebuilt.scores(), points([25_000, 24_000, 25_000, 25_000]));
}

#[test]
fn of_equal_last_discards_the_latest_is_offered() {
    let mut round = deal_from(ACROSS, "2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.throws(ACROSS, "6p");
    round.throws(LEFT, "6p");
    assert_taken_over(&round.table, &rebuilt(&round.table));
    round.draw_and_discard("N");
    round.throws(RIGHT, "6p");
    assert_taken_over(&round.table, &rebuilt(&round.table));
}

#[test]
fn a_drawn_tile_that_is_not_in_the_described_hand_is_omitted() {
    let mut theirs = snapshot(&eventful().table);
    theirs.drawn = Some(tile("1p"));
    let mut table = Table::new(Rules::TENHOU_HALF, ME);
    table.rebuild(&theirs).unwrap();
    assert_eq!(table.drawn(), None);
    assert!(table.legal_actions().iter().all(|action| matches!(
        action,
        Action::Dahai {
            tsumogiri: false,
            ..
        }
    )));
}

#[test]
fn a_description_of_an_impossible_hand_is_refused_and_changes_nothing() {
    let before = eventful().table;
    let refused = |change: fn(&mut Snapshot)| {
        let (mut theirs, mut table) = (snapshot(&before), before.clone());
        change(&mut theirs);
        let error = table
            .rebuild(&theirs)
            .expect_err("the hand is impossible")
            .to_string();
        assert_eq!(format!("{table:?}"), format!("{before:?}"));
        error
    };
    let one_less = |theirs: &mut Snapshot| {
        theirs.hand = theirs.hand.without(&[tile("9s"), tile("9s")]).unwrap()
    };
    assert_eq!(
        refused(one_less),
        "9 concealed tiles; with 1 melds there are 10 before a draw and 11 after it"
    );
    // On the own turn there is a tile to discard.
    let nothing_drawn =
        |theirs: &mut Snapshot| theirs.hand = theirs.hand.without(&[tile("9s")]).unwrap();
    assert_eq!(
        refused(nothing_drawn),
        "10 concealed tiles; with 1 melds there are 10 before a draw and 11 after it"
    );
}

#[test]
fn a_rebuilt_table_follows_the_round_to_its_end() {
    let mut round = eventful();
    let mut rebuilt = rebuilt(&round.table);
    for event in [
        Event::Dahai {
            actor: ME,
            tile: tile("8m"),
            tsumogiri: true,
        },
        Event::Tsumo {
            actor: RIGHT,
            tile: None,
        },
        Event::Dahai {
            actor: RIGHT,
            tile: tile("6s"),
            tsumogiri: true,
        },
        Event::Tsumo {
            actor: ACROSS,
            tile: None,
        },
        Event::Dahai {
            actor: ACROSS,
            tile: tile("6s"),
            tsumogiri: true,
        },
        Event::Ryukyoku {
            deltas: Some(points([0; 4])),
            scores: None,
            reason: None,
        },
        Event::EndKyoku,
        Deal {
            scores: Some(points([25_000, 24_000, 25_000, 25_000])),
            ..Deal::of("1m 9m 1p 9p 1s 9s E S W N P F C")
        }
        .event(),
    ] {
        round.tell(event);
        rebuilt
            .apply(&event)
            .unwrap_or_else(|error| panic!("{event:?}: {error}"));
        assert_eq!(rebuilt.differences(&snapshot(&round.table)), []);
    }
}

#[test]
fn a_north_set_aside_is_offered_by_the_seat_in_turn_when_no_tile_was_discarded() {
    let rules = Rules::TENHOU_HALF.with_players(3);
    let mut round = Deal {
        rules,
        scores: None,
        ..Deal::of("1p 1p 4p 5p 6p 7p 8p 9p 1s 2s 3s N N")
    }
    .begin();
    round.draw("C");
    round.riichi(ME, "C");
    round.throws(RIGHT, "E");
    round.draws(ACROSS);
    round.tell(Event::Kita { actor: ACROSS });
    let theirs = snapshot(&round.table);
    // Norths set aside before are not described, so it is the table that saw them that is rebuilt.
    let mut rebuilt = round.table.clone();
    rebuilt.rebuild(&theirs).unwrap();
    assert_eq!(rebuilt.phase(), Phase::Kita { by: ACROSS });
    assert_eq!(rebuilt.legal_actions(), round.table.legal_actions());
    assert_eq!(
        (rebuilt.tiles_left(), rebuilt.unseen()),
        (round.table.tiles_left(), round.table.unseen())
    );
}

#[test]
fn a_table_rebuilt_at_any_request_of_a_record_agrees() {
    for events in RECORDS.iter() {
        for seat in seats() {
            let mut table = Table::new(Rules::TENHOU_HALF, seat);
            for event in events {
                table.apply(event).expect("the record replays");
                if !table.legal_actions().is_empty() && !has_equal_last_discards(&table) {
                    assert_taken_over(&table, &rebuilt(&table));
                }
            }
        }
    }
}

/// Whether two others threw the offered tile last: which of them was later is then a guess.
fn has_equal_last_discards(table: &Table) -> bool {
    let Phase::Discarded { tile, .. } = table.phase() else {
        return false;
    };
    let last = |seat: &Seat| {
        table
            .player(*seat)
            .river
            .last()
            .is_some_and(|discard| discard.tile == tile)
    };
    seats()
        .filter(|&seat| seat != table.seat())
        .filter(last)
        .count()
        > 1
}

fn any_hand() -> impl Strategy<Value = Vec<Tile>> {
    prop::collection::vec(any_tile(), 60)
}

/// At most `most` of the tiles; a fifth of a kind is left out.
fn first(tiles: &[Tile], most: usize) -> Hand {
    let add = |hand: Hand, &tile: &Tile| {
        if hand.counts().total() as usize == most {
            hand
        } else {
            hand.with(tile).unwrap_or(hand)
        }
    };
    tiles.iter().fold(Hand::default(), add)
}

fn any_meld() -> impl Strategy<Value = Meld> {
    (any_tile(), 0_u8..4, 0_u8..5).prop_filter_map("no meld", |(tile, from, kind)| {
        let called = Some(riichi::Called {
            tile,
            from: seat(from),
        });
        let same = [tile; 4];
        match kind {
            0 => {
                let run = [
                    Some(tile.kind()),
                    tile.kind().offset(1),
                    tile.kind().offset(2),
                ];
                let run: Vec<Tile> = run.into_iter().flatten().map(riichi::Kind::tile).collect();
                Meld::new(MeldKind::Chi, &run, called, 0)
            }
            1 => Meld::new(MeldKind::Pon, &same[..3], called, 0),
            2 => Meld::new(MeldKind::Daiminkan, &same, called, 0),
            3 => Meld::new(MeldKind::Ankan, &same, None, 0),
            _ => Meld::new(MeldKind::Kakan, &same, called, 0),
        }
    })
}

fn any_player() -> impl Strategy<Value = PlayerSnapshot> {
    let melds = prop::collection::vec(any_meld(), 0..=4);
    let river = prop::collection::vec(any_tile(), 0..=32);
    (melds, river, any::<bool>(), prop::option::of(any_tile())).prop_map(
        |(melds, river, riichi, riichi_tile)| PlayerSnapshot {
            melds: melds.into_iter().collect(),
            river: river.into_iter().collect(),
            riichi,
            riichi_tile,
        },
    )
}

prop_compose! {
    fn any_snapshot()(
        (kyoku, honba, kyotaku, oya, players) in (any::<u8>(), any::<u8>(), any::<u8>(), 0_u8..4, 3_u8..=4),
        scores in prop::array::uniform4(any::<i32>()),
        dora_markers in prop::collection::vec(any_tile(), 0..=5),
        tiles in any_hand(),
        fits in prop::bool::weighted(0.9),
        (drawn, offered) in (prop::option::of(any_tile()), prop::option::of(any_tile())),
        seats in prop::collection::vec(any_player(), 4),
    ) -> Snapshot {
        let scores: Points = PerSeat::from_fn(players, |seat| scores[seat.index()]);
        let due = if drawn.is_some() || offered.is_none() { 14 } else { 13 };
        let hand = first(&tiles, if fits { due - 3 * seats[ME.index()].melds.len() } else { 60 });
        Snapshot {
            bakaze: Wind::West, kyoku, honba, kyotaku, oya: seat(oya), scores,
            dora_markers: dora_markers.into_iter().collect::<ArrayVec<_, 5>>(),
            hand, drawn, offered, waits: None,
            players: PerSeat::from_fn(players, |seat| seats[seat.index()].clone()),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// An arena may describe what cannot be; the description is refused or the round is lost, but
    /// not the program.
    #[test]
    fn any_description_can_be_taken_over_and_played_on(
        snapshot in any_snapshot(),
        record in 0_usize..3,
        from in any::<prop::sample::Index>(),
    ) {
        let mut table = Table::new(Rules::TENHOU_HALF, ME);
        let before = format!("{table:?}");
        if table.rebuild(&snapshot).is_err() {
            prop_assert_eq!(format!("{table:?}"), before);
        }
        let _ = table.differences(&snapshot);
        let events = &RECORDS[record];
        for event in events[from.index(events.len())..].iter().take(60) {
            let _ = table.legal_actions();
            let _ = apply_or_refuse(&mut table, event);
        }
    }
}
