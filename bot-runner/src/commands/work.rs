//! Work that takes long, apart from the threads that watch for Ctrl-C, and how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::Context;
use client::shutdown::{Shutdown, StopStage};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use say::screen::note;
use tokio::sync::oneshot;

use super::run::stop_words;

/// A bar on standard error that says how far so many steps are.
pub(super) fn progress_bar(steps: u64, words: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(words) {
        bar.set_style(style);
    }
    bar
}

/// Games that are played until they are over, or until the user wants no more.
pub(super) struct StoppableWork {
    shutdown: Shutdown,
    /// Set once no new game should begin.
    pub(super) stop: Arc<AtomicBool>,
}

impl StoppableWork {
    /// Listens for Ctrl-C from now on. `at_once` ends the first message: what a second Ctrl-C
    /// leaves.
    ///
    /// # Errors
    ///
    /// If the process cannot listen for signals.
    pub(super) fn listen(at_once: &'static str) -> anyhow::Result<Self> {
        let (shutdown, stop) = (Shutdown::new(), Arc::new(AtomicBool::new(false)));
        shutdown.listen({
            let stop = Arc::clone(&stop);
            move |stage| {
                stop.store(true, Ordering::Relaxed);
                match stage {
                    StopStage::Finish => {
                        note(format!(
                            "Finishing the games in progress. Ctrl-C again stops now{at_once}."
                        ));
                    }
                    StopStage::Now => note(stop_words(stage)),
                }
            }
        })?;
        Ok(Self { shutdown, stop })
    }

    pub(super) const fn shutdown(&self) -> &Shutdown {
        &self.shutdown
    }

    /// Does a part of the work on its own thread; `None` if it was stopped at once. A policy that
    /// hangs cannot be ended: its thread ends with the process then.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> anyhow::Result<Option<T>> {
        let (sender, result) = oneshot::channel();
        let stop = Arc::clone(&self.stop);
        thread::Builder::new()
            .name("games".to_owned())
            .spawn(move || {
                let _ = sender.send(work(&stop));
            })?;
        tokio::select! {
            result = result => result.map(Some).context("the games ended without a result"),
            () = self.shutdown.immediately() => Ok(None),
        }
    }
}
