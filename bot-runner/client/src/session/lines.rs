//! The dialects in which an event is the request: the answer if the table is not reliable.

use riichi::{Action, Event, KindSet, Seat, Tile};

use super::game::GameState;
use super::{SessionStep, SessionSteps};

/// Whether the request asks for a discard, so that passing is not an answer.
pub(super) fn owes_discard(event: &Event, seat: Seat) -> bool {
    event.may_ask(seat) && event.actor() == Some(seat)
}

/// The steps after an event that repeats the last one.
pub(super) fn without_events(mut steps: SessionSteps) -> SessionSteps {
    steps.retain(|step| !matches!(step, SessionStep::Happened(_)));
    steps
}

/// The least harmful action if the table is not reliable: on the own turn it discards the drawn
/// tile or, if that is missing or `forbidden`, another tile that it holds. `None`: pass.
pub(super) fn blind_answer(
    event: &Event,
    seat: Seat,
    game: &GameState,
    forbidden: KindSet,
) -> Option<Action> {
    if !owes_discard(event, seat) {
        return None;
    }
    let allowed = |tile: &Tile| !forbidden.contains(tile.kind());
    match game.drawn().filter(allowed) {
        Some(tile) => Some(Action::Dahai {
            tile,
            tsumogiri: true,
        }),
        None => {
            let tile = game.table()?.hand().distinct().find(allowed)?;
            Some(Action::Dahai {
                tile,
                tsumogiri: false,
            })
        }
    }
}
