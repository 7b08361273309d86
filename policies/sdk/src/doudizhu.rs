//! Dou Dizhu: the view of a policy, and the codes of the boundary in both directions.
#![allow(unsafe_code, reason = "the arrays of a view come as pointers")]

use doudizhu::{
    CardSet, Combination, CombinationKind, DouDizhuAction, DouDizhuEvent, DouDizhuPlay,
    DouDizhuRules, DouDizhuSeat, DouDizhuSeatState, Rank, RankCounts, Wings,
};
use policy_abi::card::{
    CARD_ACTION_BID, CARD_ACTION_PASS, CARD_ACTION_PLAY, CARD_EVENT_BID, CARD_EVENT_DEAL,
    CARD_EVENT_LANDLORD, CARD_EVENT_PLAY, CardLegal, CardLogEvent, CardView, MAX_CARD_EVENTS,
    MAX_CARD_LEGAL,
};
use policy_abi::head::GameView;

use crate::code_table::kind_codes;
use crate::codes::bad;
use crate::error::BadView;
use crate::game::Game;
use crate::head_accessors::head_accessors;
use crate::replay::{Replay, read_legal};

const _: () = assert!(doudizhu::plays::MAX_PLAYS <= MAX_CARD_LEGAL as usize);

/// The game: cards, combinations, splits of a hand, the table. With this re-export, a policy needs
/// no other crate.
pub mod game {
    pub use doudizhu::*;
    // Names that policies written before 1.0 use.
    #[doc(hidden)]
    pub use doudizhu::{
        DouDizhuAction as CardAction, DouDizhuEvent as CardEvent, DouDizhuPlay as CardPlay,
        DouDizhuRules as CardRules, DouDizhuSeat as CardSeat, DouDizhuSeatState as CardTable,
    };
}

/// Dou Dizhu, with three players.
#[derive(Debug, Clone, Copy)]
pub enum DouDizhu {}

/// The knowledge of a Dou Dizhu seat when it decides, and nothing else.
///
/// ```
/// use policy_sdk::DouDizhuView;
///
/// /// Any action, by repeatable randomness.
/// fn decide(view: &DouDizhuView<'_>) -> usize {
///     view.rng().below(view.legal().len())
/// }
/// ```
#[derive(Debug)]
pub struct DouDizhuView<'a> {
    coded: &'a CardView,
    table: &'a DouDizhuSeatState,
    legal: &'a [DouDizhuAction],
}

/// A buffer for the decoded parts of a view.
#[derive(Debug, Default)]
pub struct DouDizhuRoom {
    replay: Replay<DouDizhuSeatState, CardLogEvent>,
    legal: Vec<DouDizhuAction>,
}

impl Game for DouDizhu {
    type CodedView = CardView;
    type View<'a> = DouDizhuView<'a>;
    type Room = DouDizhuRoom;

    unsafe fn read<'a>(
        coded: &'a CardView,
        room: &'a mut DouDizhuRoom,
    ) -> Result<DouDizhuView<'a>, BadView> {
        let rules = decode_card_rules(coded.bidding, coded.shuttle_wings)?;
        let seat = decode_card_seat("seat", coded.seat)?;
        let DouDizhuRoom { replay, legal } = room;
        let suits = |table: &DouDizhuSeatState| table.round().rules() == rules;
        let begin = || DouDizhuSeatState::new(rules);
        let apply = |table: &mut DouDizhuSeatState, event: &CardLogEvent| {
            let refused = |_| {
                bad(
                    "events",
                    event.kind,
                    "an event that can follow on those before it",
                )
            };
            match decode_card_event(event)? {
                Some(event) => table.apply(&event).map_err(refused),
                None => Ok(()),
            }
        };
        // SAFETY: the caller vouches for the array.
        let table =
            unsafe { replay.follow(&coded.head().events, MAX_CARD_EVENTS, suits, begin, apply) }?;
        if table.seat() != Some(seat) {
            return Err(bad(
                "seat",
                coded.seat,
                "the seat that the first event deals to",
            ));
        }
        if table.hand().bits() != coded.hand {
            return Err(bad("hand", coded.hand, "the cards that the events leave"));
        }
        let hand = table.hand();
        // SAFETY: the caller vouches for the array.
        unsafe {
            read_legal(&coded.head().legal, MAX_CARD_LEGAL, legal, |coded| {
                decode_card_action(coded, hand)
            })
        }?;
        let table = replay.state().expect("the events have been followed");
        Ok(DouDizhuView {
            coded,
            table,
            legal,
        })
    }

    fn actions(view: &DouDizhuView<'_>) -> usize {
        view.legal.len()
    }
}

impl DouDizhuView<'_> {
    /// The game as this seat knows it.
    ///
    /// ```
    /// use policy_sdk::DouDizhuView;
    /// use policy_sdk::doudizhu::game::{DouDizhuAction, split::fewest_turns};
    ///
    /// /// In how many turns the hand can be played out after an action.
    /// fn turns_after(view: &DouDizhuView<'_>, action: &DouDizhuAction) -> usize {
    ///     let hand = view.table().hand_counts();
    ///     let left = match action {
    ///         DouDizhuAction::Play(play) => hand.minus(play.cards).unwrap_or(hand),
    ///         DouDizhuAction::Bid(_) | DouDizhuAction::Pass => hand,
    ///     };
    ///     fewest_turns(left, view.table().round().rules())
    /// }
    /// ```
    pub const fn table(&self) -> &DouDizhuSeatState {
        self.table
    }

    /// The own seat.
    pub fn seat(&self) -> DouDizhuSeat {
        self.table
            .seat()
            .expect("the seat was checked when the view came in")
    }

    /// The legal actions; never empty. The first is always safe.
    pub const fn legal(&self) -> &[DouDizhuAction] {
        self.legal
    }

    head_accessors!(coded);
}

/// An action in the boundary's codes, with the cards that this hand has for it.
pub fn encode_card_action(action: &DouDizhuAction, hand: CardSet) -> CardLegal {
    let mut writer = DouDizhuActionWriter {
        coded: CardLegal {
            kind: 0,
            bid: 0,
            combination: 0,
            wings: 0,
            low: 0,
            length: 0,
            reserved: [0; 2],
            cards: 0,
        },
        hand,
    };
    writer.write(action);
    writer.coded
}

fn decode_card_action(coded: &CardLegal, hand: CardSet) -> Result<DouDizhuAction, BadView> {
    DouDizhuActionReader { coded, hand }.read(
        |action| action,
        |code| Err(bad("legal.kind", code, "CARD_ACTION_*, 1 to 3")),
    )
}

struct DouDizhuActionWriter {
    coded: CardLegal,
    hand: CardSet,
}

impl DouDizhuActionWriter {
    fn bid(&mut self, bid: u8) {
        self.coded.bid = bid;
    }

    fn play(&mut self, DouDizhuPlay { combination, cards }: DouDizhuPlay) {
        self.coded.combination = combination.kind as u8 + 1;
        self.coded.wings = combination.wings.width();
        self.coded.low = combination.low.index() as u8;
        self.coded.length = combination.length;
        self.coded.cards = cards.cards_of(self.hand).unwrap_or_default().bits();
    }
}

struct DouDizhuActionReader<'a> {
    coded: &'a CardLegal,
    hand: CardSet,
}

impl DouDizhuActionReader<'_> {
    fn bid(&self) -> Result<u8, BadView> {
        let bid = self.coded.bid;
        if bid > doudizhu::event::HIGHEST_BID {
            return Err(bad("legal.bid", bid, "0 to 3"));
        }
        Ok(bid)
    }

    fn play(&self) -> Result<DouDizhuPlay, BadView> {
        let coded = self.coded;
        let cards = decode_cards("legal.cards", coded.cards)?;
        if cards.is_empty() || !self.hand.contains_all(cards) {
            return Err(bad("legal.cards", coded.cards, "cards of the own hand"));
        }
        let kind = usize::from(coded.combination).checked_sub(1);
        let kind = kind.and_then(|kind| CombinationKind::ALL.get(kind).copied());
        let wings = [Wings::None, Wings::Singles, Wings::Pairs]
            .into_iter()
            .find(|wings| wings.width() == coded.wings);
        let combination = Combination {
            kind: kind.ok_or_else(|| {
                bad(
                    "legal.combination",
                    coded.combination,
                    "CARD_SINGLE to CARD_ROCKET, 1 to 10",
                )
            })?,
            low: Rank::new(coded.low)
                .ok_or_else(|| bad("legal.low", coded.low, "a rank, 0 to 14"))?,
            length: coded.length,
            wings: wings.ok_or_else(|| bad("legal.wings", coded.wings, "0 to 2"))?,
        };
        Ok(DouDizhuPlay {
            combination,
            cards: RankCounts::from(cards),
        })
    }
}

kind_codes!(DouDizhuAction, DouDizhuActionWriter, DouDizhuActionReader<'_> {
    CARD_ACTION_BID = Bid(bid),
    CARD_ACTION_PASS = Pass,
    CARD_ACTION_PLAY = Play(play),
});

/// An event in the boundary's codes.
pub fn encode_card_event(event: &DouDizhuEvent) -> Option<CardLogEvent> {
    let mut writer = DouDizhuEventWriter {
        coded: CardLogEvent {
            kind: 0,
            seat: 0,
            bid: 0,
            reserved: [0; 5],
            cards: 0,
        },
    };
    writer.write(event);
    (writer.coded.kind != 0).then_some(writer.coded)
}

/// `None` for a kind that is not known: a later minor version may add some.
fn decode_card_event(coded: &CardLogEvent) -> Result<Option<DouDizhuEvent>, BadView> {
    DouDizhuEventReader { coded }.read(Some, |_| Ok(None))
}

struct DouDizhuEventWriter {
    coded: CardLogEvent,
}

impl DouDizhuEventWriter {
    fn seat(&mut self, seat: DouDizhuSeat) {
        self.coded.seat = seat.index() as u8;
    }

    fn bid(&mut self, bid: u8) {
        self.coded.bid = bid;
    }

    fn cards(&mut self, cards: CardSet) {
        self.coded.cards = cards.bits();
    }
}

struct DouDizhuEventReader<'a> {
    coded: &'a CardLogEvent,
}

impl DouDizhuEventReader<'_> {
    fn seat(&self) -> Result<DouDizhuSeat, BadView> {
        decode_card_seat("events.seat", self.coded.seat)
    }

    /// Checked by the state of the seat.
    fn bid(&self) -> Result<u8, BadView> {
        Ok(self.coded.bid)
    }

    fn cards(&self) -> Result<CardSet, BadView> {
        decode_cards("events.cards", self.coded.cards)
    }
}

kind_codes!(DouDizhuEvent, DouDizhuEventWriter, DouDizhuEventReader<'_> {
    CARD_EVENT_DEAL = Deal { seat, hand as cards },
    CARD_EVENT_BID = Bid { seat, bid },
    CARD_EVENT_LANDLORD = Landlord { seat, public as cards },
    CARD_EVENT_PLAY = Play { seat, cards },
} else {
    // An event that the boundary has no code for yet.
    _
});

fn decode_card_seat(field: &'static str, code: u8) -> Result<DouDizhuSeat, BadView> {
    DouDizhuSeat::new(code).ok_or_else(|| bad(field, code, "a seat, 0 to 2"))
}

fn decode_cards(field: &'static str, bits: u64) -> Result<CardSet, BadView> {
    CardSet::from_bits(bits).ok_or_else(|| bad(field, bits, "a set of the cards 0 to 53"))
}

fn decode_card_rules(bidding: u8, shuttle_wings: u8) -> Result<DouDizhuRules, BadView> {
    [DouDizhuRules::FIXED, DouDizhuRules::BIDDING]
        .into_iter()
        .find(|rules| (u8::from(rules.bidding), rules.shuttle_wings) == (bidding, shuttle_wings))
        .ok_or_else(|| {
            bad(
                "shuttle_wings",
                shuttle_wings,
                "1 without bidding, 2 with it",
            )
        })
}
