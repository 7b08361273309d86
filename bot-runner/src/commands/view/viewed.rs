//! The operations needed to show the decisions of a game.

use std::num::NonZeroU64;

use doudizhu::{DouDizhuAction, DouDizhuGame, DouDizhuSeatState};
use doudizhu_split::SplitEffort;
use lab::replayed::ReplayedGame;
use mcr::{McrAction, McrGame, McrSeatState};
use riichi::game::RiichiGame;
use riichi::{Action, ActionOf, SeatTable, Table};
use view::page::{PageAction, SimulatedFigure};

use super::super::simulate::places_above_last;

/// A game whose decisions can be shown.
pub(super) trait ViewedGame: ReplayedGame<Table: SeatTable<Action: PageAction + Send>> {
    const SIMULATED: SimulatedFigure;

    /// The average outcome of each action, with this many simulations in total; `None` when no hidden tiles fit.
    fn simulate(table: &Self::Table, legal: &[ActionOf<Self>], number: NonZeroU64) -> Option<Vec<f32>>;
}

impl ViewedGame for RiichiGame {
    const SIMULATED: SimulatedFigure = SimulatedFigure::Places;

    fn simulate(table: &Table, legal: &[Action], number: NonZeroU64) -> Option<Vec<f32>> {
        places_above_last(table, legal, number)
    }
}

impl ViewedGame for DouDizhuGame {
    const SIMULATED: SimulatedFigure = SimulatedFigure::Wins;

    fn simulate(table: &DouDizhuSeatState, legal: &[DouDizhuAction], number: NonZeroU64) -> Option<Vec<f32>> {
        let playouts = usize::try_from(number.get()).unwrap_or(usize::MAX);
        let tried = doudizhu_split::decide(table, legal, &SplitEffort { candidates: legal.len(), playouts })?;
        Some(tried.values.into_iter().map(|value| value.unwrap_or(f32::NAN)).collect())
    }
}

impl ViewedGame for McrGame {
    const SIMULATED: SimulatedFigure = SimulatedFigure::Points;

    fn simulate(table: &McrSeatState, legal: &[McrAction], number: NonZeroU64) -> Option<Vec<f32>> {
        cs_fan::simulate(table, legal, number)
    }
}
