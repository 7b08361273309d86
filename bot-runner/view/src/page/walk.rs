//! A game followed event by event, with the resulting page.

use std::fmt;

use protocol::game_record::{LineForm, RecordedGame};
use riichi::ActionWords;

use super::model::{Page, Pieces, Position, Round, ShownEnd, Step, StepSort};
use super::text::short;
use super::words::ShownPieces;

/// Maximum number of warnings about contradictions.
const MAX_WARNINGS: usize = 3;

/// A game that can be shown: followed event by event, and read from its records.
pub trait ShownGame: fmt::Debug + Send + Sized {
    /// The form of its records.
    type Form: LineForm<Action: ActionWords<Pieces: ShownPieces>>;
    const PIECES: Pieces;

    /// The game before its first event, with its number of seats; `None` if no hand is dealt.
    fn dealt(record: &RecordedGame<Self::Form>) -> Option<(Self, usize)>;

    /// Whether its rules still match the record, which may have grown.
    fn has_rules_of(&self, _: &RecordedGame<Self::Form>) -> bool {
        true
    }

    /// A round shown from its middle on, by a line that only live pages have.
    fn joined(_line: &str, _names: &[String]) -> Option<Walk<Self>> {
        None
    }

    /// Applies an event. Returns a remark if the event was unexpected but still applies.
    ///
    /// # Errors
    ///
    /// If it cannot have happened.
    fn take(&mut self, event: &ShownEventOf<Self>) -> Result<Option<String>, String>;

    /// The representation of the last applied event on the page.
    fn told(&self, event: &ShownEventOf<Self>, names: &[String]) -> Told;

    fn position(&self) -> Position;

    /// The seats whose hands changed by the event, with how many tiles they are from tenpai now.
    fn shanten(&self, _event: &ShownEventOf<Self>) -> Vec<(usize, i8)> {
        Vec::new()
    }

    /// The outcome of the round for the middle of the table, once it has ended.
    fn end(&self, _names: &[String]) -> Option<ShownEnd> {
        None
    }

    /// The outcome of the round in words, once it has ended.
    fn outcome(&self, _names: &[String]) -> String {
        String::new()
    }

    /// Adds the end to the page, if the record has a line of its own for it.
    fn ended(_: &mut Walk<Self>, _: &RecordedGame<Self::Form>) {}
}

/// An event of a game that can be shown.
pub type ShownEventOf<G> = <<G as ShownGame>::Form as LineForm>::Event;

/// The representation of an event on a page.
#[derive(Debug)]
pub enum Told {
    /// Nothing to be seen.
    Nothing,
    /// A round begins.
    Round {
        /// Its name, and a short one.
        name: String,
        /// The same for a button.
        short: String,
    },
    Step(String, StepSort),
    /// The game is over, with this result.
    Result(String),
}

/// A game up to now, with its page.
#[derive(Debug)]
pub struct Walk<G> {
    game: G,
    page: Page,
    /// Names as sentences have them.
    names: Vec<String>,
    /// Only the last position is kept.
    last_only: bool,
    /// An event could not have happened.
    broken: bool,
    /// After each event: the round, and the step of it.
    places: Vec<(usize, usize)>,
    /// What was found in a record that has been judged: the line, and the words.
    findings: Option<Vec<(u64, String)>>,
}

impl<G: ShownGame> Walk<G> {
    /// A game before its first event. With `last_only` of all positions the last is kept.
    pub(crate) fn new(game: G, names: &[String], seats: usize, last_only: bool) -> Self {
        let name = |seat: usize| {
            names
                .get(seat)
                .cloned()
                .unwrap_or_else(|| format!("seat {seat}"))
        };
        let all: Vec<String> = (0..seats).map(name).collect();
        let page = Page {
            pieces: G::PIECES,
            names: all.clone(),
            ..Page::default()
        };
        Self {
            game,
            page,
            names: all.iter().map(|name| short(name)).collect(),
            last_only,
            broken: false,
            places: Vec::new(),
            findings: None,
        }
    }

    /// What was found in the record, which has been judged, by lines: the page warns of it in these
    /// words.
    pub fn judged(&mut self, findings: Vec<(u64, String)>) {
        self.findings = Some(findings);
    }

    /// What was found in a line of a record that has been judged.
    pub(crate) fn found_in(&self, line: u64) -> Option<String> {
        self.findings
            .iter()
            .flatten()
            .find(|(found, _)| *found == line)
            .map(|(_, words)| words.clone())
    }

    /// Takes in an event; `false` when it or one before it cannot have happened: the page ends
    /// before that.
    pub fn hear(&mut self, event: &ShownEventOf<G>) -> bool {
        self.hear_at(format_args!("Event {}", self.places.len() + 1), None, event)
    }

    /// Takes in the event of a line of a record, likewise.
    pub fn hear_line(&mut self, line: u64, event: &ShownEventOf<G>) -> bool {
        self.hear_at(format_args!("Line {line}"), self.found_in(line), event)
    }

    fn hear_at(
        &mut self,
        place: fmt::Arguments<'_>,
        found: Option<String>,
        event: &ShownEventOf<G>,
    ) -> bool {
        if self.broken {
            return false;
        }
        let odd = match (self.game.take(event), found) {
            (Ok(_), Some(found)) => Some((found, true)),
            // What follows on a finding is no other one.
            (Ok(odd), None) => odd
                .filter(|_| self.findings.is_none())
                .map(|why| (why, true)),
            (Err(why), found) => Some((found.unwrap_or(why), false)),
        };
        if let Some((why, takes_effect)) = odd {
            self.warn(place, &why, takes_effect);
            if !takes_effect {
                self.broken = true;
                return false;
            }
        }
        match self.game.told(event, &self.names) {
            Told::Nothing => {}
            Told::Round { name, short } => self.begin(name, short),
            Told::Step(words, sort) => self.step(words, sort),
            Told::Result(words) => {
                self.step(format!("The game ends: {words}."), StepSort::Plain);
                self.page.facts.push(("result".to_owned(), words));
            }
        }
        for (seat, shanten) in self.game.shanten(event) {
            let Some(round) = self.page.rounds.last_mut() else {
                break;
            };
            let step = round.steps.len() - 1;
            round.shanten.resize(self.page.names.len(), Vec::new());
            if round.shanten[seat]
                .last()
                .is_none_or(|&(_, before)| before != shanten)
            {
                round.shanten[seat].push((step, shanten));
            }
        }
        self.places.push(self.place());
        true
    }

    /// Warns of what cannot have happened.
    pub(crate) fn warn(
        &mut self,
        place: impl fmt::Display,
        why: impl fmt::Display,
        takes_effect: bool,
    ) {
        let how = if takes_effect {
            "it is shown as the record has it"
        } else {
            "the page ends before it"
        };
        if self.page.warnings.len() < MAX_WARNINGS {
            self.page
                .warnings
                .push(format!("{place} cannot have happened, {why}; {how}."));
        }
    }

    /// Begins a round with the step of its deal.
    pub(crate) fn begin(&mut self, name: String, short: String) {
        if self.last_only {
            self.page.rounds.clear();
        }
        let dealt = if name.is_empty() {
            "The deal.".to_owned()
        } else {
            format!("{name} is dealt.")
        };
        self.page.rounds.push(Round {
            name,
            short,
            ..Round::default()
        });
        self.step(dealt, StepSort::Plain);
    }

    /// Begins a round that was joined after its deal.
    pub(crate) fn join(&mut self) {
        let name = self.game.position().round;
        self.page.rounds.push(Round {
            name,
            ..Round::default()
        });
        self.step(
            "The bot joined in the middle of this round.".to_owned(),
            StepSort::Plain,
        );
    }

    fn step(&mut self, words: String, sort: StepSort) {
        let mut position = self.game.position();
        let over = position.over;
        position.end = self.game.end(&self.names).filter(|_| over);
        let outcome = if over {
            self.game.outcome(&self.names)
        } else {
            String::new()
        };
        self.put(
            outcome,
            Step {
                words,
                sort,
                position,
            },
        );
    }

    /// Adds the end of the game to the page: what lies on the table stays, and the scores are
    /// these.
    pub(crate) fn end(&mut self, outcome: String, shown: ShownEnd, sort: StepSort, scores: &[f64]) {
        let payments = super::outcome::payment_words(scores, &self.names);
        let mut position = self.game.position();
        (position.over, position.turn, position.end) = (true, None, Some(shown));
        for (seat, &score) in position.seats.iter_mut().zip(scores) {
            seat.change = Some(score);
        }
        let words = format!("{outcome}. {payments}.");
        self.put(
            outcome,
            Step {
                words,
                sort,
                position,
            },
        );
    }

    fn put(&mut self, outcome: String, step: Step) {
        let Some(round) = self.page.rounds.last_mut() else {
            return;
        };
        if self.last_only {
            round.steps.clear();
        }
        round.outcome = outcome;
        round.steps.push(step);
    }

    /// Whether an event could not have happened, so that the page ends before it.
    pub(crate) const fn is_broken(&self) -> bool {
        self.broken
    }

    pub(crate) const fn game(&self) -> &G {
        &self.game
    }

    /// The current place on the page: the round, and the step in it.
    pub(crate) fn place(&self) -> (usize, usize) {
        let rounds = &self.page.rounds;
        let step = rounds
            .last()
            .map_or(0, |round| round.steps.len().saturating_sub(1));
        (rounds.len().saturating_sub(1), step)
    }

    /// The place on the page after an event: the round, and the step in it. `None` for an event
    /// that is not shown.
    pub fn place_after(&self, event: usize) -> Option<(usize, usize)> {
        self.places.get(event).copied()
    }

    /// Names as sentences have them.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub const fn page(&self) -> &Page {
        &self.page
    }

    pub const fn page_mut(&mut self) -> &mut Page {
        &mut self.page
    }

    pub fn into_page(self) -> Page {
        self.page
    }
}
