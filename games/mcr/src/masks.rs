//! Sets of kinds, as a bit for each kind by index, that the rules speak of.

use tiles::Kind;

/// These ranks (bit 0 is the one) of all three suits.
pub(crate) const fn ranks(ranks: u64) -> u64 {
    ranks | ranks << 9 | ranks << 18
}

/// Index of the first honour.
pub(crate) const EAST: usize = Kind::EAST.index();
/// Index of the first dragon.
pub(crate) const FIRST_DRAGON: usize = Kind::WHITE.index();

/// The kinds of a suit, 0 to 2.
pub(crate) const fn suit(number: usize) -> u64 {
    0x1ff << (9 * number)
}

pub(crate) const SUITED: u64 = (1 << EAST) - 1;
pub(crate) const HONOURS: u64 = 0x7f << EAST;
pub(crate) const WINDS: u64 = 0xf << EAST;
pub(crate) const DRAGONS: u64 = 0x7 << FIRST_DRAGON;
pub(crate) const TERMINALS: u64 = ranks(0b1_0000_0001);
pub(crate) const ORPHANS: u64 = TERMINALS | HONOURS;
/// 2, 3, 4, 6, 8 of bamboos and the green dragon.
pub(crate) const GREEN: u64 = 0b0_1010_1110 << 18 | 1 << (FIRST_DRAGON + 1);
/// 1, 2, 3, 4, 5, 8, 9 of dots, 2, 4, 5, 6, 8, 9 of bamboos, and the white dragon.
pub(crate) const REVERSIBLE: u64 = 0b1_1001_1111 << 9 | 0b1_1011_1010 << 18 | 1 << FIRST_DRAGON;

/// 147, 258 and 369, each in another suit: the six knitted straights.
pub(crate) const KNITTED_STRAIGHTS: [u64; 6] = {
    const ORDERS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut straights = [0; 6];
    let mut index = 0;
    while index < 6 {
        let mut part = 0;
        while part < 3 {
            straights[index] |= 0b0_0100_1001 << (9 * ORDERS[index][part] + part);
            part += 1;
        }
        index += 1;
    }
    straights
};

/// The indices of the bits that are set, lowest first.
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let index = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            index
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiles::KindSet;
    use tiles::notation::Tiles;

    fn mask(text: &str) -> u64 {
        text.parse::<Tiles>()
            .unwrap()
            .0
            .into_iter()
            .map(tiles::Tile::kind)
            .collect::<KindSet>()
            .bits()
    }

    #[test]
    fn green_and_reversible_tiles_are_those_of_the_rules() {
        assert_eq!(GREEN, mask("23468s6z"));
        assert_eq!(REVERSIBLE, mask("1234589p245689s5z"));
    }

    #[test]
    fn each_knitted_straight_has_one_of_each_rank() {
        assert_eq!(KNITTED_STRAIGHTS[0], mask("147m258p369s"));
        assert!(KNITTED_STRAIGHTS.contains(&mask("369m147p258s")));
        for straight in KNITTED_STRAIGHTS {
            assert_eq!(ranks(0x1ff) & straight, straight);
            assert_eq!(
                (
                    straight.count_ones(),
                    (straight | straight >> 9 | straight >> 18) & 0x1ff
                ),
                (9, 0x1ff)
            );
        }
    }
}
