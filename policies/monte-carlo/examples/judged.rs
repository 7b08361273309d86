//! The value of estimates and simulations, decision by decision: `cargo run --release -p monte-carlo --example judged
//! -- 200`.
//!
//! Four `defensive-fold` play games. Some of their decisions are played out, each action close to the best on the same
//! tiles: from the true hidden tiles, with walls shuffled again, by `defensive-fold` on all seats. The resulting place
//! is unbiased, if noisy, because the hidden tiles of many decisions follow the game's own distribution. Least squares
//! show which part of a difference in the estimates, and in the calculator's simulations, is real:
//!
//! true difference = a x reckoned difference + b x simulated difference
//!
//! A value that is right has a weight of 1 alone, one that says nothing has 0. The argument is the number of games.
#![allow(clippy::print_stdout, reason = "its output is the table")]

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use calculator::places::place_chances;
use calculator::{Calculation, Goal};
use defensive_fold::DefensiveFold;
use lab::advisor::{Advisor, NoAdvice};
use lab::game::Entrant;
use policy_host::{ChosenPolicy, GameKind, Launch, RoundLog, StartOptions};
use riichi::belief::Belief;
use riichi::game::{Hidden, RiichiGame};
use riichi::rng::Rng;
use riichi::{Action, LegalActions, Rules, Seat, Wind, leaves_choice};

/// Worlds of the belief that all actions are simulated on.
const WORLDS: u64 = 500;
/// Walls that all actions are played out on.
const WALLS: u64 = 16;
/// Draws of the rounds that are left.
const PLACE_DRAWS: u32 = 64;
/// Maximum estimated distance from the best, in places, of an action that is still considered.
const CLOSE: f32 = 0.1;
/// Maximum number of actions of a decision.
const MAX_ACTIONS: usize = 5;
/// The approximate standard deviation of a place due to the hidden tiles, besides that due to the wall: it determines
/// the weight of a decision.
const BY_HIDDEN_TILES: f64 = 0.05;
/// One in this many decisions is judged, and fewer of the many discards without a threat.
const ONE_IN: u64 = 8;
const ONE_DISCARD_IN: u64 = 160;

fn main() {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(20);
    let entrant = Entrant {
        policy: ChosenPolicy::of::<DefensiveFold>(),
        options: StartOptions {
            bot: "judged".to_owned(),
            game: GameKind::Riichi,
            players: 4,
            config_folder: "".into(),
            launch: Launch::own(Vec::new()),
        },
        budget: Duration::from_secs(5),
        limit: None,
    };
    let fits = Advisor::with(&entrant, |advisor| {
        let mut fits = BTreeMap::new();
        for seed in 0..games {
            watch(advisor, seed, &mut fits)?;
        }
        Ok::<_, NoAdvice>(fits)
    });
    match fits {
        Err(error) => println!("{error}"),
        Ok(fits) => {
            println!("{:24} {:>6}  {:15}  {:15}", "what", "pairs", "reckoned", "simulated");
            fits.iter().for_each(|(what, fit): (&String, &Fit)| println!("{what:24} {fit}"));
        }
    }
}

/// Plays a game and judges some of its decisions.
fn watch(advisor: &mut Advisor<'_>, seed: u64, fits: &mut BTreeMap<String, Fit>) -> Result<(), NoAdvice> {
    let mut game = RiichiGame::new(Rules::TENHOU_HALF, seed);
    let mut rng = Rng::keyed(&[seed]);
    while !game.is_over() {
        for seat in game.asked() {
            let (action, close) = decide(advisor, &game, seat)?;
            if close.len() > 1 {
                let what = what(&game, seat, &close);
                if rng.next_u64().is_multiple_of(if what == "discard" { ONE_DISCARD_IN } else { ONE_IN }) {
                    judge(advisor, &game, seat, &close, fits.entry(what).or_default())?;
                }
            }
            game.answer(seat, action).expect("the policy chooses from the legal actions");
        }
    }
    Ok(())
}

/// The policy's choice, and the actions close to it with their values, its choice first.
fn decide(advisor: &mut Advisor<'_>, game: &RiichiGame, seat: Seat) -> Result<(Action, Vec<(Action, f32)>), NoAdvice> {
    let legal: LegalActions = game.legal_actions(seat);
    if !leaves_choice(&legal) {
        return Ok((legal[0], Vec::new()));
    }
    let decided = advisor.ask(|view, asked| view.fill(&game.table(seat), &RoundLog::default(), &legal, asked))?;
    let chosen = legal[decided.index];
    let mut valued: Vec<(Action, f32)> =
        legal.into_iter().zip(decided.values).filter(|(_, value)| !value.is_nan()).collect();
    let best = valued.iter().find(|(action, _)| *action == chosen).map_or(f32::INFINITY, |(_, value)| *value);
    // An action without a choice, such as a win, has a value beyond all places.
    valued.retain(|(_, value)| (best - CLOSE..100.0).contains(value));
    valued.sort_by(|a, b| (b.0 == chosen).cmp(&(a.0 == chosen)).then(b.1.total_cmp(&a.1)));
    valued.truncate(MAX_ACTIONS);
    Ok((chosen, valued))
}

/// The kind of decision.
fn what(game: &RiichiGame, own: Seat, close: &[(Action, f32)]) -> String {
    let any = |which: fn(&Action) -> bool| close.iter().any(|(action, _)| which(action));
    let kind = if any(|action| matches!(action, Action::Reach { .. })) {
        "riichi"
    } else if any(|action| matches!(action, Action::Ankan { .. } | Action::Kakan { .. })) {
        "kan"
    } else if any(|action| !matches!(action, Action::Dahai { .. })) {
        "call"
    } else {
        "discard"
    };
    let mut others = Seat::all(4).filter(|&seat| seat != own).map(|seat| &game.players()[seat]);
    let threatened = others.any(|player| player.riichi.is_some() || player.melds.len() >= 3);
    let round = game.round();
    let last = round.bakaze == Wind::South && round.oya.index() == 3;
    format!("{kind}{}{}", if threatened { ", threatened" } else { "" }, if last { ", last round" } else { "" })
}

/// Each action of a decision compared with the chosen one: estimated, simulated, and played out.
fn judge(
    advisor: &mut Advisor<'_>,
    game: &RiichiGame,
    seat: Seat,
    close: &[(Action, f32)],
    fit: &mut Fit,
) -> Result<(), NoAdvice> {
    let table = game.table(seat);
    let actions: Vec<Action> = close.iter().map(|&(action, _)| action).collect();
    let belief = Belief::of(&table);
    let Ok(mut calculation) = Calculation::new(&table, &actions, Goal::Place, None, fit.seed()) else { return Ok(()) };
    // No budget counts as used until all is, so that no action is left out.
    let used = |so_far: &Calculation<'_>| f64::from(u8::from(so_far.simulations() >= WORLDS * actions.len() as u64));
    if calculation.run(|rng| RiichiGame::from_table(&table, &belief.sample(rng)), used).is_err() {
        return Ok(());
    }
    let mut gains = vec![[0.0; 2]; actions.len()];
    for wall in 0..WALLS {
        let mut hidden = Hidden::from_seat_of(game, seat);
        Rng::keyed(&[fit.seed(), wall]).shuffle(&mut hidden.wall);
        let Ok(world) = RiichiGame::from_table(&table, &hidden) else { return Ok(()) };
        let mut first = None;
        for (&action, [sum, squares]) in actions.iter().zip(&mut gains) {
            let place = play_out(advisor, world.clone(), seat, action)?;
            let gain = *first.get_or_insert(place) - place;
            *sum += gain;
            *squares += gain * gain;
        }
    }
    for (index, [sum, squares]) in gains.iter().enumerate().skip(1) {
        let (n, mean) = (WALLS as f64, sum / WALLS as f64);
        let variance = (squares / n - mean * mean).max(0.0) / (n - 1.0) + BY_HIDDEN_TILES * BY_HIDDEN_TILES;
        let reckoned = f64::from(close[index].1 - close[0].1);
        let weight = 1.0 / variance / (actions.len() - 1) as f64;
        fit.0.push(([reckoned, calculation.difference(index, 0).0], mean, weight));
    }
    Ok(())
}

/// The expected own place when the seat takes this action and all seats continue with the policy.
fn play_out(advisor: &mut Advisor<'_>, mut game: RiichiGame, own: Seat, action: Action) -> Result<f64, NoAdvice> {
    let mut first = Some(action);
    while !game.is_over() && !game.awaits_wall() {
        for seat in game.asked() {
            let action = match first.filter(|_| seat == own) {
                Some(action) => action,
                None => decide(advisor, &game, seat)?.0,
            };
            game.answer(seat, action).expect("it is legal");
        }
        first = None;
    }
    let Some(round) = game.next_round() else { return Ok(f64::from(game.scores().place(own))) };
    let mut rng = Rng::keyed(&[0]);
    let chances = place_chances(game.rules(), game.scores(), game.kyotaku(), round, PLACE_DRAWS, &mut rng)[own];
    Ok(chances.iter().zip(1_u8..).map(|(chance, place)| chance * f64::from(place)).sum())
}

/// Weighted least squares of two variables without a constant: the variables, the dependent value, the weight.
#[derive(Default)]
struct Fit(Vec<([f64; 2], f64, f64)>);

impl Fit {
    /// Another one for each decision.
    fn seed(&self) -> u64 {
        self.0.len() as u64
    }

    /// The coefficient of each variable, with standard errors that are robust against unequal variances.
    fn coefficients(&self) -> [(f64, f64); 2] {
        let mut normal = [[0.0; 2]; 2];
        let mut right = [0.0; 2];
        for &(x, y, weight) in &self.0 {
            for (i, row) in normal.iter_mut().enumerate() {
                right[i] += weight * x[i] * y;
                for (entry, other) in row.iter_mut().zip(x) {
                    *entry += weight * x[i] * other;
                }
            }
        }
        let [[a, b], [_, d]] = normal;
        let determinant = a * d - b * b;
        let inverse = [[d / determinant, -b / determinant], [-b / determinant, a / determinant]];
        let solved = inverse.map(|row| row[0] * right[0] + row[1] * right[1]);
        let mut variances = [0.0; 2];
        for &(x, y, weight) in &self.0 {
            let residual = weight * (y - solved[0] * x[0] - solved[1] * x[1]);
            for (variance, row) in variances.iter_mut().zip(inverse) {
                *variance += (residual * (row[0] * x[0] + row[1] * x[1])).powi(2);
            }
        }
        [(solved[0], variances[0].sqrt()), (solved[1], variances[1].sqrt())]
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(reckoned, its_error), (simulated, error)] = self.coefficients();
        write!(f, "{:6}  {reckoned:+.2} +- {its_error:.2}  {simulated:+.2} +- {error:.2}", self.0.len())
    }
}
