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
/// Maximum number of deals until one fits: a seat in riichi, for instance, must have a tile that it
/// may discard.
const MAX_DEALS: usize = 100;

/// The reason why nothing can be calculated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CalculationError {
    #[error("seat {0} has nothing to decide at this moment")]
    NothingToDecide(Seat),
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
    candidates: ArrayVec<CandidateState, MAX_ACTIONS>,
    stakes: Stakes,
    places: FinalPlaces,
    policy: &'static FastPolicy,
    seed: u64,
    worlds: u64,
    simulations: u64,
}

#[derive(Debug, Clone)]
struct CandidateState {
    action: Action,
    tally: Tally,
    active: bool,
}

/// A candidate and its result.
#[derive(Debug, Clone)]
pub struct ActionEstimate {
    pub action: Action,
    pub figures: ActionFigures,
}

impl<'a> Calculation<'a> {
    /// For the current decision of the table's seat between these candidates; the same seed gives
    /// the same figures.
    ///
    /// # Errors
    ///
    /// If a candidate is not legal.
    pub fn new(
        table: &'a Table,
        candidates: &[Action],
        seed: u64,
    ) -> Result<Self, CalculationError> {
        let legal = table.legal_actions();
        if candidates.is_empty() {
            return Err(CalculationError::NothingToDecide(table.seat()));
        }
        if let Some(&action) = candidates.iter().find(|action| !legal.contains(action)) {
            return Err(CalculationError::NotLegal(action));
        }
        let candidate = |&action| CandidateState {
            action,
            tally: Tally::default(),
            active: true,
        };
        Ok(Self {
            table,
            candidates: candidates.iter().map(candidate).collect(),
            stakes: stakes_of_table(table),
            places: FinalPlaces::new(table.rules(), table.seat(), seed),
            policy: FastPolicy::shared(table.rules().players),
            seed,
            worlds: 0,
            simulations: 0,
        })
    }

    /// Number of simulations so far, over all candidates.
    pub const fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Candidates that are still simulated.
    pub fn active(&self) -> usize {
        self.candidates
            .iter()
            .filter(|candidate| candidate.active)
            .count()
    }

    /// Simulates until `used` reports that the budget is spent: 0 at the start, 1 at the end. It is
    /// asked before each world. The worlds are dealt by `deal`, as the table shows them to the
    /// seat. After each of several equal shares of the budget the worse half of the candidates is
    /// left out, until two are left.
    ///
    /// # Errors
    ///
    /// If no world can be dealt.
    pub fn run(
        &mut self,
        mut deal: impl FnMut(&mut Rng) -> Result<RiichiGame, SetupError>,
        mut used: impl FnMut(&Self) -> f64,
    ) -> Result<(), CalculationError> {
        let stages = f64::from(
            (self.candidates.len() as u32)
                .next_power_of_two()
                .trailing_zeros()
                .max(1),
        );
        let mut stage = 1.0;
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
        for index in 0..self.candidates.len() {
            if !self.candidates[index].active {
                continue;
            }
            let outcome = self.play(game.clone(), self.candidates[index].action);
            self.candidates[index].tally.add(&outcome);
            self.simulations += 1;
        }
        self.worlds += 1;
        Ok(())
    }

    /// Plays one candidate to the end.
    fn play(&mut self, mut game: RiichiGame, action: Action) -> Outcome {
        let own = self.table.seat();
        for seat in game.asked() {
            let answer = if seat == own {
                action
            } else {
                self.policy.decide(&game, seat, &self.stakes)
            };
            game.answer(seat, answer)
                .expect("the candidate and the policy's choices are legal");
        }
        let end = play_round(&mut game, self.policy, &self.stakes);
        let before = self.table.scores()[own];
        let places = self.places.chances(&game, PLACE_DRAWS);
        outcome_of(&game, own, before, &end, places)
    }

    /// Drops the worse half, keeping at least two.
    fn halve(&mut self) {
        let mut active: Vec<_> = self
            .candidates
            .iter_mut()
            .filter(|candidate| candidate.active)
            .collect();
        active.sort_by(|one, other| {
            one.tally
                .place()
                .value
                .total_cmp(&other.tally.place().value)
        });
        let kept = active.len().div_ceil(2).max(2);
        active
            .into_iter()
            .skip(kept)
            .for_each(|candidate| candidate.active = false);
    }

    /// The results of the candidates, in the given order.
    pub fn estimates(&self) -> Vec<ActionEstimate> {
        let estimate = |candidate: &CandidateState| ActionEstimate {
            action: candidate.action,
            figures: candidate.tally.figures(self.table.rules().players),
        };
        self.candidates.iter().map(estimate).collect()
    }
}

fn stakes_of_table(table: &Table) -> Stakes {
    let round = riichi::game::RoundId {
        bakaze: table.bakaze(),
        oya: table.oya(),
        honba: table.honba(),
    };
    Stakes::new(table.scores(), table.rules(), round)
}

fn outcome_of(
    game: &RiichiGame,
    own: Seat,
    before: i32,
    end: &RoundOutcome,
    places: [f64; MAX_PLAYERS],
) -> Outcome {
    let won_from = end.won_from[own];
    let others_win: PerSeat<bool> = PerSeat::from_fn(game.rules().players, |seat| {
        end.won_from[seat] == Some(own) && seat != own
    });
    Outcome {
        win: won_from.is_some(),
        tsumo: won_from == Some(own),
        deal_in: others_win
            .iter()
            .find(|(_, wins)| **wins)
            .map(|(seat, _)| seat),
        draw: end.won_from.iter().all(|(_, from)| from.is_none()),
        tenpai: end.tenpai.is_some_and(|tenpai| tenpai[own]),
        points: f64::from(game.scores()[own] - before),
        places,
    }
}
