//! The actions a seat may choose from.

use crate::layout::plain;

/// Discard `tile`; with [`ACTION_TSUMOGIRI`] if it is the drawn one.
pub const ACTION_DAHAI: u8 = 1;
/// Declare riichi with the discard of `tile`; with [`ACTION_TSUMOGIRI`] if it is the drawn one.
pub const ACTION_REACH: u8 = 2;
/// Call a run with `tile` of `target` and two `consumed`.
pub const ACTION_CHI: u8 = 3;
/// Call a triplet with `tile` of `target` and two `consumed`.
pub const ACTION_PON: u8 = 4;
/// Call a kan with `tile` of `target` and three `consumed`.
pub const ACTION_DAIMINKAN: u8 = 5;
/// Show a closed kan of four `consumed`.
pub const ACTION_ANKAN: u8 = 6;
/// Add `tile` to the pon of three `consumed`.
pub const ACTION_KAKAN: u8 = 7;
/// Set a North aside.
pub const ACTION_KITA: u8 = 8;
/// Win on `tile` of `target`, which is the own seat on a self-draw.
pub const ACTION_HORA: u8 = 9;
/// Declare the draw by nine terminals.
pub const ACTION_RYUKYOKU: u8 = 10;
/// Let the offered tile pass.
pub const ACTION_NONE: u8 = 11;

/// In [`LegalAction::flags`]: the discarded tile is the one just drawn.
pub const ACTION_TSUMOGIRI: u8 = 1;

/// Maximum number of actions.
pub const MAX_LEGAL: u32 = 64;

/// An action that is complete: nothing is asked afterwards. Riichi is listed once for each discard that keeps tenpai.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct LegalAction {
    /// The kind of action: `ACTION_*`.
    pub kind: u8,
    /// The tile that is discarded, called, added or won on; [`NONE`](crate::NONE) if the action has none.
    pub tile: u8,
    /// The seat whose tile is taken; [`NONE`](crate::NONE) if there is none.
    pub target: u8,
    /// [`ACTION_TSUMOGIRI`] or 0.
    pub flags: u8,
    /// Tiles used besides `tile`, first places first, the rest [`NONE`](crate::NONE).
    pub consumed: [u8; 4],
}

plain!(LegalAction {
    kind,
    tile,
    target,
    flags,
    consumed
});

/// An array of legal actions.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct LegalActionArray {
    /// The first element.
    pub items: *const LegalAction,
    /// Number of elements, at most [`MAX_LEGAL`].
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(LegalActionArray { items, len, stride });
