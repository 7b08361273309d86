//! Permits for the matches of an account, taken from the pool that limits the games of a process.

use std::fmt;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::bot::turns::{Permit, PermitPool};

/// The permits of an account: one for the next match, and one for each match in progress.
///
/// A match that others begin cannot be refused: it continues without a permit if none is free, or
/// if the account already has its maximum. So a site takes no games from other bots.
#[derive(Default)]
pub(super) struct MatchPermits {
    /// `None` if games are not limited.
    pool: Option<PermitPool>,
    /// The next permit, while the account waits for it.
    awaited: Option<BoxFuture<'static, Permit>>,
    /// The next permit, and the time since which it is held.
    next: Option<(Permit, Instant)>,
    /// Those of matches in progress.
    held: Vec<Permit>,
    /// Maximum number of permits.
    most: usize,
}

impl fmt::Debug for MatchPermits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchPermits")
            .field("next", &self.next)
            .field("held", &self.held)
            .finish_non_exhaustive()
    }
}

impl MatchPermits {
    /// For an account that wants this many simultaneous matches.
    pub(super) fn of(pool: Option<PermitPool>, most: usize) -> Self {
        Self {
            pool,
            most,
            ..Self::default()
        }
    }

    /// Whether a match may begin; if not, the account now waits for a permit.
    pub(super) fn ask(&mut self) -> bool {
        let Some(pool) = self.pool.as_ref().filter(|_| self.next.is_none()) else {
            return true;
        };
        if self.awaited.is_none() {
            match pool.try_take() {
                Some(permit) => {
                    self.next = Some((permit, Instant::now()));
                    return true;
                }
                None => {
                    let pool = pool.clone();
                    self.awaited = Some(async move { pool.take().await }.boxed());
                }
            }
        }
        false
    }

    /// Whether the account waits for a permit.
    pub(super) const fn is_awaited(&self) -> bool {
        self.awaited.is_some()
    }

    /// Completes when the account gets the permit that it waits for. Dropping the future loses
    /// nothing.
    pub(super) async fn granted(&mut self) {
        let Some(awaited) = &mut self.awaited else {
            return std::future::pending().await;
        };
        let permit = awaited.await;
        self.awaited = None;
        self.next = Some((permit, Instant::now()));
    }

    /// Releases the next permit, because no match will begin soon.
    pub(super) fn let_go(&mut self) {
        self.awaited = None;
        self.next = None;
    }

    /// Whether the next permit has been held this long while others wait for it.
    pub(super) fn is_overdue(&self, after: Duration) -> bool {
        self.next
            .as_ref()
            .is_some_and(|(permit, since)| permit.is_awaited() && since.elapsed() >= after)
    }

    /// Sets the number of matches in progress.
    pub(super) fn hold_for(&mut self, matches: usize) {
        let wanted = matches.min(self.most);
        self.held.truncate(wanted);
        while self.held.len() < wanted {
            let next = self.next.take().map(|(permit, _)| permit);
            let Some(permit) = next.or_else(|| self.pool.as_ref()?.try_take()) else {
                return;
            };
            self.held.push(permit);
        }
    }
}
