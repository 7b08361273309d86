//! The value of one way to count a hand, and a comparison of two.

use super::dora::DoraCount;
use super::limit::{self, Limit};
use crate::rules::Preset;
use crate::yaku::{YAKUMAN, YakuSet};

/// The value of a hand in one reading with one place of the winning tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    pub(super) yaku: YakuSet,
    pub(super) dora: DoraCount,
    pub(super) han: u8,
    pub(super) fu: u8,
    pub(super) limit: Option<Limit>,
    pub(super) base: u32,
}

impl Worth {
    pub(super) fn new(
        yaku: YakuSet,
        dora: DoraCount,
        fu: u8,
        closed: bool,
        preset: Preset,
    ) -> Self {
        let yakuman = yaku.yakuman();
        if !yakuman.is_empty() {
            let units = yakuman.iter().map(|yaku| preset.yakuman_units(yaku)).sum();
            let limit = Limit::Yakuman(units);
            let dora = DoraCount::default();
            return Self {
                yaku: yakuman,
                dora,
                han: YAKUMAN * units,
                fu: 0,
                limit: Some(limit),
                base: limit.base(),
            };
        }
        // Dora alone make no win.
        let han = if yaku.is_empty() {
            0
        } else {
            yaku.han(closed) + dora.total()
        };
        Self {
            yaku,
            dora,
            han,
            fu,
            limit: Limit::of(han, fu),
            base: limit::base(han, fu),
        }
    }

    /// Of equal points a yakuman counts before a kazoe yakuman, then more han, then more fu.
    pub(super) fn is_worth_more_than(&self, other: &Self) -> bool {
        let rank = |worth: &Self| {
            (
                !worth.yaku.is_empty(),
                worth.base,
                !worth.yaku.yakuman().is_empty(),
                worth.han,
                worth.fu,
            )
        };
        rank(self) > rank(other)
    }
}
