//! The actions that one other seat has shown, in order.

use ::tiles::shanten::ORPHANS;
use ::tiles::{Counts, KindSet};
use ::tiles::{KINDS, Kind};
use game_core::Seat;

use super::shapes::shares;
use crate::danger::{Opponent, Sight, TwoSidedWaits};
use riichi::meld::MeldKind;
use riichi::table::{Discard, Phase, PlayerState, Table};

/// Discards up to this turn count as early.
const EARLY: usize = 6;

/// The state of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// Closed, without riichi.
    Closed,
    /// Open.
    Open,
    /// In riichi.
    Riichi,
}

/// The yaku that a hand may have, according to its melds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LikelyYaku {
    /// Any: nothing was called.
    Any,
    /// It has one: a triplet of an honour that is a yaku.
    Honour,
    /// It seems to collect a suit.
    Suit,
    /// It may be all simples.
    Simples,
    /// None of these.
    Other,
}

/// The actions since others declared riichi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnderRiichi {
    /// No other player is in riichi.
    None,
    /// It has not discarded since.
    NotYet,
    /// Its last discard was certainly safe, drawn or from its hand.
    Safe { drawn: bool },
    /// Its last discard was not.
    Risky { drawn: bool },
}

/// The information that one other seat has shown, from the judging seat's point of view.
#[derive(Debug, Clone)]
pub struct PlayerFeatures {
    pub(super) sight: Sight,
    pub(super) opponent: Opponent,
    /// The same, with all that passed since its hand last changed counted as safe.
    pub(super) since_change: Opponent,
    pub(super) certain_lines: TwoSidedWaits,
    pub(super) lines: TwoSidedWaits,
    pub(super) stance: Stance,
    pub(super) melds: usize,
    pub(super) turns: usize,
    /// Whether it has a closed kan.
    pub(super) closed_kan: bool,
    /// Discards of drawn tiles since its hand last changed.
    pub(super) unchanged: usize,
    /// Discards since its last call, and how many of them came from its hand.
    pub(super) since_call: usize,
    pub(super) from_hand: usize,
    /// The last two tiles that it threw from its hand.
    pub(super) last: [Option<Kind>; 2],
    /// Tiles from 3 to 7 among its first discards.
    pub(super) early_middle: usize,
    pub(super) under_riichi: UnderRiichi,
    /// Discards since others' riichi that were not certainly safe.
    pub(super) risky: usize,
    pub(super) yaku: LikelyYaku,
    pub(super) shown_han: usize,
    pub(super) tiles_left: usize,
    pub(super) ippatsu: bool,
    pub(super) double_riichi: bool,
    /// Kinds among its first six discards, and later ones.
    pub(super) early: KindSet,
    pub(super) late: KindSet,
    /// Discards of each suit.
    pub(super) suits: [usize; 3],
    /// Whether all its melds are triplets, and how many.
    pub(super) triplets: Option<usize>,
    /// The share of possible waits that include each kind, based only on the unseen tiles.
    pub(super) shares: [f32; KINDS],
    /// Copies of dora that are not seen.
    pub(super) unseen_dora: usize,
}

impl PlayerFeatures {
    /// Reads another seat of a table.
    pub fn of(table: &Table, seat: Seat) -> Self {
        Self::with_sight(table, seat, &Sight::of_table(table))
    }

    pub(super) fn with_sight(table: &Table, seat: Seat, sight: &Sight) -> Self {
        let player = table.player(seat);
        let river = player.river.as_slice();
        let last_call = player.melds.iter().map(|meld| meld.order).max();
        let changed = river
            .iter()
            .rev()
            .find(|discard| !discard.tsumogiri)
            .map(|discard| discard.order)
            .max(last_call);
        let cannot_ron = player.cannot_ron();
        let quiet = if player.riichi.is_some() {
            KindSet::EMPTY
        } else {
            passed_since(table, seat, changed)
        };
        let opponent_with = |safe| {
            let river = river.iter().copied();
            Opponent::new(
                river,
                &player.melds,
                safe,
                table.seat_wind(seat),
                table.bakaze(),
            )
            .with_norths(player.kita)
        };
        let (opponent, since_change) =
            (opponent_with(cannot_ron), opponent_with(cannot_ron | quiet));
        let after_call = || {
            river
                .iter()
                .filter(|discard| Some(discard.order) > last_call)
        };
        let mut from_hand = river
            .iter()
            .rev()
            .filter(|discard| !discard.tsumogiri)
            .map(|discard| discard.tile.kind());
        let stance = match player.riichi {
            Some(_) => Stance::Riichi,
            None if player.is_closed() => Stance::Closed,
            None => Stance::Open,
        };
        let (under_riichi, risky) = under_riichi(table, seat, river);
        let kinds = |discards: &[Discard]| {
            discards
                .iter()
                .map(|discard| discard.tile.kind())
                .collect::<KindSet>()
        };
        let (early, late) = river.split_at(river.len().min(EARLY));
        let middle = |discard: &&Discard| {
            discard
                .tile
                .kind()
                .number()
                .is_some_and(|number| (3..=7).contains(&number))
        };
        let mut suits = [0; 3];
        for suit in river
            .iter()
            .filter_map(|discard| discard.tile.kind().suit())
        {
            suits[usize::from(suit)] += 1;
        }
        let only_triplets = player.melds.iter().all(|meld| meld.kind() != MeldKind::Chi);
        Self {
            sight: *sight,
            opponent,
            since_change,
            certain_lines: TwoSidedWaits::new(sight, &opponent),
            lines: TwoSidedWaits::new(sight, &since_change),
            stance,
            melds: player.melds.len(),
            turns: river.len(),
            closed_kan: player
                .melds
                .iter()
                .any(|meld| meld.kind() == MeldKind::Ankan),
            unchanged: river
                .iter()
                .filter(|discard| Some(discard.order) > changed)
                .count(),
            since_call: after_call().count(),
            from_hand: after_call().filter(|discard| !discard.tsumogiri).count(),
            last: [from_hand.next(), from_hand.next()],
            early_middle: early.iter().filter(middle).count(),
            under_riichi,
            risky,
            yaku: likely_yaku(player, &opponent),
            shown_han: usize::from(opponent.shown_han(sight)),
            tiles_left: usize::from(table.tiles_left()),
            ippatsu: player
                .riichi
                .is_some_and(|riichi| riichi.ippatsu || !riichi.accepted),
            double_riichi: player.riichi.is_some_and(|riichi| riichi.double),
            early: kinds(early),
            late: kinds(late),
            suits,
            triplets: only_triplets.then_some(player.melds.len()),
            shares: shares(&sight.unseen, since_change.safe(), 4 - player.melds.len()),
            unseen_dora: sight
                .dora
                .iter()
                .map(|kind| usize::from(sight.unseen[kind]))
                .sum(),
        }
    }

    /// The state of the hand.
    pub const fn stance(&self) -> Stance {
        self.stance
    }

    /// The sets that it has shown.
    pub const fn melds(&self) -> usize {
        self.melds
    }

    /// Number of discards.
    pub const fn turns(&self) -> usize {
        self.turns
    }

    /// Kinds that it certainly cannot win on now.
    pub const fn safe(&self) -> KindSet {
        self.opponent.safe()
    }

    /// Copies of each kind that the seat that judges has not seen.
    pub const fn unseen(&self) -> &Counts {
        &self.sight.unseen
    }
}

/// Kinds that others threw and no player won on since the discard or call of this number.
fn passed_since(table: &Table, seat: Seat, order: Option<u8>) -> KindSet {
    let others = Seat::all(table.rules().players).filter(|&other| other != seat);
    let discards = others.flat_map(|other| table.player(other).river.iter());
    // The last discard may still be won on.
    let pending = if matches!(table.phase(), Phase::Discarded { .. }) {
        table.last_order()
    } else {
        None
    };
    let passed =
        discards.filter(|discard| Some(discard.order) > order && Some(discard.order) != pending);
    passed.map(|discard| discard.tile.kind()).collect()
}

/// The actions of a seat since others declared riichi, and its number of discards since then that
/// were not certainly safe.
fn under_riichi(table: &Table, seat: Seat, river: &[Discard]) -> (UnderRiichi, usize) {
    let players = table.rules().players;
    let mut last = UnderRiichi::None;
    let mut risky = 0;
    for other in Seat::all(players).filter(|&other| other != seat) {
        let Some(riichi) = table.player(other).riichi else {
            continue;
        };
        let mut own = UnderRiichi::NotYet;
        for discard in river.iter().filter(|discard| discard.order > riichi.order) {
            let kind = discard.tile.kind();
            let safe = Seat::all(players).any(|thrower| {
                let counts = |thrown: &Discard| {
                    thrown.tile.kind() == kind
                        && thrown.order < discard.order
                        && (thrower == other || thrown.order > riichi.order)
                };
                table.player(thrower).river.iter().any(counts)
            });
            let drawn = discard.tsumogiri;
            own = if safe {
                UnderRiichi::Safe { drawn }
            } else {
                UnderRiichi::Risky { drawn }
            };
            risky += usize::from(!safe);
        }
        if !matches!(last, UnderRiichi::Risky { .. }) {
            last = own;
        }
    }
    (last, risky)
}

fn likely_yaku(player: &PlayerState, opponent: &Opponent) -> LikelyYaku {
    let melds = &player.melds;
    if melds
        .iter()
        .any(|meld| meld.kind() != MeldKind::Chi && opponent.values().contains(meld.first()))
    {
        LikelyYaku::Honour
    } else if player.is_closed() {
        LikelyYaku::Any
    } else if opponent.collects().is_some() {
        LikelyYaku::Suit
    } else if melds
        .iter()
        .flat_map(|meld| meld.tiles())
        .all(|tile| !ORPHANS.contains(tile.kind()))
    {
        LikelyYaku::Simples
    } else {
        LikelyYaku::Other
    }
}
