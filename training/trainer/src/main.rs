//! Trains the weights of the policy `learned` by games against itself: docs/training.md.
#![forbid(unsafe_code)]

mod chart;
mod chunk;
mod contest;
mod critic;
mod explorer;
mod progress;
mod shard;
mod state;
mod sums;
mod training;

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::Result;
use clap::Parser;
use lab::part::Shard;

use training::{TrainingPlan, play_shard, train};

/// Trains the weights of the policy `learned` by games against itself.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// The folder of the training's state; an empty one begins a training, another one goes on with
    /// it.
    state: PathBuf,
    /// Players at the tables of a training that begins; by default 4.
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
    players: Option<u8>,
    /// Decides walls and choices; used when a training begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that play; by default one for each core.
    #[arg(long)]
    jobs: Option<NonZeroUsize>,
    /// Hanchan of self-play for the first attempt at each generation.
    #[arg(long, default_value_t = 16_000)]
    games: u64,
    /// Hanchan at most of a match that decides about weights.
    #[arg(long, default_value_t = 6_000)]
    match_games: u64,
    /// Places by which a choice must be worse to be explored e times less often.
    #[arg(long, default_value_t = 0.003)]
    temperature: f32,
    /// Hanchan of self-play, earlier sittings included, after which it ends.
    #[arg(long, default_value_t = u64::MAX)]
    max_games: u64,
    /// Plays only this shard of the current attempt, for instance 0/4 for the first of four, and
    /// ends.
    #[arg(long, value_name = "K/N", requires = "out")]
    shard: Option<Shard>,
    /// The folder of the shard.
    #[arg(long, requires = "shard")]
    out: Option<PathBuf>,
    /// Folders with all shards of the current attempt, which are merged first.
    #[arg(long, num_args = 1.., conflicts_with = "shard")]
    merge: Vec<PathBuf>,
}

/// By how much the trainer gives way to other programs: as far as it can.
const NICE: i32 = 19;

fn main() -> Result<()> {
    // Without it the training only takes more from other work.
    let _ = rustix::process::nice(NICE);
    run(Options::parse())
}

/// Does what the options ask for.
fn run(options: Options) -> Result<()> {
    let plan = TrainingPlan {
        players: options.players,
        seed: options.seed,
        jobs: options
            .jobs
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN),
        games: options.games,
        match_games: options.match_games,
        temperature: options.temperature,
        max_games: options.max_games,
    };
    // A reader that is gone does not end the training.
    let tell = |line: &str| drop(writeln!(std::io::stdout(), "{line}"));
    // A kill loses at most the chunks at work, so nothing is done at a signal.
    match (options.shard, options.out) {
        (Some(shard), Some(out)) => play_shard(&options.state, &plan, shard, &out, tell),
        _ => train(&options.state, &plan, &options.merge, tell),
    }
}

#[cfg(test)]
mod tests;
