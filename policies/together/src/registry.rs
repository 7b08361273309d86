//! The pools of this process, found by their keys.

use std::any::Any;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError, Weak};

type AnyPool = dyn Any + Send + Sync;

/// The pools that some thread still uses.
static POOLS: Mutex<Vec<(String, Weak<AnyPool>)>> = Mutex::new(Vec::new());

thread_local! {
    /// The pools that this thread has joined, until it ends.
    static JOINED: RefCell<Vec<Arc<AnyPool>>> = const { RefCell::new(Vec::new()) };
}

/// The pool of this type with this key; a new one if there is none. It lives until this thread and
/// all others that have joined it have ended.
pub(crate) fn join<P: Send + Sync + 'static>(key: &str, begin: impl FnOnce() -> P) -> Arc<P> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    pools.retain(|(_, pool)| pool.strong_count() > 0);
    let known = pools
        .iter()
        .filter(|(known, _)| known == key)
        .find_map(|(_, pool)| pool.upgrade()?.downcast::<P>().ok());
    let pool = known.unwrap_or_else(|| {
        let pool = Arc::new(begin());
        let weak: Weak<P> = Arc::downgrade(&pool);
        pools.push((key.to_owned(), weak));
        pool
    });
    drop(pools);
    JOINED.with_borrow_mut(|joined| {
        let any: Arc<AnyPool> = Arc::<P>::clone(&pool);
        if !joined.iter().any(|known| Arc::ptr_eq(known, &any)) {
            joined.push(any);
        }
    });
    pool
}
