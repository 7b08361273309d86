//! Parameters: defaults, types, ranges, and how a wrong one is named.

use policy_abi::entry::Entry;
use policy_abi::params::{VALUE_CHOICE, VALUE_PATH, VALUE_TEXT, Value};
use policy_abi::status::{STATUS_BAD_PARAMETER, STATUS_FAILED};

use crate::testing::TestInstance;
use crate::{
    Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View,
    entry, policy,
};

/// Refuses to be created, and says with which parameters.
struct Telling;

const SPEEDS: &[Choice] = &[Choice::new("slow"), Choice::new("fast")];

impl Policy for Telling {
    type Game = crate::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "telling",
        name: "Telling",
        version: "1",
        summary: "Says its parameters.",
        games: Games::Both,
        params: &[
            Param::integer("depth", 3, 1, 9, "How deep."),
            Param::number("weight", 0.5, 0.0, 1.0, "How heavy."),
            Param::boolean("brave", true, "Whether brave."),
            Param::text("motto", "none", "Text of the answer."),
            Param::choice("speed", "slow", SPEEDS, "How fast."),
            Param::path("weights", "Path of the weights."),
        ],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        let (depth, weight, brave) = (
            params.integer("depth")?,
            params.number("weight")?,
            params.boolean("brave")?,
        );
        let (motto, speed, weights) = (
            params.text("motto")?,
            params.choice("speed")?,
            params.path("weights")?,
        );
        Err(CreateError::Failed(format!(
            "{depth} {weight} {brave} {motto} {speed} {weights:?}"
        )))
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

/// Asks for a parameter that it has not described as such.
struct Forgetful;

impl Policy for Forgetful {
    type Game = crate::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "forgetful",
        name: "Forgetful",
        version: "1",
        summary: "Asks for a parameter that it has not described as such.",
        games: Games::Both,
        params: &[Param::integer("depth", 3, 1, 9, "How deep.")],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        params.boolean("depth")?;
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

static ENTRY: Entry = entry("test", &[policy::<Telling>(), policy::<Forgetful>()]);

fn created(settings: &[(&str, Value)]) -> (i32, String) {
    let refused = TestInstance::create(&ENTRY, "telling", settings).unwrap_err();
    (refused.status, refused.text)
}

#[test]
fn parameters_left_out_have_their_defaults_and_a_path_has_none() {
    assert_eq!(
        created(&[]),
        (STATUS_FAILED, "3 0.5 true none slow None".to_owned())
    );
}

#[test]
fn parameters_given_take_the_place_of_the_defaults() {
    let settings = [
        ("weights", Value::text(VALUE_PATH, "/a/b")),
        ("depth", Value::integer(9)),
        ("weight", Value::number(0.0)),
        ("brave", Value::boolean(false)),
        ("motto", Value::text(VALUE_TEXT, "東")),
        ("speed", Value::text(VALUE_CHOICE, "fast")),
    ];
    assert_eq!(
        created(&settings),
        (STATUS_FAILED, "9 0 false 東 fast Some(\"/a/b\")".to_owned())
    );
}

#[test]
fn a_wrong_parameter_is_named_with_the_value_found_and_the_allowed_values() {
    for (name, value, found, allowed) in [
        (
            "depth",
            Value::integer(10),
            "10",
            "a whole number from 1 to 9",
        ),
        (
            "depth",
            Value::boolean(true),
            "true",
            "a whole number from 1 to 9",
        ),
        (
            "weight",
            Value::number(f64::NAN),
            "NaN",
            "a number from 0 to 1",
        ),
        (
            "weight",
            Value::number(-0.1),
            "-0.1",
            "a number from 0 to 1",
        ),
        (
            "speed",
            Value::text(VALUE_CHOICE, "fastest"),
            "`fastest`",
            "one of slow, fast",
        ),
        ("motto", Value::NONE, "of the unknown type 0", "text"),
        (
            "motto",
            Value {
                kind: 99,
                ..Value::NONE
            },
            "of the unknown type 99",
            "text",
        ),
        (
            "deepness",
            Value::integer(1),
            "unknown",
            "depth, weight, brave, motto, speed, weights",
        ),
    ] {
        let text = format!("parameter `{name}` is {found}; allowed: {allowed}");
        assert_eq!(created(&[(name, value)]), (STATUS_BAD_PARAMETER, text));
    }
}

#[test]
fn a_parameter_that_is_not_described_as_asked_for_is_an_error_of_the_policy() {
    let refused = TestInstance::create(&ENTRY, "forgetful", &[]).unwrap_err();
    assert_eq!(refused.status, STATUS_BAD_PARAMETER);
    assert!(
        refused.text.contains("`depth`") && refused.text.contains("another type"),
        "{}",
        refused.text
    );
}

/// Asks for a text that must be set.
struct Named;

impl Policy for Named {
    type Game = crate::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "named",
        name: "Named",
        version: "1",
        summary: "Asks for a text that must be set.",
        games: Games::Both,
        params: &[Param::required_text("title", "Name of the policy.")],
    };

    fn create(params: &Params, _: &Env) -> Result<Self, CreateError> {
        Err(CreateError::Failed(params.text("title")?.to_owned()))
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

#[test]
fn a_text_without_a_default_must_be_set() {
    static ENTRY: Entry = entry("named 1", &[policy::<Named>()]);
    let missing = TestInstance::create(&ENTRY, "named", &[]).unwrap_err();
    let text = "parameter `title` is missing; allowed: text".to_owned();
    assert_eq!((missing.status, missing.text), (STATUS_BAD_PARAMETER, text));
    let set = TestInstance::create(
        &ENTRY,
        "named",
        &[("title", Value::text(VALUE_TEXT, "Kuma"))],
    )
    .unwrap_err();
    assert_eq!((set.status, set.text.as_str()), (STATUS_FAILED, "Kuma"));
}
