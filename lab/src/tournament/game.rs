//! Plays one game of a tournament, counts its events and measures the decisions.

use doudizhu::DouDizhuGame;
use lab_stats::{SeatCounter, SeatCounts};
use mcr::McrGame;
use policy_host::DirectThread;
use riichi::game::RiichiGame;

use super::times::{DecisionTimes, TimedDecision};
use super::transcript::{GameTranscript, TranscriptWriter};
use crate::game::luck::WeightedLuck;
use crate::game::{
    Entrant, GameEnd, GameError, GameId, GameNews, GameRules, LabGame, PlayedGame, SeatAnswers,
    SeatPlayer, SeatValues, play,
};

/// A game that has ended.
#[derive(Debug)]
pub struct TournamentGame {
    pub end: GameEnd,
    pub seats: Vec<SeatCounts>,
    /// The first decision that failed, with the seat that made it.
    pub first_fault: Option<(usize, String)>,
    /// What luck has added to the measure of each seat, in [parts](crate::game::luck::PARTS); empty
    /// if it is not known or not taken down.
    pub luck: SeatValues,
    /// Its record with the decisions, if it was taken down.
    pub transcript: Option<GameTranscript>,
}

/// What is taken down of each game besides its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TakenDown {
    /// Its record, with the decisions.
    pub records: bool,
    /// The [luck](crate::game::luck) of its seats.
    pub luck: bool,
}

/// [`play_counted`] for the game with these rules.
pub(super) fn play_by(
    rules: GameRules,
    taken_down: TakenDown,
    thread: &DirectThread,
    id: GameId,
    seated: &[(usize, &Entrant)],
    times: &mut [DecisionTimes],
) -> Result<TournamentGame, GameError> {
    match rules {
        GameRules::Riichi(rules) => {
            play_counted::<RiichiGame>(thread, rules, taken_down, id, seated, times)
        }
        GameRules::Mcr(rules) => {
            play_counted::<McrGame>(thread, rules, taken_down, id, seated, times)
        }
        GameRules::DouDizhu(rules) => {
            play_counted::<DouDizhuGame>(thread, rules, taken_down, id, seated, times)
        }
    }
}

/// Plays a game on this thread. `seated` has the number and the entrant of each seat; `times`
/// receives the times of decisions, by entrant.
///
/// # Errors
///
/// If it cannot be finished.
pub fn play_counted<G: LabGame>(
    thread: &DirectThread,
    rules: G::Rules,
    taken_down: TakenDown,
    id: GameId,
    seated: &[(usize, &Entrant)],
    times: &mut [DecisionTimes],
) -> Result<TournamentGame, GameError> {
    let mut counter = SeatCounter::new(G::seat_count(&rules) as u8);
    let mut timed = None;
    let players = seated
        .iter()
        .map(|(_, entrant)| SeatPlayer::Bot(thread, entrant));
    let mut luck = taken_down
        .luck
        .then(|| WeightedLuck::<G>::new(&rules))
        .flatten();
    let mut writer = taken_down.records.then(TranscriptWriter::new::<G>);
    let played = play::<G>(rules, id, players, |news| {
        match &news {
            GameNews::Happened(event, after) => {
                G::count(&mut counter, event, after.tables);
                if let Some(luck) = &mut luck {
                    luck.heard(event, after.tables);
                }
            }
            // With a limit the decision runs on another thread.
            &GameNews::Asked { seat, decision } if seated[seat].1.limit.is_none() => {
                timed = TimedDecision::begin(decision)
            }
            GameNews::Decided(decision) => {
                if let Some(timed) = timed.take() {
                    times[seated[decision.seat].0].record(timed.took());
                }
            }
            GameNews::Dealt(deals) => {
                if let Some(luck) = &mut luck {
                    luck.dealt(deals);
                }
            }
            GameNews::Asked { .. } => {}
        }
        if let Some(writer) = &mut writer {
            writer.hear(&news);
        }
    })?;
    Ok(TournamentGame {
        seats: counts_of(counter, &played),
        luck: luck.map(|luck| luck.of_seats()).unwrap_or_default(),
        transcript: writer.map(|writer| writer.ended::<G>(&played.end)),
        end: played.end,
        first_fault: played.first_fault,
    })
}

/// What happened to each seat in a game that has ended.
pub fn counts_of(
    mut counter: SeatCounter,
    PlayedGame { end, seats, .. }: &PlayedGame,
) -> Vec<SeatCounts> {
    let winners = end.winners();
    for (index, (_, counts)) in counter.seats.iter_mut().enumerate() {
        if end.outcome.is_some() {
            // A game with one win counts as one round, and its places add nothing to its points.
            (counts.rounds, counts.wins) = (1, u64::from(winners.contains(&index)));
        } else if let Some(times) = counts.places.get_mut(usize::from(end.places[index]) - 1) {
            *times += 1;
        }
        // The points of Dou Dizhu with bidding are whole numbers too.
        counts.points = end.scores[index] as i64;
        let SeatAnswers {
            decisions,
            illegal,
            failed,
            late,
        } = seats[index];
        (counts.decisions, counts.illegal, counts.failed, counts.late) =
            (decisions, illegal, failed, late);
    }
    counter.seats.as_slice().to_vec()
}
