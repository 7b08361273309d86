//! Features that make a kind more or less likely to be waited for than others of its class.

use tiles::{Kind, KindSet};

use super::{Opponent, Sight};

/// Features that make a kind more or less likely to be waited for than others of its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Traits {
    /// How near it is to the dora.
    pub dora: DoraTrait,
    /// Its position relative to the early discards.
    pub outside: OutsideTrait,
    /// Its position relative to the riichi tile.
    pub riichi: RiichiTrait,
    /// Number of unseen copies.
    pub copies: Copies,
    /// Its relation to the suit that the opponent collects.
    pub suit: SuitTrait,
}

/// How near a kind is to a dora of its suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DoraTrait {
    /// Neither of the following.
    Far,
    /// Two tiles away.
    Near,
    /// One tile away.
    Beside,
    /// It is dora.
    Is,
}

/// The position of a suited kind relative to the opponent's early discards before its riichi.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutsideTrait {
    /// Neither of the following, and all honours.
    No,
    /// In the suit of an early five.
    EarlyFive,
    /// Nearer to the end of the suit than a 2, 3, 4, 6, 7 or 8 discarded on turns 4 to 6.
    Early,
    /// The same, discarded on turns 1 to 3.
    VeryEarly,
}

/// The position of a suited kind relative to the tile that riichi was declared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RiichiTrait {
    /// Neither of the following, all honours, and without riichi.
    No,
    /// One or two tiles away.
    Beside,
    /// Three away: its suji.
    Suji,
}

/// Number of unseen copies of a suited kind; honours are already classified by that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Copies {
    /// Three or four, and all honours.
    Three,
    /// Two.
    Two,
    /// One.
    One,
    /// None.
    None,
}

/// The relation of a kind to the suit that the opponent collects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SuitTrait {
    /// No collected suit is recognisable.
    None,
    /// An honour.
    Honour,
    /// Of that suit.
    Collected,
    /// Of another.
    Other,
}

impl Traits {
    /// The traits of a kind against one opponent.
    pub fn of(kind: Kind, sight: &Sight, opponent: &Opponent) -> Self {
        Self {
            dora: dora(kind, sight),
            outside: outside(kind, opponent),
            riichi: riichi(kind, opponent),
            copies: match sight.unseen[kind] {
                _ if kind.is_honour() => Copies::Three,
                0 => Copies::None,
                1 => Copies::One,
                2 => Copies::Two,
                _ => Copies::Three,
            },
            suit: match (opponent.collects(), kind.suit()) {
                (None, _) => SuitTrait::None,
                (Some(_), None) => SuitTrait::Honour,
                (Some(collected), Some(suit)) if collected == suit => SuitTrait::Collected,
                (Some(_), Some(_)) => SuitTrait::Other,
            },
        }
    }
}

/// Whether a kind at this distance, in either direction, is in the set.
fn is_within(kind: Kind, steps: i8, set: KindSet) -> bool {
    [steps, -steps]
        .into_iter()
        .filter_map(|steps| kind.offset(steps))
        .any(|other| set.contains(other))
}

fn dora(kind: Kind, sight: &Sight) -> DoraTrait {
    if sight.dora.contains(kind) {
        DoraTrait::Is
    } else if is_within(kind, 1, sight.dora) {
        DoraTrait::Beside
    } else if is_within(kind, 2, sight.dora) {
        DoraTrait::Near
    } else {
        DoraTrait::Far
    }
}

fn outside(kind: Kind, opponent: &Opponent) -> OutsideTrait {
    let Some(number) = kind.number() else {
        return OutsideTrait::No;
    };
    // Towards the middle of the suit, the five left out.
    let (step, inner) = if number < 5 {
        (1, 4 - number as i8)
    } else {
        (-1, number as i8 - 6)
    };
    let is_outside = |early: KindSet| {
        (1..=inner)
            .filter_map(|steps| kind.offset(step * steps))
            .any(|inner| early.contains(inner))
    };
    let five = kind.offset(5 - number as i8);
    if is_outside(opponent.very_early()) {
        OutsideTrait::VeryEarly
    } else if is_outside(opponent.early()) {
        OutsideTrait::Early
    } else if number != 5
        && five.is_some_and(|five| (opponent.very_early() | opponent.early()).contains(five))
    {
        OutsideTrait::EarlyFive
    } else {
        OutsideTrait::No
    }
}

fn riichi(kind: Kind, opponent: &Opponent) -> RiichiTrait {
    let Some(tile) = opponent
        .riichi_tile()
        .filter(|tile| tile.suit() == kind.suit() && !kind.is_honour())
    else {
        return RiichiTrait::No;
    };
    match tile.index().abs_diff(kind.index()) {
        1 | 2 => RiichiTrait::Beside,
        3 => RiichiTrait::Suji,
        _ => RiichiTrait::No,
    }
}
