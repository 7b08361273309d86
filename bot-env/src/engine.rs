//! The threads that the tables are divided among.

use std::fmt::{self, Display};
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use encoding::{ACTIONS, PlaneSet, SCALARS};
use policy_host::DirectThread;

use crate::arrays::Arrays;
use crate::tables::{TableInPlay, TableSetup, TableStop};

/// Why the tables do not continue.
#[derive(Debug)]
pub(crate) enum EngineError {
    /// They were not dealt, or are broken.
    NotDealt,
    /// There are more or fewer actions than tables.
    Count { actions: usize, tables: usize },
    /// An action is not legal. No table has played on.
    NotLegal { table: usize, action: i64, legal: Vec<usize> },
    /// A game cannot be played on.
    Broken(String),
}

impl Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDealt => f.write_str("the tables are not dealt; call reset() first"),
            Self::Count { actions, tables } => write!(f, "there are {actions} actions for {tables} tables"),
            Self::NotLegal { table, action, legal } => {
                let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
                write!(f, "table {table}: action {action} is not legal; legal are {}", legal.join(", "))
            }
            Self::Broken(why) => write!(f, "{why}; call reset()"),
        }
    }
}

/// The order for a thread.
enum ShiftOrder {
    /// Deal the first games of the seed.
    Deal(u64),
    /// Play the answers of these stops, and on to the next.
    Play(Vec<TableStop>),
}

/// The stops of a thread's tables, or the table that cannot be played on, and why.
type ShiftReply = Result<Vec<TableStop>, String>;

/// All tables.
pub(crate) struct Engine {
    shifts: Vec<Shift>,
    planes: PlaneSet,
    players: usize,
    seed: u64,
    tables: usize,
    dealt: bool,
}

/// A thread with its tables. Policies stay on the thread that created them, so it lives as long as they do; short-lived
/// threads write the observations, because they may borrow the arrays.
struct Shift {
    orders: Option<Sender<ShiftOrder>>,
    replies: Receiver<ShiftReply>,
    thread: Option<JoinHandle<()>>,
    first: usize,
    stops: Vec<TableStop>,
}

impl Engine {
    pub(crate) fn new(threads: usize, setup: TableSetup) -> io::Result<Self> {
        let TableSetup { rules, seed, planes, tables, .. } = setup;
        let players = rules.players.into();
        let bounds = |thread: usize| thread * tables / threads;
        let shifts = (0..threads).map(|thread| Shift::begin(setup.clone(), bounds(thread), bounds(thread + 1)));
        Ok(Self { shifts: shifts.collect::<io::Result<_>>()?, planes, players, seed, tables, dealt: false })
    }

    /// Deals the first games of a seed, or of the previous seed.
    pub(crate) fn reset(&mut self, seed: Option<u64>, output: Arrays<'_>) -> Result<(), EngineError> {
        self.seed = seed.unwrap_or(self.seed);
        for shift in &mut self.shifts {
            shift.order(ShiftOrder::Deal(self.seed))?;
        }
        self.take_in(output)
    }

    /// Plays an action at each table, or at none if one of them is illegal.
    pub(crate) fn step(&mut self, actions: &[i64], output: Arrays<'_>) -> Result<(), EngineError> {
        if !self.dealt {
            return Err(EngineError::NotDealt);
        }
        if actions.len() != self.tables {
            return Err(EngineError::Count { actions: actions.len(), tables: self.tables });
        }
        let stops = self.shifts.iter_mut().flat_map(|shift| &mut shift.stops);
        for ((table, &action), stop) in actions.iter().enumerate().zip(stops) {
            let place = usize::try_from(action).ok().and_then(|code| stop.choices.legal(code));
            stop.answer = place.ok_or_else(|| {
                let legal = stop.choices.iter().map(|(code, _)| code).collect();
                EngineError::NotLegal { table, action, legal }
            })?;
        }
        for shift in &mut self.shifts {
            let stops = std::mem::take(&mut shift.stops);
            shift.order(ShiftOrder::Play(stops))?;
        }
        self.take_in(output)
    }

    /// Waits for all tables, and writes where they stopped.
    fn take_in(&mut self, mut output: Arrays<'_>) -> Result<(), EngineError> {
        let (planes, players) = (self.planes, self.players);
        self.dealt = false;
        let ends: Vec<usize> = self.shifts.iter().skip(1).map(|shift| shift.first).chain([self.tables]).collect();
        let mut parts: Vec<_> = (self.shifts.iter_mut().zip(ends))
            .map(|(shift, end)| (output.split_off(end - shift.first, planes, players), shift))
            .collect();
        let last = parts.pop();
        let results: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (parts.into_iter())
                .map(|(output, shift)| scope.spawn(move || shift.take_in(output, planes, players)))
                .collect();
            // The last is this thread's own.
            let own = last.map(|(output, shift)| shift.take_in(output, planes, players));
            let others = threads.into_iter().map(|thread| thread.join().expect("nothing panics"));
            others.chain(own).collect()
        });
        results.into_iter().collect::<Result<(), _>>()?;
        self.dealt = true;
        Ok(())
    }

    /// The number of opponents' decisions that have failed, and the first failure.
    pub(crate) fn faults(&self) -> (u64, Option<String>) {
        let stops = || self.shifts.iter().flat_map(|shift| &shift.stops);
        let first =
            stops().enumerate().find_map(|(table, stop)| Some(format!("table {table}, {}", stop.faults.1.as_ref()?)));
        (stops().map(|stop| stop.faults.0).sum(), first)
    }
}

impl Shift {
    fn begin(setup: TableSetup, first: usize, end: usize) -> io::Result<Self> {
        let (orders, received) = channel();
        let (sender, replies) = channel();
        let name = || format!("tables {first}-{}", end - 1);
        let work = move || {
            // Without the thread there is no reply, which is seen.
            let _ = DirectThread::run("tables", move |thread| tend(&setup, thread, first, end, &received, &sender));
        };
        let thread = thread::Builder::new().name(name()).spawn(work)?;
        Ok(Self { orders: Some(orders), replies, thread: Some(thread), first, stops: Vec::new() })
    }

    fn order(&self, order: ShiftOrder) -> Result<(), EngineError> {
        let sent = self.orders.as_ref().map(|orders| orders.send(order));
        if matches!(sent, Some(Ok(()))) { Ok(()) } else { Err(self.ended()) }
    }

    fn ended(&self) -> EngineError {
        EngineError::Broken(format!("the thread of the tables from {} on has ended", self.first))
    }

    /// Waits for the reply, and writes it.
    fn take_in(&mut self, output: Arrays<'_>, set: PlaneSet, players: usize) -> Result<(), EngineError> {
        self.stops = self.replies.recv().map_err(|_| self.ended())?.map_err(EngineError::Broken)?;
        let Arrays { planes, scalars, mask, seat, player, rewards, done } = output;
        let mut planes = planes.chunks_exact_mut(set.numbers());
        let mut scalars = scalars.chunks_exact_mut(SCALARS.len());
        let mut mask = mask.chunks_exact_mut(ACTIONS);
        let mut rewards = rewards.chunks_exact_mut(players);
        for (place, stop) in self.stops.iter().enumerate() {
            let (Some(planes), Some(scalars), Some(mask), Some(rewards)) =
                (planes.next(), scalars.next(), mask.next(), rewards.next())
            else {
                break;
            };
            stop.encoded.write(planes, scalars);
            stop.choices.write_mask(mask);
            rewards.copy_from_slice(&stop.rewards[..players]);
            (seat[place], player[place], done[place]) = (stop.seat as i8, stop.player as i8, stop.done);
        }
        Ok(())
    }
}

impl Drop for Shift {
    fn drop(&mut self) {
        // Without orders the thread ends.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Plays at the tables from `first` to before `end`, on their thread.
fn tend(
    setup: &TableSetup,
    thread: &DirectThread,
    first: usize,
    end: usize,
    orders: &Receiver<ShiftOrder>,
    replies: &Sender<ShiftReply>,
) {
    let mut tables = Vec::new();
    while let Ok(order) = orders.recv() {
        let reply = match order {
            ShiftOrder::Deal(seed) => {
                tables.clear();
                deal(setup, thread, first..end, seed, &mut tables)
            }
            ShiftOrder::Play(mut stops) => {
                tables.iter_mut().zip(&stops).for_each(|(table, stop)| table.answer(stop));
                play_on(first, &mut tables, &mut stops).map(|()| stops)
            }
        };
        if replies.send(reply).is_err() {
            break;
        }
    }
}

fn deal<'t>(
    setup: &'t TableSetup,
    thread: &'t DirectThread,
    numbers: std::ops::Range<usize>,
    seed: u64,
    tables: &mut Vec<TableInPlay<'t>>,
) -> ShiftReply {
    for number in numbers.clone() {
        let table = TableInPlay::new(setup, thread, number, seed);
        tables.push(table.map_err(|why| format!("table {number}: {why}"))?);
    }
    let mut stops: Vec<TableStop> = tables.iter().map(|_| TableStop::new()).collect();
    play_on(numbers.start, tables, &mut stops).map(|()| stops)
}

fn play_on(first: usize, tables: &mut [TableInPlay<'_>], stops: &mut [TableStop]) -> Result<(), String> {
    for ((number, table), stop) in (first..).zip(tables).zip(stops) {
        table.play_on(stop).map_err(|why| format!("table {number}: {why}"))?;
    }
    Ok(())
}
