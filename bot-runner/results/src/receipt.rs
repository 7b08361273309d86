//! The state of results after they were handed over.

use tokio::sync::watch;

/// The state of results after they were handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptState {
    /// They are only in memory.
    Pending,
    /// They are on the disk or in the database, and survive the process.
    Kept,
    /// There was no room to store them.
    Lost,
}

/// Reports the state of results that were handed over.
#[derive(Debug, Clone)]
pub struct ResultsReceipt(pub(crate) watch::Receiver<ReceiptState>);

impl ResultsReceipt {
    pub fn state(&self) -> ReceiptState {
        *self.0.borrow()
    }

    /// Waits until they are stored or lost.
    pub async fn settled(mut self) -> ReceiptState {
        let settled = self
            .0
            .wait_for(|state| *state != ReceiptState::Pending)
            .await;
        // Without a keeper they are lost.
        settled.map_or(ReceiptState::Lost, |state| *state)
    }
}
