//! Who plays from the start: the bots of the configs in which nothing is wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::roster::Recruit;
use crate::config::{Problem, Problems, RawConfig, Sources};
use crate::plugin::Libraries;
use crate::setup::{Need, Prepared, prepare_raw};

/// The bots that can begin, and the configs whose bots cannot.
#[derive(Debug)]
pub(super) struct Starters {
    /// The bots, in the order of their configs.
    pub(super) recruits: Vec<Recruit>,
    /// Where their policies come from.
    pub(super) libraries: Arc<Libraries>,
    /// What is wrong with the other configs.
    pub(super) refused: BTreeMap<PathBuf, Vec<Problem>>,
}

/// Reads and checks the configs. In a folder bots come and go, and what is wrong with one of its configs costs that bot alone.
///
/// # Errors
///
/// All that is wrong, when that is with a config that was named itself, or with all of them.
pub(super) fn starters(sources: &Sources) -> Result<Starters, Problems> {
    let mut configs: Vec<RawConfig> = sources.files()?.iter().map(|file| RawConfig::load(file)).collect();
    let mut refused = BTreeMap::<PathBuf, Vec<Problem>>::new();
    loop {
        let problems = match prepare_raw(configs.clone(), Need::Arena) {
            Ok(Prepared { bots, libraries }) => {
                let beside = configs.into_iter().map(|config| config.beside_policy);
                let recruits = bots.into_iter().zip(beside).map(|(ready, beside)| Recruit { ready, beside }).collect();
                return Ok(Starters { recruits, libraries, refused });
            }
            Err(Problems(problems)) => problems,
        };
        let named = problems.iter().any(|problem| sources.names(&problem.file));
        for problem in problems {
            refused.entry(problem.file.clone()).or_default().push(problem);
        }
        configs.retain(|config| !refused.contains_key(&config.file));
        if named || configs.is_empty() {
            return Err(Problems(refused.into_values().flatten().collect()));
        }
    }
}
