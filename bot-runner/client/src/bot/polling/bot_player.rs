//! A bot with its policy as the player of an account's matches.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use foreign_text::ForeignText;
use policy_host::{Asked, FaultCounts, GameKind, SeatEvent, ViewBuffer};
use protocol::botzone::MatchId;
use protocol::game_record::{RecordForm, RecordStart};
use riichi::Seat;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::player::{MatchEnd, MatchEvent, MatchPlayer, Readiness};
use crate::Token;
use crate::bot::deciders::DeciderCounts;
use crate::bot::event::BotEvent;
use crate::bot::match_publisher::{MatchPublisher, tell};
use crate::bot::policy::BotPolicy;
use crate::bot::report::BotReport;
use crate::bot::setup::Bot;
use crate::budget::budget;
use crate::decision_note::{DecisionNote, DecisionOutcome};
use crate::game_report::GameReport;
use crate::records::{RecordedResult, Recorder};
use crate::seat_news::SeatNews;
use crate::session::AckCounts;
use crate::session::botzone::{DialectAction, Match, MatchDialect, end_line, record_lines};
use crate::session::desync::DesyncKind;

/// A bot with its policy, and the state of its matches.
pub(super) struct BotPlayer<'a, D: MatchDialect> {
    bot: &'a Bot,
    bot_policy: &'a mut BotPolicy,
    pub(super) report: &'a mut BotReport,
    matches: HashMap<MatchId, MatchState<DialectAction<D>>>,
    /// The seating of matches in progress that were created here.
    made: HashMap<MatchId, Vec<String>>,
    /// The start time of the last match.
    began: SystemTime,
    publisher: MatchPublisher,
    /// Whether the bot's state says that its policy is set aside.
    shows_set_aside: bool,
}

/// The state of a match in progress. Record and page begin once the first answer was accepted, and
/// then include the earlier events: a site that begins and ends matches in a loop fills neither.
struct MatchState<A> {
    recorder: Recorder,
    /// Number of events that the recorder and the page have received.
    recorded: usize,
    /// Decisions that they have not received, because the answer was not sent yet.
    notes: Vec<DecisionNote<A>>,
    seat: Option<Seat>,
    /// Whether its seat is known and an answer was accepted.
    is_shown: bool,
    /// Its start time; no other match of the bot has the same millisecond.
    began: SystemTime,
    deciders: DeciderCounts,
    /// Its number in the bot's run, from 0.
    number: u64,
    decisions: u32,
    acks: AckCounts,
    /// Faults of the policies before the match.
    faults: FaultCounts,
    /// The first request that contradicted the known state, in a form that may be shown.
    first_desync: Option<ForeignText>,
}

impl<'a, D: MatchDialect> BotPlayer<'a, D> {
    pub(super) fn new(
        bot: &'a Bot,
        bot_policy: &'a mut BotPolicy,
        report: &'a mut BotReport,
    ) -> Self {
        let publisher = MatchPublisher::new(report.live.round.clone());
        Self {
            bot,
            bot_policy,
            report,
            matches: HashMap::new(),
            made: HashMap::new(),
            began: SystemTime::UNIX_EPOCH,
            publisher,
            shows_set_aside: false,
        }
    }

    fn begin(&mut self, id: &MatchId) {
        // One poll may bring several matches; results and records distinguish them by this time.
        let began = SystemTime::now().max(self.began + Duration::from_millis(1));
        self.began = began;
        let recorder = self
            .bot
            .records
            .as_ref()
            .map_or_else(Recorder::off, |keeper| keeper.recorder(began));
        let number = self.bot_policy.games;
        self.bot_policy.games += 1;
        self.bot_policy.seated.game_begins();
        let faults = self.bot_policy.faults();
        let kept = MatchState {
            recorder,
            recorded: 0,
            notes: Vec::new(),
            seat: None,
            is_shown: false,
            began,
            deciders: DeciderCounts::default(),
            number,
            decisions: 0,
            acks: AckCounts::default(),
            faults,
            first_desync: None,
        };
        self.matches.insert(id.clone(), kept);
    }

    fn heard(&mut self, id: &MatchId, text: &str, at: Instant, dialect: &D) {
        let Some(kept) = self.matches.get_mut(id) else {
            return;
        };
        kept.acks.requests += 1;
        kept.seat = kept.seat.or_else(|| dialect.seat());
        if kept.first_desync.is_none()
            && let Some(first) = &dialect.desyncs().first
        {
            let secret = self.bot.arena.token().map(Token::secret);
            let first = ForeignText::excerpt(text, first, secret);
            tracing::debug!(
                "a match differs from what was known: {first}; the first time in this match"
            );
            kept.first_desync = Some(first);
        }
        if kept.recorder.is_on() {
            kept.recorder.received(at, Utf8Bytes::from(text));
        }
    }

    /// An answer was accepted.
    fn taken(&mut self, id: &MatchId, dialect: &D) {
        let Some(kept) = self.matches.get_mut(id) else {
            return;
        };
        kept.acks.accepted += 1;
        let game = self.bot.arena.game();
        if let Some(seat) = kept.seat.filter(|_| !kept.is_shown) {
            kept.is_shown = true;
            if kept.is_kept(&self.publisher) {
                let policy = Arc::clone(self.bot_policy.seated.identity());
                let began = SeatNews::Began { seat, policy };
                let line = start_line::<D>(&self.bot.name, seat, game, self.made.get(id));
                for news in [began, SeatNews::Line(line.into())] {
                    kept.tell(&mut self.publisher, game, news);
                }
            }
            self.bot.tell(BotEvent::Started(seat));
            kept.record(dialect, game, &mut self.publisher, false);
            self.publisher.show();
        }
        self.report.show(self.bot_policy, None);
    }

    fn ended(&mut self, id: &MatchId, dialect: &D, end: MatchEnd) {
        let names = self.made.remove(id).unwrap_or_default();
        let Some(mut kept) = self.matches.remove(id) else {
            return;
        };
        kept.record(dialect, self.bot.arena.game(), &mut self.publisher, true);
        let desyncs = dialect.desyncs().count;
        let first = kept.first_desync.take().map(|first| first.to_string());
        self.report.desyncs += desyncs;
        if let Some(first) = &first
            && self.report.first_desyncs.is_empty()
        {
            self.report
                .first_desyncs
                .push((DesyncKind::Event, first.clone()));
        }
        self.report.acks.add(&kept.acks);
        if let MatchEnd::Finished { scores, .. } = &end
            && kept.is_shown
        {
            let line = end_line(dialect, scores.clone());
            let news = SeatNews::Line(line.into());
            kept.tell(&mut self.publisher, self.bot.arena.game(), news);
        }
        self.publisher.ended(kept.number);
        self.publisher.show();
        let (game, cut_because) = match end {
            MatchEnd::Finished { slot, scores } => (
                GameReport::of_scores(self.bot.arena.game(), slot, &scores),
                None,
            ),
            MatchEnd::BrokenOff => (None, Some("it was aborted".to_owned())),
            MatchEnd::GivenUp(why) => (None, Some(why)),
            MatchEnd::Unanswered => (None, None),
        };
        let faults = self.bot_policy.faults().since(&kept.faults);
        kept.recorder.ended(|| {
            let played = RecordedResult {
                rounds: 1,
                requests: kept.acks,
                desyncs,
                first_desyncs: first.clone().into_iter().collect(),
                names: names.clone(),
                ..RecordedResult::of(game.as_ref(), &faults)
            };
            (played, cut_because.clone())
        });
        if let Some(game) = game {
            let result = || {
                let deciders = kept.deciders.kept(self.bot_policy.identity());
                self.bot
                    .result_of(&game, None, deciders, &names, kept.began)
            };
            self.bot.tell_finished(game.clone(), result);
            self.report.played(game);
        } else if let Some(why) = cut_because {
            self.report.aborted += 1;
            self.bot.tell(BotEvent::Aborted(why));
        }
        self.report.show_after(self.bot_policy);
        if self.matches.is_empty() {
            self.bot.tell(BotEvent::Queued);
        }
    }

    /// Counts a decision, and adds it to the record once its answer is sent.
    fn decided(
        &mut self,
        id: &MatchId,
        played: &Match<D>,
        choice: Option<usize>,
        outcome: DecisionOutcome,
    ) {
        let policy = self.bot_policy.identity();
        match &outcome {
            DecisionOutcome::Decided {
                took,
                values,
                reason,
            } => {
                tracing::debug!(?took, ?values, by = %policy, "{}", ForeignText::new(reason, None));
                self.report.decisions += 1;
            }
            DecisionOutcome::SafeAnswer(why) => {
                tracing::debug!("the safe answer: {why}");
                self.report.safe_answers += 1;
            }
        }
        let Some(kept) = self.matches.get_mut(id) else {
            return;
        };
        kept.deciders.count(policy);
        let decision = kept.decisions;
        kept.decisions += 1;
        let Some(seat) = kept.seat.filter(|_| kept.is_kept(&self.publisher)) else {
            return;
        };
        kept.notes.push(DecisionNote {
            game: kept.number,
            decision,
            seat,
            legal: played.legal().unwrap_or_default().to_vec(),
            chosen: choice.or_else(|| played.safe()),
            policy: Arc::clone(policy),
            outcome,
        });
    }
}

impl<A: Clone> MatchState<A> {
    /// Whether a record or a page keeps its events.
    const fn is_kept(&self, publisher: &MatchPublisher) -> bool {
        self.recorder.is_on() || publisher.is_on()
    }

    /// Sends the recorder and the page the events that they lack.
    fn record<D>(&mut self, dialect: &D, game: GameKind, publisher: &mut MatchPublisher, over: bool)
    where
        D: MatchDialect<Record: RecordForm<Action = A>>,
    {
        if !self.is_shown || !self.is_kept(publisher) {
            return;
        }
        for line in record_lines(dialect, &mut self.recorded, over) {
            self.tell(publisher, game, SeatNews::Line(line.into()));
        }
        for note in std::mem::take(&mut self.notes) {
            let note = Arc::new(note.written::<D::Record>());
            self.tell(publisher, game, SeatNews::Decided(note));
        }
    }

    fn tell(&mut self, publisher: &mut MatchPublisher, game: GameKind, news: SeatNews) {
        tell(&mut self.recorder, publisher, (self.number, game), news);
    }
}

/// The first line of a match's record. Botzone does not send names, so only the players requested
/// for a match that was created here are known.
fn start_line<D: MatchDialect>(
    bot: &str,
    own: Seat,
    game: GameKind,
    made: Option<&Vec<String>>,
) -> String {
    let known = |seat: usize| made.and_then(|names| names.get(seat).cloned());
    let name = |seat: usize| {
        if seat == own.index() {
            bot.to_owned()
        } else {
            known(seat).unwrap_or_else(|| format!("seat {seat}"))
        }
    };
    let names = (0..D::Record::SEATS).map(name).collect();
    RecordStart {
        game: game.name().to_owned(),
        id: Some(own.index()),
        names,
    }
    .line()
}

impl<D: MatchDialect> MatchPlayer<D> for BotPlayer<'_, D> {
    fn ask(&mut self, id: &MatchId, played: &Match<D>, until: Instant) -> Result<(), String> {
        let kept = self.matches.get(id).ok_or("the match is not on")?;
        let pace = self.bot_policy.seated.pace();
        let now = Instant::now();
        let until = until.min(now + budget(pace.think, pace.margin, None));
        let asked = Asked {
            decision: kept.decisions,
            game: kept.number,
            seed: self.bot_policy.seed,
            budget: until - now,
            ..Asked::default()
        };
        let fill = |view: &mut ViewBuffer| played.fill(view, &asked);
        self.bot_policy
            .seated
            .ask(until, fill)
            .map_err(|why| why.to_string())
    }

    async fn next(&mut self, in_match: bool) -> SeatEvent {
        if !in_match && self.readiness() != Readiness::Ready {
            self.bot_policy.replaced().await;
            // With another build another match may begin.
            return SeatEvent::AskAgain;
        }
        self.bot_policy.next(in_match).await
    }

    fn readiness(&mut self) -> Readiness {
        let is_set_aside = self.bot_policy.is_set_aside() && !self.bot.plays_while_set_aside;
        if self.matches.is_empty() && is_set_aside != self.shows_set_aside {
            self.shows_set_aside = is_set_aside;
            self.bot.tell(if is_set_aside {
                BotEvent::AwaitsPolicy
            } else {
                BotEvent::Queued
            });
        }
        if is_set_aside || self.bot_policy.seated.awaits_game_end() {
            Readiness::NotYet
        } else {
            Readiness::Ready
        }
    }

    fn withdraw(&mut self) {
        self.bot_policy.seated.withdraw();
    }

    fn awaits_permit(&mut self, waits: bool) {
        if self.matches.is_empty() {
            self.bot.tell(if waits {
                BotEvent::AwaitsPermit
            } else {
                BotEvent::Queued
            });
        }
    }

    fn happened(&mut self, id: &MatchId, what: MatchEvent<'_, D>) {
        match what {
            MatchEvent::Made { players } => {
                let name = |player: &Option<String>| {
                    player.clone().unwrap_or_else(|| self.bot.name.to_string())
                };
                self.made
                    .insert(id.clone(), players.iter().map(name).collect());
            }
            MatchEvent::Began => self.begin(id),
            MatchEvent::Heard { text, at, played } => self.heard(id, text, at, &played.dialect),
            MatchEvent::Decided {
                choice,
                outcome,
                played,
            } => self.decided(id, played, choice, outcome),
            MatchEvent::Answered { text, took, played } => {
                self.report.latency.record(took);
                let Some(kept) = self.matches.get_mut(id) else {
                    return;
                };
                if kept.recorder.is_on() {
                    kept.recorder.sent(Utf8Bytes::from(text), took);
                }
                kept.record(
                    &played.dialect,
                    self.bot.arena.game(),
                    &mut self.publisher,
                    false,
                );
                self.publisher.show();
            }
            MatchEvent::Taken { played } => self.taken(id, &played.dialect),
            MatchEvent::Ended { played, end } => self.ended(id, &played.dialect, end),
        }
    }
}
