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
use riichi::{Counts, Kind, Seat, Wind};

use crate::code_table::{codes, kind_codes};
use crate::codes::{bad, decode_seat, decode_wind, encode_seat};
use crate::error::BadView;
use crate::game::Game;
use crate::head_accessors::head_accessors;
use crate::replay::{Replay, read_legal};

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
    pub const fn table(&self) -> &McrSeatState {
        self.table
    }

    /// The legal actions; never empty.
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

    head_accessors!(coded);
}

fn code(kind: Kind) -> u8 {
    kind.index() as u8
}

/// An action in the boundary's codes.
pub fn encode_mcr_action(action: &McrAction) -> StandardLegal {
    let mut writer = McrActionWriter {
        coded: StandardLegal {
            kind: 0,
            tile: NONE,
            discard: NONE,
            reserved: 0,
        },
    };
    writer.write(action);
    writer.coded
}

fn decode_mcr_action(coded: &StandardLegal) -> Result<McrAction, BadView> {
    const KINDS: &str = "STANDARD_PASS to STANDARD_CLAIM_CHOW, 1 to 8";
    McrActionReader { coded }.read(|action| action, |code| Err(bad("legal.kind", code, KINDS)))
}

struct McrActionWriter {
    coded: StandardLegal,
}

impl McrActionWriter {
    fn tile(&mut self, tile: Kind) {
        self.coded.tile = code(tile);
    }

    fn discard(&mut self, discard: Kind) {
        self.coded.discard = code(discard);
    }
}

struct McrActionReader<'a> {
    coded: &'a StandardLegal,
}

impl McrActionReader<'_> {
    fn tile(&self) -> Result<Kind, BadView> {
        decode_kind("legal.tile", self.coded.tile)
    }

    fn discard(&self) -> Result<Kind, BadView> {
        decode_kind("legal.discard", self.coded.discard)
    }
}

kind_codes!(McrAction, McrActionWriter, McrActionReader<'_> {
    STANDARD_PASS = Pass,
    STANDARD_WIN = Win,
    STANDARD_DISCARD = Discard(discard),
    STANDARD_CONCEALED_KONG = ConcealedKong(tile),
    STANDARD_ADD_KONG = AddKong(tile),
    STANDARD_CLAIM_KONG = ClaimKong,
    STANDARD_CLAIM_PUNG = ClaimPung { discard },
    STANDARD_CLAIM_CHOW = ClaimChow { middle as tile, discard },
});

/// An event in the boundary's codes; `None` for the end, after which nothing is asked.
pub fn encode_mcr_event(event: &McrEvent) -> Option<StandardLogEvent> {
    let mut writer = McrEventWriter {
        coded: StandardLogEvent {
            kind: 0,
            seat: NONE,
            tile: NONE,
            discard: NONE,
        },
    };
    writer.write(event);
    (writer.coded.kind != 0).then_some(writer.coded)
}

/// `None` for a kind that is not known: a later minor version may add some.
fn decode_mcr_event(
    coded: &StandardLogEvent,
    view: &StandardView,
) -> Result<Option<McrEvent>, BadView> {
    McrEventReader { coded, view }.read(Some, |_| Ok(None))
}

struct McrEventWriter {
    coded: StandardLogEvent,
}

impl McrEventWriter {
    fn seat(&mut self, seat: Seat) {
        self.coded.seat = encode_seat(Some(seat));
    }

    fn tile(&mut self, tile: Kind) {
        self.coded.tile = code(tile);
    }

    fn own_tile(&mut self, tile: Option<Kind>) {
        self.coded.tile = tile.map_or(NONE, code);
    }

    fn flower(&mut self, flower: Flower) {
        self.coded.tile = flower.number();
    }

    fn discard(&mut self, discard: Kind) {
        self.coded.discard = code(discard);
    }

    // The view holds the deal.
    fn prevalent_wind(&mut self, _: Wind) {}
    fn hand(&mut self, _: Counts) {}
    fn flowers(&mut self, _: [u8; 4]) {}
}

struct McrEventReader<'a> {
    coded: &'a StandardLogEvent,
    view: &'a StandardView,
}

impl McrEventReader<'_> {
    fn seat(&self) -> Result<Seat, BadView> {
        decode_seat("events.seat", self.coded.seat, PLAYERS)
    }

    fn tile(&self) -> Result<Kind, BadView> {
        decode_kind("events.tile", self.coded.tile)
    }

    /// A tile that only the own seat may know.
    fn own_tile(&self) -> Result<Option<Kind>, BadView> {
        let is_own = self.coded.seat == self.view.seat;
        match self.coded.tile {
            NONE if !is_own => Ok(None),
            _ if is_own => self.tile().map(Some),
            other => Err(bad("events.tile", other, "255, since it is another seat's")),
        }
    }

    fn flower(&self) -> Result<Flower, BadView> {
        Flower::new(self.coded.tile)
            .ok_or_else(|| bad("events.tile", self.coded.tile, "a flower, 1 to 8"))
    }

    fn discard(&self) -> Result<Kind, BadView> {
        decode_kind("events.discard", self.coded.discard)
    }

    fn prevalent_wind(&self) -> Result<Wind, BadView> {
        decode_wind("prevalent_wind", self.view.prevalent_wind)
    }

    fn hand(&self) -> Result<Counts, BadView> {
        start_hand(self.view)
    }

    fn flowers(&self) -> Result<[u8; 4], BadView> {
        Ok(self.view.start_flowers)
    }
}

kind_codes!(McrEvent, McrEventWriter, McrEventReader<'_> {
    STANDARD_EVENT_DEALT = Dealt { prevalent_wind, hand, flowers },
    STANDARD_EVENT_DRAWN = Drawn { seat, tile as own_tile },
    STANDARD_EVENT_FLOWER = FlowerDrawn { seat, flower },
    STANDARD_EVENT_DISCARDED = Discarded { seat, tile as discard },
    STANDARD_EVENT_PUNG = PungClaimed { seat, discard },
    STANDARD_EVENT_CHOW = ChowClaimed { seat, middle as tile, discard },
    STANDARD_EVENT_KONG = KongClaimed { seat },
    STANDARD_EVENT_CONCEALED_KONG = ConcealedKong { seat, tile as own_tile },
    STANDARD_EVENT_KONG_ADDED = KongAdded { seat, tile },
} else {
    McrEvent::Over
});

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

codes! {
    /// The code of a way to count fan.
    pub encode_counting, decode_counting: Counting {
        STANDARD_COUNTING_JUDGE = Judge,
        STANDARD_COUNTING_BOOK = Book,
    }
}

fn decode_mcr_rules(view: &StandardView) -> Result<McrRules, BadView> {
    let counting = decode_counting(view.counting)
        .ok_or_else(|| bad("counting", view.counting, "STANDARD_COUNTING_*, 1 or 2"))?;
    Ok(McrRules {
        flowers: view.with_flowers != 0,
        counting,
    })
}
