//! Who plays from the start: the bots of the configs in which nothing is wrong.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use policy_host::Libraries;

use super::prepare::{CheckedConfig, Purpose, ReadyBot, check_all, doubles};
use crate::config::{Problem, Problems, RawConfig, Sources};

/// The bots that can begin, and the configs whose bots cannot.
#[derive(Debug)]
pub struct Starters {
    /// The bots, in the order of their configs.
    pub bots: Vec<ReadyBot>,
    /// Where their policies come from.
    pub libraries: Arc<Libraries>,
    /// What is wrong with the other configs.
    pub refused: BTreeMap<PathBuf, Vec<Problem>>,
}

/// Reads and checks the configs. In a folder bots come and go, and what is wrong with one of its configs costs that bot alone.
///
/// # Errors
///
/// All that is wrong, when that is with a config that was named itself, or with all of them.
pub fn starters(sources: &Sources) -> Result<Starters, Problems> {
    let configs = sources.files()?.iter().map(|file| RawConfig::load(file)).collect();
    let (libraries, checked) = check_all(configs, Purpose::Arena);
    let (mut good, wrong): (Vec<CheckedConfig>, Vec<CheckedConfig>) =
        checked.into_iter().partition(|config| config.result.is_ok());
    // A config that is wrong by itself is in nobody's way, whatever its name and token.
    let problems = wrong.into_iter().filter_map(|config| config.result.err()).flatten().chain(doubles(&good));
    let mut refused = BTreeMap::<PathBuf, Vec<Problem>>::new();
    for problem in problems {
        refused.entry(problem.file.clone()).or_default().push(problem);
    }
    good.retain(|config| !refused.contains_key(&config.file));
    if good.is_empty() || refused.keys().any(|file| sources.names(file)) {
        return Err(Problems(refused.into_values().flatten().collect()));
    }
    let bots = good.into_iter().filter_map(|config| config.result.ok()).collect();
    Ok(Starters { bots, libraries, refused })
}
