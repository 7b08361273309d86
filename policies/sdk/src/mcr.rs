//! Chinese Standard mahjong: the view of a policy, and the codes of the boundary in both
//! directions.
#![allow(unsafe_code, reason = "the arrays of a view come as pointers")]

use mcr::event::{Flower, PLAYERS};
use mcr::{Counting, McrAction, McrEvent, McrRules, McrSeatState};
use policy_abi::NONE;
use policy_abi::head::GameView;
use policy_abi::standard::{
    MAX_STANDARD_EVENTS, MAX_STANDARD_LEGAL, STANDARD_ADD_KONG, STANDARD_CLAIM_CHOW,
    STANDARD_CLAIM_KONG, STANDARD_CLAIM_PUNG, STANDARD_CONCEALED_KONG, STANDARD_COUNTING_BOOK,
    STANDARD_COUNTING_JUDGE, STANDARD_DISCARD, STANDARD_EVENT_CHOW, STANDARD_EVENT_CONCEALED_KONG,
    STANDARD_EVENT_DEALT, STANDARD_EVENT_DISCARDED, STANDARD_EVENT_DRAWN, STANDARD_EVENT_FLOWER,
    STANDARD_EVENT_KONG, STANDARD_EVENT_KONG_ADDED, STANDARD_EVENT_PUNG, STANDARD_PASS,
    STANDARD_WIN, StandardLegal, StandardLogEvent, StandardView,
};
use riichi::rng::Rng;
use riichi::{Counts, Kind, Seat};

use crate::codes::{bad, decode_seat, decode_wind};
use crate::error::BadView;
use crate::game::Game;
use crate::replay::{Replay, read_legal};
use crate::view::Time;

/// The game: hands, fan, distances, the state of a seat. With this re-export, a policy needs no
/// other crate.
pub mod game {
    pub use mcr::*;
    // Names that policies written before 1.0 use.
    #[doc(hidden)]
    pub use mcr::{
        McrAction as StandardAction, McrDecision as StandardDecision, McrEvent as StandardEvent,
        McrGame as StandardGame, McrRules as StandardRules, McrSeatState as StandardSeat,
    };
}

/// Chinese Standard mahjong, with four players.
#[derive(Debug, Clone, Copy)]
pub enum Mcr {}

/// The knowledge of a Chinese Standard mahjong seat when it decides, and nothing else.
///
/// ```
/// use policy_sdk::McrView;
/// use policy_sdk::mcr::game::McrAction;
///
/// /// Wins if it can, and else takes the first action.
/// fn decide(view: &McrView<'_>) -> usize {
///     view.legal().iter().position(|action| matches!(action, McrAction::Win)).unwrap_or(0)
/// }
/// ```
#[derive(Debug)]
pub struct McrView<'a> {
    coded: &'a StandardView,
    table: &'a McrSeatState,
    legal: &'a [McrAction],
    events: &'a [StandardLogEvent],
}

/// A buffer for the decoded parts of a view.
#[derive(Debug, Default)]
pub struct McrRoom {
    replay: Replay<McrSeatState, StandardLogEvent>,
    /// The deal of the replayed events, which the view holds outside the events.
    deal: Option<CodedDeal>,
    legal: Vec<McrAction>,
}

/// The prevalent wind, the own tiles and each seat's flowers at the deal.
type CodedDeal = (u8, [u8; 13], [u8; 4]);

impl Game for Mcr {
    type CodedView = StandardView;
    type View<'a> = McrView<'a>;
    type Room = McrRoom;

    unsafe fn read<'a>(
        coded: &'a StandardView,
        room: &'a mut McrRoom,
    ) -> Result<McrView<'a>, BadView> {
        let rules = decode_mcr_rules(coded)?;
        let seat = decode_seat("seat", coded.seat, PLAYERS)?;
        let McrRoom {
            replay,
            deal,
            legal,
        } = room;
        let dealt = (coded.prevalent_wind, coded.start_hand, coded.start_flowers);
        if deal.replace(dealt) != Some(dealt) {
            *replay = Replay::default();
        }
        let suits = |table: &McrSeatState| table.rules() == rules && table.seat() == seat;
        let begin = || McrSeatState::new(seat, rules);
        let apply = |table: &mut McrSeatState, event: &StandardLogEvent| {
            let refused = |_| {
                bad(
                    "events",
                    event.kind,
                    "an event that can follow on those before it",
                )
            };
            match decode_mcr_event(event, coded)? {
                Some(event) => table.apply(&event).map_err(refused),
                None => Ok(()),
            }
        };
        // SAFETY: the caller vouches for the array.
        let table = unsafe {
            replay.follow(
                &coded.head().events,
                MAX_STANDARD_EVENTS,
                suits,
                begin,
                apply,
            )
        }?;
        if table.hand().concealed().0 != coded.closed {
            let total: u64 = coded.closed.iter().map(|&count| u64::from(count)).sum();
            return Err(bad("closed", total, "the tiles that the events leave"));
        }
        // SAFETY: the caller vouches for the array.
        unsafe {
            read_legal(
                &coded.head().legal,
                MAX_STANDARD_LEGAL,
                legal,
                decode_mcr_action,
            )
        }?;
        let table = replay.state().expect("the events have been followed");
        Ok(McrView {
            coded,
            table,
            legal,
            events: replay.events(),
        })
    }

    fn actions(view: &McrView<'_>) -> usize {
        view.legal.len()
    }
}

impl McrView<'_> {
    /// The game as this seat knows it.
    ///
    /// ```
    /// use policy_sdk::McrView;
    /// use policy_sdk::mcr::game::distance::{DiscardDistance, discards};
    ///
    /// /// The discard that leaves the hand nearest to a win, and of several the one that the most tiles help.
    /// fn nearest(view: &McrView<'_>) -> Option<DiscardDistance> {
    ///     let unseen = view.table().unseen();
    ///     let worth = |left: &DiscardDistance| (left.distance, u32::MAX - unseen.total_of(left.acceptance));
    ///     discards(view.table().hand()).into_iter().min_by_key(worth)
    /// }
    /// ```
    #[must_use]
    pub const fn table(&self) -> &McrSeatState {
        self.table
    }

    /// The legal actions; never empty.
    #[must_use]
    pub const fn legal(&self) -> &[McrAction] {
        self.legal
    }

    /// All events, oldest first, as this seat saw them.
    ///
    /// ```
    /// use policy_sdk::McrView;
    /// use policy_sdk::mcr::game::McrEvent;
    ///
    /// /// How many tiles have been claimed from a river.
    /// fn claims(view: &McrView<'_>) -> usize {
    ///     let is_claim = |event: &McrEvent| {
    ///         use McrEvent::{ChowClaimed, KongClaimed, PungClaimed};
    ///         matches!(event, ChowClaimed { .. } | PungClaimed { .. } | KongClaimed { .. })
    ///     };
    ///     view.events().filter(is_claim).count()
    /// }
    /// ```
    pub fn events(&self) -> impl Iterator<Item = McrEvent> {
        // They were checked when the view arrived.
        self.events
            .iter()
            .filter_map(|event| decode_mcr_event(event, self.coded).ok().flatten())
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

fn code(kind: Kind) -> u8 {
    kind.index() as u8
}

/// An action in the boundary's codes.
#[must_use]
pub fn encode_mcr_action(action: &McrAction) -> StandardLegal {
    let (kind, tile, discard) = match *action {
        McrAction::Pass => (STANDARD_PASS, None, None),
        McrAction::Win => (STANDARD_WIN, None, None),
        McrAction::Discard(tile) => (STANDARD_DISCARD, None, Some(tile)),
        McrAction::ConcealedKong(tile) => (STANDARD_CONCEALED_KONG, Some(tile), None),
        McrAction::AddKong(tile) => (STANDARD_ADD_KONG, Some(tile), None),
        McrAction::ClaimKong => (STANDARD_CLAIM_KONG, None, None),
        McrAction::ClaimPung { discard } => (STANDARD_CLAIM_PUNG, None, Some(discard)),
        McrAction::ClaimChow { middle, discard } => {
            (STANDARD_CLAIM_CHOW, Some(middle), Some(discard))
        }
    };
    StandardLegal {
        kind,
        tile: tile.map_or(NONE, code),
        discard: discard.map_or(NONE, code),
        reserved: 0,
    }
}

fn decode_mcr_action(coded: &StandardLegal) -> Result<McrAction, BadView> {
    let tile = || decode_kind("legal.tile", coded.tile);
    let discard = || decode_kind("legal.discard", coded.discard);
    Ok(match coded.kind {
        STANDARD_PASS => McrAction::Pass,
        STANDARD_WIN => McrAction::Win,
        STANDARD_DISCARD => McrAction::Discard(discard()?),
        STANDARD_CONCEALED_KONG => McrAction::ConcealedKong(tile()?),
        STANDARD_ADD_KONG => McrAction::AddKong(tile()?),
        STANDARD_CLAIM_KONG => McrAction::ClaimKong,
        STANDARD_CLAIM_PUNG => McrAction::ClaimPung {
            discard: discard()?,
        },
        STANDARD_CLAIM_CHOW => McrAction::ClaimChow {
            middle: tile()?,
            discard: discard()?,
        },
        other => {
            return Err(bad(
                "legal.kind",
                other,
                "STANDARD_PASS to STANDARD_CLAIM_CHOW, 1 to 8",
            ));
        }
    })
}

/// An event in the boundary's codes; `None` for the end, after which nothing is asked.
#[must_use]
pub fn encode_mcr_event(event: &McrEvent) -> Option<StandardLogEvent> {
    let (kind, seat, tile, discard) = match *event {
        McrEvent::Dealt { .. } => (STANDARD_EVENT_DEALT, None, NONE, None),
        McrEvent::Drawn { seat, tile } => (
            STANDARD_EVENT_DRAWN,
            Some(seat),
            tile.map_or(NONE, code),
            None,
        ),
        McrEvent::FlowerDrawn { seat, flower } => {
            (STANDARD_EVENT_FLOWER, Some(seat), flower.number(), None)
        }
        McrEvent::Discarded { seat, tile } => {
            (STANDARD_EVENT_DISCARDED, Some(seat), NONE, Some(tile))
        }
        McrEvent::PungClaimed { seat, discard } => {
            (STANDARD_EVENT_PUNG, Some(seat), NONE, Some(discard))
        }
        McrEvent::ChowClaimed {
            seat,
            middle,
            discard,
        } => (STANDARD_EVENT_CHOW, Some(seat), code(middle), Some(discard)),
        McrEvent::KongClaimed { seat } => (STANDARD_EVENT_KONG, Some(seat), NONE, None),
        McrEvent::ConcealedKong { seat, tile } => (
            STANDARD_EVENT_CONCEALED_KONG,
            Some(seat),
            tile.map_or(NONE, code),
            None,
        ),
        McrEvent::KongAdded { seat, tile } => {
            (STANDARD_EVENT_KONG_ADDED, Some(seat), code(tile), None)
        }
        McrEvent::Over => return None,
    };
    let seat = seat.map_or(NONE, |seat| seat.index() as u8);
    Some(StandardLogEvent {
        kind,
        seat,
        tile,
        discard: discard.map_or(NONE, code),
    })
}

fn decode_mcr_event(
    coded: &StandardLogEvent,
    view: &StandardView,
) -> Result<Option<McrEvent>, BadView> {
    let seat = || decode_seat("events.seat", coded.seat, PLAYERS);
    let tile = || decode_kind("events.tile", coded.tile);
    let discard = || decode_kind("events.discard", coded.discard);
    // Only a draw of the own seat may have a tile.
    let own = |seat: Seat| match coded.tile {
        NONE if seat.index() as u8 != view.seat => Ok(None),
        _ if seat.index() as u8 == view.seat => tile().map(Some),
        other => Err(bad("events.tile", other, "255, since it is another seat's")),
    };
    Ok(Some(match coded.kind {
        STANDARD_EVENT_DEALT => McrEvent::Dealt {
            prevalent_wind: decode_wind("prevalent_wind", view.prevalent_wind)?,
            hand: start_hand(view)?,
            flowers: view.start_flowers,
        },
        STANDARD_EVENT_DRAWN => McrEvent::Drawn {
            seat: seat()?,
            tile: own(seat()?)?,
        },
        STANDARD_EVENT_FLOWER => McrEvent::FlowerDrawn {
            seat: seat()?,
            flower: Flower::new(coded.tile)
                .ok_or_else(|| bad("events.tile", coded.tile, "a flower, 1 to 8"))?,
        },
        STANDARD_EVENT_DISCARDED => McrEvent::Discarded {
            seat: seat()?,
            tile: discard()?,
        },
        STANDARD_EVENT_PUNG => McrEvent::PungClaimed {
            seat: seat()?,
            discard: discard()?,
        },
        STANDARD_EVENT_CHOW => McrEvent::ChowClaimed {
            seat: seat()?,
            middle: tile()?,
            discard: discard()?,
        },
        STANDARD_EVENT_KONG => McrEvent::KongClaimed { seat: seat()? },
        STANDARD_EVENT_CONCEALED_KONG => McrEvent::ConcealedKong {
            seat: seat()?,
            tile: own(seat()?)?,
        },
        STANDARD_EVENT_KONG_ADDED => McrEvent::KongAdded {
            seat: seat()?,
            tile: tile()?,
        },
        // A later minor version may add kinds.
        _ => return Ok(None),
    }))
}

fn start_hand(view: &StandardView) -> Result<Counts, BadView> {
    let mut hand = Counts::EMPTY;
    for &tile in &view.start_hand {
        hand[decode_kind("start_hand", tile)?] += 1;
    }
    Ok(hand)
}

fn decode_kind(field: &'static str, code: u8) -> Result<Kind, BadView> {
    Kind::new(code).ok_or_else(|| bad(field, code, "a kind, 0 to 33"))
}

/// The code of a way to count fan.
#[must_use]
pub const fn encode_counting(counting: Counting) -> u8 {
    match counting {
        Counting::Judge => STANDARD_COUNTING_JUDGE,
        Counting::Book => STANDARD_COUNTING_BOOK,
    }
}

fn decode_mcr_rules(view: &StandardView) -> Result<McrRules, BadView> {
    let counting = match view.counting {
        STANDARD_COUNTING_JUDGE => Counting::Judge,
        STANDARD_COUNTING_BOOK => Counting::Book,
        other => return Err(bad("counting", other, "STANDARD_COUNTING_*, 1 or 2")),
    };
    Ok(McrRules {
        flowers: view.with_flowers != 0,
        counting,
    })
}
