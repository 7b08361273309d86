//! Policies and libraries in words.

use std::path::Path;

use client::place::short;
use policy_host::{ChosenPolicy, Origin, escaped};

/// A policy with its version; one that asks a program is named by the program's file: `kuma.py (program 0.1.0)`.
pub(super) fn policy_words(policy: &ChosenPolicy) -> String {
    let info = policy.info();
    let words = format!("{} {}", info.id, info.version);
    let command = policy.section.params.get("command").and_then(|command| command.as_str());
    match command.and_then(program_file) {
        Some(file) => format!("{} ({words})", escaped(file.as_bytes())),
        None => words,
    }
}

/// The file that a command runs: of an interpreter its script.
fn program_file(command: &str) -> Option<String> {
    let words = shell_words::split(command).ok()?;
    let name = |word: &String| Some(Path::new(word).file_name()?.to_str()?.to_owned());
    let names = || words.iter().filter(|word| !word.starts_with('-')).filter_map(name);
    // `python3.11` has a version behind its point.
    let is_script = |name: &String| {
        let end = Path::new(name).extension().and_then(|end| end.to_str());
        end.is_some_and(|end| end.starts_with(|first: char| first.is_ascii_alphabetic()))
    };
    names().find(is_script).or_else(|| names().next())
}

/// Where a library comes from, as short as it can be said from here.
pub(super) fn library_words(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "built in".to_owned(),
        Origin::File(path) => escaped(short(path).as_os_str().as_encoded_bytes()),
    }
}

/// The same in a table of libraries: the name of its file, if no other library of the table has it.
pub(super) fn library_cell(origin: &Origin, all: &[Origin]) -> String {
    let Origin::File(path) = origin else { return library_words(origin) };
    let is_other =
        |other: &Origin| other != origin && matches!(other, Origin::File(file) if file.file_name() == path.file_name());
    match path.file_name() {
        Some(name) if !all.iter().any(is_other) => escaped(name.as_encoded_bytes()),
        _ => library_words(origin),
    }
}
