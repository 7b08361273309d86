//! `danger`: the figures of `riichi::danger`, measured anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use client::shutdown::Shutdown;
use policy_host::{DirectThread, GameKind, Sha256};
use riichi::Rules;

use super::entrants::{competitor, entrant, program};
use super::known_games::{play_known, read_known};
use super::success;
use super::whole_file::{beside, open_alone, read, replace};
use crate::config::PLAYERS;
use crate::fleet::{Prepared, Purpose, prepare};
use crate::output::say;
use lab::danger::{CountedRecord, DangerArguments, DangerFile, Item};
use lab::game::Entrant;
use lab::part::{Shard, ShardPart, check_parts, differences};

/// After how many records and games the file is written.
const WRITE_EVERY: u64 = 100;

/// What to count in.
#[derive(Debug, Clone)]
pub struct DangerOptions {
    /// Records with all hands known.
    pub records: Vec<PathBuf>,
    /// How many sit at a table, 4 or 3.
    pub players: u8,
    /// How many games to play and count in.
    pub games: u32,
    /// Who plays them.
    pub bots: Vec<PathBuf>,
    /// Decides their walls and the bots' randomness.
    pub seed: u64,
    /// Where to write the counts.
    pub out: Option<PathBuf>,
    /// Which part of the records and games to count in.
    pub shard: Option<Shard>,
}

impl DangerOptions {
    /// The command that measures this, however it is divided.
    fn command(&self) -> String {
        let mut words = vec!["bot-runner danger".to_owned()];
        if self.players != PLAYERS {
            words.push(format!("--players {}", self.players));
        }
        words.extend(self.records.iter().map(|record| record.display().to_string()));
        if self.games > 0 {
            words.push(format!("--games {} --seed {}", self.games, self.seed));
            words.extend(self.bots.iter().map(|bot| format!("--bot {}", bot.display())));
        }
        words.join(" ")
    }
}

/// Counts in records and in games played for it, and prints the figures as their source file has them.
///
/// # Errors
///
/// When a record cannot be read or hides hands, a config is wrong, a game cannot be played, or the file of counts is
/// another command's or cannot be written.
pub fn danger(options: &DangerOptions) -> anyhow::Result<ExitCode> {
    let (competitors, entrants) = if options.games > 0 {
        let Prepared { bots, libraries } =
            prepare(&options.bots, Purpose::Policy { game: GameKind::Riichi, players: options.players })?;
        (bots.iter().map(competitor).collect(), bots.iter().map(|bot| entrant(bot, &libraries)).collect())
    } else {
        (Vec::new(), Vec::new())
    };
    let arguments = DangerArguments {
        program: program(options.out.is_some())?,
        command: options.command(),
        players: options.players,
        records: options.records.iter().map(|file| counted_record(file, options)).collect::<anyhow::Result<_>>()?,
        games: options.games.into(),
        seed: options.seed,
        bots: competitors,
    };
    if arguments.items() == 0 {
        bail!("there is nothing to count in; name mjai records, or say --games N --bot CONFIG");
    }
    let shard = options.shard.unwrap_or_default();
    // Held to the end.
    let _lock = match &options.out {
        Some(path) => {
            read(path).with_context(|| format!("{} cannot be used for counts", path.display()))?;
            let lock = open_alone(&beside(path, ".lock")).with_context(|| cannot_write(path))?;
            Some(lock.with_context(|| format!("{} is being written by another process", path.display()))?)
        }
        None => None,
    };
    let stop = Arc::new(AtomicBool::new(false));
    Shutdown::new().listen({
        let stop = Arc::clone(&stop);
        move |_| stop.store(true, Ordering::Relaxed)
    })?;
    let result = count(options, arguments, shard, &entrants, &stop);
    if let Some(path) = &options.out {
        let _ = fs::remove_file(beside(path, ".lock"));
    }
    let file = result?;
    if !shard.is_whole() {
        eprintln!("Shard {shard}: counted in {} of {} records and games.", file.done, file.arguments.items());
        return Ok(success(true));
    }
    print(&file)
}

/// Puts the counts of all shards together, and prints the figures.
///
/// # Errors
///
/// When a part cannot be read, parts do not belong together, overlap or are missing, or the whole cannot be written.
pub fn merge(parts: &[PathBuf], out: Option<&Path>) -> anyhow::Result<ExitCode> {
    let mut files: Vec<DangerFile> = Vec::new();
    for path in parts {
        let name = path.display();
        let content = read(path).with_context(|| format!("{name} cannot be read"))?;
        files.push(read_counts(path, &content.with_context(|| format!("{name} is not there; is the path right?"))?)?);
    }
    let checked: Vec<ShardPart> =
        parts.iter().zip(&files).map(|(path, file)| file.part(&path.display().to_string())).collect();
    check_parts(&checked)?;
    let Some(first) = files.first() else { bail!("there are no parts") };
    let mut whole = DangerFile::new(first.arguments.clone(), Shard::WHOLE);
    files.iter().for_each(|file| whole.add(file));
    if let Some(out) = out {
        if parts
            .iter()
            .any(|part| part.canonicalize().is_ok_and(|part| out.canonicalize().is_ok_and(|out| part == out)))
        {
            bail!("{} is one of the parts; name another file for the whole", out.display());
        }
        if let Some(content) = read(out).with_context(|| format!("{} cannot be used for counts", out.display()))?
            && !DangerFile::read(&content).is_ok_and(|there| there.arguments == whole.arguments)
        {
            bail!("{} is there already, and is not of these counts; name another file, or remove it", out.display());
        }
        replace(out, &whole.content()).with_context(|| cannot_write(out))?;
    }
    print(&whole)
}

fn print(file: &DangerFile) -> anyhow::Result<ExitCode> {
    if file.counter.rounds() == 0 {
        bail!("there is no round to count in; name mjai records, or say --games N --bot CONFIG");
    }
    say(file.source().trim_end());
    Ok(success(true))
}

fn counted_record(file: &Path, options: &DangerOptions) -> anyhow::Result<CountedRecord> {
    let name = file.display().to_string();
    let content = || fs::read(file).with_context(|| format!("{name} cannot be opened; is the path right?"));
    let sha256 = options.out.as_ref().map(|_| anyhow::Ok(Sha256::of(&content()?).to_string())).transpose()?;
    Ok(CountedRecord { file: name, sha256 })
}

fn read_counts(path: &Path, content: &[u8]) -> anyhow::Result<DangerFile> {
    DangerFile::read(content).with_context(|| {
        format!("{} cannot be used; restore it, or remove it and count its part again", path.display())
    })
}

fn cannot_write(path: &Path) -> String {
    format!("the counts cannot be written to {}", path.display())
}

/// What was counted before by the same command, or nothing.
fn begin(path: &Path, arguments: DangerArguments, shard: Shard) -> anyhow::Result<DangerFile> {
    let name = path.display();
    let Some(content) = read(path).with_context(|| format!("{name} cannot be read"))? else {
        return Ok(DangerFile::new(arguments, shard));
    };
    let file = read_counts(path, &content)?;
    let (there, here) = (file.part("").arguments, DangerFile::new(arguments, shard).part("").arguments);
    let mut differing = differences(&there, &here);
    if file.shard != shard {
        differing.insert(0, format!("shard is {} and {shard}", file.shard));
    }
    if !differing.is_empty() {
        bail!(
            "{name} holds other counts: {} (first there, then here); name another file, or remove that one to begin anew",
            differing.join("; ")
        );
    }
    eprintln!("{name} holds {} records and games already; going on there.", file.done);
    Ok(file)
}

fn count(
    options: &DangerOptions,
    arguments: DangerArguments,
    shard: Shard,
    entrants: &[Entrant],
    stop: &AtomicBool,
) -> anyhow::Result<DangerFile> {
    let mut file = match &options.out {
        Some(path) => begin(path, arguments, shard)?,
        None => DangerFile::new(arguments, shard),
    };
    let write = |file: &DangerFile| match &options.out {
        Some(path) => replace(path, &file.content()).with_context(|| {
            format!("{}; what it holds is kept, and the same command goes on there", cannot_write(path))
        }),
        None => Ok(()),
    };
    write(&file)?;
    let rules = Rules::TENHOU_HALF.with_players(options.players);
    let counted = DirectThread::run("danger", |thread| {
        for item in file.left() {
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            file.counter.next_game();
            match item {
                Item::Record(index) => {
                    let counter = &mut file.counter;
                    read_known(&options.records[index], |event| counter.apply(event))?;
                }
                Item::Game(number) => {
                    let counter = &mut file.counter;
                    play_known(thread, rules, (options.seed, number), entrants, |event| counter.apply(event))
                        .with_context(|| item.to_string())?;
                }
            }
            file.done += 1;
            if file.done % WRITE_EVERY == 0 {
                write(&file)?;
            }
        }
        anyhow::Ok(())
    });
    counted.context("the games cannot be played")??;
    write(&file)?;
    let of = shard.len(file.arguments.items());
    match &options.out {
        _ if file.done == of => Ok(file),
        Some(path) => bail!(
            "stopped after {} of {of} records and games; the same command goes on with what {} holds",
            file.done,
            path.display()
        ),
        None => bail!("stopped after {} of {of} records and games; --out keeps what was counted", file.done),
    }
}
