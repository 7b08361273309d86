//! The lines about bots. The line about a finished game is printed when its result is stored.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use client::bot::{BotEvent, NamedBotEvent};
use results::{ReceiptState, ResultsReceipt};
use say::output::say;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};
use view::web::RecentLog;

use super::super::news::bot_line;

/// Maximum time that a line waits until the result of its game is stored: the disk may hang.
const KEEP_TIMEOUT: Duration = Duration::from_secs(5);

/// Prints the events of bots, each bot's lines in order.
pub(super) struct BotLines {
    /// Whether the lines also go to the log, for readers who see only the log.
    in_log: bool,
    /// The log of the page.
    log: Option<RecentLog>,
    /// The lines of bots whose game has ended and is not stored yet; the line about that game is
    /// the first.
    held: HashMap<Arc<str>, VecDeque<HeldLine>>,
    /// The receipts of the games whose lines are first in `held`.
    receipts: JoinSet<(Arc<str>, ReceiptState)>,
}

struct HeldLine {
    event: BotEvent,
    receipt: Option<ResultsReceipt>,
    until: Instant,
}

impl BotLines {
    pub(super) fn new(in_log: bool, log: Option<RecentLog>) -> Self {
        Self {
            in_log,
            log,
            held: HashMap::new(),
            receipts: JoinSet::new(),
        }
    }

    /// Prints or holds back the line about an event.
    pub(super) fn take(
        &mut self,
        NamedBotEvent {
            bot,
            event,
            receipt,
        }: NamedBotEvent,
    ) {
        let line = HeldLine {
            event,
            receipt,
            until: Instant::now() + KEEP_TIMEOUT,
        };
        match self.held.get_mut(&bot) {
            Some(lines) => lines.push_back(line),
            None => self.print(bot, VecDeque::from([line])),
        }
    }

    pub(super) fn is_holding(&self) -> bool {
        !self.receipts.is_empty()
    }

    /// Waits for the next line that may be printed, and prints it. Dropping the future loses
    /// nothing.
    pub(super) async fn release(&mut self) {
        let Some(Ok((bot, state))) = self.receipts.join_next().await else {
            return;
        };
        let Some(mut lines) = self.held.remove(&bot) else {
            return;
        };
        if let Some(HeldLine { event, .. }) = lines.pop_front() {
            self.tell(&bot, &event, state);
        }
        self.print(bot, lines);
    }

    /// Prints lines up to the first that must wait.
    fn print(&mut self, bot: Arc<str>, mut lines: VecDeque<HeldLine>) {
        while let Some(HeldLine {
            event,
            receipt,
            until,
        }) = lines.front()
        {
            let state = receipt
                .as_ref()
                .map_or(ReceiptState::Kept, ResultsReceipt::state);
            if let (ReceiptState::Pending, Some(receipt)) = (state, receipt) {
                let (name, receipt, until) = (Arc::clone(&bot), receipt.clone(), *until);
                self.receipts.spawn(async move {
                    (
                        name,
                        timeout_at(until, receipt.settled())
                            .await
                            .unwrap_or(ReceiptState::Pending),
                    )
                });
                self.held.insert(bot, lines);
                return;
            }
            self.tell(&bot, event, state);
            lines.pop_front();
        }
    }

    fn tell(&self, bot: &str, event: &BotEvent, result: ReceiptState) {
        let Some(mut line) = bot_line(bot, event) else {
            return;
        };
        line.push_str(match result {
            ReceiptState::Kept => "",
            ReceiptState::Pending => {
                "; its result is not kept yet: neither the disk nor the database has taken it"
            }
            ReceiptState::Lost => {
                "; its result is lost: neither the disk nor the database takes it"
            }
        });
        if self.in_log {
            match event {
                BotEvent::Dropped(_)
                | BotEvent::Aborted(_)
                | BotEvent::AwaitsPolicy
                | BotEvent::Waiting { .. } => {
                    tracing::warn!(bot, "{line}");
                }
                BotEvent::Finished(_) if result != ReceiptState::Kept => {
                    tracing::warn!(bot, "{line}")
                }
                BotEvent::Ended(_) => tracing::error!(bot, "{line}"),
                _ => tracing::info!(bot, "{line}"),
            }
        } else if let Some(log) = &self.log {
            log.tell(bot, &line);
        }
        say(line);
    }
}
