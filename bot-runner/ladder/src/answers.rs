//! The answers of the interface. Any field may be absent or null, except ids and what pages are
//! made of; unknown fields are ignored.

use foreign_text::ForeignText;
use serde::{Deserialize, Deserializer};

use crate::PlayedAt;

/// A bot on the leaderboard.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LeaderboardRow {
    pub bot_id: u64,
    #[serde(default, deserialize_with = "text")]
    pub bot_name: Option<ForeignText>,
    #[serde(default)]
    pub rating: Option<f64>,
    #[serde(default)]
    pub total_games: Option<u64>,
    /// The time of its last game.
    #[serde(default, deserialize_with = "moment")]
    pub last_played_at: Option<PlayedAt>,
    #[serde(default)]
    pub current_rank: Option<u64>,
}

/// A bot.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Profile {
    pub id: u64,
    #[serde(default, deserialize_with = "text")]
    pub name: Option<ForeignText>,
    #[serde(default)]
    pub rating: Option<f64>,
    #[serde(default)]
    pub total_games: Option<u64>,
    #[serde(default)]
    pub current_rank: Option<u64>,
    #[serde(default, deserialize_with = "moment")]
    pub last_played_at: Option<PlayedAt>,
}

/// A page of a bot's games, the newest first.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct GamesPage {
    /// Number of games on all pages.
    pub total: u64,
    #[serde(default)]
    pub has_more: bool,
    /// Where the next page begins; opaque.
    #[serde(default)]
    pub next_cursor: Option<String>,
    pub games: Vec<GameRow>,
}

/// A game of a bot.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct GameRow {
    /// A UUID.
    #[serde(deserialize_with = "game_id")]
    pub game_id: String,
    /// `ranked`, `validation` or other.
    #[serde(default, deserialize_with = "text")]
    pub game_type: Option<ForeignText>,
    #[serde(default)]
    pub player_count: Option<u8>,
    #[serde(default, deserialize_with = "moment")]
    pub played_at: Option<PlayedAt>,
    pub seat: u8,
    /// Its place, from 1.
    #[serde(default)]
    pub rank: Option<u8>,
    /// Its points at the end.
    #[serde(default)]
    pub score: Option<i32>,
    #[serde(default)]
    pub rating_before: Option<f64>,
    /// What the game changed of the rating.
    #[serde(default)]
    pub rating_delta: Option<f64>,
    #[serde(default)]
    pub is_disconnected: Option<bool>,
    #[serde(default)]
    pub is_penalized: Option<bool>,
}

/// A game with its players.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct GameOnLadder {
    #[serde(deserialize_with = "game_id")]
    pub id: String,
    #[serde(default, deserialize_with = "text")]
    pub game_type: Option<ForeignText>,
    #[serde(default)]
    pub player_count: Option<u8>,
    #[serde(default, deserialize_with = "moment")]
    pub played_at: Option<PlayedAt>,
    pub players: Vec<PlayerInGame>,
}

impl GameOnLadder {
    /// The names of so many players, by seats; a seat without a name is called by its number.
    pub fn names(&self, players: usize) -> Vec<String> {
        let name = |seat: usize| {
            let player = self
                .players
                .iter()
                .find(|player| usize::from(player.seat) == seat);
            player
                .and_then(|player| player.bot_name.as_ref())
                .map_or_else(|| format!("seat {seat}"), ToString::to_string)
        };
        (0..players).map(name).collect()
    }
}

/// A player of a game.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PlayerInGame {
    pub seat: u8,
    pub bot_id: u64,
    #[serde(default, deserialize_with = "text")]
    pub bot_name: Option<ForeignText>,
    #[serde(default)]
    pub is_disconnected: Option<bool>,
    #[serde(default)]
    pub is_penalized: Option<bool>,
}

/// The wrapper of every answer.
#[derive(Debug, Deserialize)]
pub(crate) struct Wrapped<T> {
    pub(crate) ok: bool,
    pub(crate) data: T,
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ForeignText>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.map(|text| ForeignText::new(&text, None)))
}

/// A time. One that cannot be read is as good as none.
fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PlayedAt>, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.and_then(|text| PlayedAt::parse(&text)))
}

/// The id of a game becomes a part of addresses and of file names.
fn game_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let id = String::deserialize(deserializer)?;
    match is_game_id(&id) {
        true => Ok(id),
        false => Err(serde::de::Error::custom("a game's id is not a UUID")),
    }
}

/// Whether a text is a UUID in its usual spelling.
pub(crate) fn is_game_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"game_id":"0b6c8ad1-22a1-4b54-9f40-6f6a2f8f7b11","seat":2,"rank":1,"score":41200,
        "rating_before":1500.0,"rating_delta":-3.25,"played_at":"2026-11-29 10:00:00","zz_new":"x"}"#;

    #[test]
    fn a_row_is_read_without_the_fields_that_are_unknown_or_null() {
        let row: GameRow = serde_json::from_str(ROW).expect("a row");
        assert_eq!(
            (row.seat, row.rank, row.score, row.rating_delta),
            (2, Some(1), Some(41200), Some(-3.25))
        );
        let holes = ROW
            .replace("\"score\":41200", "\"score\":null")
            .replace("\"2026-11-29 10:00:00\"", "null");
        let row: GameRow = serde_json::from_str(&holes).expect("a row");
        assert_eq!(
            (row.score, row.played_at, row.is_penalized),
            (None, None, None)
        );
    }

    #[test]
    fn an_id_that_is_no_uuid_is_refused() {
        for id in [
            "",
            "../../etc/passwd",
            "0b6c8ad1-22a1-4b54-9f40-6f6a2f8f7b1g",
            "0b6c8ad122a14b549f406f6a2f8f7b11aaaa",
        ] {
            assert!(
                serde_json::from_str::<GameRow>(
                    &ROW.replace("0b6c8ad1-22a1-4b54-9f40-6f6a2f8f7b11", id)
                )
                .is_err()
            );
        }
    }

    #[test]
    fn a_name_is_shown_escaped_and_cut() {
        let text =
            serde_json::json!({"bot_id": 1, "bot_name": format!("\u{1b}[31m{}", "a".repeat(1000))});
        let row: LeaderboardRow = serde_json::from_value(text).expect("a row");
        let shown = row.bot_name.expect("a name").to_string();
        assert!(
            shown.starts_with("\\u{1b}[31m") && shown.chars().count() < 220,
            "{shown}"
        );
    }
}
