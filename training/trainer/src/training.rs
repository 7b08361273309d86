//! The loop of a training: play, fit, check, and accept only weights that win a match.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use correction::{Provenance, Weights};
use lab::game::NamedGame;
use lab::part::Shard;
use policy_host::{DirectThread, Measure};
use serde::Serialize;

use crate::chunk::{CHUNK_GAMES, ChunkPlan, Lessons, TRACES, play_chunk};
use crate::contest::{ContestPlan, ContestResult, contest, interval, parity};
use crate::critic::Critic;
use crate::explorer::Exploration;
use crate::games::{RulesOf, Sizes, TrainedGame};
use crate::progress::AttemptShard;
use crate::shard;
use crate::state::TrainingState;
use crate::sums::{HeldOut, RidgeFit, SelfPlaySums};

/// One of this many chunks is held out.
const HELD_OUT_EVERY: u64 = 8;
/// The critic is fitted again after this many chunks.
const CRITIC_EVERY: u64 = 16;
/// The ridge penalties to choose from: the squared distance of a change from that of all situations
/// costs as much as this many samples of an outcome of 1.
const RIDGES: [f64; 5] = [10.0, 100.0, 1_000.0, 10_000.0, 100_000.0];
/// Minimum and maximum factor by which the held-out games may scale the change.
const STEPS: [f64; 2] = [0.0, 1.5];

#[derive(Debug, Clone, Copy)]
pub(crate) struct TrainingPlan {
    /// Players at the tables, and the seed, of a training that begins: see [`TrainingState::open`].
    pub(crate) players: Option<u8>,
    pub(crate) seed: u64,
    pub(crate) jobs: NonZeroUsize,
    /// Games for the first attempt at a generation; each further attempt takes twice as many.
    pub(crate) games: u64,
    /// Maximum number of games in a match.
    pub(crate) match_games: u64,
    /// The temperature: a choice that is worse by this is taken `e` times less often.
    pub(crate) temperature: f32,
    /// Games of self-play in all, after which it ends.
    pub(crate) max_games: u64,
}

/// A line of the log.
#[derive(Debug, Serialize)]
struct Attempt {
    generation: u32,
    games: u64,
    decisions: f64,
    games_a_second: f64,
    /// The share of the reward's variance that the critic explains in the held-out games.
    critic: f64,
    /// The values of [`TRACES`] and [`RIDGES`] that fit the held-out games best, and the factor of
    /// the change of the weights with them.
    trace: f32,
    ridge: f64,
    step: f64,
    held_out: Vec<HeldOut>,
    matches: Vec<ContestResult>,
    accepted: bool,
}

/// Trains until the games are played, and reports each step. The shards of its current attempt are
/// merged first.
pub(crate) fn train<G: TrainedGame>(
    folder: &Path,
    plan: &TrainingPlan,
    shards: &[PathBuf],
    mut tell: impl FnMut(&str),
) -> Result<()> {
    let mut state = TrainingState::<G>::open(folder, plan.players, plan.seed)?;
    if !shards.is_empty() {
        shard::merge(&mut state, shards)?;
    }
    let rules = G::rules(state.progress.players);
    // A complete attempt is decided even if no more games are wanted.
    while state.progress.games < plan.max_games
        || state.progress.chunks_of_attempt >= chunks_of_attempt(&state, plan)
    {
        let began = (Instant::now(), state.progress.games);
        if !collect(&mut state, plan, &mut tell)? {
            break;
        }
        let speed = (state.progress.games - began.1) as f64 / began.0.elapsed().as_secs_f64();
        decide(&mut state, plan, rules, speed, &mut tell)?;
    }
    Ok(())
}

/// Plays a shard of the training's current attempt, and reports each step.
pub(crate) fn play_shard<G: TrainedGame>(
    folder: &Path,
    plan: &TrainingPlan,
    part: Shard,
    out: &Path,
    mut tell: impl FnMut(&str),
) -> Result<()> {
    let Some(training) = TrainingState::<G>::existing(folder, plan.players)? else {
        bail!(
            "{0}: it has no training; begin one: trainer {0} --max-games 0",
            folder.display()
        );
    };
    let left =
        chunks_of_attempt(&training, plan).saturating_sub(training.progress.chunks_of_attempt);
    let shard = AttemptShard {
        part,
        chunks: left,
        temperature: plan.temperature,
        sums: training.progress.sums,
    };
    let mut state = shard::open(out, &training, shard)?;
    let chunk_plan = chunk_plan(&state, plan);
    while state.progress.chunks_of_attempt < shard.wanted() {
        let done = state.progress.chunks_of_attempt;
        let batch = done..shard.wanted().min(done + 8 * plan.jobs.get() as u64);
        let items = batch.filter_map(|place| part.item(place, shard.chunks));
        let numbers: Vec<u64> = items.map(|item| state.progress.chunks + item - 1).collect();
        let speed = play_batch(&mut state, &chunk_plan, &numbers, plan.jobs)?;
        state.save()?;
        let left = (shard.wanted() - state.progress.chunks_of_attempt) * CHUNK_GAMES;
        tell(&format!(
            "generation {}, shard {part}: {} games, {speed:.1} games/s, {:.0} min to its end",
            state.progress.generation + 1,
            state.progress.games,
            left as f64 / speed / 60.0,
        ));
    }
    Ok(())
}

/// Chunks of the current attempt, played ones included.
fn chunks_of_attempt<G: TrainedGame>(state: &TrainingState<G>, plan: &TrainingPlan) -> u64 {
    (plan.games << state.progress.rejected.min(6)).div_ceil(CHUNK_GAMES)
}

fn chunk_plan<G: TrainedGame>(state: &TrainingState<G>, plan: &TrainingPlan) -> ChunkPlan<G> {
    ChunkPlan {
        seed: state.progress.seed,
        rules: G::rules(state.progress.players),
        exploration: Exploration {
            linear: Arc::new(state.weights.linear.clone()),
            temperature: plan.temperature,
        },
        critic: state.critic.clone(),
    }
}

/// Plays the missing chunks of an attempt; returns whether all have been played.
fn collect<G: TrainedGame>(
    state: &mut TrainingState<G>,
    plan: &TrainingPlan,
    tell: &mut impl FnMut(&str),
) -> Result<bool> {
    let chunks = chunks_of_attempt(state, plan);
    let mut chunk_plan = chunk_plan(state, plan);
    while state.progress.chunks_of_attempt < chunks {
        let wanted = plan
            .max_games
            .saturating_sub(state.progress.games)
            .div_ceil(CHUNK_GAMES);
        let to_fit = CRITIC_EVERY - state.progress.chunks % CRITIC_EVERY;
        let left = chunks - state.progress.chunks_of_attempt;
        let batch = left.min(8 * plan.jobs.get() as u64).min(to_fit).min(wanted);
        if batch == 0 {
            return Ok(false);
        }
        let first = state.progress.chunks;
        let speed = play_batch(
            state,
            &chunk_plan,
            &(first..first + batch).collect::<Vec<_>>(),
            plan.jobs,
        )?;
        state.progress.chunks += batch;
        if batch == to_fit {
            state.critic = Critic::fit(&state.lessons.critic);
            chunk_plan.critic = state.critic.clone();
        }
        state.save()?;
        let left = (chunks - state.progress.chunks_of_attempt) * CHUNK_GAMES;
        tell(&format!(
            "generation {}: {} games in all, {speed:.1} games/s, {:.0} min to the next match",
            state.progress.generation + 1,
            state.progress.games,
            left as f64 / speed / 60.0,
        ));
    }
    Ok(true)
}

/// Plays the chunks with these numbers, and adds them to the sums; returns the games per second.
fn play_batch<G: TrainedGame>(
    state: &mut TrainingState<G>,
    plan: &ChunkPlan<G>,
    numbers: &[u64],
    jobs: NonZeroUsize,
) -> Result<f64> {
    let began = Instant::now();
    for (number, lessons) in play_chunks(plan, numbers, jobs)? {
        let into = if number % HELD_OUT_EVERY == 0 {
            &mut state.held_out
        } else {
            &mut state.lessons
        };
        into.add(&lessons, 1.0);
        state.progress.games += lessons.games;
    }
    state.progress.chunks_of_attempt += numbers.len() as u64;
    Ok((numbers.len() as u64 * CHUNK_GAMES) as f64 / began.elapsed().as_secs_f64())
}

fn play_chunks<G: TrainedGame>(
    plan: &ChunkPlan<G>,
    numbers: &[u64],
    jobs: NonZeroUsize,
) -> Result<BTreeMap<u64, Lessons>> {
    let next = AtomicUsize::new(0);
    let (sender, lessons) = channel();
    thread::scope(|scope| -> Result<()> {
        let mut workers = Vec::new();
        for _ in 0..jobs.get() {
            let (sender, next) = (sender.clone(), &next);
            workers.push(DirectThread::spawn(
                scope,
                "trainer",
                move |thread| -> Result<()> {
                    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        sender
                            .send((number, play_chunk(thread, plan, number)?))
                            .map_err(|_| anyhow!("it ends"))?;
                    }
                    Ok(())
                },
            )?);
        }
        for worker in workers {
            worker.join().map_err(|_| anyhow!("a thread panicked"))??;
        }
        Ok(())
    })?;
    drop(sender);
    Ok(lessons.into_iter().collect())
}

/// Fits weights, checks them on the held-out games, and plays the matches that decide whether they
/// are accepted.
fn decide<G: TrainedGame>(
    state: &mut TrainingState<G>,
    plan: &TrainingPlan,
    rules: RulesOf<G>,
    speed: f64,
    tell: &mut impl FnMut(&str),
) -> Result<()> {
    let current = current::<G>(&state.weights);
    let players = state.progress.players;
    let (mut rest, held_out) = (
        rest(&state.lessons, &current),
        rest(&state.held_out, &current),
    );
    let Preferred {
        trace,
        ridge,
        step,
        held_out: checked,
    } = preferred(&rest, &held_out);
    rest.iter_mut()
        .zip(&held_out)
        .for_each(|(rest, held_out)| rest.add(held_out, 1.0));
    let changes = SituationFits::new(&rest, ridge).changes(trace);
    let row = |(current, change): (&Vec<f64>, &Vec<f64>)| -> Vec<f32> {
        current
            .iter()
            .zip(change)
            .map(|(current, change)| (current + step * change) as f32)
            .collect()
    };
    let provenance = Provenance {
        program: concat!("bot-runner ", env!("CARGO_PKG_VERSION")).to_owned(),
        games: state.progress.games,
        seeds: format!("1-{} of seed {}", state.progress.games, state.progress.seed),
        accepted: String::new(),
    };
    let linear = current.iter().zip(&changes).map(row).collect();
    let mut weights = Weights::new(players, provenance, linear);
    let challenger = state.put_challenger(&weights)?;
    let measure = G::Game::KIND.measure();
    let unit = match measure {
        Measure::Places => "place",
        Measure::Points { .. } => "points",
    };
    let mut matches = Vec::new();
    for other in &state.opponents() {
        state.progress.matches += 1;
        let contest_plan = ContestPlan {
            rules,
            // Seeds of matches and of self-play never coincide.
            seed: state.progress.seed ^ (state.progress.matches << 32),
            max_games: plan.match_games,
            jobs: plan.jobs,
        };
        let result = contest::<G>(&challenger, other, contest_plan)?;
        let [low, high] = interval(result.mean, result.error);
        // One wall shows no spread.
        let spread = match result.error.is_finite() {
            true => format!(" (95 % interval {low:.4} to {high:.4})"),
            false => String::new(),
        };
        let adjusted = match result.raw {
            Some([raw, _]) => format!(", adjusted for luck from {raw:.4},"),
            None => String::new(),
        };
        tell(&format!(
            "generation {}: average {unit} {:.4}{spread}{adjusted} in {} games against {}: {}",
            state.progress.generation + 1,
            result.mean,
            result.games,
            result.against,
            result.verdict
        ));
        matches.push(result);
    }
    let parity = parity::<G>(players);
    // Better than each by more than the standard error, if the sequential test was not clear.
    let accepted = matches.iter().all(|result| match result.verdict {
        "better" => true,
        "worse" => false,
        _ => measure.better_by(result.mean, parity) > result.error,
    });
    if accepted && let Some(last) = matches.last() {
        weights.provenance.accepted = format!(
            "{:.4} +- {:.4} in {} games against {}",
            last.mean, last.error, last.games, last.against
        );
    }
    state.log(&Attempt {
        generation: state.progress.generation + 1,
        games: state.progress.games,
        decisions: state.lessons.decisions(),
        games_a_second: speed,
        critic: state.critic.explains(&state.held_out.critic),
        trace: TRACES[trace],
        ridge,
        step,
        held_out: checked,
        matches,
        accepted,
    })?;
    state.progress.chunks_of_attempt = 0;
    if !accepted {
        state.progress.rejected += 1;
        return state.save();
    }
    state.accept(weights)
}

/// The settings of a fit, and the result of its changes on the held-out games.
struct Preferred {
    trace: usize,
    ridge: f64,
    step: f64,
    held_out: Vec<HeldOut>,
}

/// The settings whose changes explain most of the held-out games, measured with λ = 1, which is
/// independent of the critic.
fn preferred(rest: &[SelfPlaySums], held_out: &[SelfPlaySums]) -> Preferred {
    let checked = RIDGES.iter().flat_map(|&ridge| {
        let fits = SituationFits::new(rest, ridge);
        (0..TRACES.len()).map(move |trace| {
            let held_out: Vec<HeldOut> = fits
                .changes(trace)
                .iter()
                .zip(held_out)
                .map(|(change, sums)| sums.check(0, change))
                .collect();
            let (together, squares) = held_out
                .iter()
                .fold((0.0, f64::MIN_POSITIVE), |(together, squares), of| {
                    (together + of.together, squares + of.squares)
                });
            let step = (together / squares).clamp(STEPS[0], STEPS[1]);
            (
                step * (2.0 * together - step * squares),
                Preferred {
                    trace,
                    ridge,
                    step,
                    held_out,
                },
            )
        })
    });
    checked
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .expect("there are several ways")
        .1
}

/// The current weights of each situation.
fn current<G: TrainedGame>(weights: &Weights<G::Features>) -> Vec<Vec<f64>> {
    let sizes = Sizes::of::<G>();
    let row = |situation: usize| match weights.linear.get(situation) {
        Some(row) => row.iter().copied().map(f64::from).collect(),
        None => vec![0.0; sizes.choice_features],
    };
    (0..sizes.situations).map(row).collect()
}

/// What the current weights leave unexplained, by situation.
fn rest(lessons: &Lessons, current: &[Vec<f64>]) -> Vec<SelfPlaySums> {
    lessons
        .situations
        .iter()
        .zip(current)
        .map(|(sums, weights)| sums.less(weights))
        .collect()
}

/// The fits of all situations together and of each situation, with one ridge penalty.
struct SituationFits {
    together: RidgeFit,
    situations: Vec<RidgeFit>,
}

impl SituationFits {
    fn new(rest: &[SelfPlaySums], ridge: f64) -> Self {
        let mut together = SelfPlaySums::new(rest[0].inputs(), TRACES.len());
        rest.iter().for_each(|sums| together.add(sums, 1.0));
        let situations = rest.iter().map(|sums| sums.with_ridge(ridge)).collect();
        Self {
            together: together.with_ridge(ridge),
            situations,
        }
    }

    /// The change of the weights of each situation, drawn towards that of all situations together.
    fn changes(&self, trace: usize) -> Vec<Vec<f64>> {
        let together = self.together.fit(trace, &vec![0.0; self.together.inputs()]);
        self.situations
            .iter()
            .map(|fit| fit.fit(trace, &together))
            .collect()
    }
}
