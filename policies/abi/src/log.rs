//! The events of a round so far, preceded by the end of the previous round.

use crate::layout::{plain, zeroed};
use crate::{NONE, SEATS};

/// The round begins: `actor` deals, `tile` is the first dora indicator. The view holds the other facts.
pub const EVENT_START_KYOKU: u8 = 1;
/// `actor` draws `tile`; [`NONE`] for every seat but the own.
pub const EVENT_TSUMO: u8 = 2;
/// `actor` discards `tile`; with [`EVENT_TSUMOGIRI`] if it is the drawn one.
pub const EVENT_DAHAI: u8 = 3;
/// `actor` calls a run with `tile` of `target` and two `consumed`.
pub const EVENT_CHI: u8 = 4;
/// `actor` calls a triplet with `tile` of `target` and two `consumed`.
pub const EVENT_PON: u8 = 5;
/// `actor` calls a kan with `tile` of `target` and three `consumed`.
pub const EVENT_DAIMINKAN: u8 = 6;
/// `actor` shows a closed kan of four `consumed`.
pub const EVENT_ANKAN: u8 = 7;
/// `actor` adds `tile` to the pon of three `consumed`.
pub const EVENT_KAKAN: u8 = 8;
/// `actor` sets a North aside.
pub const EVENT_KITA: u8 = 9;
/// A further dora indicator `tile` is turned.
pub const EVENT_DORA: u8 = 10;
/// `actor` declares riichi; the discard follows.
pub const EVENT_REACH: u8 = 11;
/// `actor`'s riichi discard was not ronned, and the stick is paid.
pub const EVENT_REACH_ACCEPTED: u8 = 12;

/// `actor` wins on `tile` of `target`, which is `actor` on a self-draw; `tile` is [`NONE`] if it was not shown.
/// `deltas` are its part of the round's. Each winner has its own event. It ends a round, and comes before
/// [`EVENT_START_KYOKU`].
pub const EVENT_HORA: u8 = 13;
/// The round is drawn or aborted for `reason`; `tenpai` and `noten` hold the seats whose state is known, if the wall
/// was drawn. It ends a round, and comes before [`EVENT_START_KYOKU`].
pub const EVENT_RYUKYOKU: u8 = 14;

/// In [`LogEvent::reason`]: the arena gives no known reason.
pub const DRAW_UNKNOWN: u8 = 0;
/// In [`LogEvent::reason`]: the wall was drawn.
pub const DRAW_EXHAUSTIVE: u8 = 1;
/// In [`LogEvent::reason`]: the wall was drawn, and a seat had discarded only terminals and honours, none of them
/// called (nagashi mangan).
pub const DRAW_NAGASHI_MANGAN: u8 = 2;
/// In [`LogEvent::reason`]: nine kinds of terminals and honours in a first draw.
pub const DRAW_NINE_TERMINALS: u8 = 3;
/// In [`LogEvent::reason`]: four equal winds in the first go-round.
pub const DRAW_FOUR_WINDS: u8 = 4;
/// In [`LogEvent::reason`]: four kans of more than one seat.
pub const DRAW_FOUR_KANS: u8 = 5;
/// In [`LogEvent::reason`]: four riichi.
pub const DRAW_FOUR_RIICHI: u8 = 6;
/// In [`LogEvent::reason`]: three winners on one tile.
pub const DRAW_THREE_WINNERS: u8 = 7;
/// In [`LogEvent::reason`]: `actor` is punished for an action that is not legal.
pub const DRAW_PENALTY: u8 = 8;

/// In [`LogEvent::flags`]: the discarded tile is the one just drawn.
pub const EVENT_TSUMOGIRI: u8 = 1;
/// In [`LogEvent::flags`]: the arena said what changed hands, which is in `deltas`.
pub const EVENT_DELTAS: u8 = 2;

/// Maximum number of events.
pub const MAX_EVENTS: u32 = 256;

/// An event from the own seat's point of view. Skip events of an unknown kind: a later minor version may add kinds, and
/// the other events do not depend on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct LogEvent {
    /// The kind of event: `EVENT_*`.
    pub kind: u8,
    /// The seat that acts; [`NONE`] if there is none.
    pub actor: u8,
    /// The seat that a tile is taken from, else [`NONE`].
    pub target: u8,
    /// The tile, else [`NONE`].
    pub tile: u8,
    /// Tiles used besides `tile`, first places first, the rest [`NONE`].
    pub consumed: [u8; 4],
    /// [`EVENT_TSUMOGIRI`] and [`EVENT_DELTAS`]; unknown bits are ignored.
    pub flags: u8,
    /// Number of the discard or call in the round's order, else [`NONE`].
    pub order: u8,
    /// Why a round ended without a winner: `DRAW_*`, else 0.
    pub reason: u8,
    /// The seats that are known to have been tenpai when the wall was drawn, one bit each: bit 0 for seat 0.
    pub tenpai: u8,
    /// The seats that are known not to have been tenpai when the wall was drawn, one bit each.
    pub noten: u8,
    /// Zero.
    pub reserved: [u8; 3],
    /// Change of each seat's points at the end of a round, without sticks paid earlier; zero for other events and if
    /// the arena does not send it.
    pub deltas: [i32; SEATS],
}

plain!(LogEvent {
    kind,
    actor,
    target,
    tile,
    consumed,
    flags,
    order,
    reason,
    tenpai,
    noten,
    reserved,
    deltas
});

impl LogEvent {
    /// No event yet.
    pub const EMPTY: Self = Self {
        actor: NONE,
        target: NONE,
        tile: NONE,
        consumed: [NONE; 4],
        order: NONE,
        ..zeroed()
    };
}

/// An array of events.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct LogEventArray {
    /// The first element.
    pub items: *const LogEvent,
    /// Number of elements, at most [`MAX_EVENTS`].
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(LogEventArray { items, len, stride });
