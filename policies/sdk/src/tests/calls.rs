//! Calls of a host that knows a shorter or longer struct, passes null, or lends little room.
#![allow(unsafe_code, reason = "a host calls C functions")]

use std::ffi::c_void;
use std::ptr;
use std::time::Duration;

use policy_abi::create::CreateArgs;
use policy_abi::decision::{Decision, INDEX_NONE};
use policy_abi::descriptor::{Instance, PolicyDescriptor};
use policy_abi::entry::Entry;
use policy_abi::head::GAME_DOUDIZHU;
use policy_abi::host::{Host, LOG_WARN};
use policy_abi::layout::struct_size;
use policy_abi::params::{ParamValue, ParamValueArray};
use policy_abi::status::{STATUS_BAD_ARGUMENT, STATUS_BAD_VIEW, STATUS_OK, Status};
use policy_abi::text::{Text, TextBuffer};
use policy_abi::view::View as RawView;

use crate::testing::{Scene, Situation, TestInstance};
use crate::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Level, Params, Policy, View, entry,
    policy,
};

/// Gives its values and a reason, and chooses the action whose number is the honba.
struct Speaking;

impl Policy for Speaking {
    type Game = crate::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "speaking",
        name: "Speaking",
        version: "1",
        summary: "Gives its values and a reason.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, env: &Env) -> Result<Self, CreateError> {
        env.log(
            Level::Warn,
            &format!(
                "{} {}",
                env.library_folder().display(),
                env.config_folder().display()
            ),
        );
        Ok(Self)
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        for index in (0..view.legal().len()).skip(1) {
            answer.value(index, index as f32);
        }
        answer.value(64, 1.0);
        answer.reason(format_args!(
            "{} players, {:?}, {}",
            view.players(),
            env.now(),
            env.still_wanted()
        ));
        Ok(usize::from(view.honba()))
    }
}

static ENTRY: Entry = entry("test", &[policy::<Speaking>()]);

fn table() -> PolicyDescriptor {
    // SAFETY: the entry has one policy.
    unsafe { ENTRY.policies.items.read() }
}

fn scene() -> Scene {
    Situation::drew("123m 456p 789s 1122z", "3z").build()
}

/// The result of a decision: status, decision, values, reason.
fn decide(
    view: *const RawView,
    decision_size: u32,
    room: usize,
) -> (Status, u32, Vec<f32>, String) {
    let args = CreateArgs {
        struct_size: struct_size::<CreateArgs>(),
        players: 4,
        host: ptr::null(),
        params: ParamValueArray {
            items: ptr::null(),
            len: 0,
            stride: struct_size::<ParamValue>(),
        },
        library_folder: Text::EMPTY,
        config_folder: Text::EMPTY,
        budget_us: 0,
    };
    let mut instance = ptr::null_mut();
    let mut values = [0.0; 64];
    let mut reason = [0; 64];
    let mut decision = Decision {
        struct_size: decision_size,
        index: INDEX_NONE,
        question: 0,
        values: values.as_mut_ptr(),
        values_capacity: room as u32,
        values_len: 0,
        reason: TextBuffer::new(&mut reason),
    };
    let table = table();
    // SAFETY: everything passed in lives for the calls; no room for errors is lent.
    let status = unsafe {
        assert_eq!(
            table.create.unwrap()(&raw const args, &raw mut instance, ptr::null_mut()),
            STATUS_OK
        );
        let status = table.decide.unwrap()(instance, view, &raw mut decision, ptr::null_mut());
        assert_eq!(table.destroy.unwrap()(instance, ptr::null_mut()), STATUS_OK);
        status
    };
    // SAFETY: the buffer is `reason`.
    let text = unsafe { decision.reason.read() }.unwrap().to_owned();
    (
        status,
        decision.index,
        values[..decision.values_len as usize].to_vec(),
        text,
    )
}

const WHOLE: u32 = struct_size::<Decision>();

#[test]
fn a_decision_carries_the_index_values_where_given_and_the_reason() {
    let scene = scene();
    let view = RawView {
        honba: 2,
        ..scene.coded()
    };
    let (status, index, values, reason) = decide(&raw const view, WHOLE, 64);
    assert_eq!((status, index), (STATUS_OK, 2));
    assert!(values[0].is_nan(), "no value was given");
    assert_eq!(values[1..3], [1.0, 2.0]);
    assert_eq!(values.len(), view.legal.len as usize);
    assert_eq!(reason, "4 players, 0ns, true");
}

#[test]
fn values_beyond_the_room_are_omitted() {
    let scene = scene();
    let view = scene.coded();
    let (status, _, values, _) = decide(&raw const view, WHOLE, view.legal.len as usize - 1);
    assert_eq!((status, values.len()), (STATUS_OK, 0));
}

#[test]
fn a_host_with_a_shorter_decision_gets_the_fields_it_knows() {
    let scene = scene();
    let view = scene.coded();
    let (status, index, values, reason) = decide(&raw const view, 8, 64);
    assert_eq!(
        (status, index, values.len(), reason.as_str()),
        (STATUS_OK, 0, 0, "")
    );
}

#[test]
fn a_host_with_a_longer_view_is_understood() {
    #[repr(C)]
    struct Longer {
        view: RawView,
        more: [u64; 4],
    }
    let scene = scene();
    let mut longer = Longer {
        view: scene.coded(),
        more: [u64::MAX; 4],
    };
    longer.view.struct_size = size_of::<Longer>() as u32;
    assert_eq!(decide((&raw const longer).cast(), WHOLE, 64).0, STATUS_OK);
}

#[test]
fn fields_that_a_shorter_view_lacks_read_as_zero() {
    let scene = scene();
    let mut view = scene.coded();
    view.struct_size = std::mem::offset_of!(RawView, unseen) as u32;
    let (status, ..) = decide(&raw const view, WHOLE, 64);
    assert_eq!(status, STATUS_BAD_VIEW, "a request of 0 is none");
}

#[test]
fn a_view_of_another_game_is_refused() {
    let scene = scene();
    let mut view = scene.coded();
    view.game = GAME_DOUDIZHU;
    assert_eq!(decide(&raw const view, WHOLE, 64).0, STATUS_BAD_VIEW);
}

#[test]
fn an_array_without_a_stride_is_refused() {
    let scene = scene();
    let mut view = scene.coded();
    view.legal.stride = 0;
    let (status, ..) = decide(&raw const view, WHOLE, 64);
    assert_eq!(status, STATUS_BAD_VIEW);
}

#[test]
fn an_index_beyond_the_legal_actions_reaches_the_host_which_names_it() {
    let scene = scene();
    let mut view = scene.coded();
    view.honba = view.legal.len as u8;
    let (status, index, ..) = decide(&raw const view, WHOLE, 64);
    assert_eq!((status, index), (STATUS_OK, view.legal.len));
}

#[test]
fn null_pointers_are_refused() {
    let (status, ..) = decide(ptr::null(), WHOLE, 64);
    assert_eq!(status, STATUS_BAD_ARGUMENT);
    let table = table();
    let scene = scene();
    let view = scene.coded();
    let mut instance: *mut Instance = ptr::null_mut();
    // SAFETY: null, or alive for the call.
    let refusals = unsafe {
        [
            table.create.unwrap()(ptr::null(), &raw mut instance, ptr::null_mut()),
            table.decide.unwrap()(
                ptr::null_mut(),
                &raw const view,
                ptr::null_mut(),
                ptr::null_mut(),
            ),
            table.destroy.unwrap()(ptr::null_mut(), ptr::null_mut()),
        ]
    };
    assert_eq!(refusals, [STATUS_BAD_ARGUMENT; 3]);
}

#[test]
fn a_wrong_view_is_named_by_its_field() {
    let mut scene = scene();
    scene.raw_mut().dora_markers[0] = 40;
    let refused = TestInstance::create(&ENTRY, "speaking", &[])
        .unwrap()
        .decide(&scene)
        .unwrap_err();
    assert_eq!(refused.status, STATUS_BAD_VIEW);
    assert_eq!(
        refused.text,
        "view.dora_markers is 40; allowed: a tile, 0 to 36"
    );
}

/// The lines that a host in a test has received.
struct Told {
    lines: Vec<(u32, String)>,
}

unsafe extern "C" fn log(context: *mut c_void, level: u32, text: Text) {
    // SAFETY: the context is the test's `Told`, and the text lives for the call.
    unsafe {
        (*context.cast::<Told>())
            .lines
            .push((level, text.read().unwrap().to_owned()))
    };
}

unsafe extern "C" fn monotonic_ns(_: *mut c_void) -> u64 {
    1_500
}

unsafe extern "C" fn not_wanted(_: *mut c_void) -> u32 {
    0
}

#[test]
fn the_host_is_reached_through_its_functions() {
    let mut told = Told { lines: Vec::new() };
    let host = Host {
        struct_size: struct_size::<Host>(),
        reserved: 0,
        context: (&raw mut told).cast(),
        log: Some(log),
        monotonic_ns: Some(monotonic_ns),
        still_wanted: Some(not_wanted),
        get_extension: None,
    };
    let args = CreateArgs {
        struct_size: struct_size::<CreateArgs>(),
        players: 3,
        host: &raw const host,
        params: ParamValueArray {
            items: ptr::null(),
            len: 0,
            stride: 0,
        },
        library_folder: Text::new("/lib"),
        config_folder: Text::new("/etc"),
        budget_us: 2_500_000,
    };
    // SAFETY: the host lives until the end of the test.
    let env = unsafe { Env::read(&args) }.unwrap();
    Speaking::create(&no_params(), &env).unwrap();
    assert_eq!(env.start_budget(), Some(Duration::from_millis(2_500)));
    assert_eq!(
        (env.now(), env.still_wanted(), env.players()),
        (Duration::from_nanos(1_500), false, 3)
    );
    assert_eq!(told.lines, [(LOG_WARN, "/lib /etc".to_owned())]);
}

fn no_params() -> Params {
    let none = ParamValueArray {
        items: ptr::null(),
        len: 0,
        stride: 0,
    };
    // SAFETY: no parameters.
    unsafe { Params::read(&[], &none) }.unwrap()
}
