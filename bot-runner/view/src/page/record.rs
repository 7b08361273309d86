//! Records as pages, line by line.

use std::fmt;

use client::decision_note::RecordedDecision;
use protocol::game_record::{GameOutcome, LineForm, RecordForm, RecordedGame};

use super::model::{OwnChoice, Page, PageDecision, ShownAction, StepSort};
use super::outcome::told_outcome;
use super::walk::{ShownGame, Walk};

/// Adds the end of a game to its page, as the last line of the record has it.
pub fn show_end<G: ShownGame<Form: RecordForm>>(
    walk: &mut Walk<G>,
    record: &RecordedGame<G::Form>,
) {
    let Some(end) = &record.end else { return };
    if let Some(wrong) = record.wrong_end().filter(|_| !walk.is_broken()) {
        walk.warn(format_args!("Line {}", wrong.line), &wrong.finding, true);
    }
    let outcome = record.outcome();
    let sort = outcome
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

/// The page of a record that may still grow.
pub trait RecordPage: fmt::Debug + Send {
    /// Adds the next line.
    fn line(&mut self, line: &str);

    /// What was found in the record, which has been judged, by lines: the page warns of it in these
    /// words.
    fn judged(&mut self, findings: Vec<(u64, String)>);

    /// Updates the page with the lines that were read.
    fn show(&mut self);

    /// The page, once a hand is dealt.
    fn page(&self) -> Option<&Page>;

    /// A decision in the only position of the page; `None` if it is of another game.
    fn decision(&self, note: RecordedDecision) -> Option<PageDecision>;

    /// The position after this many events, without a deal that has its own line: the round, and
    /// the step in it. `None` if the page does not show it.
    fn place_after(&self, events: usize) -> Option<(usize, usize)>;

    /// The complete page.
    ///
    /// # Errors
    ///
    /// The reason why there is none: no hand of the deal is known.
    fn into_page(self: Box<Self>) -> Result<Page, String>;
}

/// A record so far, with its page.
#[derive(Debug)]
pub struct Recorded<G: ShownGame> {
    record: RecordedGame<G::Form>,
    walk: Option<Walk<G>>,
    /// Number of the record's events that are on the page.
    heard: usize,
    ended: bool,
    last_only: bool,
    findings: Option<Vec<(u64, String)>>,
}

impl<G: ShownGame> Recorded<G> {
    /// A record without a line. With `last_only` of all positions the last is kept.
    pub fn new(last_only: bool) -> Self {
        Self {
            record: RecordedGame::default(),
            walk: None,
            heard: 0,
            ended: false,
            last_only,
            findings: None,
        }
    }

    /// Starts again from the deal, with the rules that are now known.
    fn deal(&mut self) {
        let Some((game, seats)) = G::dealt(&self.record) else {
            return;
        };
        let names = self.names();
        let names = &names[..names.len().min(seats)];
        let mut walk = Walk::new(game, names, seats, self.last_only);
        (self.heard, self.ended) = (0, false);
        if let Some(findings) = &self.findings {
            walk.judged(findings.clone());
        }
        if G::Form::IS_DEAL_APART {
            walk.begin(String::new(), String::new());
            if let Some(found) = walk.found_in(self.record.dealt) {
                walk.warn(format_args!("Line {}", self.record.dealt), found, true);
            }
        }
        self.walk = Some(walk);
        self.sit();
    }

    fn names(&self) -> &[String] {
        let start = self.record.start.as_ref();
        start.map_or(&[], |start| &start.names)
    }

    /// The page is that of the seat in the first line.
    fn sit(&mut self) {
        let own = self.record.start.as_ref().and_then(|start| start.id);
        if let Some(walk) = &mut self.walk {
            let page = walk.page_mut();
            page.seat = own.filter(|&seat| seat < page.names.len());
        }
    }
}

impl<G: ShownGame> RecordPage for Recorded<G> {
    fn line(&mut self, line: &str) {
        if let Some(joined) = G::joined(line, self.names()) {
            self.walk = Some(joined);
            // The events before it are behind the table.
            self.heard = self.record.events.len();
            self.sit();
        } else {
            self.record.line(line);
        }
    }

    fn judged(&mut self, findings: Vec<(u64, String)>) {
        self.findings = Some(findings);
    }

    fn show(&mut self) {
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
            walk.hear_line(line, event);
        }
        if let Some(walk) = self.walk.as_mut().filter(|_| !self.ended)
            && self.record.end.is_some()
        {
            self.ended = true;
            G::ended(walk, &self.record);
        }
    }

    fn page(&self) -> Option<&Page> {
        self.walk.as_ref().map(Walk::page)
    }

    fn decision(&self, note: RecordedDecision) -> Option<PageDecision> {
        let legal = note.actions::<G::Form>()?;
        Some(PageDecision {
            seat: note.seat.index(),
            done: note.chosen,
            legal: legal.iter().map(ShownAction::of).collect(),
            own: Some(OwnChoice::of(note, false)),
            ..PageDecision::default()
        })
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
        Ok(page)
    }
}
