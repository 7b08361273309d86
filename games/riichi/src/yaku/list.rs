//! The yaku by name, and sets of them.

use std::fmt;

/// A yaku.
///
/// Dora are not yaku. A win by ron in the first turn (renhou) is not one either: neither Tenhou nor
/// Mahjong Soul plays it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(
    missing_docs,
    reason = "each name is the field's own; `Yaku::name` and `Yaku::han` say the rest"
)]
pub enum Yaku {
    Riichi,
    DoubleRiichi,
    Ippatsu,
    MenzenTsumo,
    Haitei,
    Houtei,
    Rinshan,
    Chankan,
    Pinfu,
    Tanyao,
    Iipeikou,
    Haku,
    Hatsu,
    Chun,
    SeatWind,
    RoundWind,
    SanshokuDoujun,
    Ittsuu,
    Chanta,
    Chiitoitsu,
    Toitoi,
    Sanankou,
    SanshokuDoukou,
    Sankantsu,
    Shousangen,
    Honroutou,
    Honitsu,
    Junchan,
    Ryanpeikou,
    Chinitsu,
    Tenhou,
    Chiihou,
    Daisangen,
    Suuankou,
    /// Suuankou won on the pair.
    SuuankouTanki,
    Tsuuiisou,
    Ryuuiisou,
    Chinroutou,
    Kokushi,
    /// Thirteen orphans won on the pair, which waits for all thirteen.
    KokushiThirteen,
    Shousuushii,
    Daisuushii,
    Suukantsu,
    Chuuren,
    /// Nine gates won on the tile over, which waits for all nine.
    ChuurenNine,
}

/// In order: the yaku, its usual name, han in a closed hand, han in an open one. 0 han open: closed
/// hands only. Yakuman are [`YAKUMAN`] han.
///
/// Han as Tenhou (<https://tenhou.net/man/>) and Mahjong Soul have them alike.
const LIST: [(Yaku, &str, u8, u8); 45] = [
    (Yaku::Riichi, "riichi", 1, 0),
    (Yaku::DoubleRiichi, "double riichi", 2, 0),
    (Yaku::Ippatsu, "ippatsu", 1, 0),
    (Yaku::MenzenTsumo, "menzen tsumo", 1, 0),
    (Yaku::Haitei, "haitei", 1, 1),
    (Yaku::Houtei, "houtei", 1, 1),
    (Yaku::Rinshan, "rinshan", 1, 1),
    (Yaku::Chankan, "chankan", 1, 1),
    (Yaku::Pinfu, "pinfu", 1, 0),
    (Yaku::Tanyao, "tanyao", 1, 1),
    (Yaku::Iipeikou, "iipeikou", 1, 0),
    (Yaku::Haku, "haku", 1, 1),
    (Yaku::Hatsu, "hatsu", 1, 1),
    (Yaku::Chun, "chun", 1, 1),
    (Yaku::SeatWind, "seat wind", 1, 1),
    (Yaku::RoundWind, "round wind", 1, 1),
    (Yaku::SanshokuDoujun, "sanshoku doujun", 2, 1),
    (Yaku::Ittsuu, "ittsuu", 2, 1),
    (Yaku::Chanta, "chanta", 2, 1),
    (Yaku::Chiitoitsu, "chiitoitsu", 2, 0),
    (Yaku::Toitoi, "toitoi", 2, 2),
    (Yaku::Sanankou, "sanankou", 2, 2),
    (Yaku::SanshokuDoukou, "sanshoku doukou", 2, 2),
    (Yaku::Sankantsu, "sankantsu", 2, 2),
    (Yaku::Shousangen, "shousangen", 2, 2),
    (Yaku::Honroutou, "honroutou", 2, 2),
    (Yaku::Honitsu, "honitsu", 3, 2),
    (Yaku::Junchan, "junchan", 3, 2),
    (Yaku::Ryanpeikou, "ryanpeikou", 3, 0),
    (Yaku::Chinitsu, "chinitsu", 6, 5),
    (Yaku::Tenhou, "tenhou", YAKUMAN, 0),
    (Yaku::Chiihou, "chiihou", YAKUMAN, 0),
    (Yaku::Daisangen, "daisangen", YAKUMAN, YAKUMAN),
    (Yaku::Suuankou, "suuankou", YAKUMAN, 0),
    (Yaku::SuuankouTanki, "suuankou tanki", YAKUMAN, 0),
    (Yaku::Tsuuiisou, "tsuuiisou", YAKUMAN, YAKUMAN),
    (Yaku::Ryuuiisou, "ryuuiisou", YAKUMAN, YAKUMAN),
    (Yaku::Chinroutou, "chinroutou", YAKUMAN, YAKUMAN),
    (Yaku::Kokushi, "kokushi musou", YAKUMAN, 0),
    (
        Yaku::KokushiThirteen,
        "kokushi musou, thirteen waits",
        YAKUMAN,
        0,
    ),
    (Yaku::Shousuushii, "shousuushii", YAKUMAN, YAKUMAN),
    (Yaku::Daisuushii, "daisuushii", YAKUMAN, YAKUMAN),
    (Yaku::Suukantsu, "suukantsu", YAKUMAN, YAKUMAN),
    (Yaku::Chuuren, "chuuren poutou", YAKUMAN, 0),
    (Yaku::ChuurenNine, "chuuren poutou, nine waits", YAKUMAN, 0),
];

/// Han of a single yakuman.
pub const YAKUMAN: u8 = 13;

impl Yaku {
    /// All of them, the cheap ones first, yakuman last.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        LIST.into_iter().map(|(yaku, ..)| yaku)
    }

    /// Its usual name, in Latin letters.
    pub const fn name(self) -> &'static str {
        LIST[self as usize].1
    }

    /// Han in a closed hand, or in an open one; 0 where an open hand cannot have the yaku. 13 for
    /// every yakuman: [`Preset::yakuman_units`](crate::rules::Preset::yakuman_units) says whether
    /// one counts double.
    pub const fn han(self, closed: bool) -> u8 {
        let (_, _, in_closed, in_open) = LIST[self as usize];
        if closed { in_closed } else { in_open }
    }

    /// Whether it is a yakuman.
    pub const fn is_yakuman(self) -> bool {
        LIST[self as usize].2 == YAKUMAN
    }
}

impl fmt::Display for Yaku {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of yaku, as a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct YakuSet(u64);

impl YakuSet {
    /// No yaku.
    pub const EMPTY: Self = Self(0);

    /// Every yakuman.
    const YAKUMAN: Self = Self(((1 << LIST.len()) - 1) & !((1 << Yaku::Tenhou as u64) - 1));

    /// The one yaku.
    pub(crate) const fn of(yaku: Yaku) -> Self {
        Self(1 << yaku as u64)
    }

    /// Adds a yaku if the condition holds.
    pub(crate) const fn add(&mut self, yaku: Yaku, holds: bool) {
        self.0 |= (holds as u64) << yaku as u64;
    }

    /// Whether the yaku is in the set.
    pub const fn contains(self, yaku: Yaku) -> bool {
        self.0 >> yaku as u64 & 1 == 1
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All yaku of the two sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Only the yakuman, which exclude all other yaku; may be empty.
    #[must_use]
    pub const fn yakuman(self) -> Self {
        Self(self.0 & Self::YAKUMAN.0)
    }

    /// The yaku, yakuman last.
    pub fn iter(self) -> impl Iterator<Item = Yaku> {
        Yaku::all().filter(move |&yaku| self.contains(yaku))
    }

    /// Han of all of them in a closed hand, or an open one.
    pub(crate) const fn han(self, closed: bool) -> u8 {
        let mut rest = self.0;
        let mut han = 0;
        while rest != 0 {
            let (_, _, in_closed, in_open) = LIST[rest.trailing_zeros() as usize];
            han += if closed { in_closed } else { in_open };
            rest &= rest - 1;
        }
        han
    }
}

impl fmt::Debug for YakuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_the_order_of_the_names() {
        for (index, yaku) in Yaku::all().enumerate() {
            assert_eq!(yaku as usize, index, "{yaku}");
        }
        assert_eq!(
            (Yaku::Pinfu.name(), Yaku::Chinitsu.name()),
            ("pinfu", "chinitsu")
        );
        assert_eq!(
            (Yaku::Tenhou.name(), Yaku::ChuurenNine.name()),
            ("tenhou", "chuuren poutou, nine waits")
        );
        assert!(Yaku::all().all(|yaku| yaku.is_yakuman() == (yaku >= Yaku::Tenhou)));
    }

    #[test]
    fn a_set_returns_the_added_yaku() {
        let mut set = YakuSet::EMPTY;
        set.add(Yaku::Chinitsu, true);
        set.add(Yaku::Riichi, true);
        set.add(Yaku::Pinfu, false);
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [Yaku::Riichi, Yaku::Chinitsu]
        );
        assert_eq!((set.han(true), set.yakuman()), (7, YakuSet::EMPTY));
        set.add(Yaku::Suukantsu, true);
        assert_eq!(set.yakuman().iter().collect::<Vec<_>>(), [Yaku::Suukantsu]);
    }
}
