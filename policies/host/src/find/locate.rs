//! The places where the library of a `[policy]` section is looked up.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::files::sha256::Sha256;
use crate::find::describe::PolicyInfo;
use crate::find::library::Library;
use crate::find::load::LoadError;
use crate::games::GameKind;
use crate::policy_config::{LibraryChoice, PolicyConfig};
use mistakes::{did_you_mean, listed};

#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// There is no file of that name.
    #[error("no library {name:?} is found; looked for {}", paths(.tried, " and "))]
    NotFound {
        name: String,
        /// The files looked for.
        tried: Vec<PathBuf>,
    },
    /// The policies linked into the runner do not have it.
    #[error("no policy {id:?} is built in{}; {known}", like(.id, .known))]
    NotBuiltin { id: String, known: BuiltinIds },
    /// Several policies are linked into the runner, and none of them is named.
    #[error("several policies are built in; say which: {}", listed(&.0.of_game))]
    WhichBuiltin(BuiltinIds),
    /// Neither a library nor a built-in policy of that name.
    #[error("no policy {id:?}{}; no library is found ({}); {known}", like_or_program(.id, .known), paths(.tried, ", "))]
    Nowhere {
        id: String,
        /// The files looked for.
        tried: Vec<PathBuf>,
        known: BuiltinIds,
    },
    /// It is another build than the config allows.
    #[error(
        "{path} has the sha256 {found}, allowed is {allowed}; put that build back, or correct the key",
        path = .path.display()
    )]
    OtherBuild {
        path: PathBuf,
        /// Its content.
        found: Sha256,
        /// The hash in the config.
        allowed: Sha256,
    },
    /// A policy without a file has no content to identify it.
    #[error("the policy is built into the runner and has no file to compare; leave the key out")]
    BuiltinHasNoHash,
    /// Its process could read a file with a secret.
    #[error("{0}")]
    ReadsSecret(String),
    /// Its process could write what the runner obeys or loads.
    #[error("{0}")]
    WritesRunner(String),
    /// Another policy's process may write its library or its config.
    #[error("{0}")]
    IsWritten(String),
    /// It is found, but cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
}

impl FindError {
    /// The key of the section that the error is about.
    pub(crate) fn key(&self, section: &PolicyConfig) -> &'static str {
        match (self, &section.library) {
            (Self::OtherBuild { .. } | Self::BuiltinHasNoHash, _) => "policy.sha256",
            (Self::ReadsSecret(_) | Self::IsWritten(_), _) => "policy",
            (Self::WritesRunner(_), _) => "policy.limits.write",
            (_, LibraryChoice::LikeId(_) | LibraryChoice::Builtin) => "policy.id",
            (_, LibraryChoice::Name(_) | LibraryChoice::Path(_)) => "policy.library",
        }
    }
}

/// The ids of the built-in policies for a message. Only those of the bot's game fit it.
#[derive(Debug)]
pub struct BuiltinIds {
    game: Option<GameKind>,
    of_game: Vec<String>,
    others: Vec<String>,
}

impl BuiltinIds {
    /// Those of a game first; without one all of them.
    fn new(builtin: &[Arc<Library>], game: Option<GameKind>) -> Self {
        let all = builtin
            .iter()
            .flat_map(|library| &library.description.policies);
        let (of_game, others): (Vec<&PolicyInfo>, _) =
            all.partition(|policy| game.is_none() || policy.game() == game);
        let ids = |policies: Vec<&PolicyInfo>| {
            policies
                .into_iter()
                .map(|policy| policy.id.clone())
                .collect()
        };
        Self {
            game,
            of_game: ids(of_game),
            others: ids(others),
        }
    }
}

impl fmt::Display for BuiltinIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Some(game) => write!(f, "built in for {game} are {}", listed(&self.of_game)),
            None => write!(f, "built in are {}", listed(&self.of_game)),
        }
    }
}

/// A question to append to a message about an unknown id, if there is a similar one.
fn like(
    id: &str,
    BuiltinIds {
        of_game, others, ..
    }: &BuiltinIds,
) -> String {
    let like = |ids: &[String]| did_you_mean(id, ids.iter().map(String::as_str));
    let like_of_game = like(of_game);
    if like_of_game.is_empty() {
        like(others)
    } else {
        like_of_game
    }
}

/// The same, or else the advice for an author who takes a program for a library.
fn like_or_program(id: &str, known: &BuiltinIds) -> String {
    let is_program = |id: &&str| id.ends_with("program");
    let programs: Vec<&str> = known
        .of_game
        .iter()
        .map(String::as_str)
        .filter(is_program)
        .collect();
    match like(id, known) {
        none if none.is_empty() && !programs.is_empty() => {
            format!(
                "; a program plays by {} and policy.params.command",
                listed(&programs)
            )
        }
        like => like,
    }
}

fn paths(paths: &[PathBuf], separator: &str) -> String {
    paths
        .iter()
        .map(|path| path.display().to_string())
        .collect::<Vec<_>>()
        .join(separator)
}

/// The place of a library.
#[derive(Debug)]
pub(crate) enum Location {
    Builtin(Arc<Library>),
    File(PathBuf),
}

/// Finds the library that a section names. Names are looked up next to the runner, then in
/// `config_folder`, which is empty if the config is not a file. An error names the built-in
/// policies of this game, if it is known.
pub(crate) fn locate(
    builtin: &[Arc<Library>],
    section: &PolicyConfig,
    config_folder: &Path,
    game: Option<GameKind>,
) -> Result<Location, FindError> {
    let known = || BuiltinIds::new(builtin, game);
    let built_in = |id: &str| {
        builtin
            .iter()
            .find(|library| {
                library
                    .description
                    .policies
                    .iter()
                    .any(|policy| policy.id == id)
            })
            .map(Arc::clone)
    };
    match &section.library {
        LibraryChoice::Path(path) => Ok(Location::File(path.clone())),
        LibraryChoice::Name(name) => {
            let tried = candidates(name, config_folder);
            match tried.iter().find(|path| path.is_file()) {
                Some(path) => Ok(Location::File(path.clone())),
                None => Err(FindError::NotFound {
                    name: name.clone(),
                    tried,
                }),
            }
        }
        LibraryChoice::Builtin => match (&section.id, builtin) {
            (Some(id), _) => match built_in(id) {
                Some(library) => Ok(Location::Builtin(library)),
                None => Err(FindError::NotBuiltin {
                    id: id.clone(),
                    known: known(),
                }),
            },
            (None, [only]) => Ok(Location::Builtin(Arc::clone(only))),
            (None, _) => Err(FindError::WhichBuiltin(known())),
        },
        LibraryChoice::LikeId(id) => {
            let tried = candidates(&id.replace('-', "_"), config_folder);
            match (tried.iter().find(|path| path.is_file()), built_in(id)) {
                (Some(path), _) => Ok(Location::File(path.clone())),
                (None, Some(library)) => Ok(Location::Builtin(library)),
                (None, None) => Err(FindError::Nowhere {
                    id: id.clone(),
                    tried,
                    known: known(),
                }),
            }
        }
    }
}

/// The files that a library's name may mean: literally, then as cargo would name the file, next to
/// the runner and then in the config's folder.
fn candidates(name: &str, config_folder: &Path) -> Vec<PathBuf> {
    let exe = std::env::current_exe().ok();
    let beside = exe.as_deref().and_then(Path::parent);
    let cargos = name.replace('-', "_");
    let names = [
        Some(name),
        Some(cargos.as_str()).filter(|&cargos| cargos != name),
    ];
    let file = |name: &str| {
        format!(
            "{}{name}{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        )
    };
    let config_folder = (!config_folder.as_os_str().is_empty()).then_some(config_folder);
    let folders = beside.into_iter().chain(config_folder);
    folders
        .flat_map(|folder| {
            names
                .into_iter()
                .flatten()
                .map(move |name| folder.join(file(name)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn choose(library: LibraryChoice, id: Option<&str>) -> PolicyConfig {
        PolicyConfig::of(library, id.map(str::to_owned))
    }

    #[test]
    fn a_config_that_is_no_file_has_no_folder_to_look_in() {
        let error = locate(
            &[],
            &choose(LibraryChoice::Name("mine".to_owned()), None),
            Path::new(""),
            None,
        );
        let Err(FindError::NotFound { tried, .. }) = error else {
            panic!("{error:?}")
        };
        let exe = std::env::current_exe().expect("the test has a file");
        assert!(
            tried.iter().all(|path| path.parent() == exe.parent()),
            "{tried:?}"
        );
    }

    #[test]
    fn a_name_is_looked_up_literally_and_as_cargo_would_name_the_file() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let section = choose(LibraryChoice::Name("my-own".to_owned()), None);
        let error = locate(&[], &section, folder.path(), None).expect_err("there is no file");
        assert_eq!(error.key(&section), "policy.library");
        for name in ["libmy-own.so", "libmy_own.so"] {
            let path = folder.path().join(name);
            assert!(
                error.to_string().contains(&path.display().to_string()),
                "{error}"
            );
            fs::write(&path, "no library").expect("it can be written");
            let found = locate(&[], &section, folder.path(), None);
            assert!(
                matches!(&found, Ok(Location::File(found)) if *found == path),
                "{found:?}"
            );
            fs::remove_file(&path).expect("it is there");
        }
    }

    #[test]
    fn the_remedy_for_an_unknown_id_comes_first_and_only_policies_of_the_game_are_listed() {
        let nowhere = |id: &str| {
            let ids = |ids: [&str; 2]| ids.map(str::to_owned).to_vec();
            let (of_game, others) = (
                ids(["greedy-tenpai", "program"]),
                ids(["cs-fan", "cs-program"]),
            );
            let known = BuiltinIds {
                game: Some(GameKind::Riichi),
                of_game,
                others,
            };
            FindError::Nowhere {
                id: id.to_owned(),
                tried: vec!["libx.so".into()],
                known,
            }
            .to_string()
        };
        let rest =
            "; no library is found (libx.so); built in for riichi are `greedy-tenpai`, `program`";
        for (id, remedy) in [
            (
                "mine",
                "; a program plays by `program` and policy.params.command",
            ),
            ("programm", "; did you mean `program`?"),
            ("cs-fam", "; did you mean `cs-fan`?"),
        ] {
            assert_eq!(nowhere(id), format!("no policy {id:?}{remedy}{rest}"));
        }
    }
}
