//! Records of games other than riichi, read to be shown.

use std::io::{BufRead, Read};
use std::path::Path;

use anyhow::{Context, bail};
use lab::record::open_lines;
use page::{Page, RecordPage, record_page};
use policy_host::{GameKind, RecordedEvents, escaped};
use protocol::game_record::RecordStart;

use super::source::{decisions_beside, facts_of, unfinished};
use crate::decision_note::RecordedDecision;
use crate::records::GameRecord;
use crate::shown_choice::recorded_choice;

/// Longest record that is read, bytes.
const LARGEST: u64 = 64 << 20;

/// A record, as far as it could be read.
struct Source {
    title: String,
    facts: Vec<(String, String)>,
    warnings: Vec<String>,
    text: String,
    decisions: String,
}

/// The page of a record of a game other than riichi; `None` of any other file. With a seat, the page has its decisions alone.
///
/// # Errors
///
/// When the record cannot be read, or nothing of its game, or the hand of the seat is not known.
pub(super) fn step_page(path: &Path, seat: Option<usize>) -> anyhow::Result<Option<Page>> {
    let (game, source) = if path.is_dir() {
        let record = GameRecord::open(path)?;
        let game = record.manifest.about.game.clone();
        if is_mjai(&game) {
            return Ok(None);
        }
        (game, Source::of_folder(path, &record)?)
    } else {
        let Some(start) = start_of(path)? else { return Ok(None) };
        (start.game, Source::of_file(path)?)
    };
    let name = escaped(path.as_os_str().as_encoded_bytes());
    let Some(record) = record_page(&game, false) else {
        bail!("{name}: the record is of the game {game:?}, which this runner does not know")
    };
    let mut page = source
        .page(record)
        .map_err(|why| anyhow::anyhow!("{why}"))
        .with_context(|| format!("{name} cannot be shown"))?;
    if let Some(seat) = seat {
        let known = page.known_seats();
        if !known.contains(&seat) {
            let known: Vec<String> = known.iter().map(ToString::to_string).collect();
            bail!("{name}: the hand of seat {seat} is hidden; shown are those of: {}", known.join(", "));
        }
        page.seat = Some(seat);
        page.decisions.retain(|decision| decision.seat == seat);
    }
    Ok(Some(page))
}

/// The first line of a record of another game than riichi; `None` of any other file, and of one whose first line cannot be read.
fn start_of(path: &Path) -> anyhow::Result<Option<RecordStart>> {
    let mut line = Vec::new();
    if lines_of(path)?.take(protocol::MAX_FRAME as u64).read_until(b'\n', &mut line).is_err() {
        return Ok(None);
    }
    let start = RecordStart::read(&String::from_utf8_lossy(&line));
    Ok(start.filter(|start| !is_mjai(&start.game)))
}

/// Whether records of this game hold mjai events.
fn is_mjai(game: &str) -> bool {
    game.parse().map(GameKind::recorded_events) == Ok(RecordedEvents::Mjai)
}

fn lines_of(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let name = || escaped(path.as_os_str().as_encoded_bytes());
    open_lines(path).with_context(|| format!("{} cannot be opened; is the path right?", name()))
}

impl Source {
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
        let title = format!("{} at {}", manifest.about.bot, manifest.about.arena);
        Ok(Self { title, facts: facts_of(&record.name(), manifest), warnings, text, decisions })
    }

    fn of_file(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (mut text, mut warnings) = (Vec::new(), Vec::new());
        if let Err(error) = lines_of(path)?.take(LARGEST).read_to_end(&mut text) {
            warnings.push(format!("The record cannot be read on: {error}. This is what comes before."));
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let facts = vec![("record".to_owned(), name.clone())];
        Ok(Self { title: name, facts, warnings, text, decisions: decisions_beside(path) })
    }

    fn page(self, mut record: Box<dyn RecordPage>) -> Result<Page, String> {
        self.text.lines().for_each(|line| record.line(line));
        record.show();
        let notes = self.decisions.lines().filter_map(RecordedDecision::read_any);
        notes.for_each(|note| record.decided(recorded_choice(note)));
        let page = record.into_page()?;
        Ok(Page {
            title: self.title,
            facts: [self.facts, page.facts].concat(),
            warnings: [self.warnings, page.warnings].concat(),
            ..page
        })
    }
}
