//! Dou Dizhu with bidding as Botzone's judge of `FightTheLandlord2` plays it: whose turn it is, the
//! request to that seat, and the effect of its response.

use std::collections::HashSet;

use doudizhu::game::DouDizhuAnswer;
use doudizhu::{
    Card, CardSet, DouDizhuDeal, DouDizhuEvent, DouDizhuGame, DouDizhuRules, DouDizhuSeat,
};
use serde_json::{Value, json};

/// A game with its judge.
pub(crate) struct BiddingJudge {
    deal: DouDizhuDeal,
    pub(crate) game: DouDizhuGame,
    /// The seats that have received the result of the bidding.
    told: HashSet<DouDizhuSeat>,
}

fn numbers(cards: CardSet) -> Vec<u8> {
    cards.iter().map(Card::number).collect()
}

impl BiddingJudge {
    /// A game whose cards are shuffled by this seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut order: [Card; Card::COUNT] =
            std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        let deal = DouDizhuDeal::of_order(&order);
        Self {
            deal,
            game: DouDizhuGame::new(deal, DouDizhuRules::BIDDING),
            told: HashSet::new(),
        }
    }

    /// The seat that is asked, and its request; `None` at the end.
    pub(crate) fn request(&mut self) -> Option<(usize, String)> {
        let seat = self.game.asked()?;
        let (own, round) = (numbers(self.deal.hand(seat)), self.game.round());
        let Some(landlord) = round.landlord() else {
            return Some((
                seat.index(),
                json!({"own": own, "bid": round.bids()}).to_string(),
            ));
        };
        let before = |plays: usize| {
            let play = round
                .trail()
                .len()
                .checked_sub(plays)
                .map(|index| round.trail()[index].cards);
            numbers(play.unwrap_or(CardSet::EMPTY))
        };
        let mut request = json!({"history": [before(2), before(1)]});
        if self.told.insert(seat) {
            request["own"] = json!(own);
            request["publiccard"] = json!(numbers(self.deal.public()));
            request["landlord"] = json!(landlord.index());
            request["pos"] = json!(seat.index());
            request["finalbid"] = json!(round.highest_bid().max(1));
        }
        Some((seat.index(), request.to_string()))
    }

    /// Takes in the response of the seat that was asked, which has to be right.
    pub(crate) fn take(&mut self, response: &str) {
        let answered = match serde_json::from_str(response).expect("JSON") {
            Value::Number(bid) => self
                .game
                .answer(DouDizhuAnswer::Bid(bid.as_i64().expect("a whole number"))),
            list => {
                let cards: Vec<i64> = serde_json::from_value(list).expect("a list of cards");
                self.game.answer(DouDizhuAnswer::Cards(&cards))
            }
        };
        assert_eq!(
            answered,
            Ok(()),
            "{response} after {:?}",
            self.game.events()
        );
    }

    /// The events as this seat received them: a bid that is neither before its own nor the
    /// landlord's counts as none.
    pub(crate) fn events_for(&self, seat: DouDizhuSeat) -> Vec<DouDizhuEvent> {
        let round = self.game.round();
        let has_bid = round.bids().len() > seat.index();
        let told = |event: &DouDizhuEvent| match *event {
            DouDizhuEvent::Bid { seat: bidder, .. }
                if !(has_bid && bidder <= seat) && round.landlord() != Some(bidder) =>
            {
                DouDizhuEvent::Bid {
                    seat: bidder,
                    bid: 0,
                }
            }
            event => event,
        };
        self.game.events().iter().map(told).collect()
    }

    /// The result of the match for a seat, as a poll returns it.
    pub(crate) fn result(&self, slot: usize) -> String {
        let scores = self
            .game
            .scores()
            .expect("it is over")
            .map(|score| score.to_string());
        format!("{slot} 3 {}", scores.join(" "))
    }
}
