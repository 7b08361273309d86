//! What a ladder publishes about a game of ours.

use foreign_text::check_text;
use serde::{Deserialize, Serialize};

use crate::kept::is_in;

/// The limit of a rating that is read.
const MAX_RATING: f64 = 1e6;
/// Maximum number of opponents that are read.
const MAX_OPPONENTS: usize = 3;

/// What a ladder publishes about the game of a [`ResultRow`](crate::ResultRow).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LadderRow {
    /// The key of the game's result.
    pub key: String,
    /// The bot's id on the ladder.
    pub bot_id: u64,
    /// The game's id on the ladder; `None` until the game is found there.
    pub game_id: Option<String>,
    /// The time that the ladder gives for the game, its start or its end, milliseconds since 1970.
    pub played_ms: Option<i64>,
    pub rating_before: Option<f64>,
    /// What the game changed of the rating.
    pub rating_change: Option<f64>,
    pub disconnected: Option<bool>,
    pub penalized: Option<bool>,
    /// The others at the table, by seats.
    pub opponents: Vec<LadderOpponent>,
    /// What is known of the opponents.
    pub players: LadderPart,
    /// What is known of the log.
    pub log: LadderPart,
    /// Whether the log's events are those that the bot's seat saw.
    pub confirmed: bool,
    /// Where the log contradicts the rules of the game.
    pub contradiction: Option<String>,
}

impl LadderRow {
    /// The row of a game of which nothing is known yet.
    pub const fn wanted(key: String, bot_id: u64) -> Self {
        Self {
            key,
            bot_id,
            game_id: None,
            played_ms: None,
            rating_before: None,
            rating_change: None,
            disconnected: None,
            penalized: None,
            opponents: Vec::new(),
            players: LadderPart::Waiting,
            log: LadderPart::Waiting,
            confirmed: false,
            contradiction: None,
        }
    }

    /// The rating after the game, if the ladder tells it.
    pub fn rating_after(&self) -> Option<f64> {
        Some(self.rating_before? + self.rating_change?)
    }

    /// Whether nothing more of it is asked for.
    pub fn is_settled(&self) -> bool {
        self.players != LadderPart::Waiting
            && !matches!(self.log, LadderPart::Waiting | LadderPart::Late)
    }

    /// Checks that a runner can have written it.
    ///
    /// # Errors
    ///
    /// The field that it cannot have written.
    pub(crate) fn check(&self) -> Result<(), String> {
        let names = self.opponents.iter().map(|opponent| &opponent.name);
        let texts = names.map(|name| ("opponents", name)).chain([
            ("game_id", &self.game_id),
            ("contradiction", &self.contradiction),
        ]);
        texts
            .filter_map(|(field, text)| Some((field, text.as_deref()?)))
            .chain([("key", self.key.as_str())])
            .try_for_each(|(field, text)| check_text(field, text))
            .map_err(|why| why.to_string())?;
        is_in(
            "opponents",
            self.opponents.len() as i64,
            0..=MAX_OPPONENTS as i64,
        )?;
        for opponent in &self.opponents {
            is_in("the seat of an opponent", opponent.seat.into(), 0..=3)?;
        }
        let ratings = [
            ("rating_before", self.rating_before),
            ("rating_change", self.rating_change),
        ];
        let others = self
            .opponents
            .iter()
            .map(|opponent| ("the rating of an opponent", opponent.rating));
        for (name, rating) in ratings.into_iter().chain(others) {
            if rating.is_some_and(|rating| rating.is_nan() || rating.abs() > MAX_RATING) {
                return Err(format!("{name} is beyond {MAX_RATING}"));
            }
        }
        Ok(())
    }
}

/// Another bot at the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LadderOpponent {
    /// Its seat, from 0.
    pub seat: u8,
    /// Its id on the ladder, which stays when its name changes.
    pub id: u64,
    /// Its name at the time of the search.
    pub name: Option<String>,
    /// Its rating before the game.
    pub rating: Option<f64>,
    pub disconnected: Option<bool>,
    pub penalized: Option<bool>,
}

/// What is known of a part of a game on the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LadderPart {
    /// It is asked for, again if it must be.
    Waiting,
    Known,
    /// It was not there; it is asked for once more, a day later.
    Late,
    /// The ladder refused it; it is not asked for again.
    Refused,
    /// It is not asked for any more: the ladder did not have it in time, or there is no record that
    /// could take it.
    GivenUp,
}

impl LadderPart {
    const ALL: [Self; 5] = [
        Self::Waiting,
        Self::Late,
        Self::Known,
        Self::Refused,
        Self::GivenUp,
    ];

    /// Its word in the database.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Late => "late",
            Self::Known => "known",
            Self::Refused => "refused",
            Self::GivenUp => "given up",
        }
    }

    pub(crate) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.word() == word)
    }
}
