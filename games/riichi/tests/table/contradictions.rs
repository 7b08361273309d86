//! Impossible events are refused, and leave the table unchanged.

use riichi::table::Contradiction;
use riichi::{Event, Table};

use crate::round::{
    ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, deal_from, hora, points, seat, tile, tiles,
};

const HAND: &str = "2m 3m 5p 5p 5pr 7p 8p 9p 9s 9s 9s F F";

fn dahai(actor: riichi::Seat, name: &str, tsumogiri: bool) -> Event {
    Event::Dahai {
        actor,
        tile: tile(name),
        tsumogiri,
    }
}

fn after_own_discard() -> Round {
    let mut round = deal(HAND);
    round.draw_and_discard("N");
    round
}

#[test]
fn nothing_happens_before_the_first_round() {
    let mut round = Round {
        table: Table::new(riichi::Rules::TENHOU_HALF, ME),
    };
    for event in [
        Event::Tsumo {
            actor: ME,
            tile: Some(tile("N")),
        },
        dahai(ME, "N", true),
        Event::Ankan {
            actor: ME,
            consumed: tiles("N N N N"),
        },
        Event::Dora { marker: tile("N") },
        Event::Reach { actor: ME },
        Event::ReachAccepted {
            actor: ME,
            scores: None,
        },
        hora(ME, ME, None, None),
        Event::Ryukyoku {
            deltas: None,
            scores: None,
            reason: None,
        },
    ] {
        assert_eq!(round.refusal(event), Contradiction::NoRound, "{event:?}");
    }
}

#[test]
fn seats_draw_in_turn() {
    let mut round = deal(HAND);
    assert!(matches!(
        round.refusal(Event::Tsumo {
            actor: RIGHT,
            tile: None
        }),
        Contradiction::OutOfTurn { .. }
    ));
    round.draw_and_discard("N");
    assert!(matches!(
        round.refusal(Event::Tsumo {
            actor: LEFT,
            tile: None
        }),
        Contradiction::OutOfTurn { .. }
    ));
    round.draws(RIGHT);
    assert!(matches!(
        round.refusal(Event::Tsumo {
            actor: RIGHT,
            tile: None
        }),
        Contradiction::OutOfTurn { .. }
    ));
    assert!(matches!(
        round.refusal(dahai(ACROSS, "E", true)),
        Contradiction::OutOfTurn { .. }
    ));
}

#[test]
fn the_wall_ends() {
    let mut round = deal(HAND);
    round.play_down_to(0, "");
    let next = Event::Tsumo {
        actor: ACROSS,
        tile: None,
    };
    assert_eq!(round.refusal(next), Contradiction::WallEmpty);
}

#[test]
fn a_tile_that_we_do_not_hold_cannot_be_ours() {
    let mut round = deal(HAND);
    round.draw("N");
    let missing = |name| Contradiction::NotHeld { tile: tile(name) };
    assert_eq!(round.refusal(dahai(ME, "1m", false)), missing("1m"));
    assert_eq!(
        round.refusal(Event::Ankan {
            actor: ME,
            consumed: tiles("9s 9s 9s 9s")
        }),
        missing("9s")
    );
    assert_eq!(
        round.refusal(Event::Ankan {
            actor: ME,
            consumed: tiles("5p 5p 5p 5pr")
        }),
        missing("5p")
    );
    round.discard_drawn();
    round.throws(RIGHT, "5p");
    let pon = Event::Pon {
        actor: ME,
        target: RIGHT,
        tile: tile("5p"),
        consumed: tiles("5pr 5pr"),
    };
    assert_eq!(round.refusal(pon), missing("5pr"));
}

#[test]
fn only_the_drawn_tile_can_be_discarded_as_drawn() {
    let mut round = deal(HAND);
    round.draw("5p");
    assert_eq!(
        round.refusal(dahai(ME, "5pr", true)),
        Contradiction::NotDrawn {
            tile: tile("5pr"),
            drawn: Some(tile("5p"))
        }
    );
    let mut round = after_own_discard();
    round.throws(RIGHT, "F");
    round.pon(ME, "F", "F F");
    assert_eq!(
        round.refusal(dahai(ME, "2m", true)),
        Contradiction::NotDrawn {
            tile: tile("2m"),
            drawn: None
        }
    );
}

#[test]
fn no_seat_discards_a_drawn_tile_after_a_call() {
    let mut round = after_own_discard();
    round.throws(RIGHT, "E");
    round.pon(LEFT, "E", "E E");
    assert_eq!(
        round.refusal(dahai(LEFT, "S", true)),
        Contradiction::NotDrawn {
            tile: tile("S"),
            drawn: None
        }
    );
}

#[test]
fn a_fifth_tile_of_a_kind_cannot_come_into_sight() {
    let mut round = Deal {
        dora_marker: tile("9s"),
        ..Deal::of(HAND)
    }
    .begin();
    let fifth = Contradiction::FifthTile {
        kind: tile("9s").kind(),
    };
    assert_eq!(
        round.refusal(Event::Tsumo {
            actor: ME,
            tile: Some(tile("9s"))
        }),
        fifth
    );
    round.draw("N");
    assert_eq!(round.refusal(Event::Dora { marker: tile("9s") }), fifth);
    round.discard_drawn();
    round.draws(RIGHT);
    assert_eq!(round.refusal(dahai(RIGHT, "9s", true)), fifth);
    assert_eq!(
        round.refusal(Event::Ankan {
            actor: RIGHT,
            consumed: tiles("9s 9s 9s 9s")
        }),
        fifth
    );
    round.throws(RIGHT, "8s");
    let chi = Event::Chi {
        actor: ACROSS,
        target: RIGHT,
        tile: tile("8s"),
        consumed: tiles("7s 9s"),
    };
    assert_eq!(round.refusal(chi), fifth);
}

#[test]
fn only_the_last_discard_is_called_and_not_by_its_owner() {
    let mut round = after_own_discard();
    round.throws(RIGHT, "F");
    let pon = |actor, target, name| Event::Pon {
        actor,
        target,
        tile: tile(name),
        consumed: tiles(&format!("{name} {name}")),
    };
    assert_eq!(
        round.refusal(pon(LEFT, RIGHT, "N")),
        Contradiction::NotOffered {
            tile: tile("N"),
            target: RIGHT
        }
    );
    assert_eq!(
        round.refusal(pon(LEFT, ACROSS, "F")),
        Contradiction::NotOffered {
            tile: tile("F"),
            target: ACROSS
        }
    );
    assert_eq!(
        round.refusal(pon(RIGHT, RIGHT, "F")),
        Contradiction::NotOffered {
            tile: tile("F"),
            target: RIGHT
        }
    );
    round.draws(ACROSS);
    assert!(matches!(
        round.refusal(pon(LEFT, RIGHT, "F")),
        Contradiction::OutOfTurn { .. }
    ));
}

#[test]
fn tiles_that_make_no_set_are_no_meld() {
    let mut round = after_own_discard();
    round.throws(RIGHT, "4m");
    let chi = |own| Event::Chi {
        actor: ACROSS,
        target: RIGHT,
        tile: tile("4m"),
        consumed: tiles(own),
    };
    let pon = |own| Event::Pon {
        actor: LEFT,
        target: RIGHT,
        tile: tile("4m"),
        consumed: tiles(own),
    };
    assert_eq!(round.refusal(chi("6m 7m")), Contradiction::NoMeld);
    assert_eq!(round.refusal(chi("4m 4m")), Contradiction::NoMeld);
    assert_eq!(round.refusal(pon("5m 6m")), Contradiction::NoMeld);
    round.draws(ACROSS);
    assert_eq!(
        round.refusal(Event::Ankan {
            actor: ACROSS,
            consumed: tiles("1s 1s 1s 2s")
        }),
        Contradiction::NoMeld
    );
}

#[test]
fn a_run_is_called_by_the_next_seat_only() {
    let mut round = after_own_discard();
    round.throws(RIGHT, "4m");
    let chi = Event::Chi {
        actor: LEFT,
        target: RIGHT,
        tile: tile("4m"),
        consumed: tiles("5m 6m"),
    };
    assert!(matches!(
        round.refusal(chi),
        Contradiction::OutOfTurn { .. }
    ));
}

#[test]
fn a_kan_is_added_only_to_an_own_pon_of_its_kind() {
    let mut round = deal("2m 3m 5p 5p 5pr 7p 8p 9p 9s 9s 9s F C");
    round.draw_and_discard("N");
    round.throws(RIGHT, "C");
    round.pon(LEFT, "C", "C C");
    round.throws(LEFT, "E");
    round.draw("F");
    let kakan = Event::Kakan {
        actor: ME,
        tile: tile("C"),
        consumed: tiles("C C C"),
    };
    assert_eq!(
        round.refusal(kakan),
        Contradiction::NoPon {
            kind: tile("C").kind()
        }
    );
    let mixed = Event::Kakan {
        actor: ME,
        tile: tile("C"),
        consumed: tiles("C C E"),
    };
    assert_eq!(round.refusal(mixed), Contradiction::NoMeld);
}

#[test]
fn a_hand_in_riichi_is_not_changed() {
    let mut round = after_own_discard();
    round.riichi(RIGHT, "E");
    round.throws(ACROSS, "S");
    let pon = Event::Pon {
        actor: RIGHT,
        target: ACROSS,
        tile: tile("S"),
        consumed: tiles("S S"),
    };
    assert_eq!(round.refusal(pon), Contradiction::HandNotFree);
    round.throws(LEFT, "S");
    round.draw_and_discard("S");
    round.draws(RIGHT);
    assert_eq!(
        round.refusal(dahai(RIGHT, "1m", false)),
        Contradiction::RiichiHandChanged
    );
    assert_eq!(
        round.refusal(Event::Reach { actor: RIGHT }),
        Contradiction::HandNotFree
    );
}

#[test]
fn an_open_hand_declares_no_riichi() {
    let mut round = after_own_discard();
    round.pon(RIGHT, "N", "N N");
    round.throws(RIGHT, "E");
    round.throws(ACROSS, "E");
    round.throws(LEFT, "E");
    round.draw_and_discard("S");
    round.draws(RIGHT);
    assert_eq!(
        round.refusal(Event::Reach { actor: RIGHT }),
        Contradiction::HandNotFree
    );
}

#[test]
fn only_a_declared_riichi_is_accepted_and_only_once() {
    let mut round = after_own_discard();
    round.throws(RIGHT, "E");
    let accepted = |actor| Event::ReachAccepted {
        actor,
        scores: None,
    };
    assert!(matches!(
        round.refusal(accepted(RIGHT)),
        Contradiction::OutOfTurn { .. }
    ));
    round.declare_riichi(ACROSS, "E");
    assert!(matches!(
        round.refusal(accepted(RIGHT)),
        Contradiction::OutOfTurn { .. }
    ));
    round.accept_riichi(ACROSS);
    assert!(matches!(
        round.refusal(accepted(ACROSS)),
        Contradiction::OutOfTurn { .. }
    ));
}

#[test]
fn a_win_needs_a_tile_to_win_on() {
    let mut round = deal_from(RIGHT, HAND);
    assert!(
        matches!(
            round.refusal(hora(ME, RIGHT, None, None)),
            Contradiction::OutOfTurn { .. }
        ),
        "nothing is drawn"
    );
    round.draws(RIGHT);
    assert!(
        matches!(
            round.refusal(hora(ME, RIGHT, None, None)),
            Contradiction::OutOfTurn { .. }
        ),
        "nothing is discarded"
    );
    round.throws(RIGHT, "E");
    assert!(
        matches!(
            round.refusal(hora(ME, LEFT, None, None)),
            Contradiction::OutOfTurn { .. }
        ),
        "another threw it"
    );
    assert!(
        matches!(
            round.refusal(hora(RIGHT, RIGHT, None, None)),
            Contradiction::OutOfTurn { .. }
        ),
        "it is its own"
    );
}

#[test]
fn an_ended_round_accepts_no_events() {
    let mut round = after_own_discard();
    round.tell(Event::Ryukyoku {
        deltas: Some(points([0; 4])),
        scores: None,
        reason: None,
    });
    assert_eq!(
        round.refusal(Event::Tsumo {
            actor: RIGHT,
            tile: None
        }),
        Contradiction::NoRound
    );
    assert_eq!(
        round.refusal(hora(RIGHT, ME, None, None)),
        Contradiction::NoRound
    );
    assert_eq!(
        round.refusal(Event::Ryukyoku {
            deltas: None,
            scores: None,
            reason: None
        }),
        Contradiction::NoRound
    );
    round.tell(Event::EndKyoku);
    assert_eq!(
        round.refusal(Event::Dora { marker: tile("1p") }),
        Contradiction::NoRound
    );
}

#[test]
fn a_round_that_begins_in_another_takes_effect_and_is_reported() {
    let mut round = after_own_discard();
    let next = Deal {
        oya: RIGHT,
        ..Deal::of("1m 9m 1p 9p 1s 9s E S W N P F C")
    };
    assert_eq!(
        round.table.apply(&next.event()),
        Err(Contradiction::RoundNotEnded)
    );
    assert_eq!(round.table.oya(), RIGHT);
    assert_eq!(round.table.hand().counts().total(), 13);
    assert!(round.table.player(ME).river.is_empty());
    round.others_throw(["2p", "2p", "2p"]);
}

#[test]
fn a_round_without_our_tiles_does_not_begin() {
    let mut round = deal(HAND);
    let Event::StartKyoku(mut start) = Deal::of(HAND).event() else {
        unreachable!()
    };
    start.tehais[ME] = None;
    assert_eq!(
        round.refusal(Event::StartKyoku(start)),
        Contradiction::OwnTilesHidden
    );
    start.tehais = riichi::PerSeat::from_fn(3, |_| Some(tiles(HAND)));
    assert_eq!(
        round.refusal(Event::StartKyoku(start)),
        Contradiction::WrongPlayers {
            found: 3,
            players: 4
        }
    );
}

#[test]
fn a_deal_with_five_of_a_kind_does_not_begin() {
    let mut round = deal(HAND);
    let five = Deal {
        dora_marker: tile("9s"),
        ..Deal::of("9s 9s 9s 9s 1m 2m 3m 4m 5m 6m 7m 8m 9m")
    };
    assert_eq!(
        round.refusal(five.event()),
        Contradiction::FifthTile {
            kind: tile("9s").kind()
        }
    );
}

#[test]
fn there_is_room_for_five_indicators() {
    let mut round = deal(HAND);
    for name in ["1m", "1p", "1s", "E"] {
        round.dora(name);
    }
    assert_eq!(
        round.refusal(Event::Dora { marker: tile("S") }),
        Contradiction::TooMany {
            what: "dora indicator"
        }
    );
}

#[test]
fn a_seat_beyond_the_table_does_nothing() {
    let rules = riichi::Rules::TENHOU_HALF.with_players(3);
    let hand = "1m 9m 5p 5p 5pr 7p 8p 9p 9s 9s 9s F F";
    let mut round = Deal {
        rules,
        scores: None,
        ..Deal::of(hand)
    }
    .begin();
    let refusal = round.refusal(Event::Tsumo {
        actor: seat(3),
        tile: None,
    });
    assert_eq!(
        refusal,
        Contradiction::NoSuchSeat {
            seat: seat(3),
            players: 3
        }
    );
    let beyond = Deal {
        rules,
        scores: None,
        oya: seat(3),
        ..Deal::of(hand)
    };
    assert_eq!(
        round.refusal(beyond.event()),
        Contradiction::NoSuchSeat {
            seat: seat(3),
            players: 3
        }
    );
}
