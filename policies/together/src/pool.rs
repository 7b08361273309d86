//! Workers that many instances ask.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use policy_sdk::Level;

use crate::registry::join;

/// Writes a line to the log of the instance that asks.
pub type PoolLog<'l> = &'l dyn Fn(Level, &str);

/// Maximum number of failures of workers in a row, after which a pool starts no other.
pub const MAX_FAILURES: u32 = 5;

/// Something slow to start that answers questions of many instances.
pub trait SharedWorker: Sized + Send + 'static {
    /// All that is needed to start one.
    type Setup: Send + Sync + 'static;
    /// What instances may know of a worker; the same for all of a pool.
    type About: Clone + Send + 'static;
    type Question: Send + 'static;
    type Reply: Send + 'static;
    /// Why a worker cannot be used.
    type Fault: Clone + Send + 'static;

    /// Starts a worker, and waits until it can answer.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn start(setup: &Self::Setup, log: PoolLog<'_>) -> Result<(Self, Self::About), Self::Fault>;

    /// The fault of a worker that panicked; it is not used any more.
    fn panicked() -> Self::Fault;

    /// Maximum number of questions that it takes at once.
    fn max_batch(&self) -> NonZeroUsize;

    /// The replies to these questions, as many and in their order; at least one and at most
    /// [`max_batch`](Self::max_batch) are asked.
    ///
    /// # Errors
    /// Why it cannot be used any more.
    fn answer(
        &mut self,
        questions: &[Self::Question],
        log: PoolLog<'_>,
    ) -> Result<Vec<Self::Reply>, Self::Fault>;
}

/// The workers that all instances with one key share.
pub struct SharedPool<W: SharedWorker> {
    setup: W::Setup,
    max_workers: NonZeroUsize,
    state: Mutex<PoolState<W>>,
    /// A reply has come, or a worker is free.
    changed: Condvar,
}

struct PoolState<W: SharedWorker> {
    idle: Vec<W>,
    /// Number of workers, with those at work or being started.
    workers: usize,
    about: Option<W::About>,
    waiting: VecDeque<WaitingQuestion<W::Question>>,
    /// The replies that their instances have not taken yet, by the number of the question.
    replies: BTreeMap<u64, Result<W::Reply, W::Fault>>,
    next: u64,
    /// Number of failures since the last reply, and the last of them.
    failures: u32,
    last_failure: Option<W::Fault>,
}

/// A question that no worker has taken.
struct WaitingQuestion<Q> {
    number: u64,
    question: Q,
    /// A worker failed at it, or at another one that it was asked together with.
    has_failed: bool,
}

impl<W: SharedWorker> fmt::Debug for SharedPool<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedPool").finish_non_exhaustive()
    }
}

impl<W: SharedWorker> SharedPool<W> {
    /// The pool with this key; if no instance has joined it yet, it begins with this setup and
    /// without workers. What determines the workers has to be part of the key. It lives until the
    /// threads that have joined it have ended.
    pub fn join(
        key: &str,
        max_workers: NonZeroUsize,
        setup: impl FnOnce() -> W::Setup,
    ) -> Arc<Self> {
        join(key, || Self {
            setup: setup(),
            max_workers,
            state: Mutex::new(PoolState {
                idle: Vec::new(),
                workers: 0,
                about: None,
                waiting: VecDeque::new(),
                replies: BTreeMap::new(),
                next: 0,
                failures: 0,
                last_failure: None,
            }),
            changed: Condvar::new(),
        })
    }

    /// What is known of the workers, once one has been started. A pool whose workers have failed
    /// too often gets another chance.
    ///
    /// # Errors
    /// Why none can be started.
    pub fn about(&self, log: PoolLog<'_>) -> Result<W::About, W::Fault> {
        let mut state = self.lock();
        if state.failures >= MAX_FAILURES {
            state.failures = 0;
        }
        loop {
            if let Some(about) = &state.about {
                return Ok(about.clone());
            }
            if state.workers == 0 {
                state.workers += 1;
                drop(state);
                let worker = self.start(log)?;
                self.lock().idle.push(worker);
                self.changed.notify_all();
                state = self.lock();
            } else {
                state = self.wait(state);
            }
        }
    }

    /// The reply to a question.
    ///
    /// # Errors
    /// Why the workers that it was asked of cannot be used.
    pub fn ask(&self, question: W::Question, log: PoolLog<'_>) -> Result<W::Reply, W::Fault> {
        let mut state = self.lock();
        let number = state.next;
        state.next += 1;
        state.waiting.push_back(WaitingQuestion {
            number,
            question,
            has_failed: false,
        });
        loop {
            if let Some(reply) = state.replies.remove(&number) {
                return reply;
            }
            if !state.waiting.iter().any(|waiting| waiting.number == number) {
                state = self.wait(state);
            } else if let (MAX_FAILURES.., Some(why)) = (state.failures, state.last_failure.clone())
            {
                state.waiting.retain(|waiting| waiting.number != number);
                return Err(why);
            } else if let Some(worker) = state.idle.pop() {
                drop(state);
                self.work(worker, log);
                state = self.lock();
            } else if state.workers < self.max_workers.get() {
                state.workers += 1;
                drop(state);
                // Its failure counts, and is the reply once there were too many.
                if let Ok(worker) = self.start(log) {
                    self.work(worker, log);
                }
                state = self.lock();
            } else {
                state = self.wait(state);
            }
        }
    }

    /// Starts a worker, which is counted already.
    fn start(&self, log: PoolLog<'_>) -> Result<W, W::Fault> {
        let started = without_panic::<W, _>(|| W::start(&self.setup, log));
        let mut state = self.lock();
        match started {
            Ok((worker, about)) => {
                state.about.get_or_insert(about);
                Ok(worker)
            }
            Err(fault) => {
                state.workers -= 1;
                state.failed(fault.clone());
                drop(state);
                self.changed.notify_all();
                Err(fault)
            }
        }
    }

    /// Lets a worker answer as many of the waiting questions as it takes.
    fn work(&self, mut worker: W, log: PoolLog<'_>) {
        let taken = self.lock().take(worker.max_batch());
        let (asked, questions): (Vec<_>, Vec<_>) = taken
            .into_iter()
            .map(|taken| ((taken.number, taken.has_failed), taken.question))
            .unzip();
        let answered = match questions.as_slice() {
            [] => Ok(Vec::new()),
            batch => without_panic::<W, _>(|| worker.answer(batch, log)),
        };
        let mut state = self.lock();
        match answered {
            Ok(replies) => {
                if !replies.is_empty() {
                    state.failures = 0;
                }
                let numbers = asked.iter().map(|&(number, _)| number);
                state
                    .replies
                    .extend(numbers.zip(replies.into_iter().map(Ok)));
                state.idle.push(worker);
            }
            Err(fault) => {
                state.workers -= 1;
                state.failed(fault.clone());
                for ((number, has_failed), question) in asked.into_iter().zip(questions).rev() {
                    if has_failed {
                        state.replies.insert(number, Err(fault.clone()));
                    } else {
                        state.waiting.push_front(WaitingQuestion {
                            number,
                            question,
                            has_failed: true,
                        });
                    }
                }
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, PoolState<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, PoolState<W>>) -> MutexGuard<'s, PoolState<W>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// The result of calling a worker. A panic is a fault of it: the other threads wait for its end.
fn without_panic<W: SharedWorker, T>(
    call: impl FnOnce() -> Result<T, W::Fault>,
) -> Result<T, W::Fault> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| Err(W::panicked()))
}

impl<W: SharedWorker> PoolState<W> {
    /// The oldest questions, at most so many. One that has failed is asked alone.
    fn take(&mut self, most: NonZeroUsize) -> Vec<WaitingQuestion<W::Question>> {
        let fresh = self
            .waiting
            .iter()
            .take_while(|waiting| !waiting.has_failed);
        let number = match fresh.take(most.get()).count() {
            0 => self.waiting.len().min(1),
            number => number,
        };
        self.waiting.drain(..number).collect()
    }

    fn failed(&mut self, fault: W::Fault) {
        self.failures += 1;
        self.last_failure = Some(fault);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Doubles numbers; breaks at 13, and panics at 17.
    struct Doubler(Arc<Seen>);

    #[derive(Default)]
    struct Seen {
        started: AtomicUsize,
        ended: AtomicUsize,
        largest_batch: AtomicUsize,
        breaks_at_start: bool,
    }

    impl SharedWorker for Doubler {
        type Setup = Arc<Seen>;
        type About = &'static str;
        type Question = u32;
        type Reply = u32;
        type Fault = &'static str;

        fn start(seen: &Arc<Seen>, _: PoolLog<'_>) -> Result<(Self, &'static str), &'static str> {
            seen.started.fetch_add(1, Ordering::Relaxed);
            if seen.breaks_at_start {
                return Err("it does not start");
            }
            Ok((Self(Arc::clone(seen)), "a doubler"))
        }

        fn panicked() -> &'static str {
            "it panicked"
        }

        fn max_batch(&self) -> NonZeroUsize {
            NonZeroUsize::new(4).unwrap()
        }

        fn answer(&mut self, questions: &[u32], _: PoolLog<'_>) -> Result<Vec<u32>, &'static str> {
            assert!((1..=4).contains(&questions.len()));
            self.0
                .largest_batch
                .fetch_max(questions.len(), Ordering::Relaxed);
            thread::sleep(Duration::from_millis(5));
            if questions.contains(&13) {
                return Err("it breaks at 13");
            }
            assert!(!questions.contains(&17), "it panics at 17");
            Ok(questions.iter().map(|question| question * 2).collect())
        }
    }

    impl Drop for Doubler {
        fn drop(&mut self) {
            self.0.ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The replies to these numbers, asked at once, each on its own thread.
    fn asked(key: &str, seen: &Arc<Seen>, numbers: &[u32]) -> Vec<Result<u32, &'static str>> {
        let all_asked = std::sync::Barrier::new(numbers.len());
        thread::scope(|scope| {
            let ask = |number: u32| {
                let all_asked = &all_asked;
                scope.spawn(move || {
                    let pool =
                        SharedPool::<Doubler>::join(key, NonZeroUsize::MIN, || Arc::clone(seen));
                    // It is the thread that keeps the pool.
                    drop(pool);
                    all_asked.wait();
                    SharedPool::<Doubler>::join(key, NonZeroUsize::MIN, || panic!("it is there"))
                        .ask(number, &|_, _| ())
                })
            };
            let asking: Vec<_> = numbers.iter().map(|&number| ask(number)).collect();
            asking
                .into_iter()
                .map(|asked| asked.join().unwrap())
                .collect()
        })
    }

    #[test]
    fn waiting_questions_are_asked_together_of_one_worker_that_ends_with_the_threads() {
        let seen = Arc::<Seen>::default();
        let replies = asked("together", &seen, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(replies, [2, 4, 6, 8, 10, 12, 14, 16, 18].map(Ok));
        let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
        assert_eq!((count(&seen.started), count(&seen.ended)), (1, 1));
        assert!(count(&seen.largest_batch) > 1, "each was asked alone");
    }

    #[test]
    fn a_question_that_breaks_workers_costs_the_others_nothing() {
        let seen = Arc::<Seen>::default();
        let replies = asked("broken", &seen, &[1, 13, 3, 4]);
        assert_eq!(replies, [Ok(2), Err("it breaks at 13"), Ok(6), Ok(8)]);
        assert!(seen.started.load(Ordering::Relaxed) <= 3);
        let replies = asked("panicking", &seen, &[1, 17, 3]);
        assert_eq!(replies, [Ok(2), Err("it panicked"), Ok(6)]);
    }

    #[test]
    fn workers_that_do_not_start_are_given_up_after_some_failures() {
        let seen = Arc::new(Seen {
            breaks_at_start: true,
            ..Seen::default()
        });
        assert_eq!(
            asked("stuck", &seen, &[1, 2]),
            [Err("it does not start"); 2]
        );
        assert_eq!(seen.started.load(Ordering::Relaxed), MAX_FAILURES as usize);
    }

    #[test]
    fn what_is_known_of_workers_comes_from_the_first() {
        let seen = Arc::<Seen>::default();
        thread::spawn(move || {
            let pool =
                SharedPool::<Doubler>::join("about", NonZeroUsize::MIN, || Arc::clone(&seen));
            assert_eq!(pool.about(&|_, _| ()), Ok("a doubler"));
            assert_eq!(pool.ask(2, &|_, _| ()), Ok(4));
            assert_eq!(seen.started.load(Ordering::Relaxed), 1);
        })
        .join()
        .unwrap();
    }
}
