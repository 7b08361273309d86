//! A bot's config: a TOML file read into what it says, every mistake in it reported at once.
//!
//! Nothing is looked up here: tokens are fetched, libraries found and parameters checked where they are needed.

mod address;
mod digest;
mod problem;
mod section;
mod sources;
#[cfg(test)]
mod tests;
mod token;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use address::{ArenaUrl, RoomUrl};
pub use problem::{Problem, Problems};
pub(crate) use section::{listed, shown};
pub use sources::Sources;
pub use token::{BadToken, Token, TokenError, TokenSource};

use section::Section;

use crate::content_hash::ContentHash;
use crate::records::Retention;

/// RiichiLab's public address.
pub const RIICHILAB_URL: &str = "wss://game.riichi.dev";

/// Players at a table where nothing says otherwise.
pub const PLAYERS: u8 = 4;

/// Milliseconds kept back from a request's deadline unless the config says otherwise.
pub const DEFAULT_MARGIN_MS: u32 = 250;

/// Most milliseconds that can be kept back: more would leave hardly any of the free time of 3,000 that RiichiLab gives.
const MOST_MARGIN_MS: u32 = 2_000;

/// A day.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Everything one bot's file says.
#[derive(Debug, Clone)]
pub struct BotConfig {
    /// The file.
    pub file: PathBuf,
    /// The bot's name, for logs and results.
    pub name: String,
    /// Where it plays; not needed for embedded games.
    pub arena: Option<ArenaConfig>,
    /// What decides for it.
    pub policy: PolicyConfig,
    /// Where its ranked games are recorded; `None` when they are not.
    pub records: Option<RecordsConfig>,
}

/// The `[records]` section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordsConfig {
    /// The folder they go to.
    pub folder: PathBuf,
    /// Which of this bot's stay there.
    pub retention: Retention,
}

/// The `[arena]` section.
#[derive(Debug, Clone)]
pub struct ArenaConfig {
    /// The arena, and how the bot logs in.
    pub login: Login,
    /// How many play there, 3 or 4.
    pub players: u8,
    /// Whether bots of this process may queue here at the same time.
    pub queue_together: bool,
}

/// An arena in its own dialect, and how a bot logs in there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// RiichiLab's protocol: with a token.
    Riichilab {
        /// The address, without a path.
        url: ArenaUrl,
        /// Where the token comes from.
        token: TokenSource,
    },
    /// The original mjai server's protocol: with the bot's name.
    Mjsonp(RoomUrl),
}

/// The `[policy]` section.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyConfig {
    /// Which library.
    pub library: LibraryChoice,
    /// Which policy of the library; `None` when it should hold just one.
    pub id: Option<String>,
    /// Most time for a decision; `None`: the free time of a request less the margin.
    pub think: Option<Duration>,
    /// Time kept back from a request's deadline, at most 2 seconds.
    pub margin: Duration,
    /// When another build or other parameters take over.
    pub reload: ReloadMode,
    /// Where the library's code runs.
    pub isolation: Isolation,
    /// The only content that the library's file may have.
    pub sha256: Option<ContentHash>,
    /// Parameters, as written; the policy's descriptor says what is allowed.
    pub params: toml::Table,
}

impl PolicyConfig {
    /// The section that says no more than which policy.
    #[must_use]
    pub fn of(library: LibraryChoice, id: Option<String>) -> Self {
        Self {
            library,
            id,
            think: None,
            margin: Duration::from_millis(DEFAULT_MARGIN_MS.into()),
            reload: ReloadMode::default(),
            isolation: Isolation::default(),
            sha256: None,
            params: toml::Table::new(),
        }
    }
}

/// When a policy that has changed takes over from the one that plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReloadMode {
    /// At the next decision.
    #[default]
    Decision,
    /// When no game is on.
    Game,
    /// Never.
    Off,
}

/// Where a library's code runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// On a thread of the runner.
    #[default]
    Thread,
    /// In a process of its own, without the runner's tokens.
    Process,
}

/// Which library a policy is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryChoice {
    /// The policies linked into the runner.
    Builtin,
    /// A name to look up beside the runner, then in the config's folder.
    Name(String),
    /// A file.
    Path(PathBuf),
    /// The library named like the id where one is found, else the policies linked into the runner.
    LikeId(String),
}

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
    /// Everything beside that section, as written, to tell whether it has changed.
    pub beside_policy: toml::Table,
    /// The mistakes found so far.
    pub problems: Vec<Problem>,
}

/// An `[arena]` section as far as it could be made out.
#[derive(Debug, Clone)]
pub struct RawArena {
    address: Option<Address>,
    /// Where the token comes from.
    pub token: Option<TokenSource>,
    /// How many play there, where the section says it.
    pub players: Option<u8>,
    queue_together: Option<bool>,
}

/// An address of either kind.
#[derive(Debug, Clone)]
enum Address {
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
        let mut beside_policy = table.clone();
        beside_policy.remove("policy");
        let mut top = Section::top(file, table);
        let name = read_name(&mut top, &mut problems);
        let arena = top.section("arena", &mut problems).map(|section| read_arena(file, section, &mut problems));
        let policy = read_policy(file, &mut top, &mut problems);
        let records = top.section("records", &mut problems).map(|section| read_records(file, section, &mut problems));
        top.finish(&mut problems);
        Self { file: file.to_owned(), name, arena, policy, records, beside_policy, problems }
    }

    /// The bot's token, where its config says where it is and it can be had there.
    pub(crate) fn token(&self) -> Option<Token> {
        self.arena.as_ref()?.token.as_ref()?.load().ok()
    }

    fn hopeless(file: &Path, problem: Problem) -> Self {
        Self {
            file: file.to_owned(),
            name: None,
            arena: None,
            policy: None,
            records: None,
            beside_policy: toml::Table::new(),
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

fn read_name(top: &mut Section<'_>, problems: &mut Vec<Problem>) -> Option<String> {
    let before = problems.len();
    match top.text("name", problems) {
        Some(name) if (1..=40).contains(&name.chars().count()) && !name.chars().any(char::is_control) => Some(name),
        Some(_) => {
            problems.push(top.problem("name", "allowed are 1 to 40 characters on one line"));
            None
        }
        None => {
            if problems.len() == before {
                problems.push(top.problem("name", "the key is missing; give the bot a name, for logs and results"));
            }
            None
        }
    }
}

/// The arenas' dialects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Riichilab,
    Mjsonp,
}

fn read_arena(file: &Path, mut section: Section<'_>, problems: &mut Vec<Problem>) -> RawArena {
    let before = problems.len();
    let kinds = [("riichilab", Kind::Riichilab), ("mjsonp", Kind::Mjsonp)];
    let kind = section.one_of("kind", &kinds, problems);
    if kind.is_none() && problems.len() == before {
        problems.push(section.problem("kind", "the key is missing; allowed are \"riichilab\", \"mjsonp\""));
    }
    let url = section.text("url", problems);
    let address = if kind == Some(Kind::Mjsonp) {
        RoomUrl::parse(url.as_deref().unwrap_or_default()).map(Address::Mjsonp)
    } else {
        let url = url.as_deref().unwrap_or(RIICHILAB_URL);
        let unencrypted = section.boolean("allow_unencrypted", problems).unwrap_or(false);
        let url = if unencrypted { ArenaUrl::parse_unencrypted(url) } else { ArenaUrl::parse(url) };
        url.map(Address::Riichilab)
    };
    let address = address.map_err(|message| problems.push(section.problem("url", message))).ok();
    let token = if kind == Some(Kind::Mjsonp) {
        refuse_tokens(&mut section, problems);
        None
    } else {
        read_token_source(file, &mut section, problems)
    };
    let players = section.number_of("players", &[3, 4], problems);
    if kind == Some(Kind::Mjsonp) && players.is_some_and(|players| players != PLAYERS) {
        problems.push(section.problem("players", "found 3, but an mjsonp server seats four; leave the key out"));
    }
    let queue_together = section.boolean("queue_together", problems);
    section.finish(problems);
    RawArena { address, token, players, queue_together }
}

fn refuse_tokens(section: &mut Section<'_>, problems: &mut Vec<Problem>) {
    for key in ["token_env", "token_file"] {
        if section.text(key, problems).is_some() {
            let message = "an mjsonp server asks for no token and would get it unencrypted; leave the key out";
            problems.push(section.problem(key, message));
        }
    }
}

fn read_token_source(file: &Path, section: &mut Section<'_>, problems: &mut Vec<Problem>) -> Option<TokenSource> {
    let before = problems.len();
    let variable = section.text("token_env", problems);
    let path = section.text("token_file", problems);
    match (variable, path) {
        (Some(_), Some(_)) => {
            problems.push(section.problem("token_env", "token_file is there as well; keep one of the two"));
            None
        }
        (Some(variable), None) if is_variable_name(&variable) => Some(TokenSource::Env(variable)),
        (Some(_), None) => {
            // Not shown: a token may have been put here by mistake.
            let message = "this is no name of an environment variable (letters, digits and _ only); \
                           the token itself belongs into the variable, not here";
            problems.push(section.problem("token_env", message));
            None
        }
        (None, Some(path)) => Some(TokenSource::File(folder_of(file).join(path))),
        (None, None) => {
            if problems.len() == before && !section.holds_secret() {
                let message = "the key is missing; name the environment variable that holds the bot's token \
                               (or a file with mode 0600 as token_file)";
                problems.push(section.problem("token_env", message));
            }
            None
        }
    }
}

fn is_variable_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 128
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn read_policy(file: &Path, top: &mut Section<'_>, problems: &mut Vec<Problem>) -> Option<PolicyConfig> {
    let before = problems.len();
    let Some(mut section) = top.section("policy", problems) else {
        if problems.len() == before {
            let message = "the section is missing; say at least which policy decides: [policy] id = \"greedy-tenpai\"";
            problems.push(top.problem("policy", message));
        }
        return None;
    };
    let before = problems.len();
    let library = section.text("library", problems);
    let id = section.text("id", problems);
    if let Some(id) = id.as_ref().filter(|id| !is_policy_id(id)) {
        let found: String = id.chars().take(40).collect();
        problems.push(section.problem("id", format!("found {found:?}, allowed are a-z, 0-9 and -")));
    }
    let unreadable = problems.len() > before;
    let think = section.whole("think_ms", "milliseconds", 1..=600_000, problems);
    let margin = section.whole("margin_ms", "milliseconds", 0..=MOST_MARGIN_MS, problems).unwrap_or(DEFAULT_MARGIN_MS);
    let reload = [("decision", ReloadMode::Decision), ("game", ReloadMode::Game), ("off", ReloadMode::Off)];
    let reload = section.one_of("reload", &reload, problems).unwrap_or_default();
    let isolation = [("thread", Isolation::Thread), ("process", Isolation::Process)];
    let isolation = section.one_of("isolation", &isolation, problems).unwrap_or_default();
    let sha256 = section.text("sha256", problems).and_then(|text| {
        let hash = ContentHash::parse(&text);
        if hash.is_none() {
            let message = "allowed are 64 hexadecimal digits, as `sha256sum` prints them for the library's file";
            problems.push(section.problem("sha256", message));
        }
        hash
    });
    let params = section.table("params", problems);
    let library = match (library, &id) {
        (Some(library), _) if library.is_empty() => {
            let message = "found an empty text; allowed are a name, a path and \"builtin\"";
            problems.push(section.problem("library", message));
            None
        }
        (Some(library), _) => Some(library_choice(file, library)),
        (None, Some(id)) => Some(LibraryChoice::LikeId(id.clone())),
        (None, None) => {
            if !unreadable {
                problems.push(section.problem("id", "the key is missing; say which policy decides, or which library"));
            }
            None
        }
    };
    section.finish(problems);
    if unreadable {
        return None;
    }
    Some(PolicyConfig {
        think: think.map(|ms| Duration::from_millis(ms.into())),
        margin: Duration::from_millis(margin.into()),
        reload,
        isolation,
        sha256,
        params,
        ..PolicyConfig::of(library?, id)
    })
}

fn read_records(file: &Path, mut section: Section<'_>, problems: &mut Vec<Problem>) -> RecordsConfig {
    let folder = section.text("folder", problems).unwrap_or_else(|| "records".to_owned());
    if folder.is_empty() {
        problems.push(section.problem("folder", "found an empty text; allowed is a folder, for instance \"records\""));
    }
    let age = section.whole("keep_days", "days", 1..=36_500, problems).map(|days| DAY * days);
    let bytes = section.whole("keep_mib", "MiB", 1..=1 << 30, problems).map(|mib| u64::from(mib) << 20);
    section.finish(problems);
    RecordsConfig { folder: folder_of(file).join(folder), retention: Retention { age, bytes } }
}

/// Whether a policy may have this id.
pub(crate) fn is_policy_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn library_choice(file: &Path, library: String) -> LibraryChoice {
    if library == "builtin" {
        LibraryChoice::Builtin
    } else if library.contains('/') || library.ends_with(std::env::consts::DLL_SUFFIX) {
        LibraryChoice::Path(folder_of(file).join(library))
    } else {
        LibraryChoice::Name(library)
    }
}

/// The folder that relative paths in a config start from.
#[must_use]
pub fn folder_of(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

/// The same as a complete path, for policies, which are not told where the runner was started.
#[must_use]
pub fn complete_folder_of(file: &Path) -> PathBuf {
    let complete = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    folder_of(&complete).to_owned()
}
