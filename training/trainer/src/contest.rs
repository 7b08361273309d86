//! Matches that decide whether weights are better, on fresh walls, until it is clear.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, anyhow};
use lab::game::{Entrant, NamedGame};
use lab::part::Shard;
use lab::tournament::{Clear, Format, Plan, Schedule, TakenDown, UntilClear, Walls, run};
use lab_stats::{Estimate, estimate};
use policy_host::{
    ChosenPolicy, Launch, Library, LibraryChoice, Measure, PolicyConfig, StartOptions,
};
use policy_sdk::Policy;
use riichi::WholeGame;

use crate::games::{RulesOf, TrainedGame};

/// The result of a match.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct ContestResult {
    pub(crate) against: String,
    pub(crate) seed: u64,
    pub(crate) games: u64,
    /// The average place of the challenger, or its average points.
    pub(crate) mean: f64,
    /// Its standard error.
    pub(crate) error: f64,
    /// The verdict of the sequential test: the challenger is better, worse, or neither by much.
    pub(crate) verdict: &'static str,
}

/// A 95 % interval reaches this many standard errors from its middle.
const INTERVAL: f64 = 1.96;

/// The 95 % interval of an average with this standard error.
pub(crate) fn interval(mean: f64, error: f64) -> [f64; 2] {
    [mean - INTERVAL * error, mean + INTERVAL * error]
}

/// The mean that equal contestants have.
pub(crate) fn parity<G: TrainedGame>(players: u8) -> f64 {
    match G::Game::KIND.measure() {
        Measure::Places => f64::from(players + 1) / 2.0,
        Measure::Points { .. } => 0.0,
    }
}

/// An opponent of a challenger.
#[derive(Debug, Clone)]
pub(crate) enum Contestant {
    /// The learned policy with the file of weights accepted last.
    Latest(PathBuf),
    /// The same with the weights of this earlier generation.
    Older(u32, PathBuf),
    /// The policy without weights, which is generation 0.
    Teacher,
}

impl Contestant {
    /// Its name in the log.
    fn name<G: TrainedGame>(&self) -> String {
        match self {
            Self::Latest(_) => "the weights before".to_owned(),
            Self::Older(generation, _) => format!("generation {generation}"),
            Self::Teacher => G::Teacher::DESCRIPTOR.id.to_owned(),
        }
    }

    fn entrant<G: TrainedGame>(&self, players: u8) -> Result<Entrant> {
        match self {
            Self::Latest(weights) | Self::Older(_, weights) => {
                learned_entrant::<G>(weights, players)
            }
            Self::Teacher => Ok(entrant_of::<G>(ChosenPolicy::of::<G::Teacher>(), players)),
        }
    }
}

/// The settings of a match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContestPlan<R> {
    pub(crate) rules: R,
    pub(crate) seed: u64,
    pub(crate) max_games: u64,
    pub(crate) jobs: NonZeroUsize,
}

/// Plays a match of a challenger, which is a file of weights, against a contestant.
pub(crate) fn contest<G: TrainedGame>(
    challenger: &Path,
    other: &Contestant,
    plan: ContestPlan<RulesOf<G>>,
) -> Result<ContestResult> {
    let (game, players) = (G::Game::KIND, G::Game::seat_count(&plan.rules) as u8);
    let entrants = [
        learned_entrant::<G>(challenger, players)?,
        other.entrant::<G>(players)?,
    ];
    let schedule = Schedule::new(game, Format::of(game, 2, players), 2, players)?;
    let walls = schedule.walls(plan.max_games);
    let tournament = Plan {
        seed: plan.seed,
        schedule: schedule.clone(),
        walls,
        shard: Shard::WHOLE,
        rules: G::game_rules(plan.rules),
        jobs: plan.jobs,
        until_clear: Some(UntilClear { by: None }),
        sprt: None,
        taken_down: TakenDown::default(),
    };
    let played = run(
        &entrants,
        &tournament,
        Walls::new(),
        &AtomicBool::new(false),
        |_| {},
    )?;
    let means: Vec<f64> = played
        .walls
        .values()
        .map(|wall| wall.counts[0].mean(game.measure()))
        .collect();
    let Estimate { mean, spread } =
        estimate(&means).ok_or_else(|| anyhow!("no wall was played"))?;
    Ok(ContestResult {
        against: other.name::<G>(),
        seed: plan.seed,
        games: means.len() as u64 * schedule.seatings().len() as u64,
        mean,
        error: spread.map_or(f64::INFINITY, |spread| spread.standard_error),
        verdict: match played.verdict.map(|verdict| verdict.clear) {
            Some(Clear::Best(0)) => "better",
            Some(Clear::Best(_)) => "worse",
            _ => "not clear",
        },
    })
}

fn learned_entrant<G: TrainedGame>(weights: &Path, players: u8) -> Result<Entrant> {
    let mut section = PolicyConfig::of(
        LibraryChoice::Builtin,
        Some(G::Learned::DESCRIPTOR.id.to_owned()),
    );
    let weights = weights
        .to_str()
        .ok_or_else(|| anyhow!("{}: the path is not UTF-8", weights.display()))?;
    section.params.insert(
        "weights".to_owned(),
        toml::Value::String(weights.to_owned()),
    );
    let policy = ChosenPolicy::choose(
        Library::of::<G::Learned>(),
        &section,
        &start_options::<G>(players),
    )
    .map_err(|problems| {
        anyhow!(
            "{}",
            problems
                .iter()
                .map(|problem| problem.message.as_str())
                .collect::<Vec<_>>()
                .join("; ")
        )
    })?;
    Ok(entrant_of::<G>(policy, players))
}

/// An entrant with this policy and ample time for every decision.
pub(crate) fn entrant_of<G: TrainedGame>(policy: ChosenPolicy, players: u8) -> Entrant {
    Entrant {
        policy,
        options: start_options::<G>(players),
        budget: Duration::from_secs(60),
        limit: None,
    }
}

fn start_options<G: TrainedGame>(players: u8) -> StartOptions {
    StartOptions {
        bot: "trainer".to_owned(),
        game: G::Game::KIND,
        players,
        config_folder: PathBuf::new(),
        launch: Launch::own(Vec::new()),
    }
}
