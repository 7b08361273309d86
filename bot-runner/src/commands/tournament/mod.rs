//! `tournament`: which of several policies is better.

mod journal;
mod kept;
mod live;
mod merge;
pub(super) mod report;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tokio::sync::oneshot;

pub use self::merge::merge;

use self::journal::{Journal, read_file};
use self::kept::{KeptTournament, database_of};
use self::live::Standing;
use self::report::{closing_words, competitors, introduction, tables, times};
use super::entrants::{competitor, entrant, players_of, program};
use super::play::tell_apart;
use super::success;
use super::whole_file;
use crate::config::RawConfig;
use crate::fleet::{Prepared, Purpose, prepare_raw};
use crate::output::say;
use crate::screen::note;
use crate::shutdown::Shutdown;
use crate::web::{PageOptions, PageServer, PageSubject};
use lab::game::Entrant;
use lab::part::Shard;
use lab::tournament::{
    Arguments, Format, Plan, PlayedWalls, Ruleset, Schedule, TournamentFile, TournamentLength, TournamentProgress,
    UntilClear, WallResult, Walls, run,
};
use policy_host::{GameKind, TimeLimit};

/// What to play.
#[derive(Debug, Clone)]
pub struct TournamentOptions {
    /// The game.
    pub game: GameKind,
    /// The bots.
    pub configs: Vec<PathBuf>,
    /// A bot that plays against each of the others.
    pub gauntlet: Option<PathBuf>,
    /// How many games at least, or at most where it ends when it is clear who is best.
    pub games: u64,
    /// How they are seated; `None`: by their number.
    pub format: Option<Format>,
    /// How many sit at a table; `None`: as the configs say, or 4.
    pub players: Option<u8>,
    /// Whose rules of riichi hold.
    pub rules: Option<Ruleset>,
    /// How long games of riichi last.
    pub length: Option<TournamentLength>,
    /// What each place is worth.
    pub uma: Option<Vec<f64>>,
    /// What decides walls and the policies' randomness; `None` for a seed that nobody knows.
    pub seed: Option<u64>,
    /// How many games at a time; `None`: one for each core.
    pub jobs: Option<NonZeroUsize>,
    /// Where to write the results.
    pub out: Option<PathBuf>,
    /// Which part of the walls to play.
    pub shard: Option<Shard>,
    /// The time that each decision has; `None`: as long as it takes.
    pub think: Option<Duration>,
    /// End when it is clear who is best.
    pub until_clear: Option<UntilClear>,
    /// The database that takes every game too.
    pub results: Option<String>,
    /// The environment variable with its password.
    pub password_env: Option<String>,
    /// The file with its password.
    pub password_file: Option<PathBuf>,
    /// The page that shows how it goes.
    pub page: Option<PageOptions>,
}

/// Plays a tournament and says how it ended.
///
/// # Errors
///
/// When the configs cannot be seated, one of them is wrong, a policy does not start, the file of results is of another
/// tournament, or the results cannot be written.
pub async fn tournament(options: TournamentOptions) -> anyhow::Result<ExitCode> {
    let files: Vec<&PathBuf> = options.gauntlet.iter().chain(&options.configs).collect();
    let raw: Vec<RawConfig> = files.iter().map(|file| RawConfig::load(file)).collect();
    let game = options.game;
    let players = players_of(game, &raw, options.players)?;
    let format = match (&options.gauntlet, options.format) {
        (Some(_), _) => Format::Gauntlet,
        (None, Some(format)) => format,
        (None, None) => Format::of(game, raw.len(), players),
    };
    refuse_riichi_options(&options)?;
    // Told before the policies are tried out, which takes a while.
    Schedule::new(game, format, raw.len(), players)?;
    if let Some(uma) = &options.uma
        && uma.len() != usize::from(players)
    {
        bail!("--uma says what {} places are worth, and there are {players}", uma.len());
    }
    let database = database_of(&options)?;
    let Prepared { mut bots, libraries } = prepare_raw(raw, Purpose::Policy { game, players })?;
    options.page.as_ref().map(|page| page.keep_token_from(&libraries)).transpose()?;
    tell_apart(&mut bots);
    let earlier_seed = || -> anyhow::Result<Option<u64>> {
        let Some(path) = &options.out else { return Ok(None) };
        let content = whole_file::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        content.map(|content| Ok(read_file(path, &content)?.arguments.seed)).transpose()
    };
    let seed = match options.seed {
        Some(seed) => seed,
        None => earlier_seed()?.unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX))),
    };
    let is_riichi = game == GameKind::Riichi;
    let mut arguments = Arguments {
        program: program(options.out.is_some() || options.results.is_some())?,
        game,
        seed,
        format,
        players,
        rules: is_riichi.then(|| options.rules.unwrap_or(Ruleset::Tenhou)),
        length: is_riichi.then(|| options.length.unwrap_or(TournamentLength::Half)),
        games: 0,
        uma: options.uma.clone(),
        until_clear: options.until_clear,
        think_ms: options.think.map(|think| think.as_millis() as u64),
        configs: bots.iter().map(competitor).collect(),
    };
    // Whole walls: a number that means the same is the same.
    let schedule = Schedule::new(game, format, bots.len(), players)?;
    arguments.games = schedule.walls(options.games) * schedule.seatings().len() as u64;
    let jobs = options.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let shard = options.shard.unwrap_or_default();
    let plan = arguments.plan(shard, jobs)?;
    let shutdown = Shutdown::new();
    let stop = Arc::new(AtomicBool::new(false));
    shutdown.listen({
        let stop = Arc::clone(&stop);
        let kept = if options.out.is_some() { "walls that were played are kept" } else { "without results" };
        move |_| {
            stop.store(true, Ordering::Relaxed);
            note(&format!("Stopping after the games that are on. Ctrl-C again stops now, {kept}."));
        }
    })?;
    say(introduction(&arguments, &plan) + &competitors(&bots));

    let kept = database.map(|database| KeptTournament::begin(database, &arguments, &plan)).transpose()?;
    let results = match &options.out {
        Some(path) => Results::Written(Journal::open(path, arguments, shard)?),
        None => Results::Kept(TournamentFile::new(arguments, shard)),
    };
    if let (Some(path), known @ 1..) = (&options.out, results.walls().len()) {
        eprintln!("{} holds {known} of {} walls already; going on there.", path.display(), shard.len(plan.walls));
        if let Some(kept) = &kept {
            eprintln!("Those of them that were played without --results are not in {}.", kept.database());
        }
    }

    let known = results.walls();
    let left = shard.len(plan.walls) - known.len() as u64;
    let standing = Standing::new(results.arguments(), left * plan.schedule.seatings().len() as u64);
    let subject = PageSubject::Tournament(Arc::new(standing.clone()));
    let page = options.page.as_ref().map(|page| PageServer::start(page, subject)).transpose()?;
    let start = Instant::now();
    let limited = |bot| Entrant { limit: options.think.map(TimeLimit::new), ..entrant(bot, &libraries) };
    let entrants: Vec<Entrant> = bots.iter().map(limited).collect();
    let (results, played, games, all_kept) = tokio::select! {
        played = play(entrants, &plan, results, kept, stop, standing) => played?,
        // A policy that hangs cannot be ended; its thread ends with the process.
        () = shutdown.immediately() => match &options.out {
            Some(path) => bail!("stopped now; the same command goes on with the walls in {}", path.display()),
            None => bail!("stopped now, without results"),
        },
    };
    let took = start.elapsed();
    drop(page);

    let file = results.finish()?;
    let Some(result) = file.result()? else {
        if file.shard.len(plan.walls) == 0 {
            say(format!("There are fewer walls than shards: shard {shard} has none."));
            return Ok(success(true));
        }
        bail!("stopped before the first wall had been played in all seatings; there are no results")
    };
    say(format!("\n{}\n{}", tables(&result), closing_words(&result)));
    eprintln!("{}", times(&bots, &played.times, took, games, &plan));
    Ok(success(all_kept))
}

/// Refuses what only riichi has.
fn refuse_riichi_options(options: &TournamentOptions) -> anyhow::Result<()> {
    let only_riichi = [
        ("--rules", options.rules.is_some()),
        ("--length", options.length.is_some()),
        ("--uma", options.uma.is_some()),
    ];
    match only_riichi.into_iter().find(|(_, given)| *given) {
        Some((option, _)) if options.game != GameKind::Riichi => {
            bail!("{option} is for tournaments of riichi, and --game {} is asked for; leave it out", options.game)
        }
        _ => Ok(()),
    }
}

/// The results as they come.
enum Results {
    /// In a file.
    Written(Journal),
    /// In memory alone.
    Kept(TournamentFile),
}

impl Results {
    const fn walls(&self) -> &Walls {
        match self {
            Self::Written(journal) => &journal.file.walls,
            Self::Kept(file) => &file.walls,
        }
    }

    const fn is_written(&self) -> bool {
        matches!(self, Self::Written(_))
    }

    const fn arguments(&self) -> &Arguments {
        match self {
            Self::Written(journal) => &journal.file.arguments,
            Self::Kept(file) => &file.arguments,
        }
    }

    /// Takes walls in, and writes them where that is wanted.
    fn take_in(&mut self, walls: &mut Vec<(u64, WallResult)>) -> anyhow::Result<()> {
        for (wall, played) in walls.drain(..) {
            match self {
                Self::Kept(file) => drop(file.walls.insert(wall, played)),
                Self::Written(journal) => journal.add(wall, &played)?,
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<TournamentFile> {
        match self {
            Self::Written(journal) => journal.finish(),
            Self::Kept(mut file) => {
                file.finish()?;
                Ok(file)
            }
        }
    }
}

/// Plays on threads apart from those that watch for Ctrl-C; what was played, how many games that took, and whether the
/// database has them or will have.
async fn play(
    entrants: Vec<Entrant>,
    plan: &Plan,
    mut results: Results,
    mut kept: Option<KeptTournament>,
    stop: Arc<AtomicBool>,
    standing: Standing,
) -> anyhow::Result<(Results, PlayedWalls, u64, bool)> {
    let plan = plan.clone();
    let (sender, result) = oneshot::channel();
    thread::Builder::new().name("tournament".to_owned()).spawn(move || {
        let known = results.walls().clone();
        let table = standing.live_table();
        let mut games = 0;
        let mut written = Ok(());
        let mut unwritten = Vec::new();
        let played = run(&entrants, &plan, known, &stop, |progress| match progress {
            TournamentProgress::Game(id, game) => {
                games += 1;
                if let Some(kept) = &mut kept {
                    kept.game(id, game);
                }
                standing.game();
            }
            TournamentProgress::Wall(wall, played) => {
                standing.wall(played);
                unwritten.push((wall, played.clone()));
                // The database's games come first: a wall that the file has is not played again.
                if written.is_ok() && kept.as_mut().is_none_or(|kept| kept.wall(wall)) {
                    written = results.take_in(&mut unwritten);
                    // Nothing more is played that could not be kept.
                    stop.fetch_or(written.is_err(), Ordering::Relaxed);
                }
            }
        });
        let mut all_kept = kept.as_mut().is_none_or(KeptTournament::flush);
        if all_kept {
            written = written.and_then(|()| results.take_in(&mut unwritten));
        }
        drop(table);
        drop(entrants);
        if let Some(kept) = kept {
            all_kept = kept.finish();
        }
        if all_kept || !results.is_written() {
            written = written.and_then(|()| results.take_in(&mut unwritten));
        } else if !unwritten.is_empty() {
            let walls = unwritten.len();
            eprintln!("{walls} walls are left out of the file, so that the same command plays their games again.");
        }
        let ended = written.and_then(|()| Ok::<_, anyhow::Error>((results, played?, games, all_kept)));
        let _ = sender.send(ended);
    })?;
    result.await.context("the tournament ended without a result")?
}
