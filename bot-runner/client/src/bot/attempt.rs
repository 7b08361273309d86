//! One attempt at a ranked game: a turn in the queue, a connection, and its result.

use std::time::{Duration, Instant, SystemTime};

use lab_stats::SeatCounter;
use policy_host::FaultCounts;
use results::GameTrouble;
use tracing::Instrument;

use super::connection::ConnectionEnd;
use super::event::{BotEvent, LifeEnd};
use super::fault::{ConnectionFault, LOST_IN_FIRST_ROUND, LOST_LATER, SPOILED_FOR_OTHERS};
use super::follow::OpenedConnection;
use super::policy::BotPolicy;
use super::report::BotReport;
use super::retry::Retries;
use super::setup::Bot;
use super::turns::{Admission, Permit, PermitPool};
use crate::game_report::GameReport;
use crate::records::{RecordedResult, Recorder};
use crate::session::riichilab::ConnectionGoal;
use crate::session::{GameState, SessionEnd};
use crate::shutdown::Shutdown;
use crate::transport::Closed;

/// A game with fewer requests is a short one: if an arena plays only such games, the bot pauses
/// between them.
const SHORT_GAME: u32 = 10;

/// The step after an attempt.
pub(super) enum Next {
    Again,
    After { reason: String, wait: Duration },
    End(LifeEnd),
}

impl Next {
    fn after_fault(fault: &ConnectionFault, retries: &mut Retries) -> Self {
        match retries.after(fault, fastrand::f64()) {
            Ok(wait) => Self::After {
                reason: wait.reason,
                wait: wait.wait,
            },
            Err(end) => Self::End(end),
        }
    }
}

impl Bot {
    /// Waits to be admitted, connects, and plays the game that the arena gives.
    pub(super) async fn attempt(
        &self,
        bot_policy: &mut BotPolicy,
        report: &mut BotReport,
        retries: &mut Retries,
        shutdown: &Shutdown,
    ) -> Next {
        // A permit that becomes free because all bots stop is not taken.
        let admission = tokio::select! {
            biased;
            () = shutdown.finishing() => return Next::End(LifeEnd::Stopped),
            admitted = bot_policy.while_waiting_for(self.admission()) => admitted,
        };
        let opened = tokio::select! {
            biased;
            () = shutdown.finishing() => return Next::End(LifeEnd::Stopped),
            opened = self.arena.open(&self.name, ConnectionGoal::Ranked, self.rules, self.patience.connection) => opened,
        };
        let (mut connection, mut session) = match opened {
            Ok(opened) => opened,
            Err(error) => {
                return Next::after_fault(
                    &ConnectionFault::not_connected(&error, &self.arena),
                    retries,
                );
            }
        };
        self.tell(BotEvent::Queued);
        let (queued, opened_at) = (Instant::now(), SystemTime::now());
        let mut recorder = self
            .records
            .as_ref()
            .map_or_else(Recorder::off, |keeper| keeper.recorder(opened_at));
        let (faults, safe_answers) = (bot_policy.faults(), report.safe_answers);
        // At error level, like the bot's span, so that log lines of every level carry it.
        let span = tracing::error_span!("game", game = report.begun() + 1);
        let opened = OpenedConnection {
            connection: &mut connection,
            session: session.as_mut(),
            recorder: &mut recorder,
        };
        let (end, counts) = tokio::select! {
            // A game that begins at the last moment is still played.
            biased;
            ended = self.follow(opened, bot_policy, report, shutdown, &admission).instrument(span) => ended,
            () = admission.overdue(self.patience.turn) => {
                tracing::warn!(
                    "{} s in the queue without a game: it leaves the queue, since another bot waits for its turn to \
                     queue (queue_together = false) or for a game (--games-at-once)",
                    queued.elapsed().as_secs()
                );
                retries.queued_for(queued.elapsed());
                connection.close().await;
                return Next::Again;
            }
        };
        let game = session.game();
        report.add(game);
        if let ConnectionEnd::Ended(SessionEnd::WrongTable(wrong)) = end {
            let why = self.arena.wrong_table(wrong);
            recorder.ended(|| {
                (
                    played(game, &counts, &bot_policy.faults().since(&faults)),
                    Some(why.clone()),
                )
            });
            report.show_after(bot_policy);
            connection.close().await;
            return Next::End(LifeEnd::WrongTable(why));
        }
        recorder.ended(|| {
            let why = why_not_played(game, &counts, &end);
            (
                played(game, &counts, &bot_policy.faults().since(&faults)),
                why,
            )
        });
        let notes = bot_policy.take_notes();
        if !notes.is_empty() {
            self.tell(BotEvent::Decided(notes));
        }
        if let Some(played) = finished(game, &counts) {
            retries.played();
            let result = || {
                let deciders = bot_policy.deciders.kept(bot_policy.identity());
                let trouble = GameTrouble {
                    faults: bot_policy.faults().since(&faults).total(),
                    safe_answers: report.safe_answers - safe_answers,
                    late_replies: game.acks.defaulted,
                };
                self.result_of(
                    &played,
                    Some((&counts.seats[played.seat], trouble)),
                    deciders,
                    &game.names,
                    opened_at,
                )
            };
            self.tell_finished(played.clone(), result);
            report.played(played);
            report.show_after(bot_policy);
            if game.acks.requests >= SHORT_GAME {
                return Next::Again;
            }
            let reason = format!("the game was over after {} requests", game.acks.requests);
            return Next::After {
                reason,
                wait: self.patience.after_short_game,
            };
        }
        if !game.in_game() && !game.is_finished() {
            retries.queued_for(queued.elapsed());
        }
        let fault = match end {
            ConnectionEnd::Stopped => {
                report.show_after(bot_policy);
                connection.close().await;
                return Next::End(LifeEnd::Stopped);
            }
            ConnectionEnd::Ended(end) => self.ended_without_result(&end, report),
            ConnectionEnd::Lost(closed) if game.in_game() => {
                self.lost_in_game(&closed, counts.rounds(), report)
            }
            ConnectionEnd::Lost(closed) => ConnectionFault::closed_in_queue(&closed, &self.arena),
        };
        report.show_after(bot_policy);
        Next::after_fault(&fault, retries)
    }

    /// Waits for the turn to queue and then for a permit, if they are required. In this order no
    /// bot with a permit waits for a turn.
    async fn admission(&self) -> Admission {
        let turn = self.permit(self.turn.as_ref(), BotEvent::AwaitsTurn).await;
        let permit = self
            .permit(self.permits.as_ref(), BotEvent::AwaitsPermit)
            .await;
        Admission::new(turn, permit)
    }

    /// A permit of this pool; `waits` is reported if none is free. `None` without a pool.
    async fn permit(&self, pool: Option<&PermitPool>, waits: BotEvent) -> Option<Permit> {
        let pool = pool?;
        if let Some(permit) = pool.try_take() {
            return Some(permit);
        }
        self.tell(waits);
        Some(pool.take().await)
    }

    /// The fault to count when a connection is lost during a game.
    fn lost_in_game(
        &self,
        closed: &Closed,
        rounds: u32,
        report: &mut BotReport,
    ) -> ConnectionFault {
        report.abandoned += 1;
        self.tell(BotEvent::Dropped(closed.to_string()));
        if self.arena.plays_on_without_us() {
            let limit = if rounds > 1 {
                &LOST_LATER
            } else {
                &LOST_IN_FIRST_ROUND
            };
            ConnectionFault::game(
                limit,
                format!("{closed}; the game continues without us"),
                true,
            )
        } else {
            let words = format!("{closed}; the game cannot continue without us");
            ConnectionFault::game(&SPOILED_FOR_OTHERS, words, false)
        }
    }

    /// The fault to count when the arena ended the connection with a message, without a finished
    /// game.
    fn ended_without_result(&self, end: &SessionEnd, report: &mut BotReport) -> ConnectionFault {
        match end {
            SessionEnd::Refused(words) => ConnectionFault::refused(
                self.arena.refusal_meaning(words),
                self.arena.with_advice(words, words),
            ),
            SessionEnd::Aborted { words, by_us } => {
                report.aborted += 1;
                self.tell(BotEvent::Aborted(words.to_string()));
                let words = "the arena aborted the game";
                if *by_us {
                    ConnectionFault::game(&SPOILED_FOR_OTHERS, words, false)
                } else {
                    ConnectionFault::passing(words)
                }
            }
            SessionEnd::Game | SessionEnd::Validation { .. } | SessionEnd::WrongTable(_) => {
                ConnectionFault::passing("the arena ended a game in which nothing was dealt")
            }
        }
    }
}

/// The report of a finished game; a game without a deal does not count.
fn finished(game: &GameState, counts: &SeatCounter) -> Option<GameReport> {
    GameReport::of(game, counts).filter(|_| game.is_finished())
}

/// The reason why a game was not finished, for its record.
fn why_not_played(game: &GameState, counts: &SeatCounter, end: &ConnectionEnd) -> Option<String> {
    match end {
        _ if finished(game, counts).is_some() => None,
        ConnectionEnd::Lost(closed) => Some(closed.to_string()),
        ConnectionEnd::Stopped => Some("the runner was stopped".to_owned()),
        ConnectionEnd::Ended(SessionEnd::Aborted { words, .. }) => Some(words.to_string()),
        ConnectionEnd::Ended(_) => Some("the arena ended the game before it was played".to_owned()),
    }
}

/// The result of a game, for its record.
fn played(game: &GameState, counts: &SeatCounter, faults: &FaultCounts) -> RecordedResult {
    RecordedResult {
        rounds: counts.rounds(),
        requests: game.acks,
        desyncs: game.desyncs.total(),
        first_desyncs: game
            .desyncs
            .first_of_each()
            .iter()
            .map(|(kind, text)| format!("{kind}: {text}"))
            .collect(),
        desync_marks: game.desyncs.marks().to_vec(),
        unreadable: game.unreadable,
        safe_answers: game.blind_answers.into(),
        ..RecordedResult::of(finished(game, counts).as_ref(), faults)
    }
}
