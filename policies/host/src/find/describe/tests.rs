//! For any description whose pointers are valid, reading ends in an error or in a consistent
//! description.

use std::ptr;
use std::sync::Mutex;

use policy_abi::create::CreateArgs;
use policy_abi::decision::Decision;
use policy_abi::descriptor::{Instance, PolicyDescriptorArray};
use policy_abi::entry::Entry;
use policy_abi::layout::{Plain, struct_size, write_prefix};
use policy_abi::params::ParamDescriptorArray;
use policy_abi::status::{STATUS_FAILED, Status};
use policy_abi::text::{TextArray, TextBuffer};
use policy_abi::view::View;
use proptest::collection::vec;
use proptest::prelude::*;

use policy_abi::head::GAME_RIICHI;

use super::*;
use crate::find::load::read_entry;

unsafe extern "C" fn create(
    _: *const CreateArgs,
    _: *mut *mut Instance,
    _: *mut TextBuffer,
) -> Status {
    STATUS_FAILED
}

unsafe extern "C" fn decide(
    _: *mut Instance,
    _: *const View,
    _: *mut Decision,
    _: *mut TextBuffer,
) -> Status {
    STATUS_FAILED
}

unsafe extern "C" fn destroy(_: *mut Instance, _: *mut TextBuffer) -> Status {
    STATUS_FAILED
}

/// A library's memory, which lives to the end of the tests. Its address is stored, so that it is
/// not a leak.
fn lasting<T>(items: Vec<T>) -> &'static [T] {
    static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    let items = items.leak();
    KEPT.lock()
        .expect("no thread panics here")
        .push(items.as_ptr().expose_provenance());
    items
}

/// The elements `stride` bytes apart, cut off or filled up with ones.
fn spaced<T: Plain>(items: &[T], stride: u32) -> *const T {
    let mut bytes = vec![0xff_u8; items.len() * stride as usize];
    for (place, item) in bytes.chunks_exact_mut(stride.max(1) as usize).zip(items) {
        // SAFETY: the place has `stride` bytes.
        unsafe { write_prefix(place.as_mut_ptr().cast(), stride, item) };
    }
    lasting(bytes).as_ptr().cast()
}

fn text() -> impl Strategy<Value = Text> {
    let good = "[a-z0-9_-]{1,4}".prop_map(|text| text.into_bytes());
    let bytes = prop_oneof![4 => good, 1 => vec(any::<u8>(), 0..6)];
    (
        bytes,
        prop_oneof![9 => Just(None), 1 => (MAX_TEXT_BYTES + 1..).prop_map(Some)],
    )
        .prop_map(|(bytes, too_long)| {
            let bytes = lasting(bytes);
            // A length beyond the limit is refused before a byte is read.
            Text {
                data: bytes.as_ptr(),
                len: too_long.unwrap_or(bytes.len() as u64),
            }
        })
}

/// A length and a stride for these elements: mostly correct, else a length beyond the limit, or
/// none.
fn array<T: Plain>(items: Vec<T>) -> impl Strategy<Value = (*const T, u32, u32)> {
    let (len, size) = (items.len() as u32, struct_size::<T>());
    let stride = prop_oneof![4 => Just(size), 1 => 0..size * 2];
    let claimed = prop_oneof![9 => Just(len), 1 => (MAX_PARAMETERS + 1).max(MAX_POLICIES + 1)..];
    (stride, claimed, prop::bool::weighted(0.1)).prop_map(move |(stride, claimed, null)| {
        (
            if null {
                ptr::null()
            } else {
                spaced(&items, stride)
            },
            claimed,
            stride,
        )
    })
}

fn value() -> impl Strategy<Value = Value> {
    (0_u32..8, any::<u32>(), any::<i64>(), any::<f64>(), text()).prop_map(
        |(kind, boolean, integer, number, text)| Value {
            kind,
            boolean,
            integer,
            number,
            text,
        },
    )
}

fn param() -> impl Strategy<Value = ParamDescriptor> {
    let choices = vec(text(), 0..3).prop_flat_map(array);
    let ranges = (any::<i64>(), any::<i64>(), any::<f64>(), any::<f64>());
    (
        text(),
        text(),
        prop_oneof![9 => 1_u32..7, 1 => any::<u32>()],
        value(),
        ranges,
        choices,
        any::<bool>(),
    )
        .prop_map(
            |(name, help, kind, mut default_value, ranges, (items, len, stride), alike)| {
                if alike {
                    default_value.kind = kind;
                }
                ParamDescriptor {
                    name,
                    help,
                    kind,
                    flags: 0,
                    default_value,
                    integer_min: ranges.0,
                    integer_max: ranges.1,
                    number_min: ranges.2,
                    number_max: ranges.3,
                    choices: TextArray { items, len, stride },
                }
            },
        )
}

fn policy() -> impl Strategy<Value = PolicyDescriptor> {
    let params = vec(param(), 0..3).prop_flat_map(array);
    let functions = (
        prop::bool::weighted(0.95),
        prop::bool::weighted(0.95),
        prop::bool::weighted(0.95),
    );
    (
        text(),
        text(),
        text(),
        text(),
        any::<u32>(),
        params,
        functions,
    )
        .prop_map(
            |(id, name, version, summary, players, (items, len, stride), functions)| {
                PolicyDescriptor {
                    id,
                    name,
                    version,
                    summary,
                    players,
                    game: GAME_RIICHI,
                    params: ParamDescriptorArray { items, len, stride },
                    create: functions.0.then_some(create as CreateFn),
                    decide: functions.1.then_some(decide as DecideFn),
                    destroy: functions.2.then_some(destroy as DestroyFn),
                    get_extension: None,
                }
            },
        )
}

fn entry() -> impl Strategy<Value = Entry> {
    let policies = vec(policy(), 0..3).prop_flat_map(array);
    let size = prop_oneof![9 => Just(struct_size::<Entry>()), 1 => 4..struct_size::<Entry>()];
    (size, any::<[u32; 3]>(), text(), policies).prop_map(
        |(struct_size, [magic, abi_major, abi_minor], build_id, (items, len, stride))| Entry {
            struct_size,
            magic,
            abi_major,
            abi_minor,
            build_id,
            policies: PolicyDescriptorArray { items, len, stride },
        },
    )
}

proptest! {
    #[test]
    fn an_entry_is_refused_or_holds_together(entry in entry()) {
        // SAFETY: its pointers lead to as much as it says, or it says more than is believed.
        let Ok(described) = (unsafe { read_entry(&raw const entry) }) else { return Ok(()) };
        let json = serde_json::to_vec(&described.description).expect("it has a JSON form");
        let sent: Description = serde_json::from_slice(&json).expect("it can be read back");
        prop_assert_eq!(sent.checked(), Ok(described.description.clone()), "another process can send it");
        let policies = described.description.policies;
        prop_assert_eq!(policies.len(), described.functions.len());
        prop_assert!(!policies.is_empty());
        prop_assert_eq!(twice(policies.iter().map(|policy| policy.id.as_str())), None);
        for policy in &policies {
            prop_assert!(is_policy_id(&policy.id));
            prop_assert_eq!(twice(policy.params.iter().map(|param| param.name.as_str())), None);
        }
    }
}

/// A parameter that is in order.
fn depth() -> ParamDescriptor {
    ParamDescriptor {
        name: Text::new("depth"),
        help: Text::new("How deep."),
        kind: VALUE_INTEGER,
        flags: 0,
        default_value: Value::integer(3),
        integer_min: 1,
        integer_max: 9,
        number_min: 0.0,
        number_max: 0.0,
        choices: TextArray {
            items: ptr::null(),
            len: 0,
            stride: struct_size::<Text>(),
        },
    }
}

/// The error for a policy with these parameters.
fn fault(params: &[ParamDescriptor]) -> String {
    let text = Text::new("odd");
    let stride = struct_size::<ParamDescriptor>();
    let descriptor = PolicyDescriptor {
        id: text,
        name: text,
        version: text,
        summary: text,
        players: 1 << 4,
        game: GAME_RIICHI,
        params: ParamDescriptorArray {
            items: params.as_ptr(),
            len: params.len() as u32,
            stride,
        },
        create: Some(create),
        decide: Some(decide),
        destroy: Some(destroy),
        get_extension: None,
    };
    // SAFETY: its pointers are valid.
    let read = unsafe { PolicyInfo::read(&descriptor) };
    read.and_then(|(policy, _)| policy.checked())
        .map(|_| String::new())
        .unwrap_or_else(|message| message)
}

#[test]
fn a_parameter_in_order_is_taken() {
    assert_eq!(fault(&[depth()]), "");
    assert_eq!(
        fault(&[ParamDescriptor {
            default_value: Value::NONE,
            ..depth()
        }]),
        ""
    );
}

#[test]
fn two_parameters_of_one_name_are_refused() {
    assert_eq!(
        fault(&[depth(), depth()]),
        "policy odd: two parameters are called \"depth\""
    );
}

#[test]
fn a_default_beyond_its_range_or_of_another_type_is_refused() {
    for default_value in [
        Value::integer(0),
        Value::integer(10),
        Value::number(3.0),
        Value::text(VALUE_TEXT, "3"),
    ] {
        let said = fault(&[ParamDescriptor {
            default_value,
            ..depth()
        }]);
        assert_eq!(
            said,
            "policy odd: parameter depth: its default is not a value that it allows"
        );
    }
}

#[test]
fn a_choice_that_is_not_in_the_list_is_no_default() {
    let choices = [Text::new("slow"), Text::new("fast")];
    let choices = TextArray {
        items: choices.as_ptr(),
        len: 2,
        stride: struct_size::<Text>(),
    };
    let speed = |default| ParamDescriptor {
        kind: VALUE_CHOICE,
        default_value: Value::text(VALUE_CHOICE, default),
        choices,
        ..depth()
    };
    assert_eq!(fault(&[speed("fast")]), "");
    assert!(fault(&[speed("faster")]).contains("its default"));
}

/// A description that is in order.
fn description() -> Description {
    let text = || "odd".to_owned();
    let param = |name: &str, kind, default: &str, tunable| ParamInfo {
        name: name.to_owned(),
        help: text(),
        kind,
        default: Some(default.to_owned()),
        tunable,
    };
    let params = vec![
        param("depth", ParamKind::Integer(1, 9), "3", true),
        param("share", ParamKind::Number(0.0, f64::INFINITY), "0.5", false),
        param(
            "speed",
            ParamKind::Choice(vec!["slow".to_owned(), "fast".to_owned()]),
            "\"slow\"",
            false,
        ),
        param("words", ParamKind::Text, "\"\"", false),
        param("on", ParamKind::Boolean, "true", false),
    ];
    let policy = PolicyInfo {
        id: text(),
        name: text(),
        version: text(),
        summary: text(),
        game: GAME_RIICHI,
        players: 1 << 4,
        params,
    };
    Description {
        build_id: text(),
        abi_minor: 0,
        policies: vec![policy],
    }
}

#[test]
fn each_field_of_a_description_has_its_bounds() {
    assert_eq!(description().checked(), Ok(description()));
    let long = || "x".repeat(100_000);
    type Change = fn(&mut Description, String);
    let too_long = "100000 bytes long; at most 4096 are allowed";
    let changes: [(&str, Change, &str); 18] = [
        ("build id", |all, long| all.build_id = long, too_long),
        ("id", |all, long| all.policies[0].id = long, too_long),
        (
            "id",
            |all, _| all.policies[0].id = "Odd\n".to_owned(),
            "allowed are a-z, 0-9 and -",
        ),
        ("name", |all, long| all.policies[0].name = long, too_long),
        (
            "version",
            |all, long| all.policies[0].version = long,
            too_long,
        ),
        (
            "summary",
            |all, long| all.policies[0].summary = long,
            too_long,
        ),
        (
            "parameter",
            |all, long| all.policies[0].params[0].name = long,
            too_long,
        ),
        (
            "help",
            |all, long| all.policies[0].params[0].help = long,
            too_long,
        ),
        (
            "default",
            |all, long| all.policies[0].params[3].default = Some(format!("\"{long}\"")),
            "its default",
        ),
        (
            "default",
            |all, _| all.policies[0].params[0].default = Some("10".to_owned()),
            "its default",
        ),
        (
            "default",
            |all, _| all.policies[0].params[1].default = Some("NaN".to_owned()),
            "its default",
        ),
        (
            "default",
            |all, _| all.policies[0].params[2].default = Some("\"fastest\"".to_owned()),
            "its default",
        ),
        (
            "choice",
            |all, long| all.policies[0].params[2].kind = ParamKind::Choice(vec![long]),
            too_long,
        ),
        (
            "range",
            |all, _| all.policies[0].params[0].kind = ParamKind::Integer(9, 1),
            "its range allows no value",
        ),
        (
            "parameters",
            |all, _| all.policies[0].params = vec![all.policies[0].params[0].clone(); 257],
            "257 parameters",
        ),
        (
            "parameters",
            |all, _| all.policies[0].params = vec![all.policies[0].params[0].clone(); 2],
            "two parameters",
        ),
        (
            "policies",
            |all, _| all.policies = vec![all.policies[0].clone(); 2],
            "two policies are called \"odd\"",
        ),
        ("policies", |all, _| all.policies.clear(), "0 policies"),
    ];
    for (field, change, words) in changes {
        let mut changed = description();
        change(&mut changed, long());
        let why = changed.checked().expect_err(field);
        assert!(why.contains(words) && why.len() < 200, "{field}: {why}");
    }
}

#[test]
fn texts_for_users_are_kept_on_one_line_and_short() {
    let mut hostile = description();
    let text = "v\u{1b}[31m\u{202e}\n".repeat(100);
    hostile.build_id.clone_from(&text);
    let policy = &mut hostile.policies[0];
    for place in [
        &mut policy.name,
        &mut policy.version,
        &mut policy.summary,
        &mut policy.params[0].help,
    ] {
        place.clone_from(&text);
    }
    let checked = hostile.checked().expect("it is not too long");
    let policy = &checked.policies[0];
    for (text, most) in [
        (&checked.build_id, MAX_BUILD_ID),
        (&policy.name, MAX_NAME),
        (&policy.version, MAX_NAME),
        (&policy.summary, MAX_SENTENCES),
        (&policy.params[0].help, MAX_SENTENCES),
    ] {
        assert!(
            text.chars().count() == most && text.ends_with('…'),
            "{text}"
        );
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\n']), "{text}");
    }
}
