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
    /// Average points of these games, if they are compared by points. Missing in the status of
    /// earlier runners.
    #[serde(default)]
    pub average_points: Option<f64>,
    /// Number of times the bot took each place, from first to fourth. Missing in the status of
    /// earlier runners.
    #[serde(default)]
    pub places: [u32; 4],
    /// Its last games; `None` without one. Absent in the status of earlier runners.
    #[serde(default)]
    pub recent: Option<RecentGames>,
    /// The reason why the last change of its policy or config was refused, until one succeeds.
    /// Absent in the status of earlier runners.
    #[serde(default)]
    pub refused_change: Option<String>,
    /// Why it does not play, or plays without its policy; `None` if neither. Absent in the status
    /// of earlier runners.
    #[serde(default)]
    pub trouble: Option<BotTrouble>,
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
    /// Its rating on the arena's ladder, if that is known. Absent in the status of earlier runners.
    #[serde(default)]
    pub rating: Option<BotRating>,
}

/// A bot's rating on the arena's ladder.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BotRating {
    /// After the newest of its games that the ladder has told.
    pub now: f64,
    /// What that game changed.
    pub change: f64,
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
    /// Average points, if games are compared by them. Missing in the status of earlier runners,
    /// like its interval.
    #[serde(default)]
    pub average_points: Option<f64>,
    /// The 95 % interval of the average points.
    #[serde(default)]
    pub points_interval: Option<[f64; 2]>,
}

/// Why a bot does not play, or plays without its policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotTrouble {
    pub kind: TroubleKind,
    pub why: String,
    /// When the policy is tried again, in seconds of Unix time; `None` if that takes a change.
    pub until: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TroubleKind {
    /// Its config has a mistake.
    Config,
    /// Its policy is set aside.
    SetAside,
    /// It stopped on its own.
    Stopped,
}

impl TroubleKind {
    pub const ALL: [Self; 3] = [Self::Config, Self::SetAside, Self::Stopped];

    /// Its word in figures.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Config => "config",
            Self::SetAside => "set_aside",
            Self::Stopped => "stopped",
        }
    }
}

impl BotStatus {
    /// Whether it is a bot; else it is a config that no bot plays by.
    pub const fn is_bot(&self) -> bool {
        !matches!(self.state, BotActivity::DoesNotPlay { .. })
    }

    /// Its state with the reason, and everything else that is wrong, as one text.
    pub fn state_words(&self) -> String {
        let mut words = self.state.to_string();
        if let Some(BotTrouble {
            kind: TroubleKind::SetAside,
            why,
            until,
        }) = &self.trouble
        {
            let what = if self.state == BotActivity::SetAside {
                ""
            } else {
                "; its policy is set aside"
            };
            words.push_str(&format!("{what}: {why}"));
            if let Some(until) = until {
                words.push_str(&format!(
                    "; it is tried again in {} s",
                    seconds_until(*until)
                ));
            }
        }
        if let Some(why) = &self.refused_change {
            words.push_str(&format!("; a change was refused: {why}"));
        }
        words
    }
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
    /// Its policy is set aside; the bot continues when that is tried again, or when another build
    /// takes over.
    SetAside,
    /// Its config has a mistake, and no bot plays by it.
    DoesNotPlay {
        why: String,
    },
    Stopped {
        why: String,
    },
}

impl BotActivity {
    /// A wait that ends this long from now.
    pub fn waiting_for(why: String, wait: Duration) -> Self {
        Self::Waiting {
            why,
            until: unix_time_in(wait),
        }
    }

    /// The words for all states, as [`word`](Self::word) gives them.
    pub const WORDS: [&'static str; 7] = [
        "playing",
        "queued",
        "starting",
        "waiting",
        "set aside",
        "stopped",
        "does not play",
    ];

    /// The state as one or two words.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Queued => "queued",
            Self::Playing => "playing",
            Self::Waiting { .. } => "waiting",
            Self::SetAside => "set aside",
            Self::DoesNotPlay { .. } => "does not play",
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
                until.map_or(Ok(()), |until| {
                    write!(f, " (for {} s)", seconds_until(until))
                })
            }
            Self::Stopped { why } | Self::DoesNotPlay { why } => write!(f, ": {why}"),
            _ => Ok(()),
        }
    }
}

/// The Unix time in so much time, in seconds.
pub(super) fn unix_time_in(time: Duration) -> Option<u64> {
    let then = SystemTime::now()
        .checked_add(time)?
        .duration_since(UNIX_EPOCH)
        .ok()?;
    Some(then.as_secs())
}

fn seconds_until(unix_time: u64) -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs();
    unix_time.saturating_sub(now)
}
