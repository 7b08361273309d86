//! The end of the game: the probability of each place after a round.
//!
//! The rounds that are left are drawn from [measured ones](figures). [`RoundId::next`] gives the
//! rules: who deals next, repeats, sticks, the end. The figures ignore that seats play differently
//! because of their scores.

mod figures;

use std::collections::HashMap;

use riichi::event::Points;
use riichi::game::{RiichiGame, RoundId, RoundVerdict};
use riichi::rng::Rng;
use riichi::rules::{HONBA_SHARE, RIICHI_STICK};
use riichi::{MAX_PLAYERS, PerSeat, Rules, Seat};

use figures::RoundFigures;
pub use figures::measure;

/// Maximum number of rounds drawn for a game; no possible game has that many.
const MAX_ROUNDS: usize = 100;

/// The probability of each place for one seat, by how the round ended; results are cached.
#[derive(Debug)]
pub(crate) struct FinalPlaces {
    rules: Rules,
    seat: Seat,
    seed: u64,
    known: HashMap<(Points, u8, RoundId), [f64; MAX_PLAYERS]>,
}

impl FinalPlaces {
    pub(crate) fn new(rules: &Rules, seat: Seat, seed: u64) -> Self {
        Self {
            rules: *rules,
            seat,
            seed,
            known: HashMap::new(),
        }
    }

    /// The probability of each place when a round is over, first to last, from this many random
    /// continuations.
    pub(crate) fn chances(&mut self, game: &RiichiGame, draws: u32) -> [f64; MAX_PLAYERS] {
        let Some(round) = game.next_round() else {
            let mut places = [0.0; MAX_PLAYERS];
            places[usize::from(game.scores().place(self.seat) - 1)] = 1.0;
            return places;
        };
        let state = (*game.scores(), game.kyotaku(), round);
        let Self {
            rules,
            seat,
            seed,
            known,
        } = self;
        *known.entry(state).or_insert_with(|| {
            place_chances(
                rules,
                &state.0,
                state.1,
                round,
                draws,
                &mut Rng::keyed(&[*seed]),
            )[*seat]
        })
    }
}

/// The final scores after rounds drawn at random.
fn play_out(
    figures: &RoundFigures,
    rules: &Rules,
    mut scores: Points,
    mut sticks: u8,
    mut round: RoundId,
    rng: &mut Rng,
) -> Points {
    for _ in 0..MAX_ROUNDS {
        let end = figures.play(rules, &mut scores, &mut sticks, round, rng);
        match round.next(end, rules, &scores) {
            Some(next) => round = next,
            None => break,
        }
    }
    if let Some(first) = Seat::all(rules.players).find(|&seat| scores.place(seat) == 1) {
        scores[first] += i32::from(sticks) * RIICHI_STICK;
    }
    scores
}

impl RoundFigures {
    /// Plays a randomly drawn round: changes scores and sticks, and returns how it ended.
    fn play(
        &self,
        rules: &Rules,
        scores: &mut Points,
        sticks: &mut u8,
        round: RoundId,
        rng: &mut Rng,
    ) -> RoundVerdict {
        let players = rules.players;
        let seat = |from_dealer: usize| {
            Seat::new((round.oya.index() + from_dealer) as u8 % players).unwrap_or(Seat::FIRST)
        };
        let drawn = self.end(rng);
        for from_dealer in 0..usize::from(players) {
            if rng.unit() < f64::from(self.riichi_chance(&drawn, from_dealer))
                && scores[seat(from_dealer)] >= RIICHI_STICK
            {
                scores[seat(from_dealer)] -= RIICHI_STICK;
                *sticks = sticks.saturating_add(1);
            }
        }
        match drawn {
            figures::End::Ron { winner, payer } => {
                let points = self.points(false, winner == 0, rng) + rules.honba_points(round.honba);
                scores[seat(payer)] -= points;
                scores[seat(winner)] += points + i32::from(std::mem::take(sticks)) * RIICHI_STICK;
                RoundVerdict::Won {
                    by_dealer: winner == 0,
                }
            }
            figures::End::Tsumo { winner } => {
                let points = self.points(true, winner == 0, rng);
                let shares = if winner == 0 {
                    i32::from(players - 1)
                } else {
                    i32::from(players)
                };
                for payer in (0..usize::from(players)).filter(|&payer| payer != winner) {
                    let double = if winner != 0 && payer == 0 { 2 } else { 1 };
                    let share = (points * double / shares + 99) / 100 * 100
                        + HONBA_SHARE * i32::from(round.honba);
                    scores[seat(payer)] -= share;
                    scores[seat(winner)] += share;
                }
                scores[seat(winner)] += i32::from(std::mem::take(sticks)) * RIICHI_STICK;
                RoundVerdict::Won {
                    by_dealer: winner == 0,
                }
            }
            figures::End::Drawn { tenpai } => {
                let count = tenpai.count_ones() as i32;
                let noten = i32::from(players) - count;
                if count > 0 && noten > 0 {
                    let total = 1_000 * i32::from(players - 1);
                    for from_dealer in 0..usize::from(players) {
                        let change = if tenpai >> from_dealer & 1 == 1 {
                            total / count
                        } else {
                            -total / noten
                        };
                        scores[seat(from_dealer)] += change;
                    }
                }
                RoundVerdict::Drawn {
                    dealer_tenpai: tenpai & 1 == 1,
                }
            }
            figures::End::Aborted => RoundVerdict::Aborted,
        }
    }
}

/// The probability of each place for each seat before a round, first to last: with these scores and
/// sticks, from this many random continuations.
pub fn place_chances(
    rules: &Rules,
    scores: &Points,
    sticks: u8,
    round: RoundId,
    draws: u32,
    rng: &mut Rng,
) -> PerSeat<[f64; MAX_PLAYERS]> {
    let figures = RoundFigures::of(rules.players);
    let mut places = PerSeat::from_fn(rules.players, |_| [0.0; MAX_PLAYERS]);
    for _ in 0..draws {
        let end = play_out(figures, rules, *scores, sticks, round, rng);
        for (seat, chances) in places.iter_mut() {
            chances[usize::from(end.place(seat) - 1)] += 1.0 / f64::from(draws);
        }
    }
    places
}
