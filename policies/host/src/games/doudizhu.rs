//! Dou Dizhu: what a seat may know of its table, in the boundary's plain form.

use doudizhu::{CardSet, DouDizhuAction, DouDizhuEvent, DouDizhuSeat, DouDizhuSeatState};
use policy_abi::NONE;
use policy_abi::card::{
    CARD_REQUEST_ANSWER, CARD_REQUEST_BID, CARD_REQUEST_LEAD, CardLogEvent, CardView,
    MAX_CARD_EVENTS,
};
use policy_sdk::doudizhu::{encode_card_action, encode_card_event};

use super::policy_table::ShownTable;
use super::scripts;
use crate::view::{Asked, EventLog, ViewBuffer};

impl ShownTable for DouDizhuSeatState {
    type View = CardView;
    type Log = EventLog<CardLogEvent>;

    fn empty_log() -> Self::Log {
        EventLog::new(MAX_CARD_EVENTS)
    }

    fn log(&self, log: &mut Self::Log, event: &DouDizhuEvent) {
        if let Some(event) = encode_card_event(event) {
            log.push(event);
        }
    }

    fn fill(
        &self,
        log: &Self::Log,
        view: &mut ViewBuffer,
        legal: &[DouDizhuAction],
        asked: &Asked,
    ) {
        let (round, hand) = (self.round(), self.hand());
        let actions = legal.iter().map(|action| encode_card_action(action, hand));
        let view = view.begin::<CardView>(actions, Some(log), asked);
        view.hand = hand.bits();
        view.unseen = self.unseen().bits();
        view.public_cards = round.public().bits();
        let to_beat = round.to_beat();
        view.to_beat = to_beat.map_or(CardSet::EMPTY, |played| played.cards).bits();
        view.to_beat_by = encode_seat(to_beat.map(|played| played.seat));
        for seat in DouDizhuSeat::all() {
            let place = &mut view.seats[seat.index()];
            let played = round.trail().iter().filter(|played| played.seat == seat);
            place.played = played
                .fold(CardSet::EMPTY, |all, played| all.union(played.cards))
                .bits();
            place.left = round.left(seat);
            // The first seat bids first.
            place.bid = round.bids().get(seat.index()).copied().unwrap_or(NONE);
        }
        view.seat = encode_seat(self.seat());
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

    fn scripts(_: u8) -> Vec<(Self, Vec<DouDizhuEvent>)> {
        scripts::doudizhu()
    }

    /// As the landlord and as a peasant.
    const SCRIPTS_AT_ADMISSION: usize = 2;
}

fn encode_seat(seat: Option<DouDizhuSeat>) -> u8 {
    seat.map_or(NONE, |seat| seat.index() as u8)
}
