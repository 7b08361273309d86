//! What processes left behind that ended in the middle of a record.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use time::OffsetDateTime;

use super::disk::RealDisk;
use super::folder::{REMOVED, UNFINISHED, is_named_like_a_record, lock, publish};
use super::lines::cut_at_torn_line;
use super::manifest::{Lines, Manifest, PolicyNote, State};
use super::open_game::{NEW_MANIFEST, to_the_millisecond, write_manifest};
use super::published::{DECISIONS, FRAMES, GAME, MANIFEST, read_manifest};
use super::retention::prune;

/// Why a record breaks off that nobody finished.
const CUT_OFF: &str = "the runner ended, or could not write on, before the record was finished";

/// Publishes what processes that are gone left unfinished in a folder, cut off behind its last whole lines and marked as cut;
/// where they lie now. What cannot be settled stays, and `trouble` hears of it. Nothing is removed.
pub fn settle_leftovers(among: &Path, mut trouble: impl FnMut(&Path, &io::Error)) -> Vec<PathBuf> {
    let mut settled = Vec::new();
    for path in named(among, unfinished) {
        match settle(&path) {
            Ok(published) => settled.extend(published),
            Err(error) => trouble(&path, &error),
        }
    }
    settled
}

/// Removes what processes that are gone were removing, and records that had hardly begun; nothing that is not named as those
/// are, and holds no file of a record.
pub fn clear_leftovers(among: &Path) {
    for path in named(among, unfinished) {
        clear_begun(&path);
    }
    for path in named(among, being_removed) {
        let _ = if [MANIFEST, FRAMES, GAME, DECISIONS].iter().any(|file| path.join(file).is_file()) {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_dir(&path)
        };
    }
}

/// What lies in a folder and has the name of a record behind the mark that is taken off.
fn named(among: &Path, unmarked: fn(&str) -> Option<&str>) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(among).into_iter().flatten().flatten();
    let is_named = move |name: &str| unmarked(name).is_some_and(is_named_like_a_record);
    entries.filter(move |entry| is_named(&entry.file_name().to_string_lossy())).map(|entry| entry.path())
}

fn unfinished(name: &str) -> Option<&str> {
    name.strip_prefix(UNFINISHED)
}

fn being_removed(name: &str) -> Option<&str> {
    let name = name.strip_prefix(REMOVED)?;
    // A record that had hardly begun keeps its mark.
    Some(unfinished(name).unwrap_or(name))
}

fn clear_begun(folder: &Path) {
    let Ok(frames) = File::options().append(true).open(folder.join(FRAMES)) else {
        // Its process ended before it held anything, or is just beginning it and takes another name then.
        let _ = fs::remove_dir(folder);
        return;
    };
    // No line is written before the manifest. Where the folder has got its real name meanwhile, this removes nothing.
    if lock(&frames).unwrap_or(false) && !folder.join(MANIFEST).exists() {
        let _ = prune(folder);
    }
}

fn settle(folder: &Path) -> io::Result<Option<PathBuf>> {
    let Ok(frames) = File::options().append(true).open(folder.join(FRAMES)) else { return Ok(None) };
    if !lock(&frames)? || !folder.join(MANIFEST).exists() {
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
    use std::collections::BTreeSet;

    use super::*;
    use crate::records::manifest::tests::manifest;
    use crate::records::{Published, list};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder can be made")
    }

    /// The name of a record.
    const GAME_NAME: &str = "2026-01-31T201530Z-kuma-3f9a1c";

    #[track_caller]
    fn settle(among: &Path) -> Vec<PathBuf> {
        settle_leftovers(among, |path, error| panic!("{}: {error}", path.display()))
    }

    /// A record as a process leaves it behind.
    fn left_behind(among: &Path) -> PathBuf {
        let path = among.join(format!("{UNFINISHED}{GAME_NAME}"));
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
        left_behind(among.path());
        let path = among.path().join(format!("{GAME_NAME}.cut"));
        assert_eq!(settle(among.path()), std::slice::from_ref(&path));
        let Published { manifest, .. } = Published::open(&path).expect("it is a record");
        assert_eq!((manifest.state, manifest.kept), (State::Cut, Lines { frames: 2, events: 1, decisions: 2 }));
        let policy = PolicyNote { id: "mine".into(), version: "2".into(), sha256: Some("ab".into()), decisions: 2 };
        assert_eq!((manifest.policies, manifest.cut.as_deref()), (vec![policy], Some(CUT_OFF)));
        assert_eq!(fs::read_to_string(path.join(FRAMES)).expect("it is there"), "{}\n{}\n");
        assert_eq!(settle(among.path()), Vec::<PathBuf>::new());
    }

    #[test]
    fn what_a_living_process_writes_is_left_alone() {
        let among = folder();
        let path = left_behind(among.path());
        let living = File::options().append(true).open(path.join(FRAMES)).expect("it is there");
        assert!(lock(&living).expect("it is free"));
        assert_eq!(settle(among.path()), Vec::<PathBuf>::new());
        assert!(path.exists());
    }

    #[test]
    fn a_record_that_only_lacks_its_name_gets_it_unchanged() {
        let among = folder();
        let path = left_behind(among.path());
        let complete = Manifest { state: State::Complete, ..manifest("kuma") };
        write_manifest(&path, &complete, &mut RealDisk).expect("it can be written");
        settle(among.path());
        assert_eq!(Published::open(&among.path().join(GAME_NAME)).expect("it is a record").manifest, complete);
    }

    #[test]
    fn a_record_that_cannot_be_settled_is_told_and_stays() {
        let among = folder();
        let path = left_behind(among.path());
        fs::write(path.join(MANIFEST), "{").expect("it can be written");
        let mut told = Vec::new();
        assert_eq!(settle_leftovers(among.path(), |path, _| told.push(path.to_owned())), Vec::<PathBuf>::new());
        assert_eq!(told, std::slice::from_ref(&path));
        clear_leftovers(among.path());
        assert!(path.exists());
    }

    #[test]
    fn what_had_hardly_begun_or_was_being_removed_is_gone_and_anything_else_stays() {
        let among = folder();
        let make = |name: String, files: &[&str]| {
            let path = among.path().join(name);
            fs::create_dir(&path).expect("it can be made");
            for file in files {
                fs::write(path.join(file), "").expect("it can be written");
            }
        };
        make(format!("{UNFINISHED}{GAME_NAME}"), &[]);
        make(format!("{UNFINISHED}{GAME_NAME}-1"), &[FRAMES, GAME]);
        make(format!("{REMOVED}{GAME_NAME}"), &[DECISIONS, "notes"]);
        make(format!("{REMOVED}{UNFINISHED}{GAME_NAME}"), &[FRAMES]);
        let others = [
            ".hidden".to_owned(),
            format!("{REMOVED}game"),
            format!("{REMOVED}{GAME_NAME}.cut"),
            format!("{UNFINISHED}game"),
            "mine".to_owned(),
        ];
        for name in &others {
            make(name.clone(), &["notes"]);
        }
        assert_eq!(settle(among.path()), Vec::<PathBuf>::new());
        let names = || {
            let entries = fs::read_dir(among.path()).expect("it is there").flatten();
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect::<BTreeSet<_>>()
        };
        assert_eq!(names().len(), 9, "nothing is removed before it is asked for");
        clear_leftovers(among.path());
        assert_eq!(names(), BTreeSet::from(others));
        assert_eq!(list(among.path()).expect("it is there").0, []);
    }
}
