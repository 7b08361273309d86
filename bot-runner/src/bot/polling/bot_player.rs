//! A bot with its policy as the player of an account's matches.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use lab::tally::SeatTally;
use mahjong::{PerSeat, Seat};
use policy_host::{Asked, Decided, FaultCounts, PolicyIdentity, SeatEvent, ViewBuffer};
use protocol::botzone::MatchId;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::player::{MatchDecision, MatchEnd, MatchEvent, MatchPlayer};
use crate::bot::brain::Brain;
use crate::bot::deciders::DeciderCounts;
use crate::bot::event::BotEvent;
use crate::bot::report::{BotReport, GameReport};
use crate::bot::setup::Bot;
use crate::budget::budget;
use crate::foreign::cut;
use crate::kept_game::{KeptGame, milliseconds};
use crate::records::{PlayedGame, Recorder};
use crate::session::AckCounts;
use crate::session::botzone::MatchDialect;
use crate::session::desync::DesyncKind;

/// A bot with its policy, and what is kept of its matches.
pub(super) struct BotPlayer<'a> {
    bot: &'a Bot,
    brain: &'a mut Brain,
    pub(super) report: &'a mut BotReport,
    matches: HashMap<MatchId, KeptMatch>,
    /// The match whose question was put.
    asked: Option<MatchId>,
    /// When the last match began.
    began: SystemTime,
}

/// What is kept of a match that is on.
struct KeptMatch {
    recorder: Recorder,
    /// When it began; no other match of the bot has the same millisecond.
    began: SystemTime,
    deciders: DeciderCounts,
    /// Its number in the bot's run, from 0.
    number: u64,
    decisions: u32,
    acks: AckCounts,
    /// What the policies had done wrong when it began.
    faults: FaultCounts,
    /// Whether it was told that it began.
    told: bool,
}

impl<'a> BotPlayer<'a> {
    pub(super) fn new(bot: &'a Bot, brain: &'a mut Brain, report: &'a mut BotReport) -> Self {
        Self { bot, brain, report, matches: HashMap::new(), asked: None, began: SystemTime::UNIX_EPOCH }
    }

    fn begin(&mut self, id: &MatchId) {
        // One poll may bring several, which results and records tell apart by this.
        let began = SystemTime::now().max(self.began + Duration::from_millis(1));
        self.began = began;
        let recorder = self.bot.records.as_ref().map_or_else(Recorder::off, |keeper| keeper.recorder_of_one(began));
        let number = self.brain.games;
        self.brain.games += 1;
        self.brain.policy.game_begins();
        let faults = self.brain.faults();
        let kept = KeptMatch {
            recorder,
            began,
            deciders: DeciderCounts::default(),
            number,
            decisions: 0,
            acks: AckCounts::default(),
            faults,
            told: false,
        };
        self.matches.insert(id.clone(), kept);
    }

    fn heard<M: MatchDialect>(&mut self, id: &MatchId, text: &str, at: Instant, dialect: &M) {
        let Some(kept) = self.matches.get_mut(id) else { return };
        kept.acks.requests += 1;
        if let Some(seat) = dialect.seat().filter(|_| !kept.told) {
            kept.told = true;
            kept.recorder.begins(seat, self.brain.policy.identity());
            self.bot.tell(BotEvent::Started(seat));
        }
        if kept.recorder.is_on() {
            kept.recorder.received(at, Utf8Bytes::from(text));
        }
    }

    fn ended<M: MatchDialect>(&mut self, id: &MatchId, dialect: &M, end: MatchEnd) {
        let Some(kept) = self.matches.remove(id) else { return };
        let (desyncs, first) = dialect.desyncs();
        self.report.desyncs += desyncs;
        if let Some(first) = first
            && self.report.first_desyncs.is_empty()
        {
            self.report.first_desyncs.push((DesyncKind::Event, first.to_owned()));
        }
        self.report.acks.add(&kept.acks);
        let (game, cut_because) = match end {
            MatchEnd::Finished { slot, scores } => (game_report::<M>(slot, &scores), None),
            MatchEnd::BrokenOff => (None, Some("it was broken off".to_owned())),
            MatchEnd::GivenUp(why) => (None, Some(why)),
        };
        let faults = self.brain.faults().since(&kept.faults);
        kept.recorder.ended(|| {
            let played = PlayedGame {
                scores: game.as_ref().map(|game| game.scores.as_slice().to_vec()),
                place: game.as_ref().map(|game| game.place),
                rounds: 1,
                requests: kept.acks,
                faults: faults.by_kind().map(|(kind, count)| (kind.to_owned(), count)).collect(),
                desyncs,
                first_desyncs: first.map(str::to_owned).into_iter().collect(),
                ..PlayedGame::default()
            };
            (played, cut_because.clone())
        });
        match game {
            Some(game) => {
                self.keep_result(&game, kept.began, &kept.deciders);
                self.bot.tell(BotEvent::Finished(game.clone()));
                self.report.games.push(game);
            }
            None => {
                self.report.aborted += 1;
                self.bot.tell(BotEvent::Aborted(cut_because.unwrap_or_else(|| "its result cannot be read".to_owned())));
            }
        }
        self.report.show_after(self.brain);
        if self.matches.is_empty() {
            self.bot.tell(BotEvent::Queued);
        }
    }

    /// Hands a match to whoever keeps the bot's results.
    fn keep_result(&self, game: &GameReport, began: SystemTime, deciders: &DeciderCounts) {
        let Some(results) = &self.bot.results else { return };
        let kept = KeptGame {
            bot: &self.bot.name,
            arena: self.bot.arena.to_string(),
            game: self.bot.arena.game(),
            opened_ms: milliseconds(began.into()),
            ended_ms: milliseconds(SystemTime::now().into()),
            seat: game.seat,
            place: game.place,
            scores: game.scores.as_slice(),
            counts: None,
            deciders: deciders.kept(self.identity()),
            names: &[],
        };
        results.keep(vec![kept.result()]);
    }

    /// Counts a question that was answered, or got the safe answer, while the policy was at the seat.
    fn count_decider(&mut self) {
        let kept = self.asked.take().and_then(|id| self.matches.get_mut(&id));
        if let Some(kept) = kept {
            kept.deciders.count(self.brain.policy.identity());
        }
    }

    fn identity(&self) -> &Arc<PolicyIdentity> {
        self.brain.policy.identity()
    }
}

/// A match as the bot's report has it: its scores in the units of the game.
fn game_report<M: MatchDialect>(slot: usize, scores: &[f64]) -> Option<GameReport> {
    let seat = Seat::new(u8::try_from(slot).ok()?)?;
    let own = *scores.get(slot)?;
    let units: Vec<i32> = scores.iter().map(|score| (score * M::UNITS).round() as i32).collect();
    let place = 1 + scores.iter().filter(|&&score| score > own).count() as u8;
    let scores = PerSeat::from_slice(&units)?;
    Some(GameReport { seat, scores, place, rounds: 1, tally: SeatTally::default() })
}

impl<M: MatchDialect> MatchPlayer<M> for BotPlayer<'_> {
    fn ask(&mut self, id: &MatchId, dialect: &M, arrived: Instant, until: Instant) -> bool {
        let Some(kept) = self.matches.get_mut(id) else { return false };
        let pace = self.brain.policy.pace();
        let now = Instant::now();
        let until = until.min(now + budget(pace.think, pace.margin, None));
        let asked = Asked {
            decision: kept.decisions,
            game: kept.number,
            seed: self.brain.seed,
            budget: until - now,
            ..Asked::default()
        };
        kept.decisions += 1;
        let fill = |view: &mut ViewBuffer| dialect.fill(view, &asked);
        match self.brain.policy.ask(until, fill) {
            Ok(()) => {
                self.asked = Some(id.clone());
                true
            }
            Err(why) => {
                tracing::debug!(waited = ?arrived.elapsed(), "the safe answer: {why}");
                self.report.safe_answers += 1;
                kept.deciders.count(self.brain.policy.identity());
                false
            }
        }
    }

    async fn next(&mut self, in_match: bool) -> MatchDecision {
        let event = match self.brain.policy.soon().await {
            Some(event) => event,
            None => self.brain.policy.next(in_match).await,
        };
        match event {
            SeatEvent::Decided { decided: Decided { index, values, reason }, took } => {
                tracing::debug!(?took, ?values, by = %self.identity(), "{}", cut(&reason));
                self.report.decisions += 1;
                self.count_decider();
                MatchDecision::Chosen(Some(index))
            }
            SeatEvent::Undecided(why) => {
                tracing::debug!("the safe answer: {why}");
                self.report.safe_answers += 1;
                self.count_decider();
                MatchDecision::Chosen(None)
            }
            SeatEvent::AskAgain => MatchDecision::AskAgain,
        }
    }

    fn withdraw(&mut self) {
        self.asked = None;
        self.brain.policy.withdraw();
    }

    fn happened(&mut self, id: &MatchId, what: MatchEvent<'_, M>) {
        match what {
            MatchEvent::Began => self.begin(id),
            MatchEvent::Heard { text, at, dialect } => self.heard(id, text, at, dialect),
            MatchEvent::Answered { text, took } => {
                self.report.latency.record(took);
                if let Some(kept) = self.matches.get_mut(id).filter(|kept| kept.recorder.is_on()) {
                    kept.recorder.sent(Utf8Bytes::from(text), took);
                }
            }
            MatchEvent::Taken => {
                if let Some(kept) = self.matches.get_mut(id) {
                    kept.acks.accepted += 1;
                }
                self.report.show(self.brain, 0);
            }
            MatchEvent::Ended { dialect, end } => self.ended(id, dialect, end),
        }
    }
}
