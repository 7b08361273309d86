//! Shards of an attempt's games, which several machines play: each fills a folder, and all are
//! merged into the training.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use lab::part::{ShardPart, check_parts, differences};

use crate::critic::Critic;
use crate::games::TrainedGame;
use crate::progress::AttemptShard;
use crate::state::TrainingState;

/// The shard in a folder, or a fresh one of this training.
///
/// # Errors
///
/// If the folder has something else.
pub(crate) fn open<G: TrainedGame>(
    folder: &Path,
    training: &TrainingState<G>,
    shard: AttemptShard,
) -> Result<TrainingState<G>> {
    let Some(state) = TrainingState::<G>::load(folder)? else {
        return training.fresh_shard(folder, shard);
    };
    let Some(found) = state.progress.shard else {
        bail!(
            "{}: it is a training and no shard; name another folder with --out",
            folder.display()
        );
    };
    let mut differences = differences(
        &found.arguments(&state.progress),
        &shard.arguments(&training.progress),
    );
    if found.part != shard.part {
        differences.push(format!("it is shard {} and not {}", found.part, shard.part));
    }
    if !differences.is_empty() {
        bail!(
            "{}: it has another shard: {}; name another folder with --out",
            folder.display(),
            differences.join("; ")
        );
    }
    Ok(state)
}

/// Merges all shards of an attempt into the training, and saves it.
///
/// # Errors
///
/// If shards are missing, incomplete or of another attempt, for instance of one that they were
/// merged into.
pub(crate) fn merge<G: TrainedGame>(
    training: &mut TrainingState<G>,
    folders: &[PathBuf],
) -> Result<()> {
    let mut shards = Vec::new();
    for folder in folders {
        let state = TrainingState::<G>::load(folder)?;
        let Some((state, shard)) =
            state.and_then(|state| state.progress.shard.map(|shard| (state, shard)))
        else {
            bail!(
                "{}: it is no shard; trainer TRAINING --shard K/N --out {0} makes one",
                folder.display()
            );
        };
        let name = folder.display().to_string();
        let of_training = AttemptShard {
            sums: training.progress.sums,
            ..shard
        }
        .arguments(&training.progress);
        let arguments = shard.arguments(&state.progress);
        let differences = differences(&arguments, &of_training);
        if !differences.is_empty() {
            bail!(
                "{name}: it does not continue the training, or was merged before: its {}",
                differences.join("; its ")
            );
        }
        let done = (state.progress.chunks_of_attempt, shard.wanted());
        shards.push((
            ShardPart {
                name,
                arguments,
                shard: shard.part,
                done,
            },
            state,
        ));
    }
    check_parts(
        &shards
            .iter()
            .map(|(part, _)| part.clone())
            .collect::<Vec<_>>(),
    )?;
    for (_, shard) in &shards {
        training.lessons.add(&shard.lessons, 1.0);
        training.held_out.add(&shard.held_out, 1.0);
        training.progress.games += shard.progress.games;
        training.progress.chunks += shard.progress.chunks_of_attempt;
        training.progress.chunks_of_attempt += shard.progress.chunks_of_attempt;
    }
    training.critic = Critic::fit(&training.lessons.critic);
    training.save()
}
