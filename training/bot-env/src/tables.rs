//! Tables in play.

use std::sync::Arc;

use encoding::{Choices, encode};
use lab::game::{
    AllOutside, Entrant, GameId, GameNews, GameSeats, GameUnderWay, Pause, SeatPlayer,
    SeatedPlayers,
};
use policy_host::DirectThread;
use riichi::event::StartKyoku;
use riichi::game::RiichiGame;
use riichi::{Event, MAX_PLAYERS, Rules, Seat, Table};

use crate::arrays::{ArrayShape, Arrays};

/// The common settings of an environment's tables.
#[derive(Clone)]
pub(crate) struct TableSetup {
    pub(crate) rules: Rules,
    pub(crate) seed: u64,
    /// Their players are the last.
    pub(crate) opponents: Arc<[Entrant]>,
    pub(crate) rewards: RewardKind,
    pub(crate) shape: ArrayShape,
    pub(crate) tables: usize,
}

impl TableSetup {
    /// The player on a seat: a learner, or an opponent. They move on by one seat with each wall.
    fn player_at(&self, seat: usize, wall: u64) -> usize {
        let players = u64::from(self.rules.players);
        ((seat as u64 + wall) % players) as usize
    }

    fn learners(&self) -> usize {
        usize::from(self.rules.players) - self.opponents.len()
    }
}

#[derive(Debug, Clone)]
pub(crate) enum RewardKind {
    /// The points of each round, in thousands.
    Round,
    /// The points of each game, in thousands.
    Game,
    /// The place in each game.
    Places(Vec<f32>),
}

/// The stop of a table at a learner's decision.
pub(crate) struct TableStop {
    pub(crate) choices: Choices,
    /// The place of the learner's action among the legal ones.
    pub(crate) answer: usize,
    /// The decisions of opponents that failed: how the first did.
    pub(crate) faults: (u64, Option<String>),
}

impl TableStop {
    pub(crate) fn new() -> Self {
        Self {
            choices: Choices::of(&[]),
            answer: 0,
            faults: (0, None),
        }
    }
}

pub(crate) trait BeginGame {
    type Seats: GameSeats<RiichiGame>;

    fn begin(
        &self,
        setup: &TableSetup,
        id: GameId,
    ) -> Result<GameUnderWay<RiichiGame, Self::Seats>, String>;
}

/// All players are learners.
pub(crate) struct WithoutOpponents;

impl BeginGame for WithoutOpponents {
    type Seats = AllOutside;

    fn begin(
        &self,
        setup: &TableSetup,
        id: GameId,
    ) -> Result<GameUnderWay<RiichiGame, AllOutside>, String> {
        Ok(GameUnderWay::begin_outside(setup.rules, id))
    }
}

/// The opponents' policies are created on this thread, and stay there.
pub(crate) struct WithOpponents<'t> {
    pub(crate) thread: &'t DirectThread,
    pub(crate) opponents: &'t [Entrant],
}

impl<'t> BeginGame for WithOpponents<'t> {
    type Seats = SeatedPlayers<'t, Table>;

    fn begin(
        &self,
        setup: &TableSetup,
        id: GameId,
    ) -> Result<GameUnderWay<RiichiGame, Self::Seats>, String> {
        let seats = 0..usize::from(setup.rules.players);
        let players =
            seats.map(
                |seat| match setup.player_at(seat, id.wall).checked_sub(setup.learners()) {
                    Some(opponent) => SeatPlayer::Bot(self.thread, &self.opponents[opponent]),
                    None => SeatPlayer::Outside,
                },
            );
        GameUnderWay::begin(setup.rules, id, players, &mut |_| ())
            .map_err(|error| error.to_string())
    }
}

pub(crate) struct TableInPlay<S> {
    id: GameId,
    game: GameUnderWay<RiichiGame, S>,
    /// Points of each seat when its round began.
    points: [i32; MAX_PLAYERS],
}

/// Consecutive tables.
pub(crate) struct TableRow<B: BeginGame> {
    begin: B,
    /// The number of the first, from 0.
    first: usize,
    tables: Vec<TableInPlay<B::Seats>>,
}

impl<B: BeginGame> TableRow<B> {
    pub(crate) fn new(begin: B, first: usize) -> Self {
        Self {
            begin,
            first,
            tables: Vec::new(),
        }
    }

    /// Deals the first games of a seed, one for each stop, or plays the answers of the stops; then
    /// plays on at each table until a learner has a choice, and writes it.
    pub(crate) fn play_on(
        &mut self,
        setup: &TableSetup,
        deal: Option<u64>,
        stops: &mut [TableStop],
        mut output: Arrays<'_>,
    ) -> Result<(), String> {
        let Self {
            begin,
            first,
            tables,
        } = self;
        let named = |number: usize, why: String| format!("table {number}: {why}");
        if let Some(seed) = deal {
            tables.clear();
            for (number, stop) in (*first..).zip(&mut *stops) {
                stop.faults = (0, None);
                // Walls are numbered from 1.
                let id = GameId {
                    seed,
                    wall: number as u64 + 1,
                    seating: 0,
                };
                tables.push(TableInPlay::new(begin, setup, id).map_err(|why| named(number, why))?);
            }
        } else {
            tables
                .iter_mut()
                .zip(&*stops)
                .for_each(|(table, stop)| table.game.answer(stop.answer));
        }
        for ((number, table), stop) in (*first..).zip(tables).zip(stops) {
            let output = output.split_off(1, setup.shape);
            table
                .play_on(begin, setup, stop, output)
                .map_err(|why| named(number, why))?;
        }
        Ok(())
    }
}

impl<S: GameSeats<RiichiGame>> TableInPlay<S> {
    fn new(
        begin: &impl BeginGame<Seats = S>,
        setup: &TableSetup,
        id: GameId,
    ) -> Result<Self, String> {
        Ok(Self {
            id,
            game: begin.begin(setup, id)?,
            points: [setup.rules.start_points; MAX_PLAYERS],
        })
    }

    /// Plays on until a learner has a choice, through the ends of games.
    fn play_on(
        &mut self,
        begin: &impl BeginGame<Seats = S>,
        setup: &TableSetup,
        stop: &mut TableStop,
        output: Arrays<'_>,
    ) -> Result<(), String> {
        output.rewards.fill(0.0);
        output.done[0] = false;
        let seats = 0..usize::from(setup.rules.players);
        loop {
            let Self { id, game, points } = self;
            let player = |seat: usize| setup.player_at(seat, id.wall);
            let mut gained = None;
            let faults = &mut stop.faults;
            let pause = game.play_on(&mut |news| match news {
                GameNews::Happened(
                    Event::StartKyoku(StartKyoku {
                        scores: Some(scores),
                        ..
                    }),
                    _,
                ) => {
                    let gained = gained.get_or_insert([0; MAX_PLAYERS]);
                    for (seat, &score) in scores.iter() {
                        let before = std::mem::replace(&mut points[seat.index()], score);
                        gained[seat.index()] += score - before;
                    }
                }
                GameNews::Decided(decision) => {
                    if let Err(why) = decision.decided {
                        faults.0 += 1;
                        faults
                            .1
                            .get_or_insert_with(|| format!("seat {}: {why}", decision.seat));
                    }
                }
                _ => {}
            });
            let pause = pause.map_err(|error| error.to_string())?;
            let mut reward = |seat: usize, reward: f32| output.rewards[player(seat)] += reward;
            if let (RewardKind::Round, Some(gained)) = (&setup.rewards, gained) {
                seats
                    .clone()
                    .for_each(|seat| reward(seat, gained[seat] as f32 / 1000.0));
            }
            match pause {
                Pause::Asked { seat, game, legal } => {
                    (output.seat[0], output.player[0]) = (seat as i8, player(seat) as i8);
                    stop.choices.set(legal);
                    // Two actions with one code are no choice: a pair, one tile of it just drawn.
                    if let Some(only) = stop.choices.only() {
                        self.game.answer(only);
                        continue;
                    }
                    stop.choices.write_mask(output.mask);
                    let own = Seat::at(seat).expect("there are at most four seats");
                    encode(
                        game.view(own),
                        setup.shape.planes,
                        output.planes,
                        output.scalars,
                    );
                    return Ok(());
                }
                Pause::Ended(played) => {
                    for (seat, (&score, &place)) in
                        played.end.scores.iter().zip(&played.end.places).enumerate()
                    {
                        reward(
                            seat,
                            match &setup.rewards {
                                RewardKind::Round => (score as f32 - points[seat] as f32) / 1000.0,
                                RewardKind::Game => {
                                    (score as f32 - setup.rules.start_points as f32) / 1000.0
                                }
                                RewardKind::Places(worth) => worth[usize::from(place) - 1],
                            },
                        );
                    }
                    output.done[0] = true;
                }
            }
            *self = Self::new(
                begin,
                setup,
                GameId {
                    wall: self.id.wall + setup.tables as u64,
                    ..self.id
                },
            )?;
        }
    }
}
