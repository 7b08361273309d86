//! The trios and fours that the runs leave: which are bodies, which are bombs, and how bodies join
//! to planes and shuttles.

use super::search::{Cost, SplitSearch};
use super::wings::choose_wings;
use crate::card::Rank;
use crate::combination::{Combination, CombinationKind, Wings};
use crate::masks::{JOKERS, RUN_RANKS, RankMasks};

/// Tries every choice of bodies and bombs.
pub(super) fn choose_bodies(search: &mut SplitSearch, cards: RankMasks, cost: Cost) {
    if !search.wants(cost.at_best(fewest_turns(search, cards), cards)) {
        return;
    }
    if cards.has_rocket() {
        let rocket = single_rank(CombinationKind::Rocket, Rank::SMALL_JOKER);
        let (rocket, left) = (
            Combination {
                length: 2,
                ..rocket
            },
            cards.without(JOKERS, 1),
        );
        let cost = cost.plus(Cost::of(rocket.kind));
        search.with_part(rocket, |search| {
            choose_disposition(search, Disposition::of(left), cost);
        });
    }
    choose_disposition(search, Disposition::of(cards), cost);
}

/// No split without runs takes fewer turns. Each rank is a body, a wing or its own turn. Even if
/// each trio became a body with one wing, and each four with two (or the number for a shuttle),
/// with neighbours in one turn, no fewer turns would be possible; fewer bodies save less than they
/// cost.
fn fewest_turns(search: &SplitSearch, cards: RankMasks) -> u32 {
    let (trios, fours) = (cards.with(3), cards.with(4).count_ones());
    let four_wings = u32::from(search.rules.shuttle_wings.max(2));
    let taken_in =
        2 * (trios.count_ones() - fours) + (1 + four_wings) * fours + u32::from(cards.has_rocket());
    let turns = (cards.with(1).count_ones() + groups(trios)).saturating_sub(taken_in);
    turns.max(u32::from(!cards.is_empty()))
}

/// Number of groups of neighbouring ranks that can be in a run, where each other rank is a separate
/// group.
const fn groups(ranks: u16) -> u32 {
    let in_runs = ranks & RUN_RANKS;
    (in_runs & !(in_runs << 1)).count_ones() + (ranks & !RUN_RANKS).count_ones()
}

/// The use of each rank with three or four cards.
#[derive(Clone, Copy)]
struct Disposition {
    /// Without the bodies and bombs.
    loose: RankMasks,
    /// Ranks that are not decided.
    open: u16,
    trios: u16,
    fours: u16,
}

impl Disposition {
    const fn of(loose: RankMasks) -> Self {
        Self {
            loose,
            open: loose.with(3),
            trios: 0,
            fours: 0,
        }
    }
}

fn choose_disposition(search: &mut SplitSearch, mut now: Disposition, cost: Cost) {
    if now.open == 0 {
        return join(search, now, cost);
    }
    let bit = now.open & now.open.wrapping_neg();
    now.open &= !bit;
    let trio = Disposition {
        loose: now.loose.without(bit, 3),
        trios: now.trios | bit,
        ..now
    };
    if now.loose.with(4) & bit == 0 {
        choose_disposition(search, trio, cost);
    } else {
        let without_four = now.loose.without(bit, 4);
        choose_disposition(
            search,
            Disposition {
                loose: without_four,
                fours: now.fours | bit,
                ..now
            },
            cost,
        );
        let (bomb, bomb_cost) = (
            CombinationKind::Bomb,
            cost.plus(Cost::of(CombinationKind::Bomb)),
        );
        if let Some(low) = rank_of(bit) {
            search.with_part(single_rank(bomb, low), |search| {
                choose_disposition(
                    search,
                    Disposition {
                        loose: without_four,
                        ..now
                    },
                    bomb_cost,
                );
            });
        }
        choose_disposition(search, trio, cost);
    }
    choose_disposition(search, now, cost);
}

/// Joins the bodies, lowest first, trios before fours, to turns in every way, with every kind of
/// wings.
fn join(search: &mut SplitSearch, now: Disposition, cost: Cost) {
    let wings: u32 = search
        .parts
        .iter()
        .map(|part| u32::from(part.wing_count(search.rules)))
        .sum();
    // A four takes two wings, or in a shuttle the number that the rules say.
    let four_wings = u32::from(search.rules.shuttle_wings.max(2));
    let wings_to_come = now.trios.count_ones() + four_wings * now.fours.count_ones();
    let units = now
        .loose
        .fewest_units()
        .saturating_sub(wings + wings_to_come);
    if !search.wants(cost.plus(Cost::turns(units)).at_best(0, now.loose)) {
        return;
    }
    let is_trio = now.trios != 0;
    let bodies = if is_trio { now.trios } else { now.fours };
    let (bit, run, alone) = if is_trio {
        (
            bodies & bodies.wrapping_neg(),
            CombinationKind::Plane,
            CombinationKind::Trio,
        )
    } else {
        (
            bodies & bodies.wrapping_neg(),
            CombinationKind::Shuttle,
            CombinationKind::FourWithTwo,
        )
    };
    let Some(low) = rank_of(bit) else {
        if search
            .parts
            .iter()
            .all(|part| part.kind.allowed_wings().contains(&part.wings))
        {
            choose_wings(search, now.loose, cost);
        }
        return;
    };
    let left = if is_trio {
        Disposition {
            trios: bodies & !bit,
            ..now
        }
    } else {
        Disposition {
            fours: bodies & !bit,
            ..now
        }
    };
    if let Some(last) = search.parts.last().copied()
        && (last.kind == run || last.kind == alone)
        && low <= Rank::ACE
        && last.low.above(last.length) == Some(low)
    {
        search.parts.pop();
        let longer = Combination {
            kind: run,
            length: last.length + 1,
            ..last
        };
        search.with_part(longer, |search| join(search, left, cost));
        search.parts.push(last);
    }
    for wings in [Wings::Singles, Wings::Pairs, Wings::None] {
        let part = Combination {
            wings,
            ..single_rank(alone, low)
        };
        search.with_part(part, |search| {
            join(search, left, cost.plus(Cost::of(alone)))
        });
    }
}

fn rank_of(bit: u16) -> Option<Rank> {
    Rank::new(bit.trailing_zeros() as u8)
}

const fn single_rank(kind: CombinationKind, low: Rank) -> Combination {
    Combination {
        kind,
        low,
        length: 1,
        wings: Wings::None,
    }
}
