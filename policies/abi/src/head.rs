//! The common beginning of the views of all games.
//!
//! Each game has its own view: riichi mahjong `View`, Chinese Standard mahjong `StandardView`, Dou Dizhu `CardView`.
//! The `game` of a policy's descriptor decides which one it gets.

use core::ffi::c_void;

use crate::layout::{Plain, plain};

/// In `PolicyDescriptor::game` and `ViewHead::game`: riichi mahjong, shown as a `View`.
pub const GAME_RIICHI: u32 = 0;
/// In `PolicyDescriptor::game` and `ViewHead::game`: Chinese Standard mahjong, shown as a `StandardView`.
pub const GAME_CHINESE_STANDARD: u32 = 1;
/// In `PolicyDescriptor::game` and `ViewHead::game`: Dou Dizhu, shown as a `CardView`.
pub const GAME_DOUDIZHU: u32 = 2;

/// An array of the game's own element type.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ElementArray {
    /// The first element.
    pub items: *const c_void,
    /// Number of elements.
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(ElementArray { items, len, stride });

/// The fields that the views of all games begin with, in these places.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ViewHead {
    /// Size of the whole view as the host knows it, bytes.
    pub struct_size: u32,
    /// The game of this view: `GAME_*`.
    pub game: u32,
    /// Number of this question to the instance, never 0. A decision repeats it, which distinguishes it from a decision
    /// for another view.
    pub question: u64,
    /// Number of this game in the bot's run, from 0. The questions of games that are played at the same time take
    /// turns.
    pub game_number: u64,
    /// Seed of the bot's randomness, the same all run.
    pub seed: u64,
    /// Number of this decision in the game, from 0. Decisions are requested only if there is a choice.
    pub decision: u32,
    /// Zero. Unknown bits are ignored.
    pub flags: u32,

    /// The events so far, oldest first.
    pub events: ElementArray,
    /// The legal actions. Never empty.
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
}

plain!(ViewHead {
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
    reserved
});

/// The view of a game.
///
/// # Safety
///
/// It begins with the fields of a [`ViewHead`]; implemented by `game_view!`, which proves that.
pub unsafe trait GameView: Plain {
    /// The game's code: `GAME_*`.
    const GAME: u32;
    /// A view to be filled: its size set, everything else zero or none. It is not a valid view yet.
    const EMPTY: Self;
    /// The element type of [`ViewHead::legal`].
    type Legal: Plain;
    /// The element type of [`ViewHead::events`].
    type Event: Plain;
    /// Maximum number of legal actions.
    const MAX_LEGAL: u32;
    /// Maximum number of events.
    const MAX_EVENTS: u32;

    /// The common beginning.
    fn head(&self) -> &ViewHead {
        // SAFETY: by the promise of this trait it begins so, and nothing has a stricter alignment than the view.
        unsafe { &*(&raw const *self).cast::<ViewHead>() }
    }
}

/// Implements [`GameView`], and proves while compiling that the view begins with the fields of a [`ViewHead`].
macro_rules! game_view {
    ($view:ty, game: $game:expr, legal: $legal:ty, most $max_legal:expr, event: $event:ty, most $max_events:expr) => {
        const _: () = assert!(
            $crate::layout::begins_like(
                <$view as $crate::layout::Plain>::FIELDS,
                <$crate::head::ViewHead as $crate::layout::Plain>::FIELDS
            ) && align_of::<$view>() == align_of::<$crate::head::ViewHead>(),
            "the view does not begin with the fields of a ViewHead"
        );

        // SAFETY: as has just been proved.
        unsafe impl $crate::head::GameView for $view {
            const GAME: u32 = $game;
            const EMPTY: Self = <$view>::EMPTY;
            type Legal = $legal;
            type Event = $event;
            const MAX_LEGAL: u32 = $max_legal;
            const MAX_EVENTS: u32 = $max_events;
        }
    };
}
pub(crate) use game_view;
