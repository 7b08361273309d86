//! Which policy is meant, and what is said where none is.

use std::fs;

use super::*;
use crate::plugin::{Description, PolicyInfo};

fn config(library: LibraryChoice, id: Option<&str>) -> PolicyConfig {
    PolicyConfig::of(library, id.map(str::to_owned))
}

fn libraries() -> Libraries {
    Libraries::new(Launch::own(Vec::new()))
}

#[track_caller]
fn problem(libraries: &Libraries, file: &Path, config: &PolicyConfig) -> (String, String) {
    let mut problems = libraries.find(file, config, 4).expect_err("it is not to be had");
    assert_eq!(problems.len(), 1, "{problems:?}");
    let Problem { key, message, .. } = problems.remove(0);
    (key, message)
}

/// The first of what is built in, alone.
fn one_built_in() -> Libraries {
    let mut libraries = libraries();
    libraries.builtin.truncate(1);
    libraries
}

/// The same, and once more under another id.
fn two_built_in() -> Libraries {
    let mut libraries = one_built_in();
    let built_in = &libraries.builtin[0];
    let other = PolicyInfo { id: "other".to_owned(), ..built_in.policies[0].clone() };
    let functions = built_in.functions(0).expect("it is linked");
    libraries.builtin.push(Arc::new(Library::with_policies(vec![(other, functions)])));
    libraries
}

#[test]
fn built_in_without_an_id_is_the_only_policy_there_is() {
    let config = config(LibraryChoice::Builtin, None);
    let chosen = one_built_in().find(Path::new("kuma.toml"), &config, 4).expect("there is one");
    assert_eq!(chosen.info().id, "greedy-tenpai");
}

#[test]
fn built_in_without_an_id_is_a_problem_where_there_are_several() {
    let config = config(LibraryChoice::Builtin, None);
    let (key, message) = problem(&two_built_in(), Path::new("kuma.toml"), &config);
    assert_eq!(key, "policy.id");
    assert_eq!(message, "several policies are built in; say which: `greedy-tenpai`, `other`");
}

#[test]
fn a_built_in_policy_that_there_is_not_is_told_with_those_there_are() {
    let config = config(LibraryChoice::Builtin, Some("third"));
    let (key, message) = problem(&two_built_in(), Path::new("kuma.toml"), &config);
    assert_eq!(key, "policy.id");
    assert!(message.contains("\"third\"") && message.contains("`greedy-tenpai`, `other`"), "{message}");
}

#[test]
fn a_path_to_nothing_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for path in [folder.path().join("libmine.so"), folder.path().to_owned()] {
        let config = config(LibraryChoice::Path(path.clone()), None);
        let (key, message) = problem(&libraries(), Path::new("kuma.toml"), &config);
        let next = "is no file; build the library first, or correct the path";
        assert_eq!((key.as_str(), message), ("policy.library", format!("{} {next}", path.display())));
    }
}

#[test]
fn a_config_that_is_no_file_has_no_folder_to_look_in() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    loaded(&libraries(), &folder.path().join("libmine.so"));
    let config = config(LibraryChoice::Name("mine".to_owned()), None);
    let (_, message) = problem(&libraries(), &folder.path().join("demo.toml"), &config);
    assert!(message.starts_with("no library \"mine\" is found"), "{message}");
}

#[test]
fn a_name_is_looked_up_as_it_stands_and_as_cargo_would_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("kuma.toml");
    fs::write(&file, "").expect("it can be written");
    let config = config(LibraryChoice::Name("my-own".to_owned()), None);
    let (key, message) = problem(&libraries(), &file, &config);
    assert_eq!(key, "policy.library");
    for name in ["libmy-own.so", "libmy_own.so"] {
        let tried = folder.path().join(name);
        assert!(message.contains(&tried.display().to_string()), "{message}");
        fs::write(&tried, "no library").expect("it can be written");
        let (_, found) = problem(&libraries(), &file, &config);
        assert!(found.starts_with(&format!("{} is no library", tried.display())), "{found}");
        fs::remove_file(&tried).expect("it is there");
    }
}

/// A file that could be a library, and the library that stands for having loaded it.
fn loaded(libraries: &Libraries, file: &Path) -> Arc<Library> {
    fs::copy(std::env::current_exe().expect("it has a file"), file).expect("it can be copied");
    let content = Content::read(file).expect("it is whole");
    let policies = libraries.builtin[0].policies.clone();
    let description = Description { build_id: String::new(), abi_minor: 0, policies };
    let folder = PrivateFolder::new(file.parent().expect("it has one")).expect("it can be made");
    let copy = folder.copy(&content).expect("it can be copied");
    let library = Arc::new(Library::described(&content, copy, description));
    locked(&libraries.loaded).push((Isolation::Thread, Arc::downgrade(&library)));
    library
}

#[test]
fn a_build_is_loaded_once_by_whatever_path() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let libraries = libraries();
    let library = loaded(&libraries, &folder.path().join("libmine.so"));
    for path in ["libmine.so", "./libmine.so"].map(|name| folder.path().join(name)) {
        let chosen = libraries.find(Path::new("kuma.toml"), &config(LibraryChoice::Path(path), None), 4);
        assert!(Arc::ptr_eq(&library, &chosen.expect("it is not loaded again").library));
    }
}

#[test]
fn a_build_that_is_set_aside_is_refused_until_it_is_lifted_or_another_is_there() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("libmine.so");
    let libraries = libraries();
    let library = loaded(&libraries, &file);
    let config = config(LibraryChoice::Path(file.clone()), None);
    libraries.quarantine.add(library.hash.expect("it has a file"));
    let (key, message) = problem(&libraries, Path::new("kuma.toml"), &config);
    assert_eq!(key, "policy.library");
    assert!(message.contains("is set aside") && message.contains("bot-runner reload"), "{message}");
    libraries.lift_quarantine(Path::new("kuma.toml"), &config);
    assert!(libraries.find(Path::new("kuma.toml"), &config, 4).is_ok());
}

#[test]
fn a_library_of_another_content_than_the_config_allows_is_refused_with_both() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("libmine.so");
    let libraries = libraries();
    let library = loaded(&libraries, &file);
    let pinned = |hash| PolicyConfig { sha256: Some(hash), ..config(LibraryChoice::Path(file.clone()), None) };
    let own = library.hash.expect("it has a file");
    assert!(libraries.find(Path::new("kuma.toml"), &pinned(own), 4).is_ok());
    let other = ContentHash::of(b"another build");
    let (key, message) = problem(&libraries, Path::new("kuma.toml"), &pinned(other));
    assert_eq!(key, "policy.sha256");
    assert!(message.contains(&own.to_string()) && message.contains(&other.to_string()), "{message}");
}

#[test]
fn a_built_in_policy_has_no_content_to_compare() {
    let config = PolicyConfig { sha256: Some(ContentHash::of(b"")), ..config(LibraryChoice::Builtin, None) };
    assert_eq!(problem(&one_built_in(), Path::new("kuma.toml"), &config).0, "policy.sha256");
}
