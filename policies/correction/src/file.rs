//! Reading a file of weights.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::feature::FeatureSet;
use crate::weights::{MAX_WEIGHTS_BYTES, Weights, WeightsError};

/// The weights in a file, for tables of this many players.
///
/// # Errors
///
/// A text with the path and the reason why they cannot be used.
pub fn read_weights<F: FeatureSet>(path: &Path, players: u8) -> Result<Weights<F>, String> {
    let wrong = |what: String| format!("weights {}: {what}", path.display());
    // Before it is opened: a pipe would wait for its writer.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(wrong("it is not a regular file".to_owned()));
    }
    let mut text = String::new();
    let file = File::open(path).map_err(|error| wrong(error.to_string()))?;
    file.take(MAX_WEIGHTS_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(|error| wrong(error.to_string()))?;
    if text.len() as u64 > MAX_WEIGHTS_BYTES {
        return Err(wrong(format!(
            "the file is larger than {} MiB, the most that is read",
            MAX_WEIGHTS_BYTES >> 20
        )));
    }
    let weights: Weights<F> = text
        .parse()
        .map_err(|error: WeightsError| wrong(error.to_string()))?;
    match weights.players {
        of if of == players => Ok(weights),
        of => Err(format!(
            "these weights are for tables of {of} players, and the config plays at tables of {players}"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::tests::Two;

    #[test]
    fn weights_that_are_not_a_regular_file_are_refused_before_they_are_read() {
        let refused = read_weights::<Two>(Path::new("/dev/zero"), 4).unwrap_err();
        assert_eq!(refused, "weights /dev/zero: it is not a regular file");
    }
}
