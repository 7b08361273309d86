//! `tournament`: which of several policies is better.

mod anchor;
mod differences;
mod kept;
mod live;
mod merge;
pub(super) mod report;
mod writer;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

pub use self::merge::merge;

use self::anchor::{anchored_table, require_anchor};
use self::differences::DifferenceWriter;
use self::kept::{KeptTournament, ResultsDatabase, database_of};
use self::live::LiveStanding;
use self::report::{
    closing_words, competitors, conclusion, for_users, introduction, tables, times,
};
use self::writer::ResultsWriter;
use super::check::start_builtin;
use super::entrants::{competitor, entrant, game_of, jobs, players_of, program, tell_apart};
use super::work::StoppableWork;
use super::{require_folder_of, success};
use crate::cli::TournamentArgs;
use client::place::complete;
use config::RawConfig;
use fleet::{CommandFiles, Prepared, Purpose, prepare_raw};
use foreign_text::shown;
use lab::game::Entrant;
use lab::tournament::{
    Arguments, Competitor, Format, Plan, PlayedWalls, ResultsFile, Ruleset, Schedule,
    TournamentLength, TournamentProgress, UntilClear, Walls, journal_of, run,
};
use policy_host::{GameKind, TimeLimit};
use say::output::say;
use say::screen::note;
use view::web::PageSubject;

/// Plays a tournament and says how it ended.
///
/// # Errors
///
/// If the configs cannot be seated, one of them is wrong, a policy does not start, the file of
/// results is of another tournament, or the results cannot be written.
pub async fn tournament(args: TournamentArgs) -> anyhow::Result<ExitCode> {
    let games = args.games.context("--games is needed")?;
    args.out.as_deref().map(require_folder_of).transpose()?;
    let think = args.think_ms.map(Duration::from_millis);
    let files: Vec<&PathBuf> = args.gauntlet.iter().chain(&args.configs).collect();
    let raw: Vec<RawConfig> = files.iter().map(|file| RawConfig::load(file)).collect();
    let database = database_of(&args)?;
    let kept_files = files_of(&args, database.as_ref());
    let game = game_of(args.game, &raw, kept_files.clone());
    let players = players_of(game, &raw, args.players)?;
    let format = match (&args.gauntlet, args.format) {
        (Some(_), _) => Format::Gauntlet,
        (None, Some(format)) => format.into(),
        (None, None) => Format::of(game, raw.len(), players),
    };
    refuse_riichi_options(&args, game)?;
    if args.sprt.is_some() && raw.len() != 2 {
        bail!(
            "--sprt compares two configs, and {} are given; name two, or use --until-clear",
            raw.len()
        );
    }
    // Told before the policies are tried out, which takes a while.
    Schedule::new(game, format, raw.len(), players)?;
    if let Some(uma) = &args.uma
        && uma.len() != usize::from(players)
    {
        bail!(
            "--uma has values for {} places, and there are {players}",
            uma.len()
        );
    }
    let prepared = prepare_raw(raw, Purpose::Policy { game, players }, kept_files)?;
    start_builtin(&prepared).await?;
    let Prepared {
        mut bots,
        libraries,
    } = prepared;
    tell_apart(&mut bots);
    let earlier = args
        .out
        .as_deref()
        .map(earlier_arguments)
        .transpose()?
        .flatten();
    let earlier_seed = earlier.as_ref().map(|earlier| earlier.seed);
    let seed = args
        .seed
        .or(earlier_seed)
        .unwrap_or_else(|| fastrand::u64(..u64::from(u32::MAX)));
    let is_riichi = game == GameKind::Riichi;
    let mut arguments = Arguments {
        program: program(args.out.is_some() || args.results.is_some())?,
        game,
        seed,
        format,
        players,
        rules: is_riichi.then(|| args.rules.map_or(Ruleset::Tenhou, Into::into)),
        length: is_riichi.then(|| args.length.map_or(TournamentLength::Half, Into::into)),
        games: 0,
        uma: args.uma.clone(),
        until_clear: None,
        sprt: args.sprt,
        luck: None,
        think_ms: args.think_ms,
        configs: bots.iter().map(competitor).collect(),
    };
    arguments.luck = lab::game::luck::version(&arguments.game_rules());
    arguments.until_clear = args.until_clear.then_some(UntilClear {
        by: args.by,
        adjusted: arguments.luck.is_some(),
    });
    if args.anchor {
        require_anchor(&arguments)?;
    }
    // In whole walls, so that different inputs with the same meaning give the same number.
    let schedule = Schedule::new(game, format, bots.len(), players)?;
    arguments.games = schedule.walls(games) * schedule.seatings().len() as u64;
    if let (Some(path), Some(earlier)) = (&args.out, &earlier) {
        refuse_other(path, earlier, &arguments, games)?;
    }
    let shard = args.shard.unwrap_or_default();
    let mut plan = arguments.plan(shard, jobs(args.jobs))?;
    let differences = args
        .record_differences
        .as_deref()
        .map(|folder| DifferenceWriter::open(folder, &arguments, &plan.schedule))
        .transpose()?;
    if differences.is_some() {
        plan.taken_down.records = true;
    }
    let kept = if args.out.is_some() {
        ", walls that were played are kept"
    } else {
        ", without results"
    };
    let work = StoppableWork::listen(kept)?;
    say(introduction(&arguments, &plan) + &competitors(&bots));

    let kept = database
        .map(|database| KeptTournament::begin(database, &arguments, &plan))
        .transpose()?;
    let results = match &args.out {
        Some(path) => ResultsFile::open(path, arguments, shard)?,
        None => ResultsFile::unwritten(arguments, shard),
    };
    if let (Some(path), known @ 1..) = (&args.out, results.walls.len()) {
        note(format!(
            "{} already holds {known} of {} walls; resuming there.",
            path.display(),
            shard.len(plan.walls)
        ));
        if let Some(kept) = &kept {
            note(format!(
                "Those of them that were played without --results are not in {}.",
                kept.database()
            ));
        }
    }

    let standing = LiveStanding::new(&results.arguments, &plan, &results.walls);
    let subject = PageSubject::Tournament(Arc::new(standing.clone()));
    let page = args.page.serve(None, subject)?;
    let start = Instant::now();
    let limited = |bot| Entrant {
        limit: think.map(TimeLimit::new),
        ..entrant(bot, &libraries)
    };
    let entrants: Vec<Entrant> = bots.iter().map(limited).collect();
    let (played_plan, known) = (plan.clone(), results.walls.clone());
    let played = work
        .run(move |stop| {
            let writer = ResultsWriter::new(results, kept, differences);
            play(&entrants, &played_plan, known, writer, stop, &standing)
        })
        .await?;
    let (mut results, played, played_games, all_kept) =
        played.with_context(|| match &args.out {
            Some(path) => format!(
                "stopped now; run the same command again to resume from {}",
                path.display()
            ),
            None => "stopped now, without results".to_owned(),
        })??;
    let took = start.elapsed();
    drop(page);

    results.finish()?;
    let file = for_users(results);
    let Some(result) = file.result()? else {
        if file.shard.len(plan.walls) == 0 {
            say(format!(
                "There are fewer walls than shards: shard {shard} has none."
            ));
            return Ok(success(true));
        }
        bail!("stopped before the first wall had been played in all seatings; there are no results")
    };
    say(format!(
        "\n{}\n{}\n{}",
        tables(&result),
        closing_words(&result),
        conclusion(&result)
    ));
    if args.anchor {
        let table = anchored_table(&file.arguments, &result);
        say(format!("\n{}", table.narrow()));
    }
    note(times(&bots, &played.times, took, played_games, &plan));
    Ok(success(all_kept))
}

/// The files that the options name, from which policies are kept.
fn files_of(args: &TournamentArgs, database: Option<&ResultsDatabase>) -> CommandFiles {
    let results = database.map_or_else(Vec::new, ResultsDatabase::files);
    let outs = complete(args.out.clone())
        .into_iter()
        .flat_map(|out| [journal_of(&out), out]);
    let mut files = args.page.files();
    files.secrets.extend(
        complete(args.password_file.clone())
            .into_iter()
            .map(|file| (file, "--password-file")),
    );
    files
        .stored
        .extend(outs.map(|file| (file, "--out")).chain(results));
    let differences = complete(args.record_differences.clone());
    files.stored.extend(
        differences
            .into_iter()
            .map(|folder| (folder, "--record-differences")),
    );
    files
}

/// The arguments of the tournament in a results file, if it exists.
fn earlier_arguments(path: &Path) -> anyhow::Result<Option<Arguments>> {
    Ok(ResultsFile::read(path)?.map(|file| file.arguments))
}

/// Refuses the results file of a tournament of other configs or of another length. Its journal
/// refuses every other difference.
fn refuse_other(
    path: &Path,
    there: &Arguments,
    here: &Arguments,
    games: u64,
) -> anyhow::Result<()> {
    const NEXT_STEP: &str = "name another file, or remove it to begin anew";
    let name = path.display();
    let (configs, number) = (here.configs.len(), there.configs.len());
    if configs != number {
        bail!(
            "{name} holds a tournament of {number} configs, and this one has {configs}; {NEXT_STEP}"
        );
    }
    // A name may be numbered, since a config may be given several times.
    let same = |there: &Competitor, here: &Competitor| {
        *there
            == Competitor {
                name: there.name.clone(),
                ..here.clone()
            }
    };
    let pairs = there
        .configs
        .iter()
        .zip(&here.configs)
        .filter(|(there, here)| !same(there, here));
    let differing = pairs.map(|(there, here)| match (&there.config, &here.config) {
        (one, other) if one == other => {
            format!(
                "{} has changed since: its policy, build, parameters with their files, or think_ms",
                shown(one)
            )
        }
        (one, other) => format!(
            "{} played there, and {} plays here",
            shown(one),
            shown(other)
        ),
    });
    let differing: Vec<String> = differing.collect();
    if !differing.is_empty() {
        bail!(
            "{name} holds a tournament of other configs: {}; {NEXT_STEP}",
            differing.join("; ")
        );
    }
    if there.games != here.games {
        bail!(
            "{name} holds a tournament of {} games, and this one has --games {games}; a file cannot be extended: {NEXT_STEP}",
            there.games
        );
    }
    Ok(())
}

fn refuse_riichi_options(args: &TournamentArgs, game: GameKind) -> anyhow::Result<()> {
    let only_riichi = [
        ("--rules", args.rules.is_some()),
        ("--length", args.length.is_some()),
        ("--uma", args.uma.is_some()),
    ];
    match only_riichi.into_iter().find(|(_, given)| *given) {
        Some((option, _)) if game != GameKind::Riichi => {
            let why = if option == "--uma" {
                "is compared by points"
            } else {
                "is one hand by the rules of Botzone"
            };
            bail!("{option} is for tournaments of riichi; a game of {game} {why}: leave it out")
        }
        _ => Ok(()),
    }
}

/// Plays; returns the results, the number of games played, and whether all are stored or will be.
fn play(
    entrants: &[Entrant],
    plan: &Plan,
    known: Walls,
    mut writer: ResultsWriter,
    stop: &AtomicBool,
    standing: &LiveStanding,
) -> anyhow::Result<(ResultsFile, PlayedWalls, u64, bool)> {
    let table = standing.live_table();
    let mut games = 0;
    let played = run(entrants, plan, known, stop, |progress| match progress {
        TournamentProgress::Game(id, game) => {
            games += 1;
            writer.game(id, game);
            standing.game();
        }
        TournamentProgress::Wall(wall, played) => {
            standing.wall(played);
            // Nothing more is played that could not be kept.
            stop.fetch_or(!writer.wall(wall, played), Ordering::Relaxed);
        }
    });
    drop(table);
    let all_known = games == 0 && !stop.load(Ordering::Relaxed);
    let (results, all_kept) = writer.finish(all_known)?;
    Ok((results, played?, games, all_kept))
}
