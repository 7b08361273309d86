//! The ways to end a run besides signals: a time limit, and a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use client::place::short;
use client::shutdown::Shutdown;
use tokio::time::sleep;

use fleet::{FileStamps, FileWatcher};
use say::output::say;

/// Refuses a stop file that already exists: the run would end before it began, without an obvious
/// reason.
///
/// # Errors
///
/// If it exists, or this cannot be determined.
pub(super) fn refuse_present(file: &Path) -> anyhow::Result<()> {
    let there = file
        .try_exists()
        .with_context(|| format!("--stop-file {} cannot be looked for", file.display()))?;
    if there {
        bail!(
            "the stop file {} already exists; remove it, or leave --stop-file out",
            short(file).display()
        );
    }
    Ok(())
}

/// Asks to finish games when the time is over, or the file exists.
pub(super) fn watch(
    shutdown: &Shutdown,
    duration: Option<Duration>,
    file: Option<PathBuf>,
    watcher: &FileWatcher,
) {
    if let Some(duration) = duration {
        let shutdown = shutdown.clone();
        tokio::spawn(async move {
            sleep(duration).await;
            finish(
                &shutdown,
                &format!("The {} are over", humantime::format_duration(duration)),
            );
        });
    }
    if let Some(file) = file {
        let shutdown = shutdown.clone();
        let mut changes = watcher.watch("the stop file", FileStamps::new(), {
            let file = file.clone();
            move || Ok(vec![file.clone()])
        });
        tokio::spawn(async move {
            if changes.recv().await.is_some() {
                finish(
                    &shutdown,
                    &format!("The stop file {} exists", short(&file).display()),
                );
            }
        });
    }
}

fn finish(shutdown: &Shutdown, why: &str) {
    if !shutdown.is_finishing() {
        say(format!(
            "{why}: games in progress are played to their end, queued bots stop now."
        ));
    }
    shutdown.finish();
}
