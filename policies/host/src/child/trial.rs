//! The trial of a policy in a process of its own: it answers a scripted round.

use std::time::{Duration, Instant};

use mahjong::event::StartKyoku;
use mahjong::{Event, PerSeat, Rules, Seat, Tile, Wind};

use super::policy::ChildPolicy;
use super::process::Lost;
use super::reply::ChildReply;
use crate::child_error::ChildError;
use crate::fault::Fault;
use crate::process_end::ProcessEnd;
use crate::scripted::{ScriptedQuestion, questions};
use crate::view::Asked;

/// Why a policy does not pass.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// It is not created.
    #[error(transparent)]
    Start(#[from] ChildError),
    /// It is created, but does not decide.
    #[error("asked for decision {} of {of} in a scripted round: {fault}", .number + 1)]
    Decide {
        /// Index of the decision.
        number: usize,
        /// How many there are.
        of: usize,
        /// What came of it.
        fault: Fault,
    },
    /// It decides, but leaves something behind in its process.
    #[error(
        "it {0}, which on a thread of the runner would be every bot's trouble; set isolation = \"process\" in [policy], \
         where it is nobody's"
    )]
    Leaves(String),
    /// It decides, but its process dies when it is destroyed.
    #[error("when it was to end, its process {0}; on a thread of the runner that would end every bot")]
    End(ProcessEnd),
}

/// Has a policy decide every question of a scripted round.
pub(super) fn answer_scripted_round(policy: &mut ChildPolicy, players: u8, until: Instant) -> Result<(), TrialError> {
    let left = || until.saturating_duration_since(Instant::now());
    let questions = asked(players, left());
    let of = questions.len();
    for (number, ScriptedQuestion { view, .. }) in questions.iter().enumerate() {
        policy.decide(view, left()).map_err(|fault| TrialError::Decide { number, of, fault })?;
    }
    Ok(())
}

/// Ends a policy that has decided, and says what would be trouble on a thread of the runner.
pub(super) fn leave_nothing(policy: ChildPolicy) -> Result<(), TrialError> {
    match policy.end_with_a_word() {
        Ok(ChildReply::Refused(change)) => Err(TrialError::Leaves(change)),
        Err(Lost::Died(end)) if end != ProcessEnd::Exit(0) => Err(TrialError::End(end)),
        // One that hangs here is left behind when it plays, too.
        _ => Ok(()),
    }
}

/// Everything that seat 0 is asked in a round that takes its course whatever is answered: two discards, the second of them
/// with riichi, a pon, and a win.
fn asked(players: u8, budget: Duration) -> Vec<ScriptedQuestion> {
    let asked = Asked { budget_ms: budget.as_millis().try_into().unwrap_or(u32::MAX), ..Asked::default() };
    questions(Rules::TENHOU_HALF.with_players(players), &round(players), asked)
}

/// The round as seat 0 hears it, with tiles that three players have too.
fn round(players: u8) -> Vec<Event> {
    let own = Seat::FIRST;
    let hand = ["1p", "1p", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "3s", "9s", "E", "E"].map(tile);
    let mut events = vec![
        Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: own,
            dora_marker: tile("W"),
            scores: None,
            tehais: PerSeat::from_fn(players, |seat| (seat == own).then_some(hand)),
        }),
        Event::Tsumo { actor: own, tile: Some(tile("9m")) },
        Event::Dahai { actor: own, tile: tile("9m"), tsumogiri: true },
    ];
    for (seat, thrown) in Seat::all(players).skip(1).zip(["E", "C", "C"]) {
        events.push(Event::Tsumo { actor: seat, tile: None });
        events.push(Event::Dahai { actor: seat, tile: tile(thrown), tsumogiri: false });
    }
    events.push(Event::Tsumo { actor: own, tile: Some(tile("1s")) });
    events.push(Event::Dahai { actor: own, tile: tile("9s"), tsumogiri: false });
    for (seat, thrown) in Seat::all(players).skip(1).zip(["E"]) {
        events.push(Event::Tsumo { actor: seat, tile: None });
        events.push(Event::Dahai { actor: seat, tile: tile(thrown), tsumogiri: true });
    }
    events
}

fn tile(name: &str) -> Tile {
    name.parse().expect("it is written in here")
}

#[cfg(test)]
mod tests {
    use policy_abi::action::{ACTION_DAHAI, ACTION_HORA, ACTION_NONE, ACTION_PON, ACTION_REACH};

    use super::*;

    #[test]
    fn the_round_asks_for_discards_riichi_a_call_and_a_win_of_four_players_and_of_three() {
        for players in [4, 3] {
            let kinds: Vec<Vec<u8>> = asked(players, Duration::ZERO)
                .iter()
                .map(|question| {
                    let mut kinds: Vec<u8> = question.view.parts().1.iter().map(|action| action.kind).collect();
                    kinds.dedup();
                    kinds
                })
                .collect();
            let expected: [&[u8]; 4] = [
                &[ACTION_DAHAI],
                &[ACTION_PON, ACTION_NONE],
                &[ACTION_DAHAI, ACTION_REACH],
                &[ACTION_HORA, ACTION_PON, ACTION_NONE],
            ];
            assert_eq!(kinds, expected, "{players} players");
        }
    }
}
