//! `plugin list`.

use std::fs;
use std::path::Path;

use crate::common::libraries::{MISBEHAVE, misbehave_raw};
use crate::configs::Folder;
use crate::program::Runner;

/// A folder with one library that is good, and a bot that decides by it.
fn folder() -> Folder {
    let folder = Folder::new();
    fs::copy(&*MISBEHAVE, folder.path().join("libmisbehave.so")).expect("it can be copied");
    folder.file(
        "kuma.toml",
        "name = \"kuma\"\n[policy]\nlibrary = \"misbehave\"\n",
    );
    folder
}

fn list(paths: &[&Path]) -> Runner {
    Runner::new([Path::new("plugin"), Path::new("list")].iter().chain(paths))
}

#[test]
fn without_a_path_it_shows_the_current_folder_and_built_in_policies() {
    let folder = folder();
    let listed = list(&[]).in_folder(folder.path()).run();
    let out = listed.exited(0);
    let library = folder
        .path()
        .canonicalize()
        .expect("it is there")
        .join("libmisbehave.so");
    let line = out
        .lines()
        .find(|line| line.contains(&library.display().to_string()))
        .expect("it is listed");
    assert!(
        line.contains(concat!("misbehave ", env!("CARGO_PKG_VERSION"))) && line.contains("sha256 "),
        "{line}"
    );
    let built_in = out.split("built in:").nth(1).expect("it is told");
    assert!(
        built_in.contains(concat!("greedy-tenpai ", env!("CARGO_PKG_VERSION"))),
        "{out}"
    );
}

#[test]
fn a_library_in_a_folder_that_cannot_be_used_is_shown_with_the_reason_and_hurts_nothing() {
    let folder = folder();
    for (name, definition) in [("liba.so", "AT_LOAD_SEGFAULT"), ("libb.so", "NO_SYMBOL")] {
        fs::copy(misbehave_raw(&[definition]).file, folder.path().join(name))
            .expect("it can be copied");
    }
    let listed = list(&[folder.path()]).run();
    let out = listed.exited(0);
    let reason = |name: &str| {
        out.lines()
            .find(|line| line.contains(name))
            .unwrap_or_default()
            .to_owned()
    };
    assert!(
        reason("liba.so").contains("not usable")
            && reason("liba.so").contains("segmentation fault"),
        "{out}"
    );
    assert!(
        reason("libb.so").contains("it exports no `bot_policy_entry`"),
        "{out}"
    );
    assert!(
        reason("libmisbehave.so").contains(concat!("misbehave ", env!("CARGO_PKG_VERSION"))),
        "{out}"
    );
}

#[test]
fn a_folder_without_libraries_says_so() {
    let folder = Folder::new();
    assert!(
        list(&[folder.path()])
            .run()
            .exited(0)
            .contains("no libraries")
    );
}

#[test]
fn a_config_is_shown_with_its_bots_policy() {
    let folder = folder();
    let config = folder.path().join("kuma.toml");
    let listed = list(&[&config]).run();
    let out = listed.exited(0);
    assert!(
        out.contains(concat!(
            "kuma.toml: misbehave ",
            env!("CARGO_PKG_VERSION"),
            " ("
        )) && out.contains("libmisbehave.so, sha256 "),
        "{out}"
    );
}

#[test]
fn an_unusable_argument_is_reported_by_the_exit_code() {
    let folder = folder();
    let text = folder.file("libtext.so", "a text");
    assert!(
        list(&[&text])
            .run()
            .exited(1)
            .contains("is not a library this machine can load")
    );
    let config = folder.file(
        "neko.toml",
        "name = \"neko\"\n[policy]\nlibrary = \"missing\"\n",
    );
    assert!(
        list(&[&config])
            .run()
            .exited(1)
            .contains("policy.library: no library \"missing\" is found")
    );
    let nowhere = list(&[&folder.path().join("nowhere")]).run();
    nowhere.exited(1);
    assert!(
        nowhere.err.contains("is neither a folder nor a file"),
        "{}",
        nowhere.err
    );
}
