//! How many policies start at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use policy_host::{ChosenPolicy, Origin};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Places for policies that start. One library gets half of them, so that one that hangs when it starts holds up no other.
#[derive(Debug)]
pub(super) struct StartPlaces {
    all: Arc<Semaphore>,
    of_libraries: Mutex<BTreeMap<PathBuf, Arc<Semaphore>>>,
    of_one: usize,
}

/// A place that is free again when this is dropped.
#[derive(Debug)]
pub(super) struct StartPlace {
    _of_library: Option<OwnedSemaphorePermit>,
    _of_all: Option<OwnedSemaphorePermit>,
}

impl StartPlaces {
    /// So many for each library.
    pub(super) fn new(of_one: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(2 * of_one)), of_libraries: Mutex::default(), of_one }
    }

    /// Waits for a place for this policy.
    pub(super) async fn take(&self, policy: &ChosenPolicy) -> StartPlace {
        // Each policy that is linked into the runner counts as a library. Its id is no complete path, so no file has it.
        self.take_for(match &policy.library.origin {
            Origin::File(file) => file,
            Origin::Builtin => Path::new(&policy.info().id),
        })
        .await
    }

    async fn take_for(&self, library: &Path) -> StartPlace {
        let places = self.of(library);
        // This place first: whoever waits for it takes none of the others' places.
        let of_library = places.acquire_owned().await.ok();
        let of_all = Arc::clone(&self.all).acquire_owned().await.ok();
        StartPlace { _of_library: of_library, _of_all: of_all }
    }

    fn of(&self, library: &Path) -> Arc<Semaphore> {
        let mut places = self.of_libraries.lock().unwrap_or_else(PoisonError::into_inner);
        places.retain(|_, places| Arc::strong_count(places) > 1);
        Arc::clone(places.entry(library.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(self.of_one))))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_library_that_hangs_when_it_starts_takes_no_place_of_the_others() {
        let places = StartPlaces::new(4);
        let (bad, other) = (Path::new("/libbad.so"), Path::new("/libother.so"));
        let mut hanging = Vec::new();
        for _ in 0..4 {
            hanging.push(places.take_for(bad).await);
        }
        let next = places.take_for(bad);
        tokio::pin!(next);
        assert!((&mut next).now_or_never().is_none(), "it has its own");
        for _ in 0..100 {
            places.take_for(other).await;
        }
        hanging.pop();
        next.await;
    }
}
