//! One game of a tournament: played, counted, and its decisions timed.

use doudizhu::DouDizhuGame;
use mcr::McrGame;
use policy_host::DirectThread;
use riichi::game::RiichiGame;

use super::times::{DecisionTimes, TimedDecision};
use crate::game::{
    Entrant, GameEnd, GameError, GameId, GameNews, GameRules, LabGame, SeatCounter, SeatCounts, SeatPlayer, play,
};

/// A game that has ended.
#[derive(Debug)]
pub struct TournamentGame {
    /// How.
    pub end: GameEnd,
    /// What each seat did.
    pub seats: Vec<SeatCounts>,
    /// The first decision that failed, with the seat that made it.
    pub first_fault: Option<(usize, String)>,
}

/// [`play_counted`] of the game with these rules.
pub(super) fn play_by(
    rules: GameRules,
    thread: &DirectThread,
    id: GameId,
    seated: &[(usize, &Entrant)],
    times: &mut [DecisionTimes],
) -> Result<TournamentGame, GameError> {
    match rules {
        GameRules::Riichi(rules) => play_counted::<RiichiGame>(thread, rules, id, seated, times),
        GameRules::Mcr(rules) => play_counted::<McrGame>(thread, rules, id, seated, times),
        GameRules::DouDizhu(rules) => play_counted::<DouDizhuGame>(thread, rules, id, seated, times),
    }
}

/// Plays a game on this thread. `seated` has the number and the entrant of each seat; `times` takes the times of decisions, entrant
/// by entrant.
///
/// # Errors
///
/// When it cannot be played out.
pub fn play_counted<G: LabGame>(
    thread: &DirectThread,
    rules: G::Rules,
    id: GameId,
    seated: &[(usize, &Entrant)],
    times: &mut [DecisionTimes],
) -> Result<TournamentGame, GameError> {
    let mut counter = SeatCounter::new(G::seat_count(&rules) as u8);
    let mut timed = None;
    let players = seated.iter().map(|(_, entrant)| SeatPlayer::Bot(thread, entrant));
    let played = play::<G>(rules, id, players, |news| match news {
        GameNews::Happened(event, tables) => G::count(&mut counter, event, tables),
        // With a limit it is another thread's time.
        GameNews::Asked { seat, decision } if seated[seat].1.limit.is_none() => timed = TimedDecision::begin(decision),
        GameNews::Decided(decision) => {
            if let Some(timed) = timed.take() {
                times[seated[decision.seat].0].record(timed.took());
            }
        }
        GameNews::Dealt(_) | GameNews::Asked { .. } => {}
    })?;
    Ok(TournamentGame { seats: counter.finish(&played), end: played.end, first_fault: played.first_fault })
}
