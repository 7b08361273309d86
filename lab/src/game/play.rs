//! The loop that plays a game: each seat with a table of its own, its player asked on this thread.

use arrayvec::ArrayVec;
use policy_host::{Asked, Decided, PolicyStartError, PolicyTable, ShownTable, ViewBuffer};
use riichi::{ActionOf, EventOf, MAX_PLAYERS};

use super::definition::LabGame;
use super::played::{GameId, PlayedGame, SeatAnswers};
use super::player::{PolicyAtSeat, SeatPlayer};

/// What an observer of a game is shown.
pub enum GameNews<'a, G: LabGame> {
    /// The deal, as each seat heard of it, where no event tells it.
    Dealt(&'a [Option<EventOf<G>>]),
    /// Something happened; nothing of it is hidden. The tables of the seats have taken it in.
    Happened(&'a EventOf<G>, &'a [PolicyTable<G::Table>]),
    /// The policy of a seat is about to be asked for the decision of this number in the game of this seat, from 0.
    Asked {
        /// The seat.
        seat: usize,
        /// The number.
        decision: u32,
    },
    /// A policy was asked.
    Decided(SeatDecision<'a, ActionOf<G>>),
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
    /// What it decided, or why it did not.
    pub decided: Result<&'a Decided, &'a str>,
}

/// Why a game cannot be played out. All but the first are faults of the runner.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// A policy gives no instance.
    #[error(transparent)]
    Create(#[from] PolicyStartError),
    /// A table refuses what the game says.
    #[error("seat {seat} cannot take in {event}: {why}")]
    Table {
        /// The seat whose table it is.
        seat: usize,
        /// What happened.
        event: String,
        /// Why it cannot have.
        why: String,
    },
    /// The game asks a seat whose table sees nothing to do.
    #[error("seat {seat} is asked and can do nothing")]
    NothingToDo {
        /// The seat.
        seat: usize,
    },
    /// The game refuses what a table allows.
    #[error("the game refuses an answer: {0}")]
    Refused(String),
    /// The game asks no seat, and has not ended.
    #[error("no seat is asked, and the game is not over")]
    Stuck,
}

/// Plays a game on this thread. `players` are those of the seats in their order. `told` is shown all that happens and is decided.
///
/// # Errors
///
/// When it cannot be played out.
pub fn play<'p, G: LabGame>(
    rules: G::Rules,
    id: GameId,
    players: impl IntoIterator<Item = SeatPlayer<'p, G::Table>>,
    mut told: impl FnMut(GameNews<'_, G>),
) -> Result<PlayedGame, GameError>
where
    G::Table: 'p,
{
    let mut game = G::numbered(rules, id.seed, id.wall);
    let mut chairs = ArrayVec::<Chair<'_, G::Table>, MAX_PLAYERS>::new();
    for (seat, player) in players.into_iter().take(G::seat_count(&rules)).enumerate() {
        chairs.push(Chair::new(player, id, G::policy_seed(id, seat))?);
    }
    let mut tables: ArrayVec<_, MAX_PLAYERS> =
        (0..chairs.len()).map(|seat| PolicyTable::new(G::seat_table(rules, seat))).collect();
    let deals: ArrayVec<_, MAX_PLAYERS> = (0..tables.len()).map(|seat| game.deal_for(seat)).collect();
    for (seat, (table, deal)) in tables.iter_mut().zip(&deals).enumerate() {
        deal.iter().try_for_each(|deal| hear(table, seat, deal))?;
    }
    if deals.iter().any(Option::is_some) {
        told(GameNews::Dealt(&deals));
    }
    let mut first_fault = None;
    let mut answers = ArrayVec::<_, MAX_PLAYERS>::new();
    loop {
        for event in game.news() {
            for (seat, table) in tables.iter_mut().enumerate() {
                hear(table, seat, &G::heard_by(event, seat))?;
            }
            told(GameNews::Happened(event, &tables));
        }
        if let Some(end) = game.game_end() {
            let seats = chairs.iter().map(|chair| chair.answers).collect();
            return Ok(PlayedGame { end, seats, first_fault });
        }
        answers.clear();
        for seat in game.seats_asked() {
            let (action, fault) = chairs[seat].act::<G>(seat, &tables[seat], &mut told)?;
            answers.push((seat, action));
            first_fault = first_fault.or(fault.map(|fault| (seat, fault)));
        }
        if answers.is_empty() {
            return Err(GameError::Stuck);
        }
        game.answer_all(&answers).map_err(GameError::Refused)?;
    }
}

fn hear<T: ShownTable>(table: &mut PolicyTable<T>, seat: usize, event: &T::Event) -> Result<(), GameError> {
    table.apply(event).map_err(|why| GameError::Table { seat, event: format!("{event:?}"), why: why.to_string() })
}

/// A seat's player.
struct Chair<'p, T: ShownTable> {
    player: PlayerAtSeat<'p, T>,
    answers: SeatAnswers,
}

#[allow(clippy::large_enum_variant, reason = "one is made for each seat and stays where it is")]
enum PlayerAtSeat<'p, T: ShownTable> {
    Bot { policy: PolicyAtSeat<'p>, view: ViewBuffer, asked: Asked },
    Other(SeatPlayer<'p, T>),
}

impl<'p, T: ShownTable> Chair<'p, T> {
    fn new(player: SeatPlayer<'p, T>, id: GameId, seed: u64) -> Result<Self, PolicyStartError> {
        let bot = |policy, budget| PlayerAtSeat::Bot {
            policy,
            view: ViewBuffer::default(),
            asked: Asked { game: id.wall, seed, budget, ..Asked::default() },
        };
        let player = match player {
            SeatPlayer::Bot(thread, entrant) => {
                let budget = entrant.limit.as_ref().map_or(entrant.budget, |limit| limit.budget);
                bot(PolicyAtSeat::create(thread, entrant)?, budget)
            }
            SeatPlayer::Hosted { budget, decide } => bot(PolicyAtSeat::Hosted(decide), budget),
            other => PlayerAtSeat::Other(other),
        };
        Ok(Self { player, answers: SeatAnswers::default() })
    }

    /// What the seat does, and what was wrong if it is the safe answer in place of a decision.
    fn act<G: LabGame<Table = T>>(
        &mut self,
        seat: usize,
        table: &PolicyTable<T>,
        told: &mut impl FnMut(GameNews<'_, G>),
    ) -> Result<(T::Action, Option<String>), GameError> {
        let mut legal = table.legal();
        if legal.is_empty() {
            return Err(GameError::NothingToDo { seat });
        }
        let safe = |legal: &[T::Action]| table.safe(legal).unwrap_or_default();
        let (policy, view, asked) = match &mut self.player {
            PlayerAtSeat::Other(SeatPlayer::Chooser(choose)) => {
                let chosen = choose(table, &legal).unwrap_or_else(|| safe(&legal));
                return Ok((legal.swap_remove(chosen), None));
            }
            PlayerAtSeat::Bot { policy, view, asked } if T::leaves_choice(&legal) => (policy, view, asked),
            _ => {
                let chosen = safe(&legal);
                return Ok((legal.swap_remove(chosen), None));
            }
        };
        let decision = asked.decision;
        self.answers.decisions += 1;
        told(GameNews::Asked { seat, decision });
        let decided = policy.decide(view, &|view| table.fill(view, &legal, asked))?;
        asked.decision += 1;
        let decided = match decided {
            Some(Ok(decided)) => Ok(decided),
            Some(Err(fault)) => {
                self.answers.illegal += 1;
                Err(fault)
            }
            None => {
                self.answers.late += 1;
                Err(format!("it did not answer within {} ms", asked.budget.as_millis()))
            }
        };
        let chosen = decided.as_ref().map_or_else(|_| safe(&legal), |decided| decided.index);
        let words = decided.as_ref().map_err(String::as_str);
        told(GameNews::Decided(SeatDecision { seat, decision, legal: &legal, chosen, decided: words }));
        Ok((legal.swap_remove(chosen), decided.err()))
    }
}
