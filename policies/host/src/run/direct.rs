//! Policies that are called on the caller's own thread, for games without time limits.

use std::cell::RefCell;
use std::io;
use std::marker::PhantomData;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::admit::chosen::ChosenPolicy;
use crate::call::host::Context;
use crate::child::options::StartOptions;
use crate::child::{ChildPolicy, ChildSpec};
use crate::fault::{Decided, Fault, PolicyStartError};
use crate::find::library::Library;
use crate::limits::START_TIMEOUT;
use crate::policy_config::Isolation;
use crate::run::worker::Worker;
use crate::view::ViewBuffer;

/// Time after which a policy in its own process may count as hung.
const TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// Maximum number of processes without a game that a thread keeps.
const MAX_IDLE: usize = 8;

/// Every library that was called on a thread.
type UsedLibraries = Arc<Mutex<Vec<Arc<Library>>>>;

/// A thread on which policies may be called directly.
///
/// A library may leave something on the thread that calls it, so its code may be unloaded only
/// after that thread has ended. Therefore direct policies exist only on a thread like this one,
/// which holds every library that was called on it until it has ended.
#[derive(Debug)]
pub struct DirectThread {
    used: UsedLibraries,
    /// Whether the policies here play together with those on other threads.
    together: bool,
    /// The processes of policies whose games are over, the oldest first, with what they were
    /// started by.
    idle: RefCell<Vec<(ChildSpec, Box<ChildPolicy>)>>,
    _stays_on_its_thread: PhantomData<*const ()>,
}

impl DirectThread {
    /// Runs `work` on a new thread, which has ended when this returns. Each policy has what it
    /// decides by to itself.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    ///
    /// # Panics
    ///
    /// If `work` panics.
    pub fn run<T: Send>(name: &str, work: impl FnOnce(&Self) -> T + Send) -> io::Result<T> {
        thread::scope(|scope| {
            let thread = Self::begin(scope, name, false, work)?;
            Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        })
    }

    /// Runs `work` on a new thread of a scope, beside others like it. The instances of a policy on
    /// all of these threads may share what they decide by, and its files must not change meanwhile.
    ///
    /// # Errors
    ///
    /// If the thread cannot be started.
    pub fn spawn<'scope, T: Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        name: &str,
        work: impl FnOnce(&Self) -> T + Send + 'scope,
    ) -> io::Result<DirectHandle<'scope, T>> {
        Self::begin(scope, name, true, work)
    }

    fn begin<'scope, T: Send + 'scope>(
        scope: &'scope Scope<'scope, '_>,
        name: &str,
        together: bool,
        work: impl FnOnce(&Self) -> T + Send + 'scope,
    ) -> io::Result<DirectHandle<'scope, T>> {
        let used = Arc::new(Mutex::default());
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn_scoped(scope, {
                let used = Arc::clone(&used);
                move || {
                    work(&Self {
                        used,
                        together,
                        idle: RefCell::default(),
                        _stays_on_its_thread: PhantomData,
                    })
                }
            })?;
        Ok(DirectHandle {
            thread: Some(thread),
            _used: used,
        })
    }

    /// Lets a policy follow one of the same settings whose game is over, in that one's process.
    fn follow(&self, policy: &ChosenPolicy, options: &StartOptions) -> Option<Worker> {
        if !self.together || policy.isolation == Isolation::Thread {
            return None;
        }
        let spec = policy.for_child(options, true);
        let mut idle = self.idle.borrow_mut();
        let place = idle.iter().position(|(started, _)| *started == spec)?;
        let (_, child) = idle.remove(place);
        drop(idle);
        let child = child.followed_by(&spec, START_TIMEOUT)?;
        Some(Worker::InProcess(Box::new(child)))
    }

    /// Keeps a process for the policies of later games.
    fn keep(&self, spec: ChildSpec, child: Box<ChildPolicy>) {
        let mut idle = self.idle.borrow_mut();
        idle.push((spec, child));
        if idle.len() > MAX_IDLE {
            idle.remove(0);
        }
    }

    fn hold(&self, library: &Arc<Library>) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if !used.iter().any(|known| Arc::ptr_eq(known, library)) {
            used.push(Arc::clone(library));
        }
    }
}

/// A running [`DirectThread`]. Dropping it waits for the thread to end.
#[derive(Debug)]
pub struct DirectHandle<'scope, T> {
    thread: Option<ScopedJoinHandle<'scope, T>>,
    /// Dropped after the thread has ended.
    _used: UsedLibraries,
}

impl<T> DirectHandle<'_, T> {
    /// Waits for the thread to end; returns the result of its work.
    ///
    /// # Errors
    ///
    /// The panic of the work, if there was one.
    pub fn join(mut self) -> thread::Result<T> {
        self.thread
            .take()
            .expect("it is there until it is joined")
            .join()
    }
}

impl<T> Drop for DirectHandle<'_, T> {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A policy on a [`DirectThread`].
pub struct DirectPolicy<'t> {
    /// `None` if it is unusable and could not be replaced.
    worker: Option<Worker>,
    policy: ChosenPolicy,
    options: StartOptions,
    /// Outlives the worker, which is dropped first.
    context: Arc<Context>,
    thread: &'t DirectThread,
}

impl Drop for DirectPolicy<'_> {
    fn drop(&mut self) {
        if let Some(Worker::InProcess(child)) = self.worker.take()
            && child.may_be_followed()
        {
            let spec = self.policy.for_child(&self.options, true);
            self.thread.keep(spec, child);
        }
    }
}

impl<'t> DirectPolicy<'t> {
    /// Creates an instance on this thread.
    ///
    /// # Errors
    ///
    /// If the policy refuses.
    pub fn create(
        thread: &'t DirectThread,
        policy: &ChosenPolicy,
        options: &StartOptions,
    ) -> Result<Self, PolicyStartError> {
        thread.hold(&policy.library);
        let context = Context::new(&options.bot, None, thread.together);
        let worker = match thread.follow(policy, options) {
            Some(worker) => worker,
            None => Worker::create(policy, options, &context)?,
        };
        Ok(Self {
            worker: Some(worker),
            policy: policy.clone(),
            options: options.clone(),
            context,
            thread,
        })
    }

    /// Asks for a decision. An answer after the view's budget counts too, but the policy reads that
    /// it is not wanted any more, as one in its own process does. An unusable instance is replaced
    /// by a new one.
    ///
    /// # Errors
    ///
    /// If there is no decision. The outer error means that no new instance could be created, and
    /// the policy is unusable.
    pub fn decide(
        &mut self,
        view: &mut ViewBuffer,
    ) -> Result<Result<Decided, Fault>, PolicyStartError> {
        let create = || Worker::create(&self.policy, &self.options, &self.context);
        let worker = match &mut self.worker {
            Some(worker) => worker,
            none => none.insert(create()?),
        };
        self.context.want(view.budget());
        let decided = worker.decide(view, &self.context, TIMEOUT);
        if decided.as_ref().is_err_and(Fault::ends_instance) {
            // The old one is dropped first: it may hold a resource that the new one needs.
            self.worker = None;
            self.worker = Some(create()?);
        }
        Ok(decided)
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use policy_sdk::{
        Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, RiichiMahjong,
        View,
    };

    use super::*;
    use crate::child::launch::Launch;
    use crate::games::GameKind;
    use crate::view::Asked;

    /// Decides once its decision is not wanted any more.
    struct Thinker;

    impl Policy for Thinker {
        type Game = RiichiMahjong;

        const DESCRIPTOR: Descriptor = Descriptor {
            id: "thinker",
            name: "Thinker",
            version: "1",
            summary: "Uses all of its time.",
            games: Games::Both,
            params: &[],
        };

        fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
            Ok(Self)
        }

        fn decide(
            &mut self,
            _: &View<'_>,
            env: &Env,
            _: &mut Answer,
        ) -> Result<usize, DecideError> {
            while env.still_wanted() {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(0)
        }
    }

    #[test]
    fn a_policy_that_thinks_until_its_answer_is_unwanted_decides_after_its_budget() {
        let options = StartOptions {
            bot: "test".to_owned(),
            game: GameKind::Riichi,
            players: 4,
            config_folder: PathBuf::new(),
            launch: Launch::own(Vec::new()),
        };
        let asked = Asked {
            budget: Duration::from_millis(20),
            ..Asked::default()
        };
        let mut questions = (GameKind::Riichi.definition().admission_views)(4, asked);
        let decided = DirectThread::run("test", |thread| {
            let mut policy = DirectPolicy::create(thread, &ChosenPolicy::of::<Thinker>(), &options)
                .expect("it starts");
            policy.decide(&mut questions[0])
        });
        assert!(
            matches!(decided, Ok(Ok(Ok(Decided { index: 0, .. })))),
            "{decided:?}"
        );
    }
}
