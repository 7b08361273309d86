//! How long records stay.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use time::OffsetDateTime;

use super::folder::REMOVED;
use super::published::Published;
use crate::config::Retention;

/// A record that begins earlier had a clock that was wrong: there was no runner.
const FIRST_YEAR: i32 = 2020;

/// A record, as far as it matters to how long it stays.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Aged {
    /// When it began.
    pub began: OffsetDateTime,
    /// Its folder.
    pub path: PathBuf,
    /// Size of its files, bytes.
    pub bytes: u64,
}

impl From<&Published> for Aged {
    fn from(record: &Published) -> Self {
        Self { began: record.manifest.started, path: record.path.clone(), bytes: record.bytes }
    }
}

/// Which of these records are too many, the oldest first.
///
/// A record that begins before 2020 or in the future had a clock that was wrong. Its age is not known, so only its size counts.
#[must_use]
pub fn surplus(mut records: Vec<Aged>, retention: Retention, now: OffsetDateTime) -> Vec<Aged> {
    records.sort();
    let is_too_old =
        |record: &Aged| retention.age.is_some_and(|age| record.began.year() >= FIRST_YEAR && now - record.began > age);
    let (mut surplus, mut rest): (Vec<Aged>, Vec<Aged>) = records.into_iter().partition(is_too_old);
    let mut bytes = 0;
    let fits = |record: &&Aged| {
        bytes += record.bytes;
        retention.bytes.is_none_or(|most| bytes <= most)
    };
    let fitting = rest.iter().rev().take_while(fits).count();
    rest.truncate(rest.len() - fitting);
    surplus.append(&mut rest);
    surplus.sort();
    surplus
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
    use std::time::Duration;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    /// Records of a megabyte each, begun so many days ago.
    fn begun(days: &[u32], now: OffsetDateTime) -> Vec<Aged> {
        let begun = |&days: &u32| Aged { began: now - DAY * days, path: "game".into(), bytes: 1 << 20 };
        days.iter().map(begun).collect()
    }

    /// A moment at which clocks go right.
    fn now() -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + DAY * 365 * 60
    }

    #[test]
    fn what_is_too_old_or_too_much_goes_and_the_oldest_goes_first() {
        let records = begun(&[30, 2, 40, 0, 31], now());
        let surplus = |days: Option<u32>, bytes| {
            let retention = Retention { age: days.map(|days| DAY * days), bytes };
            let gone = surplus(records.clone(), retention, now());
            assert!(
                gone.iter()
                    .map(|record| record.began)
                    .eq([40, 31, 30, 2, 0].map(|days| now() - DAY * days).into_iter().take(gone.len()))
            );
            gone.len()
        };
        assert_eq!(surplus(None, None), 0);
        assert_eq!(surplus(Some(30), None), 2);
        assert_eq!(surplus(None, Some(4 << 20)), 1);
        assert_eq!(surplus(None, Some((4 << 20) - 1)), 2);
        assert_eq!((surplus(Some(30), Some(1 << 20)), surplus(Some(1), Some(5 << 20))), (4, 4));
        assert_eq!(surplus(None, Some(0)), 5);
    }

    #[test]
    fn a_record_that_begins_before_2020_or_in_the_future_is_removed_for_its_size_alone() {
        let wrong = [now() + DAY * 365, OffsetDateTime::UNIX_EPOCH, now() - DAY * 100].map(|began| Aged {
            began,
            path: "game".into(),
            bytes: 1,
        });
        let gone = |retention| {
            let gone = surplus(wrong.to_vec(), retention, now());
            gone.iter().map(|record| record.began).collect::<Vec<_>>()
        };
        let [_, unset, old] = wrong.clone().map(|record| record.began);
        assert_eq!(gone(Retention { age: Some(DAY), bytes: None }), [old]);
        assert_eq!(gone(Retention { age: Some(DAY), bytes: Some(1) }), [unset, old]);
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
