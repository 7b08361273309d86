//! bot-env: many tables of riichi mahjong at once, for networks that learn in Python.
//!
//! The games equal the runner's tournament games: the same engine, the same loop ([`lab::game`]),
//! the same policies as opponents, and observations by the same [`encoding`] as the policy `onnx`.
//! The Python side is in `python/bot_env`.
#![deny(unsafe_code)]

mod arrays;
mod engine;
mod tables;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use encoding::{ACTIONS, PLANES, PlaneSet, SCALARS, VERSION};
use entrants::GameEntrants;
use lab::game::Entrant;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1};
use policy_host::{GameKind, Launch, TokenVariables};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use riichi::Rules;
use riichi::rules::Length;
use riichi::tile::KINDS;

use crate::arrays::{ArrayShape, Arrays};
use crate::engine::{Engine, EngineError};
use crate::tables::{RewardKind, TableSetup};

const MAX_TABLES: u64 = 1 << 20;

/// More threads than any machine has cores only cost memory.
const MAX_THREADS: u64 = 1024;

/// The kind of rewards, in Python's spelling.
#[derive(FromPyObject)]
enum RewardArgument {
    Name(String),
    Places(Vec<f32>),
}

/// All tables with the arrays that they are shown in. The arrays are made once and filled again and
/// again.
#[pyclass(module = "bot_env._bot_env", name = "Tables", frozen)]
struct EnvTables {
    engine: Mutex<Engine>,
    /// The process that has the threads: a copy of it by `fork` has none.
    process: u32,
    #[pyo3(get)]
    planes: Py<PyArray3<f32>>,
    #[pyo3(get)]
    scalars: Py<PyArray2<f32>>,
    #[pyo3(get)]
    mask: Py<PyArray2<bool>>,
    #[pyo3(get)]
    seat: Py<PyArray1<i8>>,
    #[pyo3(get)]
    player: Py<PyArray1<i8>>,
    #[pyo3(get)]
    rewards: Py<PyArray2<f32>>,
    #[pyo3(get)]
    done: Py<PyArray1<bool>>,
}

#[pymethods]
impl EnvTables {
    #[new]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are the arguments of `Env`, each by its name"
    )]
    fn new(
        py: Python<'_>,
        tables: &Bound<'_, PyAny>,
        players: &Bound<'_, PyAny>,
        rules: &str,
        length: &str,
        seed: &Bound<'_, PyAny>,
        opponents: Vec<String>,
        rewards: RewardArgument,
        planes: &Bound<'_, PyAny>,
        threads: Option<&Bound<'_, PyAny>>,
        program: PathBuf,
    ) -> PyResult<Self> {
        let tables = whole("tables", tables, 1..=MAX_TABLES)?;
        let players: u8 = whole("players", players, 3..=4)?;
        let seed = seed_of(seed)?;
        let planes: usize = whole("planes", planes, 1..=PLANES.len() as u64)?;
        let threads = threads
            .map(|threads| whole("threads", threads, 1..=MAX_THREADS))
            .transpose()?;
        let house = match rules {
            "tenhou" => Rules::TENHOU_HALF,
            "mahjong-soul" => Rules::MAHJONG_SOUL_HALF,
            other => {
                return Err(wrong(
                    "rules",
                    format!("{other:?}"),
                    "\"tenhou\" and \"mahjong-soul\"",
                ));
            }
        };
        let length = match length {
            "half" => Length::Half,
            "east" => Length::East,
            "single" => Length::Single,
            other => {
                return Err(wrong(
                    "length",
                    format!("{other:?}"),
                    "\"half\", \"east\" and \"single\"",
                ));
            }
        };
        let rewards = match rewards {
            RewardArgument::Name(name) if name == "round" => RewardKind::Round,
            RewardArgument::Name(name) if name == "game" => RewardKind::Game,
            RewardArgument::Places(places) if places.len() == usize::from(players) => {
                if let Some(odd) = places.iter().find(|place| !place.is_finite()) {
                    return Err(wrong(
                        "rewards",
                        format!("a list with {odd}"),
                        "finite numbers of 32 bits",
                    ));
                }
                RewardKind::Places(places)
            }
            RewardArgument::Name(name) => {
                return Err(wrong(
                    "rewards",
                    format!("{name:?}"),
                    "\"round\", \"game\" and a number for each place",
                ));
            }
            RewardArgument::Places(places) => {
                let allowed =
                    format!("\"round\", \"game\" and {players} numbers, one for each place");
                return Err(wrong(
                    "rewards",
                    format!("{} numbers", places.len()),
                    &allowed,
                ));
            }
        };
        let Some(plane_set) = PlaneSet::ALL.into_iter().find(|set| set.planes() == planes) else {
            let [base, all] = PlaneSet::ALL.map(PlaneSet::planes);
            return Err(wrong("planes", planes, &format!("{base} and {all}")));
        };
        if opponents.len() >= usize::from(players) {
            let allowed = format!("at most {}: a seat is left to you", players - 1);
            return Err(wrong("opponents", opponents.len(), &allowed));
        }
        let threads = threads
            .or_else(|| std::thread::available_parallelism().ok().map(Into::into))
            .unwrap_or(1);
        let rules = house.with_players(players).with_length(length);
        let engine = py.detach(|| {
            let opponents = opponents_of(&opponents, players, program)?;
            let shape = ArrayShape {
                planes: plane_set,
                players: players.into(),
            };
            let setup = TableSetup {
                rules,
                seed,
                opponents,
                rewards,
                shape,
                tables,
            };
            Engine::new(threads.min(tables), setup).map_err(|error| error.to_string())
        });
        let engine = Mutex::new(engine.map_err(PyValueError::new_err)?);
        Ok(Self {
            engine,
            process: std::process::id(),
            planes: PyArray3::zeros(py, [tables, planes, KINDS], false).unbind(),
            scalars: PyArray2::zeros(py, [tables, SCALARS.len()], false).unbind(),
            mask: PyArray2::zeros(py, [tables, ACTIONS], false).unbind(),
            seat: PyArray1::zeros(py, tables, false).unbind(),
            player: PyArray1::zeros(py, tables, false).unbind(),
            rewards: PyArray2::zeros(py, [tables, players.into()], false).unbind(),
            done: PyArray1::zeros(py, tables, false).unbind(),
        })
    }

    /// Deals at all tables: the first games of the seed.
    fn reset(&self, py: Python<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seed = seed.map(seed_of).transpose()?;
        self.run(py, |engine, output| engine.reset(seed, output))
    }

    /// Plays an action at each table, and on until a choice of the learner.
    fn step(&self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let actions = actions
            .as_slice()
            .map_err(|_| PyValueError::new_err("the actions are not contiguous"))?;
        self.run(py, |engine, output| engine.step(actions, output))
    }

    /// The number of opponents' decisions that have failed, and the first failure: the safe answer
    /// was played.
    fn faults(&self) -> (u64, Option<String>) {
        self.engine
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .faults()
    }
}

impl EnvTables {
    /// Runs `work` without the interpreter's lock. The arrays cannot be written to twice at a time.
    fn run(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Engine, Arrays<'_>) -> Result<(), EngineError> + Send,
    ) -> PyResult<()> {
        if std::process::id() != self.process {
            let message = "the tables belong to another process, which this one was forked from; make an Env here";
            return Err(PyRuntimeError::new_err(message));
        }
        let (mut planes, mut scalars) = (
            self.planes.bind(py).try_readwrite()?,
            self.scalars.bind(py).try_readwrite()?,
        );
        let (mut mask, mut seat) = (
            self.mask.bind(py).try_readwrite()?,
            self.seat.bind(py).try_readwrite()?,
        );
        let (mut player, mut rewards) = (
            self.player.bind(py).try_readwrite()?,
            self.rewards.bind(py).try_readwrite()?,
        );
        let mut done = self.done.bind(py).try_readwrite()?;
        let output = Arrays {
            planes: planes.as_slice_mut()?,
            scalars: scalars.as_slice_mut()?,
            mask: mask.as_slice_mut()?,
            seat: seat.as_slice_mut()?,
            player: player.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            done: done.as_slice_mut()?,
        };
        let engine = &self.engine;
        let result = py.detach(move || {
            work(
                &mut engine.lock().unwrap_or_else(PoisonError::into_inner),
                output,
            )
        });
        result.map_err(|error| match error {
            EngineError::Broken(_) => PyRuntimeError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })
    }
}

/// A whole number in this range.
fn whole<T: TryFrom<i128>>(
    argument: &str,
    value: &Bound<'_, PyAny>,
    allowed: RangeInclusive<u64>,
) -> PyResult<T> {
    let number = match value.extract::<i128>() {
        Ok(number) => Some(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
        Err(_) => {
            let found = value
                .repr()
                .map_or_else(|_| "no number".to_owned(), |text| text.to_string());
            return Err(PyTypeError::new_err(format!(
                "`{argument}` is {found}; allowed are whole numbers"
            )));
        }
    };
    let (first, last) = allowed.into_inner();
    let inside = number.filter(|&number| (i128::from(first)..=i128::from(last)).contains(&number));
    inside
        .and_then(|number| number.try_into().ok())
        .ok_or_else(|| {
            let found = number.map_or_else(
                || "a number of more than 128 bits".to_owned(),
                |number| number.to_string(),
            );
            let and = if last - first == 1 { "and" } else { "to" };
            wrong(argument, found, &format!("{first} {and} {last}"))
        })
}

fn seed_of(seed: &Bound<'_, PyAny>) -> PyResult<u64> {
    whole("seed", seed, 0..=u64::MAX)
}

fn wrong(argument: &str, found: impl std::fmt::Display, allowed: &str) -> PyErr {
    PyValueError::new_err(format!("`{argument}` is {found}; allowed are {allowed}"))
}

/// The opponents by these ids of policies and paths of configs, admitted as for a tournament.
/// `program` is the runner, which tries out the policies that are files.
fn opponents_of(named: &[String], players: u8, program: PathBuf) -> Result<Arc<[Entrant]>, String> {
    let launch = Launch {
        program,
        token_variables: TokenVariables::default(),
    };
    let entrants = GameEntrants::new(launch, GameKind::Riichi, players);
    let entrant = |named: &String| {
        let entrant = if named.ends_with(".toml") {
            entrants.by_config(Path::new(named))
        } else {
            entrants.by_id(named)
        };
        entrant.map_err(|why| format!("the opponent {named:?} cannot play: {why}"))
    };
    named.iter().map(entrant).collect()
}

#[pymodule]
fn _bot_env(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let names =
        |parts: &[encoding::EncodingPart]| parts.iter().map(|part| part.name).collect::<Vec<_>>();
    module.add("ENCODING", VERSION)?;
    module.add("ACTIONS", ACTIONS)?;
    module.add("KINDS", KINDS)?;
    module.add("PLANES", names(&PLANES))?;
    module.add("SCALARS", names(&SCALARS))?;
    module.add_class::<EnvTables>()
}
