//! Which policy decides, and how the host starts, swaps and confines it.

use std::path::PathBuf;
use std::time::Duration;

use confinement::ProcessLimits;

use crate::files::sha256::Sha256;

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
    /// The command that lets another version take over, as written: it exits with 0.
    pub gate: Option<String>,
    /// Parameters, as written; the policy's descriptor lists the allowed values.
    pub params: toml::Table,
}

impl PolicyConfig {
    /// The section that says no more than which policy.
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
            gate: None,
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

pub fn is_policy_id(id: &str) -> bool {
    !id.is_empty()
        && id
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
