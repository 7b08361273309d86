//! The commands that the README and the documents show are commands that the program takes, and their links lead to files.

use std::fs;
use std::path::{Path, PathBuf};

use bot_runner::cli::Cli;
use clap::Parser;

use super::configs::Folder;
use super::program::Runner;

/// The documents for users, with their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let docs =
        fs::read_dir(root.join("docs")).expect("it can be listed").map(|entry| entry.expect("it is there").path());
    let files = docs.chain([root.join("README.md"), root.join("ARCHITECTURE.md")]);
    files.map(|file| (file.clone(), fs::read_to_string(&file).expect("it is text"))).collect()
}

/// The arguments of each command, the program's name first.
fn commands() -> Vec<Vec<String>> {
    const PROGRAM: &str = "target/release/bot-runner ";
    let documents = documents();
    let lines = documents.iter().flat_map(|(_, text)| text.lines());
    let commands = lines.filter_map(|line| line[line.find(PROGRAM)?..].split('`').next());
    commands.map(|command| command.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn every_link_of_a_document_leads_to_a_file() {
    let mut links = 0;
    for (document, text) in documents() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains("://") {
                let target = document.parent().expect("it lies in a folder").join(file);
                assert!(target.exists(), "{}: {link}", document.display());
                links += 1;
            }
        }
    }
    assert!(links > 10, "{links}");
}

#[test]
fn every_command_of_the_documents_is_taken() {
    let commands = commands();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        if let Err(error) = Cli::try_parse_from(&command) {
            panic!("{}: {error}", command.join(" "));
        }
    }
}

#[test]
fn the_hand_of_the_documents_is_analyzed() {
    let folder = Folder::new();
    let bot = folder.bot("new").display().to_string();
    let command = commands()
        .into_iter()
        .find(|command| command[1] == "analyze" && command[2].contains("406p"))
        .expect("it is shown");
    let args = command[1..].iter().map(|arg| if arg == "new.toml" { bot.clone() } else { arg.clone() });
    let out = Runner::new(args).run().exited(0).to_owned();
    assert!(out.contains("dora 4p") && out.contains("new: "), "{out}");
}
