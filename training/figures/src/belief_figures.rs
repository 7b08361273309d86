//! `figures belief`: fits and checks the figures of `riichi_estimates::belief`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use riichi_estimates::belief::figures::measured;
use say::output::say;

use crate::KnownGames;
use crate::belief::{Check, Samples, fit};
use crate::known_games::each_moment;

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

/// Fits the figures to games and prints them in the form of their source file; or compares those of
/// this program with games and prints the agreement.
///
/// # Errors
///
/// If a record cannot be read or hides hands, a config is wrong, a game cannot be played, or a file
/// cannot be written.
pub(crate) fn belief_figures(args: &BeliefArgs) -> anyhow::Result<()> {
    let (games, keep) = (&args.games, args.keep.as_deref());
    let rounds = if args.check {
        let mut check = Check::new(measured(games.players()).clone(), games.seed);
        let rounds = each_moment(games, keep, |seen| check.take(seen))?;
        if rounds > 0 {
            say(check.to_string().trim_end());
            if let Some(file) = &args.plot {
                let drawing = check.plot(&format!("figures belief --check {}", games.in_words()));
                fs::write(file, drawing)
                    .with_context(|| format!("{} cannot be written", file.display()))?;
            }
        }
        rounds
    } else {
        let mut samples = Samples::new(games.seed);
        let rounds = each_moment(games, keep, |seen| samples.take(seen))?;
        if rounds > 0 {
            eprintln!("{rounds} rounds; fitting.");
            let fitted = fit(&samples);
            say(fitted
                .file(&format!("figures belief {}", games.in_words()))
                .trim_end());
            if !args.held_out.is_empty() {
                let mut check = Check::new(fitted.figures, games.seed);
                let held_out = KnownGames {
                    records: args.held_out.clone(),
                    games: None,
                    ..games.clone()
                };
                each_moment(&held_out, keep, |seen| check.take(seen))?;
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
