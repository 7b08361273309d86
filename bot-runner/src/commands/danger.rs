//! `danger`: the figures of `mahjong::danger`, measured anew.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use mahjong::{PerSeat, Rules};
use policy_host::DirectThread;

use super::entrants::entrant;
use super::success;
use crate::config::PLAYERS;
use crate::fleet::{Prepared, Purpose, prepare};
use crate::output::say;
use lab::danger::Counter;
use lab::record::Record;
use lab::tournament::{DecisionTimes, Entrant, GameId, play};

/// What to count in.
#[derive(Debug, Clone)]
pub struct DangerOptions {
    /// Records with all hands known.
    pub records: Vec<PathBuf>,
    /// How many games to play and count in.
    pub games: u32,
    /// Who plays them.
    pub bots: Vec<PathBuf>,
    /// Decides their walls and the bots' randomness.
    pub seed: u64,
}

impl DangerOptions {
    /// The command that measures this.
    fn command(&self) -> String {
        let mut words = vec!["bot-runner danger".to_owned()];
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
/// When a record cannot be read or hides hands, a config is wrong, or a game cannot be played.
pub fn danger(options: &DangerOptions) -> anyhow::Result<ExitCode> {
    let mut counter = Counter::new(Rules::TENHOU_HALF);
    for file in &options.records {
        count_record(&mut counter, file)?;
    }
    if options.games > 0 {
        count_games(&mut counter, options)?;
    }
    if counter.rounds() == 0 {
        bail!("there is no round to count in; name mjai records, or say --games N --bot CONFIG");
    }
    say(counter.source(&options.command()).trim_end());
    Ok(success(true))
}

fn count_record(counter: &mut Counter, file: &Path) -> anyhow::Result<()> {
    let name = file.display();
    let record = Record::open(file).with_context(|| format!("{name} cannot be opened; is the path right?"))?;
    for entry in record {
        let (line, event) = entry.with_context(|| format!("{name} cannot be read on"))?;
        counter.apply(&event).with_context(|| format!("{name}, line {line}"))?;
    }
    Ok(())
}

fn count_games(counter: &mut Counter, options: &DangerOptions) -> anyhow::Result<()> {
    let Prepared { bots, libraries } = prepare(&options.bots, Purpose::Policy { players: PLAYERS })?;
    let entrants: Vec<Entrant> = bots.iter().map(|bot| entrant(bot, &libraries)).collect();
    DirectThread::run("danger", |thread| play_games(thread, counter, options, &entrants))
        .context("the games cannot be played")?
}

fn play_games(
    thread: &DirectThread,
    counter: &mut Counter,
    options: &DangerOptions,
    entrants: &[Entrant],
) -> anyhow::Result<()> {
    let mut times = vec![DecisionTimes::default(); entrants.len()];
    for number in 1..=options.games {
        // The bots move on by a seat from game to game.
        let seats = PerSeat::from_fn(PLAYERS, |seat| {
            let index = (seat.index() + number as usize) % entrants.len();
            (index, &entrants[index])
        });
        let id = GameId { seed: options.seed, wall: u64::from(number), seating: 0 };
        let mut counted = Ok(());
        play(thread, seats, Rules::TENHOU_HALF, id, &mut times, |event| {
            if counted.is_ok() {
                counted = counter.apply(event);
            }
        })
        .with_context(|| format!("game {number} cannot be played"))?;
        counted.with_context(|| format!("game {number}"))?;
    }
    Ok(())
}
