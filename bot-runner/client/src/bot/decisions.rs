//! The questions of a connection, the policy's decisions and the replies.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foreign_text::ForeignText;
use policy_host::{Asked, Decided, RoundLog, SeatEvent, ViewBuffer};
use riichi::{Action, Event};

use super::policy::BotPolicy;
use super::report::BotReport;
use crate::budget::budget_after;
use crate::decision_note::{DecisionNote, DecisionOutcome};
use crate::session::Dialect;

/// The decisions of one connection.
pub(super) struct Decisions<'a> {
    pub(super) session: &'a mut dyn Dialect,
    pub(super) bot_policy: &'a mut BotPolicy,
    pub(super) report: &'a mut BotReport,
    /// Number of the game in the bot's run, from 0.
    game: u64,
    /// Whether the current game has a number.
    numbered: bool,
    round: RoundLog,
    /// Whether decisions are noted.
    notes: bool,
    /// The decisions that are not told yet.
    pub(super) noted: Vec<DecisionNote<Action>>,
    /// Number of decisions in the game.
    decisions: u32,
    /// The arrival of the current request.
    pub(super) arrival: Instant,
    /// The part of the current request's time that policies have had which do not decide it any
    /// more.
    spent: Duration,
    /// Whether a log line has reported that the arena leaves no time.
    told_hurry: bool,
}

impl<'a> Decisions<'a> {
    pub(super) fn new(
        session: &'a mut dyn Dialect,
        bot_policy: &'a mut BotPolicy,
        report: &'a mut BotReport,
        notes: bool,
    ) -> Self {
        Self {
            game: bot_policy.games,
            notes,
            noted: Vec::new(),
            session,
            bot_policy,
            report,
            numbered: false,
            round: RoundLog::default(),
            decisions: 0,
            arrival: Instant::now(),
            spent: Duration::ZERO,
            told_hurry: false,
        }
    }

    /// Applies an event that the session has applied.
    pub(super) fn take_in(&mut self, event: &Event) {
        if let Some(table) = self.session.game().table() {
            self.round.push(event, table);
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
        self.game = self.bot_policy.games;
        self.bot_policy.games += 1;
        self.decisions = 0;
        self.bot_policy.deciders.clear();
        self.bot_policy.seated.game_begins();
    }

    /// Asks the policy the new question. Returns the reply at once if the policy cannot be asked.
    pub(super) fn ask(&mut self) -> Option<String> {
        self.decisions += 1;
        self.spent = Duration::ZERO;
        self.put_to_policy()
    }

    /// The reply to send for an outcome of the question.
    pub(super) fn on_seat(&mut self, event: SeatEvent) -> Option<String> {
        match event {
            SeatEvent::Decided {
                decided:
                    Decided {
                        index,
                        values,
                        reason,
                    },
                took,
            } => {
                let (decision, by) = (self.decisions - 1, self.bot_policy.seated.identity());
                tracing::debug!(decision, ?took, ?values, %by, "{}", ForeignText::new(&reason, None));
                self.report.decisions += 1;
                self.answer(Some(index), || DecisionOutcome::Decided {
                    took,
                    values,
                    reason,
                })
            }
            SeatEvent::Undecided(why) => self.safe_answer(&why.to_string()),
            SeatEvent::AskAgain => {
                self.spent = self.arrival.elapsed();
                self.put_to_policy()
            }
        }
    }

    fn put_to_policy(&mut self) -> Option<String> {
        let (Some(question), Some(table)) =
            (self.session.game().question(), self.session.game().table())
        else {
            return self.safe_answer("no table is known yet");
        };
        let pace = self.bot_policy.seated.pace();
        let until = self.arrival + budget_after(self.spent, pace, question.time);
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            if !std::mem::replace(&mut self.told_hurry, true) {
                tracing::warn!(time = ?question.time, "a request leaves no time to decide (logged once per connection)");
            }
            return self.safe_answer("there was no time for it");
        }
        let time = question.time.unwrap_or_default();
        self.report.limit = time
            .deadline_ms
            .or(time.grace_ms)
            .map(Duration::from_millis)
            .or(self.report.limit);
        let milliseconds = |ms: Option<u64>| Duration::from_millis(ms.unwrap_or(0));
        let asked = Asked {
            decision: self.decisions - 1,
            game: self.game,
            seed: self.bot_policy.seed,
            grace: milliseconds(time.grace_ms),
            bank: milliseconds(time.bank_ms),
            deadline: milliseconds(time.deadline_ms),
            budget: left,
        };
        let fill = |view: &mut ViewBuffer| view.fill(table, &self.round, &question.legal, &asked);
        match self.bot_policy.seated.ask(until, fill) {
            Ok(()) => None,
            Err(why) => self.safe_answer(&why.to_string()),
        }
    }

    fn safe_answer(&mut self, why: &str) -> Option<String> {
        self.report.safe_answers += 1;
        self.answer(None, || DecisionOutcome::SafeAnswer(why.to_owned()))
    }

    /// Answers the open question, with the safe answer if there is no decision.
    fn answer(
        &mut self,
        index: Option<usize>,
        outcome: impl FnOnce() -> DecisionOutcome,
    ) -> Option<String> {
        let legal = &self.session.game().question()?.legal;
        if self.notes
            && let Some(table) = self.session.game().table()
        {
            let safe = || {
                legal
                    .iter()
                    .position(|&action| Some(action) == riichi::safe_answer(legal))
            };
            self.noted.push(DecisionNote {
                game: self.game,
                decision: self.decisions - 1,
                seat: table.seat(),
                legal: legal.to_vec(),
                chosen: index.or_else(safe),
                policy: Arc::clone(self.bot_policy.seated.identity()),
                outcome: outcome(),
            });
        }
        self.bot_policy.count_decider();
        self.session.answer(index)
    }
}
