//! One game, each seat with a table of its own and its policy called on this thread.

use std::fmt;
use std::time::{Duration, Instant};

use policy_host::{Asked, Decided, DirectThread, GameKind, PolicyStartError, SeatTable, ViewBuffer};
use protocol::game_record::{GameOutcome, RecordForm};
use riichi::rng::Rng;

use crate::tournament::{Entrant, PolicyAtSeat};

/// A whole game, with its walls or cards.
pub trait DuplicateGame: Sized {
    /// The game as one of its seats knows it.
    type Table: SeatTable<Event: fmt::Debug + Clone, Action: fmt::Debug>;
    /// How it is recorded.
    type Record: RecordForm<Event = EventOf<Self>, Action = ActionOf<Self>>;
    /// Which game it is.
    const KIND: GameKind;
    /// Seats of a table.
    const SEATS: usize;

    /// The game with this wall, which is the same for the same numbers.
    fn new(seed: u64, wall: u64) -> Self;

    /// A seat's table before the deal.
    fn table(&self, seat: usize) -> Self::Table;

    /// The deal as a seat hears of it.
    fn deal(&self, seat: usize) -> EventOf<Self>;

    /// Everything that has happened since the deal, nothing hidden.
    fn events(&self) -> &[EventOf<Self>];

    /// An event as a seat hears of it.
    fn heard(event: &EventOf<Self>, seat: usize) -> EventOf<Self>;

    /// Takes the answers of all seats, in seat order; `None` of a seat that is not asked.
    fn answer(&mut self, answers: &[Option<ActionOf<Self>>]);

    /// How it ended, once it has.
    fn end(&self) -> Option<GameEnd>;
}

/// What happens in a game.
pub type EventOf<G> = <<G as DuplicateGame>::Table as SeatTable>::Event;
/// What is done in a game.
pub type ActionOf<G> = <<G as DuplicateGame>::Table as SeatTable>::Action;

/// How a game ended.
#[derive(Debug, Clone, PartialEq)]
pub struct GameEnd {
    /// The score of each seat.
    pub scores: Vec<f64>,
    /// Who won, and with what.
    pub outcome: GameOutcome,
}

impl GameEnd {
    /// The seats that have won.
    #[must_use]
    pub fn winners(&self) -> Vec<usize> {
        self.outcome.winners(self.scores.len())
    }
}

/// A game that has ended.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    /// How.
    pub end: GameEnd,
    /// Decisions of each seat that its policy was asked for.
    pub decisions: Vec<u64>,
    /// How many of them it did not make: the safe answer was played.
    pub faults: Vec<u64>,
    /// The first decision that failed, with the seat that made it.
    pub first_fault: Option<(usize, String)>,
}

/// What whoever watches a game hears of.
#[derive(Debug)]
pub enum GameNews<'a, E, A> {
    /// The deal, as each seat heard of it.
    Dealt(&'a [Option<E>]),
    /// Something happened; nothing of it is hidden.
    Happened(&'a E),
    /// A policy was asked.
    Decided(SeatDecision<'a, A>),
}

/// What came of asking a policy.
#[derive(Debug)]
pub struct SeatDecision<'a, A> {
    /// The seat.
    pub seat: usize,
    /// Number of the decision in the game of this seat, from 0.
    pub decision: u32,
    /// What there was to choose from.
    pub legal: &'a [A],
    /// Which of it was done.
    pub chosen: usize,
    /// How long the policy took.
    pub took: Duration,
    /// What it decided, or why it did not.
    pub decided: Result<&'a Decided, &'a str>,
}

/// Who plays on a seat.
#[derive(Debug, Clone, Copy)]
pub enum SeatPlayer<'e> {
    /// A bot.
    Bot(&'e Entrant),
    /// Nobody: what is always safe is played.
    Safe,
}

/// Why a game cannot be played out.
#[derive(Debug, thiserror::Error)]
pub enum DuplicateError {
    /// A policy gives no instance.
    #[error(transparent)]
    Create(#[from] PolicyStartError),
    /// A table refuses what the game says: a fault of the runner.
    #[error("seat {seat} cannot take in {event}: {why}")]
    Table {
        /// The seat whose table it is.
        seat: usize,
        /// What happened.
        event: String,
        /// Why it cannot have.
        why: String,
    },
    /// Nobody is asked, and the game is not over: a fault of the runner.
    #[error("nobody is asked, and the game is not over")]
    Stuck,
    /// No thread could be had.
    #[error("no thread for the games: {0}")]
    Thread(#[from] std::io::Error),
}

/// A seat with all it knows.
struct Chair<'t, T> {
    table: T,
    view: ViewBuffer,
    policy: Option<PolicyAtSeat<'t>>,
    asked: Asked,
    decisions: u64,
    faults: u64,
}

/// Plays the game of a wall on this thread, each instance made for it and ended with it. `told` hears of all that happens and is decided.
///
/// # Errors
///
/// When it cannot be played out.
pub fn play<G: DuplicateGame>(
    thread: &DirectThread,
    players: &[SeatPlayer<'_>],
    [seed, wall, seating]: [u64; 3],
    mut told: impl FnMut(GameNews<'_, EventOf<G>, ActionOf<G>>),
) -> Result<PlayedGame, DuplicateError> {
    let mut game = G::new(seed, wall);
    let mut chairs = Vec::with_capacity(G::SEATS);
    let mut deals = Vec::with_capacity(G::SEATS);
    for (seat, player) in players.iter().enumerate() {
        let (policy, budget) = match player {
            SeatPlayer::Bot(entrant) => (Some(PolicyAtSeat::create(thread, entrant)?), entrant.budget),
            SeatPlayer::Safe => (None, Duration::ZERO),
        };
        let asked = Asked {
            game: wall,
            seed: Rng::keyed(&[seed, wall, seating, seat as u64]).next_u64(),
            budget,
            ..Asked::default()
        };
        let table = game.table(seat);
        let mut chair = Chair { table, view: ViewBuffer::default(), policy, asked, decisions: 0, faults: 0 };
        let deal = game.deal(seat);
        chair.hear(seat, &deal)?;
        deals.push(Some(deal));
        chairs.push(chair);
    }
    told(GameNews::Dealt(&deals));
    let mut first_fault = None;
    let mut heard = 0;
    loop {
        for event in &game.events()[heard..] {
            told(GameNews::Happened(event));
            for (seat, chair) in chairs.iter_mut().enumerate() {
                chair.hear(seat, &G::heard(event, seat))?;
            }
        }
        heard = game.events().len();
        if let Some(end) = game.end() {
            let decisions = chairs.iter().map(|chair| chair.decisions).collect();
            let faults = chairs.iter().map(|chair| chair.faults).collect();
            return Ok(PlayedGame { end, decisions, faults, first_fault });
        }
        let mut answers = Vec::with_capacity(G::SEATS);
        for (seat, chair) in chairs.iter_mut().enumerate() {
            let (answer, fault) = chair.act(seat, |decision| told(GameNews::Decided(decision)))?;
            first_fault = first_fault.or(fault.map(|fault| (seat, fault)));
            answers.push(answer);
        }
        if answers.iter().all(Option::is_none) {
            return Err(DuplicateError::Stuck);
        }
        game.answer(&answers);
    }
}

impl<T: SeatTable<Event: fmt::Debug>> Chair<'_, T> {
    fn hear(&mut self, seat: usize, event: &T::Event) -> Result<(), DuplicateError> {
        self.table.apply(event).map_err(|why| DuplicateError::Table {
            seat,
            event: format!("{event:?}"),
            why: why.to_string(),
        })
    }

    /// What the seat does, if it is asked, and what was wrong if it is the safe answer.
    fn act(
        &mut self,
        seat: usize,
        told: impl FnOnce(SeatDecision<'_, T::Action>),
    ) -> Result<(Option<T::Action>, Option<String>), DuplicateError> {
        let mut legal = self.table.legal();
        let Some(safe) = self.table.safe(&legal) else { return Ok((None, None)) };
        let policy = match &mut self.policy {
            Some(policy) if self.table.leaves_choice(&legal) => policy,
            _ => return Ok((Some(legal.swap_remove(safe)), None)),
        };
        self.table.fill(&mut self.view, &legal, &self.asked);
        let decision = self.asked.decision;
        self.asked.decision += 1;
        self.decisions += 1;
        let asked_at = Instant::now();
        let decided = match policy.decide(&mut self.view)? {
            Some(Ok(decided)) => Ok(decided),
            Some(Err(fault)) => Err(fault.to_string()),
            None => Err(format!("it did not answer within {} ms", self.asked.budget.as_millis())),
        };
        let took = asked_at.elapsed();
        let chosen = decided.as_ref().map_or(safe, |decided| decided.index);
        let words = decided.as_ref().map_err(String::as_str);
        told(SeatDecision { seat, decision, legal: &legal, chosen, took, decided: words });
        let fault = decided.err();
        self.faults += u64::from(fault.is_some());
        Ok((Some(legal.swap_remove(chosen)), fault))
    }
}
