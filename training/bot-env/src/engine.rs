//! All tables, divided among threads.

use std::fmt::{self, Display};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use policy_host::DirectThread;

use crate::arrays::{Arrays, OwnArrays};
use crate::tables::{TableRow, TableSetup, TableStop, WithOpponents, WithoutOpponents};

/// Why the tables do not continue.
#[derive(Debug)]
pub(crate) enum EngineError {
    /// They were not dealt, or are broken.
    NotDealt,
    /// There are more or fewer actions than tables.
    Count { actions: usize, tables: usize },
    /// An action is not legal. No table has played on.
    NotLegal {
        table: usize,
        action: i64,
        legal: Vec<usize>,
    },
    /// A game cannot be played on.
    Broken(String),
}

impl Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDealt => f.write_str("the tables are not dealt; call reset() first"),
            Self::Count { actions, tables } => {
                write!(f, "there are {actions} actions for {tables} tables")
            }
            Self::NotLegal {
                table,
                action,
                legal,
            } => {
                let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
                write!(
                    f,
                    "table {table}: action {action} is not legal; legal are {}",
                    legal.join(", ")
                )
            }
            Self::Broken(why) => write!(f, "{why}; call reset()"),
        }
    }
}

/// All tables.
pub(crate) struct Engine {
    setup: Arc<TableSetup>,
    shifts: Vec<Shift>,
    seed: u64,
    dealt: bool,
}

/// Consecutive tables that one thread plays at.
struct Shift {
    stops: Vec<TableStop>,
    crew: Crew,
}

enum Crew {
    /// Learners only: any thread plays, into the arrays.
    Anywhere(TableRow<WithoutOpponents>),
    /// Policies stay on the thread that created them, so it lives as long as they do.
    OnThread(TableThread),
}

impl Engine {
    pub(crate) fn new(threads: usize, setup: TableSetup) -> io::Result<Self> {
        let (seed, setup) = (setup.seed, Arc::new(setup));
        let bounds = |thread: usize| thread * setup.tables / threads;
        let shifts =
            (0..threads).map(|thread| Shift::new(&setup, bounds(thread), bounds(thread + 1)));
        Ok(Self {
            shifts: shifts.collect::<io::Result<_>>()?,
            setup,
            seed,
            dealt: false,
        })
    }

    /// Deals the first games of a seed, or of the previous seed.
    pub(crate) fn reset(
        &mut self,
        seed: Option<u64>,
        output: Arrays<'_>,
    ) -> Result<(), EngineError> {
        self.seed = seed.unwrap_or(self.seed);
        self.play_on(Some(self.seed), output)
    }

    /// Plays an action at each table, or at none if one of them is illegal.
    pub(crate) fn step(&mut self, actions: &[i64], output: Arrays<'_>) -> Result<(), EngineError> {
        if !self.dealt {
            return Err(EngineError::NotDealt);
        }
        if actions.len() != self.setup.tables {
            return Err(EngineError::Count {
                actions: actions.len(),
                tables: self.setup.tables,
            });
        }
        let stops = self.shifts.iter_mut().flat_map(|shift| &mut shift.stops);
        for ((table, &action), stop) in actions.iter().enumerate().zip(stops) {
            let place = usize::try_from(action)
                .ok()
                .and_then(|code| stop.choices.legal(code));
            stop.answer = place.ok_or_else(|| {
                let legal = stop.choices.iter().map(|(code, _)| code).collect();
                EngineError::NotLegal {
                    table,
                    action,
                    legal,
                }
            })?;
        }
        self.play_on(None, output)
    }

    /// Deals, or plays the answers of the stops; all shifts at the same time.
    fn play_on(&mut self, deal: Option<u64>, mut output: Arrays<'_>) -> Result<(), EngineError> {
        let setup = &*self.setup;
        self.dealt = false;
        let mut parts: Vec<_> = self
            .shifts
            .iter_mut()
            .map(|shift| (output.split_off(shift.stops.len(), setup.shape), shift))
            .collect();
        let last = parts.pop();
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (parts.into_iter())
                .map(|(output, shift)| scope.spawn(move || shift.play_on(setup, deal, output)))
                .collect();
            // The last is this thread's own.
            let own = last.map(|(output, shift)| shift.play_on(setup, deal, output));
            let others = threads
                .into_iter()
                .map(|thread| thread.join().expect("nothing panics"));
            others.chain(own).collect()
        });
        results
            .into_iter()
            .collect::<Result<(), _>>()
            .map_err(EngineError::Broken)?;
        self.dealt = true;
        Ok(())
    }

    /// The number of opponents' decisions that have failed, and the first failure.
    pub(crate) fn faults(&self) -> (u64, Option<String>) {
        let stops = || self.shifts.iter().flat_map(|shift| &shift.stops);
        let first = stops()
            .enumerate()
            .find_map(|(table, stop)| Some(format!("table {table}, {}", stop.faults.1.as_ref()?)));
        (stops().map(|stop| stop.faults.0).sum(), first)
    }
}

impl Shift {
    /// The tables from `first` to before `end`.
    fn new(setup: &Arc<TableSetup>, first: usize, end: usize) -> io::Result<Self> {
        let crew = if setup.opponents.is_empty() {
            Crew::Anywhere(TableRow::new(WithoutOpponents, first))
        } else {
            Crew::OnThread(TableThread::begin(setup, first, end)?)
        };
        Ok(Self {
            stops: (first..end).map(|_| TableStop::new()).collect(),
            crew,
        })
    }

    fn play_on(
        &mut self,
        setup: &TableSetup,
        deal: Option<u64>,
        output: Arrays<'_>,
    ) -> Result<(), String> {
        match &mut self.crew {
            Crew::Anywhere(tables) => tables.play_on(setup, deal, &mut self.stops, output),
            Crew::OnThread(thread) => thread.play_on(deal, &mut self.stops, output),
        }
    }
}

/// A thread of its own for tables with opponents.
struct TableThread {
    orders: Option<Sender<ShiftOrder>>,
    replies: Receiver<(ShiftOrder, Result<(), String>)>,
    thread: Option<JoinHandle<()>>,
    /// Where the tables write, when the thread does not have it.
    arrays: Option<OwnArrays>,
    first: usize,
}

/// An order for the thread, which comes back with its result.
struct ShiftOrder {
    /// Deals the first games of this seed, instead of playing the answers.
    deal: Option<u64>,
    stops: Vec<TableStop>,
    arrays: OwnArrays,
}

impl TableThread {
    fn begin(setup: &Arc<TableSetup>, first: usize, end: usize) -> io::Result<Self> {
        let arrays = Some(OwnArrays::new(end - first, setup.shape));
        let (orders, received) = channel::<ShiftOrder>();
        let (sender, replies) = channel();
        let setup = setup.clone();
        let work = move || {
            // Without the thread there is no reply, which is seen.
            let _ = DirectThread::run("tables", move |thread| {
                let mut tables = TableRow::new(
                    WithOpponents {
                        thread,
                        opponents: &setup.opponents,
                    },
                    first,
                );
                while let Ok(mut order) = received.recv() {
                    let ShiftOrder {
                        deal,
                        stops,
                        arrays,
                    } = &mut order;
                    let result = tables.play_on(&setup, *deal, stops, arrays.borrow());
                    if sender.send((order, result)).is_err() {
                        break;
                    }
                }
            });
        };
        let thread = thread::Builder::new()
            .name(format!("tables {first}-{}", end - 1))
            .spawn(work)?;
        Ok(Self {
            orders: Some(orders),
            replies,
            thread: Some(thread),
            arrays,
            first,
        })
    }

    fn play_on(
        &mut self,
        deal: Option<u64>,
        stops: &mut Vec<TableStop>,
        output: Arrays<'_>,
    ) -> Result<(), String> {
        let ended = || format!("the thread of the tables from {} on has ended", self.first);
        let arrays = self.arrays.take().ok_or_else(ended)?;
        let order = ShiftOrder {
            deal,
            stops: std::mem::take(stops),
            arrays,
        };
        self.orders
            .as_ref()
            .and_then(|orders| orders.send(order).ok())
            .ok_or_else(ended)?;
        let (mut order, result) = self.replies.recv().map_err(|_| ended())?;
        if result.is_ok() {
            order.arrays.copy_to(output);
        }
        (*stops, self.arrays) = (order.stops, Some(order.arrays));
        result
    }
}

impl Drop for TableThread {
    fn drop(&mut self) {
        // Without orders the thread ends.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
