//! The manifest of a record: `manifest.json`.

use std::collections::BTreeMap;
use std::time::Duration;

use foreign_text::check_texts;
use policy_host::{FaultCounts, ForeignFolder, GameKind, PolicyIdentity, RecordedEvents};
use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::serde::rfc3339;

use super::names::{GAME, MANIFEST, OTHER_GAME};
use crate::game_report::GameReport;
use crate::latency::Latency;
use crate::session::AckCounts;
use crate::session::desync::DesyncMark;

/// Version of the format of records; other versions are refused.
pub(super) const FORMAT: u32 = 1;

/// Maximum size of a manifest that is read, in bytes.
const LARGEST: u64 = 64 << 20;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format, 1.
    pub format: u32,
    /// Whether the record is complete.
    pub state: RecordState,
    /// The reason if the record is incomplete.
    pub cut: Option<String>,
    /// The bot and the arena.
    #[serde(flatten)]
    pub about: GamesAbout,
    /// The time when the connection opened; the times of frames are relative to it. UTC, to the
    /// millisecond.
    #[serde(with = "rfc3339")]
    pub started: OffsetDateTime,
    /// The time when the record ended. UTC, to the millisecond.
    #[serde(with = "rfc3339::option")]
    pub ended: Option<OffsetDateTime>,
    /// Own seat, from 0.
    pub seat: usize,
    /// The policies that were asked, in the order of their first decisions; before the first
    /// decision the one that will be asked.
    pub policies: Vec<PolicyNote>,
    /// The number of lines in the record.
    pub kept: LineCounts,
    /// The number of lines that it lacks, although they came before the game ended or the bot
    /// stopped.
    pub missing: LineCounts,
    /// The result of the game; `None` if the process ended before it.
    pub played: Option<RecordedResult>,
}

impl Manifest {
    /// Reads the manifest of a record.
    ///
    /// # Errors
    ///
    /// The reason, as text to follow the manifest's path.
    pub(super) fn read(folder: &ForeignFolder) -> Result<Self, String> {
        let text = folder
            .open_file(MANIFEST, OFlags::RDONLY)
            .and_then(|mut file| file.read_text(LARGEST));
        let text = text.map_err(|error| {
            format!("is not a record of a game: {error}; `bot-runner records list FOLDER` shows which there are")
        })?;
        let malformed = |error| format!("is not a manifest of a record: {error}");
        let value: serde_json::Value = serde_json::from_str(&text).map_err(malformed)?;
        match value["format"].as_u64() {
            Some(found) if found != u64::from(FORMAT) => Err(format!(
                "has format {found}, and this runner reads format {FORMAT}"
            )),
            _ => check_texts(&value)
                .map_err(|why| format!("is not a manifest of a record: {why}"))
                .and_then(|()| serde_json::from_value(value).map_err(malformed)),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RecordState {
    Playing,
    Complete,
    /// It is incomplete.
    Cut,
}

/// The properties of a bot's games that are known before they begin. The length is not one of them:
/// arenas do not send it. Earlier runners wrote a `length`, which is ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesAbout {
    /// Version of the runner.
    pub runner: String,
    pub bot: String,
    /// The arena's address.
    pub arena: String,
    pub protocol: String,
    /// The game's name. Missing in records of earlier runners, which recorded only riichi.
    #[serde(default = "riichi")]
    pub game: String,
    /// 4 or 3.
    pub players: u8,
    /// SHA-256 of the bot's config at its start, with defaults filled in, without secrets.
    pub config_sha256: String,
}

impl GamesAbout {
    pub fn game_file(&self) -> &'static str {
        match self.game.parse().map(GameKind::recorded_events) {
            Ok(RecordedEvents::Mjai) => GAME,
            // A later runner may have recorded an unknown game.
            Ok(RecordedEvents::Steps) | Err(_) => OTHER_GAME,
        }
    }
}

fn riichi() -> String {
    GameKind::Riichi.name().to_owned()
}

/// A build of a policy, with its number of decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyNote {
    /// It is the `policy` in the line of a decision.
    #[serde(alias = "policy")]
    pub id: String,
    pub version: String,
    /// Content of its library; `None` for a policy that is built into the runner.
    pub sha256: Option<String>,
    /// Number of decisions that it was asked for.
    #[serde(default)]
    pub decisions: u64,
}

impl PolicyNote {
    pub(crate) fn of(policy: &PolicyIdentity) -> Self {
        Self {
            id: policy.id.clone(),
            version: policy.version.clone(),
            sha256: policy.hash.map(|hash| hash.to_string()),
            decisions: 0,
        }
    }

    /// Counts a decision.
    pub(super) fn count(policies: &mut Vec<Self>, asked: Self) {
        // The policy at the beginning may never have been asked.
        policies.retain(|known| known.decisions > 0);
        let same = |known: &&mut Self| {
            (&known.id, &known.version, &known.sha256) == (&asked.id, &asked.version, &asked.sha256)
        };
        match policies.iter_mut().find(same) {
            Some(known) => known.decisions += 1,
            None => policies.push(Self {
                decisions: 1,
                ..asked
            }),
        }
    }
}

/// Numbers of lines in the three files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCounts {
    /// Frames of either direction.
    pub frames: u64,
    pub events: u64,
    pub decisions: u64,
}

impl LineCounts {
    pub(super) const fn add(&mut self, more: &Self) {
        self.frames += more.frames;
        self.events += more.events;
        self.decisions += more.decisions;
    }

    pub const fn total(&self) -> u64 {
        self.frames + self.events + self.decisions
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedResult {
    /// Final score of each seat, if the game was finished.
    pub scores: Option<Vec<i32>>,
    /// Own place, from 1.
    pub place: Option<u8>,
    /// The names of the players in seat order, if they are known although the arena does not send
    /// them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Rounds begun.
    pub rounds: u32,
    pub requests: AckCounts,
    pub safe_answers: u64,
    /// The policies' faults in this game, with counts.
    pub faults: BTreeMap<String, u32>,
    /// Differences between our picture of the game and the arena's.
    pub desyncs: u32,
    /// The first of each sort, with its description.
    pub first_desyncs: Vec<String>,
    /// The places of the first 200 of them; missing in records of earlier runners.
    #[serde(default)]
    pub desync_marks: Vec<DesyncMark>,
    /// Frames that could not be read.
    pub unreadable: u32,
    /// Decision times of the policies.
    pub decision_us: Option<LatencySummary>,
    /// Reply times, from the arrival of the request until the reply was written.
    pub reply_us: Option<LatencySummary>,
}

impl RecordedResult {
    /// The result of a game: with its report if it was finished, and the faults in it.
    pub(crate) fn of(game: Option<&GameReport>, faults: &FaultCounts) -> Self {
        Self {
            scores: game.map(|game| game.scores.as_slice().to_vec()),
            place: game.map(|game| game.place),
            faults: faults
                .by_kind()
                .map(|(kind, count)| (kind.to_owned(), count))
                .collect(),
            ..Self::default()
        }
    }
}

/// Times in microseconds, to about 1 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencySummary {
    /// The time that half of them did not exceed.
    pub p50: u64,
    /// The time that 99 % of them did not exceed.
    pub p99: u64,
    pub max: u64,
}

impl LatencySummary {
    /// The times of a game; `None` without any.
    pub(super) fn of(times: &Latency) -> Option<Self> {
        let us = |share| times.quantile(share).as_micros() as u64;
        (!times.is_empty()).then(|| Self {
            p50: us(0.5),
            p99: us(0.99),
            max: us(1.0),
        })
    }
}

/// A time in the form of manifests.
pub(super) fn to_the_millisecond(time: OffsetDateTime) -> OffsetDateTime {
    time - Duration::from_nanos(u64::from(time.nanosecond() % 1_000_000))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The manifest at the beginning of a record.
    pub(in crate::records) fn manifest(bot: &str) -> Manifest {
        let policy = PolicyNote {
            id: "mine".to_owned(),
            version: "1".to_owned(),
            sha256: None,
            decisions: 0,
        };
        Manifest {
            format: FORMAT,
            state: RecordState::Playing,
            cut: None,
            about: GamesAbout {
                runner: "0".to_owned(),
                bot: bot.to_owned(),
                arena: "ws://127.0.0.1:1".to_owned(),
                protocol: "riichilab 2".to_owned(),
                game: riichi(),
                players: 4,
                config_sha256: String::new(),
            },
            started: OffsetDateTime::UNIX_EPOCH,
            ended: None,
            seat: 1,
            policies: vec![policy],
            kept: LineCounts::default(),
            missing: LineCounts::default(),
            played: None,
        }
    }

    #[test]
    fn a_manifest_of_an_earlier_runner_that_says_how_long_its_game_lasted_and_not_which_it_was_is_read()
     {
        let mut old = serde_json::to_value(manifest("kuma")).expect("JSON");
        assert_eq!(old.get("length"), None);
        old["length"] = "hanchan".into();
        old.as_object_mut().expect("an object").remove("game");
        assert_eq!(
            serde_json::from_value::<Manifest>(old).expect("it can be read"),
            manifest("kuma")
        );
    }

    #[test]
    fn decisions_are_counted_for_each_build_in_the_order_of_the_first() {
        let mut policies = manifest("kuma").policies;
        let build = |id: &str| PolicyNote {
            id: id.to_owned(),
            version: "1".to_owned(),
            sha256: None,
            decisions: 0,
        };
        for id in ["other", "mine", "other"] {
            PolicyNote::count(&mut policies, build(id));
        }
        let counted: Vec<_> = policies
            .iter()
            .map(|policy| (policy.id.as_str(), policy.decisions))
            .collect();
        assert_eq!(counted, [("other", 2), ("mine", 1)]);
    }
}
