//! Tables in play, all on one thread.

use std::sync::Arc;

use encoding::{Choices, Encoded, PlaneSet};
use lab::game::{Entrant, GameId, GameNews, GameUnderWay, Pause, SeatPlayer};
use policy_host::DirectThread;
use riichi::event::StartKyoku;
use riichi::game::RiichiGame;
use riichi::{Event, MAX_PLAYERS, Rules, Seat};

/// The common settings of an environment's tables.
#[derive(Clone)]
pub(crate) struct TableSetup {
    pub(crate) rules: Rules,
    pub(crate) seed: u64,
    /// Their players are the last.
    pub(crate) opponents: Arc<[Entrant]>,
    pub(crate) rewards: Rewards,
    pub(crate) planes: PlaneSet,
    /// Number of tables.
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

/// The kind of rewards.
#[derive(Debug, Clone)]
pub(crate) enum Rewards {
    /// The points of each round, in thousands.
    Round,
    /// The points of each game, in thousands.
    Game,
    /// The place in each game.
    Places(Vec<f32>),
}

/// The stop of a table at a learner's decision, and the result of the last action.
pub(crate) struct TableStop {
    pub(crate) encoded: Encoded,
    pub(crate) choices: Choices,
    /// The place of the learner's action among the legal ones.
    pub(crate) answer: usize,
    pub(crate) seat: usize,
    pub(crate) player: usize,
    /// Of each player.
    pub(crate) rewards: [f32; MAX_PLAYERS],
    /// Whether a game has ended.
    pub(crate) done: bool,
    /// The decisions of opponents that failed: how the first did.
    pub(crate) faults: (u64, Option<String>),
}

impl TableStop {
    pub(crate) fn new() -> Self {
        Self {
            encoded: Encoded::EMPTY,
            choices: Choices::of(&[]),
            answer: 0,
            seat: 0,
            player: 0,
            rewards: [0.0; MAX_PLAYERS],
            done: false,
            faults: (0, None),
        }
    }
}

/// A table in play.
pub(crate) struct TableInPlay<'t> {
    setup: &'t TableSetup,
    thread: &'t DirectThread,
    wall: u64,
    seed: u64,
    game: GameUnderWay<'t, RiichiGame>,
    /// Points of each seat when its round began.
    points: [i32; MAX_PLAYERS],
}

impl<'t> TableInPlay<'t> {
    /// The first game at the table of this number, from 0.
    pub(crate) fn new(
        setup: &'t TableSetup,
        thread: &'t DirectThread,
        number: usize,
        seed: u64,
    ) -> Result<Self, String> {
        // Walls are numbered from 1.
        let wall = number as u64 + 1;
        let (game, points) = Self::deal(setup, thread, wall, seed)?;
        Ok(Self { setup, thread, wall, seed, game, points })
    }

    fn deal(
        setup: &'t TableSetup,
        thread: &'t DirectThread,
        wall: u64,
        seed: u64,
    ) -> Result<(GameUnderWay<'t, RiichiGame>, [i32; MAX_PLAYERS]), String> {
        let seats = 0..usize::from(setup.rules.players);
        let players = seats.map(|seat| match setup.player_at(seat, wall).checked_sub(setup.learners()) {
            Some(opponent) => SeatPlayer::Bot(thread, &setup.opponents[opponent]),
            None => SeatPlayer::Outside,
        });
        let id = GameId { seed, wall, seating: 0 };
        let game = GameUnderWay::begin(setup.rules, id, players, &mut |_| ()).map_err(|error| error.to_string())?;
        Ok((game, [setup.rules.start_points; MAX_PLAYERS]))
    }

    /// Plays the learner's action.
    pub(crate) fn answer(&mut self, stop: &TableStop) {
        self.game.answer(stop.answer);
    }

    /// Plays on until a learner has a choice, through the ends of games.
    pub(crate) fn play_on(&mut self, stop: &mut TableStop) -> Result<(), String> {
        let Self { setup, thread, wall, seed, game, points } = self;
        (stop.rewards, stop.done) = ([0.0; MAX_PLAYERS], false);
        loop {
            let mut gained = [0; MAX_PLAYERS];
            let faults = &mut stop.faults;
            let pause = game.play_on(&mut |news| match news {
                GameNews::Happened(Event::StartKyoku(StartKyoku { scores: Some(scores), .. }), _) => {
                    for (seat, &score) in scores.iter() {
                        let before = std::mem::replace(&mut points[seat.index()], score);
                        gained[seat.index()] += score - before;
                    }
                }
                GameNews::Decided(decision) => {
                    if let Err(why) = decision.decided {
                        faults.0 += 1;
                        faults.1.get_or_insert_with(|| format!("seat {}: {why}", decision.seat));
                    }
                }
                _ => {}
            });
            let pause = pause.map_err(|error| error.to_string())?;
            let mut reward = |seat: usize, reward: f32| stop.rewards[setup.player_at(seat, *wall)] += reward;
            if matches!(setup.rewards, Rewards::Round) {
                gained.iter().enumerate().for_each(|(seat, &points)| reward(seat, points as f32 / 1000.0));
            }
            match pause {
                Pause::Asked { seat, game, legal } => {
                    (stop.seat, stop.player) = (seat, setup.player_at(seat, *wall));
                    stop.choices = Choices::of(legal);
                    let own = Seat::new(seat as u8).expect("there are at most four seats");
                    stop.encoded.take(&game.view(own), setup.planes);
                    return Ok(());
                }
                Pause::Ended(played) => {
                    for (seat, (&score, &place)) in played.end.scores.iter().zip(&played.end.places).enumerate() {
                        reward(
                            seat,
                            match &setup.rewards {
                                Rewards::Round => (score as f32 - points[seat] as f32) / 1000.0,
                                Rewards::Game => (score as f32 - setup.rules.start_points as f32) / 1000.0,
                                Rewards::Places(worth) => worth[usize::from(place) - 1],
                            },
                        );
                    }
                    stop.done = true;
                }
            }
            *wall += setup.tables as u64;
            (*game, *points) = Self::deal(setup, thread, *wall, *seed)?;
        }
    }
}
