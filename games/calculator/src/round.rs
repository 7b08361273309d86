//! Plays a round to its end with the fast policy.

use riichi::event::DrawReason;
use riichi::game::RiichiGame;
use riichi::{Event, PerSeat, Seat};

use crate::fast_policy::FastPolicy;
use crate::stakes::Stakes;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoundOutcome {
    /// The seat that each winner won from: itself at a self-draw.
    pub(crate) won_from: PerSeat<Option<Seat>>,
    /// Whether each seat was tenpai when the wall was used up; `None` of another end.
    pub(crate) tenpai: Option<PerSeat<bool>>,
}

/// Plays on until the round is over.
pub(crate) fn play_round(
    game: &mut RiichiGame,
    policy: &FastPolicy,
    stakes: &Stakes,
) -> RoundOutcome {
    while !game.is_over() && !game.awaits_wall() {
        for seat in game.asked() {
            let action = policy.decide(game, seat, stakes);
            game.answer(seat, action)
                .expect("the policy chooses from the legal actions");
        }
    }
    outcome(game)
}

/// The outcome of the round that has just ended.
fn outcome(game: &RiichiGame) -> RoundOutcome {
    let players = game.rules().players;
    let mut outcome = RoundOutcome {
        won_from: PerSeat::from_fn(players, |_| None),
        tenpai: None,
    };
    for event in game.events() {
        match event {
            Event::Hora(win) => outcome.won_from[win.actor] = Some(win.target),
            Event::Ryukyoku {
                reason: None | Some(DrawReason::Exhaustive | DrawReason::NagashiMangan),
                ..
            } => {
                outcome.tenpai = Some(PerSeat::from_fn(players, |seat| {
                    !game.waits(seat).is_empty()
                }));
            }
            _ => {}
        }
    }
    outcome
}
