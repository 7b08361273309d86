//! Trains the weights of the learned policies by games against themselves: docs/training.md.
#![forbid(unsafe_code)]

mod chart;
mod chunk;
mod contest;
mod critic;
mod explorer;
mod games;
mod progress;
mod shard;
mod state;
mod sums;
mod training;

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use anyhow::{Result, bail};
use clap::Parser;
use correction::FeatureSet;
use lab::game::NamedGame;
use lab::part::Shard;
use policy_host::GameKind;

use games::{DouDizhuTraining, McrTraining, RiichiTraining, TrainedGame};
use training::{TrainingPlan, play_shard, train};

/// Trains the weights of the learned policies by games against themselves.
#[derive(Debug, Parser)]
#[command(version)]
struct Options {
    /// The folder of the training's state; an empty one begins a training, another one goes on with
    /// it.
    state: PathBuf,
    /// The game of a training that begins: riichi, chinese-standard (or mcr), doudizhu; by default
    /// riichi.
    #[arg(long, value_parser = game)]
    game: Option<GameKind>,
    /// Players at the tables of a training of riichi that begins; by default 4.
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
    players: Option<u8>,
    /// Decides walls and choices; used when a training begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that play; by default one for each core.
    #[arg(long)]
    jobs: Option<NonZeroUsize>,
    /// Games of self-play for the first attempt at each generation; by default 16,000 hanchan,
    /// 100,000 games of Chinese Standard or 50,000 of Dou Dizhu.
    #[arg(long)]
    games: Option<u64>,
    /// Games at most of a match that decides about weights; by default 6,000, in Dou Dizhu
    /// 3,000.
    #[arg(long)]
    match_games: Option<u64>,
    /// By how much a choice must be worse to be explored e times less often; by default 0.003
    /// places, 0.4 points of Chinese Standard or 0.01 units of Dou Dizhu.
    #[arg(long)]
    temperature: Option<f32>,
    /// Games of self-play, earlier sittings included, after which it ends.
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

/// The game of this name; `mcr` is short for that of Chinese Standard mahjong.
fn game(name: &str) -> Result<GameKind, String> {
    match name {
        "mcr" => Ok(GameKind::Mcr),
        _ => name.parse().map_err(|error| format!("{error}")),
    }
}

/// Does what the options ask for.
fn run(options: Options) -> Result<()> {
    let found = state::game_of(&options.state)?;
    if let (Some(found), Some(asked)) = (found, options.game)
        && found != asked
    {
        bail!(
            "{}: it is a training of {found}, and --game is {asked}; leave --game out, or begin in another folder",
            options.state.display()
        );
    }
    match found.or(options.game).unwrap_or_default() {
        GameKind::Riichi => run_game::<RiichiTraining>(options),
        GameKind::Mcr => run_game::<McrTraining>(options),
        GameKind::DouDizhu => run_game::<DouDizhuTraining>(options),
    }
}

fn run_game<G: TrainedGame>(options: Options) -> Result<()> {
    let allowed = G::Features::PLAYERS;
    if let Some(players) = options.players.filter(|players| !allowed.contains(players)) {
        bail!(
            "--players is {players}, and {} is played by {}; leave --players out",
            G::Game::KIND,
            allowed[0]
        );
    }
    let plan = TrainingPlan {
        players: options.players,
        seed: options.seed,
        jobs: options
            .jobs
            .or_else(|| thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN),
        games: options.games.unwrap_or(G::GAMES),
        match_games: options.match_games.unwrap_or(G::MATCH_GAMES),
        temperature: options.temperature.unwrap_or(G::TEMPERATURE),
        max_games: options.max_games,
    };
    // A reader that is gone does not end the training.
    let tell = |line: &str| drop(writeln!(std::io::stdout(), "{line}"));
    // A kill loses at most the chunks at work, so nothing is done at a signal.
    match (options.shard, options.out) {
        (Some(shard), Some(out)) => play_shard::<G>(&options.state, &plan, shard, &out, tell),
        _ => train::<G>(&options.state, &plan, &options.merge, tell),
    }
}

#[cfg(test)]
mod tests;
