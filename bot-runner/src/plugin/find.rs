//! Which policy of which library a config means.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::library::{Library, LoadError, Origin};
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
    /// Several policies are linked into the runner, and none of them is named.
    #[error("several policies are built in; say which: {}", listed(.known))]
    WhichBuiltin {
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

/// The libraries that policies are found in, each file loaded once.
#[derive(Debug)]
pub struct Libraries {
    builtin: Vec<Arc<Library>>,
    loaded: Vec<Arc<Library>>,
}

impl Default for Libraries {
    fn default() -> Self {
        Self { builtin: Library::builtin(), loaded: Vec::new() }
    }
}

impl Libraries {
    /// Finds a bot's policy for tables of so many players and checks its parameters; `file` is the bot's config.
    ///
    /// # Errors
    ///
    /// All that is wrong with the config's `[policy]` section.
    pub fn find(&mut self, file: &Path, config: &PolicyConfig, players: u8) -> Result<ChosenPolicy, Vec<Problem>> {
        let problem = |key: &str, message: String| vec![Problem::new(file, key, message)];
        let library = self.choose(file, config).map_err(|error| {
            let key = match config.library {
                LibraryChoice::LikeId(_) | LibraryChoice::Builtin => "policy.id",
                LibraryChoice::Name(_) | LibraryChoice::Path(_) => "policy.library",
            };
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

    fn choose(&mut self, file: &Path, config: &PolicyConfig) -> Result<Arc<Library>, FindError> {
        match &config.library {
            LibraryChoice::Path(path) => Ok(self.load(path)?),
            LibraryChoice::Name(name) => {
                let tried = candidates(name, folder_of(file));
                match tried.iter().find(|path| path.is_file()) {
                    Some(path) => Ok(self.load(path)?),
                    None => Err(FindError::NotFound { name: name.clone(), tried }),
                }
            }
            LibraryChoice::Builtin => match (&config.id, self.builtin.as_slice()) {
                (Some(id), _) => {
                    self.built_in(id).ok_or_else(|| FindError::NotBuiltin { id: id.clone(), known: self.known() })
                }
                (None, [only]) => Ok(Arc::clone(only)),
                (None, _) => Err(FindError::WhichBuiltin { known: self.known() }),
            },
            LibraryChoice::LikeId(id) => {
                let tried = candidates(&id.replace('-', "_"), folder_of(file));
                match (tried.iter().find(|path| path.is_file()), self.built_in(id)) {
                    (Some(path), _) => Ok(self.load(path)?),
                    (None, Some(library)) => Ok(library),
                    (None, None) => Err(FindError::Nowhere { id: id.clone(), tried, known: self.known() }),
                }
            }
        }
    }

    /// A file's library, which is loaded only if none of the bots before has it.
    fn load(&mut self, path: &Path) -> Result<Arc<Library>, LoadError> {
        // A path that leads nowhere fails below, in words.
        let origin = path.canonicalize().ok().map(Origin::File);
        if let Some(library) = self.loaded.iter().find(|library| Some(&library.origin) == origin.as_ref()) {
            return Ok(Arc::clone(library));
        }
        let library = Library::load(path)?;
        self.loaded.push(Arc::clone(&library));
        Ok(library)
    }

    fn built_in(&self, id: &str) -> Option<Arc<Library>> {
        self.builtin.iter().find(|library| library.policies.iter().any(|policy| policy.id == id)).cloned()
    }

    fn known(&self) -> Vec<String> {
        self.builtin.iter().flat_map(|library| &library.policies).map(|policy| policy.id.clone()).collect()
    }
}

/// The files that a library's name may mean: beside the runner, then in the config's folder; as it stands, then as cargo
/// would name the file.
fn candidates(name: &str, folder: &Path) -> Vec<PathBuf> {
    let exe = std::env::current_exe().ok();
    let beside = exe.as_deref().and_then(Path::parent);
    let cargos = name.replace('-', "_");
    let names = [Some(name), Some(cargos.as_str()).filter(|&cargos| cargos != name)];
    let file = |name: &str| format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folders = beside.into_iter().chain([folder]);
    folders.flat_map(|folder| names.into_iter().flatten().map(move |name| folder.join(file(name)))).collect()
}

#[cfg(test)]
mod tests;
