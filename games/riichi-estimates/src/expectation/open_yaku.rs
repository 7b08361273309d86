//! Whether an open hand can still get a yaku: those that cannot are not followed.

use arrayvec::ArrayVec;
use tiles::concealed::MAX_MELDS;
use tiles::shanten::ORPHANS;
use tiles::shanten::tables::Keyed;
use tiles::{Counts, Kind, KindSet, Wind};

use riichi::meld::{Meld, MeldKind};
use riichi::score::WinSituation;

use super::melds::HandAhead;

/// The circumstances that affect the yaku of an open hand, besides its tiles.
pub(super) struct OpenYaku {
    /// Honours whose triplet is a yaku.
    value: KindSet,
    open_tanyao: bool,
    /// The melds that the hand has already.
    melds: Vec<(Kind, bool)>,
    /// Three kans among them are a yaku.
    three_kans: bool,
}

/// Tiles that are not in a run with a terminal.
const MIDDLE: KindSet = KindSet::from_bits(0b0_0011_1000 * ((1 << 18) + (1 << 9) + 1));

impl OpenYaku {
    pub(super) fn new(situation: &WinSituation, melds: &[Meld]) -> Self {
        let dragons = Kind::all().filter(|kind| kind.is_dragon());
        let seat_wind = Wind::of_seat(situation.seat, situation.oya, situation.rules.players);
        let winds = [seat_wind.kind(), situation.bakaze.kind()];
        Self {
            value: dragons.chain(winds).collect(),
            open_tanyao: situation.rules.open_tanyao,
            melds: melds
                .iter()
                .map(|meld| (meld.first(), meld.kind() == MeldKind::Chi))
                .collect(),
            three_kans: melds.iter().filter(|meld| meld.kind().is_kan()).count() >= 3,
        }
    }

    /// Whether this hand may win with a yaku after gaining this many tiles. True if in doubt.
    pub(super) fn may_come(&self, hand: &HandAhead, more: u8) -> bool {
        let closed = ClosedTiles {
            closed: *hand.closed.counts(),
            melds: hand.closed.melds(),
        };
        let melds = self
            .melds
            .iter()
            .copied()
            .chain(hand.melds.iter().map(|meld| (meld.first(), meld.is_run())));
        let melds: ArrayVec<(Kind, bool), { MAX_MELDS as usize }> = melds.collect();
        self.three_kans
            || self.simples(&closed, &melds, more)
            || self.value_triplet(&closed, &melds, more)
            || (0..3).any(|suit| one_suit(suit, &closed, &melds, more))
            || with_ends(&closed, &melds, more)
            || triplets(&closed, &melds, more)
            || (0..3).any(|suit| {
                closed.may_hold(
                    &melds,
                    [0, 3, 6].map(|first| (9 * suit + first, true)),
                    more,
                )
            })
            || (0..7).any(|first| {
                closed.may_hold(&melds, [0, 9, 18].map(|suit| (suit + first, true)), more)
            })
            || (0..9).any(|kind| {
                closed.may_hold(&melds, [0, 9, 18].map(|suit| (suit + kind, false)), more)
            })
            || closed.melds <= 1 && closed.lacks_three_triplets() <= more
    }

    fn value_triplet(&self, closed: &ClosedTiles, melds: &[(Kind, bool)], more: u8) -> bool {
        let has = |kind| melds.iter().any(|&(first, _)| first == kind);
        self.value
            .iter()
            .any(|kind| has(kind) || closed.may_hold(&[], [(kind.index(), false)], more))
    }

    fn simples(&self, closed: &ClosedTiles, melds: &[(Kind, bool)], more: u8) -> bool {
        self.open_tanyao && !melds.iter().any(has_end) && closed.without(ORPHANS).missing() <= more
    }
}

fn one_suit(suit: u8, closed: &ClosedTiles, melds: &[(Kind, bool)], more: u8) -> bool {
    let other = |kind: Kind| kind.suit().is_some_and(|other| other != suit);
    let others = Kind::all().filter(|&kind| other(kind)).collect();
    !melds.iter().any(|&(first, _)| other(first)) && closed.without(others).missing() <= more
}

/// A terminal or honour in each set.
fn with_ends(closed: &ClosedTiles, melds: &[(Kind, bool)], more: u8) -> bool {
    melds.iter().all(has_end) && closed.without(MIDDLE).missing() <= more
}

/// The closed tiles of a hand, or some of them, and its number of melds.
struct ClosedTiles {
    closed: Counts,
    melds: u8,
}

impl ClosedTiles {
    fn without(&self, kinds: KindSet) -> Self {
        let mut closed = self.closed;
        for kind in kinds.iter() {
            closed[kind] = 0;
        }
        Self { closed, ..*self }
    }

    /// The minimum number of tiles missing to four sets and a pair.
    fn missing(&self) -> u8 {
        Keyed::<false>::of_tiles(&self.closed, self.melds).missing()
    }

    /// Whether a hand with these sets may be no further away, each by its lowest kind and whether
    /// it is a run.
    fn may_hold<const SETS: usize>(
        &self,
        melds: &[(Kind, bool)],
        sets: [(usize, bool); SETS],
        more: u8,
    ) -> bool {
        let mut rest = Self {
            closed: self.closed,
            ..*self
        };
        let mut lacking = 0;
        for (first, run) in sets {
            if melds
                .iter()
                .any(|&(kind, is_run)| kind.index() == first && is_run == run)
            {
                continue;
            }
            rest.melds += 1;
            for kind in if run {
                [first, first + 1, first + 2]
            } else {
                [first; 3]
            } {
                match rest.closed.0[kind].checked_sub(1) {
                    Some(left) => rest.closed.0[kind] = left,
                    None => lacking += 1,
                }
            }
        }
        rest.melds <= MAX_MELDS && lacking <= more && lacking + rest.missing() <= more
    }

    fn lacks_three_triplets(&self) -> u8 {
        // For the three kinds held most often.
        (1..=3)
            .map(|held| 3 - self.closed.at_least(held).len().min(3) as u8)
            .sum()
    }
}

/// Triplets alone, and a pair.
fn triplets(closed: &ClosedTiles, melds: &[(Kind, bool)], more: u8) -> bool {
    let kinds_of = |held| closed.closed.at_least(held).len() as u8;
    let wanted = 4 - closed.melds;
    let triplets = kinds_of(3).min(wanted);
    let pairs = kinds_of(2) - triplets;
    let lacking = wanted - triplets;
    melds.iter().all(|&(_, run)| !run) && lacking + (lacking + 1).saturating_sub(pairs) <= more
}

/// Whether a meld, given by its lowest kind and whether it is a run, holds a terminal or honour.
fn has_end(&(first, run): &(Kind, bool)) -> bool {
    ORPHANS.contains(first) || run && first.number() == Some(7)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation::melds::NewMelds;
    use game_core::Seat;
    use game_core::rng::Rng;
    use riichi::hand::Hand;
    use riichi::meld::Called;
    use riichi::rules::Rules;
    use riichi::score::{Dora, Win};
    use riichi::yaku::{WinBy, Yaku};
    use tiles::{ConcealedHand, Wind};

    /// The dealer's in the first East round.
    fn situation() -> WinSituation {
        let (rules, seat) = (Rules::TENHOU_HALF, Seat::FIRST);
        WinSituation {
            rules,
            seat,
            oya: seat,
            bakaze: Wind::East,
            honba: 0,
            dora: Dora::NONE,
            kita: 0,
        }
    }

    /// A set of random tiles: three runs for each triplet.
    fn set(random: &mut Rng, kinds: &[Kind]) -> [Kind; 3] {
        loop {
            let first = kinds[random.below(kinds.len())];
            if random.below(4) == 0 {
                return [first; 3];
            }
            if let (Some(second), Some(third)) = (first.offset(1), first.offset(2))
                && kinds.contains(&third)
            {
                return [first, second, third];
            }
        }
    }

    #[test]
    fn a_hand_that_lacks_tiles_of_an_open_win_is_never_abandoned() {
        let (seat, situation) = (Seat::FIRST, situation());
        let open_yaku = OpenYaku::new(&situation, &[]);
        let mut random = Rng::keyed(&[20]);
        let mut seen = std::collections::HashMap::<Yaku, u32>::new();
        let all: Vec<Kind> = Kind::all().collect();
        for _ in 0..60_000 {
            // Now of all kinds, now of some that go well together.
            let kinds: Vec<Kind> = match random.below(5) {
                0 => all.clone(),
                1 => all
                    .iter()
                    .copied()
                    .filter(|kind| kind.suit().is_none_or(|suit| suit == 1))
                    .collect(),
                2 => all
                    .iter()
                    .copied()
                    .filter(|kind| kind.number().is_some_and(|number| number <= 4))
                    .collect(),
                3 => all
                    .iter()
                    .copied()
                    .filter(|kind| !MIDDLE.contains(*kind))
                    .collect(),
                _ => all
                    .iter()
                    .copied()
                    .filter(|kind| !ORPHANS.contains(*kind))
                    .collect(),
            };
            let pair = kinds[random.below(kinds.len())];
            let sets: Vec<[Kind; 3]> = (0..4).map(|_| set(&mut random, &kinds)).collect();
            let count: Counts = sets
                .iter()
                .flatten()
                .copied()
                .chain([pair; 2])
                .map(Kind::tile)
                .collect();
            if count.0.iter().any(|&held| held > 4) {
                continue;
            }
            let calls = 1 + random.below(4);
            let melds: Vec<Meld> = sets[..calls]
                .iter()
                .filter_map(|kinds| {
                    let kind = if kinds[0] == kinds[1] {
                        MeldKind::Pon
                    } else {
                        MeldKind::Chi
                    };
                    let called = Some(Called {
                        tile: kinds[0].tile(),
                        from: seat,
                    });
                    Meld::new(kind, &kinds.map(Kind::tile), called, 0)
                })
                .collect();
            let complete: Vec<Kind> = sets[calls..]
                .iter()
                .flatten()
                .copied()
                .chain([pair; 2])
                .collect();
            let full = Hand::from_tiles(complete.iter().map(|kind| kind.tile()))
                .expect("at most four of a kind");
            let winning = complete[random.below(complete.len())];
            let Ok(score) = situation.score(&Win::of(&full, &melds, winning, WinBy::Draw)) else {
                continue;
            };
            for yaku in score.yaku.iter() {
                *seen.entry(yaku).or_default() += 1;
            }
            // The winning tile is missing, and others are something else.
            let more = 1 + random.below(complete.len().min(4));
            let mut rest = complete;
            rest.remove(
                rest.iter()
                    .position(|&kind| kind == winning)
                    .expect("it is there"),
            );
            for place in 1..more {
                rest[place - 1] = loop {
                    let other = all[random.below(all.len())];
                    let held = rest.iter().filter(|&&kind| kind == other).count();
                    if held + usize::from(count[other]) < 4 {
                        break other;
                    }
                };
            }
            let counts: Counts = rest.iter().map(|kind| kind.tile()).collect();
            let closed = ConcealedHand::new(counts, calls, 4).expect("a hand before its draw");
            let ahead = HandAhead {
                closed,
                reds: [0; 3],
                melds: NewMelds::of(&melds),
            };
            assert!(
                open_yaku.may_come(&ahead, more as u8),
                "{more} tiles short of {full:?} {melds:?}: {closed:?}"
            );
        }
        let of_tiles = [
            Yaku::Tanyao,
            Yaku::Chun,
            Yaku::Honitsu,
            Yaku::Chanta,
            Yaku::Junchan,
        ];
        let of_sets = [
            Yaku::Ittsuu,
            Yaku::SanshokuDoujun,
            Yaku::SanshokuDoukou,
            Yaku::Toitoi,
            Yaku::Sanankou,
        ];
        for yaku in of_tiles.into_iter().chain(of_sets) {
            assert!(seen.contains_key(&yaku), "{yaku:?} never came about");
        }
    }

    #[test]
    fn a_hand_of_mixed_runs_and_terminals_is_given_up() {
        let tiles: riichi::notation::Tiles = "789m12p55s9s1m2z".parse().expect("tiles");
        let closed = ConcealedHand::new(tiles.0.iter().copied().collect(), 1, 4)
            .expect("a hand before its draw");
        let run: riichi::notation::Tiles = "456s".parse().expect("tiles");
        let called = Some(Called {
            tile: run.0[0],
            from: Seat::FIRST,
        });
        let meld = Meld::new(MeldKind::Chi, &run.0, called, 0).expect("a run");
        let ahead = HandAhead {
            closed,
            reds: [0; 3],
            melds: NewMelds::of(&[meld]),
        };
        assert!(!OpenYaku::new(&situation(), &[]).may_come(&ahead, 3));
    }
}
