//! A config as its file has it, with all that is wrong with it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use policy_host::PolicyConfig;

use super::read::{read_arena, read_name, read_policy, read_records};
use super::section::Section;
use super::{
    ArenaConfig, ArenaUrl, BotConfig, Login, PLAYERS, Problem, Problems, RecordsConfig, RoomUrl, Token, TokenError,
    TokenSource,
};

/// What a file says, as far as it could be made out, and all that is wrong with it.
#[derive(Debug, Clone)]
pub struct RawConfig {
    /// The file.
    pub file: PathBuf,
    /// The bot's name.
    pub name: Option<String>,
    /// The `[arena]` section, if there is one.
    pub arena: Option<RawArena>,
    /// The `[policy]` section.
    pub policy: Option<PolicyConfig>,
    /// The `[records]` section, if there is one.
    pub records: Option<RecordsConfig>,
    /// Everything but the `[policy]` section, as written, to tell whether it has changed.
    pub without_policy: toml::Table,
    /// The mistakes found so far.
    pub problems: Vec<Problem>,
}

/// An `[arena]` section as far as it could be made out.
#[derive(Debug, Clone)]
pub struct RawArena {
    pub(super) address: Option<Address>,
    /// Where the token comes from.
    pub token: Option<TokenSource>,
    /// How many play there, where the section says it.
    pub players: Option<u8>,
    pub(super) queue_together: Option<bool>,
}

/// An address of either kind.
#[derive(Debug, Clone)]
pub(super) enum Address {
    Riichilab(ArenaUrl),
    Mjsonp(RoomUrl),
}

impl RawArena {
    fn resolve(self) -> Option<ArenaConfig> {
        let (login, loopback) = match self.address? {
            Address::Riichilab(url) => {
                let loopback = url.is_loopback();
                (Login::Riichilab { url, token: self.token? }, loopback)
            }
            Address::Mjsonp(url) => {
                let loopback = url.is_loopback();
                (Login::Mjsonp(url), loopback)
            }
        };
        let queue_together = self.queue_together.unwrap_or(loopback);
        Some(ArenaConfig { login, players: self.players.unwrap_or(PLAYERS), queue_together })
    }
}

impl RawConfig {
    /// Reads a bot's file.
    #[must_use]
    pub fn load(file: &Path) -> Self {
        match fs::read_to_string(file) {
            Ok(text) => Self::parse(file, &text),
            Err(error) => Self::hopeless(file, Problem::new(file, "", unreadable(&error))),
        }
    }

    /// Reads a bot's config from a text; `file` is named in problems, and its folder is where relative paths start.
    #[must_use]
    pub fn parse(file: &Path, text: &str) -> Self {
        let table: toml::Table = match toml::from_str(text) {
            Ok(table) => table,
            Err(error) => return Self::hopeless(file, syntax_problem(file, text, &error)),
        };
        let mut problems = Vec::new();
        let mut without_policy = table.clone();
        without_policy.remove("policy");
        let mut top = Section::top(file, table);
        let name = read_name(&mut top, &mut problems);
        let arena = top.section("arena", &mut problems).map(|section| read_arena(file, section, &mut problems));
        let policy = read_policy(file, &mut top, &mut problems);
        let records = top.section("records", &mut problems).map(|section| read_records(file, section, &mut problems));
        top.finish(&mut problems);
        Self { file: file.to_owned(), name, arena, policy, records, without_policy, problems }
    }

    /// The bot's token, where its config says where it is.
    pub(crate) fn token(&self) -> Option<Result<Token, TokenError>> {
        Some(self.arena.as_ref()?.token.as_ref()?.load())
    }

    fn hopeless(file: &Path, problem: Problem) -> Self {
        Self {
            file: file.to_owned(),
            name: None,
            arena: None,
            policy: None,
            records: None,
            without_policy: toml::Table::new(),
            problems: vec![problem],
        }
    }

    /// The config, if nothing is wrong with it.
    ///
    /// # Errors
    ///
    /// All mistakes in it.
    pub fn resolve(self) -> Result<BotConfig, Problems> {
        let arena = self.arena.map(RawArena::resolve);
        let records = self.records;
        match (self.name, arena, self.policy) {
            (Some(name), None, Some(policy)) if self.problems.is_empty() => {
                Ok(BotConfig { file: self.file, name, arena: None, policy, records })
            }
            (Some(name), Some(Some(arena)), Some(policy)) if self.problems.is_empty() => {
                Ok(BotConfig { file: self.file, name, arena: Some(arena), policy, records })
            }
            _ => Err(Problems(self.problems)),
        }
    }
}

/// Why a file cannot be read, and what to do about it.
fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("cannot be read: {error}; is the path right?"),
        io::ErrorKind::IsADirectory => "is a folder; name a config file in it".to_owned(),
        io::ErrorKind::InvalidData => "is not UTF-8; a config is a TOML text, save it as UTF-8".to_owned(),
        io::ErrorKind::PermissionDenied => format!("cannot be read: {error}; let the runner's user read it"),
        _ => format!("cannot be read: {error}"),
    }
}

/// A mistake of TOML itself. The parser's own words would repeat the line, which may hold a secret.
fn syntax_problem(file: &Path, text: &str, error: &toml::de::Error) -> Problem {
    let place = error.span().map_or_else(String::new, |span| {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
        format!("line {line}, column {column}: ")
    });
    // Some messages name a key or a value; the first line never holds more than the kind of mistake.
    let message = error.message().lines().next().unwrap_or("not TOML");
    Problem::new(file, "", format!("{place}{message}; nothing else in the file could be checked"))
}
