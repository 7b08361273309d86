//! The ladder: which discard comes first.

use std::cmp::Reverse;
use std::fmt;

use arrayvec::ArrayVec;
use policy_common::Candidate;
use riichi::tile::KINDS;
use riichi::{ConcealedHand, Counts, Kind, Tile};

use crate::block::{Block, blocks};
use crate::caution::Caution;
use crate::sight::TilesLeft;

/// The rungs, from the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LadderStep {
    /// A: it leaves the hand tenpai.
    Tenpai,
    /// On the way to seven pairs: it is in no pair.
    Unpaired,
    /// B: it has two vacant places on both sides.
    TwoVacant,
    /// C: it has one vacant place next to it.
    OneVacant,
    /// D: without it, a block of 4, 7, 10 or 13 is complete.
    LeavesComplete,
    /// E: without it, a block of 3, 6, 9 or 12 waits, or holds the pair that the hand has not.
    LeavesSets,
    /// F: without it, a block of 2, 5, 8 or 11 waits.
    LeavesWait,
    /// G: a pair.
    Pair,
    /// G: of a block that is not complete.
    Rest,
    /// G: of a complete part.
    Part,
}

impl LadderStep {
    /// The rung's letter; the way to seven pairs has none.
    const fn letter(self) -> char {
        match self {
            Self::Tenpai => 'A',
            Self::Unpaired => '7',
            Self::TwoVacant => 'B',
            Self::OneVacant => 'C',
            Self::LeavesComplete => 'D',
            Self::LeavesSets => 'E',
            Self::LeavesWait => 'F',
            Self::Pair | Self::Rest | Self::Part => 'G',
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Tenpai => "leaves the widest wait",
            Self::Unpaired => "is in none of the pairs",
            Self::TwoVacant => "stands alone",
            Self::OneVacant => "has one vacant place beside it",
            Self::LeavesComplete => "leaves complete parts",
            Self::LeavesSets => "leaves a wait or a pair",
            Self::LeavesWait => "leaves a wait",
            Self::Pair => "is of a pair",
            Self::Rest => "is of no part",
            Self::Part => "is of a complete part",
        }
    }
}

/// The rank of a possible discard; the lowest goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LadderRank {
    /// Number of seats in riichi that may win on it. None count against a discard that leaves the
    /// hand tenpai.
    threats: usize,
    step: LadderStep,
    /// Whether a player collects its suit, if the hand is not tenpai.
    collected: bool,
    /// The hand without it, for a level that uses the tiles on the table.
    progress: Option<(i8, Reverse<u32>)>,
    /// Number of tiles that may still come for the resulting wait, if the step is about one.
    wait: Reverse<u32>,
    /// Number of useful tiles that may still come.
    company: u32,
    /// From the ends inward: of the block, then of the suit.
    inward: (usize, usize),
    red: bool,
    from_hand: bool,
    tile: Tile,
}

impl LadderRank {
    /// The order of threats and steps as a number, the better higher.
    pub(crate) fn value(&self) -> f32 {
        -(self.step as usize as f32) - 100.0 * self.threats as f32
    }
}

impl fmt::Display for LadderRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} {}",
            self.step.letter(),
            self.tile,
            self.step.words()
        )
    }
}

/// A hand on the ladder.
pub(crate) struct Ladder<'a> {
    closed: &'a Counts,
    blocks: ArrayVec<Block, KINDS>,
    to_seven_pairs: bool,
    sight: TilesLeft,
    caution: Caution,
}

impl<'a> Ladder<'a> {
    pub(crate) fn new(
        hand: &'a ConcealedHand,
        to_seven_pairs: bool,
        sight: TilesLeft,
        caution: Caution,
    ) -> Self {
        Self {
            closed: hand.counts(),
            blocks: blocks(hand),
            to_seven_pairs,
            sight,
            caution,
        }
    }

    pub(crate) fn rank(&self, candidate: &Candidate) -> LadderRank {
        let kind = candidate.tile.kind();
        let Footing {
            step,
            wait,
            company,
            inward,
        } = self.footing(candidate);
        let attacks = step == LadderStep::Tenpai;
        LadderRank {
            threats: if attacks {
                0
            } else {
                self.caution.threats(kind)
            },
            step,
            collected: !attacks && self.caution.is_collected(kind),
            progress: self.sight.sees_table().then(|| candidate.progress.order()),
            wait: Reverse(wait),
            company,
            inward: (inward, from_suit_end(kind)),
            red: candidate.tile.is_red(),
            from_hand: !candidate.tsumogiri,
            tile: candidate.tile,
        }
    }

    fn footing(&self, candidate: &Candidate) -> Footing {
        let kind = candidate.tile.kind();
        if candidate.progress.shanten == 0 {
            let wait = self.sight.left(candidate.progress.acceptance);
            return Footing {
                wait,
                ..Footing::alone(LadderStep::Tenpai, self.sight.company(kind))
            };
        }
        if self.to_seven_pairs {
            return self.on_the_way_to_seven_pairs(kind);
        }
        let block = self.blocks.iter().find(|block| block.contains(kind));
        self.in_block(
            block.expect("every tile that can be discarded is in a block"),
            kind,
        )
    }

    /// A third or fourth of a kind goes first, then single tiles.
    fn on_the_way_to_seven_pairs(&self, kind: Kind) -> Footing {
        match self.closed[kind] {
            1 => Footing::alone(LadderStep::Unpaired, 1 + self.sight.copies(kind)),
            2 => Footing::alone(LadderStep::Pair, self.sight.copies(kind)),
            _ => Footing::alone(LadderStep::Unpaired, 0),
        }
    }

    fn in_block(&self, block: &Block, kind: Kind) -> Footing {
        let company = self.sight.company(kind);
        if block.size() == 1 {
            let step = if self.has_neighbour_two_away(kind) {
                LadderStep::OneVacant
            } else {
                LadderStep::TwoVacant
            };
            return Footing::alone(step, company);
        }
        let (step, wait) = if block.is_complete() {
            (
                if self.closed[kind] == 2 {
                    LadderStep::Pair
                } else {
                    LadderStep::Part
                },
                0,
            )
        } else {
            self.in_unfinished(block, kind)
        };
        Footing {
            step,
            wait,
            company,
            inward: block.inward(kind),
        }
    }

    /// The step of a tile of an unfinished block, and the wait that it leaves.
    fn in_unfinished(&self, block: &Block, kind: Kind) -> (LadderStep, u32) {
        let wait = || self.sight.left(block.waits_without(kind));
        let found = match block.size() % 3 {
            1 => block
                .is_sets_without(kind)
                .then_some((LadderStep::LeavesComplete, 0)),
            0 if self.has_pair_beside(block) => {
                Some((LadderStep::LeavesSets, wait())).filter(|(_, wait)| *wait > 0)
            }
            0 => block
                .is_sets_and_pair_without(kind)
                .then_some((LadderStep::LeavesSets, 0)),
            _ => Some((LadderStep::LeavesWait, wait())).filter(|(_, wait)| *wait > 0),
        };
        found.unwrap_or((
            if self.closed[kind] == 2 {
                LadderStep::Pair
            } else {
                LadderStep::Rest
            },
            0,
        ))
    }

    fn has_neighbour_two_away(&self, kind: Kind) -> bool {
        [-2, 2]
            .into_iter()
            .filter_map(|steps| kind.offset(steps))
            .any(|other| self.closed[other] > 0)
    }

    fn has_pair_beside(&self, block: &Block) -> bool {
        self.blocks
            .iter()
            .any(|other| other != block && other.holds_a_pair())
    }
}

/// The rank of a kind by the hand alone.
struct Footing {
    step: LadderStep,
    wait: u32,
    company: u32,
    inward: usize,
}

impl Footing {
    /// For a tile considered on its own.
    const fn alone(step: LadderStep, company: u32) -> Self {
        Self {
            step,
            wait: 0,
            company,
            inward: 0,
        }
    }
}

/// The distance of a kind from the end of its suit, with honours first.
fn from_suit_end(kind: Kind) -> usize {
    kind.number()
        .map_or(0, |number| usize::from(number.min(10 - number)))
}
