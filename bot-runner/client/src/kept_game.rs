//! A ranked game in the form of the results database: a game just played and its record read later
//! give the same.

use std::io;

use lab_stats::{SeatCounter, SeatCounts};
use policy_host::{GameKind, RecordedEvents};
use protocol::lines::{Line, parse_line};
use protocol::{EventError, Parsed, parse_event};
use results::{GameTrouble, ResultKind, ResultRow, key_of};
use riichi::{Event, Seat};
use time::OffsetDateTime;

use crate::records::{GameRecord, Manifest, PolicyNote, RecordState};

/// Maximum length of a name from an arena, in characters.
const MAX_NAME_LENGTH: usize = 100;

#[derive(Debug)]
pub struct GameResult<'a> {
    pub bot: &'a str,
    /// The arena's address.
    pub arena: String,
    pub game: GameKind,
    /// The time when its connection opened, milliseconds since 1970. Together with bot and arena,
    /// this identifies the game.
    pub opened_ms: i64,
    /// The time when it ended, milliseconds since 1970.
    pub ended_ms: i64,
    pub seat: Seat,
    /// Own place, from 1.
    pub place: u8,
    /// Final score of each seat.
    pub scores: &'a [i32],
    /// The counts of the own seat; `None` if the arena sends only scores.
    pub counts: Option<&'a SeatCounts>,
    /// The policies that decided; at least one.
    pub deciders: Vec<PolicyNote>,
    /// The names of the players, if they are known.
    pub names: &'a [String],
    /// What went wrong, if the arena lets it be known.
    pub trouble: Option<GameTrouble>,
}

impl GameResult<'_> {
    pub fn result(&self) -> ResultRow {
        let Self {
            bot,
            arena,
            game,
            opened_ms,
            ended_ms,
            seat,
            place,
            scores,
            counts,
            deciders,
            names,
            trouble,
        } = self;
        let key = game_key(bot, arena, *opened_ms);
        let shared = counts.map_or_else(
            || key.clone(),
            |counts| table_key(arena, scores, counts.rounds),
        );
        let nothing = SeatCounts::default();
        let counts = counts.unwrap_or(&nothing);
        let most = deciders.iter().max_by_key(|decider| decider.decisions);
        let others = names
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != seat.index());
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        ResultRow {
            key,
            kind: ResultKind::Ladder,
            arena: arena.clone(),
            shared,
            shard: None,
            game: game.name().to_owned(),
            ended_ms: *ended_ms,
            bot: (*bot).to_owned(),
            policy: most.map_or_else(String::new, |decider| decider.id.clone()),
            version: most.map_or_else(String::new, |decider| decider.version.clone()),
            content: most.and_then(|decider| decider.sha256.clone()),
            mixed: deciders
                .iter()
                .filter(|decider| decider.decisions > 0)
                .count()
                > 1,
            players: scores.len() as u8,
            seat: seat.index() as u8,
            place: *place,
            scores: scores.to_vec(),
            rounds: number(counts.rounds),
            wins: number(counts.wins),
            deal_ins: number(counts.deal_ins),
            riichi: number(counts.riichi),
            called: number(counts.called),
            won: counts.won,
            lost: counts.lost,
            opponents: others
                .map(|(_, name)| name.chars().take(MAX_NAME_LENGTH).collect())
                .collect(),
            trouble: *trouble,
            // A seat does not see all hands.
            luck: None,
        }
    }
}

/// The key of a game: its bot, its arena, and when its connection opened, milliseconds since 1970.
pub fn game_key(bot: &str, arena: &str, opened_ms: i64) -> String {
    key_of(&["game", bot, arena, &opened_ms.to_string()])
}

/// A key for our bots that sat at one table: arenas do not send an id of the game, but all its
/// seats know how it ended. If a game is one hand, many games end alike, so the key would be
/// ambiguous.
fn table_key(arena: &str, scores: &[i32], rounds: u64) -> String {
    let numbers: Vec<String> = [scores.len().to_string(), rounds.to_string()]
        .into_iter()
        .chain(scores.iter().map(i32::to_string))
        .collect();
    let parts: Vec<&str> = ["table", arena]
        .into_iter()
        .chain(numbers.iter().map(String::as_str))
        .collect();
    key_of(&parts)
}

/// A time in the form of results: milliseconds since 1970.
pub fn milliseconds(moment: OffsetDateTime) -> i64 {
    (moment.unix_timestamp_nanos().div_euclid(1_000_000)) as i64
}

/// Why a record has no result that can be kept.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    #[error("the manifest has seat {seat} of {scores}")]
    Seat { seat: usize, scores: usize },
    #[error("the manifest has {0} scores; allowed are 3 and 4")]
    Scores(usize),
    #[error("the manifest has place {place} of {scores}")]
    Place { place: u8, scores: usize },
    #[error("the manifest has the game {0:?}, which is unknown to this runner")]
    Game(String),
    #[error("the game cannot be read: {0}")]
    Unreadable(io::Error),
    #[error("the game's line {line} cannot be read: {error}")]
    Line { line: usize, error: EventError },
    #[error("the game's line {0} is about a seat that there is not")]
    LineSeat(usize),
}

/// The game of a record; `None` if it has no result.
///
/// # Errors
///
/// If the record contradicts itself, or cannot be read.
pub fn result_of(record: &GameRecord) -> Result<Option<ResultRow>, BadRecord> {
    let Manifest {
        state,
        about,
        started,
        ended,
        seat,
        policies,
        played,
        ..
    } = &record.manifest;
    let (RecordState::Complete, Some(played), Some(ended)) = (state, played, ended) else {
        return Ok(None);
    };
    let (Some(scores), Some(place)) = (&played.scores, played.place) else {
        return Ok(None);
    };
    let own = u8::try_from(*seat)
        .ok()
        .and_then(Seat::new)
        .filter(|own| own.index() < scores.len());
    let own = own.ok_or(BadRecord::Seat {
        seat: *seat,
        scores: scores.len(),
    })?;
    if !matches!(scores.len(), 3 | 4) {
        return Err(BadRecord::Scores(scores.len()));
    }
    if !(1..=scores.len()).contains(&usize::from(place)) {
        return Err(BadRecord::Place {
            place,
            scores: scores.len(),
        });
    }
    let game = GameKind::ALL
        .into_iter()
        .find(|game| game.name() == about.game);
    let game = game.ok_or_else(|| BadRecord::Game(about.game.clone()))?;
    let counter = match game.recorded_events() {
        RecordedEvents::Mjai => Some(counted(record, scores.len())?),
        RecordedEvents::Steps => None,
    };
    let told = names(record);
    let game = GameResult {
        bot: &about.bot,
        arena: about.arena.clone(),
        game,
        opened_ms: milliseconds(*started),
        ended_ms: milliseconds(*ended),
        seat: own,
        place,
        scores,
        counts: counter.as_ref().map(|counter| &counter.seats[own]),
        deciders: policies.clone(),
        names: if played.names.is_empty() {
            &told
        } else {
            &played.names
        },
        trouble: counter.is_some().then(|| GameTrouble {
            faults: played.faults.values().sum(),
            safe_answers: u32::try_from(played.safe_answers).unwrap_or(u32::MAX),
            late_replies: played.requests.defaulted,
        }),
    };
    Ok(Some(game.result()))
}

fn counted(record: &GameRecord, seats: usize) -> Result<SeatCounter, BadRecord> {
    let mut counter = SeatCounter::new(seats as u8);
    let text = record.game().map_err(BadRecord::Unreadable)?;
    for (number, line) in (1..).zip(text.lines()) {
        let event = parse_event(line).map_err(|error| BadRecord::Line {
            line: number,
            error,
        })?;
        if let Parsed::Event(event) = event {
            if event.actor().is_some_and(|actor| actor.index() >= seats) {
                return Err(BadRecord::LineSeat(number));
            }
            counter.count(&event);
        }
    }
    Ok(counter)
}

/// The names of the players, if the arena sent them.
fn names(record: &GameRecord) -> Vec<String> {
    let told = |frame: String| match parse_line(&frame) {
        Ok(Line::Event(line)) if matches!(line.event, Event::StartGame { .. }) => Some(line.names),
        _ => None,
    };
    record
        .first_frames()
        .unwrap_or_default()
        .into_iter()
        .find_map(told)
        .unwrap_or_default()
}
