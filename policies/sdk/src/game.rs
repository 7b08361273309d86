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
