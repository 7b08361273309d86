//! Man pages and shell completions, as packages have them.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use bot_runner::cli::Cli;
use clap::CommandFactory;

use crate::configs::Folder;
use crate::program::Runner;

fn manual(folder: &Folder) {
    Runner::new([Path::new("manual"), folder.path()])
        .run()
        .exited(0);
}

/// The names of the pages of a command and of all below it.
fn pages(command: &clap::Command, name: &str) -> Vec<String> {
    let below = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    let below = below.flat_map(|command| pages(command, &format!("{name}-{}", command.get_name())));
    [format!("{name}.1")].into_iter().chain(below).collect()
}

#[test]
fn each_command_that_users_see_has_a_page_with_its_options() {
    let folder = Folder::new();
    manual(&folder);
    let mut expected = pages(&Cli::command(), "bot-runner");
    assert!(
        expected.contains(&"bot-runner-plugin-new.1".to_owned()),
        "{expected:?}"
    );
    let listed = fs::read_dir(folder.path().join("man")).expect("it is there");
    let mut written: Vec<String> = listed
        .map(|entry| {
            entry
                .expect("it is there")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    expected.sort();
    written.sort();
    assert_eq!(written, expected);
    let page = fs::read_to_string(folder.path().join("man/bot-runner-run.1")).expect("it is there");
    assert!(
        page.contains(r"\-\-stop\-file") && page.contains(".TH"),
        "{page}"
    );
}

/// Bash's completion of the last of these words.
fn completed(script: &Path, words: &[&str]) -> Option<String> {
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.len() - 1;
    let ask = format!(
        "source '{}'; function=$(complete -p bot-runner | sed 's/.* -F \\([^ ]*\\) .*/\\1/'); COMP_WORDS=({}); \
         COMP_CWORD={last}; $function bot-runner {} {}; echo \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        words[last],
        words[last - 1],
    );
    match Command::new("bash").args(["--norc", "-c", &ask]).output() {
        Ok(offered) => {
            assert!(
                offered.status.success(),
                "{}",
                String::from_utf8_lossy(&offered.stderr)
            );
            Some(String::from_utf8_lossy(&offered.stdout).trim().to_owned())
        }
        // Bash is not among what the tests need.
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => panic!("bash does not start: {error}"),
    }
}

#[test]
fn bash_completes_commands_and_options() {
    let folder = Folder::new();
    manual(&folder);
    let script = folder.path().join("completions/bot-runner.bash");
    for (words, offered) in [
        (&["bot-runner", "tour"][..], "tournament"),
        (&["bot-runner", "plugin", "ins"], "inspect"),
        (&["bot-runner", "run", "--stop-f"], "--stop-file"),
        (&["bot-runner", "play", "--game", "dou"], "doudizhu"),
        (
            &["bot-runner", "tournament", "--game", ""],
            "riichi chinese-standard doudizhu",
        ),
        (
            &["bot-runner", "stats", "--policy", "greedy"],
            "greedy-tenpai",
        ),
        (&["bot-runner", "policy-ch"], ""),
    ] {
        if let Some(found) = completed(&script, words) {
            assert_eq!(found, offered, "{words:?}");
        }
    }
}

#[test]
fn shells_complete_the_names_of_running_bots() {
    let folder = Folder::new();
    manual(&folder);
    let script = |name: &str| {
        fs::read_to_string(folder.path().join("completions").join(name)).expect("it is there")
    };
    let zsh = script("_bot-runner");
    assert_eq!(
        zsh.matches(":_bot_runner_bots'").count(),
        2,
        "of reload and stats: {zsh}"
    );
    assert!(
        zsh.starts_with("#compdef bot-runner\n")
            && script("bot-runner.fish").contains("status --names")
    );
    // A program that has these bots, in the place of ours.
    let ours = "bot-runner() { [ \"$2\" = --names ] && printf 'kuma\\nneko one\\n'; }";
    let bash = folder.file(
        "with-bots.bash",
        format!("{ours}\n{}", script("bot-runner.bash")),
    );
    for (words, offered) in [
        (&["bot-runner", "reload", ""][..], "kuma neko one"),
        (&["bot-runner", "reload", "ne"], "neko one"),
        (&["bot-runner", "stats", "--bot", "k"], "kuma"),
        (&["bot-runner", "tour"], "tournament"),
    ] {
        if let Some(found) = completed(&bash, words) {
            assert_eq!(found, offered, "{words:?}");
        }
    }
}

#[test]
fn the_version_is_one_line_that_begins_with_the_number() {
    let asked = Runner::new(["--version"]).run();
    let version = asked.exited(0).trim_end().to_owned();
    let rest = version
        .strip_prefix(concat!("bot-runner ", env!("CARGO_PKG_VERSION")))
        .expect("the number");
    let commit = rest
        .strip_prefix(" (")
        .and_then(|rest| rest.strip_suffix(')'));
    let is_commit = commit.is_some_and(|commit| {
        commit.len() == 12 && commit.chars().all(|digit| digit.is_ascii_hexdigit())
    });
    assert!(rest.is_empty() || is_commit, "{version}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = Folder::new();
    let file = folder.file("taken", "");
    let refused = Runner::new([Path::new("manual"), &file]).run();
    refused.exited(1);
    assert!(
        refused.err.contains("taken/man cannot be made"),
        "{}",
        refused.err
    );
}

#[test]
fn short_and_long_help_begin_with_the_same_words() {
    let first = |flag: &str| {
        let told = Runner::new([flag]).run();
        told.exited(0)
            .lines()
            .next()
            .expect("a line")
            .trim_end_matches('.')
            .to_owned()
    };
    assert_eq!(first("-h"), first("--help"));
    assert!(
        first("-h").starts_with("Connects bots to mahjong"),
        "{}",
        first("-h")
    );
}
