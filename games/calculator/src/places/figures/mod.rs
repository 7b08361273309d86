//! Measured figures of how rounds end, and the code that measures them.

use std::fmt::Debug;
use std::sync::LazyLock;

use riichi::game::RiichiGame;
use riichi::game::Wall;
use riichi::rng::Rng;
use riichi::{Event, Rules, Seat};
use riichi_estimates::figures::FiguresReader;

use crate::fast_policy::FastPolicy;
use crate::round::play_round;
use crate::stakes::Stakes;

/// Values that represent the points of wins: each as likely as the others, lowest first.
pub(super) const QUANTILES: usize = 32;

/// How rounds end. Seats are counted from the dealer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RoundFigures {
    /// The probability that each seat (row) wins on a discard of each other.
    ron: [[f32; 4]; 4],
    /// The probability that each seat wins by self-draw.
    tsumo: [f32; 4],
    /// The probability that the wall is used up with these seats tenpai: a bit for each, the
    /// dealer's the lowest.
    drawn: [f32; 16],
    /// The probability of an abortive draw.
    aborted: f32,
    /// Points of wins in hundreds, without repeat counters and sticks: by discard and self-draw, of
    /// others and of the dealer.
    points: [[[u16; QUANTILES]; 2]; 2],
    /// The probability that a seat has declared riichi: when a player won, the winner, the seat
    /// that dealt in, and the others; in a draw, seats that were tenpai, and seats that were not.
    riichi: [f32; 5],
}

/// The end of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Ron { winner: usize, payer: usize },
    Tsumo { winner: usize },
    Drawn { tenpai: u8 },
    Aborted,
}

/// How rounds of four players end, and rounds of three.
static MEASURED: LazyLock<[RoundFigures; 2]> =
    LazyLock::new(|| RoundFigures::read(include_str!("measured.txt")));

impl RoundFigures {
    pub(super) fn of(players: u8) -> &'static Self {
        let [four, three] = &*MEASURED;
        if players == 3 { three } else { four }
    }

    /// Reads the text of `measured.txt`.
    ///
    /// # Panics
    ///
    /// If it does not have the form of that file.
    fn read(text: &str) -> [Self; 2] {
        let mut file = FiguresReader::new(text);
        let figures = [4, 3].map(|_players| Self {
            ron: file.section("ron").rows(),
            tsumo: file.section("tsumo").row(),
            drawn: file.section("drawn").row(),
            aborted: file.section("aborted").number(),
            points: {
                file.section("points");
                std::array::from_fn(|_| file.rows())
            },
            riichi: file.section("riichi").row(),
        });
        file.end();
        figures
    }

    pub(super) fn end(&self, rng: &mut Rng) -> End {
        let mut rest = rng.unit() as f32;
        let mut is_next = |chance: f32| {
            rest -= chance;
            rest < 0.0 && chance > 0.0
        };
        for (winner, payers) in self.ron.iter().enumerate() {
            if let Some(payer) = payers.iter().position(|&chance| is_next(chance)) {
                return End::Ron { winner, payer };
            }
        }
        if let Some(winner) = self.tsumo.iter().position(|&chance| is_next(chance)) {
            return End::Tsumo { winner };
        }
        match self.drawn.iter().position(|&chance| is_next(chance)) {
            Some(tenpai) => End::Drawn {
                tenpai: tenpai as u8,
            },
            None => End::Aborted,
        }
    }

    /// Points of a win drawn at random, without repeat counters and sticks.
    pub(super) fn points(&self, tsumo: bool, dealer: bool, rng: &mut Rng) -> i32 {
        100 * i32::from(self.points[usize::from(tsumo)][usize::from(dealer)][rng.below(QUANTILES)])
    }

    pub(super) fn riichi_chance(&self, end: &End, seat: usize) -> f32 {
        match *end {
            End::Ron { winner, .. } | End::Tsumo { winner } if winner == seat => self.riichi[0],
            End::Ron { payer, .. } if payer == seat => self.riichi[1],
            End::Ron { .. } | End::Tsumo { .. } => self.riichi[2],
            End::Drawn { tenpai } if tenpai >> seat & 1 == 1 => self.riichi[3],
            End::Drawn { .. } => self.riichi[4],
            End::Aborted => 0.0,
        }
    }
}

#[derive(Debug, Default)]
struct Counted {
    rounds: u32,
    ron: [[u32; 4]; 4],
    tsumo: [u32; 4],
    drawn: [u32; 16],
    aborted: u32,
    points: [[Vec<u16>; 2]; 2],
    /// Number of seats, and number of them in riichi.
    riichi: [[u32; 2]; 5],
}

/// Plays this many games of the fast policy and writes how their rounds ended, as the text of
/// `measured.txt`.
pub fn measure(games: u64) -> String {
    use std::fmt::Write as _;
    let mut text = format!(
        "# How rounds end, as this command prints it.\n#\n\
         # cargo run --release -p calculator --example rounds -- {games}\n"
    );
    for players in [4, 3] {
        let (rounds, figures) = count(players, games);
        let RoundFigures {
            ron,
            tsumo,
            drawn,
            aborted,
            points,
            riichi,
        } = figures;
        let _ = write!(
            text,
            "\n# {rounds} rounds of {players} players.\nron\n{}tsumo\n{}drawn\n{}aborted\n{aborted:?}\npoints\n{}riichi\n{}",
            ron.iter().map(|row| line(row)).collect::<String>(),
            line(&tsumo),
            line(&drawn),
            points
                .as_flattened()
                .iter()
                .map(|row| line(row))
                .collect::<String>(),
            line(&riichi),
        );
    }
    text
}

fn line(row: &[impl Debug]) -> String {
    let numbers: Vec<String> = row.iter().map(|number| format!("{number:?}")).collect();
    numbers.join(" ") + "\n"
}

/// The number of rounds, and how they ended.
fn count(players: u8, games: u64) -> (u32, RoundFigures) {
    let rules = Rules::TENHOU_HALF.with_players(players);
    let policy = FastPolicy::shared(players);
    let mut counted = Counted::default();
    for seed in 0..games {
        let mut rng = Rng::keyed(&[seed, u64::from(players)]);
        let mut wall = || Wall::shuffled(&rules, &mut rng).tiles().to_vec();
        let Ok(mut game) = RiichiGame::with_wall(rules, &wall()) else {
            continue;
        };
        while !game.is_over() {
            if game.awaits_wall() {
                let _ = game.deal(&wall());
            }
            let (dealer, honba) = (game.round().oya, game.round().honba);
            let stakes = Stakes::new(game.scores(), game.rules(), game.round());
            let outcome = play_round(&mut game, policy, &stakes);
            counted.add(&game, dealer, honba, outcome.tenpai.is_some());
        }
    }
    (counted.rounds, counted.figures())
}

impl Counted {
    fn add(&mut self, game: &RiichiGame, dealer: Seat, honba: u8, drawn: bool) {
        let players = game.rules().players;
        let place = |seat: Seat| usize::from(seat.turns_after(dealer, players));
        self.rounds += 1;
        let first = game.events().iter().find_map(|event| match event {
            Event::Hora(win) => Some(win),
            _ => None,
        });
        let mut tenpai = 0_usize;
        if let Some(win) = first {
            let (winner, payer) = (place(win.actor), place(win.target));
            let tsumo = win.actor == win.target;
            if tsumo {
                self.tsumo[winner] += 1;
            } else {
                self.ron[winner][payer] += 1;
            }
            let paid: i32 = win.deltas.map_or(0, |deltas| {
                deltas.iter().map(|(_, &delta)| (-delta).max(0)).sum()
            });
            let points = paid - game.rules().honba_points(honba);
            self.points[usize::from(tsumo)][usize::from(winner == 0)].push((points / 100) as u16);
        } else if drawn {
            for seat in Seat::all(players) {
                tenpai |= usize::from(!game.waits(seat).is_empty()) << place(seat);
            }
            self.drawn[tenpai] += 1;
        } else {
            self.aborted += 1;
            return;
        }
        for seat in Seat::all(players) {
            let sort = match first {
                Some(win) if win.actor == seat => 0,
                Some(win) if win.target == seat => 1,
                Some(_) => 2,
                None if tenpai >> place(seat) & 1 == 1 => 3,
                None => 4,
            };
            self.riichi[sort][0] += 1;
            self.riichi[sort][1] += u32::from(game.players()[seat].riichi.is_some());
        }
    }

    fn figures(&self) -> RoundFigures {
        let part = |count: u32| {
            (f64::from(count) / f64::from(self.rounds.max(1)) * 1e5).round() as f32 / 1e5
        };
        let quantiles = |points: &Vec<u16>| {
            let mut sorted = points.clone();
            sorted.sort_unstable();
            std::array::from_fn(|index| {
                sorted
                    .get((2 * index + 1) * sorted.len() / (2 * QUANTILES))
                    .copied()
                    .unwrap_or(0)
            })
        };
        RoundFigures {
            ron: self.ron.map(|payers| payers.map(part)),
            tsumo: self.tsumo.map(part),
            drawn: self.drawn.map(part),
            aborted: part(self.aborted),
            points: [0, 1].map(|tsumo| [0, 1].map(|dealer| quantiles(&self.points[tsumo][dealer]))),
            riichi: self
                .riichi
                .map(|[all, riichi]| (riichi as f32 / all.max(1) as f32 * 1e4).round() / 1e4),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_chances_that_add_up() {
        for figures in &*MEASURED {
            let ron: f32 = figures.ron.iter().flatten().sum();
            let all =
                ron + figures.tsumo.iter().chain(&figures.drawn).sum::<f32>() + figures.aborted;
            assert!((all - 1.0).abs() < 1e-3, "{all}");
            assert!(
                figures
                    .points
                    .iter()
                    .flatten()
                    .all(|points| points.is_sorted() && points[0] >= 10)
            );
        }
    }

    #[test]
    fn rounds_end_at_the_rates_of_the_figures() {
        let mut rng = Rng::keyed(&[3]);
        let figures = RoundFigures::of(4);
        let tsumo = (0..20_000)
            .filter(|_| matches!(figures.end(&mut rng), End::Tsumo { winner: 0 }))
            .count() as f32
            / 20_000.0;
        assert!((tsumo - figures.tsumo[0]).abs() < 0.01, "{tsumo}");
    }

    #[test]
    fn the_figures_are_the_ones_with_which_the_policies_were_measured() {
        // FNV-1a of all figures as text, from which each can be read back exactly.
        let hash = [4, 3].map(|players| {
            format!("{:?}", RoundFigures::of(players))
                .bytes()
                .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
                })
        });
        assert_eq!(hash, [0x98d4_30cf_57b4_f9ee, 0x1a9d_2d5c_b1eb_1784]);
    }

    #[test]
    fn the_committed_figures_equal_the_output_of_the_measurement() {
        let committed = include_str!("measured.txt");
        let written = measure(20);
        let shape = |text: &str| -> Vec<String> {
            text.lines()
                .map(|line| {
                    line.chars()
                        .filter(|c| !c.is_ascii_digit() && *c != '.')
                        .collect()
                })
                .collect()
        };
        assert_eq!(
            shape(committed),
            shape(&written),
            "all but the numbers is the same"
        );
    }
}
