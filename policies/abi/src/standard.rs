//! Chinese Standard mahjong: what a seat may know when it decides, and nothing else.
//!
//! Kinds and seats are the same as in riichi mahjong: a tile is the number of its kind, 0 to 33 for
//! `1m..9m 1p..9p 1s..9s E S W N P F C`, and no tile is red. Seat 0 is East all game.

use crate::head::{ElementArray, GAME_CHINESE_STANDARD, game_view};
use crate::layout::{plain, struct_size, zeroed};
use crate::{KINDS, NONE, SEATS};

/// In [`StandardLegal::kind`]: nothing.
pub const STANDARD_PASS: u8 = 1;
/// In [`StandardLegal::kind`]: win with the tile drawn, discarded or added to a pung.
pub const STANDARD_WIN: u8 = 2;
/// In [`StandardLegal::kind`]: discard `discard` after a draw.
pub const STANDARD_DISCARD: u8 = 3;
/// In [`StandardLegal::kind`]: declare a concealed kong of `tile` after a draw.
pub const STANDARD_CONCEALED_KONG: u8 = 4;
/// In [`StandardLegal::kind`]: add `tile` to a pung after a draw.
pub const STANDARD_ADD_KONG: u8 = 5;
/// In [`StandardLegal::kind`]: claim the discard for a kong.
pub const STANDARD_CLAIM_KONG: u8 = 6;
/// In [`StandardLegal::kind`]: claim the discard for a pung, and discard `discard`.
pub const STANDARD_CLAIM_PUNG: u8 = 7;
/// In [`StandardLegal::kind`]: claim the discard for a chow around `tile`, and discard `discard`.
pub const STANDARD_CLAIM_CHOW: u8 = 8;

/// Maximum number of actions.
pub const MAX_STANDARD_LEGAL: u32 = 64;

/// An action that is complete: a claimed chow or pung and the discard after it are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StandardLegal {
    /// The kind of action: `STANDARD_PASS` to `STANDARD_CLAIM_CHOW`.
    pub kind: u8,
    /// The kind of the kong, or the middle one of the chow, else [`NONE`].
    pub tile: u8,
    /// The discard, else [`NONE`].
    pub discard: u8,
    /// Zero.
    pub reserved: u8,
}

plain!(StandardLegal {
    kind,
    tile,
    discard,
    reserved
});

/// Tiles are dealt; the view holds the own ones.
pub const STANDARD_EVENT_DEALT: u8 = 1;
/// `seat` draws `tile`; [`NONE`] for every seat but the own.
pub const STANDARD_EVENT_DRAWN: u8 = 2;
/// `seat` draws the flower with the number `tile`, 1 to 8, and will draw again.
pub const STANDARD_EVENT_FLOWER: u8 = 3;
/// `seat` discards `discard` after a draw.
pub const STANDARD_EVENT_DISCARDED: u8 = 4;
/// `seat` claims the last discard for a pung, and discards `discard`.
pub const STANDARD_EVENT_PUNG: u8 = 5;
/// `seat` claims the last discard for a chow around `tile`, and discards `discard`.
pub const STANDARD_EVENT_CHOW: u8 = 6;
/// `seat` claims the last discard for a kong, and will draw.
pub const STANDARD_EVENT_KONG: u8 = 7;
/// `seat` declares a concealed kong of `tile`, which is [`NONE`] for every seat but the own, and will draw.
pub const STANDARD_EVENT_CONCEALED_KONG: u8 = 8;
/// `seat` adds `tile` to its pung, and will draw unless the kong is robbed.
pub const STANDARD_EVENT_KONG_ADDED: u8 = 9;

/// Maximum number of events in a hand.
pub const MAX_STANDARD_EVENTS: u32 = 256;

/// An event as the own seat may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StandardLogEvent {
    /// The kind of event: `STANDARD_EVENT_*`.
    pub kind: u8,
    /// The seat that acts; [`NONE`] for the deal.
    pub seat: u8,
    /// The tile or flower, else [`NONE`].
    pub tile: u8,
    /// The discard, else [`NONE`].
    pub discard: u8,
}

plain!(StandardLogEvent {
    kind,
    seat,
    tile,
    discard
});

/// In [`StandardSet::kind`]: a chow.
pub const STANDARD_SET_CHOW: u8 = 1;
/// In [`StandardSet::kind`]: a pung.
pub const STANDARD_SET_PUNG: u8 = 2;
/// In [`StandardSet::kind`]: a kong of a claimed discard, or of a pung with the fourth tile added.
pub const STANDARD_SET_MELDED_KONG: u8 = 3;
/// In [`StandardSet::kind`]: a concealed kong.
pub const STANDARD_SET_CONCEALED_KONG: u8 = 4;

/// A declared set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StandardSet {
    /// Which set: `STANDARD_SET_*`; 0 in an unused place.
    pub kind: u8,
    /// Its kind, of a chow the middle one; [`NONE`] for another seat's concealed kong and in an unused place.
    pub tile: u8,
}

plain!(StandardSet { kind, tile });

/// In [`StandardRiverTile::flags`]: another seat claimed it.
pub const STANDARD_RIVER_CLAIMED: u8 = 1;

/// A discard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StandardRiverTile {
    /// The tile; [`NONE`] in an unused place.
    pub tile: u8,
    /// `STANDARD_RIVER_*` bits.
    pub flags: u8,
}

plain!(StandardRiverTile { tile, flags });

/// Maximum number of discards of a seat.
pub const MAX_STANDARD_RIVER: usize = 32;

/// The public state of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct StandardSeatView {
    /// Its discards, oldest first; `river_len` of them.
    pub river: [StandardRiverTile; MAX_STANDARD_RIVER],
    /// Its declared sets, oldest first; `set_count` of them.
    pub sets: [StandardSet; 4],
    /// Number of discards.
    pub river_len: u8,
    /// Number of declared sets.
    pub set_count: u8,
    /// Flowers laid down.
    pub flowers: u8,
    /// Tiles left in its wall.
    pub wall: u8,
    /// Its concealed tiles.
    pub concealed: u8,
    /// Zero.
    pub reserved: [u8; 11],
}

plain!(StandardSeatView {
    river,
    sets,
    river_len,
    set_count,
    flowers,
    wall,
    concealed,
    reserved
});

/// In [`StandardView::counting`]: as Botzone's judge counts.
pub const STANDARD_COUNTING_JUDGE: u8 = 1;
/// In [`StandardView::counting`]: as the official rules count.
pub const STANDARD_COUNTING_BOOK: u8 = 2;

/// In [`StandardView::request`]: the own turn, after a draw.
pub const STANDARD_REQUEST_OWN_TURN: u8 = 1;
/// In [`StandardView::request`]: `offered` was discarded by `offered_by`.
pub const STANDARD_REQUEST_DISCARD: u8 = 2;
/// In [`StandardView::request`]: `offered` was added to a pung by `offered_by`.
pub const STANDARD_REQUEST_KONG_ADDED: u8 = 3;

/// The knowledge of a Chinese Standard mahjong seat when it decides. No field can hold another seat's concealed tile,
/// or a tile of a wall.
///
/// It begins with the fields of a [`ViewHead`](crate::head::ViewHead), as the views of all games do.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct StandardView {
    /// Size of this struct as the host knows it, bytes.
    pub struct_size: u32,
    /// The game of this view: `GAME_CHINESE_STANDARD`.
    pub game: u32,
    /// Number of this question to the instance, never 0. A decision repeats it, which distinguishes it from a decision
    /// for another view.
    pub question: u64,
    /// Number of this game in the bot's run, from 0. The questions of games that are played at the same time take
    /// turns.
    pub game_number: u64,
    /// Seed of the bot's randomness, the same all run. Key randomness by `(seed, game_number, seat, decision)` and it
    /// can be repeated.
    pub seed: u64,
    /// Number of this decision in the game, from 0. Decisions are requested only if there is a choice.
    pub decision: u32,
    /// Zero. Unknown bits are ignored.
    pub flags: u32,

    /// All events, oldest first, beginning with [`STANDARD_EVENT_DEALT`]: each a [`StandardLogEvent`].
    pub events: ElementArray,
    /// The legal actions, each a [`StandardLegal`]. Never empty.
    pub legal: ElementArray,

    /// Free time of this request, microseconds; 0 together with `deadline_us` if the arena sets no limit.
    pub grace_us: u64,
    /// The rest of the bank when the request came, microseconds.
    pub bank_us: u64,
    /// Time from the request until the arena acts itself, microseconds; 0 if the arena sets no limit.
    pub deadline_us: u64,
    /// Time from this call until the host answers itself, microseconds. Use this one for planning.
    pub budget_us: u64,
    /// Zero: reserved for fields that later minor versions may add to the views of all games.
    pub reserved: [u64; 4],

    /// The own seat, which is its wind too: 0 East, 1 South, 2 West, 3 North.
    pub seat: u8,
    /// Wind of the round.
    pub prevalent_wind: u8,
    /// The rules: 1 if the walls hold the eight flowers.
    pub with_flowers: u8,
    /// The rules: whose counting of fan decides, `STANDARD_COUNTING_*`.
    pub counting: u8,
    /// The kind of request: `STANDARD_REQUEST_*`.
    pub request: u8,
    /// The tile just drawn; [`NONE`] if it is not the own turn.
    pub drawn: u8,
    /// The offered tile; [`NONE`] on the own turn.
    pub offered: u8,
    /// The seat that offers it; [`NONE`] on the own turn.
    pub offered_by: u8,
    /// Fan of a win now, flowers included; 0 if the tile completes nothing. A win needs 8 without the flowers.
    pub win_fan: u16,

    /// Number of tiles of each kind in the own hand, including the drawn tile, excluding declared sets.
    pub closed: [u8; KINDS],
    /// Number of unseen copies of each kind: not in the own hand and sets, a river, or another's known set.
    pub unseen: [u8; KINDS],
    /// The public state of each seat, including the own.
    pub seats: [StandardSeatView; SEATS],
    /// The own tiles as dealt, in any order.
    pub start_hand: [u8; 13],
    /// Flowers that each seat laid down while tiles were dealt.
    pub start_flowers: [u8; SEATS],
    /// Zero.
    pub padding: [u8; 1],
}

plain!(StandardView {
    struct_size,
    game,
    question,
    game_number,
    seed,
    decision,
    flags,
    events,
    legal,
    grace_us,
    bank_us,
    deadline_us,
    budget_us,
    reserved,
    seat,
    prevalent_wind,
    with_flowers,
    counting,
    request,
    drawn,
    offered,
    offered_by,
    win_fan,
    closed,
    unseen,
    seats,
    start_hand,
    start_flowers,
    padding
});

game_view!(
    StandardView,
    game: GAME_CHINESE_STANDARD,
    legal: StandardLegal, most MAX_STANDARD_LEGAL,
    event: StandardLogEvent, most MAX_STANDARD_EVENTS
);

impl StandardSeatView {
    /// A seat that has shown nothing.
    pub const EMPTY: Self = Self {
        river: [StandardRiverTile {
            tile: NONE,
            flags: 0,
        }; MAX_STANDARD_RIVER],
        sets: [StandardSet {
            kind: 0,
            tile: NONE,
        }; 4],
        ..zeroed()
    };
}

impl StandardView {
    /// A view to be filled: its size set, no tile, no seat, everything else zero. It is not a valid view yet.
    pub const EMPTY: Self = Self {
        struct_size: struct_size::<Self>(),
        game: GAME_CHINESE_STANDARD,
        events: ElementArray {
            stride: struct_size::<StandardLogEvent>(),
            ..zeroed()
        },
        legal: ElementArray {
            stride: struct_size::<StandardLegal>(),
            ..zeroed()
        },
        seat: NONE,
        drawn: NONE,
        offered: NONE,
        offered_by: NONE,
        seats: [StandardSeatView::EMPTY; SEATS],
        start_hand: [NONE; 13],
        ..zeroed()
    };
}
