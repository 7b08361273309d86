//! Fu.

use tiles::Kind;
use tiles::shanten::ORPHANS;

use crate::meld::MeldKind;
use crate::shape::BitReading;
use crate::yaku::{WinningPlace, Won, Yaku, YakuSet};

/// Seven pairs always have these.
pub(super) const SEVEN_PAIRS: u8 = 25;

const BASE: u8 = 20;
const CLOSED_RON: u8 = 10;
const TSUMO: u8 = 2;
/// For a pair of dragons or of a value wind, once for each wind; and for a pair, closed or edge
/// wait.
const TWO: u8 = 2;
const OPEN_TRIPLET: u8 = 2;
const CLOSED_TRIPLET: u8 = 4;
const OPEN_KAN: u8 = 8;
const CLOSED_KAN: u8 = 16;

/// Ones, nines and honours count twice.
fn doubled(fu: u8, kind: Kind) -> u8 {
    if ORPHANS.contains(kind) { 2 * fu } else { fu }
}

/// Fu of the melds.
pub(super) fn of_melds(won: &Won<'_>) -> u8 {
    let fu = |kind| match kind {
        MeldKind::Chi => 0,
        MeldKind::Pon => OPEN_TRIPLET,
        MeldKind::Daiminkan | MeldKind::Kakan => OPEN_KAN,
        MeldKind::Ankan => CLOSED_KAN,
    };
    won.melds()
        .iter()
        .map(|meld| doubled(fu(meld.kind()), meld.first()))
        .sum()
}

/// Fu of the closed triplets and the pair.
pub(super) fn of_reading(won: &Won<'_>, reading: &BitReading) -> u8 {
    let outside = (reading.triplets & ORPHANS.bits()).count_ones() as u8;
    let simple = reading.triplets.count_ones() as u8 - outside;
    CLOSED_TRIPLET * simple + 2 * CLOSED_TRIPLET * outside + TWO * won.times_of_value(reading.pair)
}

/// All fu, rounded up, when melds and reading have `parts` of them and the winning tile is at this
/// place.
pub(super) fn with_place(won: &Won<'_>, place: WinningPlace, parts: u8, yaku: YakuSet) -> u8 {
    if yaku.contains(Yaku::Pinfu) {
        return if won.is_tsumo() {
            BASE
        } else {
            BASE + CLOSED_RON
        };
    }
    let won_by = match (won.is_tsumo(), won.is_open()) {
        (true, _) => TSUMO,
        (false, false) => CLOSED_RON,
        (false, true) => 0,
    };
    let wait = if matches!(place, WinningPlace::Pair | WinningPlace::OneSided) {
        TWO
    } else {
        0
    };
    // A triplet completed by ron counts as open.
    let opened = if place == WinningPlace::Triplet && !won.is_tsumo() {
        doubled(CLOSED_TRIPLET - OPEN_TRIPLET, won.winning())
    } else {
        0
    };
    let fu = BASE + won_by + wait + parts - opened;
    // An open hand without any fu has 30 by ron as well.
    fu.max(BASE + 1).next_multiple_of(10)
}
