//! `figures luck`: fits the weights of the luck of a game, `lab::game::luck`.

use std::fmt::Write as _;

use anyhow::{Context, bail};
use clap::Args;
use doudizhu::DouDizhuGame;
use lab::game::luck::WEIGHTS;
use lab::game::{GameId, GameNews, NamedGame, PlayedGame, SeatPlayer, play};
use lab_stats::{Cholesky, Spread, spread_of};
use mcr::McrGame;
use policy_host::{DirectThread, GameKind, Measure};
use riichi::WholeGame;
use riichi::game::RiichiGame;

use crate::KnownGames;

/// The part of the diagonal that is added to it, and what is added besides: weights of classes that
/// hardly occur stay near 0.
const RIDGE: f64 = 1e-3;
const FLOOR: f64 = 1.0;

#[derive(Debug, Args)]
pub(crate) struct LuckArgs {
    /// The game: riichi, chinese-standard or doudizhu
    #[arg(long, default_value_t = GameKind::Riichi)]
    game: GameKind,
    #[command(flatten)]
    games: KnownGames,
}

/// The sums of a least-squares fit of what seats got on sums of luck, which add up.
struct LuckFit {
    classes: usize,
    /// The lower triangle of the products of the sums, row by row.
    products: Vec<f64>,
    with_value: Vec<f64>,
}

/// The seats of a game: the sums of each by class, and its place or points above the average.
type LuckGame = Vec<LuckRow>;

struct LuckRow {
    sums: Vec<f64>,
    value: f64,
}

impl LuckFit {
    fn new(classes: usize) -> Self {
        Self {
            classes,
            products: vec![0.0; classes * (classes + 1) / 2],
            with_value: vec![0.0; classes],
        }
    }

    /// Fitted to these games.
    fn to<'g>(classes: usize, games: impl Iterator<Item = &'g LuckGame>) -> Vec<f64> {
        let mut fit = Self::new(classes);
        games.flatten().for_each(|row| fit.add(row));
        fit.weights()
    }

    fn add(&mut self, LuckRow { sums, value }: &LuckRow) {
        let mut at = 0;
        for row in 0..self.classes {
            for column in 0..=row {
                self.products[at] += sums[row] * sums[column];
                at += 1;
            }
            self.with_value[row] += sums[row] * value;
        }
    }

    fn weights(self) -> Vec<f64> {
        let mut products = self.products;
        for row in 0..self.classes {
            let diagonal = &mut products[row * (row + 1) / 2 + row];
            *diagonal += RIDGE * *diagonal + FLOOR;
        }
        Cholesky::new(self.classes, products).solve(self.with_value)
    }
}

/// The squares of what the seats of a game got, without luck and as it was.
fn squares(game: &LuckGame, weights: &[f64]) -> [f64; 2] {
    let mut squares = [0.0; 2];
    for LuckRow { sums, value } in game {
        let luck: f64 = sums
            .iter()
            .zip(weights)
            .map(|(sum, weight)| sum * weight)
            .sum();
        squares[0] += (value - luck).powi(2);
        squares[1] += value.powi(2);
    }
    squares
}

/// The part of the variance that is left, with its interval over games.
fn left(squares: &[[f64; 2]]) -> (f64, Option<Spread>) {
    let sum = |of: usize| squares.iter().map(|game| game[of]).sum::<f64>();
    let left = sum(0) / sum(1);
    let apart = squares
        .iter()
        .map(|game| (game[0] - left * game[1]).powi(2));
    let degrees = squares.len() as f64 - 1.0;
    let error = (apart.sum::<f64>() * squares.len() as f64 / degrees).sqrt() / sum(1);
    (left, spread_of(left, error, degrees))
}

/// Plays games, fits the weights to them, and prints their file.
///
/// # Errors
///
/// If a config is wrong, or a game cannot be played.
pub(crate) fn luck_figures(LuckArgs { game, games }: &LuckArgs) -> anyhow::Result<()> {
    match game {
        GameKind::Riichi => file_of::<RiichiGame>(games, games.rules()),
        GameKind::Mcr => file_of::<McrGame>(games, McrGame::usual_rules(4)),
        GameKind::DouDizhu => file_of::<DouDizhuGame>(games, DouDizhuGame::usual_rules(3)),
    }
}

fn file_of<G: NamedGame<Table: 'static>>(
    games: &KnownGames,
    rules: G::Rules,
) -> anyhow::Result<()> {
    let players = G::seat_count(&rules);
    if let Some(other) = games
        .players
        .filter(|&wanted| usize::from(wanted) != players)
    {
        bail!("--players {other}: {} has {players} players", G::KIND);
    }
    let played = played_games::<G>(games, rules)?;
    let classes = played[0][0].sums.len();
    let half = |of: usize| played.iter().skip(of).step_by(2);
    // Each half is judged by weights of the other.
    let mut held_out = Vec::new();
    for of in [0, 1] {
        let weights = LuckFit::to(classes, half(1 - of));
        held_out.extend(half(of).map(|game| squares(game, &weights)));
    }
    let (left, spread) = left(&held_out);
    let interval = spread.map_or_else(String::new, |Spread { low, high, .. }| {
        format!(" (95 % interval {:.1} to {:.1})", 100.0 * low, 100.0 * high)
    });
    let (game, measured) = match G::KIND {
        GameKind::Riichi => (String::new(), "place"),
        game => (format!("--game {game} "), "seat's points"),
    };
    let mut text = format!(
        "# Weights of the luck of {} with {players} players, by class of term: printed by\n\
         # figures luck {game}{}\n\
         # Fitted to all these games. With weights fitted to either half of them, {:.1} %{interval} of the\n\
         # variance of a {measured} are left in the other half.\n\
         {WEIGHTS}\n",
        G::KIND,
        games.in_words(),
        100.0 * left
    );
    for weight in LuckFit::to(classes, played.iter()) {
        let _ = writeln!(text, "{weight:.4}");
    }
    say::output::say(text.trim_end());
    Ok(())
}

fn played_games<G: NamedGame<Table: 'static>>(
    games: &KnownGames,
    rules: G::Rules,
) -> anyhow::Result<Vec<LuckGame>> {
    let count = games
        .games
        .context("luck is fitted to games that are played for it; use --games N --bot CONFIG")?;
    let players = G::seat_count(&rules);
    let entrants = games.entrants(G::KIND, players as u8)?;
    let mut rows = Vec::new();
    let played = DirectThread::run("figures", |thread| {
        for number in 1..=u64::from(count) {
            // The bots move on by a seat from game to game.
            let at_seat = |seat: usize| &entrants[(seat + number as usize) % entrants.len()];
            let seated = (0..players).map(|seat| SeatPlayer::Bot(thread, at_seat(seat)));
            let id = GameId {
                seed: games.seed,
                wall: number,
                seating: 0,
            };
            let mut luck = G::luck(&rules).context("the game has no terms of luck")?;
            let played = play::<G>(rules, id, seated, |news| match news {
                GameNews::Dealt(deals) => luck.dealt(deals),
                GameNews::Happened(event, after) => luck.heard(event, after.tables),
                GameNews::Asked { .. } | GameNews::Decided(_) => {}
            })
            .with_context(|| format!("game {number} cannot be played"))?;
            let values = values::<G>(&played);
            let row = |(seat, value)| LuckRow {
                sums: luck.sums().classes().iter().map(|sum| sum[seat]).collect(),
                value,
            };
            rows.push(values.into_iter().enumerate().map(row).collect());
        }
        anyhow::Ok(())
    });
    played.context("the games cannot be played")??;
    Ok(rows)
}

/// What each seat got, above the average.
fn values<G: NamedGame>(PlayedGame { end, .. }: &PlayedGame) -> Vec<f64> {
    match G::MEASURE {
        Measure::Places => {
            let middle = f64::midpoint(1.0, end.places.len() as f64);
            end.places
                .iter()
                .map(|&place| f64::from(place) - middle)
                .collect()
        }
        Measure::Points { .. } => end.scores.clone(),
    }
}
