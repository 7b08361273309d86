//! The status of a bot, as a runner reports it.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BotStatus {
    pub bot: String,
    pub arena: String,
    #[serde(flatten)]
    pub state: BotActivity,
    /// Number of games begun; during a game, the number of that game, from 1.
    pub game: u32,
    /// Number of games played to their end.
    pub finished: u32,
    /// Average place over these; `None` without one.
    pub average_place: Option<f64>,
    /// Average points of these games, if they are compared by points. Missing in the status of earlier runners.
    #[serde(default)]
    pub average_points: Option<f64>,
    /// Number of times the bot took each place, from first to fourth. Missing in the status of earlier runners.
    #[serde(default)]
    pub places: [u32; 4],
    /// Its last games; `None` without one. Absent in the status of earlier runners.
    #[serde(default)]
    pub recent: Option<RecentGames>,
    /// The reason why the last change of its policy or config was refused, until one succeeds. Absent in the status of
    /// earlier runners.
    #[serde(default)]
    pub refused_change: Option<String>,
    /// Decisions that its policies made.
    pub decisions: u32,
    pub safe_answers: u32,
    /// Milliseconds that half of the replies did not exceed.
    pub p50_ms: f64,
    /// Milliseconds that 99 % of the replies did not exceed.
    pub p99_ms: f64,
    /// Milliseconds that no reply exceeded. Absent in the status of earlier runners.
    #[serde(default)]
    pub slowest_ms: f64,
    /// The arena's time limit for a reply in milliseconds, if it states one.
    #[serde(default)]
    pub limit_ms: Option<u64>,
    pub faults: u32,
    /// Differences between our picture of the games and the arena's.
    pub desyncs: u32,
    /// The policy that decided last; `None` before its first decision.
    pub policy: Option<PolicyStatus>,
}

/// The rolling averages cover this many of a bot's last games.
pub const RECENT_GAMES: usize = 100;

/// The averages of a bot's last games, of [`RECENT_GAMES`] at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RecentGames {
    pub games: usize,
    pub average_place: f64,
    /// The 95 % interval of the average place, from and to; `None` for fewer games than
    /// [`MIN_GAMES_OF_INTERVAL`](lab_stats::MIN_GAMES_OF_INTERVAL).
    pub interval: Option<[f64; 2]>,
    /// Average points, if games are compared by them. Missing in the status of earlier runners, like its interval.
    #[serde(default)]
    pub average_points: Option<f64>,
    /// The 95 % interval of the average points.
    #[serde(default)]
    pub points_interval: Option<[f64; 2]>,
}

/// The policy that decides, with its build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyStatus {
    pub id: String,
    pub version: String,
    /// SHA-256 of its library's file; `None` for a built-in policy.
    pub sha256: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum BotActivity {
    /// It has not connected yet.
    Starting,
    /// It waits for a game at its arena.
    Queued,
    Playing,
    /// It waits for something else.
    Waiting {
        why: String,
        /// When the wait ends, in seconds of Unix time; `None` when unknown.
        until: Option<u64>,
    },
    /// Its policy is set aside; the bot continues when another build takes over.
    SetAside,
    Stopped {
        why: String,
    },
}

impl BotActivity {
    /// A wait that ends this long from now.
    #[must_use]
    pub fn waiting_for(why: String, wait: Duration) -> Self {
        let until = SystemTime::now().checked_add(wait).and_then(|then| then.duration_since(UNIX_EPOCH).ok());
        Self::Waiting { why, until: until.map(|until| until.as_secs()) }
    }

    /// The state as one or two words.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Queued => "queued",
            Self::Playing => "playing",
            Self::Waiting { .. } => "waiting",
            Self::SetAside => "set aside",
            Self::Stopped { .. } => "stopped",
        }
    }
}

/// The state with its reason.
impl fmt::Display for BotActivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Self::Waiting { why, until } => {
                write!(f, ": {why}")?;
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
                until.map_or(Ok(()), |until| write!(f, " (for {} s)", until.saturating_sub(now)))
            }
            Self::Stopped { why } => write!(f, ": {why}"),
            _ => Ok(()),
        }
    }
}
