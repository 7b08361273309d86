//! Which policy is found, and the message if there is none. Trials in real processes are tested
//! with the program.

use std::fs;
use std::path::PathBuf;

use policy_sdk::{Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, View};

use super::*;
use crate::Launch;
use crate::games::GameKind;
use crate::policy_config::LibraryChoice;

/// A policy that takes no parameters and plays with four.
struct First;

impl Policy for First {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "first",
        name: "First",
        version: "1.0",
        summary: "takes the first action",
        games: Games::FourPlayers,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

struct Second;

impl Policy for Second {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "second",
        ..First::DESCRIPTOR
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, _: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        Ok(0)
    }
}

fn section(library: LibraryChoice, id: Option<&str>) -> PolicyConfig {
    PolicyConfig::of(library, id.map(str::to_owned))
}

fn launch() -> Launch {
    Launch {
        program: PathBuf::from("/nowhere"),
        token_variables: Vec::new().into_iter().collect(),
    }
}

fn options(players: u8) -> StartOptions {
    StartOptions {
        bot: "kuma".to_owned(),
        game: GameKind::Riichi,
        players,
        config_folder: PathBuf::new(),
        launch: launch(),
    }
}

fn one_built_in() -> Libraries {
    Libraries::new(launch(), vec![Library::of::<First>()])
}

fn two_built_in() -> Libraries {
    Libraries::new(
        launch(),
        vec![Library::of::<First>(), Library::of::<Second>()],
    )
}

fn admit(
    libraries: &Libraries,
    section: &PolicyConfig,
    known: Option<&KnownPolicy>,
) -> Result<Admitted, KeyProblem> {
    libraries
        .admit(section, &options(4), known, Instant::now())
        .map_err(|mut problems| {
            assert_eq!(problems.len(), 1, "{problems:?}");
            problems.remove(0)
        })
}

#[track_caller]
fn problem(libraries: &Libraries, section: &PolicyConfig) -> (String, String) {
    let KeyProblem { key, message } =
        admit(libraries, section, None).expect_err("it is not admitted");
    (key, message)
}

#[test]
fn built_in_without_an_id_is_the_only_policy() {
    let section = section(LibraryChoice::Builtin, None);
    let Ok(Admitted::Ready(policy)) = admit(&one_built_in(), &section, None) else {
        panic!("there is one")
    };
    assert_eq!(policy.info().id, "first");
}

#[test]
fn built_in_without_an_id_is_a_problem_if_there_are_several() {
    let (key, message) = problem(&two_built_in(), &section(LibraryChoice::Builtin, None));
    assert_eq!(key, "policy.id");
    assert_eq!(
        message,
        "several policies are built in; say which: `first`, `second`"
    );
}

#[test]
fn an_unknown_built_in_policy_is_reported_with_the_known_ones() {
    let (key, message) = problem(
        &two_built_in(),
        &section(LibraryChoice::Builtin, Some("third")),
    );
    assert_eq!(key, "policy.id");
    assert!(
        message.contains("\"third\"") && message.contains("`first`, `second`"),
        "{message}"
    );
}

#[test]
fn a_policy_for_another_number_of_players_is_refused_with_advice() {
    let section = section(LibraryChoice::Builtin, Some("first"));
    let problems = one_built_in()
        .admit(&section, &options(3), None, Instant::now())
        .expect_err("it plays with four");
    assert_eq!(problems[0].key, "policy.id");
    assert!(
        problems[0]
            .message
            .contains("plays with four players, and 3 play"),
        "{problems:?}"
    );
}

#[test]
fn every_wrong_parameter_is_reported() {
    let mut section = section(LibraryChoice::Builtin, Some("first"));
    section.params = "level = 1\nspeed = 2".parse().expect("it is TOML");
    let problems = one_built_in()
        .admit(&section, &options(4), None, Instant::now())
        .expect_err("it takes none");
    let keys: Vec<&str> = problems
        .iter()
        .map(|problem| problem.key.as_str())
        .collect();
    assert_eq!(keys, ["policy.params.level", "policy.params.speed"]);
}

#[test]
fn a_path_to_nothing_is_reported_with_advice() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for path in [folder.path().join("libmine.so"), folder.path().to_owned()] {
        let (key, message) = problem(
            &one_built_in(),
            &section(LibraryChoice::Path(path.clone()), None),
        );
        let next = "is not a file; build the library first, or correct the path";
        assert_eq!(
            (key.as_str(), message),
            ("policy.library", format!("{} {next}", path.display()))
        );
    }
}

#[test]
fn a_built_in_policy_that_plays_already_is_the_same_until_its_section_changes() {
    let libraries = one_built_in();
    let section = section(LibraryChoice::Builtin, Some("first"));
    let Ok(Admitted::Ready(policy)) = admit(&libraries, &section, None) else {
        panic!("it is built in")
    };
    let known = KnownPolicy::of(section.clone(), &policy);
    assert!(matches!(
        admit(&libraries, &section, Some(&known)),
        Ok(Admitted::Same)
    ));
    let changed = PolicyConfig {
        think: Some(Duration::from_millis(5)),
        ..section
    };
    assert!(matches!(
        admit(&libraries, &changed, Some(&known)),
        Ok(Admitted::Ready(_))
    ));
}

#[test]
fn a_library_that_plays_already_is_the_same_without_a_process_and_after_a_touch() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("libmine.so");
    fs::write(&path, "a library").expect("it can be written");
    let section = section(LibraryChoice::Path(path.clone()), None);
    let identity = PolicyIdentity {
        id: "mine".to_owned(),
        version: "1".to_owned(),
        library: Origin::File(path.canonicalize().expect("it is there")),
        hash: Some(Sha256::of(b"a library")),
    };
    let known = KnownPolicy {
        section: section.clone(),
        identity,
        copy: None,
    };
    let libraries = one_built_in();
    for _ in 0..2 {
        assert!(matches!(
            admit(&libraries, &section, Some(&known)),
            Ok(Admitted::Same)
        ));
        fs::write(&path, "a library").expect("it can be written");
    }
    fs::write(&path, "another library").expect("it can be written");
    let (_, message) = problem_with(&libraries, &section, &known);
    assert!(
        message.contains("no process for the policy"),
        "it is tried out: {message}"
    );
}

fn problem_with(
    libraries: &Libraries,
    section: &PolicyConfig,
    known: &KnownPolicy,
) -> (String, String) {
    let KeyProblem { key, message } =
        admit(libraries, section, Some(known)).expect_err("it is not admitted");
    (key, message)
}

#[test]
fn a_library_of_another_content_than_the_config_allows_is_refused_with_both() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("libmine.so");
    fs::write(&path, "a library").expect("it can be written");
    let (own, other) = (Sha256::of(b"a library"), Sha256::of(b"another build"));
    let section = PolicyConfig {
        sha256: Some(other),
        ..section(LibraryChoice::Path(path), None)
    };
    let (key, message) = problem(&one_built_in(), &section);
    assert_eq!(key, "policy.sha256");
    assert!(
        message.contains(&own.to_string()) && message.contains(&other.to_string()),
        "{message}"
    );
}

#[test]
fn a_built_in_policy_has_no_content_to_compare() {
    let section = PolicyConfig {
        sha256: Some(Sha256::of(b"")),
        ..section(LibraryChoice::Builtin, None)
    };
    assert_eq!(problem(&one_built_in(), &section).0, "policy.sha256");
}
