//! Matches that decide whether weights are better: two against two on fresh walls, until it is
//! clear.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, anyhow};
use lab::game::{Entrant, GameRules};
use lab::part::Shard;
use lab::tournament::{Clear, Format, Plan, Schedule, UntilClear, Walls, run};
use lab_stats::{Estimate, estimate};
use policy_host::{
    ChosenPolicy, GameKind, Launch, Library, LibraryChoice, Measure, PolicyConfig, StartOptions,
};
use riichi::Rules;

/// The result of a match.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct ContestResult {
    pub(crate) against: String,
    pub(crate) seed: u64,
    pub(crate) games: u64,
    /// The average place of the challenger.
    pub(crate) place: f64,
    /// Its standard error.
    pub(crate) error: f64,
    /// The verdict of the sequential test: the challenger is better, worse, or neither by much.
    pub(crate) verdict: &'static str,
}

/// A 95 % interval reaches this many standard errors from its middle.
const INTERVAL: f64 = 1.96;

/// The 95 % interval of an average place with this standard error.
pub(crate) fn interval(place: f64, error: f64) -> [f64; 2] {
    [place - INTERVAL * error, place + INTERVAL * error]
}

/// An opponent of a challenger.
#[derive(Debug, Clone)]
pub(crate) enum Contestant {
    /// `learned` with the file of weights accepted last.
    Latest(PathBuf),
    /// `learned` with the weights of this earlier generation.
    Older(u32, PathBuf),
    /// `defensive-fold`, which is generation 0.
    Teacher,
}

impl Contestant {
    /// Its name in the log.
    fn name(&self) -> String {
        match self {
            Self::Latest(_) => "the weights before".to_owned(),
            Self::Older(generation, _) => format!("generation {generation}"),
            Self::Teacher => "defensive-fold".to_owned(),
        }
    }

    fn entrant(&self, players: u8) -> Result<Entrant> {
        match self {
            Self::Latest(weights) | Self::Older(_, weights) => learned_entrant(weights, players),
            Self::Teacher => Ok(entrant_of(
                ChosenPolicy::of::<defensive_fold::DefensiveFold>(),
                players,
            )),
        }
    }
}

/// The settings of a match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContestPlan {
    pub(crate) rules: Rules,
    pub(crate) seed: u64,
    pub(crate) max_games: u64,
    pub(crate) jobs: NonZeroUsize,
}

/// Plays a match of a challenger, which is a file of weights, against a contestant.
pub(crate) fn contest(
    challenger: &Path,
    other: &Contestant,
    plan: ContestPlan,
) -> Result<ContestResult> {
    let players = plan.rules.players;
    let entrants = [
        learned_entrant(challenger, players)?,
        other.entrant(players)?,
    ];
    let schedule = Schedule::new(
        GameKind::Riichi,
        Format::of(GameKind::Riichi, 2, players),
        2,
        players,
    )?;
    let walls = schedule.walls(plan.max_games);
    let tournament = Plan {
        seed: plan.seed,
        schedule: schedule.clone(),
        walls,
        shard: Shard::WHOLE,
        rules: GameRules::Riichi(plan.rules),
        jobs: plan.jobs,
        until_clear: Some(UntilClear { by: None }),
        sprt: None,
    };
    let played = run(
        &entrants,
        &tournament,
        Walls::new(),
        &AtomicBool::new(false),
        |_| {},
    )?;
    let places: Vec<f64> = played
        .walls
        .values()
        .map(|wall| wall.counts[0].mean(Measure::Places))
        .collect();
    let Estimate { mean, spread } =
        estimate(&places).ok_or_else(|| anyhow!("no wall was played"))?;
    Ok(ContestResult {
        against: other.name(),
        seed: plan.seed,
        games: places.len() as u64 * schedule.seatings().len() as u64,
        place: mean,
        error: spread.map_or(f64::INFINITY, |spread| spread.standard_error),
        verdict: match played.verdict.map(|verdict| verdict.clear) {
            Some(Clear::Best(0)) => "better",
            Some(Clear::Best(_)) => "worse",
            _ => "not clear",
        },
    })
}

fn learned_entrant(weights: &Path, players: u8) -> Result<Entrant> {
    let mut section = PolicyConfig::of(LibraryChoice::Builtin, Some("learned".to_owned()));
    let weights = weights
        .to_str()
        .ok_or_else(|| anyhow!("{}: the path is not UTF-8", weights.display()))?;
    section.params.insert(
        "weights".to_owned(),
        toml::Value::String(weights.to_owned()),
    );
    let policy = ChosenPolicy::choose(
        Library::of::<learned::Learned>(),
        &section,
        &start_options(players),
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
    Ok(entrant_of(policy, players))
}

/// An entrant with this policy and ample time for every decision.
pub(crate) fn entrant_of(policy: ChosenPolicy, players: u8) -> Entrant {
    Entrant {
        policy,
        options: start_options(players),
        budget: Duration::from_secs(60),
        limit: None,
    }
}

fn start_options(players: u8) -> StartOptions {
    StartOptions {
        bot: "trainer".to_owned(),
        game: GameKind::Riichi,
        players,
        config_folder: PathBuf::new(),
        launch: Launch::own(Vec::new()),
    }
}
