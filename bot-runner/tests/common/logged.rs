//! What is logged.

use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, Once};

use tracing_subscriber::fmt::MakeWriter;

thread_local! {
    static OF_THIS_THREAD: RefCell<Lines> = RefCell::default();
}

/// Everything that is logged on this thread as long as this lives.
pub(crate) struct Log(Lines);

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no test panics while it logs").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sends each line to the log of the thread that it comes from.
struct ByThread;

impl MakeWriter<'_> for ByThread {
    type Writer = Lines;

    fn make_writer(&self) -> Lines {
        OF_THIS_THREAD.with_borrow(Lines::clone)
    }
}

impl Log {
    /// One subscriber serves all threads: where each has its own, those that come and go hide lines from the others.
    pub(crate) fn of_this_thread() -> Self {
        static SUBSCRIBED: Once = Once::new();
        SUBSCRIBED.call_once(|| {
            tracing_subscriber::fmt()
                .with_max_level(tracing::Level::TRACE)
                .with_ansi(false)
                .with_writer(ByThread)
                .init();
        });
        let lines = Lines::default();
        OF_THIS_THREAD.set(lines.clone());
        Self(lines)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.0.lock().expect("no test panics while it logs")).into_owned()
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        OF_THIS_THREAD.take();
    }
}
