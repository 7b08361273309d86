//! Which policy of which library a config means.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::library::{Library, LoadError};
use super::params::{ParamValues, check_params};
use crate::config::{LibraryChoice, PolicyConfig, Problem, folder_of, listed};

/// A bot's policy, found and with its parameters checked.
#[derive(Debug, Clone)]
pub struct ChosenPolicy {
    /// The library.
    pub library: Arc<Library>,
    /// Place of the policy in it.
    pub index: usize,
    /// The parameters.
    pub params: ParamValues,
}

impl ChosenPolicy {
    /// What is known of the policy.
    #[must_use]
    pub fn info(&self) -> &super::PolicyInfo {
        &self.library.policies[self.index]
    }
}

/// Why no library is to be had.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// There is no file of that name.
    #[error("no library {name:?} is found; looked for {}", .tried.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(" and "))]
    NotFound {
        /// The name.
        name: String,
        /// The files looked for.
        tried: Vec<PathBuf>,
    },
    /// The policies linked into the runner do not have it.
    #[error("no policy {id:?} is built in; built in are {}", listed(.known))]
    NotBuiltin {
        /// The id asked for.
        id: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Neither a library nor a built-in policy of that name.
    #[error("no policy {id:?}: no library is found ({}), and built in are {}",
        .tried.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "), listed(.known))]
    Nowhere {
        /// The id asked for.
        id: String,
        /// The files looked for.
        tried: Vec<PathBuf>,
        /// What is built in.
        known: Vec<String>,
    },
    /// It is found, but cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Finds a bot's policy for tables of so many players and checks its parameters; `file` is the bot's config.
///
/// # Errors
///
/// All that is wrong with the config's `[policy]` section.
pub fn find(file: &Path, config: &PolicyConfig, players: u8) -> Result<ChosenPolicy, Vec<Problem>> {
    let problem = |key: &str, message: String| vec![Problem::new(file, key, message)];
    let library = choose_library(file, config).map_err(|error| {
        let key = if matches!(config.library, LibraryChoice::LikeId(_)) { "policy.id" } else { "policy.library" };
        problem(key, error.to_string())
    })?;
    let index = library.policy(config.id.as_deref()).map_err(|message| problem("policy.id", message))?;
    let policy = &library.policies[index];
    if !policy.plays(players) {
        return Err(problem("policy.id", format!("the policy {} does not play with {players} players", policy.id)));
    }
    let params = check_params(file, config, policy)?;
    Ok(ChosenPolicy { library, index, params })
}

fn choose_library(file: &Path, config: &PolicyConfig) -> Result<Arc<Library>, FindError> {
    let builtin = Library::builtin();
    let known = || builtin.iter().flat_map(|library| &library.policies).map(|policy| policy.id.clone()).collect();
    let built_in = |id: &str| builtin.iter().find(|library| library.policies.iter().any(|policy| policy.id == id));
    match &config.library {
        LibraryChoice::Path(path) => Ok(Library::load(path)?),
        LibraryChoice::Name(name) => {
            let tried = candidates(name, folder_of(file));
            match tried.iter().find(|path| path.is_file()) {
                Some(path) => Ok(Library::load(path)?),
                None => Err(FindError::NotFound { name: name.clone(), tried }),
            }
        }
        LibraryChoice::Builtin => {
            let id = config.id.as_deref().unwrap_or_default();
            built_in(id).cloned().ok_or_else(|| FindError::NotBuiltin { id: id.to_owned(), known: known() })
        }
        LibraryChoice::LikeId(id) => {
            let tried = candidates(&id.replace('-', "_"), folder_of(file));
            match (tried.iter().find(|path| path.is_file()), built_in(id)) {
                (Some(path), _) => Ok(Library::load(path)?),
                (None, Some(library)) => Ok(Arc::clone(library)),
                (None, None) => Err(FindError::Nowhere { id: id.clone(), tried, known: known() }),
            }
        }
    }
}

/// The files that a library's name may mean: beside the runner, then in the config's folder.
fn candidates(name: &str, folder: &Path) -> Vec<PathBuf> {
    let file = format!("{}{}{}", std::env::consts::DLL_PREFIX, name, std::env::consts::DLL_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(|folder| folder.join(&file)));
    beside.into_iter().chain([folder.join(&file)]).collect()
}
