//! The knowledge of a riichi mahjong seat when it decides, and nothing else.

use crate::action::{LegalAction, LegalActionArray, MAX_LEGAL};
use crate::head::{GAME_RIICHI, game_view};
use crate::layout::{plain, struct_size, zeroed};
use crate::log::{LogEvent, LogEventArray, MAX_EVENTS};
use crate::seat::SeatView;
use crate::{KINDS, NONE, SEATS};

/// In [`Rules::length`]: one round.
pub const LENGTH_SINGLE: u8 = 1;
/// In [`Rules::length`]: the East rounds.
pub const LENGTH_EAST: u8 = 2;
/// In [`Rules::length`]: East and South.
pub const LENGTH_HALF: u8 = 3;

/// In [`Rules::preset`]: Tenhou's choices.
pub const PRESET_TENHOU: u8 = 1;
/// In [`Rules::preset`]: Mahjong Soul's choices.
pub const PRESET_MAHJONG_SOUL: u8 = 2;

/// The rules of the game, as far as arenas differ in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct Rules {
    /// 4 or 3.
    pub players: u8,
    /// The length of the game: `LENGTH_*`.
    pub length: u8,
    /// Total number of red fives.
    pub red_fives: u8,
    /// 1 if an open hand of simples has a yaku.
    pub open_tanyao: u8,
    /// 1 if a called tile, and the other end of its run, may not be discarded at once.
    pub kuikae_forbidden: u8,
    /// 1 if thirteen orphans may win on a closed kan.
    pub ron_on_ankan_by_kokushi: u8,
    /// 1 if three winners on one discard make an abortive draw.
    pub triple_ron_is_draw: u8,
    /// The rules that the other fields do not cover: `PRESET_*`.
    pub preset: u8,
    /// Points of each player at the start.
    pub start_points: i32,
    /// Minimum points of the leader for the game to end with its last regular round.
    pub return_points: i32,
    /// Zero: room for more rules.
    pub reserved: [u8; 16],
}

plain!(Rules {
    players,
    length,
    red_fives,
    open_tanyao,
    kuikae_forbidden,
    ron_on_ankan_by_kokushi,
    triple_ron_is_draw,
    preset,
    start_points,
    return_points,
    reserved
});

/// The kinds that an opponent cannot win by ron on now, with any hand (furiten), as sets of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct CannotRon {
    /// Kinds in its own river, including called tiles.
    pub river: u64,
    /// Kinds that passed it since it declared riichi; 0 without a riichi.
    pub since_riichi: u64,
    /// Kinds that passed it since its last discard (temporary furiten).
    pub since_discard: u64,
}

plain!(CannotRon {
    river,
    since_riichi,
    since_discard
});

/// In [`View::furiten`]: the own river holds a wait.
pub const FURITEN_RIVER: u8 = 1;
/// In [`View::furiten`]: a wait was passed since the last own discard.
pub const FURITEN_TEMPORARY: u8 = 2;
/// In [`View::furiten`]: a wait was passed since the own riichi.
pub const FURITEN_RIICHI: u8 = 4;

/// In [`View::request`]: the own turn, after a draw (`drawn` is a tile) or an own call (`drawn` is [`NONE`]).
pub const REQUEST_OWN_TURN: u8 = 1;
/// In [`View::request`]: `offered` was discarded by `offered_by`.
pub const REQUEST_DISCARD: u8 = 2;
/// In [`View::request`]: `offered` was added to a pon by `offered_by`.
pub const REQUEST_KAKAN: u8 = 3;
/// In [`View::request`]: `offered` was shown in a closed kan by `offered_by`.
pub const REQUEST_ANKAN: u8 = 4;
/// In [`View::request`]: `offered` (a North) was set aside by `offered_by`.
pub const REQUEST_KITA: u8 = 5;

/// The knowledge of a seat when it decides. No field can hold another seat's concealed tile, or a tile of the wall.
///
/// It begins with the fields of a [`ViewHead`](crate::head::ViewHead), as the views of all games do.
///
/// At a table of three the fourth place of each array by seat is unused.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct View {
    /// Size of this struct as the host knows it, bytes.
    pub struct_size: u32,
    /// The game of this view: `GAME_RIICHI`.
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

    /// The end of the previous round in the game, if the seat saw it, and the round so far, oldest first, from
    /// [`EVENT_START_KYOKU`](crate::log::EVENT_START_KYOKU) on; empty when the round was not seen from its start.
    pub events: LogEventArray,
    /// The legal actions. Never empty.
    pub legal: LegalActionArray,

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

    /// Kinds that complete the own hand without the drawn tile; empty when it is not tenpai, and after an own call
    /// until the discard. Kinds with all four tiles in the closed hand are excluded.
    pub waits: u64,
    /// For each seat the kinds that it cannot win by ron on now; all zero for the own seat.
    pub cannot_ron: [CannotRon; SEATS],

    /// The rules.
    pub rules: Rules,
    /// Points of each seat now, without paid riichi sticks.
    pub scores: [i32; SEATS],
    /// Points of each seat when the round began.
    pub start_scores: [i32; SEATS],

    /// The own seat.
    pub seat: u8,
    /// Wind of the round: 0 East, 1 South, 2 West, 3 North.
    pub bakaze: u8,
    /// Number of the round within its wind, from 1.
    pub kyoku: u8,
    /// Repeat counters.
    pub honba: u8,
    /// Riichi sticks on the table now.
    pub kyotaku: u8,
    /// Riichi sticks on the table when the round began.
    pub start_kyotaku: u8,
    /// The dealer's seat.
    pub oya: u8,
    /// Place of each seat by `scores`, from 1; of equal scores the lower seat is placed before the other.
    pub placements: [u8; SEATS],

    /// Number of tiles of each kind in the own closed hand, including the drawn tile, excluding melds.
    pub closed: [u8; KINDS],
    /// Number of red fives among the closed tiles: characters, dots, bamboo.
    pub closed_reds: [u8; 3],
    /// The tile just drawn, else [`NONE`].
    pub drawn: u8,
    /// The own tiles as dealt, in any order; all [`NONE`] when the round was not seen from its start.
    pub start_hand: [u8; 13],
    /// The own furiten: `FURITEN_*` bits.
    pub furiten: u8,

    /// The open tiles of each seat, including the own.
    pub seats: [SeatView; SEATS],

    /// Dora indicators (not the dora themselves), oldest first; unused places hold [`NONE`].
    pub dora_markers: [u8; 5],
    /// Number of dora indicators, 1 to 5.
    pub dora_count: u8,
    /// Tiles that can still be drawn.
    pub tiles_left: u8,
    /// 1 if the own seat has not discarded yet and no seat has called: its next draw or this one is the first.
    pub first_turn: u8,
    /// 1 if the drawn tile is the replacement for a kan (rinshan) or a North.
    pub after_kan: u8,
    /// Number of unseen copies of each kind: not in the own hand, a meld, a river, set aside, or a dora indicator. 0
    /// for 2m to 8m with three players, who do not use these tiles.
    pub unseen: [u8; KINDS],
    /// Number of unseen red fives: characters, dots, bamboo.
    pub unseen_reds: [u8; 3],

    /// The kind of request: `REQUEST_*`.
    pub request: u8,
    /// The offered tile; [`NONE`] on the own turn.
    pub offered: u8,
    /// The seat that offers it; [`NONE`] on the own turn.
    pub offered_by: u8,
}

plain!(View {
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
    waits,
    cannot_ron,
    rules,
    scores,
    start_scores,
    seat,
    bakaze,
    kyoku,
    honba,
    kyotaku,
    start_kyotaku,
    oya,
    placements,
    closed,
    closed_reds,
    drawn,
    start_hand,
    furiten,
    seats,
    dora_markers,
    dora_count,
    tiles_left,
    first_turn,
    after_kan,
    unseen,
    unseen_reds,
    request,
    offered,
    offered_by
});

game_view!(View, game: GAME_RIICHI, legal: LegalAction, most MAX_LEGAL, event: LogEvent, most MAX_EVENTS);

impl View {
    /// A view to be filled: its size set, no tile, no seat, everything else zero. It is not a valid view yet.
    pub const EMPTY: Self = Self {
        struct_size: struct_size::<Self>(),
        game: GAME_RIICHI,
        events: LogEventArray {
            stride: struct_size::<LogEvent>(),
            ..zeroed()
        },
        legal: LegalActionArray {
            stride: struct_size::<LegalAction>(),
            ..zeroed()
        },
        seat: NONE,
        oya: NONE,
        drawn: NONE,
        start_hand: [NONE; 13],
        seats: [SeatView::EMPTY; SEATS],
        dora_markers: [NONE; 5],
        offered: NONE,
        offered_by: NONE,
        ..zeroed()
    };
}
