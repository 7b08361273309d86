//! A bot, with everything that it needs to play.

use std::sync::Arc;
use std::time::SystemTime;

use lab_stats::SeatCounts;
use results::{GameTrouble, ResultRow, ResultsKeeper, ResultsReceipt};
use riichi::Rules;
use tokio::sync::mpsc;

use super::arena::Arena;
use super::backoff::Patience;
use super::event::{BotEvent, NamedBotEvent};
use super::turns::PermitPool;
use crate::game_report::GameReport;
use crate::kept_game::{GameResult, milliseconds};
use crate::records::{Keeper, PolicyNote};

/// A bot at an arena.
#[derive(Debug, Clone)]
pub struct Bot {
    pub name: Arc<str>,
    pub arena: Arena,
    pub rules: Rules,
    /// The turn to queue, if bots of this process must not queue together.
    pub turn: Option<PermitPool>,
    /// The records of its ranked games, if they are kept.
    pub records: Option<Keeper>,
    /// The results of its ranked games, if they are stored.
    pub results: Option<ResultsKeeper>,
    /// Permits for games, if the number of simultaneous games is limited: one is held from before
    /// the bot queues until its connection has ended.
    pub permits: Option<PermitPool>,
    /// Its time limits and delays.
    pub patience: Patience,
    /// Whether it continues with further games when its policy has been set aside: a table of
    /// `play` needs all its bots.
    pub plays_while_set_aside: bool,
    /// Receives the events of the bot.
    pub news: mpsc::UnboundedSender<NamedBotEvent>,
}

impl Bot {
    pub fn tell(&self, event: BotEvent) {
        self.send(event, None);
    }

    /// The result is passed on first and stored in parallel: the line about the game waits for
    /// that, the bot does not.
    pub(super) fn tell_finished(&self, game: GameReport, result: impl FnOnce() -> ResultRow) {
        let receipt = self
            .results
            .as_ref()
            .map(|keeper| keeper.keep(vec![result()]));
        self.send(BotEvent::Finished(game), receipt);
    }

    /// A finished game, in the form of the results database.
    pub(super) fn result_of(
        &self,
        game: &GameReport,
        counts: Option<(&SeatCounts, GameTrouble)>,
        deciders: Vec<PolicyNote>,
        names: &[String],
        opened: SystemTime,
    ) -> ResultRow {
        let result = GameResult {
            bot: &self.name,
            arena: self.arena.to_string(),
            game: self.arena.game(),
            opened_ms: milliseconds(opened.into()),
            ended_ms: milliseconds(SystemTime::now().into()),
            seat: game.seat,
            place: game.place,
            scores: game.scores.as_slice(),
            counts: counts.map(|(counts, _)| counts),
            deciders,
            names,
            trouble: counts.map(|(_, trouble)| trouble),
        };
        result.result()
    }

    fn send(&self, event: BotEvent, receipt: Option<ResultsReceipt>) {
        // Without a listener the bot continues.
        let _ = self.news.send(NamedBotEvent {
            bot: Arc::clone(&self.name),
            event,
            receipt,
        });
    }
}
