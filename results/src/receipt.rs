//! The state of results that were handed over.

use tokio::sync::watch;

/// The state of results that were handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptState {
    /// They are in memory alone.
    Pending,
    /// They are on the disk or in the database, and survive the process.
    Kept,
    /// There was no room for them.
    Lost,
}

/// Tells what has become of results that were handed over.
#[derive(Debug, Clone)]
pub struct ResultsReceipt(pub(crate) watch::Receiver<ReceiptState>);

impl ResultsReceipt {
    /// The current state.
    #[must_use]
    pub fn state(&self) -> ReceiptState {
        *self.0.borrow()
    }

    /// Waits until they are kept or lost.
    pub async fn settled(mut self) -> ReceiptState {
        let settled = self.0.wait_for(|state| *state != ReceiptState::Pending).await;
        // Without a keeper they go nowhere.
        settled.map_or(ReceiptState::Lost, |state| *state)
    }
}
