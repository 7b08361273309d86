//! Records of games other than riichi, read to be shown in steps.

use std::io::{BufRead, Read};
use std::path::Path;

use anyhow::Context;
use client::decision_note::RecordedDecision;
use client::records::GameRecord;
use lab::record::open_lines;
use page::StepPage;
use policy_host::{GameKind, RecordedEvents, escaped};
use protocol::game_record::RecordStart;

use super::source::{decisions_beside, facts_of, unfinished};
use crate::steps::{self, StepSource};

/// Longest record that is read, bytes.
const LARGEST: u64 = 64 << 20;

/// The page of a record of a game other than riichi; `None` of any other file.
///
/// # Errors
///
/// When the record cannot be read, or nothing of its game.
pub(super) fn step_page(path: &Path) -> anyhow::Result<Option<StepPage>> {
    let (game, source) = if path.is_dir() {
        let record = GameRecord::open(path)?;
        let game = record.manifest.about.game.clone();
        if is_mjai(&game) {
            return Ok(None);
        }
        (game, StepSource::of_folder(path, &record)?)
    } else {
        let Some(start) = start_of(path)? else { return Ok(None) };
        (start.game, StepSource::of_file(path)?)
    };
    let name = escaped(path.as_os_str().as_encoded_bytes());
    let Some(kind) = GameKind::ALL.into_iter().find(|kind| kind.name() == game) else {
        anyhow::bail!("{name}: the record is of the game {game:?}, which this runner does not know")
    };
    steps::step_page(kind, source).map(Some).with_context(|| format!("{name} cannot be shown"))
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

/// Whether records of this game hold mjai events and not steps.
fn is_mjai(game: &str) -> bool {
    game.parse().map(GameKind::recorded_events) == Ok(RecordedEvents::Mjai)
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
