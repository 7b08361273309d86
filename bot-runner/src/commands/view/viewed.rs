//! The operations needed to show the decisions of a game.

use std::num::NonZeroU64;

use calculator::Mean;
use cs_fan::SimulatedPoints;
use doudizhu::{DouDizhuAction, DouDizhuGame, DouDizhuSeatState};
use doudizhu_split::SplitEffort;
use lab::game::NamedGame;
use lab::replayed::ReplayedGame;
use mcr::{McrAction, McrGame, McrSeatState};
use riichi::game::RiichiGame;
use riichi::{Action, ActionOf, ActionWords, SeatTable, Table};
use view::page::{ShownPieces, SimulatedFigure, SimulatedValue};

use super::super::simulate::places_above_last;

/// A game whose decisions can be shown.
pub(in crate::commands) trait ViewedGame:
    NamedGame + ReplayedGame<Table: SeatTable<Action: ActionWords<Pieces: ShownPieces> + Send>>
{
    const SIMULATED: SimulatedFigure;
    /// Whether a page shows all decisions of one seat even if no seat is asked for; else it shows
    /// those that bots have noted.
    const SHOWS_ONE_SEAT: bool = false;

    /// The average outcome of each action, with this many simulations in total; `None` when no
    /// hidden tiles fit.
    fn simulate(
        table: &Self::Table,
        legal: &[ActionOf<Self>],
        number: NonZeroU64,
    ) -> Option<Vec<SimulatedValue>>;
}

impl ViewedGame for RiichiGame {
    const SIMULATED: SimulatedFigure = SimulatedFigure::Places;
    const SHOWS_ONE_SEAT: bool = true;

    fn simulate(
        table: &Table,
        legal: &[Action],
        number: NonZeroU64,
    ) -> Option<Vec<SimulatedValue>> {
        let places = places_above_last(table, legal, number)?.into_iter();
        Some(
            places
                .map(|Mean { value, error }| SimulatedValue {
                    value: value as f32,
                    error: error as f32,
                })
                .collect(),
        )
    }
}

impl ViewedGame for DouDizhuGame {
    const SIMULATED: SimulatedFigure = SimulatedFigure::Wins;

    fn simulate(
        table: &DouDizhuSeatState,
        legal: &[DouDizhuAction],
        number: NonZeroU64,
    ) -> Option<Vec<SimulatedValue>> {
        let playouts = usize::try_from(number.get()).unwrap_or(usize::MAX);
        let tried = doudizhu_split::decide(
            table,
            legal,
            &SplitEffort {
                candidates: legal.len(),
                playouts,
            },
        )?;
        let number = |number: Option<f32>| number.unwrap_or(f32::NAN);
        let values = tried.values.into_iter().zip(tried.errors);
        Some(
            values
                .map(|(value, error)| SimulatedValue {
                    value: number(value),
                    error: number(error),
                })
                .collect(),
        )
    }
}

impl ViewedGame for McrGame {
    const SIMULATED: SimulatedFigure = SimulatedFigure::Points;

    fn simulate(
        table: &McrSeatState,
        legal: &[McrAction],
        number: NonZeroU64,
    ) -> Option<Vec<SimulatedValue>> {
        let points = cs_fan::simulate(table, legal, number)?.into_iter();
        Some(
            points
                .map(|SimulatedPoints { mean, error }| SimulatedValue { value: mean, error })
                .collect(),
        )
    }
}
