//! The selection of expired records.

use std::time::Duration;

use time::OffsetDateTime;

use super::game_record::GameRecord;

/// No runner existed before this year, so the clock of an earlier record was wrong.
const FIRST_YEAR: i32 = 2020;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The limits for keeping records; forever without limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// The maximum age of a record.
    pub age: Option<Duration>,
    /// Maximum total size of all records in bytes.
    pub bytes: Option<u64>,
}

impl Retention {
    /// Keeps records younger than this many days, and of these the newest up to this many MiB;
    /// `None` means no limit.
    pub fn of(days: Option<u32>, mib: Option<u32>) -> Self {
        Self {
            age: days.map(|days| DAY * days),
            bytes: mib.map(|mib| u64::from(mib) << 20),
        }
    }
}

/// The records, given oldest first, that are too old or too many; in the same order.
///
/// The clock of a record that begins before 2020 or in the future was wrong. Its age is not known,
/// so only its size counts.
pub fn surplus(
    records: Vec<GameRecord>,
    retention: Retention,
    now: OffsetDateTime,
) -> Vec<GameRecord> {
    let is_too_old = |began: OffsetDateTime| {
        retention
            .age
            .is_some_and(|age| began.year() >= FIRST_YEAR && now - began > age)
    };
    let mut bytes = 0;
    let mut is_surplus = |record: &GameRecord| {
        is_too_old(record.manifest.started) || {
            bytes += record.bytes;
            retention.bytes.is_some_and(|most| bytes > most)
        }
    };
    let mut surplus: Vec<GameRecord> = records
        .into_iter()
        .rev()
        .filter(|record| is_surplus(record))
        .collect();
    surplus.reverse();
    surplus
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::records::manifest::tests::manifest;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    fn began(began: OffsetDateTime, bytes: u64) -> GameRecord {
        let manifest = crate::records::Manifest {
            started: began,
            ..manifest("kuma")
        };
        GameRecord {
            path: "game".into(),
            manifest,
            bytes,
        }
    }

    /// A moment at which clocks are right.
    fn now() -> OffsetDateTime {
        OffsetDateTime::UNIX_EPOCH + DAY * 365 * 60
    }

    /// The times of the surplus records.
    fn gone(
        records: &[GameRecord],
        age: Option<Duration>,
        bytes: Option<u64>,
    ) -> Vec<OffsetDateTime> {
        let gone = surplus(records.to_vec(), Retention { age, bytes }, now());
        gone.iter().map(|record| record.manifest.started).collect()
    }

    #[test]
    fn records_that_are_too_old_or_too_many_are_removed_the_oldest_first() {
        let days = [40, 31, 30, 2, 0].map(|days| now() - DAY * days);
        let records = days.map(|day| began(day, 1 << 20));
        let count = |age: Option<u32>, bytes| {
            let gone = gone(&records, age.map(|days| DAY * days), bytes);
            assert_eq!(gone, days[..gone.len()]);
            gone.len()
        };
        assert_eq!(count(None, None), 0);
        assert_eq!(count(Some(30), None), 2);
        assert_eq!(count(None, Some(4 << 20)), 1);
        assert_eq!(count(None, Some((4 << 20) - 1)), 2);
        assert_eq!(
            (
                count(Some(30), Some(1 << 20)),
                count(Some(1), Some(5 << 20))
            ),
            (4, 4)
        );
        assert_eq!(count(None, Some(0)), 5);
    }

    #[test]
    fn a_record_that_begins_before_2020_or_in_the_future_is_removed_for_its_size_alone() {
        let days = [
            OffsetDateTime::UNIX_EPOCH,
            now() - DAY * 100,
            now() + DAY * 365,
        ];
        let records = days.map(|day| began(day, 1));
        assert_eq!(gone(&records, Some(DAY), None), days[1..2]);
        assert_eq!(gone(&records, Some(DAY), Some(1)), days[..2]);
    }
}
