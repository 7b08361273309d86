//! The trait that a policy implements.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::answer::Answer;
use crate::descriptor::Descriptor;
use crate::env::Env;
use crate::error::{CreateError, DecideError};
use crate::game::Game;
use crate::params::Params;

/// A policy. An instance plays one seat. It is created, used and dropped on one thread.
///
/// ```
/// use policy_sdk::mahjong::{Action, acceptance::discard_options, safe_answer};
/// use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, RiichiMahjong, View};
///
/// /// Discards what leaves the most tiles that help.
/// struct Widest {
///     says_why: bool,
/// }
///
/// impl Policy for Widest {
///     type Game = RiichiMahjong;
///
///     const DESCRIPTOR: Descriptor = Descriptor {
///         id: "widest",
///         name: "Widest",
///         version: "1.0.0",
///         summary: "Discards what leaves the most tiles that help.",
///         games: Games::Both,
///         params: &[Param::boolean("says_why", true, "Whether it gives reasons.")],
///     };
///
///     fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
///         Ok(Self { says_why: params.boolean("says_why")? })
///     }
///
///     fn decide(&mut self, view: &View<'_>, _: &Env, answer: &mut Answer) -> Result<usize, DecideError> {
///         let legal = view.legal();
///         let options = discard_options(view.concealed());
///         let best = options.iter().min_by_key(|option| option.shanten).map(|option| option.kind);
///         let choice = match safe_answer(legal) {
///             Some(win @ Action::Hora { .. }) => legal.iter().position(|&action| action == win),
///             _ => legal.iter().position(|action| match action {
///                 Action::Dahai { tile, .. } => Some(tile.kind()) == best,
///                 Action::None => true,
///                 _ => false,
///             }),
///         };
///         if self.says_why {
///             answer.reason(format_args!("{} discards to choose from", options.len()));
///         }
///         Ok(choice.unwrap_or(0))
///     }
/// }
/// ```
pub trait Policy: Sized + 'static {
    /// The game it plays: [`RiichiMahjong`](crate::RiichiMahjong) or another one.
    type Game: Game;

    /// Its description, with the parameters it takes.
    const DESCRIPTOR: Descriptor;

    /// Creates an instance. It may read files. It has a deadline of some seconds, and never delays
    /// a decision.
    ///
    /// # Errors
    ///
    /// If it cannot play with these parameters or in this environment; the host shows the text to
    /// the user.
    fn create(params: &Params, env: &Env) -> Result<Self, CreateError>;

    /// Chooses one of `view.legal()` by its index, within `view.time()`. The game determines the
    /// type of the view: for riichi mahjong it is a [`View`](crate::View).
    ///
    /// The view is complete: an instance needs no memory of earlier ones, and one that is swapped
    /// in during a round plays as well as any other. The policy may add values and a reason to
    /// `answer`.
    ///
    /// # Errors
    ///
    /// If there is no decision; the host then plays its safe answer.
    fn decide(
        &mut self,
        view: &<Self::Game as Game>::View<'_>,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError>;

    /// An extension that the instance offers to a host beyond the boundary, by a name with a number
    /// (`"name/1"`) that both sides know: usually a struct of C functions, which must live as long
    /// as the instance. `None`, the default, if there is no extension of that name.
    fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        let _ = name;
        None
    }
}
