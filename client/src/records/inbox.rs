//! The way to the thread that writes, which holds only so much.

use std::sync::mpsc::Sender;
use std::sync::{Arc, LazyLock};

use tokio::sync::Semaphore;

use super::message::{OpenGameNumber, RecordEntry, RecorderMessage};
use super::shared_folder::SharedFolder;

/// Bytes of all bots of the process that may wait for the disk: one that is stuck takes no more, however many play.
static ALL_BYTES: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(64 << 20)));

/// Bytes of one bot that may wait for the disk: several games, or two of the largest frames.
const BOT_BYTES: usize = 8 << 20;

/// The way to the thread that writes a bot's records.
#[derive(Debug, Clone)]
pub(super) struct Inbox {
    sender: Sender<RecorderMessage>,
    /// The bytes of this bot, and those of all.
    budgets: [Arc<Semaphore>; 2],
    /// Where the records go.
    pub(super) folder: Arc<SharedFolder>,
}

impl Inbox {
    pub(super) fn new(sender: Sender<RecorderMessage>, folder: Arc<SharedFolder>) -> Self {
        Self { sender, budgets: [Arc::new(Semaphore::new(BOT_BYTES)), Arc::clone(&ALL_BYTES)], folder }
    }

    /// Passes an entry on, or gives it back when too much waits already.
    pub(super) fn offer(&self, game: OpenGameNumber, entry: RecordEntry) -> Result<(), RecordEntry> {
        let bytes = u32::try_from(entry.bytes()).unwrap_or(u32::MAX);
        let [own, all] = self.budgets.each_ref().map(Arc::clone);
        let Ok(own) = own.try_acquire_many_owned(bytes) else { return Err(entry) };
        let Ok(all) = all.try_acquire_many_owned(bytes) else { return Err(entry) };
        self.tell(RecorderMessage::Entry(game, entry, [own, all]));
        Ok(())
    }

    /// Passes on what must be known and takes next to no memory.
    pub(super) fn tell(&self, message: RecorderMessage) {
        // Without a thread there are no records, which is no reason not to play.
        let _ = self.sender.send(message);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    fn entry(bytes: usize) -> RecordEntry {
        let text = "x".repeat(bytes - 512).into();
        RecordEntry::Frame { at: Duration::ZERO, text, took: None }
    }

    #[test]
    fn bots_share_the_bytes_of_the_process_and_each_has_a_limit_of_its_own() {
        let all = Arc::new(Semaphore::new(10_000));
        let [(one, waiting), (other, _other_waiting)] = [(); 2].map(|()| {
            let (sender, waiting) = channel();
            let budgets = [Arc::new(Semaphore::new(6_000)), Arc::clone(&all)];
            (Inbox { sender, budgets, folder: SharedFolder::at(Path::new("nowhere")) }, waiting)
        });
        one.offer(OpenGameNumber::default(), entry(6_000)).expect("there is room");
        one.offer(OpenGameNumber::default(), entry(600)).expect_err("its own bytes are taken");
        other.offer(OpenGameNumber::default(), entry(4_000)).expect("there is room");
        other.offer(OpenGameNumber::default(), entry(600)).expect_err("the bytes of all are taken");
        drop(waiting.recv());
        one.offer(OpenGameNumber::default(), entry(6_000)).expect("what is written waits no more");
    }
}
