//! Games other than riichi in steps: a record or a game that is on, as its page shows it.

mod cards;
mod outcome;
mod standard;
#[cfg(test)]
mod tests;

use std::fmt;

use page::{GameStep, OwnChoice, Pieces, StepDecision, StepPage, StepSeat};
use policy_host::{GameKind, SeatTable};
use protocol::game_record::{RecordForm, RecordedGame};
use serde_json::Value;

use cards::ShownCards;
use client::decision_note::RecordedDecision;
pub(crate) use outcome::{outcome_words, payment_words, seat_name};
use standard::ShownStandard;

/// A game that is shown in steps.
trait ShownGame {
    /// Its records.
    type Form: RecordForm<Event = <Self::Table as SeatTable>::Event, Action = <Self::Table as SeatTable>::Action>;
    /// What a seat knows of it.
    type Table: SeatTable<Event: fmt::Debug>;
    /// What it is played with.
    const PIECES: Pieces;

    /// The table of a seat before the deal, in the game that was recorded.
    fn table(seat: usize, game: &RecordedGame<<Self::Table as SeatTable>::Event>) -> Self::Table;

    /// What happened, as a seat hears of it.
    fn heard(event: &<Self::Table as SeatTable>::Event, seat: usize) -> <Self::Table as SeatTable>::Event;

    /// What a seat may do, in words.
    fn action_words(action: &<Self::Table as SeatTable>::Action) -> String;

    /// Who did it.
    fn actor(event: &<Self::Table as SeatTable>::Event) -> Option<usize>;

    /// It in words.
    fn words(event: &<Self::Table as SeatTable>::Event, names: &[String]) -> String;

    /// How a seat stands: by its own table where its hand is known, else by another's.
    fn seat(seat: usize, own: Option<&Self::Table>, any: &Self::Table) -> StepSeat;
}

/// A game by its record: its lines, its decisions, and what is known besides.
#[derive(Debug, Default)]
pub(crate) struct StepSource {
    pub(crate) title: String,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) warnings: Vec<String>,
    /// The lines of the record.
    pub(crate) text: String,
    pub(crate) notes: Vec<RecordedDecision<Value>>,
}

/// The page of a game other than riichi.
///
/// # Errors
///
/// When no hand of the deal is known, or it is riichi, which has a page of its own.
pub(crate) fn step_page(game: GameKind, source: StepSource) -> anyhow::Result<StepPage> {
    match game {
        GameKind::ChineseStandard => page_of::<ShownStandard>(source),
        GameKind::DouDizhu => page_of::<ShownCards>(source),
        GameKind::Riichi => anyhow::bail!("a game of riichi is not shown in steps"),
    }
}

fn page_of<G: ShownGame>(source: StepSource) -> anyhow::Result<StepPage> {
    let game = RecordedGame::read::<G::Form>(&source.text);
    let mut names = game.start.as_ref().map(|start| start.names.clone()).unwrap_or_default();
    names.truncate(G::Form::SEATS);
    (names.len()..G::Form::SEATS).for_each(|seat| names.push(format!("seat {seat}")));
    let mut page = StepPage {
        title: source.title,
        pieces: G::PIECES,
        names,
        facts: source.facts,
        warnings: source.warnings,
        steps: Vec::new(),
        decisions: Vec::new(),
    };
    if let Some(broken) = &game.broken {
        page.warnings.push(format!("The record cannot be read on: {broken}. This is what comes before."));
    }
    let mut shown = Shown::<G>::new(&game);
    anyhow::ensure!(
        shown.tables.iter().any(Option::is_some),
        "no hand of the deal is known{}",
        game.broken.as_ref().map_or_else(String::new, |broken| format!(" ({broken})"))
    );
    shown.step(&mut page, "The deal.".to_owned(), None);
    for event in &game.events {
        if let Err(why) = shown.hear(event) {
            page.warnings.push(format!("The game cannot be followed on: {why}. This is what comes before."));
            break;
        }
        let words = G::words(event, &page.names);
        shown.step(&mut page, words, G::actor(event));
    }
    let outcome = game.end.as_ref().and_then(|end| end.outcome.clone());
    let outcome = outcome.or_else(|| G::Form::outcome(&game.events));
    if let Some(outcome) = &outcome {
        page.facts.push(("result".to_owned(), outcome_words(outcome, &page.names)));
    }
    if let Some(end) = &game.end {
        let payments = payment_words(&end.scores, &page.names);
        let words = outcome.map_or_else(|| "The game is over".to_owned(), |own| outcome_words(&own, &page.names));
        shown.last_step(&mut page, format!("{words}. {payments}."));
        page.facts.push(("scores".to_owned(), payments));
    }
    let unplaced = shown.place(&mut page, source.notes);
    if unplaced > 0 {
        page.warnings.push(format!("{unplaced} decisions of the record fit no moment of the game, and are not shown."));
    }
    Ok(page)
}

/// A moment at which a seat was asked.
struct AskedMoment {
    step: usize,
    /// What it could do, as records have it.
    noted: Vec<Value>,
    /// The same in words.
    legal: Vec<String>,
}

/// A game up to a moment of it.
struct Shown<G: ShownGame> {
    /// The tables of the seats whose hands are known.
    tables: Vec<Option<G::Table>>,
    /// When each seat was asked.
    asked: Vec<Vec<AskedMoment>>,
}

impl<G: ShownGame> Shown<G> {
    fn new(game: &RecordedGame<<G::Table as SeatTable>::Event>) -> Self {
        let table = |(seat, deal): (usize, &Option<<G::Table as SeatTable>::Event>)| {
            let mut table = G::table(seat, game);
            deal.as_ref().filter(|deal| table.apply(deal).is_ok()).is_some().then_some(table)
        };
        let asked = (0..G::Form::SEATS).map(|_| Vec::new()).collect();
        Self { tables: game.deals.iter().enumerate().map(table).collect(), asked }
    }

    fn hear(&mut self, event: &<G::Table as SeatTable>::Event) -> Result<(), String> {
        for (seat, table) in self.tables.iter_mut().enumerate() {
            if let Some(table) = table {
                table.apply(&G::heard(event, seat)).map_err(|why| why.to_string())?;
            }
        }
        Ok(())
    }

    /// Adds the end of the game to the page: the position stays, and no seat is asked.
    fn last_step(&self, page: &mut StepPage, event: String) {
        let seats = page.steps.last().map(|last| last.seats.clone()).unwrap_or_default();
        let seats = seats.into_iter().map(|seat| StepSeat { acted: false, ..seat }).collect();
        page.steps.push(GameStep { event, seats });
    }

    /// Adds the moment to the page.
    fn step(&mut self, page: &mut StepPage, event: String, actor: Option<usize>) {
        let Some(any) = self.tables.iter().flatten().next() else { return };
        let seat = |seat: usize| StepSeat {
            acted: actor == Some(seat),
            ..G::seat(seat, self.tables.get(seat).and_then(Option::as_ref), any)
        };
        let step = page.steps.len();
        page.steps.push(GameStep { event, seats: (0..G::Form::SEATS).map(seat).collect() });
        for (table, asked) in self.tables.iter().zip(&mut self.asked) {
            let legal = table.as_ref().map(SeatTable::legal).unwrap_or_default();
            if !legal.is_empty() {
                let noted = legal.iter().map(G::Form::action).collect();
                asked.push(AskedMoment { step, noted, legal: legal.iter().map(G::action_words).collect() });
            }
        }
    }

    /// Puts the decisions on the page, each at the next moment at which its seat could do just that, and says how many fit nowhere.
    /// One that comes after a later one of its seat is out of order: it fits nowhere.
    fn place(&self, page: &mut StepPage, notes: Vec<RecordedDecision<Value>>) -> usize {
        let mut unplaced = 0;
        let mut left: Vec<&[AskedMoment]> = self.asked.iter().map(Vec::as_slice).collect();
        let mut last: Vec<Option<u64>> = vec![None; left.len()];
        for note in notes {
            let seat = note.seat.index();
            let Some((left, last)) = left.get_mut(seat).zip(last.get_mut(seat)) else {
                unplaced += 1;
                continue;
            };
            let in_order = note.decision.is_none() || note.decision > *last;
            let fits = |asked: &AskedMoment| asked.noted == note.legal;
            let Some(at) = left.iter().position(fits).filter(|_| in_order) else {
                unplaced += 1;
                continue;
            };
            let AskedMoment { step, legal, .. } = &left[at];
            page.decisions.push(StepDecision {
                step: *step,
                seat,
                legal: legal.clone(),
                own: OwnChoice {
                    chosen: note.chosen,
                    values: note.values,
                    reason: note.reason,
                    policy: note.policy,
                    took_us: note.took_us,
                    safe_answer: note.safe_answer,
                    desync: false,
                },
            });
            *left = &left[at + 1..];
            *last = note.decision.or(*last);
        }
        page.decisions.sort_by_key(|decision| (decision.step, decision.seat));
        unplaced
    }
}
