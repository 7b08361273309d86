//! A view of riichi mahjong as numbers for a network, and its actions as a list.
//!
//! There is one encoding, for four players and for three, for the policy `onnx` and for the Python
//! package `bot-env` alike. Its parts are documented at their names: [`PLANES`] (34 numbers each,
//! one for each kind of tile), [`SCALARS`], and the list of [actions](ActionCode). A model that was
//! trained on one [`VERSION`] is never run on another.
//!
//! Everything is made from a policy's view or a seat's table ([`SeatKnowledge`]), which have no
//! place for a hidden tile. All numbers are between -1 and 1.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod actions;
mod knowledge;
mod planes;
mod scalars;
#[cfg(test)]
mod tests;

use riichi::tile::KINDS;

pub use actions::{ACTIONS, ActionCode, Choices};
pub use knowledge::SeatKnowledge;
pub use planes::{BASE_PLANES, PLANES};
pub use scalars::SCALARS;

/// The version of the encoding: another one when a plane, a scalar or an action is added, removed
/// or means something else.
pub const VERSION: u32 = 1;

/// A part of the encoding, documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodingPart {
    /// Its name, unique among its like.
    pub name: &'static str,
    /// The meaning of its numbers.
    pub meaning: &'static str,
}

/// The set of planes for a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaneSet {
    /// The first [`BASE_PLANES`]: what the table shows.
    Base,
    /// All of [`PLANES`]: acceptance and danger besides, which take most of the time to compute.
    All,
}

impl PlaneSet {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Base, Self::All];

    /// Number of planes.
    pub const fn planes(self) -> usize {
        match self {
            Self::Base => BASE_PLANES,
            Self::All => PLANES.len(),
        }
    }

    /// Number of values in its planes.
    pub const fn numbers(self) -> usize {
        self.planes() * KINDS
    }
}

/// Encodes a decision: writes the planes in order, and the scalars.
///
/// # Panics
///
/// If there are not [`PlaneSet::numbers`] numbers for the planes, and one for each of [`SCALARS`].
pub fn encode<'a>(
    knowledge: impl Into<SeatKnowledge<'a>>,
    set: PlaneSet,
    planes: &mut [f32],
    scalars: &mut [f32],
) {
    let knowledge = knowledge.into();
    planes::write(&knowledge, set, planes);
    scalars::write(&knowledge, scalars);
}

fn flag(holds: bool) -> f32 {
    [0.0, 1.0][usize::from(holds)]
}
