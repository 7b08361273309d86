//! `figures belief`: fits and checks the figures of `riichi::belief`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use bot_runner::output::say;
use clap::Args;
use riichi::belief::figures::measured;

use crate::KnownGames;
use crate::belief::{Check, Observer, Samples, Seen, fit};
use crate::known_games::{GameEvent, each_event};

/// The games to fit to, or to check on.
#[derive(Debug, Args)]
pub(crate) struct BeliefArgs {
    #[command(flatten)]
    games: KnownGames,
    /// Keep the games that are played as records in this folder
    #[arg(long, value_name = "FOLDER", requires = "games")]
    keep: Option<PathBuf>,
    /// Check the figures that were fitted on these records, and say so on standard error
    #[arg(long, value_name = "RECORD", num_args = 1.., conflicts_with = "check")]
    held_out: Vec<PathBuf>,
    /// Fit nothing, and check the figures of this program
    #[arg(long)]
    check: bool,
    /// Draw the calibration into this file, as SVG
    #[arg(long, value_name = "FILE", requires = "check")]
    plot: Option<PathBuf>,
}

/// Fits the figures to games and prints them in the form of their source file; or compares those of this program with
/// games and prints the agreement.
///
/// # Errors
///
/// If a record cannot be read or hides hands, a config is wrong, a game cannot be played, or a file cannot be
/// written.
pub(crate) fn belief_figures(args: &BeliefArgs) -> anyhow::Result<()> {
    let games = &args.games;
    let rounds = if args.check {
        let mut check = Check::new(measured(games.players).clone(), games.seed);
        let rounds = each_moment(args, games, |seen| check.take(seen))?;
        if rounds > 0 {
            say(check.to_string().trim_end());
            if let Some(file) = &args.plot {
                let drawing = check.plot(&format!("figures belief --check {}", games.in_words()));
                fs::write(file, drawing).with_context(|| format!("{} cannot be written", file.display()))?;
            }
        }
        rounds
    } else {
        let mut samples = Samples::new(games.seed);
        let rounds = each_moment(args, games, |seen| samples.take(seen))?;
        if rounds > 0 {
            eprintln!("{rounds} rounds; fitting.");
            let fitted = fit(&samples);
            say(fitted.source(&format!("figures belief {}", games.in_words())).trim_end());
            if !args.held_out.is_empty() {
                let mut check = Check::new(fitted.figures, games.seed);
                let held_out = KnownGames { records: args.held_out.clone(), games: None, ..games.clone() };
                each_moment(args, &held_out, |seen| check.take(seen))?;
                eprintln!("{check}");
            }
        }
        rounds
    };
    if rounds == 0 {
        bail!("no rounds given; name mjai records, or use --games N --bot CONFIG");
    }
    Ok(())
}

/// Shows all moments of all games; how many rounds they have.
fn each_moment(args: &BeliefArgs, games: &KnownGames, mut show: impl FnMut(Seen<'_>) + Send) -> anyhow::Result<u64> {
    let mut observer = Observer::new(games.rules());
    each_event(games, args.keep.as_deref(), |event| match event {
        GameEvent::NextGame => {
            observer.next_game();
            Ok(())
        }
        GameEvent::Event(event) => observer.apply(event, &mut show),
    })?;
    Ok(observer.rounds())
}
