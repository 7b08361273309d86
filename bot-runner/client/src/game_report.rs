//! The outcome of a game.

use lab_stats::SeatCounter;
use policy_host::{GameKind, Measure};
use riichi::{PerSeat, Seat};

use crate::session::GameState;

/// A game from one bot's seat.
#[derive(Debug, Clone)]
pub struct GameReport {
    pub game: GameKind,
    pub seat: Seat,
    /// Final score of each seat, in the game's units.
    pub scores: PerSeat<i32>,
    /// Its place, from 1.
    pub place: u8,
    pub rounds: u32,
}

impl GameReport {
    /// The report of a game that has ended; `None` if the seat never became known, or there was no
    /// deal.
    pub fn of(game: &GameState, counts: &SeatCounter) -> Option<Self> {
        let seat = game.table()?.seat();
        let (scores, rounds) = (*game.final_scores()?, counts.rounds());
        let report = Self {
            game: GameKind::Riichi,
            seat,
            scores,
            place: scores.place(seat),
            rounds,
        };
        (rounds > 0).then_some(report)
    }

    /// The report of a game from the scores of all seats, in points, if nothing else is known;
    /// `None` if the game has no such seats.
    pub fn of_scores(game: GameKind, seat: usize, scores: &[f64]) -> Option<Self> {
        scores.get(seat)?;
        let units: Vec<i32> = scores
            .iter()
            .map(|score| (score * f64::from(game.score_units())).round() as i32)
            .collect();
        Some(Self {
            game,
            seat: Seat::at(seat)?,
            scores: PerSeat::from_slice(&units)?,
            place: game.measure().place(scores, seat),
            rounds: 1,
        })
    }

    /// The bot's points, if games are compared by them.
    pub fn points(&self) -> Option<f64> {
        let points = f64::from(self.scores[self.seat]) / f64::from(self.game.score_units());
        (self.game.measure() != Measure::Places).then_some(points)
    }
}
