//! Which policy of which library a config means.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use policy_sdk::Policy;

use super::child::{ChildSpec, Launch};
use super::content::Content;
use super::library::{Library, Origin};
use super::load::LoadError;
use super::params::{ParamValues, check_params};
use super::private::PrivateFolder;
use super::quarantine::Quarantine;
use super::thread::StartOptions;
use crate::config::{Isolation, LibraryChoice, PolicyConfig, Problem, folder_of, listed};
use crate::content_hash::ContentHash;

/// A bot's policy, found and with its parameters checked.
#[derive(Debug, Clone)]
pub struct ChosenPolicy {
    /// The library.
    pub library: Arc<Library>,
    /// Place of the policy in it.
    pub index: usize,
    /// The parameters.
    pub params: ParamValues,
    /// Where it runs.
    pub isolation: Isolation,
}

impl ChosenPolicy {
    /// The policy `P`, linked into this process, with the defaults of its parameters.
    #[must_use]
    pub fn of<P: Policy>() -> Self {
        Self { library: Library::of::<P>(), index: 0, params: ParamValues::default(), isolation: Isolation::Thread }
    }

    /// What is known of the policy.
    #[must_use]
    pub fn info(&self) -> &super::PolicyInfo {
        &self.library.policies[self.index]
    }

    /// How a process is started for it.
    #[must_use]
    pub fn for_child(&self, options: &StartOptions) -> ChildSpec {
        ChildSpec {
            library: self.library.for_child(),
            policy: self.info().id.clone(),
            params: self.params.clone(),
            options: options.clone(),
        }
    }

    /// Which policy of which build this is.
    #[must_use]
    pub fn identity(&self) -> PolicyIdentity {
        let super::PolicyInfo { id, version, .. } = self.info();
        PolicyIdentity {
            id: id.clone(),
            version: version.clone(),
            library: self.library.origin.clone(),
            hash: self.library.hash,
        }
    }
}

/// Which policy of which build made a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyIdentity {
    /// The policy.
    pub id: String,
    /// Its version.
    pub version: String,
    /// Where its library comes from.
    pub library: Origin,
    /// Content of the library; `None` for what is linked into the runner.
    pub hash: Option<ContentHash>,
}

impl fmt::Display for PolicyIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({}", self.id, self.version, self.library)?;
        match self.hash {
            Some(hash) => write!(f, ", sha256 {})", hash.short()),
            None => f.write_str(")"),
        }
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
    /// It is another build than the config allows.
    #[error(
        "{path} has the sha256 {found}, allowed is {allowed}; put that build back, or correct the key",
        path = .path.display()
    )]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: ContentHash,
        /// What the config allows.
        allowed: ContentHash,
    },
    /// A policy without a file cannot be told by its content.
    #[error("the policy is built into the runner and has no file to compare; leave the key out")]
    BuiltinHasNoHash,
    /// It is found, but cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Where a library is found.
#[derive(Debug)]
enum Location {
    Builtin(Arc<Library>),
    File(PathBuf),
}

/// The libraries that policies are found in. The same build of a file is loaded once, as long as somebody uses it.
#[derive(Debug)]
pub struct Libraries {
    builtin: Vec<Arc<Library>>,
    loaded: Mutex<Vec<(Isolation, Weak<Library>)>>,
    /// For the private copies; made with the first of them.
    folder: Mutex<Option<Arc<PrivateFolder>>>,
    /// The builds that are not used any more.
    pub quarantine: Quarantine,
    /// How processes for policies are started.
    pub launch: Launch,
}

impl Libraries {
    /// Libraries whose policies get processes like this.
    #[must_use]
    pub fn new(launch: Launch) -> Self {
        Self {
            builtin: Library::builtin(),
            loaded: Mutex::default(),
            folder: Mutex::default(),
            quarantine: Quarantine::default(),
            launch,
        }
    }

    /// Finds a bot's policy for tables of so many players and checks its parameters; `file` is the bot's config.
    ///
    /// # Errors
    ///
    /// All that is wrong with the config's `[policy]` section.
    pub fn find(&self, file: &Path, config: &PolicyConfig, players: u8) -> Result<ChosenPolicy, Vec<Problem>> {
        let problem = |key: &str, message: String| vec![Problem::new(file, key, message)];
        let library = self.locate(file, config).and_then(|location| self.open(location, config)).map_err(|error| {
            let key = match (&error, &config.library) {
                (FindError::OtherBuild { .. } | FindError::BuiltinHasNoHash, _) => "policy.sha256",
                (_, LibraryChoice::LikeId(_) | LibraryChoice::Builtin) => "policy.id",
                (_, LibraryChoice::Name(_) | LibraryChoice::Path(_)) => "policy.library",
            };
            problem(key, error.to_string())
        })?;
        let index = library.policy(config.id.as_deref()).map_err(|message| problem("policy.id", message))?;
        let policy = &library.policies[index];
        if !policy.plays(players) {
            let message = format!(
                "the policy {} plays with {}, and {players} play at this bot's tables; take another policy \
                 (`bot-runner plugin inspect` says with how many one plays), or change how many play: `players` in \
                 [arena], for `play` --players",
                policy.id,
                policy.plays_with(),
            );
            return Err(problem("policy.id", message));
        }
        let params = check_params(file, config, policy)?;
        Ok(ChosenPolicy { library, index, params, isolation: config.isolation })
    }

    /// Finds a library by itself and has a process of its own say what it holds; names and relative paths start at the
    /// current folder.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn describe(&self, library: LibraryChoice) -> Result<Arc<Library>, FindError> {
        let config = PolicyConfig { isolation: Isolation::Process, ..PolicyConfig::of(library, None) };
        self.locate(Path::new(""), &config).and_then(|location| self.open(location, &config))
    }

    /// The file that a config's library is loaded from; `None` when there is none now.
    pub(crate) fn file_of(&self, file: &Path, config: &PolicyConfig) -> Option<PathBuf> {
        match self.locate(file, config) {
            Ok(Location::File(path)) => Some(path),
            _ => None,
        }
    }

    /// Lets a config's library be used once more if it is set aside.
    pub(crate) fn lift_quarantine(&self, file: &Path, config: &PolicyConfig) {
        if let Some(content) = self.file_of(file, config).and_then(|path| Content::read(&path).ok()) {
            self.quarantine.lift(content.hash);
        }
    }

    /// Has nobody else use this loading of a library, in which a thread hangs.
    pub(super) fn forget(&self, hung: &Arc<Library>) {
        locked(&self.loaded).retain(|(_, library)| library.as_ptr() != Arc::as_ptr(hung));
    }

    fn locate(&self, file: &Path, config: &PolicyConfig) -> Result<Location, FindError> {
        match &config.library {
            LibraryChoice::Path(path) => Ok(Location::File(path.clone())),
            LibraryChoice::Name(name) => {
                let tried = candidates(name, file);
                match tried.iter().find(|path| path.is_file()) {
                    Some(path) => Ok(Location::File(path.clone())),
                    None => Err(FindError::NotFound { name: name.clone(), tried }),
                }
            }
            LibraryChoice::Builtin => match (&config.id, self.builtin.as_slice()) {
                (Some(id), _) => match self.built_in(id) {
                    Some(library) => Ok(Location::Builtin(library)),
                    None => Err(FindError::NotBuiltin { id: id.clone(), known: self.known() }),
                },
                (None, [only]) => Ok(Location::Builtin(Arc::clone(only))),
                (None, _) => Err(FindError::WhichBuiltin { known: self.known() }),
            },
            LibraryChoice::LikeId(id) => {
                let tried = candidates(&id.replace('-', "_"), file);
                match (tried.iter().find(|path| path.is_file()), self.built_in(id)) {
                    (Some(path), _) => Ok(Location::File(path.clone())),
                    (None, Some(library)) => Ok(Location::Builtin(library)),
                    (None, None) => Err(FindError::Nowhere { id: id.clone(), tried, known: self.known() }),
                }
            }
        }
    }

    fn open(&self, location: Location, config: &PolicyConfig) -> Result<Arc<Library>, FindError> {
        let path = match location {
            Location::File(path) => path,
            Location::Builtin(_) if config.sha256.is_some() => return Err(FindError::BuiltinHasNoHash),
            Location::Builtin(library) => return Ok(library),
        };
        let content = Content::read(&path)?;
        if let Some(allowed) = config.sha256.filter(|&allowed| allowed != content.hash) {
            return Err(FindError::OtherBuild { path, found: content.hash, allowed });
        }
        if self.quarantine.holds(content.hash) {
            return Err(LoadError::SetAside(path, content.hash).into());
        }
        let same = |library: &Library| {
            library.hash == Some(content.hash) && library.origin == Origin::File(content.path.clone())
        };
        let known = locked(&self.loaded)
            .iter()
            .filter(|(isolation, _)| *isolation == config.isolation)
            .filter_map(|(_, library)| library.upgrade())
            .find(|library| same(library));
        if let Some(library) = known {
            return Ok(library);
        }
        // Not under the lock: a library may take its time, and others have other bots.
        let library = Arc::new(self.load(&content, config.isolation)?);
        let mut loaded = locked(&self.loaded);
        loaded.retain(|(_, library)| library.strong_count() > 0);
        loaded.push((config.isolation, Arc::downgrade(&library)));
        Ok(library)
    }

    fn load(&self, content: &Content, isolation: Isolation) -> Result<Library, LoadError> {
        let no_folder = |error: io::Error| LoadError::Copy {
            path: content.path.clone(),
            folder: std::env::temp_dir(),
            reason: error.to_string(),
        };
        let folder = self.private_folder().map_err(no_folder)?;
        match isolation {
            Isolation::Thread => Library::load(content, &folder),
            Isolation::Process => Library::describe(content, &folder, &self.launch),
        }
    }

    fn private_folder(&self) -> io::Result<Arc<PrivateFolder>> {
        let mut folder = locked(&self.folder);
        match &*folder {
            Some(folder) => Ok(Arc::clone(folder)),
            None => Ok(Arc::clone(folder.insert(PrivateFolder::new(&std::env::temp_dir())?))),
        }
    }

    fn built_in(&self, id: &str) -> Option<Arc<Library>> {
        self.builtin.iter().find(|library| library.policies.iter().any(|policy| policy.id == id)).cloned()
    }

    fn known(&self) -> Vec<String> {
        self.builtin.iter().flat_map(|library| &library.policies).map(|policy| policy.id.clone()).collect()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The files that a library's name may mean: beside the runner, then in the folder of the config, if that is a file; as it
/// stands, then as cargo would name the file.
fn candidates(name: &str, config: &Path) -> Vec<PathBuf> {
    let exe = std::env::current_exe().ok();
    let beside = exe.as_deref().and_then(Path::parent);
    let cargos = name.replace('-', "_");
    let names = [Some(name), Some(cargos.as_str()).filter(|&cargos| cargos != name)];
    let file = |name: &str| format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folders = beside.into_iter().chain(config.is_file().then(|| folder_of(config)));
    folders.flat_map(|folder| names.into_iter().flatten().map(move |name| folder.join(file(name)))).collect()
}

#[cfg(test)]
mod tests;
