//! What processes left behind that ended in the middle of a record.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use time::OffsetDateTime;

use super::disk::RealDisk;
use super::folder::{REMOVED, UNFINISHED, lock, publish};
use super::lines::cut_at_torn_line;
use super::manifest::{Lines, Manifest, PolicyNote, State};
use super::open_game::{NEW_MANIFEST, to_the_millisecond, write_manifest};
use super::published::{DECISIONS, FRAMES, GAME, MANIFEST, read_manifest};
use super::retention::prune;

/// Why a record breaks off that nobody finished.
const CUT_OFF: &str = "the runner ended, or could not write on, before the record was finished";

/// Publishes what processes that are gone left unfinished in a folder, cut off behind its last whole lines and marked as cut;
/// where they lie now. What cannot be settled stays, and is warned of.
pub fn settle_leftovers(among: &Path) -> Vec<PathBuf> {
    let mut settled = Vec::new();
    for entry in fs::read_dir(among).into_iter().flatten().flatten() {
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        if name.starts_with(REMOVED) {
            let _ = fs::remove_dir_all(&path);
        } else if name.starts_with(UNFINISHED) {
            match settle(&path) {
                Ok(published) => settled.extend(published),
                Err(error) => tracing::warn!("{}: the record cannot be finished: {error}", path.display()),
            }
        }
    }
    settled
}

fn settle(folder: &Path) -> io::Result<Option<PathBuf>> {
    let Ok(frames) = File::options().append(true).open(folder.join(FRAMES)) else {
        // Its process ended before it held anything, or is just beginning it and takes another name then.
        let _ = fs::remove_dir(folder);
        return Ok(None);
    };
    if !lock(&frames) {
        return Ok(None);
    }
    if !folder.join(MANIFEST).exists() {
        // No line is written before the manifest. Where the folder has got its real name meanwhile, this removes nothing.
        let _ = prune(folder);
        return Ok(None);
    }
    let mut manifest = read_manifest(folder).map_err(io::Error::other)?;
    if manifest.state == State::Playing {
        cut_off(folder, &frames, &mut manifest)?;
    }
    let _ = fs::remove_file(folder.join(NEW_MANIFEST));
    let path = publish(folder, manifest.state == State::Cut)?;
    tracing::info!("published {}, left behind by a process that is gone", path.display());
    Ok(Some(path))
}

fn cut_off(folder: &Path, frames: &File, manifest: &mut Manifest) -> io::Result<()> {
    let ended = OffsetDateTime::from(frames.metadata()?.modified()?);
    let mut policies = Vec::new();
    let decisions = cut_at_torn_line(&folder.join(DECISIONS), |line| {
        if let Ok(by) = serde_json::from_slice::<DecidedBy>(line) {
            PolicyNote::count(&mut policies, by.into());
        }
    })?;
    manifest.kept = Lines {
        frames: cut_at_torn_line(&folder.join(FRAMES), |_| {})?,
        events: cut_at_torn_line(&folder.join(GAME), |_| {})?,
        decisions,
    };
    if !policies.is_empty() {
        manifest.policies = policies;
    }
    manifest.state = State::Cut;
    manifest.cut = Some(CUT_OFF.to_owned());
    manifest.ended = Some(to_the_millisecond(ended));
    write_manifest(folder, manifest, &mut RealDisk)
}

/// Who made a decision, out of its line.
#[derive(Deserialize)]
struct DecidedBy {
    policy: String,
    version: String,
    sha256: Option<String>,
}

impl From<DecidedBy> for PolicyNote {
    fn from(by: DecidedBy) -> Self {
        Self { id: by.policy, version: by.version, sha256: by.sha256, decisions: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::manifest::tests::manifest;
    use crate::records::{Published, list};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder can be made")
    }

    /// A record as a process leaves it behind.
    fn left_behind(among: &Path, stem: &str) -> PathBuf {
        let path = among.join(format!("{UNFINISHED}{stem}"));
        fs::create_dir(&path).expect("it can be made");
        write_manifest(&path, &manifest("kuma"), &mut RealDisk).expect("it can be written");
        fs::write(path.join(FRAMES), "{}\n{}\n{\"dir\":\"i").expect("it can be written");
        fs::write(path.join(GAME), "{\"type\":\"start_game\"}\n").expect("it can be written");
        let decision = r#"{"policy":"mine","version":"2","sha256":"ab"}"#;
        fs::write(path.join(DECISIONS), format!("{decision}\n{decision}\n{{")).expect("it can be written");
        path
    }

    #[test]
    fn what_a_process_left_behind_is_cut_off_behind_its_last_whole_line_and_marked() {
        let among = folder();
        left_behind(among.path(), "game");
        let path = among.path().join("game.cut");
        assert_eq!(settle_leftovers(among.path()), std::slice::from_ref(&path));
        let Published { manifest, .. } = Published::open(&path).expect("it is a record");
        assert_eq!((manifest.state, manifest.kept), (State::Cut, Lines { frames: 2, events: 1, decisions: 2 }));
        let policy = PolicyNote { id: "mine".into(), version: "2".into(), sha256: Some("ab".into()), decisions: 2 };
        assert_eq!((manifest.policies, manifest.cut.as_deref()), (vec![policy], Some(CUT_OFF)));
        assert_eq!(fs::read_to_string(path.join(FRAMES)).expect("it is there"), "{}\n{}\n");
        assert_eq!(settle_leftovers(among.path()), Vec::<PathBuf>::new());
    }

    #[test]
    fn what_a_living_process_writes_is_left_alone() {
        let among = folder();
        let path = left_behind(among.path(), "game");
        let living = File::options().append(true).open(path.join(FRAMES)).expect("it is there");
        assert!(lock(&living));
        assert_eq!(settle_leftovers(among.path()), Vec::<PathBuf>::new());
        assert!(path.exists());
    }

    #[test]
    fn a_record_that_only_lacks_its_name_gets_it_unchanged() {
        let among = folder();
        let path = left_behind(among.path(), "game");
        let complete = Manifest { state: State::Complete, ..manifest("kuma") };
        write_manifest(&path, &complete, &mut RealDisk).expect("it can be written");
        settle_leftovers(among.path());
        assert_eq!(Published::open(&among.path().join("game")).expect("it is a record").manifest, complete);
    }

    #[test]
    fn what_had_hardly_begun_or_was_being_removed_is_gone_and_anything_else_stays() {
        let among = folder();
        for name in [".unfinished-empty", ".unfinished-begun", ".removed-game", "mine", ".hidden"] {
            fs::create_dir(among.path().join(name)).expect("it can be made");
        }
        for file in
            [".unfinished-begun/frames.jsonl", ".unfinished-begun/game.mjai.jsonl", ".removed-game/frames.jsonl"]
        {
            fs::write(among.path().join(file), "").expect("it can be written");
        }
        assert_eq!(settle_leftovers(among.path()), Vec::<PathBuf>::new());
        let mut names: Vec<_> =
            fs::read_dir(among.path()).expect("it is there").flatten().map(|at| at.file_name()).collect();
        names.sort();
        assert_eq!(names, [".hidden", "mine"]);
        assert_eq!(list(among.path()).expect("it is there").0, []);
    }
}
