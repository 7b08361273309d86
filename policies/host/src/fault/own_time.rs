//! The time that a policy has for itself: what passes while it waits for a processor, is stopped or
//! waits for a disk is not its own, and neither is what passes while this process itself is
//! stopped. On a busy machine a policy is slow and does not hang.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::fault::KeptBy;

/// Interval of looks at a policy that takes too long.
pub(crate) const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The root of everything that works for a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PolicyRoot {
    /// A thread of this process, by the system's number, and the processes that it has started.
    Thread(i32),
    /// A process with all its threads, and the processes that it has started.
    Process(i32),
}

impl PolicyRoot {
    /// The thread that calls this, and what it starts.
    pub(crate) fn this_thread() -> Self {
        Self::Thread(tasks::this_thread())
    }
}

/// A limit for a policy's own time from a moment on. A policy that is kept from running gets more,
/// though not without end.
#[derive(Debug)]
pub(crate) struct OwnTimeLimit {
    from: Instant,
    own: Duration,
    idle: Duration,
    in_all: Duration,
    /// Whether only the clock counts.
    by_clock: bool,
    watch: Option<OwnTime>,
}

impl OwnTimeLimit {
    /// So much of its own time, and never more than the other time in all.
    pub(crate) const fn new(from: Instant, own: Duration, in_all: Duration) -> Self {
        Self {
            from,
            own,
            idle: Duration::MAX,
            in_all,
            by_clock: false,
            watch: None,
        }
    }

    /// So much time, whatever the policy does.
    pub(crate) fn of_clock(from: Instant, time: Duration) -> Self {
        Self {
            by_clock: true,
            ..Self::new(from, time, time)
        }
    }

    /// Limits the own time without any work too; `Duration::MAX` for no limit.
    pub(crate) const fn limit_idle(&mut self, idle: Duration) {
        self.idle = idle;
    }

    /// The limit that was reached: that without work, that for all of its own time, or that in all.
    pub(crate) fn reached(&self) -> Duration {
        match &self.watch {
            Some(watch) if watch.idle >= self.idle => self.idle,
            _ if self.kept_by().is_some() => self.in_all,
            _ => self.own,
        }
    }

    /// What kept the policy from running, if it has not used its own time, and still the limit is
    /// reached.
    pub(crate) fn kept_by(&self) -> Option<KeptBy> {
        let watch = self.watch.as_ref()?;
        let was_kept =
            watch.own() < self.own && watch.idle < self.idle && watch.passed >= self.in_all;
        was_kept.then(|| {
            if watch.stopped > watch.kept / 2 {
                KeptBy::Stop
            } else {
                KeptBy::Load
            }
        })
    }

    /// When to look at the policy next.
    pub(crate) fn next_look(&self) -> Instant {
        match &self.watch {
            None if self.by_clock => self.from + self.in_all,
            None => self.from,
            Some(watch) => watch.looked + LOOK_EVERY,
        }
    }

    /// Looks at the policy if it is time for that; whether it has used its time. May read some
    /// files of the system.
    pub(crate) fn is_over(&mut self, root: PolicyRoot) -> bool {
        if Instant::now() < self.next_look() {
            return false;
        }
        if self.by_clock {
            return true;
        }
        let Some(watch) = &mut self.watch else {
            self.watch = Some(OwnTime::start(root));
            return false;
        };
        watch.look();
        watch.own() >= self.own || watch.idle >= self.idle || watch.passed >= self.in_all
    }

    /// The own time that is left.
    pub(crate) fn left(&mut self, root: PolicyRoot) -> Duration {
        let watch = self.watch.get_or_insert_with(|| OwnTime::start(root));
        watch.look();
        self.own
            .saturating_sub(watch.own())
            .min(self.in_all.saturating_sub(watch.passed))
    }
}

/// Counts a policy's own time.
#[derive(Debug)]
struct OwnTime {
    root: PolicyRoot,
    tasks: HashMap<i32, TaskTimes>,
    looked: Instant,
    /// The time between looks, without that in which this process itself was kept from looking.
    passed: Duration,
    /// The time in which it was kept from running.
    kept: Duration,
    /// The part of that in which it was stopped, or waited for a disk.
    stopped: Duration,
    /// Its own time since it last worked.
    idle: Duration,
}

/// The times of a thread since its start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TaskTimes {
    /// On a processor.
    worked: Duration,
    /// Able to run, and waiting for a processor.
    waited: Duration,
    state: TaskState,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum TaskState {
    /// It works, or waits for a processor.
    Runs,
    /// It waits for something else.
    #[default]
    Sleeps,
    /// It is stopped, or waits for a disk.
    Held,
}

impl OwnTime {
    fn start(root: PolicyRoot) -> Self {
        let (passed, kept, stopped, idle) = Default::default();
        Self {
            root,
            tasks: tasks::of(root),
            looked: Instant::now(),
            passed,
            kept,
            stopped,
            idle,
        }
    }

    /// Adds the time since the last look.
    fn look(&mut self) {
        let now = Instant::now();
        let passed = (now - self.looked).min(2 * LOOK_EVERY);
        let tasks = tasks::of(self.root);
        let (mut kept, mut worked) = (Duration::ZERO, Duration::ZERO);
        let mut is_stopped = false;
        for (id, task) in &tasks {
            // A task without an earlier look began after it.
            let before = self.tasks.get(id).copied().unwrap_or_default();
            let task_worked = task.worked.saturating_sub(before.worked);
            worked = worked.max(task_worked);
            is_stopped |= task.state == TaskState::Held;
            // One that waits for a processor at this moment has its time counted when it gets one.
            let is_held = match task.state {
                TaskState::Held => true,
                TaskState::Runs => task_worked.is_zero(),
                TaskState::Sleeps => false,
            };
            kept = kept.max(if is_held {
                passed
            } else {
                task.waited.saturating_sub(before.waited)
            });
        }
        // What it waited before the last look has been counted then, and what it worked is its own.
        let kept = kept.min(passed.saturating_sub(worked));
        self.passed += passed;
        self.kept += kept;
        if is_stopped {
            self.stopped += kept;
        }
        self.idle = if worked.is_zero() {
            self.idle + (passed - kept)
        } else {
            Duration::ZERO
        };
        self.tasks = tasks;
        self.looked = now;
    }

    fn own(&self) -> Duration {
        self.passed.saturating_sub(self.kept)
    }
}

/// Reads the threads of the system.
#[cfg(target_os = "linux")]
mod tasks {
    use std::collections::HashMap;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use super::{PolicyRoot, TaskState, TaskTimes};

    /// Maximum number of threads that are looked at.
    const MAX_TASKS: usize = 1024;

    pub(super) fn this_thread() -> i32 {
        rustix::thread::gettid().as_raw_nonzero().get()
    }

    /// The threads below a root, by their numbers; without those that cannot be seen.
    pub(super) fn of(root: PolicyRoot) -> HashMap<i32, TaskTimes> {
        let mut found = HashMap::new();
        let mut from = match root {
            PolicyRoot::Thread(id) => vec![PathBuf::from(format!("/proc/self/task/{id}"))],
            PolicyRoot::Process(id) => threads(id),
        };
        while let Some(task) = from.pop() {
            let id = task
                .file_name()
                .and_then(|name| name.to_str()?.parse().ok());
            let (Some(id), true) = (id, found.len() < MAX_TASKS) else {
                continue;
            };
            found.extend(times(&task).map(|times| (id, times)));
            let children = fs::read_to_string(task.join("children")).unwrap_or_default();
            from.extend(
                children
                    .split_ascii_whitespace()
                    .filter_map(|child| child.parse().ok())
                    .flat_map(threads),
            );
        }
        found
    }

    fn threads(process: i32) -> Vec<PathBuf> {
        let entries = fs::read_dir(format!("/proc/{process}/task"))
            .into_iter()
            .flatten()
            .flatten();
        entries.map(|entry| entry.path()).collect()
    }

    fn times(task: &Path) -> Option<TaskTimes> {
        let stat = fs::read_to_string(task.join("stat")).ok()?;
        // The name before it may hold anything.
        let state = match stat.rsplit_once(')')?.1.trim_start().chars().next()? {
            'R' => TaskState::Runs,
            'T' | 't' | 'D' => TaskState::Held,
            _ => TaskState::Sleeps,
        };
        let times = fs::read_to_string(task.join("schedstat")).unwrap_or_default();
        let mut times = times
            .split_ascii_whitespace()
            .map_while(|time| time.parse().ok())
            .map(Duration::from_nanos);
        let (Some(worked), Some(waited)) = (times.next(), times.next()) else {
            // Without these figures a task that can run counts as one that runs.
            let state = if state == TaskState::Held {
                state
            } else {
                TaskState::Sleeps
            };
            return Some(TaskTimes {
                state,
                ..TaskTimes::default()
            });
        };
        Some(TaskTimes {
            worked,
            waited,
            state,
        })
    }
}

/// Elsewhere all time is the policy's own.
#[cfg(not(target_os = "linux"))]
mod tasks {
    use std::collections::HashMap;

    use super::{PolicyRoot, TaskTimes};

    pub(super) const fn this_thread() -> i32 {
        0
    }

    pub(super) fn of(_: PolicyRoot) -> HashMap<i32, TaskTimes> {
        HashMap::new()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::hint::black_box;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use rustix::process::{Pid, Signal, kill_process, kill_process_group};

    use super::*;

    const LIMIT: Duration = Duration::from_millis(400);
    const LONG: Duration = Duration::from_secs(60);

    /// A loop without an end.
    const WORK: &str = "while :; do :; done";

    /// A shell at work, which ends with this, and all that it has started too.
    struct Shell(Child);

    impl Shell {
        fn running(script: &str) -> Self {
            let mut command = Command::new("sh");
            // Where this process is killed, the limit ends it.
            command
                .args(["-c", &format!("ulimit -t 60; {script}")])
                .process_group(0)
                .stdin(Stdio::piped());
            Self(command.spawn().expect("there is a shell"))
        }

        fn id(&self) -> Pid {
            Pid::from_child(&self.0)
        }

        fn root(&self) -> PolicyRoot {
            PolicyRoot::Process(self.id().as_raw_nonzero().get())
        }
    }

    impl Drop for Shell {
        fn drop(&mut self) {
            let _ = kill_process_group(self.id(), Signal::KILL);
            let _ = self.0.wait();
        }
    }

    /// The time until the limit is reached.
    fn time_to_end(limit: &mut OwnTimeLimit, root: PolicyRoot) -> Duration {
        let start = Instant::now();
        while !limit.is_over(root) {
            thread::sleep(limit.next_look().saturating_duration_since(Instant::now()));
        }
        start.elapsed()
    }

    #[test]
    fn the_time_of_a_process_that_sleeps_or_works_is_its_own() {
        for script in ["read line", WORK, &format!("sh -c '{WORK}' & wait")] {
            let shell = Shell::running(script);
            let mut limit = OwnTimeLimit::new(Instant::now(), LIMIT, LONG);
            let took = time_to_end(&mut limit, shell.root());
            assert!(took >= LIMIT && took < LONG, "{script}: {took:?}");
        }
    }

    #[test]
    fn a_process_that_is_stopped_has_no_time_of_its_own_until_the_limit_in_all() {
        let shell = Shell::running(WORK);
        kill_process(shell.id(), Signal::STOP).expect("it is there");
        let mut limit = OwnTimeLimit::new(Instant::now(), LIMIT, 4 * LIMIT);
        let took = time_to_end(&mut limit, shell.root());
        assert!(took >= 4 * LIMIT, "{took:?}");
        assert!(
            limit.kept_by() == Some(KeptBy::Stop) && limit.reached() == 4 * LIMIT,
            "{limit:?}"
        );
    }

    #[test]
    fn time_in_which_this_process_does_not_look_counts_for_nothing() {
        let shell = Shell::running("read line");
        let mut limit = OwnTimeLimit::new(Instant::now(), 2 * LIMIT, 4 * LIMIT);
        assert!(!limit.is_over(shell.root()));
        // As if it had been stopped.
        thread::sleep(8 * LIMIT);
        assert!(!limit.is_over(shell.root()), "{limit:?}");
        assert!(time_to_end(&mut limit, shell.root()) >= LIMIT);
        assert!(
            limit.kept_by().is_none() && limit.reached() == 2 * LIMIT,
            "{limit:?}"
        );
    }

    #[test]
    fn a_child_that_is_stopped_keeps_the_process_that_waits_for_it() {
        let shell = Shell::running("sh -c 'kill -STOP $$' & wait");
        let mut limit = OwnTimeLimit::new(Instant::now() + LIMIT, LIMIT, 4 * LIMIT);
        assert!(time_to_end(&mut limit, shell.root()) >= 4 * LIMIT);
        assert_eq!(limit.kept_by(), Some(KeptBy::Stop), "{limit:?}");
    }

    #[test]
    fn what_waits_for_a_processor_is_kept_by_the_load() {
        let mut limit = OwnTimeLimit::new(Instant::now(), LIMIT, LIMIT);
        let mut own = OwnTime::start(PolicyRoot::this_thread());
        own.passed = 2 * LIMIT;
        own.kept = 2 * LIMIT;
        own.stopped = LIMIT / 2;
        limit.watch = Some(own);
        assert_eq!(limit.kept_by(), Some(KeptBy::Load), "{limit:?}");
    }

    #[test]
    fn a_thread_that_shares_its_processor_has_only_its_part_of_the_time() {
        let over = Arc::new(AtomicBool::new(false));
        let work = || {
            let over = Arc::clone(&over);
            move || {
                while !over.load(Ordering::Relaxed) {
                    black_box(());
                }
            }
        };
        let (send, receive) = std::sync::mpsc::channel();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let mut threads: Vec<_> = (0..processors * 4).map(|_| thread::spawn(work())).collect();
        let works = work();
        threads.push(thread::spawn(move || {
            let _ = send.send(PolicyRoot::this_thread());
            works();
        }));
        let root = receive.recv().expect("it has a number");
        let mut own = OwnTime::start(root);
        let start = Instant::now();
        while start.elapsed() < 4 * LIMIT {
            thread::sleep(LOOK_EVERY);
            own.look();
        }
        over.store(true, Ordering::Relaxed);
        threads
            .into_iter()
            .for_each(|thread| thread.join().expect("it ends"));
        assert!(own.own() < 2 * LIMIT, "{own:?}");
        assert!(own.own() > Duration::ZERO && own.idle < LIMIT, "{own:?}");
    }

    #[test]
    fn a_process_that_does_nothing_reaches_the_limit_for_that_first() {
        let idle = |script: &str| {
            let shell = Shell::running(script);
            let mut limit = OwnTimeLimit::new(Instant::now(), 4 * LIMIT, LONG);
            limit.limit_idle(LIMIT);
            time_to_end(&mut limit, shell.root())
        };
        assert!(idle("read line") < 4 * LIMIT);
        assert!(idle(WORK) >= 4 * LIMIT);
    }
}
