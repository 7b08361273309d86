//! How far a training is, or a shard of one of its attempts.

use lab::part::Shard;
use policy_host::GameKind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TrainingProgress {
    /// The name of the game; riichi in a state from before other games could be learned.
    #[serde(default = "riichi")]
    pub(crate) game: String,
    pub(crate) players: u8,
    pub(crate) seed: u64,
    /// The hash of the feature list of the sums.
    pub(crate) features: String,
    /// Generations that were accepted.
    pub(crate) generation: u32,
    /// Games of self-play that the weights accepted last come from; 0 in a state from before this
    /// was noted.
    #[serde(default)]
    pub(crate) weights_games: u64,
    /// Attempts at the next generation that were rejected.
    pub(crate) rejected: u32,
    /// Chunks played in all.
    pub(crate) chunks: u64,
    pub(crate) chunks_of_attempt: u64,
    /// Games of self-play in all.
    pub(crate) games: u64,
    /// Matches played; each takes fresh walls.
    pub(crate) matches: u64,
    /// The number of the sums that belong to this state.
    pub(crate) sums: u64,
    /// Set if the folder is a shard of a training's attempt. It then begins without sums, at the
    /// chunk and with the weights that the training had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) shard: Option<AttemptShard>,
}

fn riichi() -> String {
    GameKind::Riichi.name().to_owned()
}

/// One of the shards of an attempt's games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct AttemptShard {
    pub(crate) part: Shard,
    /// Chunks of all shards together.
    pub(crate) chunks: u64,
    pub(crate) temperature: f32,
    /// The number of the training's sums when the shard began.
    pub(crate) sums: u64,
}

impl AttemptShard {
    /// Chunks of this shard alone.
    pub(crate) const fn wanted(&self) -> u64 {
        self.part.len(self.chunks)
    }

    /// All that determines the games of a shard's attempt. `began` is the progress when it began.
    pub(crate) fn arguments(&self, began: &TrainingProgress) -> Value {
        json!({
            "game": began.game,
            "players": began.players,
            "seed": began.seed,
            "generation": began.generation,
            "first chunk": began.chunks,
            "sums": self.sums,
            "chunks": self.chunks,
            "temperature": self.temperature.to_string(),
        })
    }
}
