//! Chinese Standard mahjong: what a seat may know of its table, in the boundary's plain form.

use mcr::event::PLAYERS;
use mcr::seat::{McrStage, SeatPublic, SeenSet};
use mcr::{DeclaredSet, McrAction, McrEvent, McrSeatState};
use policy_abi::NONE;
use policy_abi::standard::{
    MAX_STANDARD_EVENTS, STANDARD_REQUEST_DISCARD, STANDARD_REQUEST_KONG_ADDED,
    STANDARD_REQUEST_OWN_TURN, STANDARD_RIVER_CLAIMED, STANDARD_SET_CHOW,
    STANDARD_SET_CONCEALED_KONG, STANDARD_SET_MELDED_KONG, STANDARD_SET_PUNG, StandardLogEvent,
    StandardRiverTile, StandardSeatView, StandardSet, StandardView,
};
use policy_sdk::mcr::{encode_counting, encode_mcr_action, encode_mcr_event};
use riichi::{Kind, Seat};

use super::policy_table::ShownTable;
use super::scripts;
use crate::view::{Asked, EventLog, ViewBuffer};

/// All events, as a policy sees them.
#[derive(Debug)]
pub struct McrLog {
    events: EventLog<StandardLogEvent>,
    /// The deal: the own tiles, and flowers laid down by each seat.
    start_hand: [u8; 13],
    start_flowers: [u8; 4],
}

impl ShownTable for McrSeatState {
    type View = StandardView;
    type Log = McrLog;

    fn empty_log() -> McrLog {
        McrLog {
            events: EventLog::new(MAX_STANDARD_EVENTS),
            start_hand: [NONE; 13],
            start_flowers: [0; 4],
        }
    }

    fn log(&self, log: &mut McrLog, event: &McrEvent) {
        if let McrEvent::Dealt { hand, flowers, .. } = event {
            let tiles = Kind::all()
                .flat_map(|kind| std::iter::repeat_n(kind.index() as u8, hand[kind].into()));
            log.start_hand
                .iter_mut()
                .zip(tiles)
                .for_each(|(place, tile)| *place = tile);
            log.start_flowers = *flowers;
        }
        // At the latest here others' tiles are hidden.
        if let Some(event) = encode_mcr_event(&event.hidden_from(self.seat())) {
            log.events.push(event);
        }
    }

    fn fill(&self, log: &McrLog, view: &mut ViewBuffer, legal: &[McrAction], asked: &Asked) {
        let view = view.begin::<StandardView>(
            legal.iter().map(encode_mcr_action),
            Some(&log.events),
            asked,
        );
        let rules = self.rules();
        view.seat = self.seat().index() as u8;
        view.prevalent_wind = self.prevalent_wind() as u8;
        view.with_flowers = rules.flowers.into();
        view.counting = encode_counting(rules.counting);
        let (request, offered) = match self.stage() {
            McrStage::Discarded { seat, tile } => (STANDARD_REQUEST_DISCARD, Some((tile, seat))),
            McrStage::KongAdded { seat, tile } => (STANDARD_REQUEST_KONG_ADDED, Some((tile, seat))),
            _ => (STANDARD_REQUEST_OWN_TURN, None),
        };
        view.request = request;
        view.drawn = encode_kind(self.drawn());
        view.offered = encode_kind(offered.map(|(tile, _)| tile));
        view.offered_by = offered.map_or(NONE, |(_, seat)| seat.index() as u8);
        view.win_fan = self.win().map_or(0, |fan| fan.total());
        view.closed = self.hand().concealed().0;
        view.unseen = self.unseen().0;
        for seat in Seat::all(PLAYERS) {
            view.seats[seat.index()] = encode_public(self.public(seat));
        }
        view.start_hand = log.start_hand;
        view.start_flowers = log.start_flowers;
    }

    fn scripts(_: u8) -> Vec<(Self, Vec<McrEvent>)> {
        scripts::mcr()
    }
}

fn encode_kind(kind: Option<Kind>) -> u8 {
    kind.map_or(NONE, |kind| kind.index() as u8)
}

fn encode_public(public: &SeatPublic) -> StandardSeatView {
    let mut view = StandardSeatView {
        river_len: public.river.len().min(StandardSeatView::EMPTY.river.len()) as u8,
        set_count: public.sets.len() as u8,
        flowers: public.flowers,
        wall: public.wall,
        concealed: public.concealed,
        ..StandardSeatView::EMPTY
    };
    for (place, discard) in view.river.iter_mut().zip(&public.river) {
        *place = StandardRiverTile {
            tile: encode_kind(Some(discard.tile)),
            flags: u8::from(discard.claimed) * STANDARD_RIVER_CLAIMED,
        };
    }
    for (place, set) in view.sets.iter_mut().zip(&public.sets) {
        *place = encode_set(*set);
    }
    view
}

fn encode_set(set: SeenSet) -> StandardSet {
    let (kind, tile) = match set {
        SeenSet::HiddenKong => (STANDARD_SET_CONCEALED_KONG, None),
        SeenSet::Known(known) => {
            let kind = match known {
                DeclaredSet::Chow(_) => STANDARD_SET_CHOW,
                DeclaredSet::Pung(_) => STANDARD_SET_PUNG,
                DeclaredSet::MeldedKong(_) => STANDARD_SET_MELDED_KONG,
                DeclaredSet::ConcealedKong(_) => STANDARD_SET_CONCEALED_KONG,
            };
            (kind, Some(known.kind()))
        }
    };
    StandardSet {
        kind,
        tile: encode_kind(tile),
    }
}
