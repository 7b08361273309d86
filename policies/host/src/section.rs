//! The `[policy]` section of a bot's config, and how problems with it are reported.

use std::path::PathBuf;
use std::time::Duration;

use toml::Value;

use crate::process_limits::ProcessLimits;
use crate::sha256::Sha256;

/// Milliseconds kept back from a request's deadline unless the config says otherwise.
pub const DEFAULT_MARGIN_MS: u32 = 250;

#[derive(Debug, Clone, PartialEq)]
pub struct PolicyConfig {
    pub library: LibraryChoice,
    /// Which policy of the library; `None` when it should hold just one.
    pub id: Option<String>,
    /// Maximum time for a decision; `None`: the free time of a request less the margin.
    pub think: Option<Duration>,
    /// Time kept back from a request's deadline, at most 2 seconds.
    pub margin: Duration,
    /// When another build or other parameters take over.
    pub reload: ReloadMode,
    pub isolation: Isolation,
    /// The limits of its process; with thread isolation only those of its user.
    pub limits: ProcessLimits,
    /// The only content that the library's file may have.
    pub sha256: Option<Sha256>,
    /// Files whose change is a swap like a change of the library, by path; `*` in a file's name
    /// matches any letters.
    pub watch: Vec<PathBuf>,
    /// Parameters, as written; the policy's descriptor lists the allowed values.
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
            limits: ProcessLimits::default(),
            sha256: None,
            watch: Vec::new(),
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

/// How a library's code is isolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// On a thread of the runner.
    #[default]
    Thread,
    /// In its own process, without the runner's tokens.
    Process,
}

/// Which library a policy is taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryChoice {
    /// The policies linked into the runner.
    Builtin,
    /// A name to look up next to the runner, then in the config's folder.
    Name(String),
    Path(PathBuf),
    /// The library named like the id if there is one, else the policies linked into the runner.
    LikeId(String),
}

#[must_use]
pub fn is_policy_id(id: &str) -> bool {
    !id.is_empty()
        && id
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// A mistake in a `[policy]` section, or a library that it names and that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyProblem {
    /// The key with its section, for instance `policy.params.level`.
    pub key: String,
    /// The value found, the allowed values, and the next step.
    pub message: String,
}

impl PolicyProblem {
    pub fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            message: message.into(),
        }
    }
}

/// Names in backquotes with commas.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .map(|name| format!("`{}`", name.as_ref()))
        .collect();
    quoted.join(", ")
}

/// The known name most similar to a word, if one is near enough: two letters may differ, in a short
/// word one.
#[must_use]
pub fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let most = if word.chars().count() < 4 { 1 } else { 2 };
    // A much longer word, such as a secret in the wrong place, is not compared.
    let like = names
        .into_iter()
        .filter(|name| word.len() <= name.len() + most);
    let near = like
        .map(|name| (strsim::damerau_levenshtein(name, word), name))
        .min()?;
    (near.0 <= most).then_some(near.1)
}

/// A question to append to a message about a wrong word, if there is a similar name.
#[must_use]
pub fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The type of a TOML value, with its article.
#[must_use]
pub fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "true or false",
        Value::Datetime(_) => "a date",
        Value::Array(_) => "a list",
        Value::Table(_) => "a section",
    }
}

/// A TOML value as an error may show it.
#[must_use]
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => value.to_string(),
        other => kind_of(other).to_owned(),
    }
}
