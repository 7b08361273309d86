//! Whether the whole game plays a record: from its hands, draws and choices come the very events
//! that were recorded. It decides independently of the referee whether a changed record is sound.

use std::panic::{AssertUnwindSafe, catch_unwind};

use riichi::event::{Hora, StartKyoku};
use riichi::game::RiichiGame;
use riichi::rules::{Length, Preset};
use riichi::{Event, Rules};

use crate::against::in_order;
use crate::records::{choice, wall};

/// Whether the events are those of a game by some known rules, or its beginning.
pub(crate) fn is_played(events: &[Event]) -> bool {
    let Some(Event::StartKyoku(start)) = events.get(1) else {
        return false;
    };
    let players = start.tehais.players();
    let lengths = [Length::Half, Length::East, Length::Single];
    let rules = [Preset::Tenhou, Preset::MahjongSoul]
        .into_iter()
        .flat_map(|preset| {
            lengths.map(|length| preset.rules().with_players(players).with_length(length))
        });
    rules.into_iter().any(|rules| {
        let reds = if players == 3 {
            vec![2, 0]
        } else {
            vec![3, 4, 0]
        };
        reds.into_iter()
            .any(|red_fives| plays(Rules { red_fives, ..rules }, events))
    })
}

/// Helpers of other tests stop at a record that no game has.
fn plays(rules: Rules, events: &[Event]) -> bool {
    catch_unwind(AssertUnwindSafe(|| plays_to_its_end(rules, events))).unwrap_or(false)
}

fn plays_to_its_end(rules: Rules, events: &[Event]) -> bool {
    let round = |from: usize| {
        let Some(Event::StartKyoku(start)) = events.get(from) else {
            return None;
        };
        let length = events[from..]
            .iter()
            .position(|event| matches!(event, Event::EndKyoku));
        let length = length.unwrap_or(events.len() - from);
        Some(wall(&rules, start, &events[from..from + length]))
    };
    let Some(Ok(mut game)) = round(1).map(|wall| RiichiGame::with_wall(rules, &wall)) else {
        return false;
    };
    let mut at = 0;
    loop {
        for event in game.events() {
            match events.get(at) {
                // A record may be cut.
                None => return true,
                Some(recorded) if is_same(recorded, event) => at += 1,
                Some(_) => return false,
            }
        }
        if game.is_over() {
            return at == events.len();
        }
        if game.awaits_wall() {
            if at == events.len() {
                return true;
            }
            let Some(Ok(())) = round(at).map(|wall| game.deal(&wall)) else {
                return false;
            };
            continue;
        }
        for seat in game.asked() {
            if at == events.len() {
                return true;
            }
            let legal = game.legal_actions(seat);
            let action = choice(seat, &legal, &events[at..]);
            game.answer(seat, action).expect("it is legal");
        }
    }
}

/// What a record leaves out is no difference.
fn is_same(recorded: &Event, event: &Event) -> bool {
    let completed = match (*recorded, *event) {
        (Event::StartKyoku(told), Event::StartKyoku(start)) => Event::StartKyoku(StartKyoku {
            scores: told.scores.or(start.scores),
            ..told
        }),
        (Event::ReachAccepted { actor, .. }, _) => Event::ReachAccepted {
            actor,
            scores: None,
        },
        (Event::Hora(told), Event::Hora(hora)) => Event::Hora(Hora {
            deltas: told.deltas.or(hora.deltas),
            scores: None,
            ..told
        }),
        (
            Event::Ryukyoku {
                deltas: told,
                reason: why,
                ..
            },
            Event::Ryukyoku { deltas, reason, .. },
        ) => Event::Ryukyoku {
            deltas: told.or(deltas),
            scores: None,
            reason: why.or(reason),
        },
        (
            Event::EndGame { scores: Some(told) },
            Event::EndGame {
                scores: Some(scores),
            },
        ) if told != scores => {
            return false;
        }
        (Event::StartGame { .. }, Event::StartGame { .. }) => return true,
        (recorded, _) => recorded,
    };
    in_order(completed) == in_order(*event)
}
