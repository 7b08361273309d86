//! Hands to look at.

use riichi::notation::Tiles;
use riichi::score::{Dora, WinSituation};
use riichi::{Called, Hand, KindSet, Meld, MeldKind, Rules, Seat, Tile, Wind};
use riichi_estimates::expectation::{Aim, Detours, Expectation, StartState};

/// The data that an outset refers to.
pub(crate) struct HandScene {
    pub(crate) hand: Hand,
    pub(crate) melds: Vec<Meld>,
    pub(crate) unseen: Hand,
    pub(crate) situation: WinSituation,
    pub(crate) thrown: KindSet,
    pub(crate) draws: u8,
    pub(crate) throws: u8,
    pub(crate) may_riichi: bool,
    pub(crate) may_call: bool,
    pub(crate) ura_indicators: u8,
    pub(crate) detours: Detours,
    pub(crate) aim: Aim,
}

pub(crate) fn tiles(text: &str) -> Vec<Tile> {
    text.parse::<Tiles>()
        .expect("tiles")
        .0
        .into_iter()
        .collect()
}

pub(crate) fn tile(name: &str) -> Tile {
    name.parse().expect("a tile")
}

/// A run called from the dealer.
pub(crate) fn meld(text: &str) -> Meld {
    let all = tiles(text);
    let called = Called {
        tile: all[0],
        from: Seat::FIRST,
    };
    Meld::new(MeldKind::Chi, &all, Some(called), 0).expect("a run")
}

/// South's in the first East round, without dora.
pub(crate) fn situation() -> WinSituation {
    WinSituation {
        rules: Rules::TENHOU_HALF,
        seat: Seat::new(1).expect("a seat"),
        oya: Seat::FIRST,
        bakaze: Wind::East,
        honba: 0,
        dora: Dora::NONE,
        kita: 0,
    }
}

impl HandScene {
    /// A closed hand that may declare riichi, played for points, with tsumo and ron.
    pub(crate) fn new(hand: &str, unseen: &str, draws: u8) -> Self {
        Self {
            hand: Hand::from_tiles(tiles(hand)).expect("a hand"),
            melds: Vec::new(),
            unseen: Hand::from_tiles(tiles(unseen)).expect("at most four of a kind"),
            situation: situation(),
            thrown: KindSet::EMPTY,
            draws,
            throws: 0,
            may_riichi: true,
            may_call: false,
            ura_indicators: 0,
            detours: Detours::None,
            aim: Aim::Points,
        }
    }

    pub(crate) fn outset(&self) -> StartState<'_> {
        StartState {
            hand: &self.hand,
            melds: &self.melds,
            unseen: &self.unseen,
            situation: &self.situation,
            thrown: self.thrown,
            draws: self.draws,
            throws: self.throws,
            may_riichi: self.may_riichi,
            may_call: self.may_call,
            ura_indicators: self.ura_indicators,
            detours: self.detours,
            aim: self.aim,
        }
    }

    pub(crate) fn expectation(&self) -> Expectation {
        Expectation::of(&self.outset()).expect("a hand that can be followed")
    }
}
