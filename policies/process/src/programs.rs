//! The programs of a policy, one for each seat if they are bound to seats, and their restarts.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::time::Duration;

use policy_sdk::{Answer, CreateError, DecideError, Env, Game, Level, Param, Params, ProgramIdentity};
use riichi::Seat;

use crate::command::CommandLine;
use crate::decision_time::DecisionTime;
use crate::fault::ProgramFault;
use crate::process::end_together;
use crate::protocol::ProgramProtocol;
use crate::running::RunningProgram;

/// Maximum number of restarts of programs in one game. One that ends at once would otherwise keep the machine busy.
pub const MAX_RESTARTS: u32 = 5;

/// How long a program may take to start until the log says that it is waited for.
const SILENT_START: Duration = Duration::from_secs(5);

pub const FOLDER: Param = Param::path("folder", "The folder the program works in; by default the config's.");
pub const START_MS: Param =
    Param::integer("start_ms", 50_000, 100, 55_000, "How long it may take until it decides, milliseconds.");

/// How programs are started.
#[derive(Debug)]
struct Setup<M> {
    command: CommandLine,
    /// The protocol's settings.
    config: M,
    /// How long it may take until it decides.
    start_within: Duration,
}

/// The seat of a decision, and its time limit.
#[derive(Debug, Clone, Copy)]
pub struct SeatTurn {
    /// Number of the game in the bot's run.
    pub game: u64,
    pub seat: Seat,
    pub budget: Duration,
}

#[derive(Debug)]
pub struct Programs<S: ProgramProtocol> {
    setup: Setup<S::Config>,
    /// One for all seats, or one for each in their order. `None`: it is not running.
    programs: Vec<Option<RunningProgram<S>>>,
    /// The name and version that the first of them gave.
    identity: ProgramIdentity,
    game: Option<u64>,
    restarts: u32,
    /// Why one ended last.
    why: String,
}

impl<S: ProgramProtocol> Programs<S> {
    /// Starts the program of the parameters `command`, [`FOLDER`] and [`START_MS`], and waits until it decides. `config`
    /// is that of its protocol.
    ///
    /// # Errors
    /// Which parameter is wrong, or why it does not decide.
    pub fn create(params: &Params, env: &Env, config: S::Config) -> Result<Self, CreateError> {
        let folder = params.path("folder")?.unwrap_or_else(|| env.config_folder());
        let setup = Setup {
            command: CommandLine::parse(params.text("command")?, folder)?,
            config,
            start_within: Duration::from_millis(params.integer("start_ms")?.unsigned_abs()),
        };
        Self::start(setup, env).map_err(|fault| CreateError::Failed(fault.told(S::NOUN).to_string()))
    }

    /// Starts them and waits until all of them decide.
    ///
    /// The seat is known only when a game begins, and a program may take long to start: so a program whose command
    /// names its seat is started for all of them.
    fn start(setup: Setup<S::Config>, env: &Env) -> Result<Self, ProgramFault> {
        let seats = Seat::all(if setup.command.names_seat() { env.players() } else { 1 });
        let time = DecisionTime::of(setup.start_within);
        let identity = ProgramIdentity::new(String::new(), String::new());
        let mut all = Self { setup, programs: Vec::new(), identity, game: None, restarts: 0, why: String::new() };
        for seat in seats {
            all.programs.push(Some(RunningProgram::start(&all.setup.command, &all.setup.config, seat)?));
        }
        let start_within = all.setup.start_within;
        let quiet = DecisionTime::of(start_within.min(SILENT_START));
        for program in all.programs.iter_mut().flatten() {
            let mut ready = program.await_ready(&quiet, start_within);
            if let Err(ProgramFault::Late(why)) = ready {
                let within = start_within.as_millis();
                env.log(
                    Level::Warn,
                    &format!("the {}: {why}; `start_ms` gives it {within} ms{}", S::NOUN, S::TRIAL_HINT),
                );
                ready = program.await_ready(&time, Duration::ZERO);
            }
            log_stderr(program, env);
            ready.map_err(|fault| match fault {
                ProgramFault::Gone(why) => ProgramFault::Gone(why + S::TRIAL_HINT),
                other => other,
            })?;
        }
        let mut warnings = Vec::new();
        if let Some(Some(first)) = all.programs.first() {
            all.identity = first.identity(&mut warnings);
        }
        warnings.iter().for_each(|warning| env.log(Level::Warn, &format!("the {}: {warning}", S::NOUN)));
        Ok(all)
    }

    /// The extension of this name that a policy which consists of programs offers: their identity.
    #[must_use]
    pub fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        self.identity.extension(name)
    }

    /// The legal action that the program of the view's seat chooses. One that has ended is started again, once in a
    /// decision.
    ///
    /// # Errors
    /// Why there is none.
    pub fn decide(
        &mut self,
        view: &<S::Game as Game>::View<'_>,
        turn: SeatTurn,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        if self.game.replace(turn.game) != Some(turn.game) {
            self.restarts = 0;
        }
        let time = DecisionTime::for_decision(turn.budget, env);
        let decided = match self.ask(view, turn.seat, &time, env, answer) {
            Err(ProgramFault::Gone(_)) => self.ask(view, turn.seat, &time, env, answer),
            decided => decided,
        };
        decided.map_err(|fault| fault.told(S::NOUN))
    }

    /// Asks the program of the view's seat, and starts it if it is not running.
    fn ask(
        &mut self,
        view: &<S::Game as Game>::View<'_>,
        seat: Seat,
        time: &DecisionTime<'_>,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, ProgramFault> {
        let Setup { command, config, start_within } = &self.setup;
        let place = if self.programs.len() == 1 { 0 } else { seat.index() };
        let program = match &mut self.programs[place] {
            Some(program) => program,
            None if self.restarts == MAX_RESTARTS => {
                return Err(ProgramFault::Gone(format!(
                    "it was started again {MAX_RESTARTS} times in this game and stays down until the next; last, {}",
                    self.why
                )));
            }
            stopped => {
                // The decision may still succeed, so the host learns of it only here.
                env.log(Level::Error, &format!("the {} is started again: {}", S::NOUN, self.why));
                self.restarts += 1;
                stopped.insert(RunningProgram::start(command, config, seat)?)
            }
        };
        let decided = program.decide(view, time, *start_within, answer);
        log_stderr(program, env);
        if let Err(ProgramFault::Gone(why)) = &decided {
            self.why.clone_from(why);
            self.programs[place] = None;
        }
        decided
    }
}

impl<S: ProgramProtocol> Drop for Programs<S> {
    fn drop(&mut self) {
        end_together(&mut self.programs.iter_mut().flatten().map(RunningProgram::process_mut).collect::<Vec<_>>());
    }
}

fn log_stderr<S: ProgramProtocol>(program: &RunningProgram<S>, env: &Env) {
    for line in program.stderr() {
        env.log(Level::Debug, &format!("{}: {line}", S::NOUN));
    }
}
