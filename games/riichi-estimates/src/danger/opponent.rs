//! The features of one opponent that danger depends on.

use game_core::Seat;
use tiles::{Counts, Kind, KindSet, Wind};

use super::Sight;
use riichi::meld::Meld;
use riichi::table::{Discard, Table};
use riichi::yaku::value_kinds;

/// Discards up to this turn count as very early.
const VERY_EARLY: usize = 3;
/// Discards up to this turn count as early.
const EARLY: usize = 6;

/// The signs that an opponent is tenpai.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threat {
    /// Riichi: it is tenpai.
    Riichi,
    /// No riichi: how likely it is tenpai is judged by its melds and its turn.
    Melds {
        /// Number of melds, from 0 to 4.
        melds: u8,
        /// Number of discards.
        turns: u8,
    },
}

/// The features of one opponent that danger depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opponent {
    threat: Threat,
    safe: KindSet,
    values: KindSet,
    dealer: bool,
    melded: Counts,
    melded_reds: u8,
    norths: u8,
    very_early: KindSet,
    early: KindSet,
    riichi_tile: Option<Kind>,
    collects: Option<u8>,
}

impl Opponent {
    /// Creates an opponent from its river, first discard first, including called ones; its melds;
    /// the kinds it cannot win on by ron (its own discards, tiles that passed since its last one,
    /// tiles that passed since its riichi); and its wind and the round's. It is in riichi if a
    /// discard of the river is marked so.
    pub fn new(
        river: impl IntoIterator<Item = Discard>,
        melds: &[Meld],
        cannot_ron: KindSet,
        seat_wind: Wind,
        round_wind: Wind,
    ) -> Self {
        let mut this = Self {
            threat: Threat::Melds {
                melds: melds.len().min(4) as u8,
                turns: 0,
            },
            safe: cannot_ron,
            values: value_kinds(seat_wind, round_wind),
            dealer: seat_wind == Wind::East,
            melded: Counts::EMPTY,
            melded_reds: 0,
            norths: 0,
            very_early: KindSet::EMPTY,
            early: KindSet::EMPTY,
            riichi_tile: None,
            collects: None,
        };
        let mut suits = [0_u8; 3];
        let mut turns = 0_u8;
        for discard in river {
            let kind = discard.tile.kind();
            this.safe.insert(kind);
            if discard.riichi {
                this.riichi_tile = Some(kind);
                this.threat = Threat::Riichi;
            }
            if this.riichi_tile.is_none() {
                if usize::from(turns) < VERY_EARLY {
                    this.very_early.insert(kind);
                } else if usize::from(turns) < EARLY {
                    this.early.insert(kind);
                }
                if let Some(suit) = kind.suit() {
                    suits[usize::from(suit)] += 1;
                }
            }
            turns = turns.saturating_add(1);
        }
        if let Threat::Melds { turns: counted, .. } = &mut this.threat {
            *counted = turns;
        }
        this.collects = collected_suit(melds, suits);
        for meld in melds {
            meld.count_into(&mut this.melded);
            this.melded_reds += meld.tiles().iter().filter(|tile| tile.is_red()).count() as u8;
        }
        this
    }

    /// Reads another seat of a table.
    pub fn of_table(table: &Table, seat: Seat) -> Self {
        let player = table.player(seat);
        let river = player.river.iter().copied();
        Self::new(
            river,
            &player.melds,
            player.cannot_ron(),
            table.seat_wind(seat),
            table.bakaze(),
        )
        .with_norths(player.kita)
    }

    /// The opponent with this many Norths set aside (three players).
    #[must_use]
    pub const fn with_norths(self, norths: u8) -> Self {
        Self { norths, ..self }
    }

    /// The signs that the opponent is tenpai.
    pub const fn threat(&self) -> Threat {
        self.threat
    }

    /// The kinds that it certainly cannot win on by ron now (genbutsu): its own discards, tiles
    /// that passed since its riichi, and tiles that passed since its last discard.
    pub const fn safe(&self) -> KindSet {
        self.safe
    }

    /// The honours whose triplet is a yaku for it.
    pub const fn values(&self) -> KindSet {
        self.values
    }

    /// The suit it seems to collect, if any: 0 characters, 1 dots, 2 bamboo.
    pub const fn collects(&self) -> Option<u8> {
        self.collects
    }

    /// The tile it declared riichi with, if it did.
    pub const fn riichi_tile(&self) -> Option<Kind> {
        self.riichi_tile
    }

    /// Whether it may hold thirteen orphans.
    pub(super) fn may_hold_orphans(&self) -> bool {
        self.melded == Counts::EMPTY
    }

    /// Whether it deals.
    pub const fn is_dealer(&self) -> bool {
        self.dealer
    }

    /// The han that its melds and the Norths it has set aside show for certain: dora, red fives,
    /// and triplets of honours that are a yaku for it.
    pub fn shown_han(&self, sight: &Sight) -> u8 {
        let dora: u32 = sight
            .dora
            .iter()
            .map(|kind| u32::from(self.melded[kind]))
            .sum();
        let values = self
            .values
            .iter()
            .filter(|&kind| self.melded[kind] >= 3)
            .count();
        let norths = self.norths * (1 + u8::from(sight.dora.contains(Wind::North.kind())));
        dora as u8 + self.melded_reds + values as u8 + norths
    }

    /// Its discards of the first three turns.
    pub(super) const fn very_early(&self) -> KindSet {
        self.very_early
    }

    /// Its discards of the turns from the fourth to the sixth.
    pub(super) const fn early(&self) -> KindSet {
        self.early
    }
}

/// The suit that an opponent seems to collect: all of its called melds, at least two, are of that
/// suit or honours, and it has discarded fewer tiles of it than of either other suit.
fn collected_suit(melds: &[Meld], thrown: [u8; 3]) -> Option<u8> {
    let called = || melds.iter().filter(|meld| meld.kind().opens_hand());
    if called().count() < 2 {
        return None;
    }
    let mut suits = called().filter_map(|meld| meld.first().suit());
    let suit = suits.next()?;
    let others_thrown = (0..3)
        .filter(|&other| other != usize::from(suit))
        .map(|other| thrown[other]);
    let least = others_thrown
        .min()
        .is_some_and(|other| thrown[usize::from(suit)] < other);
    (suits.all(|other| other == suit) && least).then_some(suit)
}
