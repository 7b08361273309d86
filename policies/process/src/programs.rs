//! The programs of a policy, one for each seat if they are bound to seats, and their restarts.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::time::Duration;

use policy_sdk::{
    Answer, CreateError, DecideError, Env, Game, Level, Param, Params, ProgramIdentity,
};
use riichi::Seat;
use riichi::rules::Length;

use crate::command::{CommandLine, ProgramTable};
use crate::decision_time::DecisionTime;
use crate::fault::ProgramFault;
use crate::process::end_together;
use crate::protocol::ProgramProtocol;
use crate::running::RunningProgram;

/// Maximum number of restarts of programs in one game. One that ends at once would otherwise keep
/// the machine busy.
pub const MAX_RESTARTS: u32 = 5;

/// How long a program may take to start until the log says that it is waited for.
const SILENT_START: Duration = Duration::from_secs(5);

pub const FOLDER: Param = Param::path(
    "folder",
    "The folder the program works in; by default the config's.",
);
pub const START_MS: Param = Param::integer(
    "start_ms",
    50_000,
    100,
    55_000,
    "How long it may take until it decides, milliseconds.",
);

/// How programs are started.
#[derive(Debug)]
pub(crate) struct Setup<M> {
    pub(crate) command: CommandLine,
    /// The protocol's settings.
    pub(crate) config: M,
    /// How long it may take until it decides.
    pub(crate) start_within: Duration,
}

impl<M> Setup<M> {
    /// The setup of the parameters `command`, [`FOLDER`] and [`START_MS`].
    ///
    /// # Errors
    /// Which parameter is wrong.
    pub(crate) fn read(params: &Params, env: &Env, config: M) -> Result<Self, CreateError> {
        let folder = params
            .path("folder")?
            .unwrap_or_else(|| env.config_folder());
        Ok(Self {
            command: CommandLine::parse(params.text("command")?, folder)?,
            config,
            start_within: Duration::from_millis(params.integer("start_ms")?.unsigned_abs()),
        })
    }

    fn with<N>(&self, config: N) -> Setup<N> {
        Setup {
            command: self.command.clone(),
            config,
            start_within: self.start_within,
        }
    }
}

/// The table of a decision, and its time limit.
#[derive(Debug, Clone, Copy)]
pub struct SeatTurn {
    /// Number of the game in the bot's run.
    pub game: u64,
    pub seat: Seat,
    /// The length of the game; `None` in games that have none.
    pub length: Option<Length>,
    pub budget: Duration,
}

#[derive(Debug)]
pub struct Programs<S: ProgramProtocol> {
    setup: Setup<S::Config>,
    /// One for all seats, or one for each in their order. `None`: it is not running.
    programs: Vec<Option<RunningProgram<S>>>,
    players: u8,
    /// The length of the games that they were started for.
    length: Option<Length>,
    /// The name and version that the first of them gave.
    identity: ProgramIdentity,
    game: Option<u64>,
    restarts: u32,
    /// Why one ended last.
    why: String,
}

/// Why programs do not decide.
struct StartFailure {
    fault: ProgramFault,
    /// Whether another protocol may help.
    by_protocol: bool,
}

impl<S: ProgramProtocol> Programs<S> {
    /// Starts the program of the parameters `command`, [`FOLDER`] and [`START_MS`], and waits until
    /// it decides. The config of its protocol is the first of `configs` with which it does.
    ///
    /// # Errors
    /// Which parameter is wrong, or why it does not decide.
    pub fn create(
        params: &Params,
        env: &Env,
        configs: impl IntoIterator<Item = S::Config>,
    ) -> Result<Self, CreateError> {
        let setup = Setup::read(params, env, ())?;
        let time = DecisionTime::of(setup.start_within);
        let mut failures: Vec<(String, ProgramFault)> = Vec::new();
        let mut configs = configs.into_iter().peekable();
        while let Some(config) = configs.next() {
            let form = S::form(&config);
            match Self::start(setup.with(config), env, &time) {
                Ok(programs) => {
                    if !failures.is_empty() {
                        env.log(Level::Info, &format!("the {} plays {form}", S::NOUN));
                    }
                    return Ok(programs);
                }
                Err(StartFailure { fault, by_protocol }) => {
                    let is_last = !by_protocol || time.is_over() || configs.peek().is_none();
                    failures.push((form, fault));
                    if is_last {
                        break;
                    }
                }
            }
        }
        Err(CreateError::Failed(
            told(failures).told(S::NOUN).to_string(),
        ))
    }

    /// Starts them and waits until all of them decide.
    ///
    /// The seat is known only when a game begins, and a program may take long to start: so a
    /// program whose command names its seat is started for all of them.
    fn start(
        setup: Setup<S::Config>,
        env: &Env,
        time: &DecisionTime<'_>,
    ) -> Result<Self, StartFailure> {
        let seats = Seat::all(if setup.command.names_seat() {
            env.players()
        } else {
            1
        });
        let quiet = DecisionTime::of(setup.start_within.min(SILENT_START));
        let mut all = Self {
            setup,
            programs: Vec::new(),
            players: env.players(),
            length: S::LENGTH,
            identity: ProgramIdentity::new(String::new(), String::new()),
            game: None,
            restarts: 0,
            why: String::new(),
        };
        for seat in seats {
            let program = all.launch(seat).map_err(|fault| StartFailure {
                fault,
                by_protocol: false,
            })?;
            all.programs.push(Some(program));
        }
        let within = all.setup.start_within.as_millis();
        for program in all.programs.iter_mut().flatten() {
            let hint = |program: &RunningProgram<S>| {
                if program.has_read_nothing() {
                    ""
                } else {
                    S::TRIAL_HINT
                }
            };
            let mut ready = program.await_ready(&quiet, true);
            if let Err(ProgramFault::Late(why)) = ready {
                let hint = hint(program);
                env.log(
                    Level::Warn,
                    &format!(
                        "the {}: {why}; `start_ms` gives it {within} ms{hint}",
                        S::NOUN
                    ),
                );
                ready = program.await_ready(time, false);
            }
            program.log_stderr(&|level, text| env.log(level, text));
            ready.map_err(|fault| match fault {
                ProgramFault::Gone(why) => {
                    let by_protocol = !program.has_read_nothing();
                    StartFailure {
                        fault: ProgramFault::Gone(why + hint(program)),
                        by_protocol,
                    }
                }
                fault => StartFailure {
                    fault,
                    by_protocol: false,
                },
            })?;
        }
        let mut warnings = Vec::new();
        if let Some(Some(first)) = all.programs.first() {
            all.identity = first.identity(&mut warnings);
        }
        warnings
            .iter()
            .for_each(|warning| env.log(Level::Warn, &format!("the {}: {warning}", S::NOUN)));
        Ok(all)
    }

    /// Starts the program of a seat.
    fn launch(&self, seat: Seat) -> Result<RunningProgram<S>, ProgramFault> {
        let Setup {
            command,
            config,
            start_within,
        } = &self.setup;
        let table = ProgramTable {
            seat,
            players: self.players,
            length: self.length,
        };
        RunningProgram::start(command, config, &table, *start_within)
    }

    /// Starts the programs again for games of another length, if their command names it.
    fn fit_length(&mut self, length: Option<Length>, env: &Env) {
        if !self.setup.command.names_length()
            || std::mem::replace(&mut self.length, length) == length
        {
            return;
        }
        env.log(
            Level::Info,
            &format!(
                "the {} is started again for games of another length",
                S::NOUN
            ),
        );
        self.end_all();
        for place in 0..self.programs.len() {
            match self.launch(Seat::at(place).unwrap_or(Seat::FIRST)) {
                Ok(program) => self.programs[place] = Some(program),
                Err(fault) => self.why = fault.told(S::NOUN).to_string(),
            }
        }
    }

    fn end_all(&mut self) {
        end_together(
            &mut self
                .programs
                .iter_mut()
                .flatten()
                .map(RunningProgram::process_mut)
                .collect::<Vec<_>>(),
        );
        self.programs.iter_mut().for_each(|program| *program = None);
    }

    /// The extension of this name that a policy which consists of programs offers: their identity.
    pub fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        self.identity.extension(name)
    }

    /// The legal action that the program of the view's seat chooses. One that has ended is started
    /// again, once in a decision.
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
        self.fit_length(turn.length, env);
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
        let place = if self.programs.len() == 1 {
            0
        } else {
            seat.index()
        };
        if self.programs[place].is_none() {
            if self.restarts == MAX_RESTARTS {
                return Err(ProgramFault::Gone(format!(
                    "it was started again {MAX_RESTARTS} times in this game and stays down until the next; last, {}",
                    self.why
                )));
            }
            // The decision may still succeed, so the host learns of it only here.
            env.log(
                Level::Error,
                &format!("the {} is started again: {}", S::NOUN, self.why),
            );
            self.restarts += 1;
            self.programs[place] = Some(self.launch(seat)?);
        }
        let Some(program) = &mut self.programs[place] else {
            return Err(ProgramFault::Gone(self.why.clone()));
        };
        let decided = program.decide(view, time, answer);
        program.log_stderr(&|level, text| env.log(level, text));
        if let Err(ProgramFault::Gone(why)) = &decided {
            self.why.clone_from(why);
            self.programs[place] = None;
        }
        decided
    }
}

impl<S: ProgramProtocol> Drop for Programs<S> {
    fn drop(&mut self) {
        self.end_all();
    }
}

/// The failure in each form, as one fault.
fn told(failures: Vec<(String, ProgramFault)>) -> ProgramFault {
    let each = failures
        .iter()
        .map(|(form, fault)| format!("{form}: {}", fault.text()));
    match failures.as_slice() {
        [(_, fault)] => fault.clone(),
        _ => ProgramFault::Gone(each.collect::<Vec<_>>().join("; ")),
    }
}
