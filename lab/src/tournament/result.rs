//! The results of a tournament, in a form that depends on its plan and configs alone.

use serde::Serialize;

use super::clear::{ERROR_RATE, TEST, Verdict};
use super::counts::SeatCounts;
use super::run::{Plan, PlayedWalls, WallResult};
use super::seating::Format;
use super::statistics::{Estimate, estimate};

/// How a tournament ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// All games were played.
    Complete,
    /// It had become clear which config is best.
    Clear,
    /// It was stopped.
    Interrupted,
}

/// Who competed.
#[derive(Debug, Clone, Serialize)]
pub struct Competitor {
    /// The bot's name.
    pub name: String,
    /// Its config.
    pub config: String,
    /// The policy's id.
    pub policy: String,
    /// The policy's version.
    pub version: String,
}

/// A mean over walls.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct PlaceEstimate {
    /// The average place.
    pub mean: f64,
    /// Its standard error over walls; none for a single wall.
    pub standard_error: Option<f64>,
    /// The 95 % interval by Student's t; none for a single wall.
    pub interval: Option<[f64; 2]>,
}

/// What one config made of all its games. Rates are shares of its rounds.
#[derive(Debug, Clone, Serialize)]
pub struct EntrantResult {
    /// Who.
    #[serde(flatten)]
    pub who: Competitor,
    /// Games played, counted once for each of its seats.
    pub seats: u64,
    /// Average place.
    pub place: PlaceEstimate,
    /// Share of first, second, third and fourth places.
    pub places: [f64; 4],
    /// Average points at the end of a game.
    pub points: f64,
    /// Rounds played, counted once for each of its seats.
    pub rounds: u64,
    /// Rounds won.
    pub win_rate: f64,
    /// Rounds in which it dealt in.
    pub deal_in_rate: f64,
    /// Rounds in which its riichi was accepted.
    pub riichi_rate: f64,
    /// Rounds in which it called a tile.
    pub call_rate: f64,
    /// Average gain of a win, honba and riichi sticks included; none without a win.
    pub average_win: Option<f64>,
    /// Average loss of a round in which it dealt in, honba included; none without one.
    pub average_loss: Option<f64>,
    /// Decisions it was asked for.
    pub decisions: u64,
    /// Decisions that failed: a panic, an error, or an action that is not legal.
    pub illegal: u64,
    /// What was wrong with the first of them.
    pub first_fault: Option<String>,
}

/// The sequential test, where it was watched.
#[derive(Debug, Clone, Serialize)]
pub struct TestResult {
    /// Which test it is.
    pub test: &'static str,
    /// The chance that it ever names a config that is not the best.
    pub error_rate: f64,
    /// The name of the best config, if that became clear.
    pub best: Option<String>,
}

/// The results of a tournament.
#[derive(Debug, Clone, Serialize)]
pub struct TournamentResult {
    /// The seed.
    pub seed: u64,
    /// Walls that count.
    pub walls: u64,
    /// Games on them.
    pub games: u64,
    /// Why there are no more.
    pub ended: Ended,
    /// The sequential test.
    pub until_clear: Option<TestResult>,
    /// The configs in their order.
    pub entrants: Vec<EntrantResult>,
}

impl TournamentResult {
    /// The results of what was played; `None` when not even one wall is complete.
    #[must_use]
    pub fn of(plan: &Plan, played: &PlayedWalls, competitors: Vec<Competitor>) -> Option<Self> {
        let blocks = &played.blocks;
        let ended = match played.verdict {
            Some(_) => Ended::Clear,
            None if (blocks.len() as u64) < plan.walls => Ended::Interrupted,
            None => Ended::Complete,
        };
        let best = played.verdict.map(|Verdict { best, .. }| competitors[best].name.clone());
        let entrants = competitors.into_iter().enumerate().map(|(index, who)| EntrantResult::of(index, who, blocks));
        Some(Self {
            seed: plan.seed,
            walls: blocks.len() as u64,
            games: (blocks.len() * plan.format.seatings().len()) as u64,
            ended,
            until_clear: plan.until_clear.then_some(TestResult { test: TEST, error_rate: ERROR_RATE, best }),
            entrants: entrants.collect::<Option<_>>()?,
        })
    }

    /// The config that the interval of its average place shows to be the better one, of two: its upper end is below 2.5.
    #[must_use]
    pub fn better_of_two(&self) -> Option<&EntrantResult> {
        let two = self.entrants.len() == Format::TwoAgainstTwo.entrants();
        self.entrants.iter().find(|entrant| two && entrant.place.interval.is_some_and(|[_, high]| high < 2.5))
    }
}

impl EntrantResult {
    fn of(index: usize, who: Competitor, blocks: &[WallResult]) -> Option<Self> {
        let places: Vec<f64> = blocks.iter().map(|block| block.mean_places()[index]).collect();
        let Estimate { mean, spread } = estimate(&places)?;
        let mut counts = SeatCounts::default();
        for block in blocks {
            counts.add(&block.counts[index]);
        }
        let fault = blocks.iter().filter_map(|block| block.first_fault.as_ref()).find(|(config, _)| *config == index);
        let per_round = |count: u64| count as f64 / counts.rounds as f64;
        let average = |sum: i64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        Some(Self {
            who,
            seats: counts.seats,
            place: PlaceEstimate {
                mean,
                standard_error: spread.map(|spread| spread.standard_error),
                interval: spread.map(|spread| [spread.low, spread.high]),
            },
            places: counts.places.map(|times| times as f64 / counts.seats as f64),
            points: counts.points as f64 / counts.seats as f64,
            rounds: counts.rounds,
            win_rate: per_round(counts.wins),
            deal_in_rate: per_round(counts.deal_ins),
            riichi_rate: per_round(counts.riichi),
            call_rate: per_round(counts.called),
            average_win: average(counts.won, counts.wins),
            average_loss: average(counts.lost, counts.deal_ins),
            decisions: counts.decisions,
            illegal: counts.illegal,
            first_fault: fault.map(|(_, what)| what.clone()),
        })
    }
}
