//! The libraries of this process.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use confinement::Confinement;

use crate::admit::trials::Trials;
use crate::child;
use crate::child::launch::Launch;
use crate::confine::{ObeyedFiles, SecretFiles, confinement_of, problem_with_writes};
use crate::fault::set_aside::RetryPauses;
use crate::find::child_library::ChildLibrary;
use crate::find::content::{Content, ContentCache, ContentId};
use crate::find::library::Library;
use crate::find::load::LoadError;
use crate::find::locate::{FindError, Location, locate};
use crate::find::private::{PrivateCopy, PrivateFolder};
use crate::games::GameKind;
use crate::limits::START_TIMEOUT;
use crate::policy_config::{Isolation, LibraryChoice, PolicyConfig};

/// The copy of one content. The thread that makes it holds the lock, and delays no user of another
/// content.
type CopySlot = Arc<Mutex<Weak<PrivateCopy>>>;

/// The libraries that policies come from. The same content of a file is read, tried out and loaded
/// once, while it is in use.
#[derive(Debug)]
pub struct Libraries {
    pub(crate) builtin: Vec<Arc<Library>>,
    pub(crate) contents: ContentCache,
    pub(crate) trials: Trials,
    copies: Mutex<Vec<(ContentId, CopySlot)>>,
    loaded: Mutex<Vec<(Isolation, Weak<Library>)>>,
    /// For the private copies; made with the first of them.
    folder: Mutex<Option<Arc<PrivateFolder>>>,
    /// The pauses of policies that are set aside.
    pub retry_pauses: RetryPauses,
    pub launch: Launch,
    /// The files that no policy's process may read.
    pub secret_files: SecretFiles,
    /// The files that no policy's process may write.
    pub obeyed_files: ObeyedFiles,
}

impl Libraries {
    /// Libraries whose policies get processes like this; `builtin` are those linked into the
    /// runner.
    pub fn new(launch: Launch, builtin: Vec<Arc<Library>>) -> Self {
        let obeyed_files = ObeyedFiles::default();
        // Libraries beside the program are loaded by their names.
        let program = fs::canonicalize(&launch.program).unwrap_or_default();
        let _ = program.parent().map(|folder| obeyed_files.add(folder));
        Self {
            builtin,
            contents: ContentCache::default(),
            trials: Trials::default(),
            copies: Mutex::default(),
            loaded: Mutex::default(),
            folder: Mutex::default(),
            retry_pauses: RetryPauses::default(),
            launch,
            secret_files: SecretFiles::default(),
            obeyed_files,
        }
    }

    /// The libraries linked into the runner.
    pub fn builtin(&self) -> &[Arc<Library>] {
        &self.builtin
    }

    /// Finds a library and has a separate process describe it; names and relative paths are
    /// resolved from the current folder.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn describe(&self, library: LibraryChoice) -> Result<Arc<Library>, FindError> {
        self.describe_from(
            &std::env::current_dir().unwrap_or_default(),
            &PolicyConfig::of(library, None),
        )
    }

    /// The same for the library of a config's section, whose names are looked up in the config's
    /// folder.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub fn describe_from(
        &self,
        folder: &Path,
        section: &PolicyConfig,
    ) -> Result<Arc<Library>, FindError> {
        match self.find(section, folder, None)?.0 {
            Location::Builtin(library) => Ok(library),
            Location::File(path) => {
                let id = self.contents.look_up(&path)?;
                let copy = self.copy_of(&id)?;
                let described =
                    child::describe(&self.launch, &copy.for_child(&id.path), START_TIMEOUT);
                let description = described.map_err(|error| LoadError::in_child(path, error))?;
                Ok(Arc::new(Library::described(&id, copy, description)))
            }
        }
    }

    /// Finds the library that a section names, and makes the confinement of its policy's process.
    /// Refuses it if that process could read a file with a secret, or write what the runner obeys,
    /// before any code of the library runs.
    pub(crate) fn find(
        &self,
        section: &PolicyConfig,
        config_folder: &Path,
        game: Option<GameKind>,
    ) -> Result<(Location, Option<Confinement>), FindError> {
        let location = locate(&self.builtin, section, config_folder, game)?;
        let library = match &location {
            Location::File(path) => ChildLibrary::File {
                copy: path.clone(),
                file: path.clone(),
            },
            Location::Builtin(_) => ChildLibrary::Builtin(String::new()),
        };
        let confinement = confinement_of(section, &library, config_folder);
        let loaded = match &location {
            Location::File(path) if confinement.is_none() => Some(path.as_path()),
            _ => None,
        };
        // It is empty without a config.
        let config_folder = Some(config_folder).filter(|folder| folder.is_absolute());
        if let Some(words) = config_folder
            .into_iter()
            .chain(loaded)
            .find_map(|path| self.obeyed_files.add(path))
        {
            return Err(FindError::IsWritten(words));
        }
        let Some(confinement) = confinement else {
            return Ok((location, None));
        };
        let words = problem_with_writes(&confinement, config_folder);
        if let Some(words) = words.or_else(|| self.obeyed_files.problem_with(confinement.writes()))
        {
            return Err(FindError::WritesRunner(words));
        }
        match self.secret_files.problem_with(&confinement) {
            Some(words) => Err(FindError::ReadsSecret(words)),
            None => Ok((location, Some(confinement))),
        }
    }

    /// The game of the policy that a section names, according to its library; `None` if that cannot
    /// be determined.
    pub fn game_of(&self, folder: &Path, section: &PolicyConfig) -> Option<GameKind> {
        self.game_and_players_of(folder, section)
            .map(|(game, _)| game)
    }

    /// The same, and the number of players with which the policy plays it: the usual one, if it
    /// plays with several.
    pub fn game_and_players_of(
        &self,
        folder: &Path,
        section: &PolicyConfig,
    ) -> Option<(GameKind, u8)> {
        let library = self.describe_from(folder, section).ok()?;
        let index = library
            .description
            .index_of(section.id.as_deref(), &library.origin)
            .ok()?;
        let policy = &library.description.policies[index];
        let game = policy.game()?;
        let mut players = game.players().iter().copied();
        let usual = players.clone().next()?;
        Some((
            game,
            players
                .find(|&players| policy.plays(players))
                .unwrap_or(usual),
        ))
    }

    /// The file that a section's library is loaded from; `None` when there is none now.
    pub fn file_of(&self, section: &PolicyConfig, config_folder: &Path) -> Option<PathBuf> {
        match locate(&self.builtin, section, config_folder, None) {
            Ok(Location::File(path)) => Some(path),
            _ => None,
        }
    }

    /// Retires this loading of a library, in which a thread hangs. A later loading gets its own
    /// copy.
    pub(crate) fn forget(&self, hung: &Arc<Library>) {
        locked(&self.loaded).retain(|(_, library)| library.as_ptr() != Arc::as_ptr(hung));
        if let Some(copy) = hung.copy() {
            let is_it = |slot: &CopySlot| {
                slot.try_lock()
                    .is_ok_and(|other| other.as_ptr() == Arc::as_ptr(copy))
            };
            locked(&self.copies).retain(|(_, slot)| !is_it(slot));
        }
    }

    /// The private copy of a file's content, created if there is none.
    pub(crate) fn copy_of(&self, id: &ContentId) -> Result<Arc<PrivateCopy>, LoadError> {
        let slot = self.copy_slot(id);
        // Held while the copy is written: bots that share a library share its copy.
        let mut known = locked(&slot);
        if let Some(copy) = known.upgrade() {
            return Ok(copy);
        }
        let no_copy = |error: &io::Error| LoadError::Copy {
            path: id.path.clone(),
            folder: std::env::temp_dir(),
            reason: error.to_string(),
        };
        let made = self
            .private_folder()
            .and_then(|folder| folder.copy(&id.hash));
        let (copy, mut file) = made.map_err(|error| no_copy(&error))?;
        let mut not_written = None;
        let content = Content::read_parts(&id.path, |part| {
            file.write_all(part).map_err(|error| {
                let kind = error.kind();
                not_written = Some(no_copy(&error));
                kind.into()
            })
        });
        if let Some(error) = not_written {
            return Err(error);
        }
        if content?.id != *id {
            let reason = "it was replaced while it was being read".to_owned();
            return Err(LoadError::Incomplete(id.path.clone(), reason));
        }
        let copy = Arc::new(copy);
        *known = Arc::downgrade(&copy);
        Ok(copy)
    }

    fn copy_slot(&self, id: &ContentId) -> CopySlot {
        let mut copies = locked(&self.copies);
        let is_used = |slot: &CopySlot| {
            Arc::strong_count(slot) > 1 || slot.try_lock().is_ok_and(|copy| copy.strong_count() > 0)
        };
        copies.retain(|(_, slot)| is_used(slot));
        if let Some((_, slot)) = copies.iter().find(|(known, _)| known == id) {
            return Arc::clone(slot);
        }
        let slot = CopySlot::default();
        copies.push((id.clone(), Arc::clone(&slot)));
        slot
    }

    /// The library loaded from a copy for this isolation, if it is loaded already.
    pub(crate) fn loaded(
        &self,
        copy: &Arc<PrivateCopy>,
        isolation: Isolation,
    ) -> Option<Arc<Library>> {
        let loaded = locked(&self.loaded);
        let mut same = loaded
            .iter()
            .filter(|(known, _)| *known == isolation)
            .filter_map(|(_, known)| known.upgrade());
        same.find(|library| library.copy().is_some_and(|known| Arc::ptr_eq(known, copy)))
    }

    /// Notes that a library is loaded, unless another thread has loaded it meanwhile; returns the
    /// one to use.
    pub(crate) fn note_loaded(&self, library: Library, isolation: Isolation) -> Arc<Library> {
        if let Some(known) = library.copy().and_then(|copy| self.loaded(copy, isolation)) {
            return known;
        }
        let library = Arc::new(library);
        let mut loaded = locked(&self.loaded);
        loaded.retain(|(_, library)| library.strong_count() > 0);
        loaded.push((isolation, Arc::downgrade(&library)));
        library
    }

    fn private_folder(&self) -> io::Result<Arc<PrivateFolder>> {
        let mut folder = locked(&self.folder);
        match &*folder {
            Some(folder) => Ok(Arc::clone(folder)),
            None => Ok(Arc::clone(folder.insert(PrivateFolder::new(
                &std::path::absolute(std::env::temp_dir())?,
            )?))),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
