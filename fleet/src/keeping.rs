//! The keepers of a bot's records and results.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use client::bot::Arena;
use client::records::{GamesAbout, Keeper, KeeperOptions};
use config::BotConfig;
use results::{DatabaseAddress, KeptCounts, ResultsKeeper};
use riichi::Rules;

use super::prepare::ReadyBot;

/// Starts keeping the records that a config asks for; `None` if it asks for none.
///
/// # Errors
///
/// If they cannot be kept there.
pub(super) fn keeper(config: &BotConfig, arena: &Arena, rules: Rules) -> io::Result<Option<Keeper>> {
    let Some(records) = config.records.clone() else { return Ok(None) };
    let about = GamesAbout {
        runner: env!("CARGO_PKG_VERSION").to_owned(),
        bot: config.name.clone(),
        arena: arena.to_string(),
        protocol: arena.protocol().to_owned(),
        game: arena.game().name().to_owned(),
        players: rules.players,
        config_sha256: config.digest().to_string(),
    };
    let (folder, retention) = (records.folder, records.retention);
    Keeper::start(KeeperOptions { folder, retention, about, rules, token: arena.token().cloned() }).map(Some)
}

/// Maximum wait for the database when all bots have ended; results that it lacks then wait in the spool.
const FINISH_TIMEOUT: Duration = Duration::from_secs(10);

/// The keepers of the bots' results: bots that name the same database share one.
#[derive(Debug, Default)]
pub(super) struct ResultsKeepers(Vec<(DatabaseAddress, PathBuf, ResultsKeeper)>);

impl ResultsKeepers {
    /// The keeper of a bot's results; `None` if its config asks for none.
    ///
    /// # Errors
    ///
    /// If they cannot be kept.
    pub(super) fn of(&mut self, bot: &ReadyBot) -> io::Result<Option<ResultsKeeper>> {
        let Some(section) = bot.config.results.clone() else { return Ok(None) };
        let same = |(database, spool, _): &&(DatabaseAddress, PathBuf, _)| {
            (database, spool) == (&section.database, &section.spool)
        };
        if let Some((_, _, keeper)) = self.0.iter().find(same) {
            return Ok(Some(keeper.clone()));
        }
        let keeper = ResultsKeeper::start(section.database.clone(), bot.results_password.clone(), &section.spool)?;
        self.0.push((section.database, section.spool, keeper.clone()));
        Ok(Some(keeper))
    }

    /// Waits until the databases have everything, though not for long; what became of it, database by database. Blocks.
    pub(super) fn finish(&self) -> Vec<KeptResults> {
        let kept = |(database, spool, keeper): &(DatabaseAddress, PathBuf, ResultsKeeper)| KeptResults {
            database: database.to_string(),
            spool: spool.clone(),
            counts: keeper.finish(FINISH_TIMEOUT),
        };
        self.0.iter().map(kept).collect()
    }
}

/// The counts of the results for a database.
#[derive(Debug)]
pub struct KeptResults {
    /// The database's address.
    pub database: String,
    /// The folder in which results wait for it.
    pub spool: PathBuf,
    pub counts: KeptCounts,
}
