//! The arena's test of a bot.

use futures_util::future::BoxFuture;

use super::connection::ConnectionEnd;
use super::event::LifeEnd;
use super::follow::OpenedConnection;
use super::policy::BotPolicy;
use super::report::BotReport;
use super::setup::Bot;
use super::turns::Admission;
use crate::game_report::GameReport;
use crate::records::Recorder;
use crate::session::SessionEnd;
use crate::session::riichilab::ConnectionGoal;
use crate::shutdown::Shutdown;
use crate::transport::ConnectError;

impl Bot {
    /// Lets the arena validate the bot.
    ///
    /// The future is boxed so that this crate compiles it, once, and not each crate that awaits it.
    pub fn validate<'a>(
        &'a self,
        bot_policy: &'a mut BotPolicy,
        shutdown: &'a Shutdown,
    ) -> BoxFuture<'a, (BotReport, LifeEnd)> {
        Box::pin(self.play_validation(bot_policy, shutdown))
    }

    async fn play_validation(
        &self,
        bot_policy: &mut BotPolicy,
        shutdown: &Shutdown,
    ) -> (BotReport, LifeEnd) {
        let mut report = BotReport::default();
        let opened = tokio::select! {
            opened = self.arena.open(&self.name, ConnectionGoal::Validation, self.rules, self.patience.connection) => opened,
            () = shutdown.finishing() => return (report, LifeEnd::Stopped),
        };
        let (mut connection, mut session) = match opened {
            Ok(opened) => opened,
            Err(error @ (ConnectError::Refused { .. } | ConnectError::Redirect(_))) => {
                return (report, LifeEnd::Refused(error.to_string()));
            }
            Err(error) => return (report, LifeEnd::GaveUp(error.to_string())),
        };
        let mut recorder = Recorder::off();
        let opened = OpenedConnection {
            connection: &mut connection,
            session: session.as_mut(),
            recorder: &mut recorder,
        };
        let (end, counts) = self
            .follow(
                opened,
                bot_policy,
                &mut report,
                shutdown,
                &Admission::default(),
            )
            .await;
        let game = session.game();
        report.add(game);
        if let Some(played) = GameReport::of(game, &counts) {
            report.played(played);
        }
        let end = match end {
            ConnectionEnd::Stopped => LifeEnd::Stopped,
            ConnectionEnd::Ended(SessionEnd::Validation { passed, reason }) => LifeEnd::Validated {
                passed,
                reason: reason.map(|reason| reason.to_string()),
            },
            ConnectionEnd::Ended(SessionEnd::WrongTable(wrong)) => {
                LifeEnd::WrongTable(self.arena.wrong_table(wrong))
            }
            ConnectionEnd::Ended(SessionEnd::Refused(words)) => {
                LifeEnd::Refused(self.arena.with_advice(&words, &words))
            }
            ConnectionEnd::Ended(SessionEnd::Aborted { words, .. }) => {
                LifeEnd::GaveUp(format!("the arena aborted the game: {words}"))
            }
            ConnectionEnd::Ended(SessionEnd::Game) => {
                LifeEnd::GaveUp("the arena ended the game without a verdict".to_owned())
            }
            // The arena fails a bot that disconnects in its game.
            ConnectionEnd::Lost(closed) if game.in_game() => LifeEnd::Validated {
                passed: false,
                reason: Some(format!("in the middle of the game {closed}")),
            },
            ConnectionEnd::Lost(closed) if game.is_finished() => {
                LifeEnd::GaveUp(format!("after the game and before the verdict {closed}"))
            }
            ConnectionEnd::Lost(closed) => LifeEnd::GaveUp(closed.to_string()),
        };
        connection.close().await;
        (report, end)
    }
}
