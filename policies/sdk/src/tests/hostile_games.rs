//! For any bytes as a view of Chinese Standard mahjong or Dou Dizhu, reading ends in an error or in
//! a view whose accessors work, and spoils no later view.
#![allow(unsafe_code, reason = "a view is made from bytes")]

use std::fmt::Debug;

use doudizhu::{
    Card, CardSet, DouDizhuAction, DouDizhuEvent, DouDizhuRules, DouDizhuSeat, DouDizhuSeatState,
};
use mcr::{McrEvent, McrRules, McrSeatState};
use policy_abi::card::CardView;
use policy_abi::head::{ElementArray, GameView};
use policy_abi::layout::{Plain, struct_size};
use policy_abi::standard::StandardView;
use proptest::collection::vec;
use proptest::prelude::*;
use riichi::{Counts, Seat, Wind};

use super::hostile_view::{from_bytes, to_bytes};
use crate::doudizhu::{encode_card_action, encode_card_event};
use crate::game::Game;
use crate::mcr::{encode_counting, encode_mcr_action, encode_mcr_event};
use crate::testing::tile;
use crate::{DouDizhu, DouDizhuView, Mcr, McrView};

/// A game whose views are made from bytes.
trait HostileGame: Game<CodedView: GameView<Legal: Debug, Event: Debug>> {
    /// A view that is right, before its arrays are set, with its events and legal actions.
    fn valid() -> ViewParts<Self>;

    fn set_arrays(view: &mut Self::CodedView, events: ElementArray, legal: ElementArray);

    /// Reads everything that a policy can.
    fn read_all(view: &Self::View<'_>) -> String;
}

type EventOf<G> = <<G as Game>::CodedView as GameView>::Event;
type LegalOf<G> = <<G as Game>::CodedView as GameView>::Legal;

struct ViewParts<G: Game> {
    view: G::CodedView,
    events: Vec<EventOf<G>>,
    legal: Vec<LegalOf<G>>,
}

impl<G: HostileGame> ViewParts<G> {
    /// The decoded view; `None` if it is invalid.
    fn read(&mut self, room: &mut G::Room) -> Option<String> {
        G::set_arrays(
            &mut self.view,
            elements(&self.events),
            elements(&self.legal),
        );
        // SAFETY: the arrays now point to data that lives as long as `self`.
        unsafe { G::read(&self.view, room) }
            .ok()
            .map(|view| G::read_all(&view))
    }

    /// Reads it, and then a valid one in the same room, which must be the same as in a fresh room.
    fn check(&mut self) {
        let mut room = G::Room::default();
        self.read(&mut room);
        let expected = G::valid().read(&mut G::Room::default());
        assert_eq!(G::valid().read(&mut room), expected);
    }
}

fn elements<T: Plain>(items: &[T]) -> ElementArray {
    ElementArray {
        items: items.as_ptr().cast(),
        len: items.len() as u32,
        stride: struct_size::<T>(),
    }
}

impl HostileGame for Mcr {
    fn valid() -> ViewParts<Self> {
        let kind = |name| tile(name).kind();
        let seat = |number| Seat::new(number).expect("there is such a seat");
        let hand = "1m 1m 1m 2m 3m 4m 5p 5p 5p 8m 8m 9m 9m"
            .split(' ')
            .map(kind);
        let hand: Vec<riichi::Kind> = hand.collect();
        let (own, next, last) = (seat(0), seat(1), seat(3));
        let dealt: Counts = hand.iter().copied().collect();
        let draw = |seat, tile| McrEvent::Drawn { seat, tile };
        let events = [
            McrEvent::Dealt {
                prevalent_wind: Wind::East,
                hand: dealt,
                flowers: [0, 1, 0, 2],
            },
            draw(own, Some(kind("5p"))),
            McrEvent::ConcealedKong {
                seat: own,
                tile: Some(kind("5p")),
            },
            draw(own, Some(kind("1z"))),
            McrEvent::Discarded {
                seat: own,
                tile: kind("1z"),
            },
            draw(next, None),
            McrEvent::ConcealedKong {
                seat: next,
                tile: None,
            },
            draw(next, None),
            McrEvent::Discarded {
                seat: next,
                tile: kind("3z"),
            },
            McrEvent::PungClaimed {
                seat: last,
                discard: kind("4z"),
            },
            draw(own, Some(kind("7z"))),
            McrEvent::Discarded {
                seat: own,
                tile: kind("7z"),
            },
            draw(next, None),
            McrEvent::Discarded {
                seat: next,
                tile: kind("8m"),
            },
        ];
        let mut table = McrSeatState::new(own, McrRules::default());
        events
            .iter()
            .for_each(|event| table.apply(event).expect("it is written in here"));
        let mut view = StandardView {
            seat: 0,
            prevalent_wind: Wind::East as u8,
            with_flowers: McrRules::default().flowers.into(),
            counting: encode_counting(McrRules::default().counting),
            closed: table.hand().concealed().0,
            start_flowers: [0, 1, 0, 2],
            ..StandardView::EMPTY
        };
        view.start_hand
            .iter_mut()
            .zip(hand)
            .for_each(|(place, kind)| *place = kind.index() as u8);
        ViewParts {
            view,
            events: events.iter().filter_map(encode_mcr_event).collect(),
            legal: table.legal().iter().map(encode_mcr_action).collect(),
        }
    }

    fn set_arrays(view: &mut StandardView, events: ElementArray, legal: ElementArray) {
        (view.events, view.legal) = (events, legal);
    }

    fn read_all(view: &McrView<'_>) -> String {
        let table = view.table();
        let public = Seat::all(4)
            .map(|seat| format!("{:?}", table.public(seat)))
            .collect::<String>();
        let numbers = (view.game(), view.decision(), view.rng().next_u64());
        let own = (
            table.seat(),
            table.seat_wind(),
            table.prevalent_wind(),
            table.rules(),
            table.stage(),
        );
        format!(
            "{:?} {:?} {numbers:?} {own:?} {public} {:?} {:?} {:?} {:?} {:?} {:?}",
            view.legal(),
            view.time(),
            table.hand(),
            table.open_tiles(),
            table.unseen(),
            table.drawn(),
            table.win().map(|fan| fan.total()),
            table.legal()
        )
    }
}

impl HostileGame for DouDizhu {
    fn valid() -> ViewParts<Self> {
        let cards = |numbers: &[u8]| -> CardSet {
            numbers
                .iter()
                .map(|&number| Card::new(number).expect("a card"))
                .collect()
        };
        let own = DouDizhuSeat::FIRST;
        let (next, last) = (own.next(), own.after(2));
        let play = |seat, numbers: &[u8]| DouDizhuEvent::Play {
            seat,
            cards: cards(numbers),
        };
        let events = [
            DouDizhuEvent::Deal {
                seat: own,
                hand: cards(&[0, 1, 4, 5, 8, 9, 12, 13, 16, 20, 24, 28, 32, 36, 40, 44, 48]),
            },
            DouDizhuEvent::Bid { seat: own, bid: 1 },
            DouDizhuEvent::Bid { seat: next, bid: 3 },
            DouDizhuEvent::Landlord {
                seat: next,
                public: cards(&[17, 21, 52]),
            },
            play(next, &[2, 3]),
            play(last, &[]),
            play(own, &[4, 5]),
            play(next, &[]),
            play(last, &[18, 19]),
            play(own, &[]),
            play(next, &[]),
            play(last, &[25]),
        ];
        let mut table = DouDizhuSeatState::new(DouDizhuRules::BIDDING);
        events
            .iter()
            .for_each(|event| table.apply(event).expect("it is written in here"));
        let legal: Vec<DouDizhuAction> = table.legal_actions();
        let rules = DouDizhuRules::BIDDING;
        let view = CardView {
            seat: 0,
            bidding: rules.bidding.into(),
            shuttle_wings: rules.shuttle_wings,
            hand: table.hand().bits(),
            ..CardView::EMPTY
        };
        ViewParts {
            view,
            events: events.iter().filter_map(encode_card_event).collect(),
            legal: legal
                .iter()
                .map(|action| encode_card_action(action, table.hand()))
                .collect(),
        }
    }

    fn set_arrays(view: &mut CardView, events: ElementArray, legal: ElementArray) {
        (view.events, view.legal) = (events, legal);
    }

    fn read_all(view: &DouDizhuView<'_>) -> String {
        let (table, round) = (view.table(), view.table().round());
        let numbers = (view.game(), view.decision(), view.rng().next_u64());
        let seats = DouDizhuSeat::all().map(|seat| {
            let partners = round.are_partners(seat, view.seat());
            format!(
                "{:?}",
                (
                    table.known_cards(seat),
                    table.possible_cards(seat),
                    round.left(seat),
                    partners
                )
            )
        });
        let course = (
            round.bids(),
            round.landlord(),
            round.public(),
            round.trail(),
            round.played(),
            round.winner(),
        );
        let turn = (
            round.turn(),
            round.landlord_by_bids(),
            round.highest_bid(),
            round.to_beat(),
        );
        let own = (
            view.seat(),
            table.hand(),
            table.unseen(),
            table.is_asked(),
            table.hand_counts(),
        );
        let legal = table.is_asked().then(|| table.legal_actions());
        let plays = view.legal().iter().map(|action| match action {
            DouDizhuAction::Play(play) => table.cards_for(play),
            _ => None,
        });
        format!(
            "{:?} {:?} {numbers:?} {course:?} {turn:?} {own:?} {legal:?} {:?} {}",
            view.legal(),
            view.time(),
            plays.collect::<Vec<_>>(),
            seats.collect::<String>()
        )
    }
}

/// The changes of a valid view: bytes, by their place as a share of all, and events that are left
/// out, doubled or moved.
#[derive(Debug, Clone)]
struct Changes {
    view: Vec<(usize, u8)>,
    legal: Vec<(usize, u8)>,
    events: Vec<(usize, u8)>,
    order: Vec<(usize, usize, u8)>,
}

fn changes() -> impl Strategy<Value = Changes> {
    // Most fields hold small numbers.
    let byte = prop_oneof![3 => 0_u8..40, 1 => any::<u8>()].boxed();
    let bytes = |most: usize| vec((any::<usize>(), byte.clone()), 0..most);
    let order = vec((any::<usize>(), any::<usize>(), 0_u8..3), 0..4);
    (bytes(4), bytes(3), bytes(5), order).prop_map(|(view, legal, events, order)| Changes {
        view,
        legal,
        events,
        order,
    })
}

fn changed<G: HostileGame>(changes: &Changes) -> ViewParts<G> {
    let mut parts = G::valid();
    for &(one, other, what) in &changes.order {
        let (one, other) = (one % parts.events.len(), other % parts.events.len());
        match what {
            0 => parts.events.swap(one, other),
            1 if parts.events.len() > 1 => drop(parts.events.remove(one)),
            _ => parts.events.insert(other, parts.events[one]),
        }
    }
    ViewParts {
        view: rewritten(&[parts.view], &changes.view).remove(0),
        events: rewritten(&parts.events, &changes.events),
        legal: rewritten(&parts.legal, &changes.legal),
    }
}

fn rewritten<T: Plain>(items: &[T], bytes: &[(usize, u8)]) -> Vec<T> {
    let mut all: Vec<Vec<u8>> = items.iter().map(to_bytes).collect();
    for &(at, byte) in bytes {
        let at = at % size_of_val(items);
        all[at / size_of::<T>()][at % size_of::<T>()] = byte;
    }
    all.iter().map(|bytes| from_bytes(bytes)).collect()
}

fn random<G: HostileGame>(bytes: &[u8], events: usize, legal: usize) -> ViewParts<G> {
    let mut bytes = bytes.iter().copied().cycle();
    ViewParts {
        view: random_item(&mut bytes),
        events: many(&mut bytes, events),
        legal: many(&mut bytes, legal),
    }
}

fn many<T: Plain>(bytes: &mut impl Iterator<Item = u8>, count: usize) -> Vec<T> {
    (0..count).map(|_| random_item(bytes)).collect()
}

fn random_item<T: Plain>(bytes: &mut impl Iterator<Item = u8>) -> T {
    from_bytes(&bytes.take(size_of::<T>()).collect::<Vec<_>>())
}

#[test]
fn the_views_that_are_changed_below_are_valid_themselves() {
    assert!(
        Mcr::valid()
            .read(&mut Default::default())
            .is_some_and(|read| read.contains("Win"))
    );
    assert!(
        DouDizhu::valid()
            .read(&mut Default::default())
            .is_some_and(|read| read.contains("Play"))
    );
}

#[test]
fn a_deal_of_another_match_is_not_taken_for_the_one_before_it() {
    let mut room = Default::default();
    Mcr::valid().read(&mut room);
    let mut other = Mcr::valid();
    other.view.start_flowers = [2, 0, 1, 0];
    other.view.prevalent_wind = Wind::South as u8;
    assert_eq!(other.read(&mut room), other.read(&mut Default::default()));
}

proptest! {
    #[test]
    fn random_bytes_are_no_view_of_either_game_or_a_sound_one(
        bytes in vec(any::<u8>(), 1..2000), events in 0_usize..300, legal in 0_usize..1100,
    ) {
        random::<Mcr>(&bytes, events, legal).check();
        random::<DouDizhu>(&bytes, events, legal).check();
    }

    #[test]
    fn a_valid_view_of_chinese_standard_that_is_changed_is_no_view_or_a_sound_one(changes in changes()) {
        changed::<Mcr>(&changes).check();
    }

    #[test]
    fn a_valid_view_of_doudizhu_that_is_changed_is_no_view_or_a_sound_one(changes in changes()) {
        changed::<DouDizhu>(&changes).check();
    }
}
