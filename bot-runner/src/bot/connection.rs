//! One connection from its opening to its end: frames in, decisions made, replies out.

use std::time::Instant;

use mahjong::Event;
use tokio::time::sleep_until;

use super::report::BotReport;
use crate::budget::budget;
use crate::plugin::{Answer, Asked, FaultCounts, Free, Job, RoundLog, SeatEvent, SeatedPolicy, ViewBuffer};
use crate::session::riichilab::{End, Session, Step};
use crate::shutdown::Shutdown;
use crate::transport::websocket::{Closed, Connection};

/// A policy, and what is needed to ask it.
#[derive(Debug)]
pub struct Brain {
    policy: SeatedPolicy,
    seed: u64,
    games: u64,
    generation: u64,
    /// A view that is not with the policy.
    spare: Option<Box<ViewBuffer>>,
}

impl Brain {
    /// A policy with the seed of its randomness.
    #[must_use]
    pub const fn new(policy: SeatedPolicy, seed: u64) -> Self {
        Self { policy, seed, games: 0, generation: 0, spare: None }
    }

    /// Whether nothing decides any more until another build of the policy takes over.
    #[must_use]
    pub const fn is_set_aside(&self) -> bool {
        self.policy.is_set_aside()
    }

    /// Lets another build of the policy take over while there is no connection; ready when one has.
    ///
    /// Dropping the future loses nothing.
    pub async fn replaced(&mut self) {
        self.policy.replaced().await;
    }

    /// Ends the policy and waits for it, though not for one that hangs; what all policies of the bot did wrong.
    pub async fn end(self) -> FaultCounts {
        self.policy.end().await
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
    decision: u32,
    until: Instant,
}

/// What the loop woke up for.
enum Woken {
    Frame(Result<tokio_tungstenite::tungstenite::Utf8Bytes, Closed>),
    Seat(SeatEvent),
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
        let free = thinking.is_none().then_some(Free { in_game });
        let woken = tokio::select! {
            biased;
            event = brain.policy.next(free) => Woken::Seat(event),
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
                            brain.policy.game_begins();
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
                            take_answer(answer, &mut thinking, session, brain, report)
                        } else {
                            None
                        }
                    }
                }
            }
            Woken::Seat(SeatEvent::Answer(answer)) => take_answer(answer, &mut thinking, session, brain, report),
            Woken::Seat(SeatEvent::Gone) => thinking.take().and_then(|_| safe_answer(session, report)),
            Woken::Seat(SeatEvent::Replaced) => match thinking.take() {
                // What the old instance was asked, the new one has not seen.
                Some(Thinking { decision, .. }) => {
                    thinking = ask(session, brain, &log, arrival, game, decision);
                    if thinking.is_none() { safe_answer(session, report) } else { None }
                }
                None => None,
            },
            Woken::TimeOver => {
                brain.policy.withdraw();
                brain.policy.was_late();
                thinking = None;
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
    let pace = brain.policy.pace();
    let until = arrival + budget(pace.think, pace.margin, question.time);
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
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
        budget_ms: u32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(u32::MAX),
    };
    let mut view = brain.spare.take().unwrap_or_default();
    view.fill(table, log, &question.legal, &asked);
    brain.generation += 1;
    let generation = brain.generation;
    brain.policy.submit(Job { generation, view, until }).then_some(Thinking {
        request_id: question.request_id,
        generation,
        decision,
        until,
    })
}

fn take_answer(
    answer: Answer,
    thinking: &mut Option<Thinking>,
    session: &mut Session,
    brain: &mut Brain,
    report: &mut BotReport,
) -> Option<String> {
    brain.spare = Some(answer.view);
    let asked = thinking.take_if(|thinking| thinking.generation == answer.generation);
    match (answer.result?, asked) {
        (Ok(decided), Some(Thinking { request_id, decision, .. })) => {
            let (took, values) = (answer.took, &decided.values);
            let by = brain.policy.identity();
            tracing::debug!(request_id, decision, ?took, ?values, %by, "{}", decided.reason);
            report.decisions += 1;
            session.answer(request_id, Some(decided.index))
        }
        // Too late, as has been said.
        (Ok(_), None) => None,
        (Err(fault), asked) => {
            brain.policy.failed(&fault);
            asked.and_then(|_| safe_answer(session, report))
        }
    }
}

fn safe_answer(session: &mut Session, report: &mut BotReport) -> Option<String> {
    report.safe_answers += 1;
    let request_id = session.question()?.request_id;
    session.answer(request_id, None)
}
