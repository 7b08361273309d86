//! The end of a round, as a part of a line.

use std::borrow::Cow;

use policy_sdk::{DrawnRound, RoundEnd, WonRound};
use protocol::event::draw_reason_name;
use serde::Serialize;

use crate::names::{SeatNumber, TileName};

/// The end of a round, similar to mjai's spelling: a win, of which there may be several, or a draw.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "RoundEnd"))]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum EndOfRound {
    /// A seat won.
    Hora {
        /// The winner.
        actor: SeatNumber,
        /// The seat that dealt in; the winner on a self-draw.
        target: SeatNumber,
        /// The winning tile; null if it was not shown.
        pai: Option<TileName>,
        /// Change of each seat's points, without sticks paid earlier; null if the arena does not
        /// send it.
        deltas: Option<Vec<i32>>,
    },
    /// It was drawn or aborted.
    Ryukyoku {
        /// The reason: exhaustive_draw, nagashimangan, kyushu_kyuhai, sufuurenta, suukansansen,
        /// suucha_riichi, sanchaho, or words that name the punished seat; null if the arena does
        /// not send it.
        reason: Option<Cow<'static, str>>,
        /// Whether each seat was tenpai when the wall was drawn; null if that is not known.
        tenpais: Vec<Option<bool>>,
        /// Change of each seat's points, without sticks paid earlier; null if the arena does not
        /// send it.
        deltas: Option<Vec<i32>>,
    },
}

impl From<RoundEnd> for EndOfRound {
    fn from(end: RoundEnd) -> Self {
        match end {
            RoundEnd::Won(WonRound {
                winner,
                from,
                tile,
                deltas,
            }) => Self::Hora {
                actor: winner.into(),
                target: from.into(),
                pai: tile.map(TileName),
                deltas: deltas.map(|deltas| deltas.as_slice().to_vec()),
            },
            RoundEnd::Drawn(DrawnRound {
                reason,
                tenpai,
                deltas,
            }) => Self::Ryukyoku {
                reason: reason.map(draw_reason_name),
                tenpais: tenpai.as_slice().to_vec(),
                deltas: deltas.map(|deltas| deltas.as_slice().to_vec()),
            },
        }
    }
}
