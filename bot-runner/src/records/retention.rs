//! How long records stay.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use time::OffsetDateTime;

use super::folder::REMOVED;
use super::published::Published;

/// What stays; without limits, all of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// How old a record may be.
    pub age: Option<Duration>,
    /// How many bytes all of them may have together.
    pub bytes: Option<u64>,
}

/// How many of these records, the oldest of which comes first, are too many: so many go from the front.
#[must_use]
pub fn surplus(records: &[Published], retention: Retention, now: OffsetDateTime) -> usize {
    let too_old = |record: &Published| retention.age.is_some_and(|age| now - record.manifest.started > age);
    let old = records.iter().take_while(|record| too_old(record)).count();
    let mut bytes = 0;
    let fits = |record: &&Published| {
        bytes += record.bytes;
        retention.bytes.is_none_or(|most| bytes <= most)
    };
    let large = records.len() - records.iter().rev().take_while(fits).count();
    old.max(large)
}

/// Removes a record, or one that has hardly begun, so that nobody ever sees half of it; `false` when somebody else has done that.
///
/// # Errors
///
/// When it cannot be removed.
pub fn prune(record: &Path) -> io::Result<bool> {
    let name = record.file_name().unwrap_or_default().to_string_lossy();
    let removed = record.with_file_name(format!("{REMOVED}{name}"));
    match fs::rename(record, &removed) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        other => other?,
    }
    match fs::remove_dir_all(&removed) {
        // Somebody who clears left-overs was faster.
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::manifest::tests::manifest;

    const DAY: Duration = Duration::from_secs(86_400);

    /// Records of a megabyte each, begun so many days ago.
    fn begun(days: &[u32], now: OffsetDateTime) -> Vec<Published> {
        let begun = |&days: &u32| {
            let mut manifest = manifest("kuma");
            manifest.started = now - DAY * days;
            Published { path: "game".into(), manifest, bytes: 1 << 20 }
        };
        days.iter().map(begun).collect()
    }

    #[test]
    fn what_is_too_old_or_too_much_goes_and_the_oldest_goes_first() {
        let now = OffsetDateTime::UNIX_EPOCH + DAY * 365;
        let records = begun(&[40, 31, 30, 2, 0], now);
        let surplus =
            |days: Option<u32>, bytes| surplus(&records, Retention { age: days.map(|days| DAY * days), bytes }, now);
        assert_eq!(surplus(None, None), 0);
        assert_eq!(surplus(Some(30), None), 2);
        assert_eq!(surplus(None, Some(4 << 20)), 1);
        assert_eq!(surplus(None, Some((4 << 20) - 1)), 2);
        assert_eq!((surplus(Some(30), Some(1 << 20)), surplus(Some(1), Some(5 << 20))), (4, 4));
        assert_eq!(surplus(None, Some(0)), 5);
    }

    #[test]
    fn a_record_is_removed_once() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let record = folder.path().join("game");
        fs::create_dir(&record).expect("it can be made");
        fs::write(record.join("frames.jsonl"), "{}\n").expect("it can be written");
        assert!(prune(&record).expect("it can be removed"));
        assert!(!prune(&record).expect("it is gone"));
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 0);
    }
}
