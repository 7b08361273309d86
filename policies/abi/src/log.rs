//! The events of a round so far.

use crate::layout::plain;

/// The round begins: `actor` deals, `tile` is the first dora indicator. Its other facts stand in the view, which see.
pub const EVENT_START_KYOKU: u8 = 1;
/// `actor` draws `tile`; [`NONE`](crate::NONE) for every seat but the own.
pub const EVENT_TSUMO: u8 = 2;
/// `actor` discards `tile`; with [`EVENT_TSUMOGIRI`] when it is the drawn one.
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

/// In [`LogEvent::flags`]: the discarded tile is the one just drawn.
pub const EVENT_TSUMOGIRI: u8 = 1;

/// Most events of a round.
pub const MAX_EVENTS: u32 = 256;

/// An event as the own seat may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct LogEvent {
    /// Which event: `EVENT_*`.
    pub kind: u8,
    /// The seat that acts; [`NONE`](crate::NONE) for a dora indicator.
    pub actor: u8,
    /// The seat that a tile is taken from, else [`NONE`](crate::NONE).
    pub target: u8,
    /// The tile, else [`NONE`](crate::NONE).
    pub tile: u8,
    /// Tiles used besides `tile`, first places first, the rest [`NONE`](crate::NONE).
    pub consumed: [u8; 4],
    /// [`EVENT_TSUMOGIRI`] or 0.
    pub flags: u8,
    /// Number of the discard or call in the round's order, else [`NONE`](crate::NONE).
    pub order: u8,
    /// Zero.
    pub reserved: [u8; 2],
}

plain!(LogEvent { kind, actor, target, tile, consumed, flags, order, reserved });

/// An array of events.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct LogEventArray {
    /// The first element.
    pub items: *const LogEvent,
    /// How many elements, at most [`MAX_EVENTS`].
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(LogEventArray { items, len, stride });
