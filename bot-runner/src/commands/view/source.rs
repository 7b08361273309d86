//! What a page is made of: a record's folder, or an mjai record with the decisions that `play` keeps beside it.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use lab::record::{Record, open_lines};
use mahjong::{Event, Seat};
use page::{PageDesync, ShownRiichi, Walk};
use policy_host::escaped;

use crate::commands::play::DECISIONS;
use crate::commands::record_names::names_of;
use crate::decision_note::RecordedDecision;
use crate::records::{GameRecord, LatencySummary, Manifest, RecordState};
use crate::session::desync::DesyncMark;

/// Longest file of decisions that is read, bytes.
const LARGEST_DECISIONS: u64 = 1 << 30;

/// A game, as far as it could be read.
pub(super) struct Source {
    pub(super) title: String,
    pub(super) names: Vec<String>,
    /// The seat that it is the record of.
    pub(super) seat: Option<Seat>,
    pub(super) facts: Vec<(String, String)>,
    pub(super) warnings: Vec<String>,
    /// With the lines that they stand in.
    pub(super) events: Vec<(u64, Event)>,
    /// What was decided, of all seats.
    pub(super) notes: Vec<RecordedDecision>,
    /// Where the bot's picture of the game and the arena's differed.
    pub(super) desyncs: Vec<DesyncMark>,
}

impl Source {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        if path.is_dir() { Self::of_folder(path) } else { Self::of_file(path) }
    }

    fn of_folder(path: &Path) -> anyhow::Result<Self> {
        let record = GameRecord::open(path)?;
        let cannot = || format!("the record {} cannot be read", escaped(path.as_os_str().as_encoded_bytes()));
        let game = record.game().with_context(cannot)?;
        let manifest = &record.manifest;
        let mut warnings = Vec::new();
        let decisions = record.decisions().unwrap_or_else(|error| {
            warnings.push(format!("The decisions cannot be read: {error}."));
            String::new()
        });
        warnings.extend(unfinished(manifest));
        let seat = u8::try_from(manifest.seat).ok().and_then(Seat::new);
        let mut source = Self {
            title: format!("{} at {}", manifest.about.bot, manifest.about.arena),
            names: names_of(&mut game.as_bytes()),
            seat,
            facts: facts_of(&record.name(), manifest),
            warnings,
            events: Vec::new(),
            notes: decisions.lines().filter_map(RecordedDecision::read).collect(),
            desyncs: manifest.played.as_ref().map(|played| played.desync_marks.clone()).unwrap_or_default(),
        };
        if let Some(own) = source.names.get_mut(manifest.seat) {
            own.clone_from(&manifest.about.bot);
        }
        source.take_events(Record::new(Box::new(std::io::Cursor::new(game.into_bytes()))));
        Ok(source)
    }

    fn of_file(path: &Path) -> anyhow::Result<Self> {
        let shown = escaped(path.as_os_str().as_encoded_bytes());
        let lines = || open_lines(path).with_context(|| format!("{shown} cannot be opened; is the path right?"));
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut source = Self {
            title: name.clone(),
            names: names_of(&mut lines()?),
            seat: None,
            facts: vec![("record".to_owned(), name)],
            warnings: Vec::new(),
            events: Vec::new(),
            notes: decisions_beside(path).lines().filter_map(RecordedDecision::read).collect(),
            desyncs: Vec::new(),
        };
        source.take_events(Record::new(lines()?));
        let told = source.events.iter().find_map(|(_, event)| match event {
            Event::StartGame { seat } => *seat,
            _ => None,
        });
        source.seat = told.or_else(|| source.notes.iter().map(|note| note.seat).min());
        if !source.names.is_empty() {
            source.title = format!("{}: {}", source.title, source.names.join(", "));
        }
        Ok(source)
    }

    /// The differences between the bot's picture and the arena's, each where it was.
    pub(super) fn page_desyncs(&self, walk: &Walk<ShownRiichi>) -> Vec<PageDesync> {
        let starts: Vec<usize> = self
            .events
            .iter()
            .enumerate()
            .filter_map(|(index, (_, event))| matches!(event, Event::StartKyoku(_)).then_some(index))
            .collect();
        let place = |mark: &DesyncMark| {
            let after = starts.get(mark.round)?.checked_add(mark.step)?;
            let (round, step) = walk.place_after(after)?;
            Some(PageDesync { round, step, kind: mark.kind.clone() })
        };
        self.desyncs.iter().filter_map(place).collect()
    }

    /// Takes the events of the first game, up to where they cannot be read on.
    fn take_events(&mut self, record: Record) {
        for entry in record {
            match entry {
                Ok((_, Event::StartGame { .. })) if !self.events.is_empty() => {
                    self.warnings.push("The record holds further games; this is the first.".to_owned());
                    break;
                }
                Ok(entry) => self.events.push(entry),
                Err(error) => {
                    self.warnings.push(format!("The record cannot be read on: {error}. This is what comes before."));
                    break;
                }
            }
        }
    }
}

/// What `play --record` keeps beside a game: a decision a line, none where there is no such file.
pub(super) fn decisions_beside(path: &Path) -> String {
    let Some((folder, name)) = path.parent().zip(path.file_name()) else { return String::new() };
    let mut text = Vec::new();
    // Mostly there is none.
    let Ok(file) = std::fs::File::open(folder.join(DECISIONS).join(name)) else { return String::new() };
    if file.take(LARGEST_DECISIONS).read_to_end(&mut text).is_err() {
        return String::new();
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Why the record does not hold the whole game, if it does not.
pub(super) fn unfinished(manifest: &Manifest) -> Option<String> {
    match (manifest.state, &manifest.cut) {
        (RecordState::Complete, _) => None,
        (RecordState::Cut, why) => {
            let why = why.as_deref().unwrap_or("nobody knows why");
            Some(format!("This is not the whole game, for the record breaks off: {why}."))
        }
        (RecordState::Playing, _) => Some("This is not the whole game, for its record is not finished.".to_owned()),
    }
}

pub(super) fn facts_of(name: &str, manifest: &Manifest) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |what: &str, text: String| facts.push((what.to_owned(), text));
    let about = &manifest.about;
    let (date, (hour, minute, second)) = (manifest.started.date(), manifest.started.to_hms());
    fact("record", name.to_owned());
    fact("bot", format!("{}, runner {}", about.bot, about.runner));
    fact("arena", format!("{} ({})", about.arena, about.protocol));
    fact("began", format!("{date} {hour:02}:{minute:02}:{second:02} UTC"));
    for policy in &manifest.policies {
        let build = policy.sha256.as_deref().map_or("built in", |sha256| sha256.get(..12).unwrap_or(sha256));
        fact("policy", format!("{} {} ({build}), {} decisions", policy.id, policy.version, policy.decisions));
    }
    let Some(played) = &manifest.played else { return facts };
    if let Some(place) = played.place {
        fact("place", place.to_string());
    }
    fact("requests", format!("{}, {} safe answers", played.requests.requests, played.safe_answers));
    for (what, times) in [("decisions", played.decision_us), ("replies", played.reply_us)] {
        if let Some(LatencySummary { p50, p99, max }) = times {
            fact(what, format!("p50 {p50} µs, p99 {p99} µs, longest {max} µs"));
        }
    }
    for (fault, count) in &played.faults {
        fact("fault", format!("the policy {fault}: {count}"));
    }
    fact("desyncs", played.desyncs.to_string());
    for text in &played.first_desyncs {
        fact("desync", text.clone());
    }
    facts
}
