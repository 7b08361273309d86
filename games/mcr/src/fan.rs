//! The 81 fan of the rules with their values, and the fan that each excludes.
//!
//! Order, values and definitions come from the official rules (中国麻将竞赛规则（试行）, July 1998: table pp.
//! 23-27, definitions pp. 52-93); the English names are the ones that PyMahjongGB returns. A fan
//! excludes those that the rules name in their table and those that follow from their principle of
//! no repeating, as Botzone's judge applies it. If the rules and the judge differ, [`Counting`]
//! chooses.

use std::fmt;

/// The way of counting, for cases in which the official rules and Botzone's judge differ.
///
/// They differ in one point. If examples of the rules name fewer or other fan than their own table
/// and principles give, the tests list them (`tests/fan/book.rs`); for instance, they count Upper
/// Four with Upper Tiles (p. 77) and Lower Four with Lower Tiles (p. 78), while the examples of
/// Upper and Lower Tiles themselves (p. 69) leave them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Counting {
    /// As Botzone's judge counts, with PyMahjongGB 1.4.0. A win of fewer than 8 of its fan is a
    /// fault there.
    #[default]
    Judge,
    /// As the official rules count: a concealed and a melded kong are Concealed Kong, 2, and Melded
    /// Kong, 1 (table, p. 27), which the judge makes one fan of 5.
    Book,
}

/// A set of fan, as a bit for each.
pub(crate) type FanBits = u128;

macro_rules! fans {
    ($($fan:ident = $value:literal, $english:literal, $chinese:literal, [$($excluded:ident),*], $what:literal;)*) => {
        /// A fan, in the order of the official rules: from the most valuable to the least valuable.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Fan {
            $(#[doc = $what] $fan,)*
        }

        impl Fan {
            /// All fan: the 81 of the rules in their order, then
            /// [`Fan::ConcealedKongAndMeldedKong`], which only the judge has.
            pub const ALL: [Self; FANS] = [$(Self::$fan,)*];
        }

        const ENGLISH: [&str; FANS] = [$($english,)*];
        const CHINESE: [&str; FANS] = [$($chinese,)*];
        const MEANINGS: [&str; FANS] = [$($what,)*];
        pub(crate) const VALUES: [u8; FANS] = [$($value,)*];
        const EXCLUDED: [FanBits; FANS] = [$(0 $(| Fan::$excluded.bit())*,)*];
    };
}

/// Number of fan: the 81 of the rules and one of the judge's own.
pub const FANS: usize = 82;

impl Fan {
    pub(crate) const fn bit(self) -> FanBits {
        1 << self as u8
    }

    /// The fan with this index in [`Fan::ALL`].
    pub const fn new(index: usize) -> Option<Self> {
        if index < FANS {
            Some(Self::ALL[index])
        } else {
            None
        }
    }

    /// The value of the fan.
    pub const fn value(self) -> u8 {
        VALUES[self as usize]
    }

    /// The English name, as PyMahjongGB writes it.
    pub const fn english(self) -> &'static str {
        ENGLISH[self as usize]
    }

    /// The Chinese name, as the rules write it.
    pub const fn chinese(self) -> &'static str {
        CHINESE[self as usize]
    }

    /// Its meaning, in a sentence.
    pub const fn meaning(self) -> &'static str {
        MEANINGS[self as usize]
    }

    /// The fan that are not counted with this one.
    pub fn excludes(self) -> impl Iterator<Item = Self> {
        let bits = self.excluded();
        Self::ALL
            .into_iter()
            .filter(move |fan| bits & fan.bit() != 0)
    }

    pub(crate) const fn excluded(self) -> FanBits {
        EXCLUDED[self as usize]
    }
}

impl fmt::Display for Fan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.english())
    }
}

fans! {
    BigFourWinds = 88, "Big Four Winds", "大四喜",
        [BigThreeWinds, AllPungs, PrevalentWind, SeatWind, PungOfTerminalsOrHonors],
        "Pungs or kongs of all four winds.";
    BigThreeDragons = 88, "Big Three Dragons", "大三元", [TwoDragonsPungs, DragonPung],
        "Pungs or kongs of all three dragons.";
    AllGreen = 88, "All Green", "绿一色", [HalfFlush, OneVoidedSuit],
        "Only 2s 3s 4s 6s 8s and green dragons; the dragon need not be there.";
    NineGates = 88, "Nine Gates", "九莲宝灯",
        [FullFlush, ConcealedHand, FullyConcealedHand, NoHonors, SingleWait],
        "Holding 1112345678999 of one suit, all concealed, and winning on any tile of that suit.";
    FourKongs = 88, "Four Kongs", "四杠",
        [ThreeKongs, TwoConcealedKongs, TwoMeldedKongs, ConcealedKongAndMeldedKong, ConcealedKong,
         MeldedKong, AllPungs, SingleWait],
        "Four kongs, melded or concealed.";
    SevenShiftedPairs = 88, "Seven Shifted Pairs", "连七对",
        [SevenPairs, FullFlush, FullyConcealedHand, ConcealedHand, SingleWait, NoHonors],
        "Seven pairs of one suit in an unbroken row.";
    ThirteenOrphans = 88, "Thirteen Orphans", "十三幺",
        [AllTypes, FullyConcealedHand, ConcealedHand, SingleWait, AllTerminalsAndHonors],
        "One of each terminal and honour, and one of them twice.";
    AllTerminals = 64, "All Terminals", "清幺九",
        [AllTerminalsAndHonors, AllPungs, OutsideHand, PungOfTerminalsOrHonors, NoHonors, DoublePung],
        "Pungs, kongs and a pair of terminals only; or seven pairs of them.";
    LittleFourWinds = 64, "Little Four Winds", "小四喜", [BigThreeWinds, PungOfTerminalsOrHonors],
        "Three winds as pungs or kongs, the fourth as the pair.";
    LittleThreeDragons = 64, "Little Three Dragons", "小三元", [TwoDragonsPungs, DragonPung],
        "Two dragons as pungs or kongs, the third as the pair.";
    AllHonors = 64, "All Honors", "字一色",
        [AllTerminalsAndHonors, AllPungs, OutsideHand, PungOfTerminalsOrHonors, OneVoidedSuit],
        "Honours only; sets and a pair, or seven pairs.";
    FourConcealedPungs = 64, "Four Concealed Pungs", "四暗刻",
        [AllPungs, ConcealedHand, FullyConcealedHand, ThreeConcealedPungs, TwoConcealedPungs],
        "Four pungs or kongs, all concealed; the last one not completed by a discard.";
    PureTerminalChows = 64, "Pure Terminal Chows", "一色双龙会",
        [SevenPairs, FullFlush, AllChows, PureDoubleChow, TwoTerminalChows, NoHonors],
        "123 123 789 789 and the pair 55, in one suit.";
    QuadrupleChow = 48, "Quadruple Chow", "一色四同顺",
        [PureTripleChow, PureShiftedPungs, PureDoubleChow, TileHog],
        "The same chow four times.";
    FourPureShiftedPungs = 48, "Four Pure Shifted Pungs", "一色四节高",
        [PureTripleChow, PureShiftedPungs, AllPungs],
        "Four pungs or kongs of one suit in a row.";
    FourPureShiftedChows = 32, "Four Pure Shifted Chows", "一色四步高",
        [PureShiftedChows, ShortStraight, TwoTerminalChows],
        "Four chows of one suit, each one or each two higher than the one before.";
    ThreeKongs = 32, "Three Kongs", "三杠",
        [TwoConcealedKongs, TwoMeldedKongs, ConcealedKongAndMeldedKong, ConcealedKong, MeldedKong],
        "Three kongs, melded or concealed.";
    AllTerminalsAndHonors = 32, "All Terminals and Honors", "混幺九",
        [AllPungs, OutsideHand, PungOfTerminalsOrHonors],
        "Terminals and honours, both; pungs and a pair, or seven pairs.";
    SevenPairs = 24, "Seven Pairs", "七对", [FullyConcealedHand, ConcealedHand, SingleWait],
        "Seven pairs; four equal tiles may be two of them.";
    GreaterHonorsAndKnittedTiles = 24, "Greater Honors and Knitted Tiles", "七星不靠",
        [LesserHonorsAndKnittedTiles, AllTypes, FullyConcealedHand, ConcealedHand, SingleWait],
        "All seven honours and seven tiles of a knitted straight, all different.";
    AllEvenPungs = 24, "All Even Pungs", "全双刻", [AllPungs, AllSimples, NoHonors],
        "Pungs or kongs and a pair of 2, 4, 6, 8.";
    FullFlush = 24, "Full Flush", "清一色", [NoHonors, OneVoidedSuit],
        "One suit only.";
    PureTripleChow = 24, "Pure Triple Chow", "一色三同顺", [PureShiftedPungs],
        "The same chow three times.";
    PureShiftedPungs = 24, "Pure Shifted Pungs", "一色三节高", [PureTripleChow],
        "Three pungs or kongs of one suit in a row.";
    UpperTiles = 24, "Upper Tiles", "全大", [UpperFour, NoHonors],
        "Only 7 8 9.";
    MiddleTiles = 24, "Middle Tiles", "全中", [AllSimples, NoHonors],
        "Only 4 5 6.";
    LowerTiles = 24, "Lower Tiles", "全小", [LowerFour, NoHonors],
        "Only 1 2 3.";
    PureStraight = 16, "Pure Straight", "清龙", [],
        "123 456 789 of one suit.";
    ThreeSuitedTerminalChows = 16, "Three-Suited Terminal Chows", "三色双龙会",
        [AllChows, MixedDoubleChow, TwoTerminalChows, NoHonors],
        "123 789 in one suit, 123 789 in another, the pair 55 in the third.";
    PureShiftedChows = 16, "Pure Shifted Chows", "一色三步高", [],
        "Three chows of one suit, each one or each two higher.";
    AllFive = 16, "All Five", "全带五", [AllSimples, NoHonors],
        "A five in every set and in the pair.";
    TriplePung = 16, "Triple Pung", "三同刻", [],
        "Pungs or kongs of one number in three suits.";
    ThreeConcealedPungs = 16, "Three Concealed Pungs", "三暗刻", [TwoConcealedPungs],
        "Three concealed pungs or kongs.";
    LesserHonorsAndKnittedTiles = 12, "Lesser Honors and Knitted Tiles", "全不靠",
        [AllTypes, FullyConcealedHand, ConcealedHand, SingleWait],
        "14 different tiles: nine or eight of one knitted straight, and five or six honours.";
    KnittedStraight = 12, "Knitted Straight", "组合龙", [],
        "147, 258, 369, each in another suit, instead of three sets.";
    UpperFour = 12, "Upper Four", "大于五", [NoHonors],
        "Only 6 7 8 9.";
    LowerFour = 12, "Lower Four", "小于五", [NoHonors],
        "Only 1 2 3 4.";
    BigThreeWinds = 12, "Big Three Winds", "三风刻", [],
        "Pungs or kongs of three winds.";
    MixedStraight = 8, "Mixed Straight", "花龙", [],
        "123, 456, 789, each in another suit.";
    ReversibleTiles = 8, "Reversible Tiles", "推不倒", [OneVoidedSuit],
        "Only 1p 2p 3p 4p 5p 8p 9p, 2s 4s 5s 6s 8s 9s and white dragons.";
    MixedTripleChow = 8, "Mixed Triple Chow", "三色三同顺", [],
        "The same chow in three suits.";
    MixedShiftedPungs = 8, "Mixed Shifted Pungs", "三色三节高", [],
        "Pungs or kongs of three suits, in a row.";
    ChickenHand = 8, "Chicken Hand", "无番和", [],
        "A win without any other fan (flowers left aside).";
    LastTileDraw = 8, "Last Tile Draw", "妙手回春", [SelfDrawn],
        "Self-drawn, on the last tile of the wall.";
    LastTileClaim = 8, "Last Tile Claim", "海底捞月", [],
        "On the discard after the last tile of the wall.";
    OutWithReplacementTile = 8, "Out with Replacement Tile", "杠上开花", [SelfDrawn],
        "Self-drawn, on the replacement for a kong (not for a flower).";
    RobbingTheKong = 8, "Robbing The Kong", "抢杠和", [LastTile],
        "On the tile that another adds to a pung.";
    AllPungs = 6, "All Pungs", "碰碰和", [],
        "Four pungs or kongs.";
    HalfFlush = 6, "Half Flush", "混一色", [OneVoidedSuit],
        "One suit and honours.";
    MixedShiftedChows = 6, "Mixed Shifted Chows", "三色三步高", [],
        "Chows of three suits, each one higher.";
    AllTypes = 6, "All Types", "五门齐", [],
        "All of characters, bamboos, dots, winds, dragons.";
    MeldedHand = 6, "Melded Hand", "全求人", [SingleWait],
        "Four melded sets, and the pair completed by a discard.";
    TwoConcealedKongs = 6, "Two Concealed Kongs", "双暗杠", [ConcealedKong, TwoConcealedPungs],
        "Two concealed kongs.";
    TwoDragonsPungs = 6, "Two Dragons Pungs", "双箭刻", [DragonPung],
        "Pungs or kongs of two dragons.";
    OutsideHand = 4, "Outside Hand", "全带幺", [],
        "A terminal or honour in every set and in the pair.";
    FullyConcealedHand = 4, "Fully Concealed Hand", "不求人", [ConcealedHand, SelfDrawn],
        "Nothing melded, self-drawn.";
    TwoMeldedKongs = 4, "Two Melded Kongs", "双明杠", [MeldedKong],
        "Two melded kongs.";
    LastTile = 4, "Last Tile", "和绝张", [],
        "On the fourth of a kind when the other three are visible.";
    DragonPung = 2, "Dragon Pung", "箭刻", [],
        "A pung or kong of a dragon.";
    PrevalentWind = 2, "Prevalent Wind", "圈风刻", [],
        "A pung or kong of the round's wind.";
    SeatWind = 2, "Seat Wind", "门风刻", [],
        "A pung or kong of the own wind.";
    ConcealedHand = 2, "Concealed Hand", "门前清", [],
        "Nothing melded, won by a discard.";
    AllChows = 2, "All Chows", "平和", [NoHonors],
        "Four chows and a pair of a suit.";
    TileHog = 2, "Tile Hog", "四归一", [],
        "All four of a kind, not as a kong.";
    DoublePung = 2, "Double Pung", "双同刻", [],
        "Pungs or kongs of one number in two suits.";
    TwoConcealedPungs = 2, "Two Concealed Pungs", "双暗刻", [],
        "Two concealed pungs or kongs.";
    ConcealedKong = 2, "Concealed Kong", "暗杠", [],
        "One concealed kong.";
    AllSimples = 2, "All Simples", "断幺", [NoHonors],
        "No terminal and no honour.";
    PureDoubleChow = 1, "Pure Double Chow", "一般高", [],
        "The same chow twice.";
    MixedDoubleChow = 1, "Mixed Double Chow", "喜相逢", [],
        "The same chow in two suits.";
    ShortStraight = 1, "Short Straight", "连六", [],
        "Two chows of one suit in an unbroken row of six.";
    TwoTerminalChows = 1, "Two Terminal Chows", "老少副", [],
        "123 and 789 of one suit.";
    PungOfTerminalsOrHonors = 1, "Pung of Terminals or Honors", "幺九刻", [],
        "A pung or kong of terminals or of a wind.";
    MeldedKong = 1, "Melded Kong", "明杠", [],
        "One melded kong.";
    OneVoidedSuit = 1, "One Voided Suit", "缺一门", [],
        "Exactly two suits, with or without honours.";
    NoHonors = 1, "No Honors", "无字", [],
        "No honours.";
    EdgeWait = 1, "Edge Wait", "边张", [],
        "Waiting only for the 3 of 12 or the 7 of 89.";
    ClosedWait = 1, "Closed Wait", "坎张", [],
        "Waiting only for the middle tile of a chow.";
    SingleWait = 1, "Single Wait", "单钓将", [],
        "Waiting only for the pair.";
    SelfDrawn = 1, "Self-Drawn", "自摸", [],
        "The last tile drawn.";
    FlowerTiles = 1, "Flower Tiles", "花牌", [],
        "Each flower; does not help to reach 8.";
    ConcealedKongAndMeldedKong = 5, "Concealed Kong and Melded Kong", "明暗杠", [ConcealedKong, MeldedKong],
        "One concealed and one melded kong; the judge has it, the book has not.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_81_fan_and_one_of_the_judge_in_the_order_of_their_values() {
        assert_eq!(Fan::ALL.len(), 82);
        assert!(Fan::ALL[..81].is_sorted_by(|a, b| a.value() >= b.value()));
        assert_eq!(
            (Fan::BigFourWinds.value(), Fan::FlowerTiles.value()),
            (88, 1)
        );
        assert_eq!(Fan::ALL[81], Fan::ConcealedKongAndMeldedKong);
    }

    #[test]
    fn excluded_fan_are_worth_no_more_than_the_one_that_excludes_them() {
        for fan in Fan::ALL {
            for excluded in fan.excludes() {
                assert!(excluded.value() <= fan.value(), "{excluded} with {fan}");
            }
        }
    }
}
