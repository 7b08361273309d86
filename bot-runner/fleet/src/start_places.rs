//! The limit on policies that start at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use policy_host::{ChosenPolicy, Origin};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Permits for starting policies. Each library has one of its own and gets at most half of the
/// shared ones, so that libraries that hang at their start delay no others, however many they are.
#[derive(Debug)]
pub(super) struct StartPlaces {
    shared: Arc<Semaphore>,
    of_libraries: Mutex<BTreeMap<PathBuf, LibraryPlaces>>,
    of_one: usize,
}

#[derive(Debug, Clone)]
struct LibraryPlaces {
    own: Arc<Semaphore>,
    /// Maximum number of shared permits for it.
    all: Arc<Semaphore>,
}

/// A place that is free again when this is dropped.
#[derive(Debug)]
pub(super) struct StartPlace {
    _of_library: Option<OwnedSemaphorePermit>,
    _place: Option<OwnedSemaphorePermit>,
}

impl StartPlaces {
    /// So many for each library.
    pub(super) fn new(of_one: usize) -> Self {
        Self {
            shared: Arc::new(Semaphore::new(2 * of_one)),
            of_libraries: Mutex::default(),
            of_one,
        }
    }

    /// Waits for a place for this policy.
    pub(super) async fn take(&self, policy: &ChosenPolicy) -> StartPlace {
        // Each policy that is linked into the runner counts as a library. Its id is no complete
        // path, so no file has it.
        self.take_for(match &policy.library.origin {
            Origin::File(file) => file,
            Origin::Builtin => Path::new(&policy.info().id),
        })
        .await
    }

    async fn take_for(&self, library: &Path) -> StartPlace {
        let LibraryPlaces { own, all } = self.of(library);
        // This comes first: a waiting bot then takes none of the others' places.
        let of_library = all.acquire_owned().await.ok();
        let place = tokio::select! {
            biased;
            place = own.acquire_owned() => place.ok(),
            place = Arc::clone(&self.shared).acquire_owned() => place.ok(),
        };
        StartPlace {
            _of_library: of_library,
            _place: place,
        }
    }

    fn of(&self, library: &Path) -> LibraryPlaces {
        let mut places = self
            .of_libraries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        places.retain(|_, places| Arc::strong_count(&places.all) > 1);
        let new = || LibraryPlaces {
            own: Arc::new(Semaphore::new(1)),
            all: Arc::new(Semaphore::new(self.of_one)),
        };
        places.entry(library.to_owned()).or_insert_with(new).clone()
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

    #[tokio::test]
    async fn many_libraries_that_hang_when_they_start_take_no_place_of_the_others() {
        let places = StartPlaces::new(4);
        let mut hanging = Vec::new();
        for bad in ["/liba.so", "/libb.so", "/libc.so"] {
            for _ in 0..4 {
                hanging.extend(places.take_for(Path::new(bad)).now_or_never());
            }
        }
        assert_eq!(
            hanging.len(),
            2 * 4 + 3,
            "all shared places are taken, and their own ones"
        );
        assert!(
            places
                .take_for(Path::new("/libother.so"))
                .now_or_never()
                .is_some(),
            "it has its own"
        );
    }
}
