//! A library of version 1.0 of the boundary, translated from its header by hand. It plays riichi
//! mahjong with the first legal action, takes wins, and fails where it is not asked as 1.0
//! promises.

use std::ffi::c_void;
use std::ptr;

#[repr(C)]
#[derive(Clone, Copy)]
struct Text {
    data: *const u8,
    len: u64,
}

impl Text {
    const fn new(text: &'static str) -> Self {
        Self { data: text.as_ptr(), len: text.len() as u64 }
    }
}

#[repr(C)]
struct TextBuffer {
    data: *mut u8,
    capacity: u32,
    len: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Array {
    items: *const c_void,
    len: u32,
    stride: u32,
}

#[repr(C)]
struct LegalAction {
    kind: u8,
    tile: u8,
    target: u8,
    flags: u8,
    consumed: [u8; 4],
}

#[repr(C)]
struct ViewHead {
    struct_size: u32,
    game: u32,
    question: u64,
    game_number: u64,
    seed: u64,
    decision: u32,
    flags: u32,
    events: Array,
    legal: Array,
    grace_us: u64,
    bank_us: u64,
    deadline_us: u64,
    budget_us: u64,
    reserved: [u64; 4],
}

#[repr(C)]
struct Decision {
    struct_size: u32,
    index: u32,
    question: u64,
    values: *mut f32,
    values_capacity: u32,
    values_len: u32,
    reason: TextBuffer,
}

#[repr(C)]
struct Host {
    struct_size: u32,
    reserved: u32,
    context: *mut c_void,
    log: Option<unsafe extern "C" fn(*mut c_void, u32, Text)>,
    monotonic_ns: Option<unsafe extern "C" fn(*mut c_void) -> u64>,
    still_wanted: Option<unsafe extern "C" fn(*mut c_void) -> u32>,
    get_extension: Option<unsafe extern "C" fn(*mut c_void, Text) -> *const c_void>,
}

#[repr(C)]
struct CreateArgs {
    struct_size: u32,
    players: u32,
    host: *const Host,
    params: Array,
    library_folder: Text,
    config_folder: Text,
    budget_us: u64,
}

type Status = u32;
const OK: Status = 0;
const FAILED: Status = 1;

#[repr(C)]
struct PolicyDescriptor {
    id: Text,
    name: Text,
    version: Text,
    summary: Text,
    players: u32,
    game: u32,
    params: Array,
    create: unsafe extern "C" fn(*const CreateArgs, *mut *mut Instance, *mut TextBuffer) -> Status,
    decide: unsafe extern "C" fn(*mut Instance, *const ViewHead, *mut Decision, *mut TextBuffer) -> Status,
    destroy: unsafe extern "C" fn(*mut Instance, *mut TextBuffer) -> Status,
    get_extension: Option<unsafe extern "C" fn(*mut Instance, Text) -> *const c_void>,
}

#[repr(C)]
pub struct Entry {
    struct_size: u32,
    magic: u32,
    abi_major: u32,
    abi_minor: u32,
    build_id: Text,
    policies: Array,
}

unsafe impl Sync for Entry {}
unsafe impl Sync for PolicyDescriptor {}

struct Instance {
    host: *const Host,
    asked: u64,
}

unsafe fn say(buffer: *mut TextBuffer, words: &str) -> Status {
    let TextBuffer { data, capacity, len } = &mut *buffer;
    let count = words.len().min((*capacity - *len) as usize);
    ptr::copy_nonoverlapping(words.as_ptr(), data.add(*len as usize), count);
    *len += count as u32;
    FAILED
}

macro_rules! require {
    ($error:expr, $condition:expr) => {
        if !$condition {
            return say($error, concat!("not as in 1.0: ", stringify!($condition)));
        }
    };
}

unsafe extern "C" fn create(args: *const CreateArgs, instance: *mut *mut Instance, error: *mut TextBuffer) -> Status {
    let args = &*args;
    require!(error, args.struct_size as usize >= size_of::<CreateArgs>());
    require!(error, args.players == 3 || args.players == 4);
    require!(error, args.params.len == 0 && args.library_folder.len > 0 && args.budget_us >= 1_000_000);
    *instance = Box::into_raw(Box::new(Instance { host: args.host, asked: 0 }));
    OK
}

unsafe extern "C" fn decide(
    instance: *mut Instance,
    view: *const ViewHead,
    decision: *mut Decision,
    error: *mut TextBuffer,
) -> Status {
    let (instance, view, decision) = (&mut *instance, &*view, &mut *decision);
    let host = &*instance.host;
    instance.asked += 1;
    require!(error, view.game == 0 && view.question == instance.asked);
    require!(error, view.budget_us > 100 && view.legal.len > 1);
    require!(error, view.legal.stride as usize >= size_of::<LegalAction>());
    require!(error, host.still_wanted.is_some_and(|wanted| wanted(host.context) == 1));
    if let Some(log) = host.log {
        log(host.context, 3, Text::new("a library of 1.0 in Rust decides"));
    }
    const HORA: u8 = 9;
    decision.index = 0;
    for index in 0..view.legal.len {
        let action = view.legal.items.cast::<u8>().add((view.legal.stride * index) as usize).cast::<LegalAction>();
        require!(error, (*action).kind >= 1 && (*action).kind <= 11);
        if (*action).kind == HORA {
            decision.index = index;
        }
    }
    decision.question = view.question;
    say(&mut decision.reason, "as 1.0 does");
    OK
}

unsafe extern "C" fn destroy(instance: *mut Instance, _: *mut TextBuffer) -> Status {
    drop(Box::from_raw(instance));
    OK
}

static POLICY: PolicyDescriptor = PolicyDescriptor {
    id: Text::new("riichi"),
    name: Text::new("Rust of 1.0"),
    version: Text::new("1.0"),
    summary: Text::new("Looks whether the boundary is as it was."),
    players: 1 << 3 | 1 << 4,
    game: 0,
    params: Array { items: ptr::null(), len: 0, stride: 8 },
    create,
    decide,
    destroy,
    get_extension: None,
};

static ENTRY: Entry = Entry {
    struct_size: size_of::<Entry>() as u32,
    magic: u32::from_le_bytes(*b"BotP"),
    abi_major: 1,
    abi_minor: 0,
    build_id: Text::new("Rust of 1.0"),
    policies: Array { items: (&raw const POLICY).cast(), len: 1, stride: size_of::<PolicyDescriptor>() as u32 },
};

#[no_mangle]
pub extern "C" fn bot_policy_entry() -> *const Entry {
    &ENTRY
}
