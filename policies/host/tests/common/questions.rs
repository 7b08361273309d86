//! Questions for a policy on its own.

use std::time::Duration;

use policy_host::{Asked, RoundLog, ViewBuffer};
use riichi::event::StartKyoku;
use riichi::{Action, Event, PerSeat, Rules, Seat, Table, Tile, Wind};

/// The own turn, with a hand that only the drawn 9m does not fit, and two seconds for it.
pub(crate) fn question() -> ViewBuffer {
    asked(None, 0, Duration::from_secs(2))
}

/// The same with other actions, more events, and this much time.
pub(crate) fn asked(
    actions: Option<&[Action]>,
    more_events: usize,
    budget: Duration,
) -> ViewBuffer {
    let own = Seat::FIRST;
    let hand = [
        "1p", "1p", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "3s", "4s", "E", "E",
    ]
    .map(tile);
    let events = [
        Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: own,
            dora_marker: tile("W"),
            scores: None,
            tehais: PerSeat::from_fn(4, |seat| (seat == own).then_some(hand)),
        }),
        Event::Tsumo {
            actor: own,
            tile: Some(tile("9m")),
        },
    ];
    let (mut table, mut log) = (Table::new(Rules::TENHOU_HALF, own), RoundLog::default());
    for event in &events {
        table.apply(event).expect("it can be played");
        log.push(event, &table);
    }
    for index in 0..more_events {
        log.push(
            &Event::Dora {
                marker: Tile::new((index % 37) as u8).expect("there are 37"),
            },
            &table,
        );
    }
    let legal = table.legal_actions();
    let mut view = ViewBuffer::default();
    view.fill(
        &table,
        &log,
        actions.unwrap_or(&legal),
        &Asked {
            budget,
            ..Asked::default()
        },
    );
    view
}

fn tile(name: &str) -> Tile {
    name.parse().expect("a tile")
}
