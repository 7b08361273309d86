//! Policies in their own files.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::configs::Folder;
use super::program::{Finished, Runner, cell, table};
use crate::common::libraries::{GREEDY_TENPAI, PROGRAM};

/// The program in its own folder, without libraries next to it.
pub(crate) fn alone() -> (TempDir, PathBuf) {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    let program = folder.path().join("bot-runner");
    fs::hard_link(PROGRAM, &program).expect("it lies on the same disk");
    (folder, program)
}

/// A bot that says no more than which policy.
fn bot(folder: &Folder) -> PathBuf {
    folder.file(
        "kuma.toml",
        "name = \"kuma\"\n[policy]\nid = \"greedy-tenpai\"\n",
    )
}

#[test]
fn a_library_beside_the_program_decides() {
    let (beside, program) = alone();
    let library = beside
        .path()
        .join(GREEDY_TENPAI.file_name().expect("a file"));
    fs::copy(&*GREEDY_TENPAI, &library).expect("it can be copied");
    let folder = Folder::new();
    let finished = Runner::of(
        &program,
        [Path::new("play"), Path::new("--seed=3"), &bot(&folder)],
    )
    .run();
    let rows = table(finished.exited(0));
    let kuma = rows
        .iter()
        .find(|row| cell(row, "bot") == "kuma")
        .expect("it played");
    assert_eq!(
        cell(kuma, "library"),
        "greedy_tenpai",
        "by its short name: {kuma:?}"
    );
    assert!(
        !finished.out.contains("No policy libraries"),
        "{}",
        finished.out
    );
}

#[test]
fn without_libraries_the_built_in_policies_decide_and_a_line_reports_it() {
    let (_beside, program) = alone();
    let folder = Folder::new();
    let finished = Runner::of(
        &program,
        [Path::new("play"), Path::new("--seed=3"), &bot(&folder)],
    )
    .run();
    assert!(
        finished
            .exited(0)
            .contains("No policy libraries were found"),
        "{}",
        finished.out
    );
    assert!(
        table(&finished.out)
            .iter()
            .any(|row| cell(row, "library") == "built in"),
        "{}",
        finished.out
    );
}

#[test]
fn a_library_and_its_built_in_twin_play_the_same_game() {
    let (beside, program) = alone();
    let folder = Folder::new();
    let play = || {
        Runner::of(
            &program,
            [Path::new("play"), Path::new("--seed=8"), &bot(&folder)],
        )
        .run()
    };
    let rounds = |finished: &Finished| -> Vec<String> {
        let out = finished.exited(0);
        out.lines()
            .filter(|line| line.starts_with("East ") || line.starts_with("South "))
            .map(str::to_owned)
            .collect()
    };
    let built_in = rounds(&play());
    fs::copy(
        &*GREEDY_TENPAI,
        beside
            .path()
            .join(GREEDY_TENPAI.file_name().expect("a file")),
    )
    .expect("it can be copied");
    assert!(built_in.len() >= 8);
    assert_eq!(rounds(&play()), built_in);
}

#[test]
fn a_library_is_also_found_in_the_configs_folder_and_by_its_path() {
    let (_beside, program) = alone();
    let folder = Folder::new();
    fs::copy(&*GREEDY_TENPAI, folder.path().join("libmine.so")).expect("it can be copied");
    for library in ["mine", "./libmine.so"] {
        // It has only one policy, so the id may be left out.
        let config = folder.file(
            "kuma.toml",
            format!("name = \"kuma\"\n[policy]\nlibrary = {library:?}\n"),
        );
        let out = Runner::of(&program, [Path::new("check"), &config])
            .run()
            .exited(0)
            .to_owned();
        assert!(
            out.contains("libmine.so") && out.contains("greedy-tenpai"),
            "{out}"
        );
    }
}

#[test]
fn a_policy_that_a_library_does_not_hold_is_reported_with_those_it_holds() {
    let folder = Folder::new();
    fs::copy(&*GREEDY_TENPAI, folder.path().join("libmine.so")).expect("it can be copied");
    let config = folder.file(
        "kuma.toml",
        "name = \"kuma\"\n[policy]\nlibrary = \"mine\"\nid = \"other\"\n",
    );
    let finished = Runner::new([Path::new("check"), &config]).run();
    let out = finished.exited(1);
    assert!(
        out.contains("policy.id: ") && out.contains("\"other\"") && out.contains("`greedy-tenpai`"),
        "{out}"
    );
}
