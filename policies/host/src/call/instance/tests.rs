//! The possible answers of a policy that was not written with the SDK.

use std::cell::{Cell, RefCell};

use policy_abi::descriptor::{DecideFn, PLAYERS_FOUR, PolicyDescriptor};
use policy_abi::head::GAME_RIICHI;
use policy_abi::layout::Plain;
use policy_abi::params::{ParamDescriptor, ParamDescriptorArray};
use policy_abi::status::STATUS_FAILED;
use policy_abi::view::View;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::find::describe::PolicyInfo;

const ACTIONS: u32 = 3;
const QUESTION: u64 = 7;

unsafe extern "C" fn create(
    _: *const CreateArgs,
    instance: *mut *mut RawInstance,
    _: *mut TextBuffer,
) -> Status {
    // SAFETY: the host's room for a pointer, which is never followed.
    unsafe { instance.write(ptr::dangling_mut()) };
    STATUS_OK
}

unsafe extern "C" fn create_nothing(
    _: *const CreateArgs,
    _: *mut *mut RawInstance,
    _: *mut TextBuffer,
) -> Status {
    STATUS_OK
}

unsafe extern "C" fn destroy(_: *mut RawInstance, _: *mut TextBuffer) -> Status {
    STATUS_OK
}

/// The body of `decide`: writes into the decision, and returns this status.
type Body = fn(&mut Decision) -> Status;

thread_local! {
    static BODY: Cell<Body> = const { Cell::new(|_| STATUS_FAILED) };
    static ANSWERED: Cell<u64> = const { Cell::new(0) };
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

type Create =
    unsafe extern "C" fn(*const CreateArgs, *mut *mut RawInstance, *mut TextBuffer) -> Status;

fn start(create: Create) -> Result<PolicyInstance, PolicyStartError> {
    start_with(create, decide)
}

fn start_with(create: Create, decide: DecideFn) -> Result<PolicyInstance, PolicyStartError> {
    let text = Text::new("odd");
    let descriptor = PolicyDescriptor {
        id: text,
        name: text,
        version: text,
        summary: text,
        players: PLAYERS_FOUR,
        game: GAME_RIICHI,
        params: ParamDescriptorArray {
            items: ptr::null(),
            len: 0,
            stride: struct_size::<ParamDescriptor>(),
        },
        create: Some(create),
        decide: Some(decide),
        destroy: Some(destroy),
        get_extension: None,
    };
    // SAFETY: its texts are statics, and there is nothing else.
    let odd = unsafe { PolicyInfo::read(&descriptor) }.expect("the descriptor is in order");
    let library = Arc::new(Library::with_policies(vec![odd]));
    let host = Host {
        struct_size: struct_size::<Host>(),
        reserved: 0,
        context: ptr::null_mut(),
        log: None,
        monotonic_ns: None,
        still_wanted: None,
        get_extension: None,
    };
    PolicyInstance::create(&library, 0, &ParamValues::default(), host, 4, Path::new(""))
}

fn answer(body: Body) -> Result<Decided, Fault> {
    BODY.set(body);
    let mut view = View::EMPTY;
    (view.legal.len, view.question) = (ACTIONS, QUESTION);
    start(create)
        .expect("it starts")
        .decide(PointedView::of(&view))
}

fn choose(decision: &mut Decision, index: u32, status: Status) -> Status {
    decision.index = index;
    decision.question = QUESTION;
    status
}

#[test]
fn a_choice_that_there_is_is_taken() {
    let last = answer(|decision| choose(decision, ACTIONS - 1, STATUS_OK));
    assert_eq!(
        last,
        Ok(Decided {
            index: 2,
            ..Decided::default()
        })
    );
}

#[test]
fn a_choice_that_there_is_not_is_a_fault() {
    let beyond = answer(|decision| choose(decision, ACTIONS, STATUS_OK));
    assert_eq!(
        beyond,
        Err(Fault::OutOfRange {
            index: ACTIONS,
            of: ACTIONS
        })
    );
}

#[test]
fn success_without_a_choice_is_a_fault() {
    assert_eq!(
        answer(|decision| choose(decision, INDEX_NONE, STATUS_OK)),
        Err(Fault::OutOfRange {
            index: INDEX_NONE,
            of: ACTIONS
        })
    );
}

#[test]
fn an_answer_to_another_question_is_a_fault_and_so_is_one_that_says_no_number() {
    for answered in [0, QUESTION - 1, QUESTION + 1] {
        ANSWERED.set(answered);
        let stale = answer(|decision| {
            decision.index = 0;
            decision.question = ANSWERED.get();
            STATUS_OK
        });
        assert_eq!(
            stale,
            Err(Fault::OtherQuestion {
                answered,
                asked: QUESTION
            })
        );
    }
}

#[test]
fn an_unavailable_resource_is_distinguished_from_a_failure() {
    let away = answer(|decision| choose(decision, 0, STATUS_UNAVAILABLE));
    assert_eq!(away, Err(Fault::Unavailable("no reason given".to_owned())));
}

#[test]
fn a_choice_is_not_taken_from_a_call_that_failed() {
    let failed = Err(Fault::Failed("no reason given".to_owned()));
    assert_eq!(
        answer(|decision| choose(decision, 0, STATUS_FAILED)),
        failed
    );
    assert_eq!(answer(|decision| choose(decision, 0, 4711)), failed);
}

#[test]
fn a_panic_is_distinguished_from_a_failure() {
    let panicked = Err(Fault::Panicked("no reason given".to_owned()));
    assert_eq!(
        answer(|decision| choose(decision, 0, STATUS_PANICKED)),
        panicked
    );
    assert_eq!(
        answer(|decision| choose(decision, 0, STATUS_POISONED)),
        panicked
    );
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

/// The bytes that a library leaves in the host's structs, instead of an answer.
#[derive(Debug, Clone, Default)]
struct Scribble {
    decision: Vec<u8>,
    message: Vec<u8>,
    texts: Vec<u8>,
    status: Status,
}

thread_local! {
    static SCRIBBLE: RefCell<Scribble> = RefCell::default();
}

/// Writes the bytes over the beginning of a struct.
///
/// # Safety
///
/// It must be valid for writing.
unsafe fn overwrite<T: Plain>(target: *mut T, bytes: &[u8]) {
    // SAFETY: by the caller's word, and no more than its size.
    unsafe {
        ptr::copy_nonoverlapping(
            bytes.as_ptr(),
            target.cast::<u8>(),
            bytes.len().min(size_of::<T>()),
        )
    };
}

unsafe extern "C" fn scribble(
    _: *mut RawInstance,
    _: *const View,
    decision: *mut Decision,
    message: *mut TextBuffer,
) -> Status {
    SCRIBBLE.with_borrow(|scribble| {
        // SAFETY: the host's structs and buffers, for the call.
        unsafe {
            let (reason, text) = ((*decision).reason, *message);
            for room in [reason, text] {
                let len = scribble.texts.len().min(room.capacity as usize);
                ptr::copy_nonoverlapping(scribble.texts.as_ptr(), room.data, len);
            }
            overwrite(decision, &scribble.decision);
            overwrite(message, &scribble.message);
        }
        scribble.status
    })
}

proptest! {
    /// Pointers and capacities among them: nothing that a library leaves there is followed.
    #[test]
    fn whatever_bytes_a_library_leaves_in_its_decision_are_a_choice_that_there_is_or_a_fault(
        decision in vec(any::<u8>(), 0..=size_of::<Decision>()),
        index in prop::option::of(0..=ACTIONS),
        message in vec(any::<u8>(), 0..=size_of::<TextBuffer>()),
        texts in vec(any::<u8>(), 0..2000),
        status in prop_oneof![Just(STATUS_OK), any::<Status>()],
    ) {
        let mut decision = decision;
        if let (Some(index), Some(place)) = (index, decision.get_mut(4..8)) {
            place.copy_from_slice(&index.to_ne_bytes());
        }
        if let (Some(_), Some(place)) = (index, decision.get_mut(8..16)) {
            place.copy_from_slice(&QUESTION.to_ne_bytes());
        }
        SCRIBBLE.set(Scribble { decision, message, texts, status });
        let mut view = View::EMPTY;
        (view.legal.len, view.question) = (ACTIONS, QUESTION);
        if let Ok(decided) = start_with(create, scribble).expect("it starts").decide(PointedView::of(&view)) {
            prop_assert!(status == STATUS_OK && decided.index < ACTIONS as usize);
            prop_assert!(decided.values.is_empty() || decided.values.len() == ACTIONS as usize);
            prop_assert!(decided.reason.len() <= REASON_ROOM);
        }
    }
}
