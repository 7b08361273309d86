//! Games of cs-learned against cs-fan on the same walls, with figures that a tournament does not
//! count: deal-ins, and the points of the game's contests.
//!
//!     cargo run --release -p cs-learned --example against-fan -- 80 1 [WEIGHTS]
//!
//! The arguments are the number of walls, the first wall, and a file of weights in place of the
//! built-in ones. Two seats each, in all six ways, which cover all 24 seatings of four players in
//! two equal pairs. In a contest each of the 24 seatings of a wall gives 4, 3, 2 and 1 points by
//! the scores; equal scores share theirs.
#![allow(clippy::print_stdout, reason = "its output is its result")]

use std::path::Path;
use std::time::{Duration, Instant};

use correction::{Described, read_weights};
use cs_fan::FanParams;
use cs_learned::McrWeights;
use cs_learned::features::McrDescription;
use game_core::Seat;
use mcr::event::PLAYERS;
use mcr::game::{McrEnd, McrWalls};
use mcr::{McrAction, McrGame, McrRules};
use tiles::Wind;

/// Seats of cs-learned: two of four in all ways.
const SEATINGS: [[bool; 4]; 6] = [
    [true, true, false, false],
    [true, false, true, false],
    [true, false, false, true],
    [false, true, true, false],
    [false, true, false, true],
    [false, false, true, true],
];

/// The sums of a side.
#[derive(Default)]
struct SideSums {
    wins: u32,
    self_drawn: u32,
    fan: u32,
    deal_ins: u32,
    /// Points of the contests.
    ranked: f64,
}

struct LearnedSeat {
    weights: McrWeights,
    params: FanParams,
    decision: McrDescription,
    times: Vec<Duration>,
}

impl LearnedSeat {
    fn answer(&mut self, game: &McrGame, seat: Seat) -> Option<McrAction> {
        let table = game.seat(seat);
        let legal = table.legal();
        let events = game.events().iter().map(|event| event.hidden_from(seat));
        let start = Instant::now();
        self.decision.describe(table, &legal, events, &self.params);
        let situation = self.decision.situation();
        let best = self
            .decision
            .best(|choice| self.weights.correction(situation, &choice.features))
            .map(|best| best.choice.index);
        let index = match best {
            Some(index) => {
                self.times.push(start.elapsed());
                index
            }
            None => cs_fan::decide(table, &legal, &self.params)?.index,
        };
        legal.get(index).copied()
    }
}

/// The points of a contest for each score.
fn ranked(scores: [i32; 4]) -> [f64; 4] {
    scores.map(|score| {
        let below = scores.iter().filter(|&&other| other < score).count() as f64;
        let equal = scores.iter().filter(|&&other| other == score).count() as f64;
        // The places that the equal ones take, from the lowest.
        below + (equal + 1.0) / 2.0
    })
}

fn play(wall: u64, seating: [bool; 4], learned: &mut LearnedSeat) -> McrEnd {
    let rules = McrRules::default();
    let wind = Wind::ALL[(wall % 4) as usize];
    let mut game = McrGame::new(McrWalls::shuffled(wall, rules), wind, rules);
    let params = FanParams::default();
    loop {
        if let Some(end) = game.end() {
            return end.clone();
        }
        let mut answers = [None; 4];
        for seat in Seat::all(PLAYERS) {
            answers[seat.index()] = if seating[seat.index()] {
                learned.answer(&game, seat)
            } else {
                let legal = game.seat(seat).legal();
                cs_fan::decide(game.seat(seat), &legal, &params)
                    .and_then(|decided| legal.get(decided.index).copied())
            };
        }
        game.answer(answers);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (walls, first, weights) = match arguments.as_slice() {
        [walls, first] => (walls, first, cs_learned::built_in()),
        [walls, first, weights] => (walls, first, read_weights(Path::new(weights), PLAYERS)),
        _ => panic!("arguments: WALLS FIRST_WALL [WEIGHTS]"),
    };
    let [walls, first] = [walls, first].map(|text| text.parse::<u64>().expect("a number"));
    let mut learned = LearnedSeat {
        weights: weights.expect("weights"),
        params: FanParams::default(),
        decision: McrDescription::default(),
        times: Vec::new(),
    };
    let (mut sums, mut drawn) = ([SideSums::default(), SideSums::default()], 0_u32);
    // By how many points a game a seat of cs-learned is ahead of one of cs-fan, by wall.
    let mut ahead = Vec::new();
    let mut ahead_ranked = Vec::new();
    for wall in first..first + walls {
        let (mut points, mut contest) = (0.0, 0.0);
        for seating in SEATINGS {
            let end = play(wall, seating, &mut learned);
            let side = |seat: Seat| usize::from(!seating[seat.index()]);
            let (scores, ranks) = (end.scores(), ranked(end.scores()));
            for seat in Seat::all(PLAYERS) {
                let sign = if side(seat) == 0 { 0.5 } else { -0.5 };
                points += sign * f64::from(scores[seat.index()]);
                contest += sign * ranks[seat.index()];
                sums[side(seat)].ranked += ranks[seat.index()];
            }
            match end {
                McrEnd::Won {
                    winner, from, fan, ..
                } => {
                    let of = &mut sums[side(winner)];
                    of.wins += 1;
                    of.fan += u32::from(fan.total());
                    of.self_drawn += u32::from(winner == from);
                    sums[side(from)].deal_ins += u32::from(winner != from);
                }
                McrEnd::Drawn => drawn += 1,
                McrEnd::Fault { seat, .. } => panic!("seat {seat} is at fault"),
            }
        }
        ahead.push(points / SEATINGS.len() as f64);
        ahead_ranked.push(contest / SEATINGS.len() as f64);
    }
    let games = walls as f64 * SEATINGS.len() as f64;
    println!(
        "{walls} walls from {first}, {games} games: cs-learned is ahead by {} points a game, {} in \
         contests",
        interval(&ahead),
        interval(&ahead_ranked)
    );
    for (name, of) in ["cs-learned", "cs-fan"].iter().zip(&sums) {
        let share = |number: u32| 100.0 * f64::from(number) / games / 2.0;
        println!(
            "  {name:<10} wins {:.1} % of its hands ({:.1} % of these self-drawn) with {:.1} fan, \
             deals in {:.1} %, {:.3} in contests",
            share(of.wins),
            100.0 * f64::from(of.self_drawn) / f64::from(of.wins.max(1)),
            f64::from(of.fan) / f64::from(of.wins.max(1)),
            share(of.deal_ins),
            of.ranked / games / 2.0,
        );
    }
    println!("  drawn {:.1} %", 100.0 * f64::from(drawn) / games);
    learned.times.sort_unstable();
    let at = |thousandth: usize| learned.times[(learned.times.len() - 1) * thousandth / 1_000];
    println!(
        "  {} decisions of cs-learned: half within {:.1?}, 99 % within {:.1?}, all within {:.1?}",
        learned.times.len(),
        at(500),
        at(990),
        at(1_000)
    );
}

/// The mean with its interval of 95 %.
fn interval(values: &[f64]) -> String {
    let number = values.len() as f64;
    let mean = values.iter().sum::<f64>() / number;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / (number - 1.0);
    let half = 1.96 * (variance / number).sqrt();
    format!("{mean:+.2} ({:+.2} to {:+.2})", mean - half, mean + half)
}
