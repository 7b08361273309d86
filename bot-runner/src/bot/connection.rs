//! One connection from its opening to its end: frames in, decisions made, replies out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use mahjong::{Event, Table};
use tokio::time::sleep_until;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::brain::Brain;
use super::note::{DecisionNote, Said};
use super::report::BotReport;
use crate::budget::budget;
use crate::plugin::{Answer, Asked, Decided, Free, Job, RoundLog, SeatEvent};
use crate::records::Recorder;
use crate::session::{Dialect, End, Game, Question, Step};
use crate::shutdown::Shutdown;
use crate::transport::{Closed, Connection};

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

/// A request that is with the policy.
#[derive(Debug)]
struct Thinking {
    request_id: u64,
    generation: u64,
    until: Instant,
}

/// What the loop woke up for.
enum Woken {
    Frame(Result<Utf8Bytes, Closed>),
    Seat(SeatEvent),
    TimeOver,
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
        arrival: Instant::now(),
        thinking: None,
        told_hurry: false,
        heard: None,
        sent: Vec::new(),
    };
    loop {
        let in_game = play.session.game().in_game();
        let is_finished = play.session.game().is_finished();
        let until = play.thinking.as_ref().map(|thinking| thinking.until);
        let free = play.thinking.is_none().then_some(Free { in_game });
        let listens = play.thinking.is_none() || !play.session.answers_in_turn();
        let woken = tokio::select! {
            biased;
            event = play.brain.policy.next(free) => Woken::Seat(event),
            () = time_over(until) => Woken::TimeOver,
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
                        Step::Nothing | Step::Settled => None,
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
                        Step::Ask => play.decide().await,
                    };
                    play.settle(reply, connection).await;
                }
            }
            Woken::Seat(event) => {
                let reply = play.on_seat(event);
                play.settle(reply, connection).await;
            }
            Woken::TimeOver => {
                let reply = play.on_time_over();
                play.settle(reply, connection).await;
            }
        }
        play.tell_recorder();
        if play.thinking.is_none() {
            play.session.review();
        }
    }
}

async fn time_over(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until.into()).await,
        None => std::future::pending().await,
    }
}

const SET_ASIDE: &str = "the policy is set aside";

/// A connection being played out.
struct Play<'a> {
    session: &'a mut dyn Dialect,
    brain: &'a mut Brain,
    report: &'a mut BotReport,
    recorder: &'a mut Recorder,
    /// Number of the game in the bot's run, from 0.
    game: u64,
    log: RoundLog,
    /// How many decisions there were to be made.
    decisions: u32,
    /// When the request that is being answered came.
    arrival: Instant,
    thinking: Option<Thinking>,
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
        if matches!(event, Event::StartGame { .. }) {
            self.game = self.brain.games;
            self.brain.games += 1;
            self.decisions = 0;
            self.told_hurry = false;
            self.brain.policy.game_begins();
        }
    }

    /// The answer to the question just opened, where it is to be had at once.
    async fn decide(&mut self) -> Option<String> {
        self.decisions += 1;
        match self.ask() {
            Err(why) => self.safe_answer(why),
            Ok(()) => {
                let answer = self.brain.policy.answer_at_once().await?;
                self.take_answer(answer)
            }
        }
    }

    fn on_seat(&mut self, event: SeatEvent) -> Option<String> {
        match event {
            SeatEvent::Answer(answer) => self.take_answer(answer),
            SeatEvent::Gone => self.thinking.take().and_then(|_| self.safe_answer(SET_ASIDE)),
            // What the old instance was asked, the new one has not seen.
            SeatEvent::Replaced => {
                self.thinking.take()?;
                self.ask().err().and_then(|why| self.safe_answer(why))
            }
        }
    }

    fn on_time_over(&mut self) -> Option<String> {
        self.brain.policy.withdraw();
        self.brain.policy.was_late();
        self.thinking = None;
        self.safe_answer("its time was over")
    }

    /// Sends a reply, if there is one. An event or a default may have settled the request that is being thought about.
    async fn settle(&mut self, reply: Option<String>, connection: &mut Connection) {
        self.forget_settled();
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

    /// Hands the open question to the policy, or says why there is no point in that.
    fn ask(&mut self) -> Result<(), &'static str> {
        let (Some(question), Some(table)) = (self.session.game().question(), self.session.game().table()) else {
            return Err("there is no table to show");
        };
        if self.brain.is_set_aside() {
            return Err(SET_ASIDE);
        }
        let pace = self.brain.policy.pace();
        let until = self.arrival + budget(pace.think, pace.margin, question.time);
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            if !std::mem::replace(&mut self.told_hurry, true) {
                tracing::warn!(time = ?question.time, "a request leaves no time to decide; of this game this is told once");
            }
            return Err("there was no time for it");
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
        let mut view = self.brain.spare.take().unwrap_or_default();
        view.fill(table, &self.log, &question.legal, &asked);
        self.brain.generation += 1;
        let generation = self.brain.generation;
        if !self.brain.policy.submit(Job { generation, view, until }) {
            return Err("it has not returned from earlier questions");
        }
        self.thinking = Some(Thinking { request_id: question.request_id, generation, until });
        Ok(())
    }

    fn take_answer(&mut self, answer: Answer) -> Option<String> {
        self.brain.spare = Some(answer.view);
        let asked = self.thinking.take_if(|thinking| thinking.generation == answer.generation);
        match (answer.result?, asked) {
            (Ok(Decided { index, values, reason }), Some(Thinking { request_id, .. })) => {
                let (took, decision) = (answer.took, self.decisions - 1);
                let by = self.brain.policy.identity();
                tracing::debug!(request_id, decision, ?took, ?values, %by, "{reason}");
                self.report.decisions += 1;
                self.answer(Some(index), || Said::Decided { took, values, reason })
            }
            // Too late, as has been said.
            (Ok(_), None) => None,
            (Err(fault), asked) => {
                self.brain.policy.failed(&fault);
                // Set aside, it leaves what it was asked since then too.
                let asked = asked.or_else(|| self.thinking.take_if(|_| self.brain.is_set_aside()));
                asked.and_then(|_| self.safe_answer(&fault.to_string()))
            }
        }
    }

    fn safe_answer(&mut self, why: &str) -> Option<String> {
        self.report.safe_answers += 1;
        self.answer(None, || Said::Nothing(why.to_owned()))
    }

    /// Answers the open question, with the safe answer where nothing was decided.
    fn answer(&mut self, index: Option<usize>, said: impl FnOnce() -> Said) -> Option<String> {
        let Question { request_id, legal, .. } = self.session.game().question()?;
        let request_id = *request_id;
        if let (Some(notes), Some(table)) = (&mut self.brain.notes, self.session.game().table()) {
            let safe = || legal.iter().position(|&action| Some(action) == mahjong::safe_answer(legal));
            notes.push(DecisionNote {
                game: self.game,
                decision: self.decisions - 1,
                seat: table.seat(),
                legal: legal.to_vec(),
                chosen: index.or_else(safe),
                policy: Arc::clone(self.brain.policy.identity()),
                said: said(),
            });
        }
        self.session.answer(request_id, index)
    }

    fn forget_settled(&mut self) {
        let open = self.session.game().question().map(|question| question.request_id);
        if self.thinking.as_ref().is_some_and(|thinking| Some(thinking.request_id) != open) {
            self.brain.policy.withdraw();
            self.thinking = None;
        }
    }
}
