//! A bot's policy, found and with its parameters checked.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use confinement::Confinement;
use foreign_text::escaped;
use policy_sdk::Policy;

use crate::call::host::WhenUnwanted;
use crate::child::ChildSpec;
use crate::child::options::StartOptions;
use crate::confine::confinement_of;
use crate::files::foreign_file::ForeignFile;
use crate::files::sha256::Sha256;
use crate::find::announced::AnnouncedIdentity;
use crate::find::describe::{Description, PolicyInfo};
use crate::find::library::Library;
use crate::find::origin::Origin;
use crate::find::params::{ParamValues, check_params};
use crate::policy_config::{Isolation, LibraryChoice, PolicyConfig};
use mistakes::{KeyProblem, listed};

/// A bot's policy, found and with its parameters checked.
#[derive(Debug, Clone)]
pub struct ChosenPolicy {
    pub library: Arc<Library>,
    /// Index of the policy in it.
    pub index: usize,
    pub params: ParamValues,
    /// The section that it was admitted with.
    pub section: PolicyConfig,
    /// Content of the files that its section watches; `None` if it watches none.
    pub watched: Option<Sha256>,
    /// Its isolation; a policy that hung on a thread continues in a process, even if its section
    /// says otherwise.
    pub isolation: Isolation,
    /// The confinement of its process, made when its library was found.
    pub(crate) confinement: Option<Confinement>,
    /// The name and version of a program that decides for it; known once an instance has been
    /// created.
    pub announced: Arc<OnceLock<AnnouncedIdentity>>,
    /// The time of its slowest decision in its trial; `None` if it has had none.
    pub slowest_in_trial: Option<Duration>,
    /// Called when it may wait in vain, for a policy of this program that waits for an answer.
    pub when_unwanted: Option<WhenUnwanted>,
}

impl ChosenPolicy {
    /// The policy `P` of this program, with the defaults of its parameters.
    pub fn of<P: Policy>() -> Self {
        Self {
            library: Library::of::<P>(),
            index: 0,
            params: ParamValues::default(),
            section: PolicyConfig::of(LibraryChoice::Builtin, Some(P::DESCRIPTOR.id.to_owned())),
            watched: None,
            isolation: Isolation::Thread,
            confinement: None,
            announced: Arc::default(),
            slowest_in_trial: None,
            when_unwanted: None,
        }
    }

    /// Chooses the policy of a section in a library.
    ///
    /// # Errors
    ///
    /// All errors of the section.
    pub fn choose(
        library: Arc<Library>,
        section: &PolicyConfig,
        options: &StartOptions,
    ) -> Result<Self, Vec<KeyProblem>> {
        let confinement = confinement_of(section, &library.for_child(), &options.config_folder);
        Self::choose_beside(library, section, options, confinement, &[])
    }

    /// As [`choose`](Self::choose), but these libraries may be named in the error about a policy of
    /// another game.
    pub(crate) fn choose_beside(
        library: Arc<Library>,
        section: &PolicyConfig,
        options: &StartOptions,
        confinement: Option<Confinement>,
        builtin: &[Arc<Library>],
    ) -> Result<Self, Vec<KeyProblem>> {
        let (index, params) = choose(
            &library.description,
            &library.origin,
            section,
            options,
            builtin,
        )?;
        let watched = section.watched_content().map_err(|problem| vec![problem])?;
        let (section, isolation) = (section.clone(), section.isolation);
        Ok(Self {
            library,
            index,
            params,
            section,
            watched,
            isolation,
            confinement,
            announced: Arc::default(),
            slowest_in_trial: None,
            when_unwanted: None,
        })
    }

    /// Whether it asks a program of its own, whose time and memory are not this process's.
    pub fn asks_program(&self) -> bool {
        self.command().is_some()
    }

    /// The command of the program that it asks, if it asks one.
    fn command(&self) -> Option<&str> {
        self.section
            .params
            .get("command")
            .and_then(toml::Value::as_str)
    }

    pub fn info(&self) -> &PolicyInfo {
        &self.library.description.policies[self.index]
    }

    pub fn for_child(&self, options: &StartOptions, together: bool) -> ChildSpec {
        ChildSpec {
            confinement: self.confinement.clone(),
            library: self.library.for_child(),
            policy: self.info().id.clone(),
            params: self.params.clone(),
            options: options.clone(),
            together,
        }
    }

    /// The identity of the policy and its build. A policy that asks a program has the name and
    /// version that the program gives; what it does not give, and until it has been started, the
    /// name of its file and the policy's version.
    pub fn identity(&self) -> PolicyIdentity {
        let PolicyInfo { id, version, .. } = self.info();
        let announced = self.announced.get().cloned().unwrap_or_default();
        let file = || {
            self.command()
                .and_then(program_file)
                .map(|file| escaped(file.as_bytes()))
        };
        let (id, version) = match announced.name.or_else(file) {
            Some(name) => (
                name,
                announced
                    .version
                    .unwrap_or_else(|| format!("{id} {version}")),
            ),
            None => (
                id.clone(),
                announced.version.unwrap_or_else(|| version.clone()),
            ),
        };
        PolicyIdentity {
            id,
            version,
            library: self.library.origin.clone(),
            hash: content_of(self.library.hash, self.watched),
        }
    }

    /// Content of the files that its parameters name, in the order of the parameters; `None` if
    /// they name none. A folder and a file that cannot be read do not count.
    pub fn files(&self) -> Option<Sha256> {
        let hash_of = |path| ForeignFile::open(path)?.hash(u64::MAX);
        let hashes = self.params.paths().filter_map(|path| hash_of(path).ok());
        let hashes: String = hashes.map(|hash| format!("{hash}\n")).collect();
        (!hashes.is_empty()).then(|| Sha256::of(hashes.as_bytes()))
    }
}

/// The file that a command runs; of an interpreter its script.
fn program_file(command: &str) -> Option<String> {
    let words = shell_words::split(command).ok()?;
    let name = |word: &String| Some(Path::new(word).file_name()?.to_str()?.to_owned());
    let names = || {
        words
            .iter()
            .filter(|word| !word.starts_with('-'))
            .filter_map(name)
    };
    // `python3.11` has a version behind its point.
    let is_script = |name: &String| {
        let end = Path::new(name).extension().and_then(|end| end.to_str());
        end.is_some_and(|end| end.starts_with(|first: char| first.is_ascii_alphabetic()))
    };
    names().find(is_script).or_else(|| names().next())
}

/// The identity of a build: the content of its library, and of the files that its section watches.
pub(crate) fn content_of(library: Option<Sha256>, watched: Option<Sha256>) -> Option<Sha256> {
    match (library, watched) {
        (Some(library), Some(watched)) => {
            Some(Sha256::of(format!("{library} {watched}").as_bytes()))
        }
        (one, other) => one.or(other),
    }
}

/// The index of a section's policy, and its parameters. If the chosen `builtin` policy plays
/// another game, the error names those for the bot's game.
pub(crate) fn choose(
    description: &Description,
    origin: &Origin,
    section: &PolicyConfig,
    options: &StartOptions,
    builtin: &[Arc<Library>],
) -> Result<(usize, ParamValues), Vec<KeyProblem>> {
    let id_problem = |message: String| vec![KeyProblem::new("policy.id", message)];
    let index = description
        .index_of(section.id.as_deref(), origin)
        .map_err(|none| id_problem(none.to_string()))?;
    let policy = &description.policies[index];
    if policy.game() != Some(options.game) {
        let known = builtin
            .iter()
            .flat_map(|library| &library.description.policies);
        let ids: Vec<&str> = known
            .filter(|known| known.game() == Some(options.game))
            .map(|known| known.id.as_str())
            .collect();
        let built_in = if ids.is_empty() {
            String::new()
        } else {
            format!("; built in are {}", listed(&ids))
        };
        return Err(id_problem(format!(
            "the policy {} plays {}, and this bot plays {}; take a policy of that game (`bot-runner plugin inspect` says \
             which one a policy plays{built_in}), or change the game: `game` in [arena], for `play` --game",
            policy.id,
            policy.game_name(),
            options.game,
        )));
    }
    if !policy.plays(options.players) {
        return Err(id_problem(format!(
            "the policy {} plays with {}, and {} play at this bot's tables; take another policy \
             (`bot-runner plugin inspect` says with how many one plays), or change how many play: `players` in \
             [arena], for `play` --players",
            policy.id,
            policy.plays_with(),
            options.players,
        )));
    }
    Ok((
        index,
        check_params(section, policy, &options.config_folder)?,
    ))
}

/// The policy that made a decision, with its build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyIdentity {
    /// The policy; one that asks a program has the name that the program gives, or that of its
    /// file: `kuma.py`.
    pub id: String,
    /// Its version; one that asks a program has the version that the program gives, or its own
    /// after its id: `program 1.0.0`.
    pub version: String,
    pub library: Origin,
    /// Content of the library, and of the files that its section watches; `None` for a built-in
    /// policy without such files.
    pub hash: Option<Sha256>,
}

impl PolicyIdentity {
    /// The policy with its version.
    pub fn words(&self) -> String {
        format!("{} {}", self.id, self.version)
    }
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
