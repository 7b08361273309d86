//! Matches that decide whether weights are better, on fresh walls, until it is clear.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Result, anyhow};
use lab::game::luck::{PARTS, version};
use lab::game::{Entrant, NamedGame};
use lab::part::Shard;
use lab::tournament::{
    Clear, Format, Plan, Schedule, TakenDown, UntilClear, WallResult, Walls, run,
};
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
    /// The average place of the challenger, or its average points; adjusted for luck, if a version
    /// of it is named.
    pub(crate) mean: f64,
    /// Its standard error.
    pub(crate) error: f64,
    /// The version of the luck that adjusts the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) luck: Option<String>,
    /// The average and its standard error in the games as they were, if they are adjusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raw: Option<[f64; 2]>,
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
    let rules = G::game_rules(plan.rules);
    let luck = version(&rules).filter(|_| G::IS_ADJUSTED);
    let tournament = Plan {
        seed: plan.seed,
        schedule: schedule.clone(),
        walls,
        shard: Shard::WHOLE,
        rules,
        jobs: plan.jobs,
        until_clear: Some(UntilClear {
            by: None,
            adjusted: luck.is_some(),
        }),
        sprt: None,
        taken_down: TakenDown {
            luck: luck.is_some(),
            ..TakenDown::default()
        },
    };
    let played = run(
        &entrants,
        &tournament,
        Walls::new(),
        &AtomicBool::new(false),
        |_| {},
    )?;
    let average = |value: &dyn Fn(&WallResult) -> f64| -> Result<[f64; 2]> {
        let means: Vec<f64> = played.walls.values().map(value).collect();
        let Estimate { mean, spread } =
            estimate(&means).ok_or_else(|| anyhow!("no wall was played"))?;
        let error = spread.map_or(f64::INFINITY, |spread| spread.standard_error);
        Ok([mean, error])
    };
    let raw = |wall: &WallResult| wall.counts[0].mean(game.measure());
    let adjusted = |wall: &WallResult| raw(wall) - luck_of_challenger(&schedule, wall);
    let [mean, error] = average(&adjusted)?;
    Ok(ContestResult {
        against: other.name::<G>(),
        seed: plan.seed,
        games: (played.walls.len() * schedule.seatings().len()) as u64,
        mean,
        error,
        raw: luck.as_ref().map(|_| average(&raw)).transpose()?,
        luck,
        verdict: match played.verdict.map(|verdict| verdict.clear) {
            Some(Clear::Best(0)) => "better",
            Some(Clear::Best(_)) => "worse",
            _ => "not clear",
        },
    })
}

/// By how much luck has moved the average of the challenger on a wall away from that of all seats;
/// 0 if it was not taken down. It is exactly 0 if both play alike.
fn luck_of_challenger(schedule: &Schedule, wall: &WallResult) -> f64 {
    let (mut own, mut all) = ((0, 0), (0, 0));
    for (seating, luck) in schedule.seatings().iter().zip(&wall.luck) {
        for (&config, &luck) in seating.iter().zip(luck) {
            for (sum, seats) in [(config == 0).then_some(&mut own), Some(&mut all)]
                .into_iter()
                .flatten()
            {
                *sum += i64::from(luck);
                *seats += 1;
            }
        }
    }
    if own.1 == 0 {
        return 0.0;
    }
    let apart = own.0 * all.1 - all.0 * own.1;
    apart as f64 / (own.1 * all.1) as f64 / f64::from(PARTS)
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

#[cfg(test)]
mod tests {
    use policy_host::GameKind;

    use super::*;

    fn wall(luck: &[[i32; 4]]) -> WallResult {
        WallResult {
            games: Vec::new(),
            luck: luck.iter().map(|of| of.iter().copied().collect()).collect(),
            counts: Vec::new(),
            first_fault: None,
        }
    }

    #[test]
    fn luck_on_a_wall_is_what_moves_the_challenger_away_from_all_seats_and_nothing_if_both_play_alike()
     {
        let schedule = Schedule::new(GameKind::Riichi, Format::TwoAgainstTwo, 2, 4).unwrap();
        let seatings = schedule.seatings();
        // The same game in all seatings, with luck that is rounded to a sum of 1.
        let alike = vec![[801, -300, -251, -249]; seatings.len()];
        assert_eq!(luck_of_challenger(&schedule, &wall(&alike)), 0.0);
        // Each seat of the challenger has 0.3 in each game, and each other seat -0.1.
        let lucky: Vec<[i32; 4]> = seatings
            .iter()
            .map(|seating| std::array::from_fn(|seat| if seating[seat] == 0 { 300 } else { -100 }))
            .collect();
        let luck = luck_of_challenger(&schedule, &wall(&lucky));
        assert!((luck - 0.2).abs() < 1e-9, "{luck}");
        assert_eq!(
            luck_of_challenger(&schedule, &wall(&[])),
            0.0,
            "not taken down"
        );
    }
}
