//! Reading a file of weights.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::feature::FeatureSet;
use crate::weights::{MAX_WEIGHTS_BYTES, Weights, WeightsError};

/// Why a policy has no weights.
#[derive(Debug, thiserror::Error)]
pub enum NoWeights {
    /// A folder, pipe or device.
    #[error("weights {}: it is not a regular file", .path.display())]
    NotRegular {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses to read it.
    #[error("weights {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// More than [`MAX_WEIGHTS_BYTES`].
    #[error(
        "weights {}: the file is larger than {} MiB, the most that is read",
        .path.display(),
        MAX_WEIGHTS_BYTES >> 20
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
    },
    /// The content is of no use to this program.
    #[error("weights {}: {error}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: WeightsError,
    },
    /// They are for another number of players.
    #[error(
        "these weights are for tables of {found} players, and the config plays at tables of {wanted}"
    )]
    Players {
        /// The players that they are for.
        found: u8,
        /// The players of the tables.
        wanted: u8,
    },
    /// The built-in weights do not fit this program's features, which is a fault of the build.
    #[error("the built-in weights for {game}: {error}")]
    BuiltIn {
        /// The game that they are for.
        game: String,
        /// What is wrong.
        error: WeightsError,
    },
}

/// The weights in a file, for tables of this many players.
///
/// # Errors
///
/// If they cannot be used.
pub fn read_weights<F: FeatureSet>(path: &Path, players: u8) -> Result<Weights<F>, NoWeights> {
    let unreadable = |error| NoWeights::Unreadable {
        path: path.to_owned(),
        error,
    };
    // Before it is opened: a pipe would wait for its writer.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(NoWeights::NotRegular {
            path: path.to_owned(),
        });
    }
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(MAX_WEIGHTS_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    if text.len() as u64 > MAX_WEIGHTS_BYTES {
        return Err(NoWeights::TooLarge {
            path: path.to_owned(),
        });
    }
    let weights: Weights<F> = text.parse().map_err(|error| NoWeights::Content {
        path: path.to_owned(),
        error,
    })?;
    match weights.players {
        found if found == players => Ok(weights),
        found => Err(NoWeights::Players {
            found,
            wanted: players,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::tests::Two;

    #[test]
    fn weights_that_are_not_a_regular_file_are_refused_before_they_are_read() {
        let refused = read_weights::<Two>(Path::new("/dev/zero"), 4).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "weights /dev/zero: it is not a regular file"
        );
    }
}
