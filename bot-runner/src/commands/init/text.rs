//! The text of the config, and the next steps.

use std::fmt::Write as _;
use std::path::{Path, absolute};

use client::place::short;
use policy_section::folder_of;
use toml::Value;

use super::{InitAnswers, InitPolicy, SecretAnswer};
use crate::cli::InitArena;

pub(super) fn config_text(answers: &InitAnswers) -> String {
    let mut text = format!(
        "# Made by `bot-runner init`. Every key is described in docs/config.md.\nname = {}\n",
        quoted(&answers.name)
    );
    let kind = match answers.arena {
        InitArena::Riichilab => Some("riichilab"),
        InitArena::Botzone => Some("botzone"),
        InitArena::Mjsonp => Some("mjsonp"),
        InitArena::None => None,
    };
    if let Some(kind) = kind {
        let _ = write!(text, "\n[arena]\nkind = {}\n", quoted(kind));
        if let Some(url) = &answers.url {
            let _ = writeln!(text, "url = {}", quoted(url));
        }
        if answers.arena == InitArena::Botzone {
            let _ = writeln!(text, "game = {}", quoted(answers.game.name()));
        }
        if let Some(players) = answers.players {
            let _ = writeln!(
                text,
                "# Players at a table, as the bot is registered.\nplayers = {players}"
            );
        }
        if let Some(user) = &answers.user {
            let _ = writeln!(text, "user = {}", quoted(user));
        }
        if let Some(secret) = &answers.secret {
            let (what, key) = match answers.arena {
                InitArena::Botzone => ("The account's secret", "secret"),
                _ => ("The bot's token", "token"),
            };
            match secret {
                SecretAnswer::Variable(name) => {
                    let _ = writeln!(
                        text,
                        "# {what} is in this environment variable.\n{key}_env = {}",
                        quoted(name)
                    );
                }
                SecretAnswer::File(file) | SecretAnswer::New(_, file) => {
                    let place = from_folder_of(&answers.out, file);
                    let _ = writeln!(
                        text,
                        "# {what} is in this file, mode 0600.\n{key}_file = {}",
                        quoted(&place)
                    );
                }
            }
        }
    }
    text += &policy_text(&answers.policy);
    if let Some(number) = answers.ladder {
        let _ = write!(
            text,
            "\n# Its ranked games are recorded, and looked for on the ladder.\n[records]\n\n[results]\n\
             database = \"sqlite:results.db\"\n\n[ladder]\nbot_id = {number}\n"
        );
    }
    text
}

/// Its `[policy]` section.
pub(super) fn policy_text(policy: &InitPolicy) -> String {
    let mut text = format!(
        "\n# `bot-runner plugin inspect {0}` shows the parameters for [policy.params].\n[policy]\nid = {1}\n",
        policy.id,
        quoted(&policy.id)
    );
    if let Some(command) = &policy.command {
        let _ = write!(text, "\n[policy.params]\ncommand = {}\n", quoted(command));
    }
    if let Some(replies) = policy.replies {
        let _ = writeln!(
            text,
            "# When the engine replies.\nreplies = {}",
            quoted(replies.name())
        );
    }
    text
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A file as a config names it: by its name, if it is in the same folder, else by its complete
/// path.
fn from_folder_of(config: &Path, file: &Path) -> String {
    let complete = |file: &Path| absolute(file).unwrap_or_else(|_| file.to_owned());
    let (config, file) = (complete(config), complete(file));
    let place = match file.file_name() {
        Some(name) if folder_of(&config) == folder_of(&file) => Path::new(name),
        _ => &file,
    };
    place.display().to_string()
}

/// The commands that come next.
pub(super) fn next_steps(answers: &InitAnswers) -> String {
    let out = shell_words::quote(&short(&answers.out).display().to_string()).into_owned();
    let mut text = "next:".to_owned();
    if let Some(SecretAnswer::Variable(name)) = &answers.secret
        && std::env::var_os(name).is_none()
    {
        let _ = write!(text, "\n  export {name}=…");
    }
    let _ = match (answers.arena, &answers.user) {
        (InitArena::Riichilab, _) => write!(
            text,
            "\n  bot-runner validate {out}\n  bot-runner run {out} --games 1"
        ),
        (InitArena::Mjsonp, _) | (InitArena::Botzone, Some(_)) => {
            write!(text, "\n  bot-runner run {out} --games 1")
        }
        (InitArena::Botzone, None) => write!(text, "\n  bot-runner botzone {out} < TURN"),
        (InitArena::None, _) => {
            let players = answers
                .players
                .map_or_else(String::new, |players| format!(" --players {players}"));
            write!(text, "\n  bot-runner play {out}{players}")
        }
    };
    text
}
