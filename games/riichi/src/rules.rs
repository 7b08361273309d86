//! The rules of a game, where arenas differ.

use tiles::{Kind, KindSet};

use crate::meld::kuikae;
use crate::yaku::Yaku;

/// Points of a riichi stick: the price of riichi, and the winner's gain for each.
pub const RIICHI_STICK: i32 = 1000;

/// Points of a honba: what each other player adds to a winner's tsumo.
pub const HONBA_SHARE: i32 = 100;

/// The length of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Length {
    /// One round.
    Single,
    /// The East rounds (tonpuusen).
    East,
    /// East and South (hanchan).
    Half,
}

/// The preset for rules in which Tenhou and Mahjong Soul differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Preset {
    /// Tenhou's.
    Tenhou,
    /// Mahjong Soul's.
    MahjongSoul,
}

/// The payment of the seat whose discard was called for the last triplet of daisangen or daisuushii
/// (pao).
///
/// It pays a self-draw alone, and half of a win on another's discard. If the hand has other yakuman
/// as well, the houses differ about the amount. Tenhou: "Multiple yakuman still count" (its rules
/// in English at arcturus.su). Mahjong Soul: "Composite Yakuman: Separated responsibility for each"
/// (riichi.wiki). RiichiEnv implements both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Liability {
    /// The whole win, with every other yakuman in it.
    WholeWin,
    /// Only that yakuman; the rest is paid as usual.
    FedYakuman,
}

/// The differences between the two in the value of a win, by `GameRule::default_tenhou` and
/// `GameRule::default_mjsoul` of RiichiEnv 0.4.11. [`score`](crate::score) lists the common rules.
impl Preset {
    /// The rules of a four-player hanchan of this house.
    pub const fn rules(self) -> Rules {
        match self {
            Self::Tenhou => Rules::TENHOU_HALF,
            Self::MahjongSoul => Rules::MAHJONG_SOUL_HALF,
        }
    }

    /// The number of yakuman that this yaku counts as; 0 if it is not a yakuman.
    ///
    /// Mahjong Soul counts four as double: thirteen orphans with thirteen waits, nine gates with
    /// nine, suuankou won on the pair, daisuushii. Tenhou counts none as double.
    pub const fn yakuman_units(self, yaku: Yaku) -> u8 {
        let double = matches!(
            yaku,
            Yaku::KokushiThirteen | Yaku::ChuurenNine | Yaku::SuuankouTanki | Yaku::Daisuushii
        );
        match self {
            _ if !yaku.is_yakuman() => 0,
            Self::MahjongSoul if double => 2,
            _ => 1,
        }
    }

    /// The payment of the seat whose discard was called for the last of three dragons or four
    /// winds.
    pub const fn liability(self) -> Liability {
        match self {
            Self::Tenhou => Liability::WholeWin,
            Self::MahjongSoul => Liability::FedYakuman,
        }
    }
}

/// The rules a table plays by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// 4 or 3.
    pub players: u8,
    /// The length of the game.
    pub length: Length,
    /// Total number of red fives.
    pub red_fives: u8,
    /// Whether an open hand of simples has a yaku.
    pub open_tanyao: bool,
    /// Whether the tile just called, and the other end of the run it completes, may not be
    /// discarded at once.
    pub kuikae_forbidden: bool,
    /// Whether thirteen orphans may win on a closed kan.
    pub ron_on_ankan_by_kokushi: bool,
    /// Whether three winners on one discard make an abortive draw.
    pub triple_ron_is_draw: bool,
    /// The preset for all other rules.
    pub preset: Preset,
    /// Points of each player at the start.
    pub start_points: i32,
    /// Points a player must have for the game to end with its last regular round.
    pub return_points: i32,
}

impl Rules {
    /// A four-player hanchan with three red fives by Tenhou's rules, like RiichiLab's ranked games
    /// (RiichiEnv's mode `4p-red-half`).
    pub const TENHOU_HALF: Self = Self {
        players: 4,
        length: Length::Half,
        red_fives: 3,
        open_tanyao: true,
        kuikae_forbidden: true,
        ron_on_ankan_by_kokushi: false,
        triple_ron_is_draw: true,
        preset: Preset::Tenhou,
        start_points: 25_000,
        return_points: 30_000,
    };

    /// The same by Mahjong Soul's choices, as RiichiEnv's preset of that name has them.
    pub const MAHJONG_SOUL_HALF: Self = Self {
        ron_on_ankan_by_kokushi: true,
        triple_ron_is_draw: false,
        preset: Preset::MahjongSoul,
        ..Self::TENHOU_HALF
    };

    /// The same rules for three or four players. Three begin with 35,000 points, need 40,000 for
    /// the game to end with its last regular round, and have no red five of characters, all as
    /// RiichiEnv's mode `3p-red-half` has it.
    #[must_use]
    pub const fn with_players(self, players: u8) -> Self {
        let (red_fives, start_points, return_points) = if players == 3 {
            (2, 35_000, 40_000)
        } else {
            (3, 25_000, 30_000)
        };
        let red_fives = if self.red_fives == 0 { 0 } else { red_fives };
        Self {
            players,
            red_fives,
            start_points,
            return_points,
            ..self
        }
    }

    /// The points that a win gains by this number of honba: 100 from each other player, or all from
    /// the one who dealt in.
    pub fn honba_points(&self, honba: u8) -> i32 {
        HONBA_SHARE * i32::from(honba) * i32::from(self.players - 1)
    }

    /// The kinds that the game is played with: three players have no 2m to 8m.
    pub const fn kinds(&self) -> KindSet {
        KindSet::in_play(self.players)
    }

    /// The kinds that may not be discarded right after a tile of this kind was called for a run or
    /// triplet with these two own ones, the lower first: none where kuikae is allowed.
    pub fn kuikae(&self, called: Kind, own: [Kind; 2]) -> KindSet {
        if self.kuikae_forbidden {
            kuikae(called, own)
        } else {
            KindSet::EMPTY
        }
    }

    /// Whether this number of winners on one tile makes an abortive draw (sanchahou).
    pub const fn is_drawn_by_winners(&self, winners: usize) -> bool {
        self.triple_ron_is_draw && winners >= 3
    }

    /// The same rules for another length of game.
    #[must_use]
    pub const fn with_length(self, length: Length) -> Self {
        Self { length, ..self }
    }

    /// Number of red fives in each suit (characters, dots, bamboo); three players have no fives of
    /// characters.
    pub const fn reds_by_suit(&self) -> [u8; 3] {
        match (self.players, self.red_fives) {
            (_, 0) => [0; 3],
            (3, _) => [0, 1, 1],
            (_, 4) => [1, 2, 1],
            _ => [1; 3],
        }
    }

    /// The dora that an indicator of this kind names.
    ///
    /// With three players there are no 2m to 8m, so 1m names 9m and 9m names 1m.
    pub const fn dora_of(&self, marker: Kind) -> Kind {
        const ONE: Kind = Kind::new(0).unwrap();
        const NINE: Kind = Kind::new(8).unwrap();
        match marker.index() {
            0 if self.players == 3 => NINE,
            8 if self.players == 3 => ONE,
            _ => marker.indicated(),
        }
    }

    /// Number of tiles that can be drawn in a round, replacement draws included: the wall less the
    /// deal and the dead wall's 14.
    pub const fn drawable_tiles(&self) -> u8 {
        if self.players == 3 {
            108 - 3 * 13 - 14
        } else {
            136 - 4 * 13 - 14
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::TENHOU_HALF
    }
}
