//! One game, each seat with a table of its own and its policy called on this thread.

use std::time::Duration;

use arena::DirectGame;
use arrayvec::ArrayVec;
use riichi::table::Contradiction;
use riichi::{Action, Event, PerSeat, Rules, Seat, Table, safe_answer};

use super::counts::{SeatCounter, SeatCounts};
use super::times::DecisionTimes;
use policy_host::{
    Asked, ChosenPolicy, Decided, DirectPolicy, DirectThread, Fault, PolicyStartError, RoundLog, StartOptions,
    TimeLimit, TimedAnswer, TimedPolicy, ViewBuffer, leaves_choice,
};

/// A config that competes.
#[derive(Debug, Clone)]
pub struct Entrant {
    /// Its policy.
    pub policy: ChosenPolicy,
    /// What an instance is told when it is made.
    pub options: StartOptions,
    /// The time a decision is said to have; nothing happens when it takes longer, unless there is a limit.
    pub budget: Duration,
    /// The time that is kept: what comes later counts as late, and the safe answer takes its place.
    pub limit: Option<TimeLimit>,
}

/// Which game of a tournament. All randomness of a game comes from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameId {
    /// The tournament's seed.
    pub seed: u64,
    /// The wall's number, from 1. Its tiles are those of game `wall` of `play` with the same seed.
    pub wall: u64,
    /// The seating's number among those of the wall, from 0.
    pub seating: usize,
}

impl GameId {
    /// The seed of the policy on a seat.
    fn policy_seed(self, seat: Seat) -> u64 {
        [self.wall, self.seating as u64, seat.index() as u64]
            .into_iter()
            .fold(self.seed, |seed, part| fastrand::Rng::with_seed(seed ^ part).u64(..))
    }
}

/// Why a game cannot be played out. All but the first are faults of the runner.
#[derive(Debug, thiserror::Error)]
pub enum TournamentGameError {
    /// A policy gives no instance.
    #[error(transparent)]
    Create(#[from] PolicyStartError),
    /// The rules engine fails, or refuses what our own list allows.
    #[error(transparent)]
    Engine(#[from] arena::ArenaGameError),
    /// The table refuses what the engine says.
    #[error("seat {seat} cannot take in {event:?}: {contradiction}")]
    Table {
        /// The seat whose table it is.
        seat: Seat,
        /// What happened.
        event: Box<Event>,
        /// Why it cannot have.
        contradiction: Contradiction,
    },
    /// The engine asks a seat for which we see nothing to do.
    #[error("seat {seat} is asked and can do nothing")]
    NothingToDo {
        /// The seat.
        seat: Seat,
    },
}

/// A game that has ended.
#[derive(Debug)]
pub struct TournamentGame {
    /// What each seat did.
    pub seats: PerSeat<SeatCounts>,
    /// The place of each seat, from 1.
    pub places: PerSeat<u8>,
    /// The first decision that failed, with the seat that made it.
    pub first_fault: Option<(Seat, String)>,
}

/// Plays a game of the entrants on this thread, each instance made for it and ended with it, so that nothing is carried
/// over from game to game. `times` takes the times of decisions, entrant by entrant; `heard` hears of every event, nothing hidden.
///
/// # Errors
///
/// When it cannot be played out.
pub fn play(
    thread: &DirectThread,
    entrants: PerSeat<(usize, &Entrant)>,
    rules: Rules,
    id: GameId,
    times: &mut [DecisionTimes],
    mut heard: impl FnMut(&Event),
) -> Result<TournamentGame, TournamentGameError> {
    let mut game = DirectGame::new(id.seed, id.wall, rules)?;
    let mut tally = SeatCounter::new(rules.players);
    let mut chairs: ArrayVec<TournamentSeat<'_>, 4> = entrants
        .iter()
        .map(|(seat, (_, entrant))| TournamentSeat::new(thread, entrant, rules, id, seat))
        .collect::<Result<_, _>>()?;
    let mut first_fault = None;
    let mut moves: ArrayVec<(Seat, Action), 4> = ArrayVec::new();
    loop {
        for event in game.events() {
            heard(event);
            tally.count(event);
            for chair in &mut chairs {
                chair.hear(event)?;
            }
            if let Event::Dahai { actor, .. } = *event
                && chairs.get(actor.index()).is_some_and(|chair| !chair.table.waits().is_empty())
            {
                tally.tenpai(actor);
            }
        }
        moves.clear();
        for seat in game.asked() {
            let (action, fault) = chairs[seat.index()].act(&mut times[entrants[seat].0])?;
            moves.push((seat, action));
            first_fault = first_fault.or(fault.map(|fault| (seat, fault)));
        }
        if moves.is_empty() {
            break;
        }
        game.answer(&moves)?;
    }
    let scores = game.scores();
    let places = PerSeat::from_fn(rules.players, |seat| scores.place(seat));
    for (seat, counts) in tally.seats.iter_mut() {
        let TournamentSeat { decisions, illegal, late, .. } = chairs[seat.index()];
        (counts.decisions, counts.illegal, counts.late) = (u64::from(decisions), illegal, late);
        counts.finish(places[seat], scores[seat]);
    }
    Ok(TournamentGame { seats: tally.seats, places, first_fault })
}

/// A seat with all it knows.
struct TournamentSeat<'t> {
    table: Table,
    log: RoundLog,
    view: ViewBuffer,
    policy: PolicyAtSeat<'t>,
    asked: Asked,
    decisions: u32,
    illegal: u64,
    late: u64,
}

/// The policy of a seat: called on this thread, or, where its time is kept, on one of its own.
#[allow(clippy::large_enum_variant, reason = "one is made for each seat and stays where it is")]
pub(crate) enum PolicyAtSeat<'t> {
    Direct(DirectPolicy<'t>),
    Timed(TimedPolicy),
}

impl<'t> PolicyAtSeat<'t> {
    pub(crate) fn create(thread: &'t DirectThread, entrant: &Entrant) -> Result<Self, PolicyStartError> {
        match &entrant.limit {
            None => DirectPolicy::create(thread, &entrant.policy, &entrant.options).map(Self::Direct),
            Some(limit) => TimedPolicy::create(&entrant.policy, &entrant.options, limit).map(Self::Timed),
        }
    }

    /// What was decided; `None` when that did not come in time.
    pub(crate) fn decide(&mut self, view: &mut ViewBuffer) -> Result<Option<Result<Decided, Fault>>, PolicyStartError> {
        match self {
            Self::Direct(policy) => policy.decide(view).map(Some),
            Self::Timed(policy) => policy.decide(view).map(|answer| match answer {
                TimedAnswer::InTime(decided) => Some(decided),
                TimedAnswer::Late => None,
            }),
        }
    }
}

impl<'t> TournamentSeat<'t> {
    fn new(
        thread: &'t DirectThread,
        entrant: &Entrant,
        rules: Rules,
        id: GameId,
        seat: Seat,
    ) -> Result<Self, PolicyStartError> {
        Ok(Self {
            table: Table::new(rules, seat),
            log: RoundLog::default(),
            view: ViewBuffer::default(),
            policy: PolicyAtSeat::create(thread, entrant)?,
            asked: Asked {
                game: id.wall,
                seed: id.policy_seed(seat),
                budget: entrant.limit.as_ref().map_or(entrant.budget, |limit| limit.budget),
                ..Asked::default()
            },
            decisions: 0,
            illegal: 0,
            late: 0,
        })
    }

    fn hear(&mut self, event: &Event) -> Result<(), TournamentGameError> {
        let seat = self.table.seat();
        let event = event.masked_for(seat);
        self.table.apply(&event).map_err(|contradiction| TournamentGameError::Table {
            seat,
            event: Box::new(event),
            contradiction,
        })?;
        self.log.push(&event, &self.table);
        Ok(())
    }

    /// What the seat does, and what was wrong if it is the safe answer.
    fn act(&mut self, times: &mut DecisionTimes) -> Result<(Action, Option<String>), TournamentGameError> {
        let legal = self.table.legal_actions();
        match legal.as_slice() {
            [] => return Err(TournamentGameError::NothingToDo { seat: self.table.seat() }),
            [only] if !leaves_choice(&legal) => return Ok((*only, None)),
            _ => {}
        }
        self.asked.decision = self.decisions;
        self.decisions += 1;
        self.view.fill(&self.table, &self.log, &legal, &self.asked);
        let (policy, view) = (&mut self.policy, &mut self.view);
        let decided = match policy {
            PolicyAtSeat::Direct(_) => times.time(self.asked.decision, || policy.decide(view)),
            // It is another thread's time.
            PolicyAtSeat::Timed(_) => policy.decide(view),
        };
        match decided? {
            Some(Ok(decided)) => Ok((legal[decided.index], None)),
            Some(Err(fault)) => {
                self.illegal += 1;
                Ok((safe_answer(&legal).unwrap_or(legal[0]), Some(fault.to_string())))
            }
            None => {
                self.late += 1;
                let fault = format!("it did not answer within {} ms", self.asked.budget.as_millis());
                Ok((safe_answer(&legal).unwrap_or(legal[0]), Some(fault)))
            }
        }
    }
}
