//! `records prune`: removes old records.

use std::path::Path;
use std::process::ExitCode;

use client::records::Retention;
use client::records::{clear_leftovers, is_named_like_a_record, remove, surplus};
use foreign_text::shown_path;
use say::output::say;
use say::screen::note;
use time::OffsetDateTime;

use super::{mib, records_in};
use crate::commands::success;

pub(super) fn prune(
    folder: &Path,
    older_than: Option<u32>,
    to_size: Option<u32>,
    dry_run: bool,
) -> anyhow::Result<ExitCode> {
    if !dry_run {
        clear_leftovers(folder);
    }
    let (mut found, _) = records_in(folder)?;
    found.retain(|record| is_named_like_a_record(&record.name()));
    let retention = Retention::of(older_than, to_size);
    let (count, mut removed, mut bytes, mut all_went) = (found.len(), 0, 0, true);
    for record in surplus(found, retention, OffsetDateTime::now_utc()) {
        match if dry_run {
            Ok(true)
        } else {
            remove(&record.path)
        } {
            Ok(true) => {
                say(shown_path(&record.path));
                removed += 1;
                bytes += record.bytes;
            }
            // Another process has removed it.
            Ok(false) => {}
            Err(error) => {
                note(format!(
                    "bot-runner: {} cannot be removed: {error}",
                    shown_path(&record.path)
                ));
                all_went = false;
            }
        }
    }
    let done = if dry_run {
        "would be removed"
    } else {
        "removed"
    };
    say(format!(
        "{removed} of {count} records {done}, {} MiB",
        mib(bytes)
    ));
    Ok(success(all_went))
}
