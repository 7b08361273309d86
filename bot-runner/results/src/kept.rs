//! The stored result of a game.

use std::ops::RangeInclusive;

use foreign_text::check_text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The limits of a row that is read. No game has more players; a sum of points of any number of
/// rows does not overflow.
const MAX_PLAYERS: i64 = 4;
const MAX_POINTS: i64 = 1 << 40;
/// In thousandths of a place or point.
const MAX_LUCK: i64 = 1_000_000_000;
/// The end of the year 9999.
const LAST_MS: i64 = 253_402_300_799_999;

/// A finished game from the point of view of one bot: a row of the database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The identity of the game, see [`key_of`]: the same game is stored once, however often it is
    /// written.
    pub key: String,
    pub kind: ResultKind,
    /// The arena's address; for a tournament, its id.
    pub arena: String,
    /// Results with the same text share their luck: the bots at one table, or the games on one wall
    /// of a tournament.
    pub shared: String,
    /// The shard of a tournament that played it.
    pub shard: Option<String>,
    /// The game's name. Missing in rows of earlier runners, which kept only riichi.
    #[serde(default = "riichi")]
    pub game: String,
    /// The time when it ended, milliseconds since 1970 (UTC).
    pub ended_ms: i64,
    pub bot: String,
    /// The policy that decided, or the one that made most of the decisions.
    pub policy: String,
    pub version: String,
    /// SHA-256 of its library; `None` for a policy that is built into the runner.
    pub content: Option<String>,
    /// Whether other builds decided in this game too.
    pub mixed: bool,
    /// Number of players, 3 or 4.
    pub players: u8,
    /// Own seat, from 0.
    pub seat: u8,
    /// Own place, from 1.
    pub place: u8,
    /// Final score of each seat.
    pub scores: Vec<i32>,
    /// Rounds begun; 0 if the arena sends only scores.
    pub rounds: u32,
    /// Rounds won.
    pub wins: u32,
    /// Rounds in which it dealt in.
    pub deal_ins: u32,
    /// Rounds in which its riichi was accepted.
    pub riichi: u32,
    /// Rounds in which it called a tile.
    pub called: u32,
    /// Points gained by wins.
    pub won: i64,
    /// Points lost by dealing in.
    pub lost: i64,
    /// The names of the others at the table, if they are known.
    pub opponents: Vec<String>,
    /// What went wrong in it; `None` in rows of earlier runners, and where nothing can.
    #[serde(default)]
    pub trouble: Option<GameTrouble>,
    /// What luck has added to its own place or points; `None` unless all hands of the game are
    /// known.
    #[serde(default)]
    pub luck: Option<SeatLuck>,
}

/// What luck has added to the place or the points of a seat in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatLuck {
    /// In thousandths of a place or point.
    pub thousandths: i32,
    /// The measure of luck, with the hash of its weights. Only luck of one version compares.
    pub version: String,
}

impl SeatLuck {
    /// Checks that a runner can have written it.
    ///
    /// # Errors
    ///
    /// The field that it cannot have written.
    pub(crate) fn check(&self) -> Result<(), String> {
        check_text("luck_version", &self.version).map_err(|why| why.to_string())?;
        is_in("luck", self.thousandths.into(), -MAX_LUCK..=MAX_LUCK)
    }
}

/// What went wrong in a game, as counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameTrouble {
    /// Faults of the policy.
    pub faults: u32,
    /// Requests answered with the safe answer.
    pub safe_answers: u32,
    /// Requests that the arena answered itself, because no reply came in time.
    pub late_replies: u32,
}

impl GameTrouble {
    /// Whether nothing went wrong.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl ResultRow {
    /// Own score at the end.
    pub fn points(&self) -> Option<i32> {
        self.scores.get(usize::from(self.seat)).copied()
    }

    /// Checks that a runner can have written it.
    ///
    /// # Errors
    ///
    /// The field that it cannot have written.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Self {
            key,
            arena,
            shared,
            shard,
            game,
            bot,
            policy,
            version,
            content,
            opponents,
            ..
        } = self;
        let texts = [
            ("key", key),
            ("arena", arena),
            ("shared", shared),
            ("game", game),
            ("bot", bot),
            ("policy", policy),
            ("version", version),
        ];
        let optional = [("shard", shard), ("content", content)];
        let optional = optional
            .into_iter()
            .filter_map(|(name, text)| Some((name, text.as_ref()?)));
        let texts = texts
            .into_iter()
            .chain(optional)
            .chain(opponents.iter().map(|name| ("opponents", name)));
        texts
            .into_iter()
            .try_for_each(|(name, text)| check_text(name, text))
            .map_err(|why| why.to_string())?;
        let Self {
            players,
            seat,
            place,
            ended_ms,
            won,
            lost,
            ..
        } = *self;
        is_in("players", players.into(), 2..=MAX_PLAYERS)?;
        is_in("seat", seat.into(), 0..=i64::from(players) - 1)?;
        is_in("place", place.into(), 1..=players.into())?;
        is_in(
            "the number of scores",
            self.scores.len() as i64,
            0..=players.into(),
        )?;
        is_in("ended_ms", ended_ms, 0..=LAST_MS)?;
        is_in("won", won, -MAX_POINTS..=MAX_POINTS)?;
        is_in("lost", lost, -MAX_POINTS..=MAX_POINTS)?;
        self.luck.as_ref().map_or(Ok(()), SeatLuck::check)
    }
}

/// Whether a number is in a range.
pub(crate) fn is_in(name: &str, number: i64, allowed: RangeInclusive<i64>) -> Result<(), String> {
    match allowed.contains(&number) {
        true => Ok(()),
        false => Err(format!(
            "{name} is {number}; allowed are {} to {}",
            allowed.start(),
            allowed.end()
        )),
    }
}

fn riichi() -> String {
    "riichi".to_owned()
}

/// The place where a game was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultKind {
    /// A ranked game at an arena.
    Ladder,
    Tournament,
}

impl ResultKind {
    /// Its word in the database.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ladder => "ladder",
            Self::Tournament => "tournament",
        }
    }

    pub(crate) fn of(word: &str) -> Option<Self> {
        [Self::Ladder, Self::Tournament]
            .into_iter()
            .find(|kind| kind.word() == word)
    }
}

/// A key made of identifying parts: 64 hexadecimal digits.
pub fn key_of(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The lengths make different lists of parts distinct.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_distinguishes_parts_that_read_alike_when_put_together() {
        let keys = [key_of(&["ab", "c"]), key_of(&["a", "bc"]), key_of(&["abc"])];
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
        assert_eq!(key_of(&["ab", "c"]), keys[0]);
        assert!(keys[0].len() == 64 && keys[0].bytes().all(|c| c.is_ascii_hexdigit()));
    }
}
