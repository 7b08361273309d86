//! The whole game, with all hands: a judge like Botzone's.
//!
//! Based on `FightTheLandlord.py3` (without bidding) and `FightTheLandlord2.py36` (with): the order
//! of the checks, codes, scores, and the consequence of a fault. It contains no randomness; shuffle
//! the cards for a random deal.

use std::borrow::Cow;

use game_core::WholeGame;
use game_core::rng::Rng;

use crate::card::{Card, CardSet};
use crate::combination::NotBeaten;
use crate::event::{DouDizhuAction, DouDizhuEvent};
use crate::round::{AgainstRules, DEALT, DouDizhuRound, PUBLIC};
use crate::rules::DouDizhuRules;
use crate::seat::DouDizhuSeat;
use crate::table::DouDizhuSeatState;

/// The distribution of the cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DouDizhuDeal {
    hands: [CardSet; DouDizhuSeat::COUNT],
    public: CardSet,
}

/// The cards are not a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a deal is three hands of {DEALT} different cards and {PUBLIC} public ones")]
pub struct NoDeal;

impl DouDizhuDeal {
    /// The deal of shuffled cards, as Botzone deals them: the first three are public, then come the
    /// hands of seats 0, 1 and 2.
    pub fn of_order(order: &[Card; Card::COUNT]) -> Self {
        let cards = |from: usize, to: usize| order[from..to].iter().copied().collect();
        Self {
            public: cards(0, 3),
            hands: [cards(3, 20), cards(20, 37), cards(37, 54)],
        }
    }

    /// A deal of these hands, all without the public cards.
    ///
    /// # Errors
    ///
    /// If they have the wrong sizes, or share a card.
    pub fn new(hands: [CardSet; DouDizhuSeat::COUNT], public: CardSet) -> Result<Self, NoDeal> {
        let all = hands.into_iter().fold(public, CardSet::union);
        let sizes_are_right =
            public.len() == PUBLIC && hands.iter().all(|hand| hand.len() == DEALT);
        if sizes_are_right && all == CardSet::ALL {
            Ok(Self { hands, public })
        } else {
            Err(NoDeal)
        }
    }

    /// The cards dealt to a seat, without the public ones.
    pub const fn hand(&self, seat: DouDizhuSeat) -> CardSet {
        self.hands[seat.index()]
    }

    /// The public cards.
    pub const fn public(&self) -> CardSet {
        self.public
    }
}

/// A fault of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DouDizhuFault {
    /// It gave no readable answer: it was late, crashed, or malformed.
    #[error("there is no readable answer")]
    NoAnswer,
    /// A bid that is neither 0 nor higher than the earlier ones.
    #[error("the bid is neither 0 nor higher than the earlier ones")]
    InvalidBid,
    /// A card that the seat was not dealt.
    #[error("the seat was not dealt one of the cards")]
    MissingCard,
    /// A card that was played before, or occurs twice.
    #[error("a card was played before, or occurs twice")]
    RepeatedCard,
    /// Cards that are not a combination.
    #[error("the cards are not a combination")]
    NoCombination,
    /// A pass although the seat leads.
    #[error("the seat leads, so it cannot pass")]
    InvalidPass,
    /// It does not beat the last play.
    #[error("the cards do not beat the last play: {0}")]
    NotBeaten(NotBeaten),
}

impl DouDizhuFault {
    /// Botzone's code. Botzone appends the platform's verdict to [`NoAnswer`](Self::NoAnswer).
    pub const fn code(self, rules: DouDizhuRules) -> &'static str {
        match self {
            Self::NoAnswer => "INVALID_INPUT_VERDICT",
            Self::InvalidBid => "INVALID_BID",
            Self::MissingCard => "MISSING_CARD",
            Self::RepeatedCard => "REPEATED_CARD",
            // The judge without bidding has a code for it, but fails before it is used.
            Self::NoCombination if rules.bidding => "INVALID_CARDTYPE",
            Self::NoCombination => "BAD_FORMAT",
            Self::InvalidPass => "INVALID_PASS",
            Self::NotBeaten(NotBeaten::MismatchKind) => "MISMATCH_CARDTYPE",
            Self::NotBeaten(NotBeaten::MismatchLength) => "MISMATCH_CARDLENGTH",
            Self::NotBeaten(NotBeaten::NotHigher) => "LESS_COMPARE",
        }
    }
}

impl From<AgainstRules> for DouDizhuFault {
    fn from(reason: AgainstRules) -> Self {
        match reason {
            AgainstRules::Bid => Self::InvalidBid,
            AgainstRules::Phase => Self::NoAnswer,
            AgainstRules::Pass => Self::InvalidPass,
            AgainstRules::NoCombination => Self::NoCombination,
            AgainstRules::NotBeaten(reason) => Self::NotBeaten(reason),
        }
    }
}

/// The answer of a seat, before it is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DouDizhuAnswer<'a> {
    /// A bid.
    Bid(i64),
    /// The numbers of cards in any order; none is a pass.
    Cards(&'a [i64]),
    /// No readable answer.
    Nothing,
}

/// A game.
#[derive(Debug, Clone)]
pub struct DouDizhuGame {
    deal: DouDizhuDeal,
    hands: [CardSet; DouDizhuSeat::COUNT],
    round: DouDizhuRound,
    events: Vec<DouDizhuEvent>,
    /// Number of events before the last answer.
    before_answer: usize,
    /// The first fault of each seat.
    faults: [Option<DouDizhuFault>; DouDizhuSeat::COUNT],
    scores: Option<[f64; DouDizhuSeat::COUNT]>,
}

impl DouDizhuGame {
    /// A game before its first action.
    pub fn new(deal: DouDizhuDeal, rules: DouDizhuRules) -> Self {
        let mut game = Self {
            deal,
            hands: deal.hands,
            round: DouDizhuRound::new(rules),
            events: Vec::new(),
            before_answer: 0,
            faults: [None; DouDizhuSeat::COUNT],
            scores: None,
        };
        game.begin_if_clear();
        game
    }

    /// The public part of the game.
    pub const fn round(&self) -> &DouDizhuRound {
        &self.round
    }

    /// The seat that must answer; `None` at the end.
    pub fn asked(&self) -> Option<DouDizhuSeat> {
        if self.scores.is_some() {
            None
        } else {
            self.round.turn()
        }
    }

    /// The first event, which only this seat sees.
    pub const fn deal_event(&self, seat: DouDizhuSeat) -> DouDizhuEvent {
        DouDizhuEvent::Deal {
            seat,
            hand: self.deal.hand(seat),
        }
    }

    /// The events after the deal, which all seats see.
    pub fn events(&self) -> &[DouDizhuEvent] {
        &self.events
    }

    /// The cards of a seat.
    pub const fn hand(&self, seat: DouDizhuSeat) -> CardSet {
        self.hands[seat.index()]
    }

    /// The legal actions of the seat that must answer.
    pub fn legal_actions(&self) -> Vec<DouDizhuAction> {
        self.asked()
            .map_or_else(Vec::new, |seat| self.round.legal_actions(self.hand(seat)))
    }

    /// The first fault of each seat.
    pub const fn faults(&self) -> [Option<DouDizhuFault>; DouDizhuSeat::COUNT] {
        self.faults
    }

    /// The scores at the end, in the order of the seats. Without bidding they do not add up to
    /// zero.
    pub const fn scores(&self) -> Option<[f64; DouDizhuSeat::COUNT]> {
        self.scores
    }

    /// Applies the action of the seat that must answer, with the lowest of its cards.
    ///
    /// # Errors
    ///
    /// The fault, which has its consequences.
    pub fn act(&mut self, action: DouDizhuAction) -> Result<(), DouDizhuFault> {
        match action {
            DouDizhuAction::Bid(bid) => self.answer(DouDizhuAnswer::Bid(i64::from(bid))),
            DouDizhuAction::Pass => self.answer(DouDizhuAnswer::Cards(&[])),
            DouDizhuAction::Play(play) => {
                let cards = self
                    .asked()
                    .and_then(|seat| play.cards.cards_of(self.hand(seat)));
                // Missing cards are replaced by an invalid number.
                let numbers =
                    cards.map_or_else(|| vec![-1], |cards| cards.iter().map(number_of).collect());
                self.answer(DouDizhuAnswer::Cards(&numbers))
            }
        }
    }

    /// Applies the answer of the seat that must answer; does nothing after the end.
    ///
    /// # Errors
    ///
    /// The fault. Without bidding that ends the game; with bidding the seat is no longer asked, and
    /// passes, or plays its lowest card when it leads.
    pub fn answer(&mut self, answer: DouDizhuAnswer<'_>) -> Result<(), DouDizhuFault> {
        let Some(seat) = self.asked() else {
            return Err(DouDizhuFault::NoAnswer);
        };
        self.before_answer = self.events.len();
        let done = if self.round.landlord().is_none() {
            let bid = match answer {
                DouDizhuAnswer::Bid(bid) => {
                    u8::try_from(bid).map_err(|_| DouDizhuFault::InvalidBid)
                }
                // The judge finds no number in it.
                DouDizhuAnswer::Cards(_) | DouDizhuAnswer::Nothing => {
                    Err(DouDizhuFault::InvalidBid)
                }
            };
            bid.and_then(|bid| self.bid(seat, bid))
        } else {
            let cards = match answer {
                DouDizhuAnswer::Cards(numbers) => self.cards_of(seat, numbers),
                DouDizhuAnswer::Bid(_) | DouDizhuAnswer::Nothing => Err(DouDizhuFault::NoAnswer),
            };
            cards.and_then(|cards| self.play(seat, cards))
        };
        if let Err(fault) = done {
            self.mark(seat, fault);
        }
        self.go_on();
        done
    }

    fn cards_of(&self, seat: DouDizhuSeat, numbers: &[i64]) -> Result<CardSet, DouDizhuFault> {
        let is_landlord = self.round.landlord() == Some(seat);
        let dealt = if is_landlord {
            self.deal.hand(seat).union(self.deal.public)
        } else {
            self.deal.hand(seat)
        };
        let mut cards = CardSet::EMPTY;
        for &number in numbers {
            let card = u8::try_from(number)
                .ok()
                .and_then(Card::new)
                .filter(|&card| dealt.contains(card));
            let card = card.ok_or(DouDizhuFault::MissingCard)?;
            if !self.hand(seat).contains(card) || !cards.insert(card) {
                return Err(DouDizhuFault::RepeatedCard);
            }
        }
        Ok(cards)
    }

    fn bid(&mut self, seat: DouDizhuSeat, bid: u8) -> Result<(), DouDizhuFault> {
        self.round.bid(bid)?;
        self.events.push(DouDizhuEvent::Bid { seat, bid });
        self.begin_if_clear();
        Ok(())
    }

    fn begin_if_clear(&mut self) {
        if let Some(seat) = self.round.landlord_by_bids()
            && self.round.begin(seat, self.deal.public).is_ok()
        {
            self.hands[seat.index()] = self.hand(seat).union(self.deal.public);
            self.events.push(DouDizhuEvent::Landlord {
                seat,
                public: self.deal.public,
            });
        }
    }

    fn play(&mut self, seat: DouDizhuSeat, cards: CardSet) -> Result<(), DouDizhuFault> {
        self.round.play(cards)?;
        self.hands[seat.index()] = self.hand(seat).without(cards);
        self.events.push(DouDizhuEvent::Play { seat, cards });
        self.scores = self.round.scores();
        Ok(())
    }

    fn mark(&mut self, seat: DouDizhuSeat, fault: DouDizhuFault) {
        self.faults[seat.index()].get_or_insert(fault);
        if !self.round.rules().bidding || self.faults.iter().all(Option::is_some) {
            self.scores = Some(self.round.fault_scores(seat));
        }
    }

    /// Plays for seats that are at fault.
    fn go_on(&mut self) {
        while let Some(seat) = self
            .asked()
            .filter(|seat| self.faults[seat.index()].is_some())
        {
            let done = if self.round.landlord().is_none() {
                self.bid(seat, 0)
            } else {
                let cards = if self.round.to_beat().is_some() {
                    CardSet::EMPTY
                } else {
                    self.hand(seat).lowest(1)
                };
                self.play(seat, cards)
            };
            if done.is_err() {
                return;
            }
        }
    }
}

/// Separates deals from other uses of a seed.
const SHUFFLE: u64 = 0x6361_7264_7300;

impl WholeGame for DouDizhuGame {
    type Rules = DouDizhuRules;
    type Table = DouDizhuSeatState;
    type Refusal = DouDizhuFault;

    fn usual_rules(_: u8) -> DouDizhuRules {
        DouDizhuRules::BIDDING
    }

    fn seat_count(_: &DouDizhuRules) -> usize {
        DouDizhuSeat::COUNT
    }

    fn numbered(rules: DouDizhuRules, seed: u64, number: u64) -> Self {
        let mut order: Vec<Card> = Card::all().collect();
        Rng::keyed(&[SHUFFLE, seed, number]).shuffle(&mut order);
        let order: [Card; Card::COUNT] = order.try_into().expect("there are 54 cards");
        Self::new(DouDizhuDeal::of_order(&order), rules)
    }

    fn seat_table(rules: DouDizhuRules, _: usize) -> DouDizhuSeatState {
        DouDizhuSeatState::new(rules)
    }

    fn deal_for(&self, seat: usize) -> Option<DouDizhuEvent> {
        Some(self.deal_event(DouDizhuSeat::new(seat as u8).expect("there are three seats")))
    }

    fn news(&self) -> &[DouDizhuEvent] {
        &self.events[self.before_answer..]
    }

    fn heard_by(event: &DouDizhuEvent, _: usize) -> Cow<'_, DouDizhuEvent> {
        Cow::Borrowed(event)
    }

    fn table_of(&self, seat: usize) -> DouDizhuSeatState {
        let seat = DouDizhuSeat::new(seat as u8).expect("there are three seats");
        DouDizhuSeatState::in_game(self.round.clone(), seat, self.hands[seat.index()])
    }

    fn seats_asked(&self) -> impl Iterator<Item = usize> {
        self.asked().into_iter().map(DouDizhuSeat::index)
    }

    fn answer_all(&mut self, answers: &[(usize, DouDizhuAction)]) -> Result<(), DouDizhuFault> {
        let mut actions = answers.iter().map(|&(_, action)| action);
        actions.try_for_each(|action| self.act(action))
    }

    fn end_scores(&self) -> Option<Vec<f64>> {
        self.scores.map(Vec::from)
    }
}

fn number_of(card: Card) -> i64 {
    i64::from(card.number())
}
