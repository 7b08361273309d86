//! The fan of a win.
//!
//! Every form that the tiles can have, and every division into sets and a pair, is counted as a
//! whole, and the most valuable one is taken (就高不就低; the rules, p. 30). The table in [`crate::fan`]
//! removes fan that another fan implies, from the most valuable fan down.

use arrayvec::ArrayVec;
use tiles::{Kind, KindSet, Wind};

use crate::combine::{chow_fans, pair_fans};
use crate::division::{
    Division, KindCounts, completing, divide, is_honour, kinds_of, seventh_pair, without_each,
};
use crate::fan::{Counting, FANS, Fan, FanBits, VALUES};
use crate::hand::{DeclaredSet, HandTiles};
use crate::masks::{
    DRAGONS, GREEN, HONOURS, KNITTED_STRAIGHTS, ORPHANS, REVERSIBLE, TERMINALS, WINDS, ranks, suit,
};

/// Fan that a win needs, flowers left aside.
pub const MINIMUM_FAN: u16 = 8;

/// A tile that completes a hand, and all else that fan depend on.
#[derive(Debug, Clone, Copy)]
pub struct WinToCount<'a> {
    /// The hand before the winning tile: 13 tiles.
    pub hand: &'a HandTiles,
    /// The winning tile.
    pub tile: Kind,
    /// Whether the winner drew it; otherwise it is a discard or the tile of a kong that is robbed.
    pub self_drawn: bool,
    /// Whether three tiles of its kind lay open before. Set aside when the hand holds the kind
    /// concealed, and taken as true when the declared sets hold the other three, as the judge does.
    pub fourth: bool,
    /// Whether it replaces a tile after a kong, or is the tile of a kong that is robbed. Set aside
    /// when there is no kong in the declared sets, or a tile that is robbed is in the hand, as the
    /// judge does.
    pub about_kong: bool,
    /// Whether it is the last tile of the wall, or the discard after it.
    pub wall_last: bool,
    /// The winner's wind.
    pub seat_wind: Wind,
    /// The wind of the round.
    pub prevalent_wind: Wind,
    /// Flowers laid down.
    pub flowers: u8,
}

impl<'a> WinToCount<'a> {
    /// A win of East in the east round by a discard, with nothing special about it.
    pub const fn new(hand: &'a HandTiles, tile: Kind) -> Self {
        Self {
            hand,
            tile,
            self_drawn: false,
            fourth: false,
            about_kong: false,
            wall_last: false,
            seat_wind: Wind::East,
            prevalent_wind: Wind::East,
            flowers: 0,
        }
    }
}

/// A form that wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WinningForm {
    /// Four sets and a pair.
    Sets,
    /// Seven pairs; four equal tiles may be two of them.
    SevenPairs,
    /// One of each terminal and honour, and one of them twice.
    ThirteenOrphans,
    /// 14 different tiles: honours, and the rest of a knitted straight.
    HonoursAndKnitted,
    /// A knitted straight, a set and a pair.
    KnittedStraight,
    /// 1112345678999 of one suit, all concealed, before the winning tile.
    NineGates,
}

/// The concealed tiles of a win, in the reading that counts most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WinReading {
    /// The form.
    pub form: WinningForm,
    /// The kinds of the concealed pungs.
    pub pungs: KindSet,
    /// The lowest kind of each concealed chow.
    pub chows: ArrayVec<Kind, 4>,
    /// The pair of a form with sets.
    pub pair: Option<Kind>,
    /// The knitted straight, if there is one.
    pub straight: KindSet,
}

/// The fan of a win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FanCount {
    counts: [u8; FANS],
    counted: FanBits,
    left_out: FanBits,
    total: u16,
    reading: WinReading,
}

impl FanCount {
    /// All fan with flowers.
    pub const fn total(&self) -> u16 {
        self.total
    }

    /// All fan without flowers: what the minimum of 8 is asked of.
    pub const fn without_flowers(&self) -> u16 {
        self.total - self.counts[Fan::FlowerTiles as usize] as u16
    }

    /// Whether the win is allowed: 8 fan without flowers.
    pub const fn is_enough(&self) -> bool {
        self.without_flowers() >= MINIMUM_FAN
    }

    /// How often a fan is counted.
    pub const fn times(&self, fan: Fan) -> u8 {
        if self.counted >> fan as u8 & 1 == 1 {
            self.counts[fan as usize]
        } else {
            0
        }
    }

    /// The fan that are counted, in the order of the rules, each with how many times.
    pub fn fans(&self) -> impl Iterator<Item = (Fan, u8)> {
        Fan::ALL
            .into_iter()
            .filter(|&fan| self.times(fan) > 0)
            .map(|fan| (fan, self.times(fan)))
    }

    /// The fan that the tiles also show, but that are not counted with this one.
    pub fn left_out_beside(&self, fan: Fan) -> impl Iterator<Item = Fan> {
        let left_out = self.left_out;
        fan.excludes()
            .filter(move |other| left_out & other.bit() != 0)
    }

    /// The fan of two chows that the tiles of this hand show as well, each with how many times, and
    /// that are not counted, because their chows are joined by others already.
    pub fn joined_already(&self, hand: &HandTiles) -> Vec<(Fan, u8)> {
        let declared = hand.sets().iter().filter_map(|set| match set {
            DeclaredSet::Chow(middle) => Some(middle.index() as u8 - 1),
            _ => None,
        });
        let chows: ArrayVec<u8, 4> = self
            .reading
            .chows
            .iter()
            .map(|lowest| lowest.index() as u8)
            .chain(declared)
            .take(4)
            .collect();
        let mut shown = [0_u8; FANS];
        pair_fans(&chows).for_each(|fan| shown[fan as usize] += 1);
        let beyond = |fan: Fan| shown[fan as usize].saturating_sub(self.times(fan));
        // A fan that a more valuable one implies is listed with that one.
        let is_joined = |&fan: &Fan| beyond(fan) > 0 && self.left_out & fan.bit() == 0;
        Fan::ALL
            .into_iter()
            .filter(is_joined)
            .map(|fan| (fan, beyond(fan)))
            .collect()
    }

    /// The reading of the tiles.
    pub const fn reading(&self) -> &WinReading {
        &self.reading
    }
}

/// The fan of a win, in the reading that counts most; `None` when the tile does not complete the
/// hand, the hand is full, or the tile would be the fifth of its kind. Fewer than 8 fan are counted
/// too: [`FanCount::is_enough`].
///
/// If two readings have the same total, the judge's choice is made: sets before seven pairs, and
/// among divisions the last with three equal chows or pungs, else the first.
pub fn count_fan(win: &WinToCount, counting: Counting) -> Option<FanCount> {
    best(win, counting, |_| ())
}

/// All readings of a win with their totals; [`count_fan`] takes the highest.
pub fn count_readings(win: &WinToCount, counting: Counting) -> Vec<FanCount> {
    let mut all = Vec::new();
    best(win, counting, |reading| all.push(reading.clone()));
    all
}

fn best(win: &WinToCount, counting: Counting, mut each: impl FnMut(&FanCount)) -> Option<FanCount> {
    let counter = FanCounter::new(win, counting)?;
    let mut best: Option<FanCount> = None;
    counter.readings(|found, reading| {
        let count = found.settle(win, reading);
        each(&count);
        let is_better = best.as_ref().is_none_or(|best| {
            count.total > best.total
                || count.total == best.total
                    && (best.reading.form == WinningForm::SevenPairs
                        || count.times(Fan::PureTripleChow) > 0
                        || count.times(Fan::TriplePung) > 0)
        });
        if is_better {
            best = Some(count);
        }
    });
    best
}

/// Fan that the tiles show, before removing those that others imply.
#[derive(Clone, Copy)]
struct Found {
    bits: FanBits,
    counts: [u8; FANS],
}

impl Found {
    const fn add(&mut self, fan: Fan, times: u8) {
        if times > 0 {
            self.bits |= fan.bit();
            self.counts[fan as usize] += times;
        }
    }

    const fn add_if(&mut self, condition: bool, fan: Fan) {
        self.add(fan, condition as u8);
    }

    /// Leaves out what dearer fan contain, and adds up.
    fn settle(&self, win: &WinToCount, reading: WinReading) -> FanCount {
        let mut counts = self.counts;
        let (mut counted, mut rest, mut total) = (0, self.bits, 0);
        while rest != 0 {
            let index = rest.trailing_zeros() as usize;
            counted |= 1 << index;
            total += u16::from(VALUES[index]) * u16::from(counts[index]);
            rest &= rest - 1;
            rest &= !Fan::ALL[index].excluded();
        }
        let left_out = self.bits & !counted;
        let chicken = u8::from(total == 0);
        for (fan, times) in [(Fan::ChickenHand, chicken), (Fan::FlowerTiles, win.flowers)] {
            if times > 0 {
                counted |= fan.bit();
                counts[fan as usize] = times;
                total += u16::from(fan.value()) * u16::from(times);
            }
        }
        FanCount {
            counts,
            counted,
            left_out,
            total,
            reading,
        }
    }
}

/// A win with the data that all its readings share.
struct FanCounter<'a> {
    win: &'a WinToCount<'a>,
    counting: Counting,
    /// The concealed tiles with the winning one.
    standing: KindCounts,
    declared_pungs: u64,
    declared_chows: ArrayVec<u8, 4>,
    melded_kongs: u8,
    concealed_kongs: u8,
    /// The fan that do not depend on the division of the tiles.
    shared: Found,
}

impl<'a> FanCounter<'a> {
    fn new(win: &'a WinToCount<'a>, counting: Counting) -> Option<Self> {
        let hand = win.hand;
        if hand.is_full() {
            return None;
        }
        let mut standing = hand.concealed().0;
        standing[win.tile.index()] += 1;
        let mut all = standing;
        let (mut declared_pungs, mut declared_chows) = (0, ArrayVec::new());
        let (mut melded_kongs, mut concealed_kongs, mut melded) = (0, 0, 0);
        for set in hand.sets() {
            let kind = set.kind().index();
            match set {
                DeclaredSet::Chow(_) => {
                    declared_chows.push(kind as u8 - 1);
                    (kind - 1..=kind + 1).for_each(|kind| all[kind] += 1);
                }
                DeclaredSet::Pung(_) => {
                    declared_pungs |= 1 << kind;
                    all[kind] += 3;
                }
                DeclaredSet::MeldedKong(_) | DeclaredSet::ConcealedKong(_) => {
                    declared_pungs |= 1 << kind;
                    all[kind] += 4;
                }
            }
            melded_kongs += u8::from(matches!(set, DeclaredSet::MeldedKong(_)));
            concealed_kongs += u8::from(matches!(set, DeclaredSet::ConcealedKong(_)));
            melded += u8::from(set.is_melded());
        }
        if all[win.tile.index()] > 4 {
            return None;
        }
        let mut shared = Found {
            bits: 0,
            counts: [0; FANS],
        };
        tile_fans(&mut shared, kinds_of(&all));
        let fours = tiles::Counts(all).at_least(4).len() as u8;
        shared.add(Fan::TileHog, fours - melded_kongs - concealed_kongs);
        situation_fans(
            &mut shared,
            win,
            standing[win.tile.index()],
            all[win.tile.index()],
        );
        match (melded, win.self_drawn) {
            (0, true) => shared.add(Fan::FullyConcealedHand, 1),
            (0, false) => shared.add(Fan::ConcealedHand, 1),
            (4, false) => shared.add(Fan::MeldedHand, 1),
            _ => {}
        }
        Some(Self {
            win,
            counting,
            standing,
            declared_pungs,
            declared_chows,
            melded_kongs,
            concealed_kongs,
            shared,
        })
    }

    fn readings(&self, mut found: impl FnMut(&Found, WinReading)) {
        let sets = self.win.hand.sets().len();
        if sets == 0 {
            self.special_forms(&mut found);
        }
        if sets <= 1 {
            self.knitted_straight(&mut found);
        }
        let mut one_wait = None;
        divide(&self.standing, |division| {
            let fans = self.fans_of_sets(division, &mut one_wait);
            found(&fans, reading_of(WinningForm::Sets, division, 0));
        });
    }

    fn special_forms(&self, found: &mut impl FnMut(&Found, WinReading)) {
        let standing = &self.standing;
        let kinds = kinds_of(standing);
        let mut fans = self.shared;
        let form = if standing.iter().all(|count| count % 2 == 0) {
            let lowest = kinds.trailing_zeros();
            let shifted =
                kinds >> lowest == 0x7f && kinds & suit((lowest / 9).min(2) as usize) == kinds;
            fans.add_if(shifted, Fan::SevenShiftedPairs);
            fans.add(Fan::SevenPairs, 1);
            WinningForm::SevenPairs
        } else if kinds == ORPHANS {
            fans.add(Fan::ThirteenOrphans, 1);
            WinningForm::ThirteenOrphans
        } else if let Some(straight) = knitted_within(kinds) {
            fans.add_if(
                kinds & HONOURS == HONOURS,
                Fan::GreaterHonorsAndKnittedTiles,
            );
            fans.add(Fan::LesserHonorsAndKnittedTiles, 1);
            fans.add_if(kinds & straight == straight, Fan::KnittedStraight);
            WinningForm::HonoursAndKnitted
        } else if let Some(rank) = self.nine_gates() {
            // From the judge's list; the rules mention only Full Flush: by rank of the winning
            // tile.
            fans.add(Fan::NineGates, 1);
            fans.add_if(matches!(rank, 1 | 9), Fan::PureStraight);
            fans.add_if(matches!(rank, 2 | 5 | 8), Fan::TwoConcealedPungs);
            fans.add_if(matches!(rank, 2 | 5 | 8), Fan::PungOfTerminalsOrHonors);
            fans.add_if(!matches!(rank, 1 | 5 | 9), Fan::ShortStraight);
            WinningForm::NineGates
        } else {
            return;
        };
        let reading = WinReading {
            form,
            pungs: KindSet::EMPTY,
            chows: ArrayVec::new(),
            pair: None,
            straight: KindSet::from_bits(
                knitted_within(kinds).map_or(0, |straight| kinds & straight),
            ),
        };
        found(&fans, reading);
    }

    /// The rank of the winning tile when the hand was 1112345678999 of its suit.
    fn nine_gates(&self) -> Option<u8> {
        let (rank, suit) = (self.win.tile.number()?, usize::from(self.win.tile.suit()?));
        let held = self.win.hand.concealed().0;
        (held[9 * suit..9 * suit + 9] == [3, 1, 1, 1, 1, 1, 1, 1, 3]).then_some(rank)
    }

    fn knitted_straight(&self, found: &mut impl FnMut(&Found, WinReading)) {
        let kinds = kinds_of(&self.standing);
        let Some(&straight) = KNITTED_STRAIGHTS
            .iter()
            .find(|&&straight| kinds & straight == straight)
        else {
            return;
        };
        let rest = without_each(&self.standing, straight);
        let tile = self.win.tile.index();
        divide(&rest, |division| {
            let pungs = self.declared_pungs | division.pungs;
            let mut fans = self.shared;
            fans.add(Fan::KnittedStraight, 1);
            fans.add_if(pungs == 0 && !is_honour(division.pair), Fan::AllChows);
            self.single_pungs(&mut fans, pungs);
            self.kongs(&mut fans, 0);
            if self.win.hand.sets().is_empty() {
                // Only the wait of the five tiles outside the straight decides.
                let mut waiting = rest;
                if waiting[tile] > 0 {
                    waiting[tile] -= 1;
                    if completing(&waiting).count_ones() == 1 {
                        wait_fan(&mut fans, division, self.win.tile);
                    }
                }
            } else {
                fans.add_if(
                    straight >> tile & 1 == 0 || self.standing[tile] == 3,
                    Fan::SingleWait,
                );
            }
            found(
                &fans,
                reading_of(WinningForm::KnittedStraight, division, straight),
            );
        });
    }

    /// The fan of one division. `one_wait` keeps whether a single kind completed the hand, once it
    /// was asked.
    fn fans_of_sets(&self, division: &Division, one_wait: &mut Option<bool>) -> Found {
        let tile = self.win.tile.index();
        let mut fans = self.shared;
        let pungs = self.declared_pungs | division.pungs;
        let mut chows = self.declared_chows.clone();
        chows.extend(division.chows.iter().copied());
        chows.sort_unstable();
        let pair = division.pair;

        if chows.len() == 4 && !is_honour(pair) {
            fans.add(Fan::AllChows, 1);
        }
        match terminal_chows(&chows, pair) {
            Some(fan) => fans.add(fan, 1),
            None => chow_fans(&chows, |fan| fans.add(fan, 1)),
        }
        if pungs != 0 {
            let mut concealed = division.pungs.count_ones() as u8;
            // A discard completes a pung only when it fits no concealed chow.
            let in_chow = division
                .chows
                .iter()
                .any(|&chow| (chow..chow + 3).contains(&(tile as u8)));
            if !self.win.self_drawn && division.pungs >> tile & 1 == 1 && !in_chow {
                concealed -= 1;
            }
            self.kongs(&mut fans, concealed);
            self.single_pungs(&mut fans, pungs);
            pung_combinations(&mut fans, pungs, pair);
        }
        trait_fans(&mut fans, pungs, &chows, pair);
        let is_waiting_part = pair as usize == tile
            || division
                .chows
                .iter()
                .any(|&chow| (chow..chow + 3).contains(&(tile as u8)));
        if is_waiting_part && *one_wait.get_or_insert_with(|| self.waited_for_one_kind()) {
            wait_fan(&mut fans, division, self.win.tile);
        }
        fans
    }

    fn waited_for_one_kind(&self) -> bool {
        let held = &self.win.hand.concealed().0;
        let pairs = if self.win.hand.sets().is_empty() {
            seventh_pair(held)
        } else {
            0
        };
        (completing(held) | pairs).count_ones() == 1
    }

    /// Kongs, and with them and `pungs` concealed pungs of the hand the concealed ones.
    fn kongs(&self, fans: &mut Found, pungs: u8) {
        let (melded, concealed) = (self.melded_kongs, self.concealed_kongs);
        match (melded + concealed, concealed) {
            (4, _) => fans.add(Fan::FourKongs, 1),
            (3, _) => fans.add(Fan::ThreeKongs, 1),
            (2, 2) => fans.add(Fan::TwoConcealedKongs, 1),
            (2, 0) => fans.add(Fan::TwoMeldedKongs, 1),
            (2, _) if self.counting == Counting::Judge => {
                fans.add(Fan::ConcealedKongAndMeldedKong, 1)
            }
            _ => {
                fans.add(Fan::ConcealedKong, concealed);
                fans.add(Fan::MeldedKong, melded);
            }
        }
        match concealed + pungs {
            4 => fans.add(Fan::FourConcealedPungs, 1),
            3 => fans.add(Fan::ThreeConcealedPungs, 1),
            2 => fans.add(Fan::TwoConcealedPungs, 1),
            _ => {}
        }
    }

    /// The fan of single pungs. A pung that counts for more is no Pung of Terminals or Honors.
    fn single_pungs(&self, fans: &mut Found, pungs: u64) {
        let [prevalent, seat] =
            [self.win.prevalent_wind, self.win.seat_wind].map(|wind| 1_u64 << wind.kind().index());
        fans.add_if(pungs & prevalent != 0, Fan::PrevalentWind);
        fans.add_if(pungs & seat != 0, Fan::SeatWind);
        fans.add(Fan::DragonPung, (pungs & DRAGONS).count_ones() as u8);
        let winds = pungs & WINDS;
        let other_winds = if winds.count_ones() >= 3 {
            0
        } else {
            winds & !(prevalent | seat)
        };
        fans.add(
            Fan::PungOfTerminalsOrHonors,
            (pungs & TERMINALS | other_winds).count_ones() as u8,
        );
    }
}

fn reading_of(form: WinningForm, division: &Division, straight: u64) -> WinReading {
    WinReading {
        form,
        pungs: KindSet::from_bits(division.pungs),
        chows: division
            .chows
            .iter()
            .filter_map(|&chow| Kind::new(chow))
            .collect(),
        pair: Kind::new(division.pair),
        straight: KindSet::from_bits(straight),
    }
}

/// The knitted straight that contains 14 different kinds, ignoring honours.
fn knitted_within(kinds: u64) -> Option<u64> {
    let straight = KNITTED_STRAIGHTS
        .into_iter()
        .find(|straight| kinds & !(straight | HONOURS) == 0)?;
    (kinds.count_ones() == 14).then_some(straight)
}

/// The fan of the tiles' kinds, independent of the division.
fn tile_fans(fans: &mut Found, kinds: u64) {
    let only = |allowed: u64| kinds & !allowed == 0;
    let suits = (0..3).filter(|&number| kinds & suit(number) != 0).count();
    let honours = kinds & HONOURS != 0;
    fans.add_if(!honours, Fan::NoHonors);
    match (suits, honours) {
        (1, true) => fans.add(Fan::HalfFlush, 1),
        (1, false) => fans.add(Fan::FullFlush, 1),
        (2, _) => fans.add(Fan::OneVoidedSuit, 1),
        (3, _) => fans.add_if(kinds & WINDS != 0 && kinds & DRAGONS != 0, Fan::AllTypes),
        _ => {}
    }
    if !honours {
        fans.add_if(only(ranks(0b0_0000_0111)), Fan::LowerTiles);
        fans.add_if(only(ranks(0b0_0000_1111)), Fan::LowerFour);
        fans.add_if(only(ranks(0b0_0011_1000)), Fan::MiddleTiles);
        fans.add_if(only(ranks(0b1_1110_0000)), Fan::UpperFour);
        fans.add_if(only(ranks(0b1_1100_0000)), Fan::UpperTiles);
    }
    fans.add_if(only(REVERSIBLE), Fan::ReversibleTiles);
    fans.add_if(only(GREEN), Fan::AllGreen);
    fans.add_if(kinds & ORPHANS == 0, Fan::AllSimples);
    if only(ORPHANS) {
        let fan = match (kinds & TERMINALS != 0, honours) {
            (true, true) => Fan::AllTerminalsAndHonors,
            (true, false) => Fan::AllTerminals,
            (false, _) => Fan::AllHonors,
        };
        fans.add(fan, 1);
    }
}

/// The fan of the circumstances, corrected as the judge does. `standing` is the number of the
/// winning kind among the concealed tiles; `all` includes the declared sets and the winning tile.
fn situation_fans(fans: &mut Found, win: &WinToCount, standing: u8, all: u8) {
    fans.add_if(standing == 1 && (win.fourth || all == 4), Fan::LastTile);
    if win.self_drawn {
        fans.add(Fan::SelfDrawn, 1);
        fans.add_if(win.wall_last, Fan::LastTileDraw);
        let has_kong = win.hand.sets().iter().any(|set| set.is_kong());
        fans.add_if(win.about_kong && has_kong, Fan::OutWithReplacementTile);
    } else {
        fans.add_if(win.wall_last, Fan::LastTileClaim);
        fans.add_if(win.about_kong && all == 1, Fan::RobbingTheKong);
    }
}

/// Pungs and kongs together.
fn pung_combinations(fans: &mut Found, pungs: u64, pair: u8) {
    fans.add_if(pungs.count_ones() == 4, Fan::AllPungs);
    let pair = 1_u64 << pair;
    let winds = (pungs & WINDS).count_ones();
    fans.add_if(winds == 4, Fan::BigFourWinds);
    fans.add_if(winds >= 3, Fan::BigThreeWinds);
    fans.add_if(winds == 3 && pair & WINDS != 0, Fan::LittleFourWinds);
    let dragons = (pungs & DRAGONS).count_ones();
    fans.add_if(dragons == 3, Fan::BigThreeDragons);
    fans.add_if(dragons >= 2, Fan::TwoDragonsPungs);
    fans.add_if(dragons == 2 && pair & DRAGONS != 0, Fan::LittleThreeDragons);
    let suits: [u64; 3] = std::array::from_fn(|number| pungs >> (9 * number) & 0x1ff);
    let in_a_row =
        |suit: u64, length: u32| (1..length).fold(suit, |row, step| row & suit >> step) != 0;
    fans.add_if(
        suits.iter().any(|&suit| in_a_row(suit, 4)),
        Fan::FourPureShiftedPungs,
    );
    fans.add_if(
        suits.iter().any(|&suit| in_a_row(suit, 3)),
        Fan::PureShiftedPungs,
    );
    let [m, p, s] = suits;
    fans.add_if(m & p & s != 0, Fan::TriplePung);
    if m & p & s == 0 {
        fans.add(Fan::DoublePung, (m & p | m & s | p & s).count_ones() as u8);
    }
    let shifted = |a: u64, b: u64, c: u64| a & b >> 1 & c >> 2 | a & c >> 1 & b >> 2 != 0;
    fans.add_if(
        shifted(m, p, s) || shifted(p, m, s) || shifted(s, m, p),
        Fan::MixedShiftedPungs,
    );
}

/// The common traits of all sets and the pair.
fn trait_fans(fans: &mut Found, pungs: u64, chows: &[u8], pair: u8) {
    let same = pungs | 1 << pair;
    let every = |kinds: u64, chow_ranks: &[u8]| {
        same & !kinds == 0 && chows.iter().all(|chow| chow_ranks.contains(&(chow % 9)))
    };
    fans.add_if(every(ORPHANS, &[0, 6]), Fan::OutsideHand);
    fans.add_if(every(ranks(1 << 4), &[2, 3, 4]), Fan::AllFive);
    fans.add_if(every(ranks(0b0_1010_1010), &[]), Fan::AllEvenPungs);
}

/// 123 and 789 twice and the pair 55: in one suit, or in two suits with the pair in the third.
fn terminal_chows(chows: &[u8], pair: u8) -> Option<Fan> {
    let &[a, b, c, d] = chows else {
        return None;
    };
    if is_honour(pair) || pair % 9 != 4 {
        return None;
    }
    let pair_suit = pair - 4;
    let (first, second) = match pair_suit {
        0 => (9, 18),
        9 => (0, 18),
        _ => (0, 9),
    };
    match [a, b, c, d] {
        // The chows are in order.
        [w, x, y, z] if w == pair_suit && x == w && y == w + 6 && z == y => {
            Some(Fan::PureTerminalChows)
        }
        chows if chows == [first, first + 6, second, second + 6] => {
            Some(Fan::ThreeSuitedTerminalChows)
        }
        _ => None,
    }
}

/// The fan of a wait for one kind, by the places the tile has in a division: edge before closed
/// before single.
fn wait_fan(fans: &mut Found, division: &Division, tile: Kind) {
    let index = tile.index() as u8;
    if division
        .chows
        .iter()
        .any(|&chow| chow == index || chow + 2 == index)
    {
        fans.add(Fan::EdgeWait, 1);
    } else if division.chows.iter().any(|&chow| chow + 1 == index) {
        fans.add(Fan::ClosedWait, 1);
    } else if division.pair == index {
        fans.add(Fan::SingleWait, 1);
    }
}
