//! The functions in a policy's table: they translate C calls into calls of the trait.
#![allow(unsafe_code, reason = "this is where the host calls in")]

use std::ffi::c_void;
use std::ptr;

use policy_abi::create::CreateArgs;
use policy_abi::decision::Decision;
use policy_abi::descriptor::Instance;
use policy_abi::head::{GameView, ViewHead};
use policy_abi::layout;
use policy_abi::status::{
    STATUS_BAD_ARGUMENT, STATUS_BAD_PARAMETER, STATUS_BAD_VIEW, STATUS_FAILED, STATUS_POISONED,
    STATUS_UNAVAILABLE, Status,
};
use policy_abi::text::{Text, TextBuffer};
use policy_abi::view::View as RiichiView;

use crate::answer::Answer;
use crate::codes::bad;
use crate::env::Env;
use crate::error::{BadView, CreateError, DecideError};
use crate::game::Game;
use crate::guard::{BoundaryError, guarded};
use crate::params::Params;
use crate::policy::Policy;

/// The data behind an instance's pointer.
struct InstanceState<P: Policy> {
    policy: P,
    env: Env,
    room: <P::Game as Game>::Room,
    /// Set while the policy runs, so that a panic leaves it set.
    poisoned: bool,
}

impl From<CreateError> for BoundaryError {
    fn from(error: CreateError) -> Self {
        let status = match error {
            CreateError::Parameter(_) => STATUS_BAD_PARAMETER,
            CreateError::Failed(_) => STATUS_FAILED,
        };
        Self {
            status,
            text: error.to_string(),
        }
    }
}

impl From<BadView> for BoundaryError {
    fn from(error: BadView) -> Self {
        Self {
            status: STATUS_BAD_VIEW,
            text: error.to_string(),
        }
    }
}

impl From<DecideError> for BoundaryError {
    fn from(error: DecideError) -> Self {
        match error {
            DecideError::View(error) => error.into(),
            DecideError::Failed(text) => Self {
                status: STATUS_FAILED,
                text,
            },
            DecideError::Unavailable(text) => Self {
                status: STATUS_UNAVAILABLE,
                text,
            },
        }
    }
}

fn null(what: &str) -> BoundaryError {
    BoundaryError {
        status: STATUS_BAD_ARGUMENT,
        text: format!("{what} is null"),
    }
}

/// [`CreateFn`](policy_abi::descriptor::CreateFn) of the policy `P`.
///
/// # Safety
///
/// As promised there.
pub(crate) unsafe extern "C" fn create<P: Policy>(
    args: *const CreateArgs,
    instance: *mut *mut Instance,
    error: *mut TextBuffer,
) -> Status {
    let body = || {
        if args.is_null() {
            return Err(null("args"));
        }
        if instance.is_null() {
            return Err(null("instance"));
        }
        // SAFETY: not null, and the host promises a struct of the size it begins with.
        let args = unsafe { layout::read_sized(args) };
        // SAFETY: the host promises the folders for the call, and its functions for the instance's
        // life.
        let env = unsafe { Env::read(&args) }?;
        // SAFETY: the host promises the parameters for the call.
        let params = unsafe { Params::read(P::DESCRIPTOR.params, &args.params) }
            .map_err(CreateError::from)?;
        let policy = P::create(&params, &env)?;
        let seated = Box::into_raw(Box::new(InstanceState {
            policy,
            env,
            room: <P::Game as Game>::Room::default(),
            poisoned: false,
        }));
        // SAFETY: not null, and the host promises room for a pointer.
        unsafe { instance.write(seated.cast()) };
        Ok(())
    };
    // SAFETY: the host promises the error buffer.
    unsafe { guarded(error, body) }
}

/// [`DecideFn`](policy_abi::descriptor::DecideFn) of the policy `P`.
///
/// # Safety
///
/// As promised there; the instance must be one that [`create::<P>`](create) made and [`destroy`]
/// has not ended.
pub(crate) unsafe extern "C" fn decide<P: Policy>(
    instance: *mut Instance,
    view: *const RiichiView,
    decision: *mut Decision,
    error: *mut TextBuffer,
) -> Status {
    let body = || {
        if view.is_null() {
            return Err(null("view"));
        }
        if decision.is_null() {
            return Err(null("decision"));
        }
        // SAFETY: null, or made by `create::<P>`; calls on one instance never overlap.
        let seated = unsafe { instance.cast::<InstanceState<P>>().as_mut() }
            .ok_or_else(|| null("instance"))?;
        if seated.poisoned {
            let text = "the instance panicked before and can only be destroyed".to_owned();
            return Err(BoundaryError {
                status: STATUS_POISONED,
                text,
            });
        }
        seated.poisoned = true;
        // SAFETY: not null, and the host promises structs of the sizes they begin with; the view
        // has the type of the policy's game.
        let result = unsafe { decide_checked(seated, view.cast(), decision) };
        seated.poisoned = false;
        result
    };
    // SAFETY: the host promises the error buffer.
    unsafe { guarded(error, body) }
}

/// A view of a policy's game as it comes over the boundary.
type CodedView<P> = <<P as Policy>::Game as Game>::CodedView;

/// # Safety
///
/// Both pointers must lead to structs of the size they begin with, whose pointers keep their
/// promises.
unsafe fn decide_checked<P: Policy>(
    InstanceState {
        policy, env, room, ..
    }: &mut InstanceState<P>,
    view: *const CodedView<P>,
    decision: *mut Decision,
) -> Result<(), BoundaryError> {
    // SAFETY: the caller vouches for the size.
    let view_size = unsafe { view.cast::<u32>().read_unaligned() };
    let shorter;
    let coded = if view_size as usize >= size_of::<CodedView<P>>() && view.is_aligned() {
        // SAFETY: aligned, at least as long as a view, and unchanged during the call.
        unsafe { &*view }
    } else {
        // SAFETY: the caller vouches for that many bytes.
        shorter = unsafe { layout::read_prefix(view, view_size) };
        &shorter
    };
    let ViewHead { game, question, .. } = *coded.head();
    if game != CodedView::<P>::GAME {
        return Err(bad("game", game, "the game of the policy's descriptor").into());
    }
    // SAFETY: the caller vouches for the arrays.
    let view = unsafe { P::Game::read(coded, room) }?;
    let actions = P::Game::actions(&view);
    // SAFETY: the caller vouches for the size.
    let mut written = unsafe { layout::read_sized::<Decision>(decision) };
    // SAFETY: the caller vouches for the buffers.
    let mut answer = unsafe { Answer::new(actions, &written) };

    let index = policy.decide(&view, env, &mut answer)?;
    // The host reports an index beyond the legal actions as such.
    written.index = u32::try_from(index).unwrap_or(u32::MAX);
    written.question = question;
    answer.finish(&mut written);
    // SAFETY: the caller vouches for the number of bytes that the struct states.
    unsafe { layout::write_prefix(decision, written.struct_size, &written) };
    Ok(())
}

/// [`DestroyFn`](policy_abi::descriptor::DestroyFn) of the policy `P`.
///
/// # Safety
///
/// As promised there; the instance must be one that [`create::<P>`](create) made and this has not
/// ended.
pub(crate) unsafe extern "C" fn destroy<P: Policy>(
    instance: *mut Instance,
    error: *mut TextBuffer,
) -> Status {
    let body = || {
        if instance.is_null() {
            return Err(null("instance"));
        }
        // SAFETY: made by `create::<P>` from a box, and ended once.
        drop(unsafe { Box::from_raw(instance.cast::<InstanceState<P>>()) });
        Ok(())
    };
    // SAFETY: the host promises the error buffer.
    unsafe { guarded(error, body) }
}

/// [`GetExtensionFn`](policy_abi::descriptor::GetExtensionFn) of the policy `P`. A panic poisons
/// the instance, as in [`decide`].
///
/// # Safety
///
/// As promised there; the instance must be one that [`create::<P>`](create) made and [`destroy`]
/// has not ended.
pub(crate) unsafe extern "C" fn get_extension<P: Policy>(
    instance: *mut Instance,
    name: Text,
) -> *const c_void {
    let mut found = None;
    let body = || {
        // SAFETY: null, or made by `create::<P>`; calls on one instance never overlap.
        let seated = unsafe { instance.cast::<InstanceState<P>>().as_mut() }
            .filter(|seated| !seated.poisoned);
        // SAFETY: the host promises the text for the call.
        if let (Some(seated), Ok(name)) = (seated, unsafe { name.read() }) {
            seated.poisoned = true;
            found = seated.policy.extension(name);
            seated.poisoned = false;
        }
        Ok(())
    };
    // SAFETY: there is no error buffer.
    unsafe { guarded(ptr::null_mut(), body) };
    found.map_or(ptr::null(), |found| found.as_ptr().cast_const())
}
