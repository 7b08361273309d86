//! The names of records, and who may write one: the process that holds the lock on its frames.
//!
//! `.unfinished-STEM` is being written, or was when its process ended; `STEM` is a record of a whole game, `STEM.cut` one that
//! breaks off; `.removed-STEM` is being removed.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, FlockOperation, access, flock};
use rustix::io::Errno;
use time::OffsetDateTime;

use super::published::FRAMES;

pub(super) const UNFINISHED: &str = ".unfinished-";
pub(super) const REMOVED: &str = ".removed-";
const CUT: &str = ".cut";
/// How often another name is tried. Each ends in 24 bits of chance, so even a second try is rare.
const TRIES: usize = 16;

/// A name for the record of a game: when it began, whose it is, and something that no other record has.
pub(super) fn new_stem(began: OffsetDateTime, bot: &str) -> String {
    let (date, (hour, minute, second)) = (began.date(), began.to_hms());
    format!("{date}T{hour:02}{minute:02}{second:02}Z-{}-{:06x}", spelled(bot), fastrand::u32(..1 << 24))
}

/// A bot's name as names of folders have it.
fn spelled(bot: &str) -> String {
    bot.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect()
}

/// Whether a folder is named exactly as a record is when it is published. What has another name is nobody's to remove.
#[must_use]
pub fn is_named_like_a_record(name: &str) -> bool {
    bot_in(name).is_some()
}

/// Whether a folder is named as a record of this bot; so may be one of a bot that is spelled in the same way.
pub(super) fn is_of(name: &str, bot: &str) -> bool {
    bot_in(name) == Some(&spelled(bot))
}

/// The bot in the name of a record, as it is spelled there; `None` for any other name.
fn bot_in(name: &str) -> Option<&str> {
    /// How a name begins; `0` stands for a digit.
    const BEGAN: &str = "0000-00-00T000000Z-";
    let (began, rest) = name.strip_suffix(CUT).unwrap_or(name).split_at_checked(BEGAN.len())?;
    let fits = |(c, form): (u8, u8)| if form == b'0' { c.is_ascii_digit() } else { c == form };
    if !began.bytes().zip(BEGAN.bytes()).all(fits) {
        return None;
    }
    let is_chance = |text: &str| text.len() == 6 && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'));
    let (bot, end) = rest.rsplit_once('-')?;
    if is_chance(end) {
        return Some(bot);
    }
    // Its name was taken, so it has a number behind it.
    let (bot, chance) = bot.rsplit_once('-')?;
    (is_chance(chance) && end.parse().is_ok_and(|number: usize| number < TRIES)).then_some(bot)
}

/// A folder for a record that begins, with its file of frames, which is locked.
pub(super) fn begin(among: &Path, began: OffsetDateTime, bot: &str) -> io::Result<(PathBuf, File)> {
    fs::create_dir_all(among)?;
    for _ in 0..TRIES {
        let folder = among.join(format!("{UNFINISHED}{}", new_stem(began, bot)));
        if !made(fs::create_dir(&folder))? {
            continue;
        }
        let frames = match File::options().append(true).create_new(true).open(folder.join(FRAMES)) {
            Ok(frames) => frames,
            // Whoever clears left-overs may have taken it for one while it was empty.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                let _ = fs::remove_dir(&folder);
                return Err(error);
            }
        };
        match lock(&frames) {
            Ok(true) if folder.join(FRAMES).exists() => return Ok((folder, frames)),
            Ok(_) => {}
            Err(error) => {
                let _ = fs::remove_file(folder.join(FRAMES));
                let _ = fs::remove_dir(&folder);
                return Err(error);
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free name for a record is found"))
}

/// Takes the lock of a record by its frames; `false` when another process holds it.
///
/// # Errors
///
/// When there are no locks there.
pub(super) fn lock(frames: &File) -> io::Result<bool> {
    match flock(frames, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(io::Error::other(format!(
            "files cannot be locked there ({error}), and records need that; name a folder on another file system"
        ))),
    }
}

/// Gives a finished folder its real name; where it lies then.
pub(super) fn publish(unfinished: &Path, cut: bool) -> io::Result<PathBuf> {
    let name = unfinished.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.strip_prefix(UNFINISHED).unwrap_or(&name);
    let end = if cut { CUT } else { "" };
    for attempt in 0..TRIES {
        let other = if attempt == 0 { String::new() } else { format!("-{attempt}") };
        let path = unfinished.with_file_name(format!("{stem}{other}{end}"));
        // A folder takes the place of nothing but an empty folder.
        if made(fs::rename(unfinished, &path))? {
            if let Some(among) = unfinished.parent() {
                File::open(among)?.sync_all()?;
            }
            return Ok(path);
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "its name is taken"))
}

/// Whether something new got its name; `false` when the name is taken.
fn made(result: io::Result<()>) -> io::Result<bool> {
    use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty, NotADirectory};
    match result {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.kind(), AlreadyExists | DirectoryNotEmpty | NotADirectory) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether records can be kept in a folder, which need not be there yet.
///
/// # Errors
///
/// Why not, and what to do, as a sentence.
pub fn usable(folder: &Path) -> Result<(), String> {
    // The part of the path that is there decides whether the rest can be made.
    let complete = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let Some(there) = complete.ancestors().find(|path| path.exists()) else { return Ok(()) };
    if !there.is_dir() {
        return Err(format!("{} is a file; allowed is a folder, or a name for a new one", there.display()));
    }
    access(there, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|error| format!("nothing can be written to {}: {error}; name another folder", there.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder can be made")
    }

    #[test]
    fn a_name_is_safe_whatever_the_bot_is_called_and_never_the_same_twice() {
        let began = OffsetDateTime::UNIX_EPOCH;
        let name = new_stem(began, "../くま a/b\0c.");
        assert!(name.starts_with("1970-01-01T000000Z-___くま_a_b_c_-"), "{name}");
        assert_ne!(new_stem(began, "kuma"), new_stem(began, "kuma"));
        assert!(is_of(&name, "../くま a/b\0c.") && !is_of(&name, "kuma"));
        let longest = new_stem(began, &"熊".repeat(40));
        assert!(format!("{UNFINISHED}{longest}-15{CUT}").len() <= 255, "{longest}");
    }

    #[test]
    fn only_what_is_named_exactly_like_a_record_is_taken_for_one() {
        for (name, bot) in [
            ("2026-01-31T201530Z-kuma-3f9a1c", "kuma"),
            ("2026-01-31T201530Z-kuma-3f9a1c.cut", "kuma"),
            ("2026-01-31T201530Z-kuma-3f9a1c-15.cut", "kuma"),
            ("2026-01-31T201530Z-my-bot-2-3f9a1c", "my-bot-2"),
            ("2026-01-31T201530Z-くま-3f9a1c", "くま"),
        ] {
            assert_eq!(bot_in(name), Some(bot), "{name}");
        }
        for name in [
            "kuma",
            "2026-01-31T201530Z-kuma",
            "2026-01-31T201530Z-3f9a1c",
            "2026-01-31T201530Z-kuma-3f9a1",
            "2026-01-31T201530Z-kuma-3F9A1C",
            "2026-01-31T201530Z-kuma-3f9a1c-16",
            "2026-01-31T201530Z-kuma-3f9a1c.old",
            "2026-01-31 201530Z-kuma-3f9a1c",
            "best 2026-01-31T201530Z-kuma-3f9a1c",
            "２026-01-31T201530Z-kuma-3f9a1c",
        ] {
            assert_eq!(bot_in(name), None, "{name}");
        }
    }

    #[test]
    fn a_folder_that_has_the_name_already_is_not_replaced() {
        let among = folder();
        let unfinished = |text: &str| {
            let path = among.path().join(format!("{UNFINISHED}game"));
            fs::create_dir(&path).expect("it can be made");
            fs::write(path.join("text"), text).expect("it can be written");
            path
        };
        let first = publish(&unfinished("first"), false).expect("it is published");
        let second = publish(&unfinished("second"), false).expect("it is published");
        fs::write(among.path().join("game.cut"), "a file").expect("it can be written");
        let third = publish(&unfinished("third"), true).expect("it is published");
        let read = |path: &Path| fs::read_to_string(path.join("text")).expect("it is there");
        assert_eq!([read(&first), read(&second), read(&third)], ["first", "second", "third"]);
        assert_eq!((first, third), (among.path().join("game"), among.path().join("game-1.cut")));
    }

    #[test]
    fn a_record_that_begins_is_locked_against_everybody_else() {
        let among = folder();
        let (path, frames) =
            begin(&among.path().join("new/folder"), OffsetDateTime::UNIX_EPOCH, "kuma").expect("it begins");
        let other = || File::options().append(true).open(path.join(FRAMES)).expect("it is there");
        assert!(!lock(&other()).expect("it is held"));
        drop(frames);
        assert!(lock(&other()).expect("it is free"));
    }

    #[test]
    fn a_file_that_cannot_be_locked_at_all_is_told_from_one_that_somebody_has_locked() {
        let among = folder();
        // What is open only as a place in the file system has no locks, as a file on some file systems has none.
        let flags = rustix::fs::OFlags::PATH;
        let place = rustix::fs::open(among.path(), flags, rustix::fs::Mode::empty()).expect("it is there");
        let error = lock(&place.into()).expect_err("it has no locks");
        assert!(error.to_string().contains("name a folder on another file system"), "{error}");
    }

    #[test]
    fn a_file_is_no_folder_for_records_and_a_new_folder_is_one() {
        let among = folder();
        fs::write(among.path().join("file"), "").expect("it can be written");
        let error = usable(&among.path().join("file/records")).expect_err("a file is in the way");
        assert!(error.contains("is a file"), "{error}");
        assert_eq!(usable(&among.path().join("new/records")), Ok(()));
    }
}
