//! What an adviser says of the questions of a person's seat.
//!
//! The adviser reads the lines of the seat's own round, and so knows what the seat may know. It
//! works on a thread of its own and takes questions from here; neither the person nor the game
//! waits for it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use builtin::ValueUnit;
use client::bot::LiveRound;
use policy_host::GameKind;
use tokio::sync::watch;

use super::OfferedAction;
use crate::page::{OwnChoice, Page, PageDecision, PageLoss, Pieces, ShownAction};

/// Maximum number of questions that wait for the adviser; beyond it the oldest is not compared.
const MAX_WAITING: usize = 500;

/// Number of lines by which a round is known: its first line, and the deal.
const DEAL_LINES: usize = 2;

/// The adviser of a seat, and what it says. Clones share it.
#[derive(Clone)]
pub struct SeatAdvice(Arc<SharedAdvice>);

struct SharedAdvice {
    /// What the seat sees.
    round: LiveRound,
    desk: Mutex<AdviceDesk>,
    changed: Condvar,
    /// Sent to when a page has something new to show.
    changes: watch::Sender<()>,
}

#[derive(Default)]
struct AdviceDesk {
    /// Name and version of the policy; none without an adviser.
    adviser: Option<String>,
    /// Why it says nothing any more.
    ended: Option<String>,
    /// Whether nothing is asked any more.
    is_over: bool,
    /// Number of threads that work on it.
    at_work: usize,
    /// The questions that it has not been asked about, or whose answers are not known, the newest
    /// last.
    questions: VecDeque<AdvisedQuestion>,
    /// What it says of the newest question.
    hint: Option<Hint>,
    rounds: Vec<ComparedRound>,
    /// The deal of the last of the rounds.
    deal: Vec<Arc<str>>,
    versions: AdviceVersions,
}

/// Numbers that increase with every change of what a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct AdviceVersions {
    hint: u64,
    rounds: u64,
}

/// A question of the seat.
struct AdvisedQuestion {
    number: u64,
    actions: Vec<OfferedAction>,
    /// Whether the adviser has been asked.
    is_taken: bool,
    /// What the person has answered, and in which round.
    answer: Option<(usize, usize)>,
    /// What the seat had seen when it answered.
    lines: Option<Vec<Arc<str>>>,
    advice: Option<AdviserAnswer>,
}

/// A question that the adviser is to answer.
#[derive(Debug, Clone)]
pub struct QuestionForAdvice {
    pub number: u64,
    pub actions: Vec<OfferedAction>,
}

/// The adviser's answer to a question of the seat.
#[derive(Debug, Clone)]
pub struct AdviserAnswer {
    /// The game.
    pub game: GameKind,
    /// The moment of the decision and the seat's hand, in words.
    pub moment: String,
    /// The actions of the question, for a page.
    pub legal: Vec<ShownAction>,
    /// The place of its choice among them.
    pub chosen: usize,
    /// Whether each of them is its choice, or differs from it only in irrelevant details.
    pub is_same: Vec<bool>,
    /// Its values of them, NaN for those without one; empty without values.
    pub values: Vec<f32>,
    pub reason: String,
    pub took: Duration,
}

/// What the adviser says of a question.
#[derive(Debug, Clone)]
pub(crate) struct Hint {
    /// Number of the question.
    pub(crate) question: u64,
    /// A page with nothing but the decision, or the reason why there is none.
    pub(crate) said: Result<Page, String>,
}

/// The decisions of the person in a round.
#[derive(Debug, Clone, Default)]
pub(crate) struct ComparedRound {
    /// Number of those that the person made.
    pub(crate) made: u64,
    /// Number of those of which the adviser has said what it would have done.
    pub(crate) compared: u64,
    /// Those in which that is something else.
    pub(crate) differences: Vec<AdviceDifference>,
}

/// A decision in which the adviser would have done something else.
#[derive(Debug, Clone)]
pub(crate) struct AdviceDifference {
    pub(crate) moment: String,
    pub(crate) done: String,
    pub(crate) advised: String,
    pub(crate) reason: String,
    /// By how much the action is worth less by the adviser's values, if it gives some.
    pub(crate) loss: Option<PageLoss>,
}

/// What a page of the seat shows of the adviser; `None` for what it has.
pub(crate) struct AdviceNews {
    /// Name and version of the policy.
    pub(crate) adviser: String,
    /// Why it says nothing any more.
    pub(crate) ended: Option<String>,
    /// What it says of the newest question.
    pub(crate) hint: Option<Option<Hint>>,
    pub(crate) rounds: Option<Vec<ComparedRound>>,
}

/// How many of the person's decisions the adviser would have made otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AdviceCounts {
    /// Decisions that the person made.
    pub made: u64,
    /// Those of which the adviser has said what it would have done.
    pub compared: u64,
    /// Those of which it would have done something else.
    pub differ: u64,
}

impl SeatAdvice {
    pub(super) fn of(round: LiveRound) -> Self {
        Self(Arc::new(SharedAdvice {
            round,
            desk: Mutex::default(),
            changed: Condvar::new(),
            changes: watch::Sender::new(()),
        }))
    }

    /// Has a policy, by its name and version, advise from now on, for as long as what this returns
    /// is kept.
    #[must_use]
    pub fn begin(&self, adviser: &str) -> AdviserAtWork {
        let mut desk = self.desk();
        desk.adviser = Some(adviser.to_owned());
        desk.at_work += 1;
        drop(desk);
        self.show();
        AdviserAtWork(self.clone())
    }

    /// The adviser's name and version.
    #[must_use]
    pub fn adviser(&self) -> Option<String> {
        self.desk().adviser.clone()
    }

    /// Says why the adviser says nothing any more.
    pub fn end(&self, why: &str) {
        let mut desk = self.desk();
        desk.ended = Some(why.to_owned());
        desk.questions.clear();
        desk.versions.hint += 1;
        drop(desk);
        self.0.changed.notify_all();
        self.show();
    }

    /// The newest question that the adviser has not been asked about. Waits for one; `None` once
    /// the games are over.
    #[must_use]
    pub fn next_question(&self) -> Option<QuestionForAdvice> {
        let mut desk = self.desk();
        loop {
            if desk.is_over || desk.ended.is_some() {
                return None;
            }
            let mut newest_first = desk.questions.iter_mut().rev();
            if let Some(question) = newest_first.find(|question| !question.is_taken) {
                question.is_taken = true;
                return Some(QuestionForAdvice {
                    number: question.number,
                    actions: question.actions.clone(),
                });
            }
            let waited = self.0.changed.wait(desk);
            desk = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What the seat had seen when a question was put, in the lines of its round; `None` if the
    /// question needs no advice any more.
    #[must_use]
    pub fn lines(&self, number: u64) -> Option<Vec<Arc<str>>> {
        let mut desk = self.desk();
        let lines = desk.question(number)?.lines.clone();
        drop(desk);
        lines.or_else(|| Some(self.0.round.shown()?.lines))
    }

    /// Takes the adviser's answer to a question, or the reason why it has none.
    pub fn say(&self, number: u64, advice: Result<AdviserAnswer, String>) {
        let mut desk = self.desk();
        let Some(adviser) = desk.adviser.clone() else {
            return;
        };
        let is_newest = desk.questions.back().map(|newest| newest.number) == Some(number);
        if is_newest {
            let said = advice.as_ref().map(|advice| advice.page(&adviser));
            desk.hint = Some(Hint {
                question: number,
                said: said.map_err(Clone::clone),
            });
            desk.versions.hint += 1;
        }
        if let Some(question) = desk.question(number) {
            match advice {
                Ok(advice) => question.advice = Some(advice),
                Err(_) => desk.questions.retain(|question| question.number != number),
            }
        }
        desk.compare(number, &adviser);
        drop(desk);
        self.0.changed.notify_all();
        self.show();
    }

    /// Waits until the adviser has been heard about all answers of the person, and has gone; for
    /// each at most for so long.
    pub fn finish(&self, at_most: Duration) -> AdviceCounts {
        self.wait_while(at_most, |desk| {
            desk.questions.iter().any(AdvisedQuestion::is_awaited)
        });
        self.desk().is_over = true;
        self.0.changed.notify_all();
        self.wait_while(at_most, |desk| desk.at_work > 0);
        let desk = self.desk();
        let mut counts = AdviceCounts::default();
        for round in &desk.rounds {
            counts.made += round.made;
            counts.compared += round.compared;
            counts.differ += round.differences.len() as u64;
        }
        counts
    }

    /// Waits for changes, at most for so long.
    fn wait_while(&self, at_most: Duration, is_so: impl Fn(&AdviceDesk) -> bool) {
        let waited = self
            .0
            .changed
            .wait_timeout_while(self.desk(), at_most, |desk| is_so(desk));
        drop(waited);
    }

    /// Notes that the seat has a question.
    pub(super) fn asked(&self, number: u64, actions: &[OfferedAction]) {
        let mut desk = self.desk();
        if desk.adviser.is_none() || desk.ended.is_some() {
            return;
        }
        desk.questions.push_back(AdvisedQuestion {
            number,
            actions: actions.to_vec(),
            is_taken: false,
            answer: None,
            lines: None,
            advice: None,
        });
        if desk.questions.len() > MAX_WAITING {
            desk.questions.pop_front();
        }
        drop(desk);
        self.0.changed.notify_all();
    }

    /// Notes the person's answer to a question, or that there is none.
    pub(super) fn answered(&self, number: u64, answer: Option<usize>) {
        let mut desk = self.desk();
        let Some(adviser) = desk.adviser.clone() else {
            return;
        };
        let shown = answer.and_then(|answer| Some((answer, self.0.round.shown()?.lines)));
        let Some((answer, lines)) = shown else {
            desk.questions.retain(|question| question.number != number);
            return;
        };
        let round = desk.round(&lines);
        desk.rounds[round].made += 1;
        desk.versions.rounds += 1;
        if let Some(question) = desk.question(number) {
            question.answer = Some((answer, round));
            question.lines = Some(lines);
        }
        desk.compare(number, &adviser);
        drop(desk);
        self.show();
    }

    /// Ready with every change of what a page shows.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.0.changes.subscribe()
    }

    /// What is new since these versions, which become the new ones; `None` without an adviser.
    pub(crate) fn news(&self, known: &mut Option<AdviceVersions>) -> Option<AdviceNews> {
        let desk = self.desk();
        let adviser = desk.adviser.clone()?;
        let before = known.replace(desk.versions);
        let is_new = |of: fn(AdviceVersions) -> u64| before.map(of) != Some(of(desk.versions));
        Some(AdviceNews {
            adviser,
            ended: desk.ended.clone(),
            hint: is_new(|of| of.hint).then(|| desk.hint.clone()),
            rounds: is_new(|of| of.rounds).then(|| desk.rounds.clone()),
        })
    }

    fn show(&self) {
        self.0.changes.send_replace(());
    }

    fn desk(&self) -> MutexGuard<'_, AdviceDesk> {
        self.0.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that works on the advice of a seat.
#[derive(Debug)]
pub struct AdviserAtWork(SeatAdvice);

impl Drop for AdviserAtWork {
    fn drop(&mut self) {
        self.0.desk().at_work -= 1;
        self.0.0.changed.notify_all();
    }
}

impl fmt::Debug for SeatAdvice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatAdvice").finish_non_exhaustive()
    }
}

impl AdvisedQuestion {
    /// Whether the person has answered, and the adviser has not.
    const fn is_awaited(&self) -> bool {
        self.answer.is_some() && self.advice.is_none()
    }
}

impl AdviceDesk {
    fn question(&mut self, number: u64) -> Option<&mut AdvisedQuestion> {
        let mut questions = self.questions.iter_mut();
        questions.find(|question| question.number == number)
    }

    /// The place of the round with these lines: the last one, or a new one.
    fn round(&mut self, lines: &[Arc<str>]) -> usize {
        let deal = &lines[..lines.len().min(DEAL_LINES)];
        if self.rounds.is_empty() || self.deal != deal {
            self.deal = deal.to_vec();
            self.rounds.push(ComparedRound::default());
        }
        self.rounds.len() - 1
    }

    /// Compares the two answers to a question, if both are known.
    fn compare(&mut self, number: u64, adviser: &str) {
        let both = |question: &AdvisedQuestion| {
            question.number == number && question.answer.is_some() && question.advice.is_some()
        };
        let Some(place) = self.questions.iter().position(both) else {
            return;
        };
        let question = self.questions.remove(place);
        let Some((advice, (done, round))) =
            question.and_then(|question| question.advice.zip(question.answer))
        else {
            return;
        };
        let round = &mut self.rounds[round];
        round.compared += 1;
        if !advice.is_same.get(done).copied().unwrap_or_default() {
            round.differences.push(advice.difference(done, adviser));
        }
        self.versions.rounds += 1;
    }
}

impl AdviserAnswer {
    /// A page with nothing but this decision.
    fn page(&self, adviser: &str) -> Page {
        let own = OwnChoice {
            chosen: Some(self.chosen),
            values: self.values.clone(),
            reason: self.reason.clone(),
            policy: adviser.to_owned(),
            took_us: Some(self.took.as_micros() as u64),
            safe_answer: None,
            desync: false,
        };
        Page {
            pieces: match self.game {
                GameKind::DouDizhu => Pieces::Cards,
                GameKind::Riichi | GameKind::Mcr => Pieces::Tiles,
            },
            decisions: vec![PageDecision {
                legal: self.legal.clone(),
                own: Some(own),
                ..PageDecision::default()
            }],
            ..Page::default()
        }
    }

    fn difference(&self, done: usize, adviser: &str) -> AdviceDifference {
        let words = |place: usize| {
            let action = self.legal.get(place);
            action.map_or_else(String::new, |action| action.words.clone())
        };
        let value = |place: usize| {
            let value = self.values.get(place).copied()?;
            value.is_finite().then_some(value)
        };
        let loss = value(self.chosen).zip(value(done)).map(|(own, done)| {
            let sort = self.legal.first().map_or("", |action| action.sort);
            PageLoss {
                loss: (own - done).max(0.0),
                unit: ValueUnit::of_policy(adviser, sort),
                kind: String::new(),
                why: String::new(),
            }
        });
        AdviceDifference {
            moment: self.moment.clone(),
            done: words(done),
            advised: words(self.chosen),
            reason: self.reason.clone(),
            loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use client::bot::MatchPublisher;
    use client::seat_news::SeatNews;
    use riichi::{Action, Tile};

    use super::super::PersonAction;
    use super::*;

    fn discards() -> Vec<Action> {
        let discard = |name: &str| Action::Dahai {
            tile: name.parse::<Tile>().expect("a tile"),
            tsumogiri: false,
        };
        ["1m", "2m", "3m"].map(discard).to_vec()
    }

    /// An adviser at a table of which a line has been seen.
    fn advised() -> (SeatAdvice, AdviserAtWork) {
        let round = LiveRound::watched();
        let mut publisher = MatchPublisher::new(Some(round.clone()));
        publisher.tell(0, GameKind::Riichi, &SeatNews::Line("deal".into()));
        publisher.show();
        let advice = SeatAdvice::of(round);
        let at_work = advice.begin("mine 1.0.0");
        (advice, at_work)
    }

    fn ask(advice: &SeatAdvice, number: u64) {
        let actions: Vec<_> = discards().iter().map(Action::offered).collect();
        advice.asked(number, &actions);
    }

    /// The advice to take this action, which is worth 2 more than the next one.
    fn take(chosen: usize) -> AdviserAnswer {
        AdviserAnswer {
            game: GameKind::Riichi,
            moment: "East 1-0".to_owned(),
            legal: discards().iter().map(ShownAction::of).collect(),
            chosen,
            is_same: (0..3).map(|place| place == chosen).collect(),
            values: (0..3).map(|place| -2.0 * place as f32).collect(),
            reason: String::new(),
            took: Duration::ZERO,
        }
    }

    fn hint(advice: &SeatAdvice) -> Option<u64> {
        let news = advice.news(&mut None).expect("an adviser");
        news.hint.flatten().map(|hint| hint.question)
    }

    #[test]
    fn the_newest_question_comes_first_and_late_advice_is_only_compared() {
        let (advice, _at_work) = advised();
        ask(&advice, 1);
        advice.answered(1, Some(1));
        ask(&advice, 2);
        let order: Vec<_> = (0..2)
            .filter_map(|_| Some(advice.next_question()?.number))
            .collect();
        assert_eq!(order, [2, 1]);
        advice.say(1, Ok(take(0)));
        assert_eq!(hint(&advice), None, "of a question that was answered");
        advice.say(2, Ok(take(0)));
        assert_eq!(hint(&advice), Some(2));
        let rounds = advice.news(&mut None).expect("an adviser").rounds;
        let rounds = rounds.expect("they are new");
        assert_eq!((rounds[0].made, rounds[0].compared), (1, 1));
        let loss = rounds[0].differences[0].loss.as_ref().expect("values");
        assert!((loss.loss - 2.0).abs() < f32::EPSILON);
    }

    #[test]
    fn an_answer_of_the_person_that_agrees_or_never_came_makes_no_difference() {
        let (advice, _at_work) = advised();
        for (number, answer) in [(1, Some(0)), (2, None)] {
            ask(&advice, number);
            advice.say(number, Ok(take(0)));
            advice.answered(number, answer);
        }
        let counts = AdviceCounts {
            made: 1,
            compared: 1,
            differ: 0,
        };
        assert_eq!(advice.finish(Duration::ZERO), counts);
        assert!(advice.next_question().is_none());
    }

    #[test]
    fn an_adviser_that_has_ended_is_waited_for_no_more() {
        let (advice, at_work) = advised();
        ask(&advice, 1);
        advice.answered(1, Some(0));
        advice.end("it failed");
        drop(at_work);
        let counts = advice.finish(Duration::from_secs(600));
        assert_eq!((counts.made, counts.compared), (1, 0));
        let news = advice.news(&mut None).expect("an adviser");
        assert_eq!(news.ended.as_deref(), Some("it failed"));
    }
}
