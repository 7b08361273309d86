//! Dou Dizhu: what a seat may know of its table, in the boundary's plain form.

use doudizhu::table::DouDizhuContradiction;
use doudizhu::{CardSet, DouDizhuAction, DouDizhuEvent, DouDizhuRules, DouDizhuSeat, DouDizhuSeatState, safe_action};
use policy_abi::NONE;
use policy_abi::card::{
    CARD_REQUEST_ANSWER, CARD_REQUEST_BID, CARD_REQUEST_LEAD, CardLogEvent, CardView, MAX_CARD_EVENTS,
};
use policy_sdk::doudizhu::{encode_card_action, encode_card_event};

use super::GameDefinition;
use super::seat_table::{SeatTable, scripted_questions};
use crate::view::{Asked, EventLog, GameLayout, ViewBuffer};

/// What Dou Dizhu brings.
pub(super) const DEFINITION: GameDefinition = GameDefinition { layout: GameLayout::of::<CardView>(), scripted };

/// A table of Dou Dizhu with all that has happened.
#[derive(Debug)]
pub struct DouDizhuTable {
    table: DouDizhuSeatState,
    log: EventLog<CardLogEvent>,
}

impl DouDizhuTable {
    /// A table before the deal.
    #[must_use]
    pub fn new(rules: DouDizhuRules) -> Self {
        Self { table: DouDizhuSeatState::new(rules), log: EventLog::new(MAX_CARD_EVENTS) }
    }

    /// The game as the seat knows it.
    #[must_use]
    pub const fn table(&self) -> &DouDizhuSeatState {
        &self.table
    }
}

impl SeatTable for DouDizhuTable {
    type Event = DouDizhuEvent;
    type Action = DouDizhuAction;
    type Contradiction = DouDizhuContradiction;

    fn apply(&mut self, event: &DouDizhuEvent) -> Result<(), DouDizhuContradiction> {
        self.table.apply(event)?;
        if let Some(event) = encode_card_event(event) {
            self.log.push(event);
        }
        Ok(())
    }

    fn legal(&self) -> Vec<DouDizhuAction> {
        self.table.legal_actions()
    }

    fn safe(&self, legal: &[DouDizhuAction]) -> Option<usize> {
        let safe = safe_action(legal)?;
        legal.iter().position(|&action| action == safe)
    }

    fn fill(&self, view: &mut ViewBuffer, legal: &[DouDizhuAction], asked: &Asked) {
        let (table, round) = (&self.table, self.table.round());
        let hand = table.hand();
        let actions = legal.iter().map(|action| encode_card_action(action, hand));
        let view = view.begin::<CardView>(actions, Some(&self.log), asked);
        view.hand = hand.bits();
        view.unseen = table.unseen().bits();
        view.public_cards = round.public().bits();
        let to_beat = round.to_beat();
        view.to_beat = to_beat.map_or(CardSet::EMPTY, |played| played.cards).bits();
        view.to_beat_by = encode_seat(to_beat.map(|played| played.seat));
        for seat in DouDizhuSeat::all() {
            let place = &mut view.seats[seat.index()];
            let played = round.trail().iter().filter(|played| played.seat == seat);
            place.played = played.fold(CardSet::EMPTY, |all, played| all.union(played.cards)).bits();
            place.left = round.left(seat);
            // The first seat bids first.
            place.bid = round.bids().get(seat.index()).copied().unwrap_or(NONE);
        }
        view.seat = encode_seat(table.seat());
        view.landlord = encode_seat(round.landlord());
        view.highest_bid = round.highest_bid();
        let rules = round.rules();
        view.bidding = rules.bidding.into();
        view.shuttle_wings = rules.shuttle_wings;
        view.request = match (round.landlord(), to_beat) {
            (None, _) => CARD_REQUEST_BID,
            (Some(_), None) => CARD_REQUEST_LEAD,
            (Some(_), Some(_)) => CARD_REQUEST_ANSWER,
        };
    }
}

fn encode_seat(seat: Option<DouDizhuSeat>) -> u8 {
    seat.map_or(NONE, |seat| seat.index() as u8)
}

/// Everything that seat 0 is asked: a bid, a lead, an answer to another seat's pair, and as a peasant an answer to the landlord.
fn scripted(_players: u8, asked: Asked) -> Vec<ViewBuffer> {
    let mut views = Vec::new();
    for events in [as_landlord(), as_peasant()] {
        let questions = scripted_questions(&mut DouDizhuTable::new(DouDizhuRules::BIDDING), &events, asked);
        views.extend(questions.into_iter().map(|question| question.view));
    }
    for (view, decision) in views.iter_mut().zip(asked.decision..) {
        view.set_decision(decision);
    }
    views
}

/// The first card of each rank, and the second of the lower four: 3344556678, 9TJQKA2.
const HAND: [u8; 17] = [0, 1, 4, 5, 8, 9, 12, 13, 16, 20, 24, 28, 32, 36, 40, 44, 48];

fn as_landlord() -> Vec<DouDizhuEvent> {
    let [own, next, last] = seats();
    vec![
        DouDizhuEvent::Deal { seat: own, hand: cards(HAND) },
        DouDizhuEvent::Bid { seat: own, bid: 3 },
        DouDizhuEvent::Landlord { seat: own, public: cards([17, 21, 52]) },
        DouDizhuEvent::Play { seat: own, cards: cards([0, 1]) },
        DouDizhuEvent::Play { seat: next, cards: cards([6, 7]) },
        DouDizhuEvent::Play { seat: last, cards: CardSet::EMPTY },
    ]
}

fn as_peasant() -> Vec<DouDizhuEvent> {
    let [own, next, last] = seats();
    vec![
        DouDizhuEvent::Deal { seat: own, hand: cards(HAND) },
        DouDizhuEvent::Bid { seat: own, bid: 0 },
        DouDizhuEvent::Bid { seat: next, bid: 3 },
        DouDizhuEvent::Landlord { seat: next, public: cards([17, 21, 52]) },
        DouDizhuEvent::Play { seat: next, cards: cards([17]) },
        DouDizhuEvent::Play { seat: last, cards: cards([25]) },
    ]
}

fn seats() -> [DouDizhuSeat; 3] {
    let first = DouDizhuSeat::FIRST;
    [first, first.next(), first.after(2)]
}

fn cards<const COUNT: usize>(numbers: [u8; COUNT]) -> CardSet {
    numbers.into_iter().filter_map(doudizhu::Card::new).collect()
}

#[cfg(test)]
mod tests {
    use policy_abi::card::CARD_ACTION_PASS;

    use super::*;

    #[test]
    fn the_scripted_game_asks_for_bids_a_lead_and_answers() {
        let asked: Vec<(u8, u8)> = scripted(3, Asked::default())
            .iter()
            .map(|view| {
                let (view, legal, _) = view.typed::<CardView>();
                (view.request, legal[0].kind)
            })
            .collect();
        let requests: Vec<u8> = asked.iter().map(|&(request, _)| request).collect();
        assert_eq!(
            requests,
            [CARD_REQUEST_BID, CARD_REQUEST_LEAD, CARD_REQUEST_ANSWER, CARD_REQUEST_BID, CARD_REQUEST_ANSWER]
        );
        assert_eq!(asked[2].1, CARD_ACTION_PASS, "the first is always safe");
    }
}
