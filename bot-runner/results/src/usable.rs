//! Checks whether results can be stored in a place, without storing any.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::address::DatabaseAddress;
use crate::error::ResultsError;
use crate::sqlite::SqliteStore;

/// Why results cannot be stored in a place, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum UnusablePlace {
    #[error("{} is a file; allowed is a folder, or a name for a new one", .0.display())]
    File(PathBuf),
    #[error("nothing can be written to {}: {error}; name another folder", .folder.display())]
    Folder { folder: PathBuf, error: io::Error },
    #[error("{} cannot be written: {error}; name another file", .file.display())]
    Database { file: PathBuf, error: io::Error },
    #[error("{0}; name another file")]
    NoDatabase(ResultsError),
    #[error(
        "the certificates of sslrootcert, {}, cannot be read: {error}; correct the path",
        .file.display()
    )]
    Authorities { file: PathBuf, error: io::Error },
    #[error("{} belongs to another user; name another folder", .0.display())]
    OfAnotherUser(PathBuf),
    #[error(
        "others may write to {}, and so could add results: chmod go-w FOLDER, or name another",
        .0.display()
    )]
    WritableByOthers(PathBuf),
}

/// Whether files can be written to a folder, which need not exist yet. The test files are removed.
///
/// # Errors
///
/// If not.
pub fn usable_folder(folder: &Path) -> Result<(), UnusablePlace> {
    // The existing part of the path decides whether the rest can be created.
    let complete = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let Some(there) = complete.ancestors().find(|path| path.exists()) else {
        return Ok(());
    };
    if !there.is_dir() {
        return Err(UnusablePlace::File(there.to_owned()));
    }
    // System folders such as /proc, and a full or read-only disk, have the permission but accept no
    // files.
    access(there, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(io::Error::from)
        .and_then(|()| try_to_make(there))
        .map_err(|error| UnusablePlace::Folder {
            folder: there.to_owned(),
            error,
        })
}

/// Creates a folder in this one and removes it.
fn try_to_make(folder: &Path) -> io::Result<()> {
    let trial = folder.join(format!(".bot-runner-{}", std::process::id()));
    match fs::create_dir(&trial) {
        // Another thread created it.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(()),
        made => made?,
    }
    match fs::remove_dir(&trial) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Whether a database can accept results, as far as this can be checked without connecting to it or
/// creating it.
///
/// # Errors
///
/// If not.
pub fn usable_database(database: &DatabaseAddress) -> Result<(), UnusablePlace> {
    match database {
        DatabaseAddress::Sqlite(file) => {
            usable_folder(file.parent().unwrap_or(Path::new("")))?;
            if !file.exists() {
                return Ok(());
            }
            access(file, Access::READ_OK | Access::WRITE_OK).map_err(|error| {
                UnusablePlace::Database {
                    file: file.clone(),
                    error: error.into(),
                }
            })?;
            SqliteStore::check(file).map_err(UnusablePlace::NoDatabase)
        }
        DatabaseAddress::Postgres(server) => match &server.authorities {
            Some(file) => {
                fs::File::open(file)
                    .map(drop)
                    .map_err(|error| UnusablePlace::Authorities {
                        file: file.clone(),
                        error,
                    })
            }
            None => Ok(()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_there_yet_is_usable_and_nothing_is_left_of_the_trial() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        usable_folder(&folder.path().join("new/records")).expect("it can be made");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
    }

    #[test]
    fn a_folder_in_which_the_system_makes_nothing_is_not_usable() {
        let why = usable_folder(Path::new("/proc/xyz"))
            .expect_err("nothing can be made there")
            .to_string();
        assert!(
            why.starts_with("nothing can be written to /proc: ")
                && why.ends_with("; name another folder"),
            "{why}"
        );
    }

    #[test]
    fn a_database_is_usable_where_its_file_is_one_or_can_be_made() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name: &str| folder.path().join(name);
        fs::write(
            path("notes.txt"),
            "no database, but long enough to be taken for the head of one".repeat(20),
        )
        .expect("it can be written");
        crate::open(&DatabaseAddress::Sqlite(path("results.db")), None).expect("it can be made");
        let checked = |name: &str| usable_database(&DatabaseAddress::Sqlite(path(name)));
        for good in ["results.db", "new.db", "new/results.db"] {
            checked(good).unwrap_or_else(|why| panic!("{good}: {why}"));
        }
        assert!(
            !path("new.db").exists() && !path("new").exists(),
            "a check makes nothing"
        );
        for (wrong, words) in [
            ("", "is a folder"),
            ("notes.txt", "notes.txt"),
            ("notes.txt/results.db", "notes.txt is a file"),
        ] {
            let why = checked(wrong).expect_err("it is none").to_string();
            assert!(why.contains(words), "{why}");
        }
        let why = usable_database(&DatabaseAddress::Sqlite("/proc/dir/r.db".into()))
            .expect_err("nothing is made there")
            .to_string();
        assert!(why.starts_with("nothing can be written to /proc"), "{why}");
    }
}
