//! Time limits of policies. A policy's own time is without what it waits for a processor, see
//! `own_time.rs`.

use std::time::Duration;

/// Maximum own time of a policy for its start, with its weights and tables. A policy that waits for
/// a program has 55 s for that, and says itself that it took too long, even where the rest of its
/// start is slow.
pub const START_TIMEOUT: Duration = Duration::from_secs(70);

/// Maximum time for a start on a busy machine, on which the policy gets too little time of its own.
pub const MAX_START: Duration = Duration::from_secs(600);

/// Maximum own time without any work while a library is loaded: what waits for something else
/// belongs into the creation of the policy.
pub(crate) const LOAD_IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// A policy that has not returned after this much of its own time, counted from the end of the time
/// for its decision, counts as hung.
pub(crate) const HUNG_AFTER: Duration = Duration::from_secs(1);

/// A policy that is kept from running for this long is replaced, which is no hang.
pub(crate) const MAX_OVERDUE: Duration = Duration::from_secs(60);

/// A child that hangs is killed by the thread that waits for it, which then says so; this is the
/// margin for saying it.
pub(crate) const CHILD_KILL_MARGIN: Duration = Duration::from_secs(1);

/// How long both sides poll for the other's message before they sleep. Waking up on an idle core
/// costs about 20 us each way, several times the duration of most decisions.
pub(crate) const POLLED_FOR: Duration = Duration::from_micros(100);
