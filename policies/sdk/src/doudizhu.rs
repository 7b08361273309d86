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
use riichi::rng::Rng;

use crate::codes::bad;
use crate::error::BadView;
use crate::game::Game;
use crate::replay::{Replay, read_legal};
use crate::view::Time;

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
    #[must_use]
    pub const fn table(&self) -> &DouDizhuSeatState {
        self.table
    }

    /// The own seat.
    #[must_use]
    pub fn seat(&self) -> DouDizhuSeat {
        self.table
            .seat()
            .expect("the seat was checked when the view came in")
    }

    /// The legal actions; never empty. The first is always safe.
    #[must_use]
    pub const fn legal(&self) -> &[DouDizhuAction] {
        self.legal
    }

    /// The time for this decision.
    #[must_use]
    pub fn time(&self) -> Time {
        Time::of(self.coded.head())
    }

    /// Number of this game in the bot's run, from 0.
    #[must_use]
    pub const fn game(&self) -> u64 {
        self.coded.game_number
    }

    /// Number of this decision in the game, from 0.
    #[must_use]
    pub const fn decision(&self) -> u32 {
        self.coded.decision
    }

    /// A repeatable random generator for this decision, keyed by the bot's seed, the game, the seat
    /// and the decision.
    #[must_use]
    pub fn rng(&self) -> Rng {
        Rng::keyed(&[
            self.coded.seed,
            self.coded.game_number,
            self.coded.seat.into(),
            self.coded.decision.into(),
        ])
    }
}

/// An action in the boundary's codes, with the cards that this hand has for it.
#[must_use]
pub fn encode_card_action(action: &DouDizhuAction, hand: CardSet) -> CardLegal {
    let empty = CardLegal {
        kind: 0,
        bid: 0,
        combination: 0,
        wings: 0,
        low: 0,
        length: 0,
        reserved: [0; 2],
        cards: 0,
    };
    match action {
        DouDizhuAction::Bid(bid) => CardLegal {
            kind: CARD_ACTION_BID,
            bid: *bid,
            ..empty
        },
        DouDizhuAction::Pass => CardLegal {
            kind: CARD_ACTION_PASS,
            ..empty
        },
        DouDizhuAction::Play(DouDizhuPlay { combination, cards }) => CardLegal {
            kind: CARD_ACTION_PLAY,
            combination: combination.kind as u8 + 1,
            wings: combination.wings.width(),
            low: combination.low.index() as u8,
            length: combination.length,
            cards: cards.cards_of(hand).unwrap_or_default().bits(),
            ..empty
        },
    }
}

fn decode_card_action(coded: &CardLegal, hand: CardSet) -> Result<DouDizhuAction, BadView> {
    match coded.kind {
        CARD_ACTION_BID if coded.bid <= doudizhu::event::HIGHEST_BID => {
            Ok(DouDizhuAction::Bid(coded.bid))
        }
        CARD_ACTION_BID => Err(bad("legal.bid", coded.bid, "0 to 3")),
        CARD_ACTION_PASS => Ok(DouDizhuAction::Pass),
        CARD_ACTION_PLAY => {
            let cards = decode_cards("legal.cards", coded.cards)?;
            if cards.is_empty() || !hand.contains_all(cards) {
                return Err(bad("legal.cards", coded.cards, "cards of the own hand"));
            }
            let kind = usize::from(coded.combination).checked_sub(1);
            let kind = kind.and_then(|kind| CombinationKind::ALL.get(kind).copied());
            let wings = [Wings::None, Wings::Singles, Wings::Pairs]
                .get(usize::from(coded.wings))
                .copied();
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
            Ok(DouDizhuAction::Play(DouDizhuPlay {
                combination,
                cards: RankCounts::from(cards),
            }))
        }
        other => Err(bad("legal.kind", other, "CARD_ACTION_*, 1 to 3")),
    }
}

/// An event in the boundary's codes.
#[must_use]
pub fn encode_card_event(event: &DouDizhuEvent) -> Option<CardLogEvent> {
    let (kind, seat, bid, cards) = match *event {
        DouDizhuEvent::Deal { seat, hand } => (CARD_EVENT_DEAL, seat, 0, hand),
        DouDizhuEvent::Bid { seat, bid } => (CARD_EVENT_BID, seat, bid, CardSet::EMPTY),
        DouDizhuEvent::Landlord { seat, public } => (CARD_EVENT_LANDLORD, seat, 0, public),
        DouDizhuEvent::Play { seat, cards } => (CARD_EVENT_PLAY, seat, 0, cards),
        // An event that the boundary has no code for yet.
        _ => return None,
    };
    Some(CardLogEvent {
        kind,
        seat: seat.index() as u8,
        bid,
        reserved: [0; 5],
        cards: cards.bits(),
    })
}

fn decode_card_event(coded: &CardLogEvent) -> Result<Option<DouDizhuEvent>, BadView> {
    let seat = decode_card_seat("events.seat", coded.seat)?;
    let cards = decode_cards("events.cards", coded.cards)?;
    Ok(Some(match coded.kind {
        CARD_EVENT_DEAL => DouDizhuEvent::Deal { seat, hand: cards },
        CARD_EVENT_BID => DouDizhuEvent::Bid {
            seat,
            bid: coded.bid,
        },
        CARD_EVENT_LANDLORD => DouDizhuEvent::Landlord {
            seat,
            public: cards,
        },
        CARD_EVENT_PLAY => DouDizhuEvent::Play { seat, cards },
        // A later minor version may add kinds.
        _ => return Ok(None),
    }))
}

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
