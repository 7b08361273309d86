//! The loop that plays a game: each seat has its own table, and its player is called on this
//! thread.

use arrayvec::ArrayVec;
use policy_host::{
    Asked, Decided, Fault, NoDecision, PolicyStartError, PolicyTable, ShownTable, ViewBuffer,
};
use protocol::game_record::LineForm;
use riichi::{ActionOf, EventOf, MAX_PLAYERS, SeatTable};

use super::definition::LabGame;
use super::played::{GameId, PlayedGame, SeatAnswers};
use super::player::{PolicyAtSeat, SeatPlayer};

/// The news of a game for an observer.
pub enum GameNews<'a, G: LabGame> {
    /// The deal from the point of view of each seat, if it is not an event.
    Dealt(&'a [Option<EventOf<G>>]),
    /// An event, with nothing hidden.
    Happened(&'a EventOf<G>, AfterEvent<'a, G>),
    /// The policy of a seat is about to be asked for its decision.
    Asked {
        seat: usize,
        /// Number of the decision in the game of this seat, from 0.
        decision: u32,
    },
    /// A policy was asked.
    Decided(SeatDecision<'a, ActionOf<G>>),
}

/// The game after an event.
pub struct AfterEvent<'a, G: LabGame> {
    /// The tables of the seats, which have applied it; a seat that is played from outside has none.
    pub tables: &'a [Option<PolicyTable<G::Table>>],
    game: &'a G,
    /// The place of the event in the game's news.
    place: usize,
}

impl<G: LabGame> GameNews<'_, G> {
    /// The line of a record about it, with nothing hidden or as a seat hears it; `None` for a
    /// decision, and for an event that records write differently.
    pub fn line(&self, seat: Option<usize>) -> Option<String> {
        match (self, seat) {
            (Self::Dealt(deals), None) => G::Form::deal_line(deals),
            (Self::Dealt(deals), Some(seat)) => {
                let own = |(of, deal): (usize, &Option<_>)| deal.clone().filter(|_| of == seat);
                let deals: Vec<_> = deals.iter().enumerate().map(own).collect();
                G::Form::deal_line(&deals)
            }
            (Self::Happened(_, AfterEvent { game, place, .. }), None) => game.recorded_line(*place),
            (Self::Happened(event, AfterEvent { game, place, .. }), Some(seat)) => {
                game.recorded_line(*place)?;
                G::Form::event_line(&G::heard_by(event, seat))
            }
            (Self::Asked { .. } | Self::Decided(_), _) => None,
        }
    }
}

/// The outcome of asking a policy.
#[derive(Debug)]
pub struct SeatDecision<'a, A> {
    pub seat: usize,
    /// Number of the decision in the game of this seat, from 0.
    pub decision: u32,
    pub legal: &'a [A],
    pub chosen: usize,
    /// The decision, or the reason why there is none.
    pub decided: Result<&'a Decided, &'a str>,
}

/// The reason why a game cannot be finished. All but the first are faults of the runner.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    #[error(transparent)]
    Create(#[from] PolicyStartError),
    /// A table refuses an event of the game.
    #[error("seat {seat} cannot apply {event}: {why}")]
    Table {
        /// The seat whose table it is.
        seat: usize,
        event: String,
        why: String,
    },
    /// The game asks a seat whose table lists no action.
    #[error("seat {seat} is asked and can do nothing")]
    NothingToDo { seat: usize },
    /// The game refuses an action that a table allows.
    #[error("the game refuses an answer: {0}")]
    Refused(String),
    /// The game asks no seat, but has not ended.
    #[error("no seat is asked, and the game is not over")]
    Stuck,
    /// A seat is played from outside, although the game should be played to its end.
    #[error("seat {seat} is played from outside")]
    Waits { seat: usize },
}

/// Plays a game on this thread. `players` are in seat order. `told` receives all events and
/// decisions.
///
/// # Errors
///
/// If it cannot be finished.
pub fn play<'p, G: LabGame>(
    rules: G::Rules,
    id: GameId,
    players: impl IntoIterator<Item = SeatPlayer<'p, G::Table>>,
    mut told: impl FnMut(GameNews<'_, G>),
) -> Result<PlayedGame, GameError>
where
    G::Table: 'p,
{
    let mut game = GameUnderWay::begin(rules, id, players, &mut told)?;
    match game.play_on(&mut told)? {
        Pause::Ended(played) => Ok(played),
        Pause::Asked { seat, .. } => Err(GameError::Waits { seat }),
    }
}

pub enum Pause<'g, G: LabGame> {
    Ended(PlayedGame),
    /// A seat that is [played from outside](SeatPlayer::Outside) has a choice.
    Asked {
        seat: usize,
        /// The game, for its [view of it](riichi::WholeGame::table_of).
        game: &'g G,
        legal: &'g [ActionOf<G>],
    },
}

/// A game that stops at each decision of a seat that is played from outside.
pub struct GameUnderWay<G: LabGame, S> {
    game: G,
    seats: S,
    /// The seats whose answers are awaited.
    asked: ArrayVec<usize, MAX_PLAYERS>,
    answers: ArrayVec<(usize, ActionOf<G>), MAX_PLAYERS>,
    /// The legal actions of a seat that is played from outside and has not answered yet.
    open: Vec<ActionOf<G>>,
    first_fault: Option<(usize, String)>,
}

/// The seats of a game under way, as far as they are played within it.
pub trait GameSeats<G: LabGame> {
    /// The table of each seat; none if it is played from outside, which takes it from the game when
    /// it is asked.
    fn tables(&self) -> &[Option<PolicyTable<G::Table>>];

    /// Takes in an event.
    ///
    /// # Errors
    ///
    /// If a table refuses it.
    fn hear(&mut self, event: &EventOf<G>) -> Result<(), GameError>;

    /// The action of a seat, with the fault if it is the safe answer in place of a decision; `None`
    /// if the seat is played from outside.
    ///
    /// # Errors
    ///
    /// If the game cannot continue.
    fn act(
        &mut self,
        seat: usize,
        told: &mut impl FnMut(GameNews<'_, G>),
    ) -> Result<Option<Acted<G>>, GameError>;

    fn answers(&self, seat: usize) -> SeatAnswers;
}

/// An action, with the fault if there is one.
pub type Acted<G> = (ActionOf<G>, Option<String>);

pub struct AllOutside;

impl<G: LabGame> GameSeats<G> for AllOutside {
    fn tables(&self) -> &[Option<PolicyTable<G::Table>>] {
        &[]
    }

    fn hear(&mut self, _: &EventOf<G>) -> Result<(), GameError> {
        Ok(())
    }

    fn act(
        &mut self,
        _: usize,
        _: &mut impl FnMut(GameNews<'_, G>),
    ) -> Result<Option<Acted<G>>, GameError> {
        Ok(None)
    }

    fn answers(&self, _: usize) -> SeatAnswers {
        SeatAnswers::default()
    }
}

/// A player and a table for each seat.
pub struct SeatedPlayers<'p, T: ShownTable> {
    chairs: ArrayVec<Chair<'p, T>, MAX_PLAYERS>,
    tables: ArrayVec<Option<PolicyTable<T>>, MAX_PLAYERS>,
}

impl<'p, G: LabGame<Table: 'p>> GameSeats<G> for SeatedPlayers<'p, G::Table> {
    fn tables(&self) -> &[Option<PolicyTable<G::Table>>] {
        &self.tables
    }

    fn hear(&mut self, event: &EventOf<G>) -> Result<(), GameError> {
        for (seat, table) in self.tables.iter_mut().enumerate() {
            if let Some(table) = table {
                hear(table, seat, &G::heard_by(event, seat))?;
            }
        }
        Ok(())
    }

    fn act(
        &mut self,
        seat: usize,
        told: &mut impl FnMut(GameNews<'_, G>),
    ) -> Result<Option<Acted<G>>, GameError> {
        let Some(table) = &self.tables[seat] else {
            return Ok(None);
        };
        self.chairs[seat].act::<G>(seat, table, told).map(Some)
    }

    fn answers(&self, seat: usize) -> SeatAnswers {
        self.chairs[seat].answers
    }
}

impl<'p, G: LabGame<Table: 'p>> GameUnderWay<G, SeatedPlayers<'p, G::Table>> {
    /// Begins a game with the deal.
    ///
    /// # Errors
    ///
    /// If a policy cannot be created, or a table refuses the deal.
    pub fn begin(
        rules: G::Rules,
        id: GameId,
        players: impl IntoIterator<Item = SeatPlayer<'p, G::Table>>,
        told: &mut impl FnMut(GameNews<'_, G>),
    ) -> Result<Self, GameError> {
        let game = G::numbered(rules, id.seed, id.wall);
        let mut chairs = ArrayVec::<Chair<'_, G::Table>, MAX_PLAYERS>::new();
        let mut tables = ArrayVec::<_, MAX_PLAYERS>::new();
        for (seat, player) in players.into_iter().take(G::seat_count(&rules)).enumerate() {
            let hears = !matches!(player, SeatPlayer::Outside);
            tables.push(hears.then(|| PolicyTable::new(G::seat_table(rules, seat))));
            chairs.push(Chair::new(player, id, G::policy_seed(id, seat))?);
        }
        let deals: ArrayVec<_, MAX_PLAYERS> =
            (0..tables.len()).map(|seat| game.deal_for(seat)).collect();
        for (seat, (table, deal)) in tables.iter_mut().zip(&deals).enumerate() {
            if let (Some(table), Some(deal)) = (table, deal) {
                hear(table, seat, deal)?;
            }
        }
        if deals.iter().any(Option::is_some) {
            told(GameNews::Dealt(&deals));
        }
        let mut this = Self::before_news(game, SeatedPlayers { chairs, tables });
        this.hear_news(told)?;
        Ok(this)
    }
}

impl<G: LabGame> GameUnderWay<G, AllOutside> {
    /// Begins a game with all seats played from outside.
    ///
    /// No observer hears of its first events.
    pub fn begin_outside(rules: G::Rules, id: GameId) -> Self {
        Self::before_news(G::numbered(rules, id.seed, id.wall), AllOutside)
    }
}

impl<G: LabGame, S: GameSeats<G>> GameUnderWay<G, S> {
    fn before_news(game: G, seats: S) -> Self {
        let asked = game.seats_asked().collect();
        Self {
            game,
            seats,
            asked,
            answers: ArrayVec::new(),
            open: Vec::new(),
            first_fault: None,
        }
    }

    /// Plays until the game has ended, or a seat that is played from outside has a choice.
    ///
    /// # Errors
    ///
    /// If the game cannot continue.
    pub fn play_on(
        &mut self,
        told: &mut impl FnMut(GameNews<'_, G>),
    ) -> Result<Pause<'_, G>, GameError> {
        while self.open.is_empty() {
            if let Some(end) = self.game.game_end() {
                let seats = (0..end.scores.len())
                    .map(|seat| self.seats.answers(seat))
                    .collect();
                return Ok(Pause::Ended(PlayedGame {
                    end,
                    seats,
                    first_fault: self.first_fault.take(),
                }));
            }
            match self.asked.get(self.answers.len()) {
                Some(&seat) => self.ask(seat, told)?,
                None if self.answers.is_empty() => return Err(GameError::Stuck),
                None => {
                    self.game
                        .answer_all(&self.answers)
                        .map_err(|refusal| GameError::Refused(refusal.to_string()))?;
                    self.hear_news(told)?;
                }
            }
        }
        Ok(Pause::Asked {
            seat: self.asked[self.answers.len()],
            game: &self.game,
            legal: &self.open,
        })
    }

    /// Takes the action of a seat, or opens the question to one that is played from outside.
    fn ask(
        &mut self,
        seat: usize,
        told: &mut impl FnMut(GameNews<'_, G>),
    ) -> Result<(), GameError> {
        let (action, fault) = match self.seats.act(seat, told)? {
            Some(acted) => acted,
            None => {
                self.game.legal_of(seat, &mut self.open);
                if G::Table::leaves_choice(&self.open) {
                    return Ok(());
                }
                (
                    self.take_open(seat, None)
                        .ok_or(GameError::NothingToDo { seat })?,
                    None,
                )
            }
        };
        self.answers.push((seat, action));
        self.first_fault = self.first_fault.take().or(fault.map(|fault| (seat, fault)));
        Ok(())
    }

    /// Answers for the awaited seat: with the action at this index in the list, or the safe action
    /// if there is none. Does nothing if no seat is awaited.
    pub fn answer(&mut self, place: usize) {
        if let Some(&seat) = self.asked.get(self.answers.len())
            && let Some(action) = self.take_open(seat, Some(place))
        {
            self.answers.push((seat, action));
        }
    }

    /// Takes an open action at this index, or the safe one.
    fn take_open(&mut self, seat: usize, place: Option<usize>) -> Option<ActionOf<G>> {
        let place = place.filter(|&place| place < self.open.len());
        let place = place.or_else(|| self.game.table_of(seat).safe(&self.open))?;
        let action = self.open.swap_remove(place);
        self.open.clear();
        Some(action)
    }

    /// Passes the news to the tables, and asks the next seats.
    fn hear_news(&mut self, told: &mut impl FnMut(GameNews<'_, G>)) -> Result<(), GameError> {
        for (place, event) in self.game.news().iter().enumerate() {
            self.seats.hear(event)?;
            let after = AfterEvent {
                tables: self.seats.tables(),
                game: &self.game,
                place,
            };
            told(GameNews::Happened(event, after));
        }
        self.answers.clear();
        self.asked = self.game.seats_asked().collect();
        Ok(())
    }
}

fn hear<T: ShownTable>(
    table: &mut PolicyTable<T>,
    seat: usize,
    event: &T::Event,
) -> Result<(), GameError> {
    table.apply(event).map_err(|why| GameError::Table {
        seat,
        event: format!("{event:?}"),
        why: why.to_string(),
    })
}

/// A seat's player.
struct Chair<'p, T: ShownTable> {
    player: PlayerAtSeat<'p, T>,
    answers: SeatAnswers,
}

#[allow(
    clippy::large_enum_variant,
    reason = "one is created for each seat and remains there"
)]
enum PlayerAtSeat<'p, T: ShownTable> {
    Bot {
        policy: PolicyAtSeat<'p>,
        view: ViewBuffer,
        asked: Asked,
    },
    Other(SeatPlayer<'p, T>),
}

impl<'p, T: ShownTable> Chair<'p, T> {
    fn new(player: SeatPlayer<'p, T>, id: GameId, seed: u64) -> Result<Self, PolicyStartError> {
        let bot = |policy, budget| PlayerAtSeat::Bot {
            policy,
            view: ViewBuffer::default(),
            asked: Asked {
                game: id.wall,
                seed,
                budget,
                ..Asked::default()
            },
        };
        let player = match player {
            SeatPlayer::Bot(thread, entrant) => {
                let budget = entrant
                    .limit
                    .as_ref()
                    .map_or(entrant.budget, |limit| limit.budget);
                bot(PolicyAtSeat::create(thread, entrant)?, budget)
            }
            SeatPlayer::Hosted { budget, decide } => bot(PolicyAtSeat::Hosted(decide), budget),
            other => PlayerAtSeat::Other(other),
        };
        Ok(Self {
            player,
            answers: SeatAnswers::default(),
        })
    }

    /// The action of the seat, with the fault if it is the safe answer in place of a decision.
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
            PlayerAtSeat::Bot {
                policy,
                view,
                asked,
            } if T::leaves_choice(&legal) => (policy, view, asked),
            _ => {
                let chosen = safe(&legal);
                return Ok((legal.swap_remove(chosen), None));
            }
        };
        let decision = asked.decision;
        self.answers.decisions += 1;
        told(GameNews::Asked { seat, decision });
        // A policy that runs elsewhere has its limit there.
        let within = matches!(policy, PolicyAtSeat::Timed(_)).then_some(asked.budget);
        let decided = policy.decide(view, &|view| table.fill(view, &legal, asked))?;
        asked.decision += 1;
        let decided = decided.map_err(|why| {
            match why {
                NoDecision::Late => self.answers.late += 1,
                NoDecision::Fault(Fault::OutOfRange { .. }) => self.answers.illegal += 1,
                NoDecision::Fault(_) | NoDecision::CannotAsk(_) => self.answers.failed += 1,
            }
            match (why, within) {
                (NoDecision::Late, Some(within)) => {
                    format!("it did not answer within {} ms", within.as_millis())
                }
                (why, _) => why.to_string(),
            }
        });
        let chosen = decided
            .as_ref()
            .map_or_else(|_| safe(&legal), |decided| decided.index);
        let words = decided.as_ref().map_err(String::as_str);
        told(GameNews::Decided(SeatDecision {
            seat,
            decision,
            legal: &legal,
            chosen,
            decided: words,
        }));
        Ok((legal.swap_remove(chosen), decided.err()))
    }
}
