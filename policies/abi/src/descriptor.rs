//! The description of a policy, and its functions.

use core::ffi::c_void;

use crate::create::CreateArgs;
use crate::decision::Decision;
use crate::layout::plain;
use crate::params::ParamDescriptorArray;
use crate::status::Status;
use crate::text::{Text, TextBuffer};
use crate::view::View;

/// In [`PolicyDescriptor::players`]: plays with three players. The bit of a number of players is the one of that
/// number.
pub const PLAYERS_THREE: u32 = 1 << 3;
/// In [`PolicyDescriptor::players`]: plays with four players.
pub const PLAYERS_FOUR: u32 = 1 << 4;

/// An instance of a policy, one for each seat that it plays. Only its library knows the type behind the pointer.
#[derive(Debug)]
#[repr(C)]
pub struct Instance {
    opaque: [u8; 0],
}

/// Makes an instance: `(args, instance, error)`. `[instance-thread]`
///
/// On [`STATUS_OK`](crate::status::STATUS_OK) the instance's pointer has been written to `instance` and is not null; on
/// anything else nothing has been written there, and nothing is left to be destroyed. `args` and the data it points to
/// live for the call, except its `host`. It may read files and take some seconds, since the host never creates an
/// instance while a decision waits. The thread that calls is the instance's from now on.
pub type CreateFn = unsafe extern "C" fn(
    args: *const CreateArgs,
    instance: *mut *mut Instance,
    error: *mut TextBuffer,
) -> Status;

/// Decides: `(instance, view, decision, error)`. `[instance-thread]`
///
/// The pointer to the view refers to the view of the policy's game: for other games than riichi mahjong, cast it.
///
/// On [`STATUS_OK`](crate::status::STATUS_OK) the decision's `index` and `question` have been written. The view, all it
/// points to, and the decision live for the call only: the host fills the same memory again for the next one. A view
/// says all there is to know, so that an instance needs no memory of earlier ones and may be exchanged between any two
/// decisions.
///
/// A call that takes longer than the view's `budget_us` cannot be stopped: its answer is dropped, and the game
/// continues without it.
pub type DecideFn = unsafe extern "C" fn(
    instance: *mut Instance,
    view: *const View,
    decision: *mut Decision,
    error: *mut TextBuffer,
) -> Status;

/// Ends an instance, poisoned or not: `(instance, error)`. `[instance-thread]`
///
/// Called once. The instance no longer exists afterwards, whatever the status. The thread ends soon after, and the
/// library may be unmapped then: threads of the policy's own must have ended when this returns.
pub type DestroyFn =
    unsafe extern "C" fn(instance: *mut Instance, error: *mut TextBuffer) -> Status;

/// Asks an instance for an extension by its name, for instance `"name/1"`: `(instance, name)`. `[instance-thread]`
///
/// Null if the policy has no extension of that name. The result, usually a struct of functions that the two sides have
/// agreed upon under that name, lives as long as the instance. The number is part of the name: a changed extension gets
/// another number.
pub type GetExtensionFn =
    unsafe extern "C" fn(instance: *mut Instance, name: Text) -> *const c_void;

/// The description of a policy, and its functions. All of it is static: the host copies the texts when the library is
/// loaded and calls the functions until it is unloaded.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct PolicyDescriptor {
    /// The name used in configs: `a-z`, `0-9` and `-`, for instance `greedy-tenpai`.
    pub id: Text,
    /// The name for users.
    pub name: Text,
    /// The policy's version, for users.
    pub version: Text,
    /// A one-sentence summary.
    pub summary: Text,
    /// The numbers of players: [`PLAYERS_FOUR`], [`PLAYERS_THREE`], or both bits. Chinese Standard mahjong has four
    /// players, Dou Dizhu three.
    pub players: u32,
    /// The game that it plays, which determines the type of its views: `GAME_RIICHI`, `GAME_CHINESE_STANDARD` or
    /// `GAME_DOUDIZHU`.
    pub game: u32,
    /// The parameters it takes; their names differ.
    pub params: ParamDescriptorArray,
    /// Makes an instance. Not null.
    pub create: Option<CreateFn>,
    /// Decides. Not null.
    pub decide: Option<DecideFn>,
    /// Ends an instance. Not null.
    pub destroy: Option<DestroyFn>,
    /// Asks an instance for an extension. Null: it has none.
    pub get_extension: Option<GetExtensionFn>,
}

plain!(PolicyDescriptor {
    id,
    name,
    version,
    summary,
    players,
    game,
    params,
    create,
    decide,
    destroy,
    get_extension
});

/// An array of policy descriptors.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct PolicyDescriptorArray {
    /// The first element.
    pub items: *const PolicyDescriptor,
    /// Number of elements.
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(PolicyDescriptorArray { items, len, stride });
