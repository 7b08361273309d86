//! The SDK for policies in Rust.
//!
//! A policy implements [`Policy`]. Its crate names its policies in a static entry, and a thin
//! second package, a `cdylib`, exports that:
//!
//! ```
//! use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View, abi};
//!
//! /// Throws what it draws.
//! struct Tsumogiri;
//!
//! impl Policy for Tsumogiri {
//!     type Game = policy_sdk::RiichiMahjong;
//!
//!     const DESCRIPTOR: Descriptor = Descriptor {
//!         id: "tsumogiri",
//!         name: "Tsumogiri",
//!         version: env!("CARGO_PKG_VERSION"),
//!         summary: "Throws what it draws.",
//!         games: Games::Both,
//!         params: &[],
//!     };
//!
//!     fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
//!         Ok(Self)
//!     }
//!
//!     fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
//!         let safe = policy_sdk::mahjong::safe_answer(view.legal());
//!         Ok(view.legal().iter().position(|&action| Some(action) == safe).unwrap_or(0))
//!     }
//! }
//!
//! pub static ENTRY: abi::Entry = policy_sdk::entry("tsumogiri 1.0", &[policy_sdk::policy::<Tsumogiri>()]);
//!
//! // In the package that makes the library:
//! policy_sdk::export!(ENTRY);
//! ```
//!
//! All data that crosses the boundary is checked once, on arrival: a [`View`] is always valid, and
//! its accessors cannot fail. A panic of a policy ends that one instance, never the host.
#![warn(missing_docs, rustdoc::private_intra_doc_links)]

#[cfg(not(panic = "unwind"))]
compile_error!(
    "a policy must be built with panic = \"unwind\", so that its panics stay in the library"
);

mod advice;
mod answer;
mod boundary;
mod code_table;
pub mod codes;
mod descriptor;
pub mod doudizhu;
mod entry;
mod env;
mod error;
mod game;
mod guard;
mod head_accessors;
mod identity;
pub mod mcr;
mod params;
mod player;
mod policy;
mod replay;
#[cfg(any(test, feature = "test-support"))]
pub mod testing;
#[cfg(test)]
mod tests;
mod view;
mod win;

pub use policy_abi as abi;
/// The game: tiles, actions, hands. With this re-export, a policy needs no other crate.
pub use riichi as mahjong;
pub use riichi::rng::Rng;
pub use riichi::table::{Discard, Furiten, Riichi};

pub use advice::Advice;
pub use answer::Answer;
pub use descriptor::{Descriptor, Games};
pub use doudizhu::{DouDizhu, DouDizhuView};
pub use entry::{entry, policy};
pub use env::{Env, Level};
pub use error::{BadParameter, BadView, CreateError, DecideError};
pub use game::{Game, RiichiMahjong};
pub use identity::ProgramIdentity;
pub use mcr::{Mcr, McrView};
// Names that policies written before 1.0 use.
#[doc(hidden)]
pub use mcr::{self as chinese_standard, Mcr as ChineseStandard, McrView as ChineseStandardView};
pub use params::{Choice, Param, Params};
pub use player::{CannotRon, Player};
pub use policy::Policy;
pub use view::{ArenaTime, DrawnRound, Offer, Request, RoundEnd, Time, View, WonRound};

/// Maximum size of a file, in bytes, that the runner reads for a policy: its library, and what
/// `watch` names. A policy that reads a large file of its own, such as weights, refuses a larger
/// one too, so that one limit holds everywhere.
pub const MAX_FILE_BYTES: u64 = 1 << 30;

/// Exports an entry as the one symbol that a host looks up. Used once, in the package that makes
/// the library.
#[macro_export]
macro_rules! export {
    ($entry:path) => {
        /// The symbol that the host looks up.
        // SAFETY: the symbol is the boundary's own, and a library exports it once.
        #[allow(unsafe_code, unreachable_pub)]
        #[unsafe(no_mangle)]
        pub extern "C" fn bot_policy_entry() -> *const $crate::abi::Entry {
            &raw const $entry
        }
    };
}
