//! The values that a policy reads in a view.

use std::time::Duration;

use policy_abi::NONE;
use policy_abi::log::{DRAW_EXHAUSTIVE, EVENT_DELTAS, EVENT_HORA, EVENT_RYUKYOKU, LogEvent};
use policy_abi::seat::RIICHI_DECLARED;
use policy_abi::view::{FURITEN_TEMPORARY, REQUEST_KAKAN};
use riichi::event::{DrawReason, Event, StartKyoku};
use riichi::{Action, Counts, MeldKind, PerSeat, Rules, Seat, Wind};

use crate::codes::encode_draw_reason;
use crate::testing::{Scene, Situation, tile, tiles};
use crate::{ArenaTime, BadView, CannotRon, DrawnRound, Offer, Request, RoundEnd, WonRound};

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn own_turn() -> Situation {
    Situation::drew("123m 406p 789s 1122z", "3z")
}

/// The error for the own turn above after a change.
fn fault(change: impl FnOnce(&mut Scene)) -> BadView {
    let mut scene = own_turn().build();
    change(&mut scene);
    scene.view(|_| ()).expect_err("the change makes it wrong")
}

#[test]
fn the_own_hand_holds_the_drawn_tile_and_distinguishes_red_fives() {
    let scene = own_turn().build();
    let (hand, drawn) = scene.view(|view| (*view.hand(), view.drawn())).unwrap();
    assert_eq!(hand.tiles().collect::<Counts>().total(), 14);
    assert_eq!(
        (
            hand.count(tile("0p")),
            hand.count(tile("5p")),
            hand.count(tile("3z"))
        ),
        (1, 0, 1)
    );
    assert_eq!(drawn, Some(tile("3z")));
}

#[test]
fn seen_and_unseen_make_four_of_each_kind() {
    let scene = own_turn()
        .river(2, "1z 9p")
        .meld(1, MeldKind::Pon, "444s", 3)
        .dora_markers("9p")
        .build();
    let (seen, unseen) = scene.view(|view| (view.seen(), view.unseen())).unwrap();
    for (shown, copies) in [("1z", 3), ("9p", 2), ("4s", 3), ("5p", 1), ("6s", 0)] {
        let kind = tile(shown).kind();
        assert_eq!((seen[kind], unseen[kind]), (copies, 4 - copies), "{shown}");
    }
}

#[test]
fn rivers_melds_and_riichi_are_read_seat_by_seat() {
    let scene = own_turn()
        .river(1, "1z 9p")
        .riichi(1, "3m")
        .meld(2, MeldKind::Chi, "567m", 1)
        .build();
    scene
        .view(|view| {
            let one = view.player(seat(1));
            let river: Vec<_> = one
                .river()
                .map(|tile| (tile.tile, tile.tsumogiri, tile.riichi, tile.order))
                .collect();
            assert_eq!(
                river,
                [
                    (tile("1z"), false, false, 0),
                    (tile("9p"), false, false, 1),
                    (tile("3m"), true, true, 2)
                ]
            );
            let riichi = one.riichi().expect("declared");
            assert!(riichi.accepted && !riichi.double && !riichi.ippatsu && riichi.order == 2);
            let two = view.player(seat(2));
            assert!(
                two.is_open() && two.melds()[0].tiles() == tiles("567m") && two.riichi().is_none()
            );
            assert_eq!(two.melds()[0].order, 3);
        })
        .unwrap();
}

#[test]
fn opponents_come_in_turn_order_from_the_next() {
    let scene = own_turn().seat(2).build();
    let order = scene
        .view(|view| {
            view.opponents()
                .map(|player| player.seat())
                .collect::<Vec<_>>()
        })
        .unwrap();
    assert_eq!(order, [seat(3), seat(0), seat(1)]);
}

#[test]
fn the_seat_wind_follows_from_the_dealer() {
    let scene = own_turn().seat(1).oya(3).build();
    assert_eq!(scene.view(|view| view.seat_wind()).unwrap(), Wind::West);
}

#[test]
fn a_red_five_is_a_dora_besides_those_that_indicators_point_at() {
    let scene = own_turn().dora_markers("4p4p9m").build();
    let dora = scene
        .view(|view| ["0p", "5p", "1m", "2m"].map(|shown| view.dora_of(tile(shown))))
        .unwrap();
    assert_eq!(dora, [3, 2, 1, 0]);
}

#[test]
fn a_request_is_the_own_turn_or_an_offered_tile() {
    let mine = own_turn().build();
    assert_eq!(mine.view(|view| view.request()).unwrap(), Request::OwnTurn);
    let mut claim = Situation::offered("123m 456p 789s 1122z", "1z", 2).build();
    let request = |offer| Request::Claim {
        tile: tile("1z"),
        from: seat(2),
        offer,
    };
    assert_eq!(
        claim.view(|view| view.request()).unwrap(),
        request(Offer::Dahai)
    );
    claim.raw_mut().request = REQUEST_KAKAN;
    assert_eq!(
        claim.view(|view| view.request()).unwrap(),
        request(Offer::Kakan)
    );
}

#[test]
fn the_arenas_time_is_absent_if_it_sets_no_limit() {
    let mut scene = own_turn().build();
    assert_eq!(scene.view(|view| view.time().arena).unwrap(), None);
    let raw = scene.raw_mut();
    (raw.grace_us, raw.bank_us, raw.deadline_us, raw.budget_us) =
        (3_000_000, 0, 3_000_000, 2_750_001);
    let time = scene.view(|view| view.time()).unwrap();
    let free = Duration::from_secs(3);
    assert_eq!(
        time.arena,
        Some(ArenaTime {
            grace: free,
            bank: Duration::ZERO,
            deadline: free
        })
    );
    assert_eq!(time.budget, Duration::from_micros(2_750_001));
}

#[test]
fn furiten_is_reported_by_kind() {
    let mut scene = own_turn().build();
    scene.raw_mut().furiten = FURITEN_TEMPORARY;
    let furiten = scene.view(|view| view.furiten()).unwrap();
    assert!(furiten.temporary && !furiten.river && !furiten.riichi && furiten.any());
}

#[test]
fn randomness_is_the_same_for_the_same_seed_game_seat_and_decision() {
    let first = |situation: Situation| {
        situation
            .build()
            .view(|view| view.rng().next_u64())
            .unwrap()
    };
    let base = first(own_turn().keys(1, 2, 3));
    assert_eq!(base, first(own_turn().keys(1, 2, 3)));
    for other in [
        own_turn().keys(9, 2, 3),
        own_turn().keys(1, 9, 3),
        own_turn().keys(1, 2, 9),
    ] {
        assert_ne!(base, first(other));
    }
    assert_ne!(base, first(own_turn().keys(1, 2, 3).seat(1)));
}

#[test]
fn the_log_returns_the_events_with_the_complete_start_of_the_round() {
    let events = [
        Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: seat(0),
            dora_marker: tile("9m"),
            scores: None,
            tehais: PerSeat::from_fn(4, |_| None),
        }),
        Event::Tsumo {
            actor: seat(3),
            tile: None,
        },
        Event::Reach { actor: seat(3) },
        Event::Dahai {
            actor: seat(3),
            tile: tile("0s"),
            tsumogiri: true,
        },
        Event::ReachAccepted {
            actor: seat(3),
            scores: None,
        },
        Event::Chi {
            actor: seat(0),
            target: seat(3),
            tile: tile("0s"),
            consumed: [tile("4s"), tile("6s")],
        },
        Event::Pon {
            actor: seat(1),
            target: seat(0),
            tile: tile("1z"),
            consumed: [tile("1z"); 2],
        },
        Event::Kakan {
            actor: seat(1),
            tile: tile("1z"),
            consumed: [tile("1z"); 3],
        },
        Event::Daiminkan {
            actor: seat(2),
            target: seat(1),
            tile: tile("2z"),
            consumed: [tile("2z"); 3],
        },
        Event::Ankan {
            actor: seat(2),
            consumed: [tile("3z"); 4],
        },
        Event::Kita { actor: seat(2) },
        Event::Dora { marker: tile("2m") },
        Event::Tsumo {
            actor: seat(0),
            tile: Some(tile("3z")),
        },
    ];
    let scene = own_turn().events(&events).build();
    let read = scene
        .view(|view| view.events().collect::<Result<Vec<_>, _>>())
        .unwrap()
        .unwrap();
    assert_eq!(read[1..], events[1..]);
    let Event::StartKyoku(start) = read[0] else {
        panic!("{:?}", read[0])
    };
    assert_eq!(start.scores, Some(PerSeat::from_fn(4, |_| 25_000)));
    assert!(start.tehais[seat(0)].is_some());
    assert!((1..4).all(|other| start.tehais[seat(other)].is_none()));
}

#[test]
fn a_draw_of_another_seat_with_a_tile_is_refused() {
    let mut scene = own_turn()
        .events(&[Event::Tsumo {
            actor: seat(1),
            tile: None,
        }])
        .build();
    scene.events_mut()[0].tile = 3;
    let read = scene.view(|view| view.events().last()).unwrap();
    assert_eq!(read.unwrap().unwrap_err().field, "events.tile");
}

#[test]
fn the_hand_must_make_fourteen_tiles_on_the_own_turn_and_thirteen_otherwise() {
    let one_less = |scene: &mut Scene| scene.raw_mut().closed[0] = 0;
    assert_eq!(fault(one_less).field, "closed");
    let with_kan = Situation::drew("123m 456p 789s 2z", "2z").meld(0, MeldKind::Ankan, "1111z", 0);
    with_kan
        .build()
        .view(|_| ())
        .expect("a kan counts as three");
}

#[test]
fn a_hand_of_three_players_holds_no_2m_to_8m() {
    let situation = |tiles| Situation::drew(tiles, "2z").rules(Rules::TENHOU_HALF.with_players(3));
    situation("119m 456p 789s 1113z")
        .build()
        .view(|_| ())
        .expect("there are such tiles");
    let error = situation("129m 456p 789s 1113z")
        .build()
        .view(|_| ())
        .unwrap_err();
    assert_eq!((error.field, error.found), ("closed", 1));
}

#[test]
fn codes_that_there_are_not_are_refused_by_field() {
    type Change = fn(&mut Scene);
    let changes: [(&str, Change); 23] = [
        ("rules.players", |scene| scene.raw_mut().rules.players = 5),
        ("rules.length", |scene| scene.raw_mut().rules.length = 0),
        ("rules.preset", |scene| scene.raw_mut().rules.preset = 9),
        ("seat", |scene| scene.raw_mut().seat = 4),
        ("oya", |scene| scene.raw_mut().oya = 255),
        ("bakaze", |scene| scene.raw_mut().bakaze = 4),
        ("kyoku", |scene| scene.raw_mut().kyoku = 0),
        ("placements", |scene| scene.raw_mut().placements[3] = 5),
        ("closed", |scene| scene.raw_mut().closed[0] = 5),
        ("closed_reds", |scene| scene.raw_mut().closed_reds[0] = 1),
        ("drawn", |scene| scene.raw_mut().drawn = 36),
        ("start_hand", |scene| scene.raw_mut().start_hand[12] = 37),
        ("dora_count", |scene| scene.raw_mut().dora_count = 6),
        ("unseen", |scene| scene.raw_mut().unseen[33] = 5),
        ("request", |scene| scene.raw_mut().request = 0),
        ("seats.river_len", |scene| {
            scene.raw_mut().seats[3].river_len = 33
        }),
        ("seats.meld_count", |scene| {
            scene.raw_mut().seats[3].meld_count = 5
        }),
        ("seats.kita_count", |scene| {
            scene.raw_mut().seats[3].kita_count = 5
        }),
        ("seats.riichi_order", |scene| {
            scene.raw_mut().seats[3].riichi = RIICHI_DECLARED
        }),
        ("seats.river.tile", |scene| {
            scene.raw_mut().seats[3].river_len = 1
        }),
        ("seats.melds.kind", |scene| {
            scene.raw_mut().seats[3].meld_count = 1
        }),
        ("legal.kind", |scene| scene.legal_mut()[0].kind = 12),
        ("legal.len", |scene| scene.legal_mut().clear()),
    ];
    for (field, change) in changes {
        assert_eq!(fault(change).field, field);
    }
}

#[test]
fn an_array_longer_than_it_can_be_is_refused() {
    let long = |scene: &mut Scene| {
        let first = scene.legal_mut()[0];
        scene.legal_mut().resize(65, first);
    };
    assert_eq!(fault(long).field, "legal");
}

#[test]
fn an_action_that_uses_tiles_which_are_not_in_the_hand_is_refused() {
    let target = seat(1);
    for action in [
        Action::Dahai {
            tile: tile("5p"),
            tsumogiri: false,
        },
        Action::Reach {
            tile: tile("9m"),
            tsumogiri: false,
        },
        Action::Chi {
            target,
            tile: tile("3m"),
            consumed: [tile("4m"), tile("5m")],
        },
        Action::Pon {
            target,
            tile: tile("3z"),
            consumed: [tile("3z"); 2],
        },
        Action::Daiminkan {
            target,
            tile: tile("1z"),
            consumed: [tile("1z"); 3],
        },
        Action::Ankan {
            consumed: [tile("1z"); 4],
        },
        Action::Kakan {
            tile: tile("1z"),
            consumed: [tile("1z"); 3],
        },
    ] {
        let fault = own_turn()
            .legal(&[action])
            .build()
            .view(|_| ())
            .unwrap_err();
        assert!(fault.field.starts_with("legal"), "{action:?}: {fault}");
    }
}

#[test]
fn the_kinds_opponents_cannot_win_on_follow_from_the_order_of_discards() {
    let situation = Situation::drew("123m 406p 789s 1122z", "3z")
        .river(2, "9m")
        .river(1, "1m 2m")
        .riichi(1, "0p");
    let scene = situation
        .river(3, "5z")
        .river(1, "6z")
        .river(2, "7z")
        .build();
    let (first, second) = scene
        .view(|view| {
            (
                view.player(seat(1)).cannot_ron(),
                view.player(seat(2)).cannot_ron(),
            )
        })
        .unwrap();
    let kinds = |text: &str| tiles(text).into_iter().map(|tile| tile.kind()).collect();
    assert_eq!(
        first,
        CannotRon {
            river: kinds("12m 5p 6z"),
            since_riichi: kinds("57z"),
            since_discard: kinds("7z")
        }
    );
    assert_eq!(
        second,
        CannotRon {
            river: kinds("9m 7z"),
            since_riichi: kinds(""),
            since_discard: kinds("")
        }
    );
}

#[test]
fn an_offered_tile_has_not_passed_yet() {
    let scene = Situation::offered("123m 406p 789s 1122z", "9m", 2)
        .river(3, "5z")
        .build();
    let cannot_ron = scene
        .view(|view| view.player(seat(1)).cannot_ron().all())
        .unwrap();
    assert!(cannot_ron.contains(tile("5z").kind()) && !cannot_ron.contains(tile("9m").kind()));
}

/// An own turn whose log begins with how the round before it ended.
fn after(ends: &[LogEvent]) -> Scene {
    let mut scene = own_turn().build();
    scene.events_mut().splice(..0, ends.iter().copied());
    scene
}

#[test]
fn how_the_round_before_ended_is_distinguished_from_the_events_of_this_one() {
    let won = |actor, flags| LogEvent {
        kind: EVENT_HORA,
        actor,
        target: 2,
        tile: 8,
        flags,
        ..LogEvent::EMPTY
    };
    let first = LogEvent {
        deltas: [8_000, 0, -8_000, 0],
        ..won(0, EVENT_DELTAS)
    };
    let scene = after(&[first, won(3, 0)]);
    let (ended, first_event) = scene
        .view(|view| {
            (
                view.ended_round().collect::<Result<Vec<_>, _>>(),
                view.events().next(),
            )
        })
        .unwrap();
    let won = |winner, deltas| {
        RoundEnd::Won(WonRound {
            winner: seat(winner),
            from: seat(2),
            tile: Some(tile("9m")),
            deltas,
        })
    };
    let deltas = PerSeat::from_fn(4, |seat| [8_000, 0, -8_000, 0][seat.index()]);
    assert_eq!(ended.unwrap(), [won(0, Some(deltas)), won(3, None)]);
    assert!(matches!(first_event, Some(Ok(Event::StartKyoku(_)))));
}

#[test]
fn a_drawn_round_says_why_and_who_is_known_to_have_been_tenpai() {
    let drawn = LogEvent {
        kind: EVENT_RYUKYOKU,
        reason: DRAW_EXHAUSTIVE,
        ..LogEvent::EMPTY
    };
    let scene = after(&[LogEvent {
        tenpai: 0b0001,
        noten: 0b0110,
        ..drawn
    }]);
    let ended = scene.view(|view| view.ended_round().next()).unwrap();
    let tenpai = PerSeat::from_fn(4, |seat| {
        [Some(true), Some(false), Some(false), None][seat.index()]
    });
    let expected = DrawnRound {
        reason: Some(DrawReason::Exhaustive),
        tenpai,
        deltas: None,
    };
    assert_eq!(ended, Some(Ok(RoundEnd::Drawn(expected))));
}

#[test]
fn every_reason_for_a_draw_comes_back_from_its_code() {
    for reason in [
        None,
        Some(DrawReason::Exhaustive),
        Some(DrawReason::NagashiMangan),
        Some(DrawReason::NineTerminals),
        Some(DrawReason::FourWinds),
        Some(DrawReason::FourKans),
        Some(DrawReason::FourRiichi),
        Some(DrawReason::ThreeWinners),
        Some(DrawReason::IllegalAction(seat(3))),
    ] {
        let actor = if reason == Some(DrawReason::IllegalAction(seat(3))) {
            3
        } else {
            NONE
        };
        let code = encode_draw_reason(reason);
        let scene = after(&[LogEvent {
            kind: EVENT_RYUKYOKU,
            reason: code,
            actor,
            ..LogEvent::EMPTY
        }]);
        let ended = scene.view(|view| view.ended_round().next()).unwrap();
        let Some(Ok(RoundEnd::Drawn(drawn))) = ended else {
            panic!("{ended:?}")
        };
        assert_eq!(drawn.reason, reason);
    }
}

#[test]
fn events_of_unknown_kinds_are_skipped() {
    let mut scene = after(&[LogEvent {
        kind: 200,
        ..LogEvent::EMPTY
    }]);
    scene.events_mut().push(LogEvent {
        kind: 201,
        ..LogEvent::EMPTY
    });
    let plain = own_turn().build();
    let events = |scene: &Scene| {
        scene
            .view(|view| view.events().collect::<Vec<_>>())
            .unwrap()
    };
    assert_eq!(events(&scene), events(&plain));
    assert_eq!(scene.view(|view| view.ended_round().count()), Ok(0));
}

#[test]
fn unknown_flags_and_reserved_fields_are_ignored() {
    let mut scene = Situation::drew("123m 406p 789s 1z", "3z")
        .meld(0, MeldKind::Pon, "222z", 1)
        .build();
    let read = |scene: &Scene| {
        scene
            .view(|view| format!("{:?} {:?} {:?}", view.rules(), view.melds(), view.legal()))
            .expect("a view")
    };
    let plain = read(&scene);
    let raw = scene.raw_mut();
    (raw.flags, raw.reserved, raw.rules.reserved) = (u32::MAX, [u64::MAX; 4], [u8::MAX; 16]);
    for seat in &mut raw.seats {
        seat.reserved.fill(u8::MAX);
        seat.melds
            .iter_mut()
            .for_each(|meld| meld.reserved.fill(u8::MAX));
    }
    scene
        .events_mut()
        .iter_mut()
        .for_each(|event| event.reserved.fill(u8::MAX));
    assert_eq!(read(&scene), plain);
}
