//! Measures the figures of `riichi_estimates::danger`, `riichi_estimates::belief` and
//! `lab::game::luck` again, and prints their files: docs/laboratory.md.
#![forbid(unsafe_code)]

mod belief;
mod belief_figures;
mod danger;
mod danger_figures;
mod known_games;
mod luck_figures;
mod observe;

use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser};
use policy_host::CHILD_COMMAND;
use policy_host::child::serve;

use belief_figures::BeliefArgs;
use luck_figures::LuckArgs;

/// Default number of players.
const PLAYERS: u8 = 4;

/// Measures the figures of danger, belief and luck again, and prints their files.
#[derive(Debug, Parser)]
#[command(version)]
enum FiguresCommand {
    /// Count how often tiles deal in, and print
    /// games/riichi-estimates/src/danger/figures/four_players.txt
    ///
    /// Against each tenpai hand it counts how often the tiles that a discarder held would have
    /// dealt in. With --players 3 the file is three_players.txt. Each row has the samples that it
    /// rests on.
    Danger(KnownGames),
    /// Fit what seats believe of each other, or check it, and print
    /// games/riichi-estimates/src/belief/figures/four_players.txt
    ///
    /// Fits the probabilities that hands are tenpai and win on a tile, the cost of that, and the
    /// hands' contents. With --players 3 the file is three_players.txt. With --check it fits
    /// nothing, and prints how well the figures of this program agree with the games: log losses
    /// next to those of the danger figures on the same decisions, calibration, and whether the
    /// drawn worlds have the same odds.
    Belief(BeliefArgs),
    /// Fit the luck of a game to games that it plays, and print lab/src/game/luck/riichi-four.txt
    ///
    /// The file has a weight for each class of luck, and how much of the variance of a seat's place
    /// or points is left in games that were not fitted to. Results that are adjusted with other
    /// weights have another version. The other files are riichi-three.txt, mcr.txt and doudizhu.txt.
    Luck(LuckArgs),
}

/// Games with nothing hidden.
#[derive(Debug, Clone, Args)]
struct KnownGames {
    /// mjai records that hide no hand, plain or gzipped
    records: Vec<PathBuf>,
    /// Number of players, 4 or 3 [default: 4, and 3 in Dou Dizhu]
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
    players: Option<u8>,
    /// Play this many games
    #[arg(long, value_name = "N", requires = "bots", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// A bot that plays them; several take the seats in turn
    #[arg(long = "bot", value_name = "CONFIG", requires = "games")]
    bots: Vec<PathBuf>,
    /// Walls, the policies' randomness, and the choice of moments
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

impl KnownGames {
    /// The games as a command line names them.
    fn in_words(&self) -> String {
        let mut words = Vec::new();
        if self.players() != PLAYERS {
            words.push(format!("--players {}", self.players()));
        }
        words.extend(
            self.records
                .iter()
                .map(|record| record.display().to_string()),
        );
        if let Some(games) = self.games {
            words.push(format!("--games {games} --seed {}", self.seed));
            words.extend(
                self.bots
                    .iter()
                    .map(|bot| format!("--bot {}", bot.display())),
            );
        }
        words.join(" ")
    }
}

fn main() -> ExitCode {
    // The process of a policy, which this program starts to try it.
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(CHILD_COMMAND)) {
        return serve(builtin::libraries()).unwrap_or_else(|error| {
            eprintln!(
                "figures: a policy's process, which only this program itself can start: {error}"
            );
            ExitCode::FAILURE
        });
    }
    let printed = match FiguresCommand::parse() {
        FiguresCommand::Danger(games) => danger_figures::danger_figures(&games),
        FiguresCommand::Belief(args) => belief_figures::belief_figures(&args),
        FiguresCommand::Luck(args) => luck_figures::luck_figures(&args),
    };
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("figures: {error:#}");
            ExitCode::FAILURE
        }
    }
}
