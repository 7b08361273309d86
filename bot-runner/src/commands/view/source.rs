//! The source of a page: a record's folder, or a record with the decisions that `play` stores next
//! to it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;

use view::page::{Page, PageDesync, RecordPage};

use crate::commands::logs::cannot_open;
use crate::commands::play::DECISIONS;
use crate::commands::table::{number_of, signed};
use anyhow::Context;
use client::decision_note::RecordedDecision;
use client::records::{GameRecord, LatencySummary, Manifest, RecordState};
use client::session::desync::DesyncMark;
use foreign_text::shown_path;
use game_logs::LogFacts;
use lab::course::RecordedCourse;
use lab::record::{lines_of, names_of, open_lines};
use lab::replayed::{ReadCourses, ReplayedGame, courses};
use policy_host::{ForeignFolder, GameKind, RecordedEvents};
use protocol::game_record::{LineForm, RecordStart};
use results::{LadderOpponent, LadderRow};
use riichi::Seat;
use rustix::fs::OFlags;

/// A record, as far as it could be read.
pub(super) struct Source {
    title: String,
    /// The game, unless it is riichi.
    pub(super) other_game: Option<String>,
    /// The seat of the record, if a manifest names it.
    pub(super) seat: Option<Seat>,
    facts: Vec<(String, String)>,
    pub(super) warnings: Vec<String>,
    /// Its lines.
    pub(super) text: String,
    /// The decisions, one a line.
    decisions: String,
    /// The differences between the bot's picture of the game and the arena's.
    desyncs: Vec<DesyncMark>,
}

/// The names and versions of policies, by seats.
pub(super) type SeatPolicies = BTreeMap<usize, Vec<String>>;

impl Source {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        if path.is_dir() {
            Self::of_folder(path)
        } else {
            Self::of_file(path)
        }
    }

    fn of_folder(path: &Path) -> anyhow::Result<Self> {
        let record = GameRecord::open(path)?;
        let cannot = || format!("the record {} cannot be read", shown_path(path));
        let manifest = &record.manifest;
        let mut warnings: Vec<String> = unfinished(manifest).into_iter().collect();
        let ladder = record.ladder().unwrap_or_else(|error| {
            warnings.push(format!("What the ladder says cannot be read: {error}."));
            None
        });
        let open_game = if ladder.as_ref().is_some_and(|row| row.confirmed) {
            record.open_game().unwrap_or_else(|error| {
                warnings.push(format!("The game with all hands cannot be read: {error}."));
                None
            })
        } else {
            None
        };
        let text = match open_game {
            Some(text) => text,
            None => record.game().with_context(cannot)?,
        };
        let decisions = record.decisions().unwrap_or_else(|error| {
            warnings.insert(0, format!("The decisions cannot be read: {error}."));
            String::new()
        });
        let mut names = names_of(&mut text.as_bytes());
        if let Some(own) = names.get_mut(manifest.seat) {
            own.clone_from(&manifest.about.bot);
        }
        for LadderOpponent {
            seat, name, rating, ..
        } in ladder.iter().flat_map(|row| &row.opponents)
        {
            if let (Some(shown), Some(name)) = (names.get_mut(usize::from(*seat)), name) {
                *shown = match rating {
                    Some(rating) => format!("{name} ({rating:.0})"),
                    None => name.clone(),
                };
            }
        }
        // Arenas that do not name the players number them.
        let is_other =
            |&(seat, name): &(usize, &String)| seat != manifest.seat && !name.starts_with("seat ");
        let others: Vec<String> = names
            .iter()
            .enumerate()
            .filter(is_other)
            .map(|(_, name)| name.clone())
            .collect();
        let with = if others.is_empty() {
            String::new()
        } else {
            format!(" with {}", players(&others))
        };
        let title = format!("{}{with} at {}", manifest.about.bot, manifest.about.arena);
        Ok(Self {
            title,
            other_game: Some(manifest.about.game.clone()).filter(|game| !is_mjai(game)),
            seat: u8::try_from(manifest.seat).ok().and_then(Seat::new),
            facts: facts_of(&record.name(), manifest, ladder.as_ref()),
            warnings,
            text,
            decisions,
            desyncs: manifest
                .played
                .as_ref()
                .map(|played| played.desync_marks.clone())
                .unwrap_or_default(),
        })
    }

    fn of_file(path: &Path) -> anyhow::Result<Self> {
        let shown = shown_path(path);
        let mut lines = open_lines(path).map_err(|why| cannot_open(&shown, why))?;
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let (mut text, mut warnings) = (Vec::new(), Vec::new());
        if let Err(error) = lines.read_to_end(&mut text) {
            warnings.push(unread(error));
            truncate_to_lines(&mut text);
        }
        let decisions = decisions_beside(path).unwrap_or_else(|error| {
            warnings.push(format!("The decisions cannot be read: {error}."));
            String::new()
        });
        let text = text_before_other_bytes(text, &mut warnings);
        Ok(Self {
            warnings,
            decisions,
            ..Self::of_text(name, text)
        })
    }

    /// A record with this name, and nothing beside it.
    pub(super) fn of_text(name: String, text: String) -> Self {
        let first = text.lines().next().unwrap_or_default();
        let start = RecordStart::read(first);
        let mut facts = vec![("record".to_owned(), name.clone())];
        if let Some(log) = LogFacts::of_line(first) {
            facts.push(("log".to_owned(), log.form.to_string()));
            facts.push(("rules".to_owned(), log.rules_in_words()));
            facts.extend(log.began.map(|began| ("began".to_owned(), began)));
        }
        let other_game = start.map(|start| start.game).filter(|game| !is_mjai(game));
        let names = names_of(&mut text.as_bytes());
        let title = match names.is_empty() {
            false => format!("{} ({name})", players(&names)),
            true => name.clone(),
        };
        Self {
            title,
            other_game,
            seat: None,
            facts,
            warnings: Vec::new(),
            text,
            decisions: String::new(),
            desyncs: Vec::new(),
        }
    }

    /// The policies that decided, each once, by seats.
    pub(super) fn policies(&self) -> SeatPolicies {
        let mut policies = SeatPolicies::new();
        for RecordedDecision { seat, policy, .. } in self.notes() {
            let of_seat: &mut Vec<String> = policies.entry(seat.index()).or_default();
            if !of_seat.contains(&policy) {
                of_seat.push(policy);
            }
        }
        policies
    }

    /// The notes on its decisions.
    pub(super) fn notes(&self) -> Vec<RecordedDecision> {
        let lines = self.decisions.lines();
        lines.filter_map(RecordedDecision::read).collect()
    }

    pub(super) fn with_facts(self, page: Page) -> Page {
        let facts = [self.facts, page.facts].concat();
        Page {
            title: self.title,
            facts,
            warnings: [self.warnings, page.warnings].concat(),
            ..page
        }
    }

    /// Its games, as far as they can be read.
    pub(super) fn courses<G: ReplayedGame>(&mut self) -> ReadCourses<G> {
        courses::<G>(Box::new(Cursor::new(std::mem::take(&mut self.text))))
    }

    /// The differences between the bot's picture and the arena's, each at its place.
    pub(super) fn page_desyncs<G: ReplayedGame>(
        &self,
        course: &RecordedCourse<G>,
        page: &dyn RecordPage,
    ) -> Vec<PageDesync> {
        let events = course.events.iter().enumerate();
        let starts: Vec<usize> = events
            .filter(|(_, (_, event))| G::Form::begins_round(event))
            .map(|(index, _)| index)
            .collect();
        let place = |mark: &DesyncMark| {
            let events = starts.get(mark.round)?.checked_add(mark.step)?;
            let (round, step) = page.place_after(events.checked_add(1)?)?;
            Some(PageDesync {
                round,
                step,
                kind: mark.kind.clone(),
            })
        };
        self.desyncs.iter().filter_map(place).collect()
    }
}

/// The warning that the page of a record ends before its end.
pub(super) fn unread(why: impl Display) -> String {
    format!("The rest of the record cannot be read: {why}. The page shows the part before it.")
}

/// Leaves out a line that is not whole.
fn truncate_to_lines(text: &mut Vec<u8>) {
    let end = text.iter().rposition(|&byte| byte == b'\n');
    text.truncate(end.map_or(0, |end| end + 1));
}

/// The text up to the first line that is none, with a warning if there is one behind another line.
fn text_before_other_bytes(text: Vec<u8>, warnings: &mut Vec<String>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let mut text = error.into_bytes();
        let lines = text[..valid].iter().filter(|&&byte| byte == b'\n').count();
        if lines > 0 {
            text.truncate(valid);
            truncate_to_lines(&mut text);
            warnings.push(unread(format_args!("line {}: it is not UTF-8", lines + 1)));
        }
        String::from_utf8_lossy(&text).into_owned()
    })
}

/// Maximum number of characters of a name in a title.
const MAX_NAME_LENGTH: usize = 40;

/// The players, for a title.
fn players(names: &[String]) -> String {
    let each = names
        .iter()
        .map(|name| name.chars().take(MAX_NAME_LENGTH).collect::<String>());
    each.collect::<Vec<_>>().join(" · ")
}

/// Whether records of this game hold mjai events.
fn is_mjai(game: &str) -> bool {
    game.parse().map(GameKind::recorded_events) == Ok(RecordedEvents::Mjai)
}

/// The decisions that `play --record` stores next to a game, one a line; empty if there is no such
/// file. The game and its decisions may each be gzipped since. The user has named the game, and not
/// this file, so no link is followed.
fn decisions_beside(path: &Path) -> io::Result<String> {
    let Some((folder, name)) = path.parent().zip(path.file_name().and_then(OsStr::to_str)) else {
        return Ok(String::new());
    };
    let plain = name.strip_suffix(".gz").unwrap_or(name);
    let open =
        |name: &str| ForeignFolder::open(&folder.join(DECISIONS))?.open_file(name, OFlags::RDONLY);
    let opened = open(plain).or_else(|error| match error.kind() {
        ErrorKind::NotFound => open(&format!("{plain}.gz")),
        _ => Err(error),
    });
    let file = match opened {
        // Mostly there is none.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound | ErrorKind::InvalidFilename
            ) =>
        {
            return Ok(String::new());
        }
        opened => opened?,
    };
    let mut text = Vec::new();
    lines_of(file)?.read_to_end(&mut text)?;
    String::from_utf8(text)
        .or_else(|error| Ok(String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Why the record does not hold the whole game, if it does not.
fn unfinished(manifest: &Manifest) -> Option<String> {
    match (manifest.state, &manifest.cut) {
        (RecordState::Complete, _) => None,
        (RecordState::Cut, why) => {
            let why = why.as_deref().unwrap_or("reason unknown");
            Some(format!("The record is incomplete: {why}."))
        }
        (RecordState::Playing, _) => {
            Some("The game is incomplete, because its record is not finished.".to_owned())
        }
    }
}

fn facts_of(name: &str, manifest: &Manifest, ladder: Option<&LadderRow>) -> Vec<(String, String)> {
    let mut facts: Vec<(String, String)> = Vec::new();
    let mut fact = |what: &str, text: String| facts.push((what.to_owned(), text));
    let about = &manifest.about;
    let (date, (hour, minute, second)) = (manifest.started.date(), manifest.started.to_hms());
    fact("record", name.to_owned());
    fact("bot", format!("{}, runner {}", about.bot, about.runner));
    fact("arena", format!("{} ({})", about.arena, about.protocol));
    fact(
        "began",
        format!("{date} {hour:02}:{minute:02}:{second:02} UTC"),
    );
    for policy in &manifest.policies {
        let build = policy
            .sha256
            .as_deref()
            .map_or("built in", |sha256| sha256.get(..12).unwrap_or(sha256));
        fact(
            "policy",
            format!(
                "{} {} ({build}), {}",
                policy.id,
                policy.version,
                number_of(policy.decisions, "decision")
            ),
        );
    }
    let Some(played) = &manifest.played else {
        return facts;
    };
    if let Some(place) = played.place {
        fact("place", place.to_string());
    }
    for (what, text) in ladder.map(ladder_facts).unwrap_or_default() {
        fact(what, text);
    }
    fact(
        "requests",
        format!(
            "{}, {} safe answers",
            played.requests.requests, played.safe_answers
        ),
    );
    for (what, times) in [
        ("decisions", played.decision_us),
        ("replies", played.reply_us),
    ] {
        if let Some(LatencySummary { p50, p99, max }) = times {
            fact(
                what,
                format!("p50 {p50} µs, p99 {p99} µs, longest {max} µs"),
            );
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

/// What the arena's ladder says about a game.
fn ladder_facts(row: &LadderRow) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let (Some(before), Some(change)) = (row.rating_before, row.rating_change) {
        let change = signed(change, 1);
        facts.push(("rating", format!("{before:.1} before, {change}")));
    }
    if let Some(id) = &row.game_id {
        facts.push(("game on the ladder", id.clone()));
    }
    for (is, what) in [
        (row.disconnected, "disconnected"),
        (row.penalized, "penalized"),
    ] {
        if is == Some(true) {
            facts.push(("ladder", what.to_owned()));
        }
    }
    if let Some(why) = &row.contradiction {
        facts.push(("the arena's log", why.clone()));
    }
    facts
}
