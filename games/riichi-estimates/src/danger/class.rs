//! The classes of kinds by the waits that are still possible.

use std::fmt;

use tiles::Kind;
use tiles::shanten::ORPHANS;

use super::{Opponent, Sight, TwoSidedWaits};

/// The rest of a two-sided wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Nothing: suji, no-chance, or no such wait exists.
    Shut,
    /// One-chance: only one copy of a tile that it is made of is unseen.
    Thin,
    /// All of it.
    Open,
}

/// Suited kinds by how far they are from the end of the suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// 1 and 9.
    OneNine,
    /// 2 and 8.
    TwoEight,
    /// 3 and 7.
    ThreeSeven,
    /// 4 and 6.
    FourSix,
    /// 5.
    Five,
}

impl Group {
    /// All of them, from the ends of the suit to its middle.
    pub const ALL: [Self; 5] = [
        Self::OneNine,
        Self::TwoEight,
        Self::ThreeSeven,
        Self::FourSix,
        Self::Five,
    ];

    /// Whether a kind of the group can be an end of two two-sided waits.
    const fn has_two_sides(self) -> bool {
        matches!(self, Self::FourSix | Self::Five)
    }
}

/// The waits that can still take a kind from a tenpai hand of one opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// None: the kind is certainly safe, or too many of the tiles that would be needed are in
    /// sight.
    Never,
    /// An honour, by how many copies are unseen (0 to 3, more count as 3), and whether three of it
    /// are a yaku.
    Honour {
        /// Copies unseen.
        unseen: u8,
        /// Whether three of it are a yaku for the opponent.
        value: bool,
    },
    /// A suited kind with a two-sided wait on one of its sides or both.
    Sides {
        /// Which kinds.
        group: Group,
        /// The side with more tiles left; never shut.
        better: Side,
        /// The other; shut for all but 4, 5 and 6.
        worse: Side,
    },
    /// A suited kind with no two-sided wait left: suji on its only side or on both, or behind a
    /// wall.
    Shut {
        /// Which kinds.
        group: Group,
        /// Whether a closed or edge wait is left; else a pair's only. Never for 1 and 9.
        closed_wait: bool,
    },
}

impl Class {
    /// Number of classes without [`Class::Never`].
    pub const COUNT: usize = 33;

    /// The class of a kind against one opponent, whose `lines` these are.
    pub fn of(kind: Kind, sight: &Sight, opponent: &Opponent, lines: &TwoSidedWaits) -> Self {
        if opponent.safe().contains(kind) {
            return Self::Never;
        }
        let unseen = sight.unseen[kind];
        let Some(number) = kind.number() else {
            if unseen == 0 && !thirteen_orphans_possible(kind, sight, opponent) {
                return Self::Never;
            }
            return Self::Honour {
                unseen: unseen.min(3),
                value: opponent.values().contains(kind),
            };
        };
        let group = match number {
            1 | 9 => Group::OneNine,
            2 | 8 => Group::TwoEight,
            3 | 7 => Group::ThreeSeven,
            4 | 6 => Group::FourSix,
            _ => Group::Five,
        };
        let (below, above) = (lines.below(kind), lines.above(kind));
        let (better, worse) = (below.max(above), below.min(above));
        if better != Side::Shut {
            return Self::Sides {
                group,
                better,
                worse,
            };
        }
        let closed_wait = has_closed_wait(kind, number, sight);
        let orphans = ORPHANS.contains(kind) && thirteen_orphans_possible(kind, sight, opponent);
        if unseen == 0 && !closed_wait && !orphans {
            return Self::Never;
        }
        Self::Shut { group, closed_wait }
    }

    /// All classes without [`Class::Never`], in the order of their indices.
    pub fn all() -> impl Iterator<Item = Self> {
        let honours = [false, true]
            .into_iter()
            .flat_map(|value| (0..4).map(move |unseen| Self::Honour { unseen, value }));
        let suited = Group::ALL.into_iter().flat_map(|group| {
            let sides = [
                (Side::Thin, Side::Shut),
                (Side::Open, Side::Shut),
                (Side::Thin, Side::Thin),
                (Side::Open, Side::Thin),
                (Side::Open, Side::Open),
            ];
            let sides = sides
                .into_iter()
                .take(if group.has_two_sides() { 5 } else { 2 });
            let shut = [false, true]
                .into_iter()
                .take(if group == Group::OneNine { 1 } else { 2 });
            shut.map(move |closed_wait| Self::Shut { group, closed_wait })
                .chain(sides.map(move |(better, worse)| Self::Sides {
                    group,
                    better,
                    worse,
                }))
        });
        honours.chain(suited)
    }

    /// Index in [`Class::all`]; `None` for [`Class::Never`].
    pub const fn index(self) -> Option<usize> {
        /// Index of the first class of each group, and of its first class with a side.
        const GROUPS: [(usize, usize); 5] = [(8, 9), (11, 13), (15, 17), (19, 21), (26, 28)];
        match self {
            Self::Never => None,
            Self::Honour { unseen, value } => {
                Some(if value { 4 } else { 0 } + if unseen < 3 { unseen as usize } else { 3 })
            }
            Self::Shut { group, closed_wait } => {
                Some(GROUPS[group as usize].0 + closed_wait as usize)
            }
            Self::Sides {
                group,
                better,
                worse,
            } => {
                let place = match (better, worse) {
                    (Side::Open, Side::Open) => 4,
                    (Side::Open, Side::Thin) => 3,
                    (Side::Open, Side::Shut) => 1,
                    (_, Side::Shut) => 0,
                    _ => 2,
                };
                Some(GROUPS[group as usize].1 + place)
            }
        }
    }
}

/// Whether a run around the kind can wait for it on one tile: 1-3 for 2, 1-2 for 3.
fn has_closed_wait(kind: Kind, number: u8, sight: &Sight) -> bool {
    let unseen = |steps: i8| kind.offset(steps).map_or(0, |kind| sight.unseen[kind]);
    let between = unseen(-1) > 0 && unseen(1) > 0;
    let edge = match number {
        3 => unseen(-2) > 0 && unseen(-1) > 0,
        7 => unseen(1) > 0 && unseen(2) > 0,
        _ => false,
    };
    between || edge
}

/// Whether the opponent can still wait for the kind with one of each other terminal and honour.
fn thirteen_orphans_possible(kind: Kind, sight: &Sight, opponent: &Opponent) -> bool {
    opponent.may_hold_orphans()
        && ORPHANS
            .iter()
            .all(|other| other == kind || sight.unseen[other] > 0)
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = |group| match group {
            Group::OneNine => "1 9",
            Group::TwoEight => "2 8",
            Group::ThreeSeven => "3 7",
            Group::FourSix => "4 6",
            Group::Five => "5",
        };
        match *self {
            Self::Never => f.write_str("certainly safe"),
            Self::Honour { unseen, value } => {
                write!(
                    f,
                    "{}, {unseen} unseen",
                    if value { "value honour" } else { "guest wind" }
                )
            }
            Self::Shut {
                group: of,
                closed_wait,
            } => {
                write!(
                    f,
                    "{}, shut{}",
                    group(of),
                    if closed_wait { "" } else { ", pair waits only" }
                )
            }
            Self::Sides {
                group: of,
                better,
                worse,
            } => {
                let side = |side| match side {
                    Side::Shut => "shut",
                    Side::Thin => "one-chance",
                    Side::Open => "open",
                };
                write!(f, "{}, {}", group(of), side(better))?;
                if of.has_two_sides() {
                    write!(f, " and {}", side(worse))
                } else {
                    Ok(())
                }
            }
        }
    }
}
