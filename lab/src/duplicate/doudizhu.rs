//! Games of Dou Dizhu with bidding, by the rules of Botzone's `FightTheLandlord2`.

use doudizhu::{Card, CardAction, CardDeal, CardEvent, CardGame, CardRules, CardSeat};
use policy_host::{DouDizhuTable, GameKind};
use protocol::game_record::{CardRecordForm, GameOutcome};
use riichi::rng::Rng;

use super::game::{DuplicateGame, GameEnd};

/// A game of Dou Dizhu with bidding.
#[derive(Debug)]
pub struct DouDizhuGame(CardGame);

/// Keeps deals apart from other uses of a seed.
const SHUFFLE: u64 = 0x6361_7264_7300;

fn seat(index: usize) -> CardSeat {
    CardSeat::new(index as u8).expect("there are three seats")
}

impl DuplicateGame for DouDizhuGame {
    type Table = DouDizhuTable;
    type Record = CardRecordForm;
    const KIND: GameKind = GameKind::DouDizhu;
    const SEATS: usize = CardSeat::COUNT;

    fn new(seed: u64, wall: u64) -> Self {
        let mut order: Vec<Card> = Card::all().collect();
        Rng::keyed(&[SHUFFLE, seed, wall]).shuffle(&mut order);
        let order: [Card; Card::COUNT] = order.try_into().expect("there are 54 cards");
        Self(CardGame::new(CardDeal::of_order(&order), CardRules::BIDDING))
    }

    fn table(&self, _: usize) -> DouDizhuTable {
        DouDizhuTable::new(CardRules::BIDDING)
    }

    fn deal(&self, index: usize) -> CardEvent {
        self.0.deal_event(seat(index))
    }

    fn events(&self) -> &[CardEvent] {
        self.0.events()
    }

    fn heard(event: &CardEvent, _: usize) -> CardEvent {
        *event
    }

    fn answer(&mut self, answers: &[Option<CardAction>]) {
        if let Some(action) = self.0.asked().and_then(|seat| answers[seat.index()]) {
            // What is legal is no fault.
            let _ = self.0.act(action);
        }
    }

    fn end(&self) -> Option<GameEnd> {
        let scores = self.0.scores()?.to_vec();
        // Without a last card the seats have erred, all three where there is bidding.
        let at_fault = self.0.faults().iter().position(Option::is_some).unwrap_or_default();
        let outcome = self.0.round().end().map_or(GameOutcome::Fault { seat: at_fault }, GameOutcome::from);
        Some(GameEnd { scores, outcome })
    }
}
