//! What happens to bots that their user may want to hear of at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, SystemTime};

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotAlert {
    pub time: SystemTime,
    /// The bot; of a config that no bot plays by, the name of the file.
    pub bot: String,
    pub kind: AlertKind,
    /// The reason; empty for a return.
    pub why: String,
    /// When the policy is tried again, in seconds of Unix time.
    pub until: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// The bot stopped on its own.
    Stopped,
    /// Its policy is set aside, or remains so after it was tried again.
    SetAside,
    /// Its policy decides again, or the bot plays again after it had stopped.
    Returned,
    /// A change of its files has no effect.
    ChangeRefused,
    /// No bot plays by this config.
    DoesNotPlay,
}

/// Sends alerts without waiting; those that do not fit are counted.
#[derive(Debug)]
pub(super) struct AlertSender {
    alerts: SyncSender<BotAlert>,
    dropped: Arc<AtomicU64>,
}

/// Receives the alerts of a board.
#[derive(Debug)]
pub struct AlertReceiver {
    alerts: Receiver<BotAlert>,
    dropped: Arc<AtomicU64>,
}

/// A queue for this many alerts.
pub(super) fn queue(room: usize) -> (AlertSender, AlertReceiver) {
    let (sender, alerts) = sync_channel(room);
    let dropped = Arc::new(AtomicU64::new(0));
    (
        AlertSender {
            alerts: sender,
            dropped: Arc::clone(&dropped),
        },
        AlertReceiver { alerts, dropped },
    )
}

impl AlertSender {
    pub(super) fn send(&self, alert: BotAlert) {
        if self.alerts.try_send(alert).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl AlertReceiver {
    /// The next alert, if one comes within this time. Blocks.
    pub fn next(&self, within: Duration) -> Option<BotAlert> {
        self.alerts.recv_timeout(within).ok()
    }

    /// Number of alerts that were dropped since the last call.
    pub fn take_dropped(&self) -> u64 {
        self.dropped.swap(0, Ordering::Relaxed)
    }
}
