//! Bots that an arena does not want: its own words, and no token.

use std::path::Path;

use super::configs::Folder;
use super::program::{Finished, Runner, Running};

const TOKEN: &str = "canary-0123456789abcdef";

fn arena(folder: &Folder, tokens: &str) -> (Running, String) {
    let tokens = folder.file("tokens", tokens);
    let mut arena = Runner::new([Path::new("arena"), Path::new("--tokens"), &tokens]).start();
    let line = arena.line_with("listening on ");
    let url = line.trim_start_matches("listening on ").to_owned();
    (arena, url)
}

/// A command's message to a bot with `TOKEN` at an arena that knows these tokens.
#[track_caller]
fn refused(command: &str, tokens: &str) -> Finished {
    let folder = Folder::new();
    let (_arena, url) = arena(&folder, tokens);
    let config = folder.bot_at("kuma", &url, "KUMA_TOKEN");
    let finished = Runner::new([Path::new(command), &config])
        .env("KUMA_TOKEN", TOKEN)
        .run();
    finished.exited(1);
    assert!(!finished.all().contains("canary"), "{}", finished.all());
    finished
}

#[test]
fn an_inactive_bot_is_reported_in_the_arenas_words() {
    let tokens = format!("{TOKEN} kuma inactive");
    for command in ["run", "validate"] {
        let all = refused(command, &tokens).all();
        assert!(
            all.contains("Token verification failed: Bot is inactive"),
            "{command}: {all}"
        );
    }
}

#[test]
fn a_wrong_token_is_reported_in_the_arenas_words() {
    for command in ["run", "validate"] {
        let all = refused(command, "another-token neko\n").all();
        assert!(
            all.contains("Token verification failed: Invalid token"),
            "{command}: {all}"
        );
    }
}

#[test]
fn a_bot_becomes_active_by_passing_its_validation() {
    let folder = Folder::new();
    let (_arena, url) = arena(&folder, &format!("{TOKEN} kuma pending\n"));
    let config = folder.bot_at("kuma", &url, "KUMA_TOKEN");
    let runner =
        |command: &str| Runner::new([Path::new(command), &config]).env("KUMA_TOKEN", TOKEN);
    runner("run").run().exited(1);
    runner("validate").run().exited(0);
    let mut queued = runner("run").start();
    queued.line_with("kuma: queued");
}

#[test]
fn a_tokens_file_with_a_mistake_is_reported_with_its_line_and_without_the_token() {
    let folder = Folder::new();
    let tokens = folder.file("tokens", format!("# ours\n{TOKEN} kuma sleepy\n"));
    let finished = Runner::new([Path::new("arena"), Path::new("--tokens"), &tokens]).run();
    finished.exited(1);
    assert!(
        finished.err.contains("line 2") && finished.err.contains("sleepy"),
        "{}",
        finished.err
    );
    assert!(!finished.all().contains("canary"), "{}", finished.all());
}
