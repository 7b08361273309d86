//! The commands that the README shows are commands that the program takes.

use bot_runner::cli::Cli;
use clap::Parser;

use super::configs::Folder;
use super::program::Runner;

const README: &str = include_str!("../../../README.md");

/// The arguments of each command, the program's name first.
fn commands() -> Vec<Vec<&'static str>> {
    const PROGRAM: &str = "target/release/bot-runner ";
    let commands = README.lines().filter_map(|line| Some(&line[line.find(PROGRAM)?..]));
    commands.map(|command| command.split_whitespace().collect()).collect()
}

#[test]
fn every_command_of_the_readme_is_taken() {
    let commands = commands();
    assert!(commands.len() >= 8, "{commands:?}");
    for command in commands {
        if let Err(error) = Cli::try_parse_from(&command) {
            panic!("{}: {error}", command.join(" "));
        }
    }
}

#[test]
fn the_hand_of_the_readme_is_analyzed() {
    let folder = Folder::new();
    let bot = folder.bot("new").display().to_string();
    let command = commands().into_iter().find(|command| command[1] == "analyze").expect("it is shown");
    let args = command[1..].iter().map(|&arg| if arg == "new.toml" { bot.as_str() } else { arg });
    let out = Runner::new(args).run().exited(0).to_owned();
    assert!(out.contains("dora 4p") && out.contains("new: "), "{out}");
}
