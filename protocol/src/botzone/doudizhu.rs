//! Dou Dizhu (`FightTheLandlord`, and with bidding `FightTheLandlord2`): requests of a seat, and
//! its responses. Both are JSON in either form; cards are their numbers.

use doudizhu::event::HIGHEST_BID;
use doudizhu::{Card, CardSet, DouDizhuSeat};
use serde::de::{IgnoredAny, MapAccess};
use serde_json::Deserializer;

use crate::field::{Field, FieldError, FromJson, Into, quoted};
use crate::json::{MAX_FRAME, Object, ReadError, read_object};

/// The request to a seat in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DouDizhuRequest {
    /// To bid; only with bidding.
    Bid(BidRequest),
    Play(PlayRequest),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BidRequest {
    /// The cards dealt to it.
    pub own: CardSet,
    /// The earlier bids, from seat 0 on: the own seat is the one after them.
    pub bids: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayRequest {
    /// The cards dealt to it; in its first turn only. Without bidding the landlord's hold the
    /// public ones.
    pub own: Option<CardSet>,
    /// The public cards; in its first turn only.
    pub public: Option<CardSet>,
    /// The plays of the two seats before it, the earlier one first. An empty one is a pass, or no
    /// play yet.
    pub history: [CardSet; 2],
    /// The result of the bidding; in its first turn, and only with bidding.
    pub bidding: Option<BiddingEnd>,
}

/// The result of the bidding, as sent to a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BiddingEnd {
    pub landlord: DouDizhuSeat,
    pub seat: DouDizhuSeat,
    /// The highest bid; 1 if there is none.
    pub bid: u8,
}

/// A text that is not a request or response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DouDizhuTextError {
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
/// If it is not a JSON object, or a field of it is missing or wrong.
pub fn parse_doudizhu_request(text: &str) -> Result<DouDizhuRequest, DouDizhuTextError> {
    let mut fields = RequestFields::default();
    read_object(text, &mut fields)?;
    let own = fields
        .own
        .optional("own")?
        .map(|cards| different(cards, "own"))
        .transpose()?;
    if fields.history == Field::Absent
        && let Some(bids) = fields.bids.optional("bid")?
    {
        let own = own.ok_or_else(|| missing("own", Vec::<Card>::ALLOWED))?;
        return Ok(DouDizhuRequest::Bid(BidRequest {
            own,
            bids: bids.into_iter().map(|Bid(bid)| bid).collect(),
        }));
    }
    let history = fields.history.required("history")?;
    let [earlier, last] = <[_; 2]>::try_from(history).map_err(|history| FieldError {
        field: "history".to_owned(),
        found: format!("a list of {}", history.len()),
        allowed: "the two plays before",
    })?;
    let landlord = fields.landlord.optional("landlord")?;
    let bidding = match landlord {
        Some(landlord) => Some(BiddingEnd {
            landlord,
            seat: fields.seat.required("pos")?,
            bid: fields.final_bid.required("finalbid")?.0,
        }),
        None => None,
    };
    Ok(DouDizhuRequest::Play(PlayRequest {
        own,
        public: fields
            .public
            .optional("publiccard")?
            .map(|cards| different(cards, "publiccard"))
            .transpose()?,
        history: [
            different(earlier, "history[0]")?,
            different(last, "history[1]")?,
        ],
        bidding,
    }))
}

fn missing(field: &str, allowed: &'static str) -> FieldError {
    FieldError {
        field: field.to_owned(),
        found: "missing".to_owned(),
        allowed,
    }
}

/// Botzone's text of a play; without cards it is a pass.
pub fn doudizhu_response(cards: CardSet) -> String {
    let numbers: Vec<String> = cards.iter().map(|card| card.number().to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// Botzone's text of a bid.
pub fn bid_response(bid: u8) -> String {
    bid.to_string()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DouDizhuResponse {
    Bid(u8),
    /// Cards; none is a pass.
    Cards(CardSet),
}

/// Reads a response; it does not check whether it was legal.
///
/// # Errors
///
/// If it is neither a bid nor a JSON list of different cards.
pub fn parse_doudizhu_response(text: &str) -> Result<DouDizhuResponse, DouDizhuTextError> {
    if text.len() > MAX_FRAME {
        return Err(ReadError::TooLong(text.len()).into());
    }
    if let Some(bid) = text.trim().parse().ok().and_then(Bid::integer) {
        return Ok(DouDizhuResponse::Bid(bid.0));
    }
    let mut cards: Field<'_, Vec<Card>> = Field::Absent;
    let mut deserializer = Deserializer::from_str(text);
    let read = serde::de::DeserializeSeed::deserialize(Into(&mut cards), &mut deserializer);
    if read.and_then(|()| deserializer.end()).is_err() {
        let field = "response".to_owned();
        return Err(FieldError {
            field,
            found: quoted(text),
            allowed: Vec::<Card>::ALLOWED,
        }
        .into());
    }
    Ok(DouDizhuResponse::Cards(different(
        cards.required("response")?,
        "response",
    )?))
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

#[derive(Debug, Clone, Copy, PartialEq)]
struct Bid(u8);

impl FromJson<'_> for Bid {
    const ALLOWED: &'static str = "a bid, 0 to 3";
    const LIST_ALLOWED: &'static str = "a list of bids";

    fn integer(number: i64) -> Option<Self> {
        u8::try_from(number)
            .ok()
            .filter(|&bid| bid <= HIGHEST_BID)
            .map(Self)
    }
}

impl FromJson<'_> for DouDizhuSeat {
    const ALLOWED: &'static str = "a seat, 0 to 2";

    fn integer(number: i64) -> Option<Self> {
        Self::new(u8::try_from(number).ok()?)
    }
}

#[derive(Debug, Default)]
struct RequestFields<'a> {
    own: Field<'a, Vec<Card>>,
    public: Field<'a, Vec<Card>>,
    history: Field<'a, Vec<Vec<Card>>>,
    bids: Field<'a, Vec<Bid>>,
    landlord: Field<'a, DouDizhuSeat>,
    seat: Field<'a, DouDizhuSeat>,
    final_bid: Field<'a, Bid>,
}

impl<'a> Object<'a> for RequestFields<'a> {
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "own" => map.next_value_seed(Into(&mut self.own)),
            "publiccard" => map.next_value_seed(Into(&mut self.public)),
            "history" => map.next_value_seed(Into(&mut self.history)),
            "bid" => map.next_value_seed(Into(&mut self.bids)),
            "landlord" => map.next_value_seed(Into(&mut self.landlord)),
            "pos" => map.next_value_seed(Into(&mut self.seat)),
            "finalbid" => map.next_value_seed(Into(&mut self.final_bid)),
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}
