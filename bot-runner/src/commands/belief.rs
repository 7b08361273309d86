//! `belief`: the figures of `riichi::belief`, fitted anew and checked.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use client::shutdown::Shutdown;
use lab::belief::{Check, Observer, Samples, Seen, fit};
use lab::game::Entrant;
use lab::record::gzipped;
use policy_host::{DirectThread, GameKind};
use riichi::Rules;
use riichi::belief::figures::measured;

use super::entrants::entrant;
use super::known_games::{play_known, read_known};
use super::success;
use crate::config::PLAYERS;
use crate::fleet::{Prepared, Purpose, prepare};
use crate::output::say;

/// What to fit to, or to check on.
#[derive(Debug, Clone)]
pub struct BeliefOptions {
    /// Records with all hands known.
    pub records: Vec<PathBuf>,
    /// How many sit at a table, 4 or 3.
    pub players: u8,
    /// How many games to play.
    pub games: u32,
    /// Who plays them.
    pub bots: Vec<PathBuf>,
    /// Decides their walls and the bots' randomness, and what is looked at.
    pub seed: u64,
    /// A folder for records of the games that are played.
    pub keep: Option<PathBuf>,
    /// Records to check the new figures on.
    pub held_out: Vec<PathBuf>,
    /// Check the figures of this program instead of fitting new ones.
    pub check: bool,
    /// Where to draw the calibration.
    pub plot: Option<PathBuf>,
}

impl BeliefOptions {
    /// What is looked at, as a command says it.
    fn games_in_words(&self) -> String {
        let mut words: Vec<String> = self.records.iter().map(|record| record.display().to_string()).collect();
        if self.players != PLAYERS {
            words.push(format!("--players {}", self.players));
        }
        if self.games > 0 {
            words.push(format!("--games {} --seed {}", self.games, self.seed));
            words.extend(self.bots.iter().map(|bot| format!("--bot {}", bot.display())));
        }
        words.join(" ")
    }
}

/// Fits the figures to games and prints them as their source file has them; or holds those of this program against games
/// and prints how well they agree.
///
/// # Errors
///
/// When a record cannot be read or hides hands, a config is wrong, a game cannot be played, or a file cannot be written.
pub fn belief(options: &BeliefOptions) -> anyhow::Result<ExitCode> {
    if options.records.is_empty() && options.games == 0 {
        bail!("there is nothing to look at; name mjai records, or say --games N --bot CONFIG");
    }
    let rounds = if options.check {
        let mut check = Check::new(measured(options.players).clone(), options.seed);
        let rounds = each_moment(options, |seen| check.take(seen))?;
        if rounds > 0 {
            say(check.to_string().trim_end());
            if let Some(file) = &options.plot {
                let drawing = check.plot(&format!("bot-runner belief --check {}", options.games_in_words()));
                fs::write(file, drawing).with_context(|| format!("{} cannot be written", file.display()))?;
            }
        }
        rounds
    } else {
        let mut samples = Samples::new(options.seed);
        let rounds = each_moment(options, |seen| samples.take(seen))?;
        if rounds > 0 {
            eprintln!("{rounds} rounds; fitting.");
            let fitted = fit(&samples);
            say(fitted.source(&format!("bot-runner belief {}", options.games_in_words())).trim_end());
            if !options.held_out.is_empty() {
                let mut check = Check::new(fitted.figures, options.seed);
                let held_out = BeliefOptions { records: options.held_out.clone(), games: 0, ..options.clone() };
                each_moment(&held_out, |seen| check.take(seen))?;
                eprintln!("{check}");
            }
        }
        rounds
    };
    if rounds == 0 {
        bail!("there is no round to look at; name mjai records, or say --games N --bot CONFIG");
    }
    Ok(success(true))
}

/// Shows all moments of all games; how many rounds they have.
fn each_moment(options: &BeliefOptions, mut show: impl FnMut(Seen<'_>) + Send) -> anyhow::Result<u64> {
    let entrants: Vec<Entrant> = if options.games > 0 {
        let Prepared { bots, libraries } =
            prepare(&options.bots, Purpose::Policy { game: GameKind::Riichi, players: options.players })?;
        bots.iter().map(|bot| entrant(bot, &libraries)).collect()
    } else {
        Vec::new()
    };
    let stop = Arc::new(AtomicBool::new(false));
    Shutdown::new().listen({
        let stop = Arc::clone(&stop);
        move |_| stop.store(true, Ordering::Relaxed)
    })?;
    if let Some(folder) = &options.keep {
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let rules = Rules::TENHOU_HALF.with_players(options.players);
    let mut observer = Observer::new(rules);
    for file in &options.records {
        check_stop(&stop)?;
        observer.next_game();
        read_known(file, |event| observer.apply(event, &mut show))?;
    }
    if entrants.is_empty() {
        return Ok(observer.rounds());
    }
    let played = DirectThread::run("belief", |thread| {
        for number in 1..=u64::from(options.games) {
            check_stop(&stop)?;
            observer.next_game();
            let mut events = Vec::new();
            let game = play_known(thread, rules, (options.seed, number), &entrants, |event| {
                if options.keep.is_some() {
                    events.push(*event);
                }
                observer.apply(event, &mut show)
            });
            game.with_context(|| format!("game {number}"))?;
            if let Some(folder) = &options.keep {
                let path = folder.join(format!("{}-{number:05}.jsonl.gz", options.seed));
                fs::write(&path, gzipped(&events)).with_context(|| format!("{} cannot be written", path.display()))?;
            }
        }
        anyhow::Ok(())
    });
    played.context("the games cannot be played")??;
    Ok(observer.rounds())
}

fn check_stop(stop: &AtomicBool) -> anyhow::Result<()> {
    if stop.load(Ordering::Relaxed) {
        bail!("stopped; nothing was printed");
    }
    Ok(())
}
