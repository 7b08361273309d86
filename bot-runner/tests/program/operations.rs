//! The messages that the guide to operations explains are messages that the program has.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::libraries::PROGRAM;
use crate::common::records::files;
use crate::configs::Folder;

const GUIDE: &str = include_str!("../../../docs/operations.md");

/// The source of the program without comments and tests, with texts that continue on the next line
/// joined.
fn source() -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<_> = [
        "src",
        "config/src",
        "fleet/src",
        "client/src",
        "outbound/src",
        "ladder/src",
        "say/src",
        "view/src",
        "../policies/confinement/src",
        "../policies/host/src",
        "../lab/src",
        "results/src",
    ]
    .iter()
    .flat_map(|source| files(&here.join(source)))
    .collect();
    let mut joined = String::new();
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "rs"))
    {
        let mut goes_on = false;
        let text = fs::read_to_string(file).expect("it can be read");
        let program = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for line in program
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            let line = if goes_on { line.trim_start() } else { line };
            goes_on = line.ends_with('\\');
            joined.push_str(line.trim_end_matches('\\'));
            joined.push_str(if goes_on { "" } else { "\n" });
        }
    }
    joined
}

/// The messages in the first cells of the tables, each in the parts that are always the same.
fn messages() -> Vec<Vec<&'static str>> {
    let (_, section) = GUIDE
        .split_once("\n## What the messages mean\n")
        .expect("there is the section");
    let (section, _) = section.split_once("\n## ").expect("another one follows");
    let cells = section
        .lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.split(" | ").next().unwrap_or(line));
    let quoted = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    quoted
        .map(|message| {
            message
                .split('…')
                .map(|part| part.trim_matches([' ', ':']))
                .collect()
        })
        .collect()
}

#[test]
fn every_message_that_the_guide_explains_is_one_of_the_program() {
    let (messages, source) = (messages(), source());
    assert!(messages.len() > 30, "{messages:?}");
    for message in messages {
        let has_it = |line: &str| {
            let mut rest = Some(line);
            message.iter().all(|part| {
                rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
                rest.is_some()
            })
        };
        assert!(
            source.lines().any(has_it),
            "{message:?} is not in the source"
        );
    }
}

#[test]
fn the_first_screen_ends_and_shows_why_if_run_refuses() {
    let (_, block) = GUIDE.split_once("```sh\n").expect("there is a block");
    let (script, _) = block.split_once("```").expect("it has an end");
    let copies = "cp configs/riichilab.toml bots/kuma.toml";
    assert!(script.contains(copies), "{script}");
    let folder = Folder::new();
    folder.file("wrong.toml", "name = \"kuma\"\ncolour = \"red\"\n");
    let script = script.replace(copies, "cp wrong.toml bots/kuma.toml");
    let programs = Path::new(PROGRAM).parent().expect("a folder").display();
    let path = std::env::var("PATH").expect("it is set");
    // It ends by itself; a loop without an end would be killed.
    let ended = Command::new("timeout")
        .args(["300", "sh", "-eu", "-c", &script])
        .current_dir(folder.path())
        .env("PATH", format!("{programs}:{path}"))
        .env("XDG_RUNTIME_DIR", folder.private("runtime"))
        .output()
        .expect("there is a shell");
    let shown = String::from_utf8_lossy(&ended.stdout);
    assert!(
        ended.status.success() && shown.contains("bots/kuma.toml: colour: unknown key"),
        "{ended:?}"
    );
}
