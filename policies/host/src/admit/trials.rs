//! The policies that have passed the trial in their own process.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::files::sha256::Sha256;
use crate::find::announced::AnnouncedIdentity;
use crate::find::content::ContentId;
use crate::find::describe::Description;
use crate::find::params::ParamValues;
use crate::find::private::PrivateCopy;
use crate::games::GameKind;
use crate::policy_config::Isolation;
use confinement::ProcessLimits;
use mistakes::KeyProblem;

/// How long a failure is remembered.
const REMEMBERED: Duration = Duration::from_secs(600);

/// Maximum number of young trials that run at once: each is a process that loads a library.
const MAX_YOUNG_TRIALS: usize = 4;

/// After this time a trial makes room for the next one: a policy that hangs delays no other.
const YOUNG: Duration = Duration::from_millis(100);

/// Maximum number of trials that run at once, including those that hang until their time is over. A
/// library may use no more than the room that is left: alone it gets half of the room. One trial of
/// each library runs even without room, so that libraries that hang delay no other, however many
/// they are.
const MAX_TRIALS: usize = 32;

/// The inputs of a trial.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TrialKey {
    pub(crate) content: ContentId,
    pub(crate) watched: Option<Sha256>,
    pub(crate) id: Option<String>,
    pub(crate) params: toml::Table,
    pub(crate) isolation: Isolation,
    pub(crate) limits: ProcessLimits,
    pub(crate) think: Option<Duration>,
    pub(crate) game: GameKind,
    pub(crate) players: u8,
    pub(crate) config_folder: PathBuf,
}

#[derive(Debug, Clone)]
pub(crate) struct Passed {
    pub(crate) copy: Arc<PrivateCopy>,
    pub(crate) description: Description,
    /// Index of the policy in the description.
    pub(crate) index: usize,
    pub(crate) params: ParamValues,
    /// The name and version of a program that decides for it.
    pub(crate) announced: AnnouncedIdentity,
    /// The time of its slowest decision.
    pub(crate) slowest: Duration,
}

#[derive(Debug)]
enum TrialOutcome {
    /// Valid as long as the copy is in use.
    Passed {
        copy: Weak<PrivateCopy>,
        description: Description,
        index: usize,
        params: ParamValues,
        announced: AnnouncedIdentity,
        slowest: Duration,
    },
    Failed {
        at: Instant,
        problems: Vec<KeyProblem>,
    },
}

impl TrialOutcome {
    /// The result for a request made at that time; `None` if the trial must be repeated. A failure
    /// counts for requests made before it was known: bots that share a hanging library do not each
    /// wait for its trial, while a later request may come after a fix.
    fn holds(&self, asked: Instant) -> Option<Result<Passed, Vec<KeyProblem>>> {
        match self {
            Self::Passed {
                copy,
                description,
                index,
                params,
                announced,
                slowest,
            } => {
                let (description, params, announced) =
                    (description.clone(), params.clone(), announced.clone());
                copy.upgrade().map(|copy| {
                    Ok(Passed {
                        copy,
                        description,
                        index: *index,
                        params,
                        announced,
                        slowest: *slowest,
                    })
                })
            }
            Self::Failed { at, problems } => (asked <= *at).then(|| Err(problems.clone())),
        }
    }

    /// Whether it may still be needed.
    fn is_of_use(&self) -> bool {
        match self {
            Self::Passed { copy, .. } => copy.strong_count() > 0,
            Self::Failed { at, .. } => at.elapsed() < REMEMBERED,
        }
    }
}

/// The trial of one key. The thread that makes it holds the lock; the others wait for the outcome.
type Slot = Arc<Mutex<Option<TrialOutcome>>>;

#[derive(Debug, Default)]
pub(crate) struct Trials {
    slots: Mutex<Vec<(TrialKey, Slot)>>,
    running: RunningTrials,
}

#[derive(Debug, Default)]
struct RunningTrials {
    begun: Mutex<Vec<BegunTrial>>,
    ended: Condvar,
}

#[derive(Debug, Clone, PartialEq)]
struct BegunTrial {
    at: Instant,
    library: ContentId,
}

impl BegunTrial {
    /// Whether it is one of this library: of any build of its file, or of any copy of it.
    fn is_of(&self, library: &ContentId) -> bool {
        self.library.path == library.path || self.library.hash == library.hash
    }
}

/// The room that a trial takes until this is dropped.
#[must_use]
struct RunningTrial<'t> {
    trials: &'t RunningTrials,
    begun: BegunTrial,
}

impl RunningTrials {
    /// Waits until there is room for another trial of this library.
    fn begin(&self, library: &ContentId) -> RunningTrial<'_> {
        let mut begun = self.begun();
        loop {
            let now = Instant::now();
            let age = |trial: &BegunTrial| now.saturating_duration_since(trial.at);
            let young = begun.iter().map(age).filter(|age| *age < YOUNG);
            let of_library = begun.iter().filter(|trial| trial.is_of(library)).count();
            let has_room = of_library == 0 || of_library < MAX_TRIALS.saturating_sub(begun.len());
            if has_room && young.clone().count() < MAX_YOUNG_TRIALS {
                let trial = BegunTrial {
                    at: now,
                    library: library.clone(),
                };
                begun.push(trial.clone());
                return RunningTrial {
                    trials: self,
                    begun: trial,
                };
            }
            let wait = young.max().map_or(YOUNG, |oldest| YOUNG - oldest);
            begun = self
                .ended
                .wait_timeout(begun, wait)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn begun(&self) -> MutexGuard<'_, Vec<BegunTrial>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningTrial<'_> {
    fn drop(&mut self) {
        let mut begun = self.trials.begun();
        if let Some(index) = begun.iter().position(|trial| *trial == self.begun) {
            begun.swap_remove(index);
        }
        // There may be room for one of those that wait, and for the others not.
        self.trials.ended.notify_all();
    }
}

impl Trials {
    /// The outcome of the trial for a key, which runs if none is known that holds for a request at
    /// that time.
    ///
    /// # Errors
    ///
    /// Those of the trial.
    pub(crate) fn outcome(
        &self,
        key: TrialKey,
        asked: Instant,
        trial: impl FnOnce() -> Result<Passed, Vec<KeyProblem>>,
    ) -> Result<Passed, Vec<KeyProblem>> {
        let library = key.content.clone();
        let slot = self.slot(key);
        let mut outcome = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = outcome.as_ref().and_then(|outcome| outcome.holds(asked)) {
            return known;
        }
        let running = self.running.begin(&library);
        let result = trial();
        drop(running);
        *outcome = Some(match &result {
            Ok(Passed {
                copy,
                description,
                index,
                params,
                announced,
                slowest,
            }) => {
                let (description, params, announced) =
                    (description.clone(), params.clone(), announced.clone());
                TrialOutcome::Passed {
                    copy: Arc::downgrade(copy),
                    description,
                    index: *index,
                    params,
                    announced,
                    slowest: *slowest,
                }
            }
            Err(problems) => TrialOutcome::Failed {
                at: Instant::now(),
                problems: problems.clone(),
            },
        });
        result
    }

    fn slot(&self, key: TrialKey) -> Slot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        // An outdated one without a waiter is of no use.
        slots.retain(|(_, slot)| {
            Arc::strong_count(slot) > 1
                || slot
                    .try_lock()
                    .is_ok_and(|outcome| outcome.as_ref().is_some_and(TrialOutcome::is_of_use))
        });
        if let Some((_, slot)) = slots.iter().find(|(known, _)| *known == key) {
            return Arc::clone(slot);
        }
        let slot = Slot::default();
        slots.push((key, Arc::clone(&slot)));
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::sha256::Sha256;

    fn library(name: &str) -> ContentId {
        ContentId {
            path: PathBuf::from(name),
            hash: Sha256::of(name.as_bytes()),
        }
    }

    fn key(params: &str) -> TrialKey {
        TrialKey {
            content: library("libmine.so"),
            watched: None,
            id: None,
            params: params.parse().expect("it is TOML"),
            isolation: Isolation::Thread,
            limits: ProcessLimits::default(),
            think: None,
            game: GameKind::Riichi,
            players: 4,
            config_folder: PathBuf::new(),
        }
    }

    fn failure() -> Result<Passed, Vec<KeyProblem>> {
        Err(vec![KeyProblem::new("policy", "it hangs")])
    }

    #[test]
    fn a_failure_counts_only_for_requests_made_before_it_was_known() {
        let trials = Trials::default();
        let asked = Instant::now();
        let mut made = 0;
        for _ in 0..20 {
            let outcome = trials.outcome(key(""), asked, || {
                made += 1;
                failure()
            });
            assert!(outcome.is_err());
        }
        assert_eq!(made, 1);
        let _ = trials.outcome(key(""), Instant::now(), || {
            made += 1;
            failure()
        });
        assert_eq!(made, 2);
    }

    /// Trials that hang until there is room for no second one of any library.
    fn fill(running: &RunningTrials) -> Vec<RunningTrial<'_>> {
        let mut hanging = Vec::new();
        let mut number = 0;
        while hanging.len() < MAX_TRIALS {
            let bad = library(&format!("libbad{number}.so"));
            let room = (MAX_TRIALS - hanging.len()).div_ceil(2);
            hanging.extend((0..room).map(|_| running.begin(&bad)));
            number += 1;
        }
        hanging
    }

    #[test]
    fn trials_that_hang_make_room_for_the_next_one_up_to_a_bound() {
        let running = RunningTrials::default();
        let start = Instant::now();
        let mut hanging = fill(&running);
        let took = start.elapsed();
        // The first four begin at once, and four more after each tenth of a second.
        let turns = MAX_TRIALS / MAX_YOUNG_TRIALS - 1;
        assert!(took >= YOUNG * turns as u32, "{took:?}");
        let first = running.begin(&library("libmine.so"));
        std::thread::scope(|scope| {
            let second = scope.spawn(|| drop(running.begin(&library("libmine.so"))));
            std::thread::sleep(YOUNG * 3);
            assert!(!second.is_finished(), "{MAX_TRIALS} are running");
            drop(first);
            hanging.clear();
            second.join().expect("there is room now");
        });
    }

    #[test]
    fn many_libraries_that_hang_in_their_trials_delay_no_other() {
        let running = RunningTrials::default();
        let _hanging = fill(&running);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| drop(running.begin(&library("libother.so"))));
            let until = Instant::now() + Duration::from_secs(10);
            while !other.is_finished() && Instant::now() < until {
                std::thread::sleep(Duration::from_millis(1));
            }
            let begins = other.is_finished();
            running.begun().clear();
            assert!(begins, "each library has its own trial");
        });
    }

    #[test]
    fn trials_of_one_library_that_hang_leave_room_for_those_of_the_others() {
        let running = RunningTrials::default();
        let (bad, other) = (library("libbad.so"), library("libother.so"));
        let copy = ContentId {
            path: PathBuf::from("libcopy.so"),
            ..bad.clone()
        };
        let build = ContentId {
            hash: Sha256::of(b"another build"),
            ..bad.clone()
        };
        let hanging: Vec<_> = (0..MAX_TRIALS / 2).map(|_| running.begin(&bad)).collect();
        std::thread::scope(|scope| {
            let next =
                [&bad, &copy, &build].map(|library| scope.spawn(|| drop(running.begin(library))));
            std::thread::sleep(YOUNG * 3);
            assert!(
                next.iter().all(|next| !next.is_finished()),
                "it has half of the room"
            );
            drop(running.begin(&other));
            assert!(
                next.iter().all(|next| !next.is_finished()),
                "the other library has not waited for them"
            );
            drop(hanging);
        });
    }

    #[test]
    fn a_trial_that_ends_makes_room_at_once() {
        let running = RunningTrials::default();
        let start = Instant::now();
        for _ in 0..1000 {
            drop(running.begin(&library("libmine.so")));
        }
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{:?}",
            start.elapsed()
        );
    }

    #[test]
    fn other_parameters_have_their_own_trial() {
        let trials = Trials::default();
        let mut made = 0;
        for params in ["level = 1", "level = 2"] {
            let _ = trials.outcome(key(params), Instant::now(), || {
                made += 1;
                failure()
            });
        }
        assert_eq!(made, 2);
    }
}
