//! Games other than riichi as pages of steps.

mod cards;
mod standard;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt;
use std::io::{BufRead, Read};
use std::path::Path;

use anyhow::Context;
use lab::record::open_lines;
use page::{GameStep, OwnChoice, Pieces, StepDecision, StepPage, StepSeat};
use policy_host::{GameKind, SeatTable, escaped};
use protocol::game_record::{RecordForm, RecordStart, RecordedGame};
use serde_json::Value;

use super::source::{decisions_beside, facts_of, unfinished};
use crate::decision_note::RecordedDecision;
use crate::records::GameRecord;
use cards::ShownCards;
use standard::ShownStandard;

/// Longest record that is read, bytes.
const LARGEST: u64 = 64 << 20;

/// A game that is shown in steps.
trait ShownGame {
    /// Its records.
    type Form: RecordForm<Event = <Self::Table as SeatTable>::Event, Action = <Self::Table as SeatTable>::Action>;
    /// What a seat knows of it.
    type Table: SeatTable<Event: fmt::Debug, Action: fmt::Display>;
    /// What it is played with.
    const PIECES: Pieces;

    /// The table of a seat before the deal, in the game that was recorded.
    fn table(seat: usize, game: &RecordedGame<<Self::Table as SeatTable>::Event>) -> Self::Table;

    /// What happened, as a seat hears of it.
    fn heard(event: &<Self::Table as SeatTable>::Event, seat: usize) -> <Self::Table as SeatTable>::Event;

    /// Who did it.
    fn actor(event: &<Self::Table as SeatTable>::Event) -> Option<usize>;

    /// It in words.
    fn words(event: &<Self::Table as SeatTable>::Event, names: &[String]) -> String;

    /// How a seat stands: by its own table where its hand is known, else by another's.
    fn seat(seat: usize, own: Option<&Self::Table>, any: &Self::Table) -> StepSeat;
}

/// A record that was read: the game, its decisions, and what is known besides.
struct StepSource {
    title: String,
    facts: Vec<(String, String)>,
    warnings: Vec<String>,
    text: String,
    notes: Vec<RecordedDecision<Value>>,
}

/// The page of a record of a game other than riichi; `None` of any other file.
///
/// # Errors
///
/// When the record cannot be read, or nothing of its game.
pub(super) fn step_page(path: &Path) -> anyhow::Result<Option<StepPage>> {
    let (game, source) = if path.is_dir() {
        let record = GameRecord::open(path)?;
        let game = record.manifest.about.game.clone();
        if game == GameKind::Riichi.name() {
            return Ok(None);
        }
        (game, StepSource::of_folder(path, &record)?)
    } else {
        let Some(start) = start_of(path)? else { return Ok(None) };
        (start.game, StepSource::of_file(path)?)
    };
    let name = escaped(path.as_os_str().as_encoded_bytes());
    match GameKind::ALL.into_iter().find(|kind| kind.name() == game) {
        Some(GameKind::ChineseStandard) => page_of::<ShownStandard>(source, &name).map(Some),
        Some(GameKind::DouDizhu) => page_of::<ShownCards>(source, &name).map(Some),
        _ => anyhow::bail!("{name}: the record is of the game {game:?}, which this runner does not know"),
    }
}

/// The first line of a record of another game than riichi; `None` of any other file, and of one whose first line cannot be read.
fn start_of(path: &Path) -> anyhow::Result<Option<RecordStart>> {
    let mut line = Vec::new();
    if lines_of(path)?.take(protocol::MAX_FRAME as u64).read_until(b'\n', &mut line).is_err() {
        return Ok(None);
    }
    let start = RecordStart::read(&String::from_utf8_lossy(&line));
    Ok(start.filter(|start| start.game != GameKind::Riichi.name()))
}

fn lines_of(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let name = || escaped(path.as_os_str().as_encoded_bytes());
    open_lines(path).with_context(|| format!("{} cannot be opened; is the path right?", name()))
}

impl StepSource {
    fn of_folder(path: &Path, record: &GameRecord) -> anyhow::Result<Self> {
        let manifest = &record.manifest;
        let text = record.game();
        let text = text
            .with_context(|| format!("the record {} cannot be read", escaped(path.as_os_str().as_encoded_bytes())))?;
        let mut warnings: Vec<String> = unfinished(manifest).into_iter().collect();
        let decisions = record.decisions().unwrap_or_else(|error| {
            warnings.push(format!("The decisions cannot be read: {error}."));
            String::new()
        });
        Ok(Self {
            title: format!("{} at {}", manifest.about.bot, manifest.about.arena),
            facts: facts_of(&record.name(), manifest),
            warnings,
            text,
            notes: decisions.lines().filter_map(RecordedDecision::read_any).collect(),
        })
    }

    fn of_file(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (mut text, mut warnings) = (Vec::new(), Vec::new());
        if let Err(error) = lines_of(path)?.take(LARGEST).read_to_end(&mut text) {
            warnings.push(format!("The record cannot be read on: {error}. This is what comes before."));
        }
        Ok(Self {
            title: name.clone(),
            facts: vec![("record".to_owned(), name)],
            warnings,
            text: String::from_utf8_lossy(&text).into_owned(),
            notes: decisions_beside(path).lines().filter_map(RecordedDecision::read_any).collect(),
        })
    }
}

fn page_of<G: ShownGame>(source: StepSource, name: &str) -> anyhow::Result<StepPage> {
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
    if let Some(end) = &game.end {
        let scores = end.scores.iter().zip(&page.names).map(|(score, name)| format!("{name} {score}"));
        page.facts.push(("scores".to_owned(), scores.collect::<Vec<_>>().join(", ")));
    }
    let mut shown = Shown::<G>::new(&game, source.notes);
    anyhow::ensure!(
        shown.tables.iter().any(Option::is_some),
        "{name}: no hand of the deal is known{}",
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
    let left: usize = shown.notes.iter().map(VecDeque::len).sum();
    if left > 0 {
        page.warnings.push(format!("{left} decisions of the record fit no moment of the game, and are not shown."));
    }
    Ok(page)
}

/// A game up to a moment of it.
struct Shown<G: ShownGame> {
    /// The tables of the seats whose hands are known.
    tables: Vec<Option<G::Table>>,
    /// The decisions of each seat that are still to come.
    notes: Vec<VecDeque<RecordedDecision<Value>>>,
}

impl<G: ShownGame> Shown<G> {
    fn new(game: &RecordedGame<<G::Table as SeatTable>::Event>, notes: Vec<RecordedDecision<Value>>) -> Self {
        let table = |(seat, deal): (usize, &Option<<G::Table as SeatTable>::Event>)| {
            let mut table = G::table(seat, game);
            deal.as_ref().filter(|deal| table.apply(deal).is_ok()).is_some().then_some(table)
        };
        let mut of_seats: Vec<VecDeque<_>> = (0..G::Form::SEATS).map(|_| VecDeque::new()).collect();
        for note in notes {
            if let Some(notes) = of_seats.get_mut(note.seat.index()) {
                notes.push_back(note);
            }
        }
        Self { tables: game.deals.iter().enumerate().map(table).collect(), notes: of_seats }
    }

    fn hear(&mut self, event: &<G::Table as SeatTable>::Event) -> Result<(), String> {
        for (seat, table) in self.tables.iter_mut().enumerate() {
            if let Some(table) = table {
                table.apply(&G::heard(event, seat)).map_err(|why| why.to_string())?;
            }
        }
        Ok(())
    }

    /// Adds the moment to the page, with what was decided there.
    fn step(&mut self, page: &mut StepPage, event: String, actor: Option<usize>) {
        let Some(any) = self.tables.iter().flatten().next() else { return };
        let seat = |seat: usize| StepSeat {
            acted: actor == Some(seat),
            ..G::seat(seat, self.tables.get(seat).and_then(Option::as_ref), any)
        };
        let step = page.steps.len();
        page.steps.push(GameStep { event, seats: (0..G::Form::SEATS).map(seat).collect() });
        for (seat, (table, notes)) in self.tables.iter().zip(&mut self.notes).enumerate() {
            let Some(table) = table else { continue };
            let legal = table.legal();
            let fits = |note: &RecordedDecision<Value>| {
                !legal.is_empty() && legal.iter().map(G::Form::action).eq(note.legal.iter().cloned())
            };
            let Some(note) = notes.front().is_some_and(fits).then(|| notes.pop_front()).flatten() else { continue };
            page.decisions.push(StepDecision {
                step,
                seat,
                legal: legal.iter().map(ToString::to_string).collect(),
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
        }
    }
}
