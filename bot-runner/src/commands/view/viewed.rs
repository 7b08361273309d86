//! The operations needed to show the decisions of a game.

use std::num::NonZeroU64;

use cs_fan::FanParams;
use doudizhu::{DouDizhuAction, DouDizhuGame, DouDizhuSeatState};
use doudizhu_split::SplitEffort;
use lab::replayed::ReplayedGame;
use mcr::event::PLAYERS;
use mcr::{McrAction, McrGame, McrSeatState};
use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::{Action, ActionOf, Seat, SeatTable, Table};
use view::page::PageAction;

use super::super::simulate::places_above_last;

/// A game whose decisions can be shown.
pub(super) trait ViewedGame: ReplayedGame<Table: SeatTable<Action: PageAction + Send>> {
    /// The kind of the simulated figures.
    const SIMULATED: &'static str;

    /// The average outcome of each action, with this many simulations in total; `None` when no hidden tiles fit.
    fn simulate(table: &Self::Table, legal: &[ActionOf<Self>], number: NonZeroU64) -> Option<Vec<f32>>;
}

impl ViewedGame for RiichiGame {
    const SIMULATED: &'static str = "places above last";

    fn simulate(table: &Table, legal: &[Action], number: NonZeroU64) -> Option<Vec<f32>> {
        places_above_last(table, legal, number)
    }
}

impl ViewedGame for DouDizhuGame {
    const SIMULATED: &'static str = "games won (of a bid: points)";

    fn simulate(table: &DouDizhuSeatState, legal: &[DouDizhuAction], number: NonZeroU64) -> Option<Vec<f32>> {
        let playouts = usize::try_from(number.get()).unwrap_or(usize::MAX);
        let tried = doudizhu_split::decide(table, legal, &SplitEffort { candidates: legal.len(), playouts })?;
        Some(tried.values.into_iter().map(|value| value.unwrap_or(f32::NAN)).collect())
    }
}

impl ViewedGame for McrGame {
    const SIMULATED: &'static str = "points";

    /// All actions are tried with the same hidden tiles, then the better half with more, and so on. All seats play like
    /// `cs-fan`.
    fn simulate(table: &McrSeatState, legal: &[McrAction], number: NonZeroU64) -> Option<Vec<f32>> {
        let mut tried: Vec<usize> = (0..legal.len()).collect();
        let mut values = vec![0.0; legal.len()];
        let stages = legal.len().next_power_of_two().trailing_zeros().max(1);
        let (mut worlds, mut sums) = (0, vec![0.0; legal.len()]);
        loop {
            for _ in 0..(number.get() / u64::from(stages) / tried.len() as u64).max(1) {
                worlds += 1;
                let world = McrGame::from_seat(table, &mut Rng::keyed(&[worlds]))?;
                for &index in &tried {
                    sums[index] += play_out(world.clone(), table.seat(), legal[index]);
                }
            }
            for &index in &tried {
                values[index] = (sums[index] / worlds as f64) as f32;
            }
            if tried.len() <= 2 {
                return Some(values);
            }
            tried.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
            tried.truncate(tried.len().div_ceil(2));
        }
    }
}

/// The points of a seat after this action, when all play on.
fn play_out(mut game: McrGame, own: Seat, action: McrAction) -> f64 {
    let params = FanParams { beyond: 0, ..FanParams::default() };
    let answer = |game: &McrGame, seat: Seat| {
        let state = game.seat(seat);
        let legal = state.legal();
        cs_fan::decide(state, &legal, &params).and_then(|decided| legal.get(decided.index).copied())
    };
    let mut first = Some(action);
    loop {
        if let Some(end) = game.end() {
            return end.scores()[own.index()].into();
        }
        let mut answers = [None; PLAYERS as usize];
        for (seat, place) in Seat::all(PLAYERS).zip(&mut answers) {
            *place = first.filter(|_| seat == own).or_else(|| answer(&game, seat));
        }
        first = None;
        game.answer(answers);
    }
}
