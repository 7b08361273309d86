//! What a policy may answer that was not written with the SDK.

use std::cell::Cell;

use policy_abi::descriptor::{GAME_FOUR_PLAYERS, PolicyDescriptor};
use policy_abi::params::{ParamDescriptor, ParamDescriptorArray};
use policy_abi::status::STATUS_FAILED;

use super::*;
use crate::config::Isolation;
use crate::plugin::ParamValues;
use crate::plugin::describe::PolicyInfo;

/// How many actions there are to choose from.
const ACTIONS: u32 = 3;

unsafe extern "C" fn create(_: *const CreateArgs, instance: *mut *mut RawInstance, _: *mut TextBuffer) -> Status {
    // SAFETY: the host's room for a pointer, which nobody follows.
    unsafe { instance.write(ptr::dangling_mut()) };
    STATUS_OK
}

unsafe extern "C" fn create_nothing(_: *const CreateArgs, _: *mut *mut RawInstance, _: *mut TextBuffer) -> Status {
    STATUS_OK
}

unsafe extern "C" fn destroy(_: *mut RawInstance, _: *mut TextBuffer) -> Status {
    STATUS_OK
}

/// What `decide` does: writes into the decision, and ends with this status.
type Body = fn(&mut Decision) -> Status;

thread_local! {
    static BODY: Cell<Body> = const { Cell::new(|_| STATUS_FAILED) };
}

unsafe extern "C" fn decide(
    _: *mut RawInstance,
    _: *const View,
    decision: *mut Decision,
    _: *mut TextBuffer,
) -> Status {
    // SAFETY: the host's decision, for the call.
    BODY.get()(unsafe { &mut *decision })
}

type Create = unsafe extern "C" fn(*const CreateArgs, *mut *mut RawInstance, *mut TextBuffer) -> Status;

fn start(create: Create) -> Result<Instance, CreateError> {
    let text = Text::new("odd");
    let descriptor = PolicyDescriptor {
        id: text,
        name: text,
        version: text,
        summary: text,
        games: GAME_FOUR_PLAYERS,
        reserved: 0,
        params: ParamDescriptorArray { items: ptr::null(), len: 0, stride: struct_size::<ParamDescriptor>() },
        create: Some(create),
        decide: Some(decide),
        destroy: Some(destroy),
        get_extension: None,
    };
    // SAFETY: its texts are statics, and there is nothing else.
    let odd = unsafe { PolicyInfo::read(&descriptor) }.expect("the descriptor is in order");
    let library = Arc::new(Library::with_policies(vec![odd]));
    let policy = ChosenPolicy { library, index: 0, params: ParamValues::default(), isolation: Isolation::Thread };
    let host = Host {
        struct_size: struct_size::<Host>(),
        reserved: 0,
        context: ptr::null_mut(),
        log: None,
        monotonic_ns: None,
        still_wanted: None,
        get_extension: None,
    };
    Instance::create(&policy, host, 4, Path::new(""))
}

fn answer(body: Body) -> Result<Decided, Fault> {
    BODY.set(body);
    let mut view = View::EMPTY;
    view.legal.len = ACTIONS;
    start(create).expect("it starts").decide(&view)
}

/// Chooses an action.
fn choose(decision: &mut Decision, index: u32, status: Status) -> Status {
    decision.index = index;
    status
}

#[test]
fn a_choice_that_there_is_is_taken() {
    let last = answer(|decision| choose(decision, ACTIONS - 1, STATUS_OK));
    assert_eq!(last, Ok(Decided { index: 2, ..Decided::default() }));
}

#[test]
fn a_choice_that_there_is_not_is_a_fault() {
    let beyond = answer(|decision| choose(decision, ACTIONS, STATUS_OK));
    assert_eq!(beyond, Err(Fault::OutOfRange { index: ACTIONS, of: ACTIONS }));
}

#[test]
fn success_without_a_choice_is_a_fault() {
    assert_eq!(answer(|_| STATUS_OK), Err(Fault::OutOfRange { index: INDEX_NONE, of: ACTIONS }));
}

#[test]
fn a_choice_is_not_taken_from_a_call_that_failed() {
    let failed = Err(Fault::Failed("no reason given".to_owned()));
    assert_eq!(answer(|decision| choose(decision, 0, STATUS_FAILED)), failed);
    assert_eq!(answer(|decision| choose(decision, 0, 4711)), failed);
}

#[test]
fn a_panic_is_told_from_a_failure() {
    let panicked = Err(Fault::Panicked("no reason given".to_owned()));
    assert_eq!(answer(|decision| choose(decision, 0, STATUS_PANICKED)), panicked);
    assert_eq!(answer(|decision| choose(decision, 0, STATUS_POISONED)), panicked);
}

#[test]
fn more_values_and_words_than_there_is_room_for_are_not_believed() {
    let boasting = answer(|decision| {
        decision.values_len = u32::MAX;
        decision.reason.len = u32::MAX;
        choose(decision, 0, STATUS_OK)
    });
    let decided = boasting.expect("the choice is in order");
    assert_eq!((decided.index, decided.values), (0, vec![]));
}

#[test]
fn success_without_an_instance_is_none() {
    let error = start(create_nothing).err().expect("there is no instance");
    assert!(error.to_string().contains("made nothing"), "{error}");
}
