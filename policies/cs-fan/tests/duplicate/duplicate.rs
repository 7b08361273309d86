//! Games of two strategies at the same walls in all seatings.

use std::fmt;

use cs_eight_step::LadderLevel;
use cs_fan::FanParams;
use game_core::Seat;
use game_core::rng::Rng;
use mcr::event::PLAYERS;
use mcr::game::{McrEnd, McrWalls};
use mcr::{McrAction, McrGame, McrRules, McrSeatState};
use tiles::Wind;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Strategy {
    Fan(FanParams),
    EightStep(LadderLevel),
    Random,
}

impl Strategy {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "fan" => Self::Fan(FanParams::default()),
            "eight-step-1" => Self::EightStep(LadderLevel::Hand),
            "eight-step-2" => Self::EightStep(LadderLevel::Table),
            "eight-step-3" => Self::EightStep(LadderLevel::Players),
            "random" => Self::Random,
            _ => {
                let numbers: Vec<f32> = name
                    .strip_prefix("fan:")?
                    .split(',')
                    .map_while(|part| part.parse().ok())
                    .collect();
                let &[beyond, claimed, eagerness, horizon] = numbers.as_slice() else {
                    return None;
                };
                Self::Fan(FanParams {
                    beyond: beyond as u8,
                    claimed,
                    eagerness,
                    horizon,
                })
            }
        })
    }

    fn answer(self, seat: &McrSeatState, random: &mut Rng) -> Option<McrAction> {
        let legal = seat.legal();
        let decision = match self {
            Self::Fan(params) => cs_fan::decide(seat, &legal, &params),
            Self::EightStep(level) => cs_eight_step::decide(seat, &legal, level),
            Self::Random => return random.pick(&legal).copied(),
        };
        legal.get(decision?.index).copied()
    }
}

/// The result of the first strategy's two seats.
#[derive(Debug, Clone, Default)]
pub(crate) struct DuplicateResult {
    /// For each wall, the average score of a seat of the first strategy.
    pub(crate) per_wall: Vec<f64>,
    pub(crate) games: u32,
    pub(crate) wins: [u32; 2],
    pub(crate) fan: [u32; 2],
    pub(crate) faults: [u32; 2],
    pub(crate) drawn: u32,
}

impl DuplicateResult {
    /// The mean of the walls and its standard error.
    pub(crate) fn score(&self) -> (f64, f64) {
        let walls = self.per_wall.len() as f64;
        let mean = self.per_wall.iter().sum::<f64>() / walls;
        let variance = self
            .per_wall
            .iter()
            .map(|score| (score - mean).powi(2))
            .sum::<f64>()
            / (walls - 1.0).max(1.0);
        (mean, (variance / walls).sqrt())
    }
}

impl fmt::Display for DuplicateResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, error) = self.score();
        let games = f64::from(self.games);
        write!(
            f,
            "{} walls, {} games: {mean:+.2} ± {error:.2} a game and seat;",
            self.per_wall.len(),
            self.games
        )?;
        for (name, side) in [("first", 0), ("second", 1)] {
            write!(
                f,
                " {name} wins {:.1} % with {:.1} fan, {} faults;",
                100.0 * f64::from(self.wins[side]) / games,
                f64::from(self.fan[side]) / f64::from(self.wins[side].max(1)),
                self.faults[side],
            )?;
        }
        write!(f, " drawn {:.1} %", 100.0 * f64::from(self.drawn) / games)
    }
}

/// Seats of the first strategy: two of four in all ways.
const SEATINGS: [[bool; 4]; 6] = [
    [true, true, false, false],
    [true, false, true, false],
    [true, false, false, true],
    [false, true, true, false],
    [false, true, false, true],
    [false, false, true, true],
];

pub(crate) fn duplicate(walls: u64, strategies: [Strategy; 2]) -> DuplicateResult {
    let mut result = DuplicateResult::default();
    for wall in 0..walls {
        let mut score = 0;
        for (number, seating) in SEATINGS.iter().enumerate() {
            let side = |seat: Seat| usize::from(!seating[seat.index()]);
            let end = play(wall, number as u64, |seat| strategies[side(seat)]);
            let scores = end.scores();
            score += Seat::all(PLAYERS)
                .filter(|&seat| side(seat) == 0)
                .map(|seat| scores[seat.index()])
                .sum::<i32>();
            result.games += 1;
            match end {
                McrEnd::Won { winner, fan, .. } => {
                    result.wins[side(winner)] += 1;
                    result.fan[side(winner)] += u32::from(fan.total());
                }
                McrEnd::Fault { seat, .. } => result.faults[side(seat)] += 1,
                McrEnd::Drawn => result.drawn += 1,
            }
        }
        result
            .per_wall
            .push(f64::from(score) / (2.0 * SEATINGS.len() as f64));
    }
    result
}

fn play(wall: u64, seating: u64, strategy: impl Fn(Seat) -> Strategy) -> McrEnd {
    let rules = McrRules::default();
    let wind = Wind::ALL[(wall % 4) as usize];
    let mut game = McrGame::new(McrWalls::shuffled(wall, rules), wind, rules);
    let mut random = Rng::keyed(&[wall, seating]);
    loop {
        if let Some(end) = game.end() {
            return end.clone();
        }
        let mut answers = [None; 4];
        for seat in Seat::all(PLAYERS) {
            answers[seat.index()] = strategy(seat).answer(game.seat(seat), &mut random);
        }
        game.answer(answers);
    }
}
