//! Policies that fail while the program plays: each failure costs only the actions that it affects.

mod killed;
mod neighbours;
mod one_game;
mod set_aside;

use std::path::{Path, PathBuf};

use crate::common::libraries::MISBEHAVE;
use crate::configs::Folder;

const ISOLATIONS: [&str; 2] = ["thread", "process"];

/// A bot's section for a library, with these parameters. A decision may take longer than a second,
/// after which a policy counts as hung, and a process that starts on a slow machine.
fn policy(library: &Path, isolation: &str, params: &str) -> String {
    format!(
        "[policy]\nlibrary = {library:?}\nisolation = {isolation:?}\nthink_ms = 4000\nparams = {{ {params} }}\n"
    )
}

/// A bot that goes wrong like this (see `policies/misbehave/src/lib.rs`).
fn misbehaving(folder: &Folder, isolation: &str, params: &str) -> PathBuf {
    folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n{}", policy(&MISBEHAVE, isolation, params)),
    )
}
