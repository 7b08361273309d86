//! The expected future of each discard of a typed hand.

use riichi::score::WinSituation;
use riichi::shanten::shanten;
use riichi::{Hand, KindSet, Tile};
use riichi_estimates::expectation::{
    Aim, Detours, DiscardChances, Expectation, MAX_DRAWS, MAX_SHANTEN, StartState,
};
use serde::Serialize;

use super::position::HandPosition;

/// Maximum distance from tenpai at which exchanges and steps back are included: further off they
/// take seconds.
const DETOURS_UP_TO: i8 = 2;

/// The expected future of a discard if no player disturbs the hand: it makes useful calls, and the
/// others neither win nor call.
#[derive(Debug, Clone, Serialize)]
pub struct FutureFacts {
    /// Number of own draws left after it, by the length of the own river.
    pub draws: u8,
    /// The chance that the hand is ever tenpai, 0 to 1.
    pub tenpai: f64,
    /// The chance that it wins, 0 to 1.
    pub win: f64,
    /// Average points gained, over all outcomes.
    pub points: f64,
    /// The probabilities that it has been tenpai, and that it has won, by each turn: before its
    /// next draw, then after each draw and the following discards.
    pub by_turn: Vec<TurnFacts>,
}

/// The state after a turn.
#[derive(Debug, Clone, Serialize)]
pub struct TurnFacts {
    /// The chance of tenpai.
    pub tenpai: f64,
    /// The chance of a win.
    pub win: f64,
}

/// The future of a typed hand with its drawn tile, by discard; `None` before a draw, and for hands
/// too far from tenpai.
pub(super) fn of_discards(
    position: &HandPosition,
    situation: &WinSituation,
    river: KindSet,
) -> Option<impl Fn(Tile) -> Option<FutureFacts>> {
    position.drawn?;
    let now = shanten(&position.concealed());
    let known = || {
        position
            .melds
            .iter()
            .flat_map(|meld| meld.tiles())
            .chain(&position.dora_markers)
            .chain(&position.river)
    };
    let mut reds = position.rules.reds_by_suit();
    for tile in position
        .hand
        .tiles()
        .chain(known().copied())
        .filter(|tile| tile.is_red())
    {
        let suit = usize::from(tile.kind().suit()?);
        reds[suit] = reds[suit].saturating_sub(1);
    }
    let unseen = Hand::from_counts(position.unseen(), reds)?;
    let players = position.rules.players;
    let turns = position.rules.drawable_tiles() / players;
    let draws = turns
        .saturating_sub(1 + position.river.len() as u8)
        .min(MAX_DRAWS);
    let outset = StartState {
        hand: &position.hand,
        melds: &position.melds,
        unseen: &unseen,
        situation,
        thrown: river,
        draws,
        throws: players - 1,
        may_riichi: true,
        may_call: true,
        ura_indicators: position.dora_markers.len().max(1) as u8,
        detours: if now <= DETOURS_UP_TO {
            Detours::One
        } else {
            Detours::None
        },
        aim: Aim::Points,
    };
    let expectation = if now <= MAX_SHANTEN {
        Expectation::of(&outset).ok()?
    } else {
        return None;
    };
    Some(move |tile: Tile| {
        let DiscardChances { chances, .. } = *expectation
            .discards()
            .iter()
            .find(|discard| discard.tile.kind() == tile.kind())?;
        let by_turn = expectation.by_turn(tile).unwrap_or_default();
        let by_turn = by_turn
            .iter()
            .map(|turn| TurnFacts {
                tenpai: turn.tenpai,
                win: turn.win,
            })
            .collect();
        Some(FutureFacts {
            draws,
            tenpai: chances.tenpai,
            win: chances.win,
            points: chances.points,
            by_turn,
        })
    })
}
