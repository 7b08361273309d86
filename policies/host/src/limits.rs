//! Time limits of policies.

use std::time::Duration;

/// Maximum wait for a policy to start, including its weights and tables. A policy that waits for a program has 55 s for
/// that, and says itself that it took too long, even where the rest of its start is slow.
pub const START_TIMEOUT: Duration = Duration::from_secs(70);

/// A policy that has not returned this long after its time was over counts as hung.
pub const HUNG_AFTER: Duration = Duration::from_secs(1);

/// A child that hangs is killed by the thread that waits for it, which then says so; this is the margin for saying it.
pub(crate) const CHILD_KILL_MARGIN: Duration = Duration::from_secs(1);

/// How long both sides poll for the other's message before they sleep. Waking up on an idle core costs about 20 us each
/// way, several times the duration of most decisions.
pub(crate) const POLLED_FOR: Duration = Duration::from_micros(100);
