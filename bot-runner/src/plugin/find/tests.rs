//! Which policy is meant, and what is said where none is.

use std::fs;
use std::time::Duration;

use super::*;
use crate::plugin::PolicyInfo;

fn config(library: LibraryChoice, id: Option<&str>) -> PolicyConfig {
    PolicyConfig { library, id: id.map(str::to_owned), think: None, margin: Duration::ZERO, params: toml::Table::new() }
}

#[track_caller]
fn problem(libraries: &mut Libraries, file: &Path, config: &PolicyConfig) -> (String, String) {
    let mut problems = libraries.find(file, config, 4).expect_err("it is not to be had");
    assert_eq!(problems.len(), 1, "{problems:?}");
    let Problem { key, message, .. } = problems.remove(0);
    (key, message)
}

/// What is built in, and once more under another id.
fn two_built_in() -> Libraries {
    let mut libraries = Libraries::default();
    let built_in = &libraries.builtin[0];
    let other = PolicyInfo { id: "other".to_owned(), ..built_in.policies[0].clone() };
    libraries.builtin.push(Arc::new(Library::in_children(Origin::Builtin, String::new(), vec![other])));
    libraries
}

#[test]
fn built_in_without_an_id_is_the_only_policy_there_is() {
    let config = config(LibraryChoice::Builtin, None);
    let chosen = Libraries::default().find(Path::new("kuma.toml"), &config, 4).expect("there is one");
    assert_eq!(chosen.info().id, "greedy-tenpai");
}

#[test]
fn built_in_without_an_id_is_a_problem_where_there_are_several() {
    let config = config(LibraryChoice::Builtin, None);
    let (key, message) = problem(&mut two_built_in(), Path::new("kuma.toml"), &config);
    assert_eq!(key, "policy.id");
    assert_eq!(message, "several policies are built in; say which: `greedy-tenpai`, `other`");
}

#[test]
fn a_built_in_policy_that_there_is_not_is_told_with_those_there_are() {
    let config = config(LibraryChoice::Builtin, Some("third"));
    let (key, message) = problem(&mut two_built_in(), Path::new("kuma.toml"), &config);
    assert_eq!(key, "policy.id");
    assert!(message.contains("\"third\"") && message.contains("`greedy-tenpai`, `other`"), "{message}");
}

#[test]
fn a_path_to_nothing_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for path in [folder.path().join("libmine.so"), folder.path().to_owned()] {
        let config = config(LibraryChoice::Path(path.clone()), None);
        let (key, message) = problem(&mut Libraries::default(), Path::new("kuma.toml"), &config);
        let next = "is no file; build the library first, or correct the path";
        assert_eq!((key.as_str(), message), ("policy.library", format!("{} {next}", path.display())));
    }
}

#[test]
fn a_name_is_looked_up_as_it_stands_and_as_cargo_would_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("kuma.toml");
    let config = config(LibraryChoice::Name("my-own".to_owned()), None);
    let (key, message) = problem(&mut Libraries::default(), &file, &config);
    assert_eq!(key, "policy.library");
    for name in ["libmy-own.so", "libmy_own.so"] {
        let tried = folder.path().join(name);
        assert!(message.contains(&tried.display().to_string()), "{message}");
        fs::write(&tried, "no library").expect("it can be written");
        let (_, found) = problem(&mut Libraries::default(), &file, &config);
        assert!(found.starts_with(&format!("{} is no library", tried.display())), "{found}");
        fs::remove_file(&tried).expect("it is there");
    }
}

#[test]
fn a_file_is_loaded_once_by_whatever_path() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().canonicalize().expect("it is there").join("libmine.so");
    fs::write(&file, "no library, but for these tests loaded before").expect("it can be written");
    let mut libraries = Libraries::default();
    let policies = libraries.builtin[0].policies.clone();
    libraries.loaded.push(Arc::new(Library::in_children(Origin::File(file.clone()), String::new(), policies)));
    for path in [file.clone(), folder.path().join("./libmine.so")] {
        let chosen = libraries.find(Path::new("kuma.toml"), &config(LibraryChoice::Path(path), None), 4);
        let library = chosen.expect("it is not loaded again").library;
        assert!(Arc::ptr_eq(&library, &libraries.loaded[0]));
    }
}
