//! Programs that the instances of games played at once share.

use std::ffi::c_void;
use std::fmt::Debug;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

use policy_sdk::{Answer, CreateError, DecideError, Env, Game, Level, Params, ProgramIdentity};
use policy_together::{PoolLog, SharedPool, SharedWorker};
use riichi::Seat;

use crate::command::ProgramTable;
use crate::decision_time::DecisionTime;
use crate::dialogue::Dialogue;
use crate::fault::ProgramFault;
use crate::programs::{SeatTurn, Setup};
use crate::protocol::ProgramProtocol;
use crate::running::RunningProgram;

/// A protocol whose questions do not depend on each other, so that a program can decide for many
/// seats.
pub trait SharedProtocol: ProgramProtocol<Config = ()> + Send + 'static {
    /// A decision as it is sent.
    type Question: Debug + Send + 'static;
    /// The answer to one.
    type Reply: Debug + Send + 'static;

    /// Maximum number of questions that the program takes at once; known after the trial.
    fn max_batch(&self) -> NonZeroUsize;

    /// The decision of a view.
    ///
    /// # Errors
    /// When the view's log is wrong.
    fn question(view: &<Self::Game as Game>::View<'_>) -> Result<Self::Question, ProgramFault>;

    /// Asks for several decisions, at least one and at most [`max_batch`](Self::max_batch).
    ///
    /// # Errors
    /// Why there is none; those within, why there is none to a question.
    fn choose_all(
        &mut self,
        dialogue: &mut Dialogue,
        questions: &[&Self::Question],
        time: &DecisionTime<'_>,
    ) -> Result<Vec<Result<Self::Reply, ProgramFault>>, ProgramFault>;

    /// Puts a reply into an instance's answer; returns the index of the legal action.
    fn take(reply: Self::Reply, answer: &mut Answer) -> usize;
}

/// An instance that shares its programs with all others of the same command.
#[derive(Debug)]
pub struct SharedPrograms<S: SharedProtocol> {
    pool: Arc<SharedPool<ProgramWorker<S>>>,
    identity: ProgramIdentity,
}

impl<S: SharedProtocol> SharedPrograms<S> {
    /// Shares programs with the instances that play at the same time, at most so many programs, and
    /// waits until one of them decides. `None` if the programs are not to be shared: the host plays
    /// no games at once, or the command names a seat or a length.
    ///
    /// # Errors
    /// Which parameter is wrong, or why no program decides.
    pub fn create(
        params: &Params,
        env: &Env,
        most: NonZeroUsize,
    ) -> Result<Option<Self>, CreateError> {
        if !env.plays_together() {
            return Ok(None);
        }
        let setup = Setup::read(params, env, ())?;
        if setup.command.names_seat() || setup.command.names_length() {
            return Ok(None);
        }
        let players = env.players();
        let key = format!("{setup:?} {players} {most}");
        let pool = SharedPool::<ProgramWorker<S>>::join(&key, most, || ProgramWorkerSetup {
            setup,
            players,
        });
        let (name, version) = pool
            .about(&|level, text| env.log(level, text))
            .map_err(|fault| CreateError::Failed(fault.told(S::NOUN).to_string()))?;
        Ok(Some(Self {
            pool,
            identity: ProgramIdentity::new(name, version),
        }))
    }

    /// The extension of this name that the policy offers: the programs' identity.
    pub fn extension(&self, name: &str) -> Option<NonNull<c_void>> {
        self.identity.extension(name)
    }

    /// The legal action that one of the programs chooses.
    ///
    /// # Errors
    /// Why there is none.
    pub fn decide(
        &self,
        view: &<S::Game as Game>::View<'_>,
        turn: SeatTurn,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let question = ProgramQuestion {
            question: S::question(view).map_err(|fault| fault.told(S::NOUN))?,
            budget: turn.budget,
        };
        self.pool
            .ask(question, &|level, text| env.log(level, text))
            .and_then(|reply| reply)
            .map(|reply| S::take(reply, answer))
            .map_err(|fault| fault.told(S::NOUN))
    }
}

#[derive(Debug)]
struct ProgramWorkerSetup {
    setup: Setup<()>,
    players: u8,
}

#[derive(Debug)]
struct ProgramQuestion<Q> {
    question: Q,
    /// The time for the decision once it is asked.
    budget: Duration,
}

/// A program as one of those that are shared.
#[derive(Debug)]
struct ProgramWorker<S>(RunningProgram<S>);

impl<S: SharedProtocol> SharedWorker for ProgramWorker<S> {
    type Setup = ProgramWorkerSetup;
    /// Its name and version.
    type About = (String, String);
    type Question = ProgramQuestion<S::Question>;
    type Reply = Result<S::Reply, ProgramFault>;
    type Fault = ProgramFault;

    fn start(
        ProgramWorkerSetup { setup, players }: &ProgramWorkerSetup,
        log: PoolLog<'_>,
    ) -> Result<(Self, (String, String)), ProgramFault> {
        let table = ProgramTable {
            seat: Seat::FIRST,
            players: *players,
            length: S::LENGTH,
        };
        let mut program =
            RunningProgram::<S>::start(&setup.command, &(), &table, setup.start_within)?;
        let ready = program.await_ready(&DecisionTime::of(setup.start_within), false);
        program.log_stderr(log);
        ready?;
        let mut warnings = Vec::new();
        let identity = program.identity(&mut warnings);
        for warning in warnings {
            log(Level::Warn, &format!("the {}: {warning}", S::NOUN));
        }
        let about = (identity.name().to_owned(), identity.version().to_owned());
        Ok((Self(program), about))
    }

    fn panicked() -> ProgramFault {
        ProgramFault::Gone("a fault of the runner ended it".to_owned())
    }

    fn max_batch(&self) -> NonZeroUsize {
        self.0.protocol().max_batch()
    }

    fn answer(
        &mut self,
        questions: &[Self::Question],
        log: PoolLog<'_>,
    ) -> Result<Vec<Self::Reply>, ProgramFault> {
        let budget = questions.iter().map(|question| question.budget).max();
        let time = DecisionTime::of(budget.unwrap_or_default());
        let asked: Vec<_> = questions.iter().map(|asked| &asked.question).collect();
        let replies = self.0.ask(&time, |protocol, dialogue| {
            protocol.choose_all(dialogue, &asked, &time)
        });
        self.0.log_stderr(log);
        match replies {
            Err(ProgramFault::Gone(why)) => {
                log(
                    Level::Error,
                    &format!("the {} is started again: {why}", S::NOUN),
                );
                Err(ProgramFault::Gone(why))
            }
            Err(fault) => Ok(questions.iter().map(|_| Err(fault.clone())).collect()),
            Ok(replies) => Ok(replies),
        }
    }
}
