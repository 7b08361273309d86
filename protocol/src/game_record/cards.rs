//! Records of Dou Dizhu. Cards are Botzone's numbers, 0 to 53; a play to choose from is told by its ranks.

use doudizhu::{Card, CardAction, CardEnd, CardEvent, CardRound, CardRules, CardSeat, CardSet};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{GameOutcome, RecordForm, RecordedEntry};

/// How games of Dou Dizhu are recorded.
#[derive(Debug, Clone, Copy)]
pub struct CardRecordForm;

#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum CardLine {
    Deal {
        hands: Vec<Option<Vec<u64>>>,
    },
    Bid {
        actor: u64,
        bid: u8,
    },
    Landlord {
        actor: u64,
        public: Vec<u64>,
    },
    /// A pass, without cards.
    Play {
        actor: u64,
        cards: Vec<u64>,
    },
    #[serde(other)]
    Other,
}

fn numbers(cards: CardSet) -> Vec<u64> {
    cards.iter().map(|card| u64::from(card.number())).collect()
}

fn cards(numbers: &[u64]) -> Result<CardSet, String> {
    let mut cards = CardSet::EMPTY;
    for &number in numbers {
        let card = u8::try_from(number).ok().and_then(Card::new);
        let card = card.ok_or_else(|| format!("card {number} is not one; allowed are 0 to 53"))?;
        if !cards.insert(card) {
            return Err(format!("card {number} is there twice"));
        }
    }
    Ok(cards)
}

fn seat(actor: u64) -> Result<CardSeat, String> {
    let seat = u8::try_from(actor).ok().and_then(CardSeat::new);
    seat.ok_or_else(|| format!("`actor` is {actor}, and allowed are 0 to 2"))
}

const fn number(seat: CardSeat) -> u64 {
    seat.index() as u64
}

impl RecordForm for CardRecordForm {
    type Event = CardEvent;
    type Action = CardAction;
    const SEATS: usize = CardSeat::COUNT;

    fn deal_line(deals: &[Option<CardEvent>]) -> String {
        let hand = |deal: &Option<CardEvent>| match deal {
            Some(CardEvent::Deal { hand, .. }) => Some(numbers(*hand)),
            _ => None,
        };
        super::json(&CardLine::Deal { hands: deals.iter().map(hand).collect() })
    }

    fn is_deal(event: &CardEvent) -> bool {
        matches!(event, CardEvent::Deal { .. })
    }

    fn event_line(event: &CardEvent) -> Option<String> {
        Some(super::json(&match *event {
            CardEvent::Bid { seat, bid } => CardLine::Bid { actor: number(seat), bid },
            CardEvent::Landlord { seat, public } => CardLine::Landlord { actor: number(seat), public: numbers(public) },
            CardEvent::Play { seat, cards } => CardLine::Play { actor: number(seat), cards: numbers(cards) },
            _ => return None,
        }))
    }

    fn action(action: &CardAction) -> Value {
        match action {
            CardAction::Bid(bid) => json!({"type": "bid", "bid": bid}),
            CardAction::Pass => json!({"type": "pass"}),
            CardAction::Play(play) => json!({"type": "play", "cards": play.cards.to_string()}),
        }
    }

    fn outcome(events: &[CardEvent]) -> Option<GameOutcome> {
        let bidding = matches!(events.first(), Some(CardEvent::Bid { .. }));
        let mut round = CardRound::new(if bidding { CardRules::BIDDING } else { CardRules::FIXED });
        for event in events {
            match *event {
                CardEvent::Bid { bid, .. } => round.bid(bid).ok()?,
                CardEvent::Landlord { seat, public } => round.begin(seat, public).ok()?,
                CardEvent::Play { cards, .. } => round.play(cards).ok()?,
                _ => {}
            }
        }
        round.end().map(GameOutcome::from)
    }

    fn read(line: &str) -> Result<Option<RecordedEntry<CardEvent>>, String> {
        let event = match serde_json::from_str(line).map_err(|error| error.to_string())? {
            CardLine::Deal { hands } => {
                if hands.len() != Self::SEATS {
                    return Err(format!("`hands` are {}, and there are {} seats", hands.len(), Self::SEATS));
                }
                let deal = |(seat, hand): (CardSeat, Option<Vec<u64>>)| {
                    hand.map(|hand| Ok(CardEvent::Deal { seat, hand: cards(&hand)? })).transpose()
                };
                let deals: Result<_, String> = CardSeat::all().zip(hands).map(deal).collect();
                return Ok(Some(RecordedEntry::Dealt(deals?)));
            }
            CardLine::Bid { actor, bid } => CardEvent::Bid { seat: seat(actor)?, bid },
            CardLine::Landlord { actor, public } => CardEvent::Landlord { seat: seat(actor)?, public: cards(&public)? },
            CardLine::Play { actor, cards: played } => CardEvent::Play { seat: seat(actor)?, cards: cards(&played)? },
            CardLine::Other => return Ok(None),
        };
        Ok(Some(RecordedEntry::Happened(event)))
    }
}

impl From<CardEnd> for GameOutcome {
    fn from(end: CardEnd) -> Self {
        Self::LastCard {
            landlord: end.landlord.index(),
            landlord_won: end.landlord_won,
            bid: end.bid,
            bombs: end.bombs,
            spring: end.spring,
            stake: end.stake(),
        }
    }
}

#[cfg(test)]
mod tests {
    use doudizhu::{CardDeal, CardGame};

    use super::*;

    fn set(cards: impl IntoIterator<Item = u8>) -> CardSet {
        cards.into_iter().filter_map(Card::new).collect()
    }

    #[test]
    fn what_happens_is_read_as_it_was_written() {
        let [first, second] = [CardSeat::FIRST, CardSeat::FIRST.next()];
        let deal = CardEvent::Deal { seat: second, hand: set(17..34) };
        let line = CardRecordForm::deal_line(&[None, Some(deal), None]);
        let read = CardRecordForm::read(&line);
        assert_eq!(read, Ok(Some(RecordedEntry::Dealt(vec![None, Some(deal), None]))));
        for event in [
            CardEvent::Bid { seat: first, bid: 3 },
            CardEvent::Landlord { seat: first, public: set([0, 52, 53]) },
            CardEvent::Play { seat: first, cards: set([4, 5]) },
            CardEvent::Play { seat: second, cards: CardSet::EMPTY },
        ] {
            let line = CardRecordForm::event_line(&event).expect("it has a line");
            assert_eq!(CardRecordForm::read(&line), Ok(Some(RecordedEntry::Happened(event))), "{line}");
        }
    }

    #[test]
    fn what_happened_says_how_a_game_ended_once_a_seat_has_played_its_last_card() {
        let order: [Card; Card::COUNT] = std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
        let mut game = CardGame::new(CardDeal::of_order(&order), CardRules::BIDDING);
        while let Some(action) = game.legal_actions().pop() {
            assert_eq!(CardRecordForm::outcome(game.events()), None);
            game.act(action).expect("it is legal");
        }
        let (round, scores) = (game.round(), game.scores().expect("it is over"));
        let Some(GameOutcome::LastCard { landlord, landlord_won, bid, bombs, spring, stake }) =
            CardRecordForm::outcome(game.events())
        else {
            panic!("it is over");
        };
        assert_eq!(
            (Some(landlord), Some(landlord_won)),
            (round.landlord().map(CardSeat::index), round.winner().map(|winner| Some(winner) == round.landlord()),)
        );
        let doubled = i32::from(bombs) + i32::from(spring);
        let expected = f64::from(bid.expect("there was bidding").max(1)) * 2_f64.powi(doubled);
        assert_eq!((stake, scores[landlord].abs()), (Some(expected), 2.0 * expected));
    }

    #[test]
    fn a_card_that_is_none_or_is_there_twice_is_named() {
        let wrong = |cards: &str| CardRecordForm::read(&format!("{{\"type\":\"play\",\"actor\":0,\"cards\":{cards}}}"));
        assert_eq!(wrong("[54]"), Err("card 54 is not one; allowed are 0 to 53".to_owned()));
        assert_eq!(wrong("[7,7]"), Err("card 7 is there twice".to_owned()));
        assert!(wrong("\"3\"").is_err_and(|why| why.contains("invalid type")));
    }
}
