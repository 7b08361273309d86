//! The game that a policy plays.
#![allow(unsafe_code, reason = "a view comes over the boundary as plain memory")]

use policy_abi::head::GameView;

use crate::error::BadView;
use crate::view::{View, ViewRoom};

/// A game that the boundary supports: [`RiichiMahjong`], [`Mcr`](crate::Mcr) or
/// [`DouDizhu`](crate::DouDizhu). A policy names its own as [`Policy::Game`](crate::Policy::Game).
pub trait Game: Sized + 'static {
    /// The view in the boundary's codes.
    type CodedView: GameView;
    /// The decoded view for policies of this game.
    type View<'a>;
    /// A buffer for the decoded parts of a view, which is reused.
    type Room: Default;

    /// Checks and decodes a view.
    ///
    /// # Errors
    ///
    /// The invalid field.
    ///
    /// # Safety
    ///
    /// The arrays of the view must keep their promises during `'a`.
    unsafe fn read<'a>(
        coded: &'a Self::CodedView,
        room: &'a mut Self::Room,
    ) -> Result<Self::View<'a>, BadView>;

    /// Number of legal actions in the view.
    fn actions(view: &Self::View<'_>) -> usize;
}

/// The accessors of a view that read the fields which the views of all games begin with; the
/// argument is the field that holds the coded view.
macro_rules! head_accessors {
    ($coded:ident) => {
        /// The time for this decision.
        #[must_use]
        pub fn time(&self) -> $crate::Time {
            $crate::Time::of(policy_abi::head::GameView::head(self.$coded))
        }

        /// Number of this game in the bot's run, from 0.
        #[must_use]
        pub const fn game(&self) -> u64 {
            self.$coded.game_number
        }

        /// Number of this decision in the game, from 0.
        #[must_use]
        pub const fn decision(&self) -> u32 {
            self.$coded.decision
        }

        /// Seed of the bot's randomness, the same all run. [`rng`](Self::rng) is keyed by it.
        #[must_use]
        pub const fn seed(&self) -> u64 {
            self.$coded.seed
        }

        /// A repeatable random generator for this decision, keyed by the bot's seed, the game, the
        /// seat and the decision. Every call gives the same stream from its beginning: in a view
        /// named `view`, `view.rng().below(view.legal().len())` is the index of any action.
        #[must_use]
        pub fn rng(&self) -> $crate::Rng {
            $crate::Rng::keyed(&[
                self.$coded.seed,
                self.$coded.game_number,
                self.$coded.seat.into(),
                self.$coded.decision.into(),
            ])
        }
    };
}
pub(crate) use head_accessors;

/// Riichi mahjong, with four players or three.
#[derive(Debug, Clone, Copy)]
pub enum RiichiMahjong {}

impl Game for RiichiMahjong {
    type CodedView = policy_abi::view::View;
    type View<'a> = View<'a>;
    type Room = ViewRoom;

    unsafe fn read<'a>(
        coded: &'a Self::CodedView,
        room: &'a mut ViewRoom,
    ) -> Result<View<'a>, BadView> {
        // SAFETY: the caller vouches for the arrays.
        unsafe { View::read(coded, room) }
    }

    fn actions(view: &View<'_>) -> usize {
        view.legal().len()
    }
}
