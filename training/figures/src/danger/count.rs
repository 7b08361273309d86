//! Counts how often tiles would have dealt in.

use riichi::yaku::{Declared, WinBy, WinContext, has_yaku};
use riichi::{Kind, Seat, Table};
use riichi_estimates::danger::figures::{LINE_COLUMNS, TURN_COLUMNS, line_column, turn_column};
use riichi_estimates::danger::{Class, Opponent, Sight, Threat, Traits, TwoSidedWaits};

use crate::observe::KnownMoment;

/// The number of times an event happened, out of its opportunities.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Rate {
    /// Number of opportunities.
    pub(super) of: u64,
    /// Number of times it happened.
    pub(super) hits: u64,
}

impl Rate {
    fn count(&mut self, hit: bool) {
        self.of += 1;
        self.hits += u64::from(hit);
    }
}

/// Points paid, and how often.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Paid {
    pub(super) times: u64,
    /// Points in all.
    pub(super) points: i64,
}

/// The visible value of a hand: the han in its melds, 0 to 4 or more, or riichi.
pub(super) const WORTHS: usize = 6;
/// Riichi among them.
pub(super) const RIICHI_WORTH: usize = 5;

/// Levels of each trait, in the order of the fields of [`Traits`].
pub(super) const LEVELS: [usize; 5] = [4, 4, 3, 4, 4];
const TRAIT_CELLS: usize = 4 * 4 * 3 * 4 * 4;

/// Tiles by class, line column and traits.
#[derive(Debug, Clone)]
pub(super) struct Cells(Vec<Rate>);

impl Cells {
    pub(super) fn new() -> Self {
        Self(vec![
            Rate::default();
            Class::COUNT * LINE_COLUMNS * TRAIT_CELLS
        ])
    }

    pub(super) fn at(&mut self, class: usize, lines: usize, traits: &Traits) -> &mut Rate {
        let levels = [
            traits.dora as usize,
            traits.outside as usize,
            traits.riichi as usize,
            traits.copies as usize,
            traits.suit as usize,
        ];
        let place = levels
            .iter()
            .zip(LEVELS)
            .fold(class * LINE_COLUMNS + lines, |place, (level, of)| {
                place * of + level
            });
        &mut self.0[place]
    }

    /// The cells that hold anything: class, line column, level of each trait.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize, [usize; 5], Rate)> {
        self.0
            .iter()
            .enumerate()
            .filter(|(_, rate)| rate.of > 0)
            .map(|(mut place, &rate)| {
                let mut levels = [0; 5];
                for (level, of) in levels.iter_mut().zip(LEVELS).rev() {
                    *level = place % of;
                    place /= of;
                }
                (place / LINE_COLUMNS, place % LINE_COLUMNS, levels, rate)
            })
    }
}

/// The counts.
///
/// At each discard, every kind that the discarder held is a sample against each opponent that was
/// tenpai: would it have dealt in?
#[derive(Debug, Clone)]
pub(crate) struct DangerCounter {
    /// Against hands in riichi.
    pub(super) riichi: Cells,
    /// Against tenpai hands without.
    pub(super) open: Cells,
    /// Counts of hands without riichi that were tenpai, by melds and turns.
    pub(super) tenpai: [[Rate; TURN_COLUMNS]; 5],
    /// The cost of deal-ins, to a non-dealer and to the dealer, by the visible value and by the
    /// dora trait of the tile.
    pub(super) paid: [[[Paid; 4]; WORTHS]; 2],
}

impl DangerCounter {
    /// Before the first game.
    pub(crate) fn new() -> Self {
        Self {
            riichi: Cells::new(),
            open: Cells::new(),
            tenpai: Default::default(),
            paid: Default::default(),
        }
    }

    pub(crate) fn take(&mut self, seen: KnownMoment<'_>) {
        match seen {
            KnownMoment::Discard { judging, tables } => self.count_discard(judging, tables),
            KnownMoment::DealIn {
                judging,
                winner,
                kind,
                points,
            } => self.count_win(judging, winner, kind, points),
        }
    }

    fn count_discard(&mut self, judging: &Table, tables: &[Table]) {
        let sight = Sight::of_table(judging);
        for table in tables.iter().filter(|table| table.seat() != judging.seat()) {
            let opponent = Opponent::of_table(judging, table.seat());
            let is_tenpai = !table.waits().is_empty();
            if let Threat::Melds { melds, turns } = opponent.threat() {
                self.tenpai[usize::from(melds)][turn_column(turns)].count(is_tenpai);
            }
            if !is_tenpai {
                continue;
            }
            let lines = TwoSidedWaits::new(&sight, &opponent);
            for kind in judging.hand().counts().kinds().iter() {
                let class = Class::of(kind, &sight, &opponent, &lines);
                let Some(class) = class.index() else { continue };
                let cells = if opponent.threat() == Threat::Riichi {
                    &mut self.riichi
                } else {
                    &mut self.open
                };
                let traits = Traits::of(kind, &sight, &opponent);
                cells
                    .at(class, line_column(lines.live()), &traits)
                    .count(would_win(table, kind));
            }
        }
    }

    fn count_win(&mut self, judging: &Table, winner: Seat, kind: Kind, points: i64) {
        let (sight, winner) = (
            Sight::of_table(judging),
            Opponent::of_table(judging, winner),
        );
        let worth = match winner.threat() {
            Threat::Riichi => RIICHI_WORTH,
            Threat::Melds { .. } => usize::from(winner.shown_han(&sight)).min(RIICHI_WORTH - 1),
        };
        let dora = Traits::of(kind, &sight, &winner).dora as usize;
        let paid = &mut self.paid[usize::from(winner.is_dealer())][worth][dora];
        paid.times += 1;
        paid.points += points;
    }
}

/// Whether the table's seat would win on this kind if it were discarded now.
pub(crate) fn would_win(table: &Table, kind: Kind) -> bool {
    if !table.waits().contains(kind) || table.furiten().any() {
        return false;
    }
    let player = table.player(table.seat());
    let context = WinContext {
        by: WinBy::others_discard(table.tiles_left()),
        riichi: player.riichi.map(|riichi| Declared {
            double: riichi.double,
            ippatsu: riichi.ippatsu,
        }),
        seat_wind: table.seat_wind(table.seat()),
        round_wind: table.bakaze(),
        open_tanyao: table.rules().open_tanyao,
    };
    let complete = table.concealed().and_then(|hand| hand.with(kind));
    complete.is_some_and(|complete| has_yaku(&complete, &player.melds, kind, &context))
}
