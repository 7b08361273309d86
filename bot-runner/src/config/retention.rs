//! How long records stay.

use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long records stay; without limits, for ever.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// How old a record may be.
    pub age: Option<Duration>,
    /// How many bytes all records may have together.
    pub bytes: Option<u64>,
}

impl Retention {
    /// Records younger than so many days, and of these the newest up to so many MiB; `None` is no limit.
    #[must_use]
    pub fn of(days: Option<u32>, mib: Option<u32>) -> Self {
        Self { age: days.map(|days| DAY * days), bytes: mib.map(|mib| u64::from(mib) << 20) }
    }
}
