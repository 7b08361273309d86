//! The game from the point of view of one seat.

use game_core::SeatTable;

use crate::card::{Card, CardSet};
use crate::counts::RankCounts;
use crate::event::{DouDizhuAction, DouDizhuEvent, safe_action};
use crate::plays::DouDizhuPlay;
use crate::round::{AgainstRules, DEALT, DouDizhuRound, PUBLIC};
use crate::rules::DouDizhuRules;
use crate::seat::DouDizhuSeat;

/// An event that contradicts the earlier ones. The table is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DouDizhuContradiction {
    /// Cards are dealt to a seat that has some.
    #[error("cards were dealt a second time")]
    DealtTwice,
    /// There is an event before the deal.
    #[error("no cards were dealt yet")]
    NotDealt,
    /// The number of cards differs from a deal.
    #[error("{found} cards in a hand of {DEALT}, or {} with the public ones", DEALT + PUBLIC)]
    HandSize {
        /// The number found.
        found: u8,
    },
    /// The number of public cards is wrong.
    #[error("{found} public cards, where there are {PUBLIC}")]
    PublicSize {
        /// The number found.
        found: u8,
    },
    /// A public card is in a hand that is not the landlord's.
    #[error("card {} is public and in the hand of a peasant", .0.number())]
    PublicHeld(Card),
    /// It is another seat's turn, or no player's.
    #[error("seat {} is not in turn", .0.index())]
    Turn(DouDizhuSeat),
    /// The own seat plays a card that it does not have, or another one a card that it cannot have.
    #[error("seat {} cannot have card {}", .0.index(), .1.number())]
    NotHeld(DouDizhuSeat, Card),
    /// More cards than a seat has left.
    #[error("seat {} plays more cards than the {left} it has left", seat.index())]
    TooMany {
        /// The seat.
        seat: DouDizhuSeat,
        /// The number that it had.
        left: u8,
    },
    /// The landlord is not the one of the bids.
    #[error("seat {} is not the landlord by the rules and the bids", .0.index())]
    Landlord(DouDizhuSeat),
    /// The rules forbid it.
    #[error(transparent)]
    Rules(#[from] AgainstRules),
}

/// The game from the point of view of one seat: the public part, and its own cards.
///
/// It applies events, and refuses one that contradicts the earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DouDizhuSeatState {
    round: DouDizhuRound,
    seat: Option<DouDizhuSeat>,
    hand: CardSet,
}

impl DouDizhuSeatState {
    /// The state before the deal.
    pub const fn new(rules: DouDizhuRules) -> Self {
        Self {
            round: DouDizhuRound::new(rules),
            seat: None,
            hand: CardSet::EMPTY,
        }
    }

    /// The state in a game that has been dealt.
    pub(crate) const fn in_game(round: DouDizhuRound, seat: DouDizhuSeat, hand: CardSet) -> Self {
        Self {
            round,
            seat: Some(seat),
            hand,
        }
    }

    /// The public part of the game.
    pub const fn round(&self) -> &DouDizhuRound {
        &self.round
    }

    /// The own seat, once cards are dealt.
    pub const fn seat(&self) -> Option<DouDizhuSeat> {
        self.seat
    }

    /// The own cards.
    pub const fn hand(&self) -> CardSet {
        self.hand
    }

    /// The cards that are neither in the own hand nor played.
    pub const fn unseen(&self) -> CardSet {
        CardSet::ALL.without(self.hand).without(self.round.played())
    }

    /// The cards that a seat is known to hold: the own ones, and the rest of the landlord's public
    /// ones.
    pub fn known_cards(&self, seat: DouDizhuSeat) -> CardSet {
        if Some(seat) == self.seat {
            self.hand
        } else if Some(seat) == self.round.landlord() {
            self.round.public().without(self.round.played())
        } else {
            CardSet::EMPTY
        }
    }

    /// The cards that another seat may hold.
    pub fn possible_cards(&self, seat: DouDizhuSeat) -> CardSet {
        if Some(seat) == self.seat {
            return self.hand;
        }
        let unseen = self.unseen();
        if Some(seat) == self.round.landlord() {
            unseen
        } else {
            unseen.without(self.round.public())
        }
    }

    /// Whether the own seat must act.
    pub fn is_asked(&self) -> bool {
        self.seat.is_some() && self.round.turn() == self.seat
    }

    /// The own seat's legal actions; empty while it is not its turn. The first is always safe: no
    /// bid, a pass, or the lowest single card.
    pub fn legal_actions(&self) -> Vec<DouDizhuAction> {
        if self.is_asked() {
            self.round.legal_actions(self.hand)
        } else {
            Vec::new()
        }
    }

    /// The own cards for a play, those with the lowest numbers; `None` if some are missing.
    pub fn cards_for(&self, play: &DouDizhuPlay) -> Option<CardSet> {
        play.cards.cards_of(self.hand)
    }

    /// The ranks of the own cards.
    pub fn hand_counts(&self) -> RankCounts {
        RankCounts::from(self.hand)
    }

    /// Applies an event.
    ///
    /// # Errors
    ///
    /// If it contradicts earlier events; the table is then unchanged.
    pub fn apply(&mut self, event: &DouDizhuEvent) -> Result<(), DouDizhuContradiction> {
        match *event {
            DouDizhuEvent::Deal { seat, hand } => self.deal(seat, hand),
            _ if self.seat.is_none() => Err(DouDizhuContradiction::NotDealt),
            DouDizhuEvent::Bid { seat, bid } => {
                self.expect_turn(seat)?;
                Ok(self.round.bid(bid)?)
            }
            DouDizhuEvent::Landlord { seat, public } => self.begin(seat, public),
            DouDizhuEvent::Play { seat, cards } => self.play(seat, cards),
        }
    }

    fn expect_turn(&self, seat: DouDizhuSeat) -> Result<(), DouDizhuContradiction> {
        if self.round.turn() == Some(seat) {
            Ok(())
        } else {
            Err(DouDizhuContradiction::Turn(seat))
        }
    }

    fn deal(&mut self, seat: DouDizhuSeat, hand: CardSet) -> Result<(), DouDizhuContradiction> {
        if self.seat.is_some() {
            return Err(DouDizhuContradiction::DealtTwice);
        }
        // Without bidding, seat 0 has the public cards from the start.
        let most = if !self.round.rules().bidding && seat == DouDizhuSeat::FIRST {
            DEALT + PUBLIC
        } else {
            DEALT
        };
        let found = hand.len();
        if found != DEALT && found != most {
            return Err(DouDizhuContradiction::HandSize { found });
        }
        self.seat = Some(seat);
        self.hand = hand;
        Ok(())
    }

    fn begin(&mut self, seat: DouDizhuSeat, public: CardSet) -> Result<(), DouDizhuContradiction> {
        if public.len() != PUBLIC {
            return Err(DouDizhuContradiction::PublicSize {
                found: public.len(),
            });
        }
        if self.round.landlord().is_some() || self.round.landlord_by_bids().is_none() {
            return Err(AgainstRules::Phase.into());
        }
        if self.round.landlord_by_bids() != Some(seat) {
            return Err(DouDizhuContradiction::Landlord(seat));
        }
        let mut hand = self.hand;
        if self.seat == Some(seat) {
            hand = hand.union(public);
            if hand.len() != DEALT + PUBLIC {
                return Err(DouDizhuContradiction::HandSize { found: hand.len() });
            }
        } else if let Some(card) = hand.intersection(public).iter().next() {
            return Err(DouDizhuContradiction::PublicHeld(card));
        }
        self.round.begin(seat, public)?;
        self.hand = hand;
        Ok(())
    }

    fn play(&mut self, seat: DouDizhuSeat, cards: CardSet) -> Result<(), DouDizhuContradiction> {
        self.expect_turn(seat)?;
        if let Some(card) = cards.without(self.possible_cards(seat)).iter().next() {
            return Err(DouDizhuContradiction::NotHeld(seat, card));
        }
        // The cards that are known to be its own are the last it can be left with.
        let (left, known) = (self.round.left(seat), self.known_cards(seat));
        if cards.union(known).len() > left {
            return Err(DouDizhuContradiction::TooMany { seat, left });
        }
        self.round.play(cards)?;
        if self.seat == Some(seat) {
            self.hand = self.hand.without(cards);
        }
        Ok(())
    }
}

impl SeatTable for DouDizhuSeatState {
    type Event = DouDizhuEvent;
    type Action = DouDizhuAction;
    type Contradiction = DouDizhuContradiction;

    fn apply(&mut self, event: &DouDizhuEvent) -> Result<(), DouDizhuContradiction> {
        self.apply(event)
    }

    fn legal(&self) -> Vec<DouDizhuAction> {
        self.legal_actions()
    }

    fn safe(&self, legal: &[DouDizhuAction]) -> Option<usize> {
        let safe = safe_action(legal)?;
        legal.iter().position(|&action| action == safe)
    }
}
