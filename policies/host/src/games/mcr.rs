//! Chinese Standard mahjong: what a seat may know of its table, in the boundary's plain form.

use mcr::event::{PLAYERS, safe_mcr_answer};
use mcr::seat::{McrContradiction, McrStage, SeatPublic, SeenSet};
use mcr::{DeclaredSet, McrAction, McrEvent, McrRules, McrSeatState};
use policy_abi::NONE;
use policy_abi::standard::{
    MAX_STANDARD_EVENTS, STANDARD_REQUEST_DISCARD, STANDARD_REQUEST_KONG_ADDED, STANDARD_REQUEST_OWN_TURN,
    STANDARD_RIVER_CLAIMED, STANDARD_SET_CHOW, STANDARD_SET_CONCEALED_KONG, STANDARD_SET_MELDED_KONG,
    STANDARD_SET_PUNG, StandardLogEvent, StandardRiverTile, StandardSeatView, StandardSet, StandardView,
};
use policy_sdk::mcr::{encode_counting, encode_mcr_action, encode_mcr_event};
use riichi::{Counts, Kind, Seat, Wind};

use super::GameDefinition;
use super::seat_table::{SeatTable, scripted_questions};
use crate::view::{Asked, EventLog, GameLayout, ViewBuffer};

/// What Chinese Standard mahjong brings.
pub(super) const DEFINITION: GameDefinition = GameDefinition { layout: GameLayout::of::<StandardView>(), scripted };

/// A table of Chinese Standard mahjong with all that has happened.
#[derive(Debug)]
pub struct McrTable {
    table: McrSeatState,
    log: EventLog<StandardLogEvent>,
    /// What was dealt: the own tiles, and flowers laid down by each seat.
    start_hand: [u8; 13],
    start_flowers: [u8; 4],
}

impl McrTable {
    /// A table before the deal.
    #[must_use]
    pub fn new(seat: Seat, rules: McrRules) -> Self {
        Self {
            table: McrSeatState::new(seat, rules),
            log: EventLog::new(MAX_STANDARD_EVENTS),
            start_hand: [NONE; 13],
            start_flowers: [0; 4],
        }
    }

    /// The game as the seat knows it.
    #[must_use]
    pub const fn table(&self) -> &McrSeatState {
        &self.table
    }
}

impl SeatTable for McrTable {
    type Event = McrEvent;
    type Action = McrAction;
    type Contradiction = McrContradiction;

    fn apply(&mut self, event: &McrEvent) -> Result<(), McrContradiction> {
        self.table.apply(event)?;
        if let McrEvent::Dealt { hand, flowers, .. } = event {
            let tiles = Kind::all().flat_map(|kind| std::iter::repeat_n(kind.index() as u8, hand[kind].into()));
            self.start_hand.iter_mut().zip(tiles).for_each(|(place, tile)| *place = tile);
            self.start_flowers = *flowers;
        }
        // At the latest here others' tiles are hidden.
        if let Some(event) = encode_mcr_event(&event.hidden_from(self.table.seat())) {
            self.log.push(event);
        }
        Ok(())
    }

    fn legal(&self) -> Vec<McrAction> {
        self.table.legal()
    }

    fn safe(&self, legal: &[McrAction]) -> Option<usize> {
        let safe = safe_mcr_answer(legal, self.table.drawn())?;
        legal.iter().position(|&action| action == safe)
    }

    fn fill(&self, view: &mut ViewBuffer, legal: &[McrAction], asked: &Asked) {
        let table = &self.table;
        let view = view.begin::<StandardView>(legal.iter().map(encode_mcr_action), Some(&self.log), asked);
        let rules = table.rules();
        view.seat = table.seat().index() as u8;
        view.prevalent_wind = table.prevalent_wind() as u8;
        view.with_flowers = rules.flowers.into();
        view.counting = encode_counting(rules.counting);
        let (request, offered) = match table.stage() {
            McrStage::Discarded { seat, tile } => (STANDARD_REQUEST_DISCARD, Some((tile, seat))),
            McrStage::KongAdded { seat, tile } => (STANDARD_REQUEST_KONG_ADDED, Some((tile, seat))),
            _ => (STANDARD_REQUEST_OWN_TURN, None),
        };
        view.request = request;
        view.drawn = encode_kind(table.drawn());
        view.offered = encode_kind(offered.map(|(tile, _)| tile));
        view.offered_by = offered.map_or(NONE, |(_, seat)| seat.index() as u8);
        view.win_fan = table.win().map_or(0, |fan| fan.total());
        view.closed = table.hand().concealed().0;
        view.unseen = table.unseen().0;
        for seat in Seat::all(PLAYERS) {
            view.seats[seat.index()] = encode_public(table.public(seat));
        }
        view.start_hand = self.start_hand;
        view.start_flowers = self.start_flowers;
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
    StandardSet { kind, tile: encode_kind(tile) }
}

/// Everything that seat 0 is asked in a hand: a discard, a win or pung, a chow, and a win by the own draw.
fn scripted(_players: u8, asked: Asked) -> Vec<ViewBuffer> {
    let mut table = McrTable::new(Seat::FIRST, McrRules::default());
    let questions = scripted_questions(&mut table, &script(), asked);
    questions.into_iter().map(|question| question.view).collect()
}

fn script() -> Vec<McrEvent> {
    let tile = |name: &str| name.parse::<riichi::Tile>().expect("it is written in here").kind();
    let seat = |number: u8| Seat::new(number).expect("there is such a seat");
    let hand: Counts =
        ["1m", "1m", "1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "8m", "9m", "9m"].map(tile).into_iter().collect();
    let mut events = vec![McrEvent::Dealt { prevalent_wind: Wind::East, hand, flowers: [0; 4] }];
    events.push(McrEvent::Drawn { seat: seat(0), tile: Some(tile("E")) });
    events.push(McrEvent::Discarded { seat: seat(0), tile: tile("E") });
    for (other, thrown) in [(1, "8m"), (2, "W"), (3, "4m")] {
        events.push(McrEvent::Drawn { seat: seat(other), tile: None });
        events.push(McrEvent::Discarded { seat: seat(other), tile: tile(thrown) });
    }
    events.push(McrEvent::Drawn { seat: seat(0), tile: Some(tile("9m")) });
    events
}

#[cfg(test)]
mod tests {
    use policy_abi::standard::{
        STANDARD_CLAIM_CHOW, STANDARD_CLAIM_PUNG, STANDARD_DISCARD, STANDARD_PASS, STANDARD_WIN,
    };

    use super::*;

    #[test]
    fn the_scripted_hand_asks_for_discards_claims_and_wins() {
        let kinds: Vec<Vec<u8>> = scripted(4, Asked::default())
            .iter()
            .map(|view| {
                let mut kinds: Vec<u8> = view.typed::<StandardView>().1.iter().map(|action| action.kind).collect();
                kinds.dedup();
                kinds
            })
            .collect();
        let expected: [&[u8]; 4] = [
            &[STANDARD_DISCARD],
            &[STANDARD_PASS, STANDARD_WIN, STANDARD_CLAIM_PUNG],
            &[STANDARD_PASS, STANDARD_CLAIM_CHOW],
            &[STANDARD_WIN, STANDARD_DISCARD],
        ];
        assert_eq!(kinds, expected);
    }
}
