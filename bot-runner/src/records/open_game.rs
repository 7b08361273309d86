//! A game whose record is being written.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mahjong::{Event, Rules, Seat};
use protocol::event_json;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::disk::Disk;
use super::folder;
use super::keeper::{Begin, Direction, Item};
use super::manifest::{About, FORMAT, Lines, Manifest, Played, PolicyNote, State, Times};
use super::published::{DECISIONS, GAME, MANIFEST};
use super::recorder::Ending;
use super::redact::redacted;
use super::retention::prune;
use crate::bot::{DecisionOutcome, Latency};
use crate::config::Token;

/// The manifest's name until it is whole.
pub(super) const NEW_MANIFEST: &str = "manifest.json.new";

/// Room that is taken for the manifest when the record begins, bytes: a disk that is full by the end can still take it.
const MANIFEST_ROOM: usize = 16 << 10;

/// A game whose record is being written.
pub(super) struct OpenGame {
    folder: PathBuf,
    frames: Lined,
    events: Lined,
    decisions: Lined,
    manifest: Manifest,
    rules: Rules,
    safe_answers: u64,
    decision_times: Latency,
    reply_times: Latency,
    /// Why nothing more is written.
    failed: Option<String>,
}

/// A file of lines, of which the last may have got in part only.
struct Lined {
    file: File,
    whole: u64,
}

impl Lined {
    fn new(file: File) -> Self {
        Self { file, whole: 0 }
    }

    fn write(&mut self, line: &str, disk: &mut dyn Disk) -> io::Result<()> {
        let line = format!("{line}\n");
        disk.write(&mut self.file, line.as_bytes())?;
        self.whole += line.len() as u64;
        Ok(())
    }

    fn finish(&self) -> io::Result<()> {
        self.file.set_len(self.whole)?;
        self.file.sync_all()
    }
}

impl OpenGame {
    /// Makes the folder with what is known at the beginning.
    pub(super) fn begin(
        among: &Path,
        about: &About,
        rules: Rules,
        begin: &Begin,
        disk: &mut dyn Disk,
    ) -> io::Result<Self> {
        let started = to_the_millisecond(begin.opened.into());
        let (folder, frames) = folder::begin(among, started, &about.bot)?;
        let manifest = Manifest {
            format: FORMAT,
            state: State::Playing,
            cut: None,
            about: about.clone(),
            started,
            ended: None,
            seat: begin.seat.index(),
            policies: vec![PolicyNote::of(&begin.policy)],
            kept: Lines::default(),
            missing: Lines::default(),
            played: None,
        };
        let (events, decisions) = match fill(&folder, &manifest, disk) {
            Ok(files) => files,
            Err(error) => {
                let _ = prune(&folder);
                return Err(error);
            }
        };
        Ok(Self {
            frames: Lined::new(frames),
            events,
            decisions,
            folder,
            manifest,
            rules,
            safe_answers: 0,
            decision_times: Latency::default(),
            reply_times: Latency::default(),
            failed: None,
        })
    }

    /// Writes what happened, until that fails; an error is told once.
    pub(super) fn keep(&mut self, item: Item, token: Option<&Token>, disk: &mut dyn Disk) -> Option<io::Error> {
        if self.failed.is_some() {
            *item.counted_in(&mut self.manifest.missing) += 1;
            return None;
        }
        let written = match &item {
            Item::Frame { at, direction, text, took } => {
                if let Some(took) = took {
                    self.reply_times.record(*took);
                }
                let text = redacted(token, text);
                let line = json!({"t_ms": at.as_millis() as u64, "dir": direction.name(), "frame": text});
                self.frames.write(&line.to_string(), disk)
            }
            Item::Event(event) => {
                let line = self.event_line(event);
                self.events.write(&line, disk)
            }
            Item::Decision(note) => {
                match &note.outcome {
                    DecisionOutcome::Decided { took, .. } => self.decision_times.record(*took),
                    DecisionOutcome::SafeAnswer(_) => self.safe_answers += 1,
                }
                let line = note.to_json(&self.manifest.about.bot).to_string();
                let written = self.decisions.write(&redacted(token, &line), disk);
                if written.is_ok() {
                    PolicyNote::count(&mut self.manifest.policies, PolicyNote::of(&note.policy));
                }
                written
            }
        };
        match written {
            Ok(()) => {
                *item.counted_in(&mut self.manifest.kept) += 1;
                None
            }
            Err(error) => {
                *item.counted_in(&mut self.manifest.missing) += 1;
                self.failed = Some(format!("it could not be written any further: {error}"));
                Some(error)
            }
        }
    }

    /// The event as other tools read it: they expect names. How long the game lasts (`kyoku_first`) is left out, for no arena
    /// says it.
    fn event_line(&self, event: &Event) -> String {
        let line = event_json(event);
        let (Event::StartGame { .. }, Ok(Value::Object(mut start))) = (event, serde_json::from_str(&line)) else {
            return line;
        };
        let own = self.manifest.seat;
        let name = |seat: Seat| {
            if seat.index() == own { self.manifest.about.bot.clone() } else { format!("seat {seat}") }
        };
        start.insert("names".to_owned(), Seat::all(self.rules.players).map(name).collect());
        start.insert("aka_flag".to_owned(), json!(self.rules.red_fives > 0));
        Value::Object(start).to_string()
    }

    /// What the record says of itself so far.
    pub(super) const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Finishes the record and publishes it; where it lies then. Whatever fails, the manifest here knows then what is missing.
    pub(super) fn finish(&mut self, ending: Ending, token: Option<&Token>, disk: &mut dyn Disk) -> io::Result<PathBuf> {
        let Ending { at, missing, outcome } = ending;
        let result = outcome.report.as_ref();
        self.manifest.missing.add(&missing);
        for file in [&self.frames, &self.events, &self.decisions] {
            file.finish()?;
        }
        let lost = (missing.total() > 0).then(|| "the disk was too slow for it".to_owned());
        let why = outcome.why.map(|why| redacted(token, &why).into_owned());
        let cut = self.failed.take().or(lost).or(why);
        let manifest = &mut self.manifest;
        manifest.state = if cut.is_none() { State::Complete } else { State::Cut };
        manifest.cut = cut;
        manifest.ended = Some(to_the_millisecond(at.into()));
        manifest.played = Some(Played {
            scores: result.map(|report| report.scores.as_slice().to_vec()),
            place: result.map(|report| report.place),
            rounds: outcome.rounds,
            requests: outcome.acks.into(),
            safe_answers: self.safe_answers,
            faults: outcome.faults.by_kind().map(|(kind, count)| (kind.to_owned(), count)).collect(),
            desyncs: outcome.desyncs,
            first_desyncs: outcome.first_desyncs.iter().map(|text| redacted(token, text).into_owned()).collect(),
            unreadable: outcome.unreadable,
            decision_us: Times::of(&self.decision_times),
            reply_us: Times::of(&self.reply_times),
        });
        write_manifest(&self.folder, manifest, disk)?;
        folder::publish(&self.folder, manifest.state == State::Cut)
    }
}

impl Direction {
    const fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}

/// Makes the other files of a record that begins. The manifest comes last: where it is, everything is.
fn fill(folder: &Path, manifest: &Manifest, disk: &mut dyn Disk) -> io::Result<(Lined, Lined)> {
    let open = |name: &str| File::options().append(true).create_new(true).open(folder.join(name)).map(Lined::new);
    let (events, decisions) = (open(GAME)?, open(DECISIONS)?);
    write_manifest(folder, manifest, disk)?;
    disk.write(&mut File::create(folder.join(NEW_MANIFEST))?, &[b' '; MANIFEST_ROOM])?;
    Ok((events, decisions))
}

/// Puts a manifest in place, whole or not at all.
pub(super) fn write_manifest(folder: &Path, manifest: &Manifest, disk: &mut dyn Disk) -> io::Result<()> {
    let text = serde_json::to_string_pretty(manifest)? + "\n";
    let new = folder.join(NEW_MANIFEST);
    // Not cut off first: the room that it has must not go to somebody else.
    let mut file = File::options().write(true).create(true).truncate(false).open(&new)?;
    disk.write(&mut file, text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    file.sync_all()?;
    fs::rename(new, folder.join(MANIFEST))?;
    File::open(folder)?.sync_all()
}

pub(super) fn to_the_millisecond(time: OffsetDateTime) -> OffsetDateTime {
    time - Duration::from_nanos(u64::from(time.nanosecond() % 1_000_000))
}
