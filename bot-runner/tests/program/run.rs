//! `run`: bots at their arenas, all at once in one process.

use std::path::PathBuf;

use super::configs::Folder;
use super::program::{Finished, Runner, Running, cell, table};

const BOTS: [&str; 4] = ["kuma", "neko", "risu", "tanuki"];

fn arena(args: &[&str]) -> (Running, String) {
    let mut arena = Runner::new(["arena", "--length", "east"].iter().chain(args)).start();
    let line = arena.line_with("listening on ");
    let url = line.trim_start_matches("listening on ").to_owned();
    (arena, url)
}

fn run(args: &[&str], configs: &[PathBuf]) -> Finished {
    let args = ["run"].iter().chain(args).map(PathBuf::from);
    let mut runner = Runner::new(args.chain(configs.iter().cloned()));
    for bot in BOTS {
        runner = runner.env(
            &format!("{}_TOKEN", bot.to_uppercase()),
            &format!("token-of-{bot}"),
        );
    }
    runner.run()
}

fn four(folder: &Folder, url: &str) -> Vec<PathBuf> {
    BOTS.map(|name| folder.bot_at(name, url, &format!("{}_TOKEN", name.to_uppercase())))
        .to_vec()
}

#[test]
fn four_bots_of_one_process_meet_and_every_request_is_accepted() {
    let folder = Folder::new();
    let (mut arena, url) = arena(&["--seed", "2"]);
    let finished = run(&["--games", "2"], &four(&folder, &url));
    let rows = table(finished.exited(0));
    assert_eq!(
        rows.iter().map(|row| cell(row, "bot")).collect::<Vec<_>>(),
        BOTS
    );
    for row in &rows {
        assert_eq!(cell(row, "games"), "2");
        assert!(cell(row, "requests").parse::<u32>().expect("a count") > 0);
        assert_eq!(cell(row, "requests"), cell(row, "accepted"));
        for nothing in ["safe", "defaulted", "rejected", "desyncs"] {
            assert_eq!(cell(row, nothing), "0", "{nothing}: {row:?}");
        }
    }
    for bot in BOTS {
        assert_eq!(
            finished
                .out
                .matches(&format!("{bot}: game over after"))
                .count(),
            2,
            "{}",
            finished.out
        );
    }
    arena.line_with("game 2: ");
}

#[test]
fn bots_that_may_not_meet_play_at_separate_tables() {
    let folder = Folder::new();
    let (mut arena, url) = arena(&["--fill-after", "0"]);
    let configs: Vec<PathBuf> = ["kuma", "neko"]
        .iter()
        .map(|name| {
            let section = super::configs::arena(&url, &format!("{}_TOKEN", name.to_uppercase()));
            let text = format!(
                "name = {name:?}\n{section}queue_together = false\n{}",
                super::configs::POLICY
            );
            folder.file(&format!("{name}.toml"), text)
        })
        .collect();
    run(&["--games", "1"], &configs).exited(0);
    assert_eq!(arena.line_with("game ").matches("tsumogiri").count(), 3);
    assert_eq!(arena.line_with("game ").matches("tsumogiri").count(), 3);
}

#[test]
fn a_config_without_an_arena_is_for_play_only() {
    let folder = Folder::new();
    let finished = run(&[], &[folder.bot("kuma")]);
    finished.exited(1);
    let words = "arena: the section is missing";
    assert!(
        finished.err.contains(words) && finished.err.contains("or have `bot-runner init`"),
        "{}",
        finished.err
    );
}
