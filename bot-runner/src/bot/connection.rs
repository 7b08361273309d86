//! One connection from its opening to its end: frames in, decisions made, replies out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mahjong::{Event, Table};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::brain::Brain;
use super::report::BotReport;
use crate::budget::budget;
use crate::decision_note::{DecisionNote, DecisionOutcome};
use crate::records::Recorder;
use crate::session::{Dialect, End, Game, Step};
use crate::shutdown::Shutdown;
use crate::transport::{Closed, Connection};
use policy_host::{Asked, Decided, RoundLog, SeatEvent, ViewBuffer};

/// How a connection ended.
#[derive(Debug)]
pub enum GameEnd {
    /// By the arena's word.
    Ended(End),
    /// Without one.
    Lost(Closed),
    /// By ours.
    Stopped,
}

/// What the loop woke up for.
enum Woken {
    Frame(Result<Utf8Bytes, Closed>),
    Seat(SeatEvent),
    Stop,
}

/// Plays out a connection. `happened` hears of every event after the table has taken it in, `recorder` of everything once it
/// is done.
pub async fn play_connection(
    connection: &mut Connection,
    session: &mut dyn Dialect,
    brain: &mut Brain,
    report: &mut BotReport,
    recorder: &mut Recorder,
    shutdown: &Shutdown,
    mut happened: impl FnMut(&Event, &Game),
) -> GameEnd {
    let game = brain.games;
    let log = RoundLog::default();
    let mut play = Play {
        session,
        brain,
        report,
        recorder,
        game,
        log,
        decisions: 0,
        numbered: false,
        arrival: Instant::now(),
        told_hurry: false,
        heard: None,
        sent: Vec::new(),
    };
    loop {
        let in_game = play.session.game().in_game();
        let is_finished = play.session.game().is_finished();
        let listens = !play.brain.policy.is_asked() || !play.session.answers_in_turn();
        let woken = tokio::select! {
            biased;
            event = play.brain.policy.next(in_game) => Woken::Seat(event),
            () = shutdown.immediately() => Woken::Stop,
            // Once a game has begun it is played out, and a validation waited out to its verdict.
            () = shutdown.finishing(), if !in_game && !is_finished => Woken::Stop,
            frame = connection.next(in_game), if listens => Woken::Frame(frame),
        };
        match woken {
            Woken::Stop => return GameEnd::Stopped,
            Woken::Frame(Err(closed)) => {
                play.brain.policy.withdraw();
                return GameEnd::Lost(closed);
            }
            Woken::Frame(Ok(text)) => {
                let arrival = Instant::now();
                let steps = play.session.hear(&text);
                play.heard = Some((arrival, text));
                for step in steps {
                    if matches!(step, Step::Reply(_) | Step::Ask) {
                        play.arrival = arrival;
                    }
                    let reply = match step {
                        Step::Reply(reply) => Some(reply),
                        Step::Happened(event) => {
                            play.take_in(&event);
                            happened(&event, play.session.game());
                            let seat = play.session.game().table().map(Table::seat);
                            play.recorder.happened(&event, seat, play.brain.policy.identity());
                            None
                        }
                        Step::Ended(end) => {
                            play.brain.policy.withdraw();
                            play.tell_recorder();
                            return GameEnd::Ended(end);
                        }
                        Step::Ask => play.ask(),
                    };
                    play.settle(reply, connection).await;
                }
            }
            Woken::Seat(event) => {
                let reply = play.on_seat(event);
                play.settle(reply, connection).await;
            }
        }
        play.tell_recorder();
        if !play.brain.policy.is_asked() {
            play.session.review();
        }
    }
}

/// A connection being played out.
struct Play<'a> {
    session: &'a mut dyn Dialect,
    brain: &'a mut Brain,
    report: &'a mut BotReport,
    recorder: &'a mut Recorder,
    /// Number of the game in the bot's run, from 0.
    game: u64,
    /// Whether the game that is on has taken its number.
    numbered: bool,
    log: RoundLog,
    /// How many decisions there were to be made.
    decisions: u32,
    /// When the request that is being answered came.
    arrival: Instant,
    /// Whether it has been told that the arena leaves no time.
    told_hurry: bool,
    /// The frame that the recorder is to be told of, and when it came.
    heard: Option<(Instant, Utf8Bytes)>,
    /// The replies that it is to be told of, and how long each took.
    sent: Vec<(Utf8Bytes, Duration)>,
}

impl Play<'_> {
    fn take_in(&mut self, event: &Event) {
        if let Some(table) = self.session.game().table() {
            self.log.push(event, table);
        }
        match event {
            Event::StartGame { .. } => self.number_game(),
            // A game that was joined after its start.
            Event::StartKyoku(_) if !self.numbered => self.number_game(),
            Event::EndGame { .. } => self.numbered = false,
            _ => {}
        }
    }

    fn number_game(&mut self) {
        self.numbered = true;
        self.game = self.brain.games;
        self.brain.games += 1;
        self.decisions = 0;
        self.told_hurry = false;
        self.brain.policy.game_begins();
    }

    /// Hands the question just opened to the policy; the safe answer where it cannot be asked.
    fn ask(&mut self) -> Option<String> {
        self.decisions += 1;
        self.hand_over()
    }

    fn on_seat(&mut self, event: SeatEvent) -> Option<String> {
        match event {
            SeatEvent::Decided { decided: Decided { index, values, reason }, took } => {
                let (decision, by) = (self.decisions - 1, self.brain.policy.identity());
                tracing::debug!(decision, ?took, ?values, %by, "{reason}");
                self.report.decisions += 1;
                self.answer(Some(index), || DecisionOutcome::Decided { took, values, reason })
            }
            SeatEvent::Undecided(why) => self.safe_answer(&why),
            SeatEvent::AskAgain => self.hand_over(),
        }
    }

    /// Sends a reply, if there is one. An event or a default may have settled the question that is being thought about.
    async fn settle(&mut self, reply: Option<String>, connection: &mut Connection) {
        if self.session.game().question().is_none() {
            self.brain.policy.withdraw();
        }
        let Some(reply) = reply.map(Utf8Bytes::from) else { return };
        tracing::trace!("reply {reply}");
        match connection.send(reply.clone()).await {
            Ok(()) => {
                let took = self.arrival.elapsed();
                self.report.latency.record(took);
                self.sent.push((reply, took));
                self.report.show(self.brain, self.session.game().desyncs.total());
            }
            // What the arena said before it went tells more than that it went.
            Err(closed) => tracing::debug!("a reply could not be sent: {closed}"),
        }
    }

    /// Tells the recorder what came and went, now that everything that it led to is done.
    fn tell_recorder(&mut self) {
        let (heard, sent) = (self.heard.take(), self.sent.drain(..));
        if !self.recorder.is_on() {
            return;
        }
        if let Some((at, text)) = heard {
            self.recorder.received(at, text);
        }
        for (reply, took) in sent {
            self.recorder.sent(reply, took);
        }
        self.recorder.decided(self.brain.take_notes());
    }

    /// Hands the open question to the policy; the safe answer where it cannot be asked.
    fn hand_over(&mut self) -> Option<String> {
        let (Some(question), Some(table)) = (self.session.game().question(), self.session.game().table()) else {
            return self.safe_answer("there is no table to show");
        };
        let pace = self.brain.policy.pace();
        let until = self.arrival + budget(pace.think, pace.margin, question.time);
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            if !std::mem::replace(&mut self.told_hurry, true) {
                tracing::warn!(time = ?question.time, "a request leaves no time to decide; of this game this is told once");
            }
            return self.safe_answer("there was no time for it");
        }
        let time = question.time.unwrap_or_default();
        let milliseconds = |ms: Option<u64>| u32::try_from(ms.unwrap_or(0)).unwrap_or(u32::MAX);
        let asked = Asked {
            decision: self.decisions - 1,
            game: self.game,
            seed: self.brain.seed,
            grace_ms: milliseconds(time.grace_ms),
            bank_ms: milliseconds(time.bank_ms),
            deadline_ms: milliseconds(time.deadline_ms),
            budget_ms: u32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u32::MAX),
        };
        let fill = |view: &mut ViewBuffer| view.fill(table, &self.log, &question.legal, &asked);
        match self.brain.policy.ask(until, fill) {
            Ok(()) => None,
            Err(why) => self.safe_answer(&why.to_string()),
        }
    }

    fn safe_answer(&mut self, why: &str) -> Option<String> {
        self.report.safe_answers += 1;
        self.answer(None, || DecisionOutcome::SafeAnswer(why.to_owned()))
    }

    /// Answers the open question, with the safe answer where nothing was decided.
    fn answer(&mut self, index: Option<usize>, outcome: impl FnOnce() -> DecisionOutcome) -> Option<String> {
        let legal = &self.session.game().question()?.legal;
        if let (Some(notes), Some(table)) = (&mut self.brain.notes, self.session.game().table()) {
            let safe = || legal.iter().position(|&action| Some(action) == mahjong::safe_answer(legal));
            notes.push(DecisionNote {
                game: self.game,
                decision: self.decisions - 1,
                seat: table.seat(),
                legal: legal.to_vec(),
                chosen: index.or_else(safe),
                policy: Arc::clone(self.brain.policy.identity()),
                outcome: outcome(),
            });
        }
        self.session.answer(index)
    }
}
