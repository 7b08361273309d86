//! One connection from its opening to its end: frames in, decisions made, replies out.

use std::time::{Duration, Instant};

use mahjong::Event;
use tokio::time::sleep_until;

use super::report::BotReport;
use crate::budget::budget;
use crate::plugin::{Answer, Asked, Job, PolicyThread, RoundLog, ViewBuffer};
use crate::session::riichilab::{End, Session, Step};
use crate::shutdown::Shutdown;
use crate::transport::websocket::{Closed, Connection};

/// A policy, and what is needed to ask it.
#[derive(Debug)]
pub struct Brain {
    policy: PolicyThread,
    think: Option<Duration>,
    margin: Duration,
    seed: u64,
    games: u64,
    generation: u64,
    /// A view that is not with the policy.
    spare: Option<Box<ViewBuffer>>,
    faulted: bool,
}

impl Brain {
    /// A policy with the times of its config and the seed of its randomness.
    #[must_use]
    pub fn new(policy: PolicyThread, think: Option<Duration>, margin: Duration, seed: u64) -> Self {
        Self { policy, think, margin, seed, games: 0, generation: 0, spare: None, faulted: false }
    }

    /// Ends the policy and waits for it, though not for one that hangs.
    pub async fn end(self) {
        self.policy.end().await;
    }
}

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
    Frame(Result<tokio_tungstenite::tungstenite::Utf8Bytes, Closed>),
    Answer(Option<Answer>),
    TimeOver,
    Stop,
}

/// Plays out a connection. `happened` hears of every event after the table has taken it in.
pub async fn play_connection(
    connection: &mut Connection,
    session: &mut Session,
    brain: &mut Brain,
    report: &mut BotReport,
    shutdown: &Shutdown,
    mut happened: impl FnMut(&Event, &Session),
) -> GameEnd {
    let mut log = RoundLog::default();
    let mut decisions = 0_u32;
    let mut thinking: Option<Thinking> = None;
    let mut arrival = Instant::now();
    let game = brain.games;
    loop {
        let in_game = session.in_game();
        let until = thinking.as_ref().map(|thinking| thinking.until);
        let woken = tokio::select! {
            biased;
            answer = brain.policy.answer() => Woken::Answer(answer),
            () = time_over(until) => Woken::TimeOver,
            () = shutdown.immediately() => Woken::Stop,
            // Once a game has begun it is played out, and a validation waited out to its verdict.
            () = shutdown.finishing(), if !in_game && !session.is_finished() => Woken::Stop,
            frame = connection.next(in_game) => Woken::Frame(frame),
        };
        let reply = match woken {
            Woken::Stop => return GameEnd::Stopped,
            Woken::Frame(Err(closed)) => {
                brain.policy.withdraw();
                return GameEnd::Lost(closed);
            }
            Woken::Frame(Ok(text)) => {
                let now = Instant::now();
                let step = session.on_frame(&text);
                if matches!(step, Step::Reply(_) | Step::Ask) {
                    arrival = now;
                }
                match step {
                    Step::Nothing | Step::Settled => None,
                    Step::Reply(reply) => Some(reply),
                    Step::Happened(event) => {
                        take_in(&event, session, &mut log);
                        if matches!(event, Event::StartGame { .. }) {
                            brain.games = game + 1;
                        }
                        happened(&event, session);
                        None
                    }
                    Step::Ended(end) => {
                        brain.policy.withdraw();
                        return GameEnd::Ended(end);
                    }
                    Step::Ask => {
                        thinking = ask(session, brain, &log, arrival, game, decisions);
                        decisions += 1;
                        if thinking.is_none() {
                            safe_answer(session, report)
                        } else if let Some(answer) = brain.policy.answer_at_once().await {
                            take_answer(Some(answer), &mut thinking, session, brain, report)
                        } else {
                            None
                        }
                    }
                }
            }
            Woken::Answer(answer) => take_answer(answer, &mut thinking, session, brain, report),
            Woken::TimeOver => {
                brain.policy.withdraw();
                thinking = None;
                tracing::warn!("the policy did not answer in time");
                safe_answer(session, report)
            }
        };
        // An event or a default may have settled the request that is being thought about.
        if thinking.as_ref().is_some_and(|thinking| {
            session.question().is_none_or(|question| question.request_id != thinking.request_id)
        }) {
            brain.policy.withdraw();
            thinking = None;
        }
        if let Some(reply) = reply {
            tracing::trace!("reply {reply}");
            match connection.send(reply).await {
                Ok(()) => report.latency.record(arrival.elapsed()),
                // What the arena said before it went tells more than that it went.
                Err(closed) => tracing::debug!("a reply could not be sent: {closed}"),
            }
        }
        if thinking.is_none() {
            session.review();
        }
    }
}

async fn time_over(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until.into()).await,
        None => std::future::pending().await,
    }
}

fn take_in(event: &Event, session: &Session, log: &mut RoundLog) {
    if let Some(table) = session.table() {
        log.push(event, table);
    }
}

/// Hands the open question to the policy; `None` when there is no time or no policy for it.
fn ask(
    session: &Session,
    brain: &mut Brain,
    log: &RoundLog,
    arrival: Instant,
    game: u64,
    decision: u32,
) -> Option<Thinking> {
    let (question, table) = (session.question()?, session.table()?);
    let budget = budget(brain.think, brain.margin, question.time);
    if budget.is_zero() {
        return None;
    }
    let time = question.time.unwrap_or_default();
    let milliseconds = |ms: Option<u64>| u32::try_from(ms.unwrap_or(0)).unwrap_or(u32::MAX);
    let asked = Asked {
        decision,
        game,
        seed: brain.seed,
        grace_ms: milliseconds(time.grace_ms),
        bank_ms: milliseconds(time.bank_ms),
        deadline_ms: milliseconds(time.deadline_ms),
        budget_ms: u32::try_from(budget.as_millis()).unwrap_or(u32::MAX),
    };
    let mut view = brain.spare.take().unwrap_or_default();
    view.fill(table, log, &question.legal, &asked);
    brain.generation += 1;
    let generation = brain.generation;
    brain.policy.submit(Job { generation, view }).then_some(Thinking {
        request_id: question.request_id,
        generation,
        until: arrival + budget,
    })
}

fn take_answer(
    answer: Option<Answer>,
    thinking: &mut Option<Thinking>,
    session: &mut Session,
    brain: &mut Brain,
    report: &mut BotReport,
) -> Option<String> {
    let Some(answer) = answer else {
        // The policy's thread has ended; every request from now on gets the safe answer.
        return thinking.take().and_then(|_| safe_answer(session, report));
    };
    brain.spare = Some(answer.view);
    let asked = thinking.take_if(|thinking| thinking.generation == answer.generation)?;
    match answer.result? {
        Ok(decided) => {
            tracing::debug!(request_id = asked.request_id, took = ?answer.took, values = ?decided.values, "{}", decided.reason);
            report.decisions += 1;
            session.answer(asked.request_id, Some(decided.index))
        }
        Err(fault) => {
            if !std::mem::replace(&mut brain.faulted, true) {
                tracing::error!("the policy {}: {fault}; it is told once", brain.policy.policy().info().id);
            }
            safe_answer(session, report)
        }
    }
}

fn safe_answer(session: &mut Session, report: &mut BotReport) -> Option<String> {
    report.safe_answers += 1;
    let request_id = session.question()?.request_id;
    session.answer(request_id, None)
}
