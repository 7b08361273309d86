//! `records prune`: old records removed.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use time::OffsetDateTime;

use super::{mib, records_in};
use crate::output::say;
use crate::records::{self, Retention, surplus};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) fn prune(
    folder: &Path,
    older_than: Option<u32>,
    to_size: Option<u32>,
    dry_run: bool,
) -> anyhow::Result<ExitCode> {
    let found = records_in(folder)?;
    let retention =
        Retention { age: older_than.map(|days| DAY * days), bytes: to_size.map(|mib| u64::from(mib) << 20) };
    let (mut removed, mut bytes) = (0, 0);
    for record in &found[..surplus(&found, retention, OffsetDateTime::now_utc())] {
        let gone = dry_run
            || records::prune(&record.path).with_context(|| format!("{} cannot be removed", record.path.display()))?;
        if gone {
            say(record.path.display().to_string());
            removed += 1;
            bytes += record.bytes;
        }
    }
    let done = if dry_run { "would be removed" } else { "removed" };
    say(format!("{removed} of {} records {done}, {} MiB", found.len(), mib(bytes)));
    Ok(ExitCode::SUCCESS)
}
