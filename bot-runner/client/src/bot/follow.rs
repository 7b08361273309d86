//! Plays out a connection, and reports on it meanwhile.

use riichi::Event;
use tokio::sync::Notify;
use tokio::time::sleep;

use lab_stats::SeatCounter;

use super::connection::{ConnectionEnd, play_and_watch};
use super::event::BotEvent;
use super::policy::BotPolicy;
use super::report::BotReport;
use super::setup::Bot;
use super::turns::Admission;
use crate::records::Recorder;
use crate::session::{Dialect, GameState, SessionEnd};
use crate::shutdown::Shutdown;
use crate::transport::Connection;

/// A connection that was just opened, with its game and its recorder.
pub(super) struct OpenedConnection<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) session: &'a mut dyn Dialect,
    pub(super) recorder: &'a mut Recorder,
}

impl Bot {
    /// Plays out a connection. Returns how it ended and what each seat did. The turn to queue is
    /// released when the game begins.
    pub(super) async fn follow(
        &self,
        opened: OpenedConnection<'_>,
        bot_policy: &mut BotPolicy,
        report: &mut BotReport,
        shutdown: &Shutdown,
        admission: &Admission,
    ) -> (ConnectionEnd, SeatCounter) {
        let OpenedConnection {
            connection,
            session,
            recorder,
        } = opened;
        let mut started = false;
        let mut counts = SeatCounter::new(self.rules.players);
        let over = Notify::new();
        let mut happened = |event: &Event, game: &GameState| {
            counts.count(event);
            // A game of any kind has begun.
            admission.game_begins();
            if matches!(event, Event::StartGame { .. } | Event::StartKyoku(_)) {
                // If the arena does not name the seat, the first deal shows it.
                if let Some(table) = game.table().filter(|_| !started) {
                    started = true;
                    self.tell(BotEvent::Started(table.seat()));
                }
            }
            if matches!(event, Event::EndGame { .. }) {
                over.notify_one();
            }
        };
        let playing = play_and_watch(
            connection,
            session,
            bot_policy,
            report,
            recorder,
            shutdown,
            &mut happened,
        );
        let verdict_overdue = async {
            over.notified().await;
            sleep(self.patience.verdict).await;
        };
        let end = tokio::select! {
            end = playing => end,
            () = verdict_overdue => ConnectionEnd::Ended(SessionEnd::Game),
        };
        (end, counts)
    }
}
