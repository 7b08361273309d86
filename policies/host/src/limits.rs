//! How long policies may take.

use std::time::Duration;

/// Longest wait for a policy to start, its weights and tables loaded.
pub const START_TIMEOUT: Duration = Duration::from_secs(60);

/// A policy that has not returned so long after its time was over counts as hung.
pub const HUNG_AFTER: Duration = Duration::from_secs(1);

/// A child that hangs is killed by the thread that waits for it, which then says so; this is the margin for saying it.
pub(crate) const CHILD_KILL_MARGIN: Duration = Duration::from_secs(1);

/// How long both sides look for the other's word before they sleep. To be woken on an idle core costs about 20 us each
/// way, several times what most decisions take.
pub(crate) const POLLED_FOR: Duration = Duration::from_micros(100);
