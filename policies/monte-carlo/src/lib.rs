//! monte-carlo: the policy that plays out what it is not sure of.
//!
//! It asks [`defensive_fold`] first. If its choice is clear, it does the same. If discards against a threat are close,
//! it plays each of them to the end of the round many times with the [`calculator`], on the same hidden tiles, and
//! takes the best according to both: a simulated difference counts by its standard error, an estimated one by the
//! measured error of estimates. It simulates no other decisions, which was measured to bring no gain, or a loss
//! (docs/experiments/monte-carlo.md), unless the goal is not places: then it simulates all close decisions.
//!
//! It thinks on the host's thread for it, until `simulations` are played or the time of the decision is nearly up. With
//! `simulations` at 0 it is the analytic policy. With enough time the same game gives the same decisions.
#![forbid(unsafe_code)]

mod goal;
#[cfg(test)]
mod tests;

use std::time::Instant;

use calculator::{Calculation, CalculationError, Goal, Prior};
use defensive_fold::DefensiveFold;
use policy_sdk::{
    Advice, Answer, CreateError, DecideError, Descriptor, Env, Games, Level, Param, Params, Player, Policy, View, abi,
};
use riichi::belief::Belief;
use riichi::game::RiichiGame;
use riichi::rules::Length;
use riichi::{Action, Table, Wind};

/// The entry of the library, for the package that exports it and for hosts that have it built in.
pub static ENTRY: abi::Entry =
    policy_sdk::entry(concat!("monte-carlo ", env!("CARGO_PKG_VERSION")), &[policy_sdk::policy::<MonteCarlo>()]);

/// Places by which an action may be reckoned worse than the best and still be simulated.
const CLOSE: f32 = 0.1;
/// Maximum number of actions that are simulated.
const MAX_CANDIDATES: usize = 8;
/// The standard deviation, in places, of the error of a difference that was reckoned among discards against a threat.
/// Measured: docs/experiments/monte-carlo.md.
const DEVIATION: f64 = 0.008;
/// The same for another goal than places, which the estimates do not measure.
const DEVIATION_OF_OTHER_GOALS: f64 = 0.022;
/// From how many melds on another seat threatens, as a riichi does.
const THREATENING_MELDS: usize = 3;
/// Places that are not worth more simulations.
const TOLERANCE: f64 = 0.002;
/// A value from which an action is no choice among others.
const NO_CHOICE: f32 = 100.0;
/// The part of the time of a decision that is used. On a machine that has more to do than it can, a thread waits for a
/// part of a second.
const TIME_USED: f64 = 0.75;

/// The policy that plays out what it is not sure of.
#[derive(Debug)]
pub struct MonteCarlo {
    analytic: DefensiveFold,
    goal: Goal,
    simulations: u64,
}

impl Policy for MonteCarlo {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "monte-carlo",
        name: "Monte Carlo",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Decides like defensive-fold, and simulates discards against a threat that are close.",
        games: Games::Both,
        params: &{
            let [riichi, calls, kan, kyushu] = defensive_fold::PARAMS;
            [
                Param::integer(
                    "simulations",
                    3_000,
                    0,
                    10_000_000,
                    "Maximum number of simulations for a decision, all its actions together; 0: none.",
                ),
                goal::PARAM,
                riichi,
                calls,
                kan,
                kyushu,
            ]
        },
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        Ok(Self {
            analytic: DefensiveFold::create(params, env)?,
            goal: goal::read(params)?,
            simulations: params.integer("simulations")?.unsigned_abs(),
        })
    }

    fn decide(&mut self, view: &View<'_>, env: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
        let began = Instant::now();
        let advice = Advice::of(&mut self.analytic, view, env)?;
        for (index, value) in advice.values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            answer.value(index, *value);
        }
        let candidates = candidates(&advice);
        let actions: Vec<Action> = candidates.iter().map(|&index| view.legal()[index]).collect();
        if self.simulations == 0
            || actions.len() < 2
            || self.goal == Goal::Place && !is_worth_simulating(view, &actions)
        {
            answer.reason(format_args!("{}", advice.reason));
            return Ok(advice.index);
        }
        let Some(table) = view.table() else {
            answer.reason(format_args!("not simulated: {}", advice.reason));
            return Ok(advice.index);
        };
        let deviation = match self.goal {
            Goal::Place => DEVIATION,
            Goal::Points | Goal::Places(_) => DEVIATION_OF_OTHER_GOALS,
        };
        let time = view.time().budget.mul_f64(TIME_USED);
        let limits = DecisionLimits { simulations: self.simulations, until: began + time };
        let close =
            CloseDecision { table: &table, advice: &advice, candidates: &candidates, actions: &actions, deviation };
        match self.simulate(&close, &limits, view.rng().next_u64(), env, answer) {
            Ok(index) => Ok(index),
            Err(error) => {
                env.log(Level::Debug, &format!("not simulated: {error}"));
                answer.reason(format_args!("not simulated: {}", advice.reason));
                Ok(advice.index)
            }
        }
    }
}

/// A decision between actions that are close.
struct CloseDecision<'a> {
    table: &'a Table,
    advice: &'a Advice,
    /// Their indices in the legal list.
    candidates: &'a [usize],
    actions: &'a [Action],
    /// The possible error of the estimates, in places.
    deviation: f64,
}

/// When a decision has been simulated enough.
struct DecisionLimits {
    simulations: u64,
    until: Instant,
}

impl DecisionLimits {
    /// The used share of the budget.
    fn used(&self, began: Instant, simulations: u64) -> f64 {
        let time = (self.until - began).as_secs_f64().max(1e-9);
        let by_time = began.elapsed().as_secs_f64() / time;
        // With enough time only the number decides, so the result is reproducible.
        let by_number = simulations as f64 / self.simulations as f64;
        if by_time >= 1.0 { 1.0 } else { by_number.max(if by_time > by_number + 0.05 { by_time } else { 0.0 }) }
    }
}

impl MonteCarlo {
    fn simulate(
        &self,
        close: &CloseDecision<'_>,
        limits: &DecisionLimits,
        seed: u64,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, CalculationError> {
        let CloseDecision { table, advice, candidates, actions, deviation } = *close;
        let scale = self.goal.places_in_its_units();
        let reckoned: Vec<f64> = candidates.iter().map(|&index| scale * f64::from(advice.values[index])).collect();
        let prior = Prior { values: &reckoned, deviation: scale * deviation };
        let mut calculation =
            Calculation::new(table, actions, self.goal, Some(prior), seed)?.with_tolerance(scale * TOLERANCE);
        let began = Instant::now();
        let belief = Belief::of(table);
        calculation.run(
            |rng| RiichiGame::from_table(table, &belief.sample(rng)),
            |so_far| if env.still_wanted() { limits.used(began, so_far.simulations()) } else { 1.0 },
        )?;
        let best = calculation.best();
        for (place, &index) in candidates.iter().enumerate() {
            let value = reckoned[best] - calculation.behind(place);
            answer.value(index, (value / scale) as f32);
        }
        if calculation.simulations() == 0 {
            answer.reason(format_args!("{}", advice.reason));
            return Ok(candidates[best]);
        }
        let figures = &calculation.estimates()[best].figures;
        answer.reason(format_args!(
            "simulated {} times: wins {:.0} %, deals in {:.0} %, place {:.2}",
            calculation.simulations(),
            100.0 * figures.win.value,
            100.0 * figures.deal_in.value,
            figures.place.value,
        ));
        Ok(candidates[best])
    }
}

/// Whether simulations are worth their time: among discards that a player threatens, before the last round. Elsewhere
/// they were measured to bring nothing, or worse.
fn is_worth_simulating(view: &View<'_>, actions: &[Action]) -> bool {
    let threatens = |player: Player<'_>| player.riichi().is_some() || player.melds().len() >= THREATENING_MELDS;
    actions.iter().all(|action| matches!(action, Action::Dahai { .. }))
        && view.opponents().any(threatens)
        && !is_last_round(view)
}

/// Whether the game may end with the round.
fn is_last_round(view: &View<'_>) -> bool {
    let rules = view.rules();
    let last = match rules.length {
        Length::Single => return true,
        Length::East => Wind::East,
        Length::Half => Wind::South,
    };
    view.bakaze() > last || view.bakaze() == last && view.kyoku() >= rules.players
}

/// The indices of the actions that are close to the best, best first.
fn candidates(advice: &Advice) -> Vec<usize> {
    let value = |index: usize| advice.values.get(index).copied().filter(|value| !value.is_nan());
    let Some(best) = value(advice.index).filter(|&best| best < NO_CHOICE) else { return vec![advice.index] };
    let mut close: Vec<usize> =
        (0..advice.values.len()).filter(|&index| value(index).is_some_and(|value| value > best - CLOSE)).collect();
    // The choice of the analytic policy goes first, also before what it values as much.
    close.sort_by(|&a, &b| {
        advice.values[b].total_cmp(&advice.values[a]).then((b == advice.index).cmp(&(a == advice.index)))
    });
    close.truncate(MAX_CANDIDATES);
    close
}
