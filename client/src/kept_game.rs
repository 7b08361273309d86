//! A ranked game in the form of the results database: a game just played and its record read later give the same.

use lab_stats::SeatCounts;
use policy_host::{GameKind, PolicyIdentity};
use results::{ResultKind, ResultRow, key_of};
use riichi::Seat;
use time::OffsetDateTime;

/// Maximum length of a name from an arena, in characters.
const MAX_NAME_LENGTH: usize = 100;

/// A finished game.
#[derive(Debug)]
pub struct GameResult<'a> {
    /// The bot's name.
    pub bot: &'a str,
    /// The arena's address.
    pub arena: String,
    /// The game.
    pub game: GameKind,
    /// The time when its connection opened, milliseconds since 1970. Together with bot and arena, this identifies the
    /// game.
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
    pub deciders: Vec<Decider<'a>>,
    /// The names of the players, if they are known.
    pub names: &'a [String],
}

/// A build of a policy, and its number of decisions.
#[derive(Debug, Clone)]
pub struct Decider<'a> {
    pub policy: &'a str,
    pub version: &'a str,
    /// Content of its library; `None` for a policy that is built into the runner.
    pub content: Option<String>,
    pub decisions: u64,
}

impl<'a> Decider<'a> {
    /// A policy with this number of decisions.
    pub fn of(identity: &'a PolicyIdentity, decisions: u64) -> Self {
        let content = identity.hash.map(|hash| hash.to_string());
        Self { policy: &identity.id, version: &identity.version, content, decisions }
    }
}

impl GameResult<'_> {
    /// The game's row.
    pub fn result(&self) -> ResultRow {
        let Self { bot, arena, game, opened_ms, ended_ms, seat, place, scores, counts, deciders, names } = self;
        let key = key_of(&["game", bot, arena, &opened_ms.to_string()]);
        let shared = counts.map_or_else(|| key.clone(), |counts| table_key(arena, scores, counts.rounds));
        let nothing = SeatCounts::default();
        let counts = counts.unwrap_or(&nothing);
        let most = deciders.iter().max_by_key(|decider| decider.decisions);
        let others = names.iter().enumerate().filter(|(index, _)| *index != seat.index());
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
            policy: most.map_or_else(String::new, |decider| decider.policy.to_owned()),
            version: most.map_or_else(String::new, |decider| decider.version.to_owned()),
            content: most.and_then(|decider| decider.content.clone()),
            mixed: deciders.iter().filter(|decider| decider.decisions > 0).count() > 1,
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
            opponents: others.map(|(_, name)| name.chars().take(MAX_NAME_LENGTH).collect()).collect(),
        }
    }
}

/// A key for our bots that sat at one table: arenas do not send an id of the game, but all its seats know how it ended.
/// If a game is one hand, many games end alike, so the key would be ambiguous.
fn table_key(arena: &str, scores: &[i32], rounds: u64) -> String {
    let numbers: Vec<String> =
        [scores.len().to_string(), rounds.to_string()].into_iter().chain(scores.iter().map(i32::to_string)).collect();
    let parts: Vec<&str> = ["table", arena].into_iter().chain(numbers.iter().map(String::as_str)).collect();
    key_of(&parts)
}

/// A time in the form of results: milliseconds since 1970.
pub fn milliseconds(moment: OffsetDateTime) -> i64 {
    (moment.unix_timestamp_nanos().div_euclid(1_000_000)) as i64
}
