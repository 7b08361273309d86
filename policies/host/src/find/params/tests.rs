//! A config's `[policy.params]` against what the policy's descriptor allows.

use policy_sdk::{
    Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Param, Params, Policy, View,
};

use super::*;
use crate::games::GameKind;
use crate::{ChosenPolicy, Launch, Library, LibraryChoice, PolicyThread, StartOptions};

/// A policy with a parameter of each type.
struct Chooser;

impl Policy for Chooser {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "chooser",
        name: "Chooser",
        version: "1",
        summary: "For tests.",
        games: Games::Both,
        params: &[
            Param::integer("depth", 3, 1, 8, "How deep to look."),
            Param::number("weight", 0.5, 0.0, 1.0, "How much it weighs."),
            Param::boolean("brave", false, "Whether it is brave."),
            Param::text("motto", "", "Text of the answer."),
            Param::choice(
                "style",
                "calm",
                &[Choice::new("calm"), Choice::new("wild")],
                "Style of play.",
            ),
            Param::path("weights", "Path of its weights."),
        ],
    };

    /// Reports its parameters instead of starting.
    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let (depth, weight, brave) = (
            params.integer("depth")?,
            params.number("weight")?,
            params.boolean("brave")?,
        );
        let (motto, style, weights) = (
            params.text("motto")?,
            params.choice("style")?,
            params.path("weights")?,
        );
        let given = format!(
            "{depth} {weight} {brave} {motto:?} {style} {weights:?} in {:?}",
            env.config_folder()
        );
        Err(CreateError::Failed(given))
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

fn checked(params: &str) -> Result<ParamValues, Vec<KeyProblem>> {
    let section = PolicyConfig {
        params: params.parse().expect("TOML"),
        ..PolicyConfig::of(LibraryChoice::Builtin, None)
    };
    check_params(
        &section,
        &Library::of::<Chooser>().description.policies[0],
        Path::new("/bots"),
    )
}

fn check(params: &str) -> Vec<KeyProblem> {
    checked(params).err().unwrap_or_default()
}

/// The parameters that arrive at the policy.
async fn arrives(params: &str) -> String {
    let params = checked(params).expect("nothing is wrong with them");
    let policy = ChosenPolicy {
        params,
        ..ChosenPolicy::of::<Chooser>()
    };
    let options = StartOptions {
        bot: "kuma".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: "/bots".into(),
        launch: Launch::own(Vec::new()),
    };
    PolicyThread::start(policy, options)
        .await
        .expect_err("it never starts")
        .to_string()
}

#[track_caller]
fn one_problem(params: &str) -> (String, String) {
    let mut problems = check(params);
    assert_eq!(problems.len(), 1, "{params}: {problems:?}");
    let problem = problems.remove(0);
    (problem.key, problem.message)
}

#[test]
fn every_parameter_is_optional() {
    assert_eq!(check(""), []);
}

#[test]
fn values_of_the_right_type_and_in_range_are_taken() {
    let all = "depth = 8\nweight = 0.25\nbrave = true\nmotto = \"?\"\nstyle = \"wild\"\nweights = \"w.bin\"";
    assert_eq!(check(all), []);
    assert_eq!(check("weight = 1"), [], "a whole number is a number too");
}

#[tokio::test]
async fn missing_parameters_arrive_as_their_defaults() {
    let arrived = arrives("").await;
    assert!(
        arrived.ends_with(r#"3 0.5 false "" calm None in "/bots""#),
        "{arrived}"
    );
}

#[tokio::test]
async fn set_values_arrive_unchanged_and_a_path_complete() {
    let all =
        "depth = 8\nweight = 1\nbrave = true\nmotto = \"?\"\nstyle = \"wild\"\nweights = \"w.bin\"";
    let arrived = arrives(all).await;
    assert!(
        arrived.ends_with(r#"8 1 true "?" wild Some("/bots/w.bin") in "/bots""#),
        "{arrived}"
    );
}

#[tokio::test]
async fn a_list_of_numbers_arrives_as_text() {
    let arrived = arrives("motto = [90, 45.5, -135]").await;
    assert!(arrived.contains(r#""90, 45.5, -135""#), "{arrived}");
    let (_, message) = one_problem("motto = [90, true]");
    assert_eq!(message, "found a list, allowed is a text in quotes");
}

#[test]
fn a_value_of_the_wrong_type_or_out_of_range_is_reported_with_the_allowed_values() {
    for (params, key, message) in [
        (
            "depth = 9",
            "depth",
            "found 9, allowed are whole numbers from 1 to 8",
        ),
        (
            "depth = 1.5",
            "depth",
            "found 1.5, allowed are whole numbers from 1 to 8",
        ),
        (
            "weight = 1.5",
            "weight",
            "found 1.5, allowed are numbers from 0 to 1",
        ),
        (
            "weight = nan",
            "weight",
            "found nan, allowed are numbers from 0 to 1",
        ),
        (
            "brave = \"yes\"",
            "brave",
            "found \"yes\", allowed are true and false",
        ),
        ("motto = 3", "motto", "found 3, allowed is a text in quotes"),
        (
            "style = \"mild\"",
            "style",
            "found \"mild\", allowed are \"calm\", \"wild\"; did you mean `wild`?",
        ),
        (
            "weights = true",
            "weights",
            "found true, allowed is a path in quotes, relative to the config",
        ),
        (
            "depth = [1]",
            "depth",
            "found a list, allowed are whole numbers from 1 to 8",
        ),
    ] {
        assert_eq!(
            one_problem(params),
            (format!("policy.params.{key}"), message.to_owned())
        );
    }
}

#[test]
fn an_unknown_parameter_is_reported_with_those_there_are() {
    let (key, message) = one_problem("speed = 3");
    assert_eq!(key, "policy.params.speed");
    for name in [
        "`depth`",
        "`weight`",
        "`brave`",
        "`motto`",
        "`style`",
        "`weights`",
    ] {
        assert!(message.contains(name), "{message}");
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    assert_eq!(check("depth = 0\nbrave = 1\nspeed = 3").len(), 3);
}
