//! `figures luck`: fits the weights of the luck of riichi, `lab::game::luck::riichi`.

use std::fmt::Write as _;

use anyhow::Context;
use lab::game::luck::riichi::{CLASSES, RiichiLuck};
use lab::game::{GameId, GameNews, SeatPlayer, play};
use lab_stats::Cholesky;
use policy_host::DirectThread;
use riichi::game::RiichiGame;

use crate::KnownGames;

/// The part of the diagonal that is added to it, and what is added besides: weights of classes that
/// hardly occur stay near 0.
const RIDGE: f64 = 1e-3;
const FLOOR: f64 = 1.0;

/// The sums of a least-squares fit of places on sums of luck, which add up.
struct LuckFit {
    /// The lower triangle of the products of the sums, row by row.
    products: Vec<f64>,
    with_place: Vec<f64>,
}

/// The sums of a seat in a game by class, and its place above the average.
struct LuckRow {
    sums: [f64; CLASSES],
    place: f64,
}

impl LuckFit {
    fn new() -> Self {
        Self {
            products: vec![0.0; CLASSES * (CLASSES + 1) / 2],
            with_place: vec![0.0; CLASSES],
        }
    }

    fn add(&mut self, LuckRow { sums, place }: &LuckRow) {
        let mut at = 0;
        for row in 0..CLASSES {
            for column in 0..=row {
                self.products[at] += sums[row] * sums[column];
                at += 1;
            }
            self.with_place[row] += sums[row] * place;
        }
    }

    fn weights(&self) -> Vec<f64> {
        let mut products = self.products.clone();
        for row in 0..CLASSES {
            let diagonal = &mut products[row * (row + 1) / 2 + row];
            *diagonal += RIDGE * *diagonal + FLOOR;
        }
        Cholesky::new(CLASSES, products).solve(self.with_place.clone())
    }
}

/// The part of the variance of places that is left when luck is taken off.
fn left(rows: &[LuckRow], weights: &[f64]) -> f64 {
    let luck = |row: &LuckRow| -> f64 {
        let sums = row.sums.iter().zip(weights);
        sums.map(|(sum, weight)| sum * weight).sum()
    };
    let squares = |value: &dyn Fn(&LuckRow) -> f64| -> f64 {
        rows.iter().map(|row| value(row).powi(2)).sum()
    };
    squares(&|row| row.place - luck(row)) / squares(&|row| row.place)
}

/// Plays games, fits the weights to them, and prints their file.
///
/// # Errors
///
/// If a config is wrong, or a game cannot be played.
pub(crate) fn luck_figures(games: &KnownGames) -> anyhow::Result<()> {
    let rows = played_rows(games)?;
    let (mut all, mut even) = (LuckFit::new(), LuckFit::new());
    let players = usize::from(games.players);
    let mut odd = Vec::new();
    for (place, row) in rows.into_iter().enumerate() {
        all.add(&row);
        if (place / players).is_multiple_of(2) {
            even.add(&row);
        } else {
            odd.push(row);
        }
    }
    let held_out = left(&odd, &even.weights());
    let mut text = format!(
        "# Weights of the luck of riichi with {players} players, by class of term: printed by\n\
         # figures luck {}\n\
         # Fitted to one half of the games, {:.1} % of the variance of a place are left in the other.\n",
        games.in_words(),
        100.0 * held_out
    );
    for weight in all.weights() {
        let _ = writeln!(text, "{weight:.4}");
    }
    say::output::say(text.trim_end());
    Ok(())
}

/// The rows of all seats in games that are played for it.
fn played_rows(games: &KnownGames) -> anyhow::Result<Vec<LuckRow>> {
    let count = games
        .games
        .context("luck is fitted to games that are played for it; use --games N --bot CONFIG")?;
    let entrants = games.entrants()?;
    let middle = f64::midpoint(1.0, games.players.into());
    let mut rows = Vec::new();
    let played = DirectThread::run("figures", |thread| {
        for number in 1..=u64::from(count) {
            // The bots move on by a seat from game to game.
            let at_seat = |seat: usize| &entrants[(seat + number as usize) % entrants.len()];
            let players =
                (0..games.players.into()).map(|seat| SeatPlayer::Bot(thread, at_seat(seat)));
            let id = GameId {
                seed: games.seed,
                wall: number,
                seating: 0,
            };
            let mut luck = RiichiLuck::new(&games.rules());
            let played = play::<RiichiGame>(games.rules(), id, players, |news| {
                if let GameNews::Happened(event, after) = news {
                    luck.heard(event, after.tables);
                }
            })
            .with_context(|| format!("game {number} cannot be played"))?;
            for (seat, &place) in played.end.places.iter().enumerate() {
                rows.push(LuckRow {
                    sums: std::array::from_fn(|class| luck.sums()[class][seat]),
                    place: f64::from(place) - middle,
                });
            }
        }
        anyhow::Ok(())
    });
    played.context("the games cannot be played")??;
    Ok(rows)
}
