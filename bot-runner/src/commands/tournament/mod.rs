//! `tournament`: which of several policies is better.

mod report;

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mahjong::Rules;
use tokio::sync::oneshot;

use self::report::{closing_words, introduction, result_table, times};
use super::entrants::entrant;
use super::play::tell_apart;
use super::success;
use crate::config::PLAYERS;
use crate::fleet::{Prepared, Purpose, ReadyBot, prepare};
use crate::output::say;
use crate::shutdown::Shutdown;
use lab::tournament::{
    Competitor, Entrant, Format, Plan, PlayedWalls, TournamentError, TournamentProgress, TournamentResult, estimate,
    run,
};
use policy_host::Libraries;

/// What to play.
#[derive(Debug, Clone)]
pub struct TournamentOptions {
    /// The bots.
    pub configs: Vec<PathBuf>,
    /// How many games at least, or at most where it ends when it is clear who is best.
    pub games: u64,
    /// What decides walls and the policies' randomness; `None` for a seed that nobody knows.
    pub seed: Option<u64>,
    /// How many games at a time; `None`: one for each core.
    pub jobs: Option<NonZeroUsize>,
    /// Where to write the results.
    pub out: Option<PathBuf>,
    /// End when it is clear who is best.
    pub until_clear: bool,
}

/// Plays a tournament and says how it ended.
///
/// # Errors
///
/// When there are not two or four configs, one of them is wrong, a policy does not start, or the results cannot be
/// written.
pub async fn tournament(options: TournamentOptions) -> anyhow::Result<ExitCode> {
    let Some(format) = Format::of(options.configs.len()) else { bail!("{}", wrong_number(options.configs.len())) };
    if let Some(file) = options.out.as_ref().filter(|file| file.is_file()) {
        bail!("--out: {} is there already and stays as it is; name another file, or remove it", file.display());
    }
    let Prepared { mut bots, libraries } = prepare(&options.configs, Purpose::Policy { players: PLAYERS })?;
    tell_apart(&mut bots);
    let plan = Plan {
        seed: options.seed.unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX))),
        format,
        walls: format.walls(options.games),
        rules: Rules::TENHOU_HALF,
        jobs: options.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN),
        until_clear: options.until_clear,
    };
    say(introduction(&bots, &plan));

    let start = Instant::now();
    let shutdown = Shutdown::new();
    let stop = Arc::new(AtomicBool::new(false));
    shutdown.listen({
        let stop = Arc::clone(&stop);
        move |_| {
            stop.store(true, Ordering::Relaxed);
            eprintln!("Stopping after the games that are on. Ctrl-C again stops now, without results.");
        }
    })?;
    let played = tokio::select! {
        played = play(&bots, &libraries, &plan, stop) => played??,
        // A policy that hangs cannot be ended; its thread ends with the process.
        () = shutdown.immediately() => bail!("stopped now, without results"),
    };
    let took = start.elapsed();

    let competitors = bots.iter().map(competitor).collect();
    let Some(result) = TournamentResult::of(&plan, &played, competitors) else {
        bail!("stopped before the first wall had been played in all seatings; there are no results")
    };
    say(format!("\n{}\n{}", result_table(&result), closing_words(&result)));
    if let Some(file) = &options.out {
        write_json(file, &result)?;
    }
    eprintln!("{}", times(&bots, &played.times, took, result.games, &plan));
    Ok(success(true))
}

/// Plays on threads apart from those that watch for Ctrl-C.
async fn play(
    bots: &[ReadyBot],
    libraries: &Libraries,
    plan: &Plan,
    stop: Arc<AtomicBool>,
) -> anyhow::Result<Result<PlayedWalls, TournamentError>> {
    let entrants: Vec<Entrant> = bots.iter().map(|bot| entrant(bot, libraries)).collect();
    let (plan, first) = (plan.clone(), bots[0].config.name.clone());
    let (sender, result) = oneshot::channel();
    thread::Builder::new().name("tournament".to_owned()).spawn(move || {
        let bar = progress_bar(&plan);
        let mut places = Vec::new();
        let played = run(&entrants, &plan, &stop, |progress| match progress {
            TournamentProgress::Game => bar.inc(1),
            TournamentProgress::Wall(block) => {
                places.push(block.mean_places()[0]);
                if !bar.is_hidden() {
                    bar.set_message(standing(&first, &places));
                }
            }
        });
        bar.finish_and_clear();
        drop(entrants);
        let _ = sender.send(played);
    })?;
    result.await.context("the tournament ended without a result")
}

fn wrong_number(configs: usize) -> String {
    let hint = match configs {
        1 => "with one there is nothing to compare it with; name it twice to see how far luck goes",
        3 => "three cannot sit equally often on four seats; compare them two by two, or name one of them twice",
        _ => "a table seats four; compare them two by two, or four at a time",
    };
    format!("a tournament is between two configs or between four, and {configs} are given: {hint}")
}

fn competitor(bot: &ReadyBot) -> Competitor {
    let info = bot.policy.info();
    Competitor {
        name: bot.config.name.clone(),
        config: bot.config.file.display().to_string(),
        policy: info.id.clone(),
        version: info.version.clone(),
    }
}

/// A bar on standard error, where that is a terminal.
fn progress_bar(plan: &Plan) -> ProgressBar {
    let games = plan.walls * plan.format.seatings().len() as u64;
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games, {per_sec}, {eta} left  {msg}");
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    style.map_or_else(|_| bar.clone(), |style| bar.clone().with_style(style))
}

/// A config's average place so far.
fn standing(name: &str, places: &[f64]) -> String {
    let spread = estimate(places).and_then(|estimate| Some((estimate.mean, estimate.spread?)));
    spread.map_or_else(String::new, |(mean, spread)| {
        format!("{name} {mean:.3} ({:.3} to {:.3})", spread.low, spread.high)
    })
}

/// Writes the results. The file is there only when it is complete.
fn write_json(path: &Path, result: &TournamentResult) -> anyhow::Result<()> {
    let context = || format!("the results cannot be written to {}", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).with_context(context)?;
    serde_json::to_writer_pretty(&mut file, result).with_context(context)?;
    std::io::Write::write_all(&mut file, b"\n").with_context(context)?;
    fs::set_permissions(file.path(), std::os::unix::fs::PermissionsExt::from_mode(0o644)).with_context(context)?;
    file.persist(path).with_context(context)?;
    Ok(())
}
