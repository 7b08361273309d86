//! A bot's life: connection after connection until it has played what it should.

use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use mahjong::{Event, Rules};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::sleep;
use tracing::Instrument;

use super::arena::Arena;
use super::backoff::Patience;
use super::brain::Brain;
use super::connection::{GameEnd, play_connection};
use super::event::{BotEvent, BotNews, LifeEnd};
use super::fault::{Fault, FaultClass};
use super::report::{BotReport, GameReport};
use super::trouble::Trouble;
use crate::records::{Keeper, PlayedGame, Recorder};
use crate::session::riichilab::Goal;
use crate::session::{Dialect, End, Game};
use crate::shutdown::Shutdown;
use crate::transport::{Closed, Connection};
use lab::tally::Tally;
use policy_host::FaultCounts;

/// A game with fewer requests is a short one: an arena that plays nothing else is not to be asked without a pause.
const SHORT_GAME: u32 = 10;

/// A bot at an arena.
#[derive(Debug, Clone)]
pub struct Bot {
    /// Its name.
    pub name: Arc<str>,
    /// The arena.
    pub arena: Arena,
    /// The rules played there.
    pub rules: Rules,
    /// Whose turn it is to queue, where bots of this process must not queue together.
    pub turn: Option<Arc<Semaphore>>,
    /// Who keeps the records of its ranked games, if somebody does.
    pub records: Option<Keeper>,
    /// Permits for games, where there is a limit of those that are on at once: one is held from before the bot queues
    /// until its connection has ended, however that ends.
    pub permits: Option<Arc<Semaphore>>,
    /// How long it waits for what does not come.
    pub patience: Patience,
    /// Whether it goes on to further games when its policy has been set aside: a table of `play` needs all its bots.
    pub plays_while_set_aside: bool,
    /// Where to tell what happens to it.
    pub news: mpsc::UnboundedSender<BotNews>,
    /// Where to tell every event of its games, if somebody wants to know.
    pub events: Option<mpsc::UnboundedSender<Event>>,
}

/// A connection just opened, with what is played on it and who records it.
pub(super) struct Opened<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) session: &'a mut dyn Dialect,
    pub(super) recorder: &'a mut Recorder,
}

/// What to do after a connection.
enum Next {
    Again,
    After { reason: String, wait: Duration },
    End(LifeEnd),
}

impl Next {
    fn after(fault: &Fault, trouble: &mut Trouble) -> Self {
        match trouble.meet(fault, fastrand::f64()) {
            Ok(wait) => Self::After { reason: fault.words.clone(), wait },
            Err(end) => Self::End(end),
        }
    }
}

impl Bot {
    /// Plays ranked games: `games` of them, or until asked to stop. What the bot did before is in the report and counts.
    pub async fn resume(
        &self,
        mut report: BotReport,
        games: Option<u32>,
        brain: &mut Brain,
        shutdown: &Shutdown,
    ) -> (BotReport, LifeEnd) {
        let mut trouble = Trouble::new(self.patience);
        let end = loop {
            if report.has_played(games) {
                break LifeEnd::Done;
            }
            if shutdown.is_finishing() {
                break LifeEnd::Stopped;
            }
            if brain.is_set_aside() && !self.plays_while_set_aside {
                if !brain.may_be_replaced() {
                    let why = "its policy is set aside, and its config says reload = \"off\"";
                    break LifeEnd::GaveUp(why.to_owned());
                }
                self.tell(BotEvent::SetAside);
                tokio::select! {
                    () = brain.replaced() => {}
                    () = shutdown.finishing() => {}
                }
                continue;
            }
            match self.play_once(brain, &mut report, &mut trouble, shutdown).await {
                Next::Again => {}
                Next::After { .. } if report.has_played(games) => {}
                Next::End(end) => break end,
                Next::After { reason, wait } => {
                    self.tell(BotEvent::Waiting { reason, wait });
                    tokio::select! {
                        () = meanwhile(brain, sleep(wait)) => {}
                        () = shutdown.finishing() => {}
                    }
                }
            }
        };
        (report, end)
    }

    async fn play_once(
        &self,
        brain: &mut Brain,
        report: &mut BotReport,
        trouble: &mut Trouble,
        shutdown: &Shutdown,
    ) -> Next {
        let stopped = Next::End(LifeEnd::Stopped);
        // In this order: nobody who has a permit waits for a turn.
        let turn = self.admission(self.turn.as_ref(), BotEvent::AwaitsTurn, brain, shutdown).await;
        let Some(turn) = turn else { return stopped };
        let permit = self.admission(self.permits.as_ref(), BotEvent::AwaitsPermit, brain, shutdown).await;
        let Some(_permit) = permit else { return stopped };
        let opened = tokio::select! {
            opened = self.arena.connect(Goal::Ranked, self.patience.connection) => opened,
            () = shutdown.finishing() => return stopped,
        };
        let mut connection = match opened {
            Ok(connection) => connection,
            Err(error) => return Next::after(&Fault::at_the_door(&error, &self.arena), trouble),
        };
        self.tell(BotEvent::Queued);
        let queued = Instant::now();
        let mut session = self.arena.session(&self.name, Goal::Ranked, self.rules);
        let mut recorder = self.records.as_ref().map_or_else(Recorder::off, Keeper::recorder);
        let faults = brain.faults();
        // Of the level error, like the bot's, so that it stands in the log on every level.
        let span = tracing::error_span!("game", game = report.begun() + 1);
        let opened = Opened { connection: &mut connection, session: session.as_mut(), recorder: &mut recorder };
        let following = self.follow(opened, brain, report, shutdown, turn);
        let (end, tally) = following.instrument(span).await;
        let game = session.game();
        report.add(game);
        recorder.ended(|| {
            let why = why_not_played(game, &tally, &end, &self.arena);
            (played(game, &tally, &brain.faults().since(&faults)), why)
        });
        let notes = brain.take_notes();
        if !notes.is_empty() {
            self.tell(BotEvent::Decided(notes));
        }
        if let Some(played) = finished(game, &tally) {
            trouble.played();
            self.tell(BotEvent::Finished(played.clone()));
            report.games.push(played);
            report.show_after(brain);
            if game.acks.requests >= SHORT_GAME {
                return Next::Again;
            }
            let reason = format!("the game was over after {} requests", game.acks.requests);
            return Next::After { reason, wait: self.patience.after_short_game };
        }
        report.show_after(brain);
        let fault = match end {
            GameEnd::Stopped => {
                connection.close().await;
                return Next::End(LifeEnd::Stopped);
            }
            GameEnd::Ended(End::Refused(message)) => {
                Fault::refused(self.arena.refusal(&message), self.arena.shown(&message))
            }
            GameEnd::Ended(End::Aborted(message)) => {
                report.aborted += 1;
                self.tell(BotEvent::Aborted(self.arena.shown(&message)));
                Fault::new(FaultClass::Aborted, "the arena aborted the game")
            }
            GameEnd::Ended(_) => {
                Fault::new(FaultClass::NothingDealt, "the arena ended a game in which nothing was dealt")
            }
            GameEnd::Lost(closed) if game.in_game() => {
                report.abandoned += 1;
                self.tell(BotEvent::Dropped(closed.to_string()));
                if self.arena.plays_on_without_us() {
                    let class = if tally.rounds > 1 { FaultClass::LostInGame } else { FaultClass::LostAtStart };
                    Fault::new(class, format!("{closed}; the game goes on without us"))
                } else {
                    Fault::new(FaultClass::Aborted, format!("{closed}; the game cannot go on without us"))
                }
            }
            GameEnd::Lost(closed) => {
                trouble.queued_for(queued.elapsed());
                match closed {
                    // A breach of policy, or a code of the arena's own.
                    Closed::ByFrame { code: code @ (1008 | 4000..), reason } if !reason.is_empty() => {
                        Fault::refused(self.arena.refusal(&reason), format!("{reason} (code {code})"))
                    }
                    Closed::Garbled(_) => Fault::new(FaultClass::Garbled, closed.to_string()),
                    _ => Fault::new(FaultClass::LostInQueue, closed.to_string()),
                }
            }
        };
        Next::after(&fault, trouble)
    }

    /// Plays out a connection, giving up the turn to queue when the game begins.
    pub(super) async fn follow(
        &self,
        opened: Opened<'_>,
        brain: &mut Brain,
        report: &mut BotReport,
        shutdown: &Shutdown,
        turn: Option<OwnedSemaphorePermit>,
    ) -> (GameEnd, Tally) {
        let Opened { connection, session, recorder } = opened;
        let mut turn = turn;
        let mut started = false;
        let mut tally = Tally::new(self.rules.players);
        let over = Notify::new();
        let playing = play_connection(connection, session, brain, report, recorder, shutdown, |event, game| {
            tally.count(event);
            // Whatever it is, a game is on.
            drop(turn.take());
            if matches!(event, Event::StartGame { .. } | Event::StartKyoku(_)) {
                // Where the arena does not say the seat, the first deal shows it.
                if let Some(table) = game.table().filter(|_| !started) {
                    started = true;
                    self.tell(BotEvent::Started(table.seat()));
                }
            }
            if matches!(event, Event::EndGame { .. }) {
                over.notify_one();
            }
            if let Some(events) = &self.events {
                // Nobody listening is no reason to stop playing.
                let _ = events.send(*event);
            }
        });
        let verdict_overdue = async {
            over.notified().await;
            sleep(self.patience.verdict).await;
        };
        let end = tokio::select! {
            end = playing => end,
            () = verdict_overdue => GameEnd::Ended(End::Game),
        };
        (end, tally)
    }

    /// Waits until it is let in, where there is anything to wait for; `None` when asked to stop meanwhile.
    async fn admission(
        &self,
        door: Option<&Arc<Semaphore>>,
        waits: BotEvent,
        brain: &mut Brain,
        shutdown: &Shutdown,
    ) -> Option<Option<OwnedSemaphorePermit>> {
        let Some(door) = door else { return Some(None) };
        if let Ok(permit) = Arc::clone(door).try_acquire_owned() {
            return Some(Some(permit));
        }
        self.tell(waits);
        tokio::select! {
            permit = meanwhile(brain, Arc::clone(door).acquire_owned()) => Some(permit.ok()),
            () = shutdown.finishing() => None,
        }
    }

    /// Tells what happens to the bot.
    pub fn tell(&self, event: BotEvent) {
        // Nobody listening is no reason to stop playing.
        let _ = self.news.send(BotNews { bot: Arc::clone(&self.name), event });
    }
}

/// The report of a game that was played to its end; one in which nothing was dealt was none.
fn finished(game: &Game, tally: &Tally) -> Option<GameReport> {
    (game.is_finished() && tally.rounds > 0).then(|| GameReport::of(game, tally)).flatten()
}

/// Why a game was not played to its end, for its record.
fn why_not_played(game: &Game, tally: &Tally, end: &GameEnd, arena: &Arena) -> Option<String> {
    match end {
        _ if finished(game, tally).is_some() => None,
        GameEnd::Lost(closed) => Some(closed.to_string()),
        GameEnd::Stopped => Some("the runner was stopped".to_owned()),
        GameEnd::Ended(End::Aborted(message)) => Some(arena.shown(message)),
        GameEnd::Ended(_) => Some("the arena ended the game before it was played".to_owned()),
    }
}

/// The result of a game, for its record.
fn played(game: &Game, tally: &Tally, faults: &FaultCounts) -> PlayedGame {
    let report = finished(game, tally);
    PlayedGame {
        scores: report.as_ref().map(|report| report.scores.as_slice().to_vec()),
        place: report.map(|report| report.place),
        rounds: tally.rounds,
        requests: game.acks,
        faults: faults.by_kind().map(|(kind, count)| (kind.to_owned(), count)).collect(),
        desyncs: game.desyncs.total(),
        first_desyncs: game.desyncs.first_of_each().iter().map(|(kind, text)| format!("{kind}: {text}")).collect(),
        unreadable: game.unreadable,
        ..PlayedGame::default()
    }
}

/// Waits for something while another build of the policy may take over.
async fn meanwhile<T>(brain: &mut Brain, something: impl Future<Output = T>) -> T {
    let mut something = pin!(something);
    loop {
        tokio::select! {
            done = &mut something => return done,
            () = brain.replaced() => {}
        }
    }
}
