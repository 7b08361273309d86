//! Files of earlier versions in `lab/tests/data`, and new ones.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

fn kept(name: &str) -> PathBuf {
    Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/results-form-1"
    ))
    .join(name)
}

fn read(path: &Path) -> ResultsFile {
    ResultsFile::read(path)
        .expect("it is whole")
        .expect("it exists")
}

#[test]
fn files_of_earlier_versions_are_read_and_written_the_same() {
    for name in ["sprt.json", "part-1.json", "merged.json", "doudizhu.json"] {
        let content = read(&kept(name)).content().expect("they can be seated");
        let kept = fs::read(kept(name)).expect("it is kept");
        assert_eq!(
            String::from_utf8(content),
            String::from_utf8(kept),
            "{name}"
        );
    }
}

#[test]
fn a_file_of_the_first_version_is_read_which_has_no_checksum() {
    let (first, now) = (
        read(&kept("without-checksum.json")),
        read(&kept("merged.json")),
    );
    assert_eq!(first.arguments, now.arguments);
    assert_eq!(first.walls, now.walls);
}

#[test]
fn shards_of_earlier_versions_merge_byte_for_byte() {
    let parts = [kept("part-1.json"), kept("part-0.json")];
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("merged.json");
    ResultsFile::merge(&parts)
        .expect("they are all")
        .write_merged(&out, &parts)
        .expect("it can be written");
    assert_eq!(
        fs::read_to_string(out).expect("it was written"),
        fs::read_to_string(kept("merged.json")).expect("it is kept")
    );
}

#[test]
fn a_file_that_an_earlier_version_left_with_its_journal_resumes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cut.json");
    for name in ["cut.json", "cut.json.journal"] {
        fs::copy(kept(name), folder.path().join(name)).expect("it is kept");
    }
    let in_file = read(&path);
    let mut resumed = ResultsFile::open(&path, in_file.arguments.clone(), in_file.shard)
        .expect("it can be opened");
    assert_eq!((in_file.walls.len(), resumed.walls.len()), (59, 66));
    assert_eq!(
        read(&path).walls,
        resumed.walls,
        "the file has both at once"
    );
    resumed.finish().expect("it can be written");
    assert!(!journal_of(&path).exists());
    assert_eq!(
        fs::read(&path).expect("it was written"),
        resumed.content().expect("they can be seated")
    );
}

#[test]
fn walls_are_on_disk_as_soon_as_they_are_added() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results.json");
    let earlier = read(&kept("cut.json"));
    let open = || {
        ResultsFile::open(&path, earlier.arguments.clone(), earlier.shard)
            .expect("it can be opened")
    };
    let mut in_journal = false;
    let mut file = open();
    for (count, (&wall, result)) in (1..).zip(&earlier.walls) {
        file.add(wall, result.clone()).expect("it can be written");
        in_journal |= fs::metadata(journal_of(&path)).expect("it exists").len() > 0;
        if count % 10 == 0 || count == earlier.walls.len() {
            // As if the process was killed here.
            drop(file);
            file = open();
            assert_eq!(file.walls.len(), count);
        }
    }
    assert!(in_journal, "the file was long enough for a journal");
}

#[test]
fn a_file_that_is_open_is_refused_to_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("results.json");
    let arguments = read(&kept("part-0.json")).arguments;
    let _open = ResultsFile::open(&path, arguments.clone(), Shard::WHOLE).expect("it is free");
    let refused = ResultsFile::open(&path, arguments, Shard::WHOLE).expect_err("it is in use");
    assert!(matches!(refused, ResultsFileError::InUse(_)), "{refused}");
}
