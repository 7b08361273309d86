//! One connection from its opening to its end: frames in, replies out.

use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use policy_host::SeatEvent;
use riichi::Event;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::decisions::Decisions;
use super::match_publisher::MatchPublisher;
use super::policy::BotPolicy;
use super::report::BotReport;
use super::riichi_news::RiichiNews;
use crate::records::Recorder;
use crate::session::{Dialect, GameState, SessionEnd, SessionStep};
use crate::shutdown::Shutdown;
use crate::transport::{Closed, Connection};

#[derive(Debug)]
pub enum ConnectionEnd {
    /// The arena ended it with a message.
    Ended(SessionEnd),
    /// It was closed or lost.
    Lost(Closed),
    /// The runner was asked to stop.
    Stopped,
}

type Happened<'a> = dyn FnMut(&Event, &GameState) + Send + 'a;

enum WakeReason {
    Frame(Result<Utf8Bytes, Closed>),
    Seat(SeatEvent),
    Stop,
}

/// Plays out a connection. `recorder` gets every frame after it has been handled.
///
/// The future is boxed so that this crate compiles it, once, and not each crate that awaits it.
pub fn play_connection<'a>(
    connection: &'a mut Connection,
    session: &'a mut dyn Dialect,
    bot_policy: &'a mut BotPolicy,
    report: &'a mut BotReport,
    recorder: &'a mut Recorder,
    shutdown: &'a Shutdown,
) -> BoxFuture<'a, ConnectionEnd> {
    Box::pin(async move {
        play_and_watch(
            connection,
            session,
            bot_policy,
            report,
            recorder,
            shutdown,
            &mut |_, _| {},
        )
        .await
    })
}

/// Plays out a connection. `happened` is called with every event after the table has taken it in.
pub(super) async fn play_and_watch(
    connection: &mut Connection,
    session: &mut dyn Dialect,
    bot_policy: &mut BotPolicy,
    report: &mut BotReport,
    recorder: &mut Recorder,
    shutdown: &Shutdown,
    happened: &mut Happened<'_>,
) -> ConnectionEnd {
    let news = RiichiNews::new(recorder, MatchPublisher::new(report.live.round.clone()));
    let notes = bot_policy.notes.is_some() || news.is_on();
    let mut traffic = Traffic {
        connection,
        decisions: Decisions::new(session, bot_policy, report, notes),
        news,
        received: None,
        sent: Vec::new(),
    };
    loop {
        let Traffic {
            connection,
            decisions,
            ..
        } = &mut traffic;
        let in_game = decisions.session.game().in_game();
        let is_finished = decisions.session.game().is_finished();
        let listens =
            !decisions.bot_policy.seated.is_asked() || !decisions.session.answers_in_turn();
        let woken = match decisions.bot_policy.seated.soon().await {
            Some(event) => WakeReason::Seat(event),
            None => tokio::select! {
                biased;
                event = decisions.bot_policy.seated.next(in_game) => WakeReason::Seat(event),
                () = shutdown.immediately() => WakeReason::Stop,
                // A game that has begun is played out, and a validation waits for its verdict.
                () = shutdown.finishing(), if !in_game && !is_finished => WakeReason::Stop,
                frame = connection.next(in_game), if listens => WakeReason::Frame(frame),
            },
        };
        match woken {
            WakeReason::Stop => return ConnectionEnd::Stopped,
            WakeReason::Frame(Err(closed)) => {
                decisions.bot_policy.seated.withdraw();
                return ConnectionEnd::Lost(closed);
            }
            WakeReason::Frame(Ok(text)) => {
                if let Some(end) = traffic.on_frame(text, happened).await {
                    return ConnectionEnd::Ended(end);
                }
            }
            WakeReason::Seat(event) => {
                let reply = decisions.on_seat(event);
                traffic.send(reply).await;
            }
        }
        traffic.tell();
        if !traffic.decisions.bot_policy.seated.is_asked() {
            traffic.decisions.session.review();
        }
    }
}

/// The incoming and outgoing frames of a connection.
struct Traffic<'a> {
    connection: &'a mut Connection,
    decisions: Decisions<'a>,
    news: RiichiNews<'a>,
    /// The frame to record, and when it arrived.
    received: Option<(Instant, Utf8Bytes)>,
    /// The replies to record, and how long each took.
    sent: Vec<(Utf8Bytes, Duration)>,
}

impl Traffic<'_> {
    /// Handles a frame; returns how the connection ended, if it did.
    async fn on_frame(
        &mut self,
        text: Utf8Bytes,
        happened: &mut Happened<'_>,
    ) -> Option<SessionEnd> {
        let arrival = Instant::now();
        let steps = self.decisions.session.hear(&text);
        self.received = Some((arrival, text));
        for step in steps {
            let decisions = &mut self.decisions;
            if matches!(step, SessionStep::Reply(_) | SessionStep::Ask) {
                decisions.arrival = arrival;
            }
            let reply = match step {
                SessionStep::Reply(reply) => Some(reply),
                SessionStep::Happened(event) => {
                    decisions.take_in(&event);
                    happened(&event, decisions.session.game());
                    self.news.happened(&event);
                    None
                }
                SessionStep::Rebuilt(observation) => {
                    self.news.rebuilt(observation);
                    None
                }
                SessionStep::Ended(end) => {
                    decisions.bot_policy.seated.withdraw();
                    self.tell();
                    return Some(end);
                }
                SessionStep::Ask => decisions.ask(),
            };
            self.send(reply).await;
        }
        None
    }

    /// Sends a reply, if there is one. An event or a default may have settled the pending question.
    async fn send(&mut self, reply: Option<String>) {
        let Decisions {
            session,
            bot_policy,
            report,
            arrival,
            ..
        } = &mut self.decisions;
        if session.game().question().is_none() {
            bot_policy.seated.withdraw();
        }
        let Some(reply) = reply.map(Utf8Bytes::from) else {
            return;
        };
        tracing::trace!("reply {reply}");
        match self.connection.send(reply.clone()).await {
            Ok(()) => {
                let took = arrival.elapsed();
                report.latency.record(took);
                self.sent.push((reply, took));
                report.show(bot_policy, Some(session.game()));
            }
            // The arena's last words explain more than the closed connection does.
            Err(closed) => tracing::debug!("a reply could not be sent: {closed}"),
        }
    }

    /// Tells the record and the page what has happened, after it has been handled.
    fn tell(&mut self) {
        let (received, sent) = (self.received.take(), self.sent.drain(..));
        let (decisions, news) = (&mut self.decisions, &mut self.news);
        let policy = decisions.bot_policy.seated.identity();
        news.tell_events(decisions.session.game(), policy);
        if news.recorder().is_on() {
            if let Some((at, text)) = received {
                news.recorder().received(at, text);
            }
            for (reply, took) in sent {
                news.recorder().sent(reply, took);
            }
        }
        for note in decisions.noted.drain(..) {
            let note = news.tell_decision(note);
            if let Some(notes) = &mut decisions.bot_policy.notes
                && !news.recorder().is_on()
            {
                notes.push(note);
            }
        }
        news.show();
    }
}
