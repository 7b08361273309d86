//! From han and fu to the base points that all payments are multiples of.

use std::fmt;

/// A limit, above which fu do not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// 5 han, or 4 with 40 fu, or 3 with 70.
    Mangan,
    /// 6 and 7 han.
    Haneman,
    /// 8 to 10 han.
    Baiman,
    /// 11 and 12 han.
    Sanbaiman,
    /// 13 han or more without a yakuman (kazoe yakuman).
    Kazoe,
    /// This many yakuman at once.
    Yakuman(u8),
}

/// Base of a mangan; the higher limits are multiples of it.
const MANGAN: u32 = 2000;

impl Limit {
    /// The limit that these han and fu reach without a yakuman.
    pub(super) const fn of(han: u8, fu: u8) -> Option<Self> {
        Some(match han {
            13.. => Self::Kazoe,
            11..13 => Self::Sanbaiman,
            8..11 => Self::Baiman,
            6..8 => Self::Haneman,
            5 => Self::Mangan,
            _ if base_below_limits(han, fu) > MANGAN => Self::Mangan,
            _ => return None,
        })
    }

    pub(super) const fn base(self) -> u32 {
        match self {
            Self::Mangan => MANGAN,
            Self::Haneman => MANGAN * 3 / 2,
            Self::Baiman => MANGAN * 2,
            Self::Sanbaiman => MANGAN * 3,
            Self::Kazoe => MANGAN * 4,
            Self::Yakuman(units) => MANGAN * 4 * units as u32,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mangan => "mangan",
            Self::Haneman => "haneman",
            Self::Baiman => "baiman",
            Self::Sanbaiman => "sanbaiman",
            Self::Kazoe => "kazoe yakuman",
            Self::Yakuman(1) => "yakuman",
            Self::Yakuman(units) => return write!(f, "{units} yakuman"),
        })
    }
}

/// Fu doubled for each han and twice more.
pub(super) const fn base_below_limits(han: u8, fu: u8) -> u32 {
    (fu as u32) << (2 + han)
}

/// The base of these han and fu without a yakuman.
pub(super) const fn base(han: u8, fu: u8) -> u32 {
    match Limit::of(han, fu) {
        Some(limit) => limit.base(),
        None => base_below_limits(han, fu),
    }
}

/// The han and fu of all hands without a yakuman, and some that no hand has.
pub(super) fn all_counts() -> impl Iterator<Item = (u8, u8)> {
    const FU: [u8; 14] = [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140];
    /// More than all yaku and dora of a hand.
    const MAX_HAN: u8 = 80;
    let counts = (1..=MAX_HAN).flat_map(|han| FU.into_iter().map(move |fu| (han, fu)));
    // Pinfu by tsumo, seven pairs, and more than one kan of honours have further yaku.
    counts.filter(|&(han, fu)| han > 1 || matches!(fu, 30..=110))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_begin_as_in_the_tables() {
        for (han, fu, limit) in [
            (3, 60, None),
            (3, 70, Some(Limit::Mangan)),
            (4, 30, None),
            (4, 40, Some(Limit::Mangan)),
            (5, 30, Some(Limit::Mangan)),
            (6, 30, Some(Limit::Haneman)),
            (7, 30, Some(Limit::Haneman)),
            (8, 30, Some(Limit::Baiman)),
            (10, 30, Some(Limit::Baiman)),
            (11, 30, Some(Limit::Sanbaiman)),
            (12, 30, Some(Limit::Sanbaiman)),
            (13, 30, Some(Limit::Kazoe)),
        ] {
            assert_eq!(Limit::of(han, fu), limit, "{han} han {fu} fu");
        }
    }
}
