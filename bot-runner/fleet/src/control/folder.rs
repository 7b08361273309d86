//! The folder of the sockets.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// The folder for the sockets of this user's runners, which is created if necessary: in
/// `XDG_RUNTIME_DIR`, else among the temporary files.
///
/// # Errors
///
/// If it cannot be created, or other users have access to it.
pub fn runtime_folder() -> anyhow::Result<PathBuf> {
    let user = rustix::process::getuid().as_raw();
    let path = match std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| folder.is_absolute())
    {
        Some(folder) => folder.join("bot-runner"),
        None => std::env::temp_dir().join(format!("bot-runner-{user}")),
    };
    make_private(&path, user)?;
    Ok(path)
}

pub(super) fn socket_of(folder: &Path, process: u32) -> PathBuf {
    folder.join(format!("{process}.sock"))
}

/// The processes that have sockets, or were killed while they had one.
pub(super) fn processes_in(folder: &Path) -> io::Result<Vec<u32>> {
    let names = fs::read_dir(folder)?
        .flatten()
        .map(|entry| entry.file_name());
    Ok(names
        .filter_map(|name| name.to_str()?.strip_suffix(".sock")?.parse().ok())
        .collect())
}

/// Removes the sockets of processes that have ended.
pub(super) fn clear_abandoned(folder: &Path) {
    for process in processes_in(folder).unwrap_or_default() {
        let id = i32::try_from(process).ok().and_then(Pid::from_raw);
        if id.is_none_or(|id| test_kill_process(id) == Err(Errno::SRCH)) {
            let _ = fs::remove_file(socket_of(folder, process));
        }
    }
}

/// The error for a folder of sockets that cannot be created or read.
pub(super) fn cannot_use(path: &Path, error: &io::Error) -> anyhow::Error {
    let path = path.display();
    anyhow!(
        "the folder {path} cannot be used: {error}; set XDG_RUNTIME_DIR to a folder of your own"
    )
}

fn make_private(path: &Path, user: u32) -> anyhow::Result<()> {
    let io = |error| cannot_use(path, &error);
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(io(error)),
        _ => {}
    }
    // Not followed: a link would let another user choose the folder.
    let metadata = fs::symlink_metadata(path).map_err(io)?;
    if metadata.is_dir() && metadata.uid() == user && metadata.mode() & 0o077 == 0 {
        Ok(())
    } else {
        let path = path.display();
        bail!(
            "the folder {path} is not yours alone; remove it, or set XDG_RUNTIME_DIR to a folder of your own"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn user() -> u32 {
        rustix::process::getuid().as_raw()
    }

    fn refused(made: anyhow::Result<()>) -> bool {
        made.is_err_and(|why| why.to_string().contains("is not yours alone"))
    }

    #[test]
    fn a_folder_is_made_for_its_user_alone_and_used_again() {
        let among = tempfile::tempdir().expect("a folder can be made");
        let path = among.path().join("bot-runner");
        make_private(&path, user()).expect("it is made");
        assert_eq!(
            fs::metadata(&path).expect("it is there").mode() & 0o777,
            0o700
        );
        make_private(&path, user()).expect("it is ours");
    }

    #[test]
    fn a_folder_that_others_may_use_or_own_is_refused() {
        let among = tempfile::tempdir().expect("a folder can be made");
        let open = among.path().join("open");
        fs::create_dir(&open).expect("it can be made");
        fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).expect("its mode can be set");
        assert!(refused(make_private(&open, user())));
        let owned = among.path().join("owned");
        make_private(&owned, user()).expect("it is made");
        assert!(refused(make_private(&owned, user() + 1)));
        let link = among.path().join("link");
        std::os::unix::fs::symlink(&owned, &link).expect("it can be linked");
        assert!(refused(make_private(&link, user())));
    }
}
