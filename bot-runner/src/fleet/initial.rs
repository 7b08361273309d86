//! The configs that a run begins with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use policy_host::Libraries;

use super::prepare::{Purpose, ReadConfig, SecretFile, check_all, duplicate_identities, libraries_for};
use crate::config::{Problem, Problems, RawConfig, Sources};

/// The configs whose policies are to be tried out, and those in which something else is wrong.
pub struct InitialConfigs {
    /// Those that are right so far, in their order.
    pub(super) good: Vec<ReadConfig>,
    /// Where their policies come from.
    pub libraries: Arc<Libraries>,
    /// What is wrong with the others.
    pub(super) refused: BTreeMap<PathBuf, Vec<Problem>>,
}

impl InitialConfigs {
    /// Reads the configs and checks all but their policies, which takes no process. In a folder bots come and go, and
    /// what is wrong with one of its configs costs that bot alone. No policy's process may read this secret file besides those
    /// that the configs name.
    ///
    /// # Errors
    ///
    /// All that is wrong, policies included, when that is with a config that was named itself, or with all of them.
    pub fn read(sources: &Sources, secret: Option<SecretFile>) -> Result<Self, Problems> {
        let configs: Vec<RawConfig> = sources.files()?.iter().map(|file| RawConfig::load(file)).collect();
        let libraries = libraries_for(&configs, secret.clone());
        let read = configs.iter().map(|config| ReadConfig::for_arena(config.clone(), &libraries));
        let (good, wrong): (Vec<_>, Vec<_>) = read.partition(|config| config.problems.is_empty());
        // A config that is wrong by itself blocks no other, whatever its name and token.
        let duplicates = duplicate_identities(good.iter().map(|config| &config.identity));
        let is_refused = |file: &PathBuf| {
            wrong.iter().any(|config| config.identity.file == *file)
                || duplicates.iter().any(|problem| problem.file == *file)
        };
        let files = || configs.iter().map(|config| &config.file);
        if good.is_empty() || files().any(|file| is_refused(file) && sources.names(file)) {
            return Err(everything_wrong(configs, secret, duplicates));
        }
        let refused = wrong.into_iter().map(|config| (config.identity.file, config.problems)).collect();
        Ok(Self { good, libraries, refused })
    }
}

/// What is wrong with the configs, their policies included, since no bot waits for that.
fn everything_wrong(configs: Vec<RawConfig>, secret: Option<SecretFile>, duplicates: Vec<Problem>) -> Problems {
    let (_, checked) = check_all(configs, Purpose::Arena, secret);
    let alone = checked.into_iter().filter_map(|config| config.result.err()).flatten();
    Problems(alone.chain(duplicates).collect())
}
