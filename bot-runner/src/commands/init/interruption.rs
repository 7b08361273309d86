//! An interrupted `init` leaves nothing behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
use tokio::signal::unix::{SignalKind, signal};

/// The exit code after Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Ends the program at Ctrl-C, SIGTERM and SIGHUP, and undoes what it has begun. Clones share that.
#[derive(Clone, Default)]
pub(super) struct Interruption(Arc<Mutex<Begun>>);

#[derive(Default)]
struct Begun {
    /// The files that were made, and stay only if all goes well.
    files: Vec<PathBuf>,
    /// Whether all went well.
    is_kept: bool,
    /// The terminal's settings before its echo was turned off.
    shown: Option<Termios>,
}

impl Interruption {
    /// Listens from now on.
    ///
    /// # Errors
    ///
    /// If the process cannot listen for signals.
    pub(super) fn listen() -> io::Result<Self> {
        let interruption = Self::default();
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = signal(SignalKind::hangup())?;
        let for_signal = interruption.clone();
        tokio::spawn(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            // Held to the end, so that nothing more is made.
            let mut begun = for_signal.begun();
            begun.remove_files();
            show_again(&mut begun);
            let written = if begun.is_kept {
                ""
            } else {
                "; nothing was written"
            };
            eprintln!("\nbot-runner: interrupted{written}");
            process::exit(INTERRUPTED);
        });
        Ok(interruption)
    }

    /// Makes a file that an interruption removes.
    pub(super) fn make(
        &self,
        file: &Path,
        make: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        // A signal waits until the file is made and known.
        let mut begun = self.begun();
        make()?;
        begun.files.push(file.to_owned());
        Ok(())
    }

    /// Removes the files that were made.
    pub(super) fn undo(&self) {
        self.begun().remove_files();
    }

    /// Keeps the files that were made.
    pub(super) fn keep(&self) {
        let mut begun = self.begun();
        begun.files.clear();
        begun.is_kept = true;
    }

    /// Turns the terminal's echo off.
    pub(super) fn hide_echo(&self) -> io::Result<()> {
        let mut begun = self.begun();
        let shown = tcgetattr(io::stdin())?;
        let mut silent = shown.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        begun.shown = Some(shown);
        Ok(tcsetattr(io::stdin(), OptionalActions::Flush, &silent)?)
    }

    pub(super) fn show_echo(&self) {
        show_again(&mut self.begun());
    }

    fn begun(&self) -> MutexGuard<'_, Begun> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Begun {
    fn remove_files(&mut self) {
        self.files
            .drain(..)
            .for_each(|file| drop(fs::remove_file(file)));
    }
}

fn show_again(begun: &mut Begun) {
    if let Some(shown) = begun.shown.take() {
        // If this fails, the user can type `stty echo`.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &shown);
    }
}
