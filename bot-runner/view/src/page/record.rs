//! Records of games other than riichi as pages, line by line.

use std::collections::VecDeque;
use std::fmt;

use client::decision_note::RecordedDecision;
use protocol::game_record::{GameOutcome, LineForm, RecordForm, RecordedGame};
use serde_json::Value;

use super::model::{OwnChoice, Page, PageAction, PageDecision, StepSort};
use super::outcome::told_outcome;
use super::walk::{ShownGame, Walk};

/// A game whose records have their own format.
pub(crate) trait ShownRecord:
    ShownGame<Event: fmt::Debug + Send> + fmt::Debug + Send + Sized
{
    type Form: RecordForm<Event = Self::Event, Action = Self::Action>;
    type Action: PageAction + fmt::Debug + Send;

    /// The game after its deal; `None` if no hand is known.
    fn dealt(record: &RecordedGame<Self::Form>) -> Option<Self>;

    /// Whether its rules still match the record, which may have grown.
    fn has_rules_of(&self, record: &RecordedGame<Self::Form>) -> bool;

    /// The legal actions of a seat, if its hand is known.
    fn legal(&self, seat: usize) -> Vec<Self::Action>;
}

/// The page of a record that may still grow.
pub trait RecordPage: fmt::Debug + Send {
    /// Adds the next line.
    fn line(&mut self, line: &str);

    /// What was found in the record, which has been judged, by lines: the page warns of it in these
    /// words.
    fn judged(&mut self, findings: Vec<(u64, String)>);

    /// Updates the page with the lines that were read.
    fn show(&mut self);

    /// Attaches a decision to the next moment at which its seat could take exactly that action. A
    /// decision that comes after a later one of its seat is out of order and is dropped.
    fn decided(&mut self, note: RecordedDecision<Value>);

    /// The page, once a hand is dealt.
    fn page(&self) -> Option<&Page>;

    /// The position after this many events since the deal: the round, and the step in it. `None` if
    /// the page does not show it.
    fn place_after(&self, events: usize) -> Option<(usize, usize)>;

    /// The complete page.
    ///
    /// # Errors
    ///
    /// The reason why there is none: no hand of the deal is known.
    fn into_page(self: Box<Self>) -> Result<Page, String>;
}

#[derive(Debug)]
struct AskedMoment<A> {
    place: (usize, usize),
    legal: Vec<A>,
}

/// A record so far, with its page.
#[derive(Debug)]
pub(crate) struct Recorded<G: ShownRecord> {
    record: RecordedGame<G::Form>,
    walk: Option<Walk<G>>,
    /// Number of the record's events that are on the page.
    heard: usize,
    ended: bool,
    /// The moments at which each seat was asked, since its last decision.
    asked: Vec<VecDeque<AskedMoment<G::Action>>>,
    /// Number of the last decision of each seat.
    last: Vec<Option<u64>>,
    unplaced: usize,
    last_only: bool,
    findings: Option<Vec<(u64, String)>>,
}

impl<G: ShownRecord> Recorded<G> {
    pub(crate) fn new(last_only: bool) -> Self {
        let seats = G::Form::SEATS;
        Self {
            record: RecordedGame::default(),
            walk: None,
            heard: 0,
            ended: false,
            asked: (0..seats).map(|_| VecDeque::new()).collect(),
            last: vec![None; seats],
            unplaced: 0,
            last_only,
            findings: None,
        }
    }

    /// Starts again from the deal, with the rules that are now known.
    fn deal(&mut self) {
        let names = self
            .record
            .start
            .as_ref()
            .map_or(&[][..], |start| &start.names);
        let names = &names[..names.len().min(G::Form::SEATS)];
        (self.heard, self.ended) = (0, false);
        self.asked.iter_mut().for_each(VecDeque::clear);
        let walk = G::dealt(&self.record)
            .map(|game| Walk::new(game, names, G::Form::SEATS, self.last_only));
        if let Some(mut walk) = walk {
            let own = self.record.start.as_ref().and_then(|start| start.id);
            walk.page_mut().seat = own.filter(|&seat| seat < G::Form::SEATS);
            walk.begin(String::new(), String::new());
            if let Some(findings) = &self.findings {
                walk.judged(findings.clone());
            }
            if let Some(found) = walk.found_in(self.record.dealt) {
                walk.warn(format_args!("Line {}", self.record.dealt), found, true);
            }
            if let Some(before) = self.walk.replace(walk)
                && let Some(walk) = &mut self.walk
            {
                walk.page_mut().decisions = before.into_page().decisions;
            }
            self.remember_asked();
        }
    }

    fn remember_asked(&mut self) {
        let Some(walk) = self.walk.as_ref().filter(|_| !self.last_only) else {
            return;
        };
        let place = walk.place();
        for (seat, asked) in self.asked.iter_mut().enumerate() {
            let legal = walk.game().legal(seat);
            if !legal.is_empty() {
                asked.push_back(AskedMoment { place, legal });
            }
        }
    }

    fn end(&mut self) {
        let Some((walk, end)) = self
            .walk
            .as_mut()
            .zip(self.record.end.as_ref())
            .filter(|_| !self.ended)
        else {
            return;
        };
        self.ended = true;
        if let Some(wrong) = self.record.wrong_end().filter(|_| !walk.is_broken()) {
            walk.warn(format_args!("Line {}", wrong.line), &wrong.finding, true);
        }
        let outcome = self.record.outcome();
        let sort =
            outcome
                .as_ref()
                .map(|outcome| match outcome.winners(G::Form::SEATS).is_empty() {
                    true => StepSort::Draw,
                    false => StepSort::Win,
                });
        let outcome = outcome.unwrap_or(GameOutcome::Other);
        let (words, shown) = told_outcome(&outcome, walk.names());
        let words = if outcome == GameOutcome::Other {
            shown.title.clone()
        } else {
            words
        };
        walk.page_mut()
            .facts
            .push(("result".to_owned(), words.clone()));
        walk.end(words, shown, sort.unwrap_or_default(), &end.scores);
    }
}

impl<G: ShownRecord> RecordPage for Recorded<G> {
    fn line(&mut self, line: &str) {
        self.record.line(line);
    }

    fn judged(&mut self, findings: Vec<(u64, String)>) {
        self.findings = Some(findings);
    }

    fn show(&mut self) {
        if self.record.deals.is_empty() {
            return;
        }
        if self
            .walk
            .as_ref()
            .is_none_or(|walk| !walk.game().has_rules_of(&self.record))
        {
            self.deal();
        }
        while let Some((walk, event)) = self.walk.as_mut().zip(self.record.events.get(self.heard)) {
            let line = self.record.event_lines[self.heard];
            self.heard += 1;
            if walk.hear_line(line, event) {
                self.remember_asked();
            }
        }
        self.end();
    }

    fn decided(&mut self, note: RecordedDecision<Value>) {
        let (seat, decision) = (note.seat.index(), note.decision);
        let noted = &note.legal;
        let written = |action: &G::Action| -> Value {
            let written = G::Form::action(action, note.seat);
            serde_json::from_str(written.get()).unwrap_or_default()
        };
        let fits = |moment: &AskedMoment<G::Action>| {
            moment.legal.len() == noted.len()
                && moment.legal.iter().map(written).eq(noted.iter().cloned())
        };
        let known = self.asked.get_mut(seat).zip(self.last.get_mut(seat));
        let found = known.and_then(|(asked, last)| {
            let at = asked
                .iter()
                .position(fits)
                .filter(|_| decision.is_none() || decision > *last)?;
            *last = decision.or(*last);
            asked.drain(..=at).next_back()
        });
        let Some((
            AskedMoment {
                place: (round, step),
                legal,
            },
            walk,
        )) = found.zip(self.walk.as_mut())
        else {
            self.unplaced += 1;
            return;
        };
        let legal = legal.iter().map(PageAction::shown).collect();
        let own = Some(OwnChoice::of(note, false));
        let decision = PageDecision {
            round,
            step,
            seat,
            legal,
            own,
            ..PageDecision::default()
        };
        walk.page_mut().decisions.push(decision);
    }

    fn page(&self) -> Option<&Page> {
        self.walk.as_ref().map(Walk::page)
    }

    fn place_after(&self, events: usize) -> Option<(usize, usize)> {
        let walk = self.walk.as_ref()?;
        events
            .checked_sub(1)
            .map_or(Some((0, 0)), |last| walk.place_after(last))
    }

    fn into_page(self: Box<Self>) -> Result<Page, String> {
        let broken = self.record.broken;
        let Some(walk) = self.walk else {
            let why = broken.map_or_else(String::new, |broken| format!(" ({broken})"));
            return Err(format!("no hand of the deal is known{why}"));
        };
        let mut page = walk.into_page();
        if let Some(broken) = broken {
            page.warnings.insert(
                0,
                format!("The rest of the record cannot be read: {broken}. The page shows the part before it."),
            );
        }
        page.decisions
            .sort_by_key(|decision| (decision.step, decision.seat));
        if self.unplaced > 0 {
            let words = "decisions of the record fit no moment of the game, and are not shown.";
            page.warnings.push(format!("{} {words}", self.unplaced));
        }
        Ok(page)
    }
}
