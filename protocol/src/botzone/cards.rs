//! Dou Dizhu (`FightTheLandlord`): requests of a seat, and its responses. Both are JSON in either form; cards are their numbers.

use doudizhu::{Card, CardSet};
use serde::de::{IgnoredAny, MapAccess};
use serde_json::Deserializer;

use crate::field::{Field, FieldError, FromJson, Into, quoted};
use crate::json::{MAX_FRAME, Object, ReadError, read_object};

/// What a seat is told when it is its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardRequest {
    /// The cards dealt to it, the public ones among the landlord's; in its first turn only.
    pub own: Option<CardSet>,
    /// The public cards; in its first turn only.
    pub public: Option<CardSet>,
    /// What the two seats before it played, the earlier one first. An empty one is a pass, or nothing yet.
    pub history: [CardSet; 2],
}

/// A text that is no request or response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CardTextError {
    /// It cannot be read at all.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A field is missing or wrong.
    #[error(transparent)]
    Field(#[from] FieldError),
}

/// Reads a request.
///
/// # Errors
///
/// When it is no JSON object, or a field of it is missing or wrong.
pub fn parse_card_request(text: &str) -> Result<CardRequest, CardTextError> {
    let mut fields = RequestFields::default();
    read_object(text, &mut fields)?;
    let history = fields.history.required("history")?;
    let [earlier, last] = <[_; 2]>::try_from(history).map_err(|history| FieldError {
        field: "history".to_owned(),
        found: format!("a list of {}", history.len()),
        allowed: "the two plays before",
    })?;
    Ok(CardRequest {
        own: fields.own.optional("own")?.map(|cards| different(cards, "own")).transpose()?,
        public: fields.public.optional("publiccard")?.map(|cards| different(cards, "publiccard")).transpose()?,
        history: [different(earlier, "history[0]")?, different(last, "history[1]")?],
    })
}

/// Botzone's text of a play; of no cards for a pass.
#[must_use]
pub fn card_response(cards: CardSet) -> String {
    let numbers: Vec<String> = cards.iter().map(|card| card.number().to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// Reads a response; whether it was legal is not looked at.
///
/// # Errors
///
/// When it is no JSON list of different cards.
pub fn parse_card_response(text: &str) -> Result<CardSet, CardTextError> {
    if text.len() > MAX_FRAME {
        return Err(ReadError::TooLong(text.len()).into());
    }
    let mut cards: Field<'_, Vec<Card>> = Field::Absent;
    let mut deserializer = Deserializer::from_str(text);
    let read = serde::de::DeserializeSeed::deserialize(Into(&mut cards), &mut deserializer);
    if read.and_then(|()| deserializer.end()).is_err() {
        let field = "response".to_owned();
        return Err(FieldError { field, found: quoted(text), allowed: Vec::<Card>::ALLOWED }.into());
    }
    Ok(different(cards.required("response")?, "response")?)
}

fn different(cards: Vec<Card>, field: &str) -> Result<CardSet, FieldError> {
    let mut set = CardSet::EMPTY;
    match cards.into_iter().find(|&card| !set.insert(card)) {
        None => Ok(set),
        Some(card) => Err(FieldError {
            field: field.to_owned(),
            found: format!("card {} twice", card.number()),
            allowed: "different cards",
        }),
    }
}

impl FromJson<'_> for Card {
    const ALLOWED: &'static str = "a card, 0 to 53";
    const LIST_ALLOWED: &'static str = "a list of cards";

    fn integer(number: i64) -> Option<Self> {
        Self::new(u8::try_from(number).ok()?)
    }
}

#[derive(Debug, Clone, Copy)]
enum RequestKey {
    Own,
    Public,
    History,
    Other,
}

#[derive(Debug, Default)]
struct RequestFields<'a> {
    own: Field<'a, Vec<Card>>,
    public: Field<'a, Vec<Card>>,
    history: Field<'a, Vec<Vec<Card>>>,
}

impl<'a> Object<'a> for RequestFields<'a> {
    type Key = RequestKey;

    fn key(name: &str) -> RequestKey {
        match name {
            "own" => RequestKey::Own,
            "publiccard" => RequestKey::Public,
            "history" => RequestKey::History,
            _ => RequestKey::Other,
        }
    }

    fn value<A: MapAccess<'a>>(&mut self, key: RequestKey, map: &mut A) -> Result<(), A::Error> {
        match key {
            RequestKey::Own => map.next_value_seed(Into(&mut self.own)),
            RequestKey::Public => map.next_value_seed(Into(&mut self.public)),
            RequestKey::History => map.next_value_seed(Into(&mut self.history)),
            RequestKey::Other => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}
