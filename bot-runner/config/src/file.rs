//! Reads a config's file.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::path::Path;

use ladder::RIICHILAB_API;
use mistakes::KeyProblem;
use policy_host::ForeignFile;
use policy_section::{Section, read_policy};

use super::alerts::read_alerts;
use super::arena::{name_of_program, read_arena};
use super::bot_config::{ArenaAddress, ArenaConfig, LadderConfig, MAX_NAME, RIICHILAB_URL};
use super::keeping::{read_records, read_results};
use super::ladder::read_ladder;
use super::problem::Problem;
use super::raw::RawConfig;

/// Maximum size of a config that is read, in bytes.
const LARGEST: u64 = 1 << 20;

impl RawConfig {
    pub fn load(file: &Path) -> Self {
        match ForeignFile::open(file).and_then(|mut open| open.read_text(LARGEST)) {
            Ok(text) => Self::parse(file, &text),
            Err(error) => Self::unusable(file, Problem::new(file, "", unreadable(file, &error))),
        }
    }

    /// Reads a bot's config from a text; `file` is named in problems, and its folder is where
    /// relative paths start.
    pub fn parse(file: &Path, text: &str) -> Self {
        let table: toml::Table = match toml::from_str(text) {
            Ok(table) => table,
            Err(error) => return Self::unusable(file, syntax_problem(file, text, &error)),
        };
        let mut without_policy = table.clone();
        without_policy.remove("policy");
        let program = name_of_program(file, &table);
        let problems = RefCell::default();
        let mut top = Section::top(file, table, &problems);
        let name = read_name(&mut top, program);
        let arena = top.section("arena").map(read_arena);
        let policy = read_policy(&mut top);
        let records = top.section("records").map(read_records);
        let has_results = top.has_any(&["results"]);
        let results = top.section("results").and_then(read_results);
        let ladder = top.section("ladder").map(read_ladder);
        if let Some(ladder) = &ladder {
            check_ladder(&top, ladder.as_ref(), arena.as_ref(), has_results);
        }
        let ladder = ladder.flatten();
        let alerts = top.section("alerts").and_then(read_alerts);
        top.finish();
        let problems = problems.into_inner().into_iter();
        let problems = problems
            .map(|KeyProblem { key, message }| Problem::new(file, key, message))
            .collect();
        Self {
            file: file.to_owned(),
            name,
            arena,
            policy,
            records,
            results,
            ladder,
            alerts,
            without_policy,
            problems,
        }
    }

    /// A file that could not be parsed.
    fn unusable(file: &Path, problem: Problem) -> Self {
        Self {
            file: file.to_owned(),
            problems: vec![problem],
            ..Self::default()
        }
    }
}

/// A ladder needs an arena that has one, and a database for what it says.
fn check_ladder(
    top: &Section<'_>,
    ladder: Option<&LadderConfig>,
    arena: Option<&ArenaConfig>,
    has_results: bool,
) {
    match arena.and_then(|arena| arena.address.as_ref()) {
        Some(ArenaAddress::Riichilab(url))
            if url.to_string() != RIICHILAB_URL
                && ladder.is_some_and(|ladder| ladder.api.to_string() == RIICHILAB_API) =>
        {
            let message = "the bot plays at another arena than RiichiLab, whose ladder does not have its games; give the \
                           address of that arena's interface";
            top.refuse("ladder.api", message);
        }
        Some(ArenaAddress::Riichilab(_)) | None => {}
        Some(_) => top.refuse(
            "ladder",
            "this arena has no ladder that is known; leave the section out",
        ),
    }
    if !has_results {
        let message = "what the ladder says goes to the database of [results], which is missing; add that section, for \
                       instance with database = \"sqlite:results.db\"";
        top.refuse("ladder", message);
    }
}

/// What a bot's name may be, in words.
pub const ALLOWED_NAMES: &str =
    "allowed are 1 to 40 characters on one line, of which at least one is visible";

/// Whether a bot may have this name.
pub fn is_bot_name(name: &str) -> bool {
    let is_visible = |letter: char| !letter.is_whitespace() && !foreign_text::is_unseen(letter);
    (1..=MAX_NAME).contains(&name.chars().count())
        && !name.chars().any(char::is_control)
        && name.chars().any(is_visible)
}

/// Reads the bot's name; without the key it has the other one, if there is one.
fn read_name(top: &mut Section<'_>, otherwise: Option<String>) -> Option<String> {
    match top.text("name") {
        Some(name) if is_bot_name(&name) => return Some(name),
        Some(_) => top.refuse("name", ALLOWED_NAMES),
        None if !top.is_wrong("name") && otherwise.is_some() => return otherwise,
        None => top.refuse_missing(
            "name",
            "the key is missing; give the bot a name, for logs and results",
        ),
    }
    None
}

/// Why a file cannot be read, and how to fix it.
fn unreadable(file: &Path, error: &io::Error) -> String {
    let is_link = file
        .symlink_metadata()
        .is_ok_and(|found| found.is_symlink());
    match error.kind() {
        _ if is_link && file.metadata().is_err() => {
            format!("is a link that leads to no file ({error}); correct the link, or remove it")
        }
        ErrorKind::NotFound => format!("cannot be read: {error}; is the path right?"),
        ErrorKind::InvalidInput if file.is_dir() => {
            "is a folder; name a config file in it".to_owned()
        }
        ErrorKind::InvalidInput => {
            format!("cannot be read: {error}; a config is a TOML text in a file")
        }
        ErrorKind::InvalidData => {
            "is not UTF-8; a config is a TOML text, save it as UTF-8".to_owned()
        }
        ErrorKind::FileTooLarge => format!("is not a config: {error}"),
        ErrorKind::PermissionDenied => {
            format!("cannot be read: {error}; let the runner's user read it")
        }
        _ => format!("cannot be read: {error}"),
    }
}

/// A mistake in the TOML itself. The parser's own words would repeat the line, which may hold a
/// secret.
fn syntax_problem(file: &Path, text: &str, error: &toml::de::Error) -> Problem {
    let place = error.span().map_or_else(String::new, |span| {
        let before = text.get(..span.start).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .map_or(0, |rest| rest.chars().count())
            + 1;
        format!("line {line}, column {column}: ")
    });
    // Further lines may name a key or a value; the first one states the kind of mistake.
    let message: String = error
        .message()
        .lines()
        .next()
        .unwrap_or("not TOML")
        .chars()
        .take(200)
        .collect();
    if file.extension().is_some_and(|end| end != "toml") {
        let advice = "a config is a TOML text, and names a program by `command` in [policy.params]; \
                      `bot-runner plugin new NAME --lang python` makes both";
        return Problem::new(
            file,
            "",
            format!("is not a config ({place}{message}); {advice}"),
        );
    }
    Problem::new(
        file,
        "",
        format!("{place}{message}; nothing else in the file could be checked"),
    )
}
