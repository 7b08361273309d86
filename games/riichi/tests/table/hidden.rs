//! Nothing that this seat should not know, and nothing that it only intends, changes the table.

use riichi::{Event, PerSeat};

use crate::round::{ACROSS, Deal, LEFT, ME, RIGHT, Round, deal, state, tile, tiles};

const TENPAI: &str = "2m 3m 4p 5p 6p 7p 8p 9p 2s 3s 4s 9s 9s";

#[test]
fn the_hands_and_draws_of_others_change_nothing() {
    let Event::StartKyoku(mut start) = Deal::of(TENPAI).event() else {
        unreachable!()
    };
    start.tehais = PerSeat::from_fn(4, |seat| {
        Some(if seat == ME {
            tiles(TENPAI)
        } else {
            [tile("1m"); 13]
        })
    });
    let mut masked = Round {
        table: riichi::Table::new(riichi::Rules::TENHOU_HALF, ME),
    };
    let mut open = masked.clone();
    let told = [
        Event::StartKyoku(start),
        Event::Tsumo {
            actor: ME,
            tile: Some(tile("N")),
        },
        Event::Dahai {
            actor: ME,
            tile: tile("N"),
            tsumogiri: true,
        },
        // One that it does not even discard, and which would be a fifth.
        Event::Tsumo {
            actor: RIGHT,
            tile: Some(tile("9s")),
        },
        Event::Dahai {
            actor: RIGHT,
            tile: tile("1m"),
            tsumogiri: true,
        },
        Event::Tsumo {
            actor: ACROSS,
            tile: Some(tile("5mr")),
        },
    ];
    for event in told {
        open.tell(event);
        masked.tell(event.masked_for(ME));
        assert_eq!(state(&open.table), state(&masked.table), "{event:?}");
        assert_eq!(open.legal(), masked.legal());
    }
}

#[test]
fn the_own_draw_must_be_known() {
    let mut round = deal(TENPAI);
    let refusal = round.refusal(Event::Tsumo {
        actor: ME,
        tile: None,
    });
    assert_eq!(refusal, riichi::table::Contradiction::OwnTilesHidden);
}

#[test]
fn an_answer_takes_effect_only_when_every_seat_has_heard_it() {
    let mut round = deal("2m 3m 4p 5p 6p 7p 8p 9p 2s 2s 2s F F");
    round.draw_and_discard("N");
    round.throws(RIGHT, "F");
    let before = state(&round.table);
    assert_eq!(round.legal(), ["pon F with [F, F]", "none"]);
    assert_eq!(state(&round.table), before);
    // Our pon was answered, but another seat's win comes first.
    round.hora(LEFT, RIGHT, [0, -1000, 0, 1000]);
    assert!(round.table.player(ME).melds.is_empty());
    assert_eq!(round.table.hand().count(tile("F")), 2);
}

#[test]
fn the_announced_call_holds_and_not_the_intended_one() {
    let mut round = Deal {
        oya: LEFT,
        ..Deal::of("5p 5pr 6p 7p 8p 1m 1m 1m 2s 3s 4s N F")
    }
    .begin();
    round.throws(LEFT, "7p");
    assert!(round.legal().contains(&"chi 7p with [6p, 8p]".to_owned()));
    round.chi(ME, "7p", "5pr 6p");
    assert_eq!(
        round.table.player(ME).melds[0].tiles(),
        tiles::<3>("5pr 6p 7p")
    );
    assert_eq!(round.table.hand().count(tile("8p")), 1);
}
