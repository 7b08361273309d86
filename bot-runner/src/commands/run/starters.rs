//! Who plays from the start: the bots of the configs in which nothing is wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::post::Recruit;
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
        if problems.iter().any(|problem| sources.names(&problem.file)) {
            return Err(Problems(refused.into_values().flatten().chain(problems).collect()));
        }
        // Who has a name or a token twice is in nobody's way whose config is wrong anyhow.
        let alone: Vec<Problem> = configs.iter().flat_map(problems_alone).collect();
        for problem in if alone.is_empty() { problems } else { alone } {
            refused.entry(problem.file.clone()).or_default().push(problem);
        }
        configs.retain(|config| !refused.contains_key(&config.file));
        if configs.is_empty() {
            return Err(Problems(refused.into_values().flatten().collect()));
        }
    }
}

/// What is wrong with a config, whatever others say.
fn problems_alone(config: &RawConfig) -> Vec<Problem> {
    prepare_raw(vec![config.clone()], Need::Arena).err().map_or_else(Vec::new, |Problems(problems)| problems)
}
