//! The calculation of a decision: simulations are distributed among its candidates.

use arrayvec::ArrayVec;
use riichi::action::MAX_ACTIONS;
use riichi::game::{RiichiGame, SetupError};
use riichi::rng::Rng;
use riichi::{Action, MAX_PLAYERS, PerSeat, Seat, Table};

use crate::fast_policy::FastPolicy;
use crate::places::FinalPlaces;
use crate::round::{RoundOutcome, play_round};
use crate::stakes::Stakes;
use crate::tally::{ActionFigures, Outcome, Tally};

/// Number of random continuations of the game for each way in which a round may end.
const PLACE_DRAWS: u32 = 64;
/// The number of worlds of usual variance added to the simulated ones.
const USUAL_WORLDS: f64 = 100.0;
/// The usual standard deviation of the difference between two actions in a world, in places. Measured: 0.15 to 0.25.
const USUAL_DEVIATION: f64 = 0.25;
/// The approximate value of a place in points.
const POINTS_A_PLACE: f64 = 20_000.0;
/// Number of worlds after which candidates that cannot be best any more are dropped.
const WORLDS_A_LOOK: u64 = 32;
/// Maximum number of deals until one fits: a seat in riichi, for instance, must have a tile that it may discard.
const MAX_DEALS: usize = 100;

/// The goal of a decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The lowest expected place.
    Place,
    /// The most points in this round.
    Points,
    /// The value of each place, first to last; with three players the value of fourth place is unused.
    Places([f64; MAX_PLAYERS]),
}

impl Goal {
    /// The approximate value of a place in units of the goal.
    #[must_use]
    pub fn places_in_its_units(self) -> f64 {
        match self {
            Self::Place => 1.0,
            Self::Points => POINTS_A_PLACE,
            Self::Places([first, .., last]) => (first - last).abs() / 3.0,
        }
    }

    /// The value of an outcome; higher is better.
    fn value(self, outcome: &Outcome) -> f64 {
        let weighed =
            |worth: [f64; MAX_PLAYERS]| worth.iter().zip(outcome.places).map(|(worth, chance)| worth * chance).sum();
        match self {
            Self::Place => weighed([-1.0, -2.0, -3.0, -4.0]),
            Self::Points => outcome.points,
            Self::Places(worth) => weighed(worth),
        }
    }
}

/// Estimates of the candidates before any simulation.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'a> {
    /// The value of each candidate, in units of the goal.
    pub values: &'a [f64],
    /// The standard deviation of the error of a difference between two of them.
    pub deviation: f64,
}

/// The reason why nothing can be calculated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CalculationError {
    /// The seat has nothing to decide.
    #[error("seat {0} has nothing to decide at this moment")]
    NothingToDecide(Seat),
    /// A candidate that is not legal.
    #[error("{0:?} is not legal at this moment")]
    NotLegal(Action),
    /// No hidden tiles fit.
    #[error("no hidden tiles were found that agree with the table: {0}")]
    NoWorld(SetupError),
}

/// A decision with the results of its simulations.
#[derive(Debug)]
pub struct Calculation<'a> {
    table: &'a Table,
    goal: Goal,
    prior: Option<Prior<'a>>,
    candidates: ArrayVec<CandidateState, MAX_ACTIONS>,
    /// Sums of products of the values of each two candidates, over the worlds that both were played on.
    products: Vec<f64>,
    stakes: Stakes,
    places: FinalPlaces,
    policy: &'static FastPolicy,
    seed: u64,
    /// The acceptable cost of dropping a candidate too early, in units of the goal.
    tolerance: f64,
    worlds: u64,
    simulations: u64,
}

#[derive(Debug, Clone)]
struct CandidateState {
    action: Action,
    tally: Tally,
    /// Sum of its values.
    sum: f64,
    active: bool,
    /// Its estimated distance from the best when it was dropped.
    behind: f64,
}

/// A candidate and its result.
#[derive(Debug, Clone)]
pub struct ActionEstimate {
    pub action: Action,
    /// Its result.
    pub figures: ActionFigures,
}

impl<'a> Calculation<'a> {
    /// For the current decision of the table's seat between these candidates; the same seed gives the same figures.
    ///
    /// # Errors
    ///
    /// If a candidate is not legal.
    pub fn new(
        table: &'a Table,
        candidates: &[Action],
        goal: Goal,
        prior: Option<Prior<'a>>,
        seed: u64,
    ) -> Result<Self, CalculationError> {
        let legal = table.legal_actions();
        if candidates.is_empty() {
            return Err(CalculationError::NothingToDecide(table.seat()));
        }
        if let Some(&action) = candidates.iter().find(|action| !legal.contains(action)) {
            return Err(CalculationError::NotLegal(action));
        }
        let candidate =
            |&action| CandidateState { action, tally: Tally::default(), sum: 0.0, active: true, behind: 0.0 };
        Ok(Self {
            table,
            goal,
            prior,
            candidates: candidates.iter().map(candidate).collect(),
            products: vec![0.0; candidates.len() * candidates.len()],
            stakes: stakes_of_table(table, goal),
            places: FinalPlaces::new(table.rules(), table.seat(), seed),
            tolerance: 0.0,
            policy: FastPolicy::shared(table.rules().players),
            seed,
            worlds: 0,
            simulations: 0,
        })
    }

    /// Number of simulations so far, over all candidates.
    #[must_use]
    pub const fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Candidates that are still simulated.
    #[must_use]
    pub fn active(&self) -> usize {
        self.candidates.iter().filter(|candidate| candidate.active).count()
    }

    /// Simulates until `used` reports that the budget is spent: 0 at the start, 1 at the end. It is asked before each
    /// world. The worlds are dealt by `deal`, as the table shows them to the seat. After each of several equal shares
    /// of the budget the worse half of the candidates is left out, until two are left.
    ///
    /// # Errors
    ///
    /// If no world can be dealt.
    pub fn run(
        &mut self,
        mut deal: impl FnMut(&mut Rng) -> Result<RiichiGame, SetupError>,
        mut used: impl FnMut(&Self) -> f64,
    ) -> Result<(), CalculationError> {
        let stages = f64::from((self.candidates.len() as u32).next_power_of_two().trailing_zeros().max(1));
        let mut stage = 1.0;
        if self.tolerance > 0.0 {
            // The prior estimates may already decide.
            self.leave_out_hopeless();
            if self.active() < 2 {
                return Ok(());
            }
        }
        loop {
            let part = used(self);
            if part >= 1.0 {
                return Ok(());
            }
            while part * stages >= stage {
                self.halve();
                stage += 1.0;
            }
            self.simulate(&mut deal)?;
            if self.tolerance > 0.0 && self.worlds.is_multiple_of(WORLDS_A_LOOK) {
                self.leave_out_hopeless();
                if self.active() < 2 {
                    return Ok(());
                }
            }
        }
    }

    /// Plays the candidates in one more world.
    fn simulate(
        &mut self,
        deal: &mut impl FnMut(&mut Rng) -> Result<RiichiGame, SetupError>,
    ) -> Result<(), CalculationError> {
        let mut rng = Rng::keyed(&[self.seed, self.worlds]);
        let mut dealt = Err(CalculationError::NothingToDecide(self.table.seat()));
        for _ in 0..MAX_DEALS {
            dealt = deal(&mut rng).map_err(CalculationError::NoWorld);
            if dealt.is_ok() {
                break;
            }
        }
        let game = dealt?;
        let mut values: ArrayVec<(usize, f64), MAX_ACTIONS> = ArrayVec::new();
        for index in 0..self.candidates.len() {
            if !self.candidates[index].active {
                continue;
            }
            let outcome = self.play(game.clone(), self.candidates[index].action);
            let value = self.goal.value(&outcome);
            let candidate = &mut self.candidates[index];
            candidate.tally.add(&outcome);
            candidate.sum += value;
            values.push((index, value));
        }
        for &(one, first) in &values {
            for &(other, second) in &values {
                self.products[one * self.candidates.len() + other] += first * second;
            }
        }
        self.worlds += 1;
        self.simulations += values.len() as u64;
        Ok(())
    }

    /// Plays one candidate to the end.
    fn play(&mut self, mut game: RiichiGame, action: Action) -> Outcome {
        let own = self.table.seat();
        for seat in game.asked() {
            let answer = if seat == own { action } else { self.policy.decide(&game, seat, &self.stakes) };
            game.answer(seat, answer).expect("the candidate and the policy's choices are legal");
        }
        let end = play_round(&mut game, self.policy, &self.stakes);
        let before = self.table.scores()[own];
        let places = self.places.chances(&game, PLACE_DRAWS);
        outcome_of(&game, own, before, &end, places)
    }

    /// Drops the worse half, keeping at least two.
    fn halve(&mut self) {
        let mut order: ArrayVec<usize, MAX_ACTIONS> =
            (0..self.candidates.len()).filter(|&index| self.candidates[index].active).collect();
        let keep = order.len().div_ceil(2).max(2);
        let anchor = order[0];
        order.sort_by(|&a, &b| self.gain(b, anchor).total_cmp(&self.gain(a, anchor)));
        let best = order[0];
        for &index in order.iter().skip(keep) {
            self.leave_out(index, best);
        }
    }

    /// Drops the candidates that are unlikely to be the best.
    fn leave_out_hopeless(&mut self) {
        let best = self.best();
        for index in 0..self.candidates.len() {
            if index != best && self.candidates[index].active && self.expected_loss(index, best) < self.tolerance {
                self.leave_out(index, best);
            }
        }
    }

    fn leave_out(&mut self, index: usize, best: usize) {
        self.candidates[index].behind = self.gain(best, index).max(0.0);
        self.candidates[index].active = false;
    }

    /// The average loss of taking `best` when `other` may be better.
    fn expected_loss(&self, other: usize, best: usize) -> f64 {
        let (lead, error) = (self.gain(best, other), self.difference(best, other).1);
        let precision = 1.0 / (error * error).max(1e-12)
            + self.prior.map_or(0.0, |prior| 1.0 / (prior.deviation * prior.deviation));
        let deviation = precision.sqrt().recip();
        let z = lead / deviation;
        deviation * ((-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() - z * upper_tail(z))
    }

    /// The estimated distance of a candidate from the best; 0 for the best.
    #[must_use]
    pub fn behind(&self, index: usize) -> f64 {
        if self.candidates[index].active {
            self.gain(self.best(), index).max(0.0)
        } else {
            self.candidates[index].behind
        }
    }

    /// Drops a candidate once choosing it could gain less than this on average, in units of the goal; the calculation
    /// ends when one is left. Without a tolerance the whole budget is used.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// By how much one candidate is better than another in the simulations that both were in, with its standard error.
    ///
    /// The difference between two actions often comes from a rare event, such as a deal-in, and until it has occurred
    /// the values hardly vary. So the variance is computed as if [`USUAL_WORLDS`] worlds of usual variance had been
    /// simulated too.
    #[must_use]
    pub fn difference(&self, one: usize, other: usize) -> (f64, f64) {
        let (a, b) = (&self.candidates[one], &self.candidates[other]);
        let (first, second) = (a.tally.number as f64, b.tally.number as f64);
        if one == other || first.min(second) < 2.0 {
            return (0.0, if one == other { 0.0 } else { f64::INFINITY });
        }
        let product = |i: usize, j: usize| self.products[i * self.candidates.len() + j];
        let usual = USUAL_WORLDS * (USUAL_DEVIATION * self.goal.places_in_its_units()).powi(2);
        let error_squared =
            |squares: f64, mean: f64, n: f64| ((squares - n * mean * mean).max(0.0) + usual) / (n + USUAL_WORLDS) / n;
        let difference = a.sum / first - b.sum / second;
        let variance = if first == second {
            let squares = product(one, one) + product(other, other) - 2.0 * product(one, other);
            error_squared(squares, difference, first)
        } else {
            // One was dropped earlier: they are treated as independent, which overestimates the error.
            error_squared(product(one, one), a.sum / first, first)
                + error_squared(product(other, other), b.sum / second, second)
        };
        (difference, variance.sqrt())
    }

    /// The estimated advantage of one candidate over another, from simulations and prior estimates.
    #[must_use]
    pub fn gain(&self, one: usize, other: usize) -> f64 {
        let (difference, error) = self.difference(one, other);
        let Some(prior) = self.prior else { return difference };
        let before = prior.values[one] - prior.values[other];
        if one == other {
            return 0.0;
        }
        if error.is_infinite() {
            return before;
        }
        let (weight, prior_weight) = (1.0 / (error * error).max(1e-12), 1.0 / (prior.deviation * prior.deviation));
        (difference * weight + before * prior_weight) / (weight + prior_weight)
    }

    /// The index of the candidate with the best estimate.
    #[must_use]
    pub fn best(&self) -> usize {
        let active = || (0..self.candidates.len()).filter(|&index| self.candidates[index].active);
        let anchor = active().next().unwrap_or(0);
        active().max_by(|&a, &b| self.gain(a, anchor).total_cmp(&self.gain(b, anchor))).unwrap_or(anchor)
    }

    /// The indices of the candidates: the best, then the others by their results. A dropped candidate comes after the
    /// best even if its few simulations went better.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let best = self.best();
        let mean = |index: usize| self.candidates[index].sum / (self.candidates[index].tally.number as f64).max(1.0);
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|&a, &b| (b == best).cmp(&(a == best)).then(mean(b).total_cmp(&mean(a))));
        order
    }

    /// The results of the candidates, in the given order.
    #[must_use]
    pub fn estimates(&self) -> Vec<ActionEstimate> {
        let estimate = |candidate: &CandidateState| ActionEstimate {
            action: candidate.action,
            figures: candidate.tally.figures(self.table.rules().players),
        };
        self.candidates.iter().map(estimate).collect()
    }
}

/// The chance that a normal variable is above `z` deviations; an error of 1e-7 at most (Abramowitz and Stegun,
/// 26.2.17).
fn upper_tail(z: f64) -> f64 {
    if z < 0.0 {
        return 1.0 - upper_tail(-z);
    }
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let series =
        t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * series
}

fn stakes_of_table(table: &Table, goal: Goal) -> Stakes {
    let round = riichi::game::RoundId { bakaze: table.bakaze(), oya: table.oya(), honba: table.honba() };
    Stakes::new(table.scores(), table.rules(), round, goal != Goal::Points)
}

fn outcome_of(game: &RiichiGame, own: Seat, before: i32, end: &RoundOutcome, places: [f64; MAX_PLAYERS]) -> Outcome {
    let won_from = end.won_from[own];
    let others_win: PerSeat<bool> =
        PerSeat::from_fn(game.rules().players, |seat| end.won_from[seat] == Some(own) && seat != own);
    Outcome {
        win: won_from.is_some(),
        tsumo: won_from == Some(own),
        deal_in: others_win.iter().find(|(_, wins)| **wins).map(|(seat, _)| seat),
        draw: end.won_from.iter().all(|(_, from)| from.is_none()),
        tenpai: end.tenpai.is_some_and(|tenpai| tenpai[own]),
        points: f64::from(game.scores()[own] - before),
        places,
    }
}
