//! The engines of a policy, one for each seat where they are bound to it, and their restarts.

use std::time::Duration;

use mahjong::Seat;
use policy_sdk::{Env, Level, View};

use crate::command::CommandLine;
use crate::decision_time::DecisionTime;
use crate::engine::{Engine, EngineFault};
use crate::process::end_together;
use crate::replies::Replies;

/// How often engines are started again in one game. One that ends at once would otherwise keep the machine busy.
pub(crate) const MOST_RESTARTS: u32 = 5;

/// How engines are started.
#[derive(Debug, Clone)]
pub(crate) struct Setup {
    /// The program.
    pub(crate) command: CommandLine,
    /// When it replies.
    pub(crate) replies: Replies,
    /// How long it may take until it decides.
    pub(crate) start_within: Duration,
}

/// The engines of a policy.
#[derive(Debug)]
pub(crate) struct Engines {
    setup: Setup,
    /// One for all seats, or one for each in their order. `None`: it is not running.
    engines: Vec<Option<Engine>>,
    game: Option<u64>,
    restarts: u32,
    /// Why an engine ended last.
    why: String,
}

impl Engines {
    /// Starts them and waits until all of them decide.
    ///
    /// Which seat comes up is known only when a game begins, and an engine may take long to start: so one that is told
    /// its seat when it is started is started for all of them.
    pub(crate) fn start(setup: Setup, env: &Env) -> Result<Self, EngineFault> {
        let seats = Seat::all(if setup.command.names_seat() { 4 } else { 1 });
        let time = DecisionTime::of(setup.start_within);
        let mut all = Self { setup, engines: Vec::new(), game: None, restarts: 0, why: String::new() };
        for seat in seats {
            all.engines.push(Some(Engine::start(&all.setup.command, seat, all.setup.replies)?));
        }
        for engine in all.engines.iter_mut().flatten() {
            let ready = engine.await_ready(&time, Duration::ZERO);
            log_complaints(engine, env);
            ready?;
        }
        Ok(all)
    }

    /// The legal action that the engine of the view's seat chooses. One that has ended is started again, once in a
    /// decision, and told the round from its start.
    pub(crate) fn decide(&mut self, view: &View<'_>, env: &Env) -> Result<usize, EngineFault> {
        if self.game.replace(view.game()) != Some(view.game()) {
            self.restarts = 0;
        }
        let time = DecisionTime::for_decision(view, env);
        match self.ask(view, &time, env) {
            Err(EngineFault::Gone(_)) => self.ask(view, &time, env),
            decided => decided,
        }
    }

    /// Asks the engine of the view's seat, which is started where it is not running.
    fn ask(&mut self, view: &View<'_>, time: &DecisionTime<'_>, env: &Env) -> Result<usize, EngineFault> {
        let Setup { command, replies, start_within } = &self.setup;
        let place = if self.engines.len() == 1 { 0 } else { view.seat().index() };
        let engine = match &mut self.engines[place] {
            Some(engine) => engine,
            None if self.restarts == MOST_RESTARTS => {
                return Err(EngineFault::Gone(format!(
                    "it was started again {MOST_RESTARTS} times in this game and stays down until the next; last, {}",
                    self.why
                )));
            }
            stopped => {
                env.log(Level::Warn, &format!("the engine is started again: {}", self.why));
                self.restarts += 1;
                stopped.insert(Engine::start(command, view.seat(), *replies)?)
            }
        };
        let decided = engine.decide(view, time, *start_within);
        log_complaints(engine, env);
        if let Err(EngineFault::Gone(why)) = &decided {
            self.why.clone_from(why);
            self.engines[place] = None;
        }
        decided
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        end_together(&mut self.engines.iter_mut().flatten().map(Engine::process_mut).collect::<Vec<_>>());
    }
}

fn log_complaints(engine: &Engine, env: &Env) {
    for line in engine.complaints() {
        env.log(Level::Debug, &format!("engine: {line}"));
    }
}
