//! `play`: games between bots of this process.

mod bots;
mod game_words;
mod games;
mod lines;
mod open_table;
mod person;
mod records;
mod results;
mod same_wall;
mod seats;

use std::process::ExitCode;

use anyhow::bail;
use client::place::complete;
use config::RawConfig;
use doudizhu::DouDizhuGame;
use fleet::CommandFiles;
use mcr::McrGame;
use policy_host::GameKind;
use riichi::game::RiichiGame;
use view::web::RecentLog;

use self::games::play_games;
pub(super) use self::records::DECISIONS;
use super::entrants::game_of;
use crate::cli::PlayArgs;

/// Plays games between the bots of the configs.
///
/// # Errors
///
/// If a config is wrong, a policy does not start, or a record cannot be written.
pub async fn play(mut args: PlayArgs, log: Option<RecentLog>) -> anyhow::Result<ExitCode> {
    (args.configs, args.record) = (complete(args.configs), complete(args.record).pop());
    let raw: Vec<RawConfig> = args
        .configs
        .iter()
        .map(|file| RawConfig::load(file))
        .collect();
    let game = game_of(args.game, &raw, files_of(&args));
    if args.length.is_some() {
        require_riichi(game)?;
    }
    if args.no_bidding && game != GameKind::DouDizhu {
        bail!(
            "--no-bidding is for games of {}, and this is one of {game}: leave it out",
            GameKind::DouDizhu
        );
    }
    match game {
        GameKind::Riichi => play_games::<RiichiGame>(args, raw, log).await,
        GameKind::Mcr => play_games::<McrGame>(args, raw, log).await,
        GameKind::DouDizhu => play_games::<DouDizhuGame>(args, raw, log).await,
    }
}

/// Refuses `--length` for another game than riichi.
pub(super) fn require_riichi(game: GameKind) -> anyhow::Result<()> {
    if game != GameKind::Riichi {
        bail!("--length is for games of riichi; a game of {game} is one hand: leave it out");
    }
    Ok(())
}

/// The files that the options name, from which policies are kept.
fn files_of(args: &PlayArgs) -> CommandFiles {
    let stored = args
        .record
        .clone()
        .into_iter()
        .map(|folder| (folder, "--record"));
    CommandFiles {
        stored: stored.collect(),
        ..args.page.files()
    }
}
