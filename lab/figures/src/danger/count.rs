//! Counts how often tiles would have dealt in.

use riichi::danger::figures::{LINE_COLUMNS, TURN_COLUMNS, line_column, turn_column};
use riichi::danger::{Class, Opponent, Sight, Threat, Traits, TwoSidedWaits};
use riichi::event::Hora;
use riichi::table::Contradiction;
use riichi::yaku::{Declared, WinBy, WinContext, has_yaku};
use riichi::{Event, Kind, Rules, Seat, Table};

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

/// Why an event cannot be counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CannotCount {
    /// It hides what has to be known.
    #[error("the hand of seat {0} is hidden; only records that hide nothing can be counted")]
    Hidden(Seat),
    /// It cannot have happened.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// Points paid, and how often.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Paid {
    /// Number of times.
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
        Self(vec![Rate::default(); Class::COUNT * LINE_COLUMNS * TRAIT_CELLS])
    }

    pub(super) fn at(&mut self, class: usize, lines: usize, traits: &Traits) -> &mut Rate {
        let levels = [
            traits.dora as usize,
            traits.outside as usize,
            traits.riichi as usize,
            traits.copies as usize,
            traits.suit as usize,
        ];
        let place =
            levels.iter().zip(LEVELS).fold(class * LINE_COLUMNS + lines, |place, (level, of)| place * of + level);
        &mut self.0[place]
    }

    /// The cells that hold anything: class, line column, level of each trait.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize, [usize; 5], Rate)> {
        self.0.iter().enumerate().filter(|(_, rate)| rate.of > 0).map(|(mut place, &rate)| {
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
/// At each discard, every kind that the discarder held is a sample against each opponent that was tenpai: would it have
/// dealt in?
#[derive(Debug, Clone)]
pub(crate) struct DangerCounter {
    tables: Vec<Table>,
    rules: Rules,
    /// Against hands in riichi.
    pub(super) riichi: Cells,
    /// Against tenpai hands without.
    pub(super) open: Cells,
    /// Counts of hands without riichi that were tenpai, by melds and turns.
    pub(super) tenpai: [[Rate; TURN_COLUMNS]; 5],
    /// The cost of deal-ins, to a non-dealer and to the dealer, by the visible value and by the dora trait of the tile.
    pub(super) paid: [[[Paid; 4]; WORTHS]; 2],
    /// Rounds begun.
    pub(super) rounds: u64,
    /// The winners of this round so far.
    winners: u8,
}

impl DangerCounter {
    /// Before the first game.
    #[must_use]
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            tables: Vec::new(),
            rules,
            riichi: Cells::new(),
            open: Cells::new(),
            tenpai: Default::default(),
            paid: Default::default(),
            rounds: 0,
            winners: 0,
        }
    }

    /// Rounds begun.
    #[must_use]
    pub(crate) const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Says that what follows is another record or game.
    pub(crate) fn next_game(&mut self) {
        self.tables.clear();
        self.winners = 0;
    }

    /// Takes in the next event, with nothing hidden.
    ///
    /// # Errors
    ///
    /// If it cannot have happened, or hides a hand.
    pub(crate) fn apply(&mut self, event: &Event) -> Result<(), CannotCount> {
        if matches!(event, Event::StartGame { .. }) || self.tables.is_empty() {
            self.tables = Seat::all(self.rules.players).map(|seat| Table::new(self.rules, seat)).collect();
        }
        match *event {
            Event::StartKyoku(start) => {
                if let Some((seat, _)) = start.tehais.iter().find(|(_, hand)| hand.is_none()) {
                    return Err(CannotCount::Hidden(seat));
                }
                self.rounds += 1;
                self.winners = 0;
            }
            Event::Dahai { actor, .. } => self.count_discard(actor),
            Event::Hora(hora) => self.count_win(&hora),
            _ => {}
        }
        for table in &mut self.tables {
            table.apply(&event.masked_for(table.seat()))?;
        }
        Ok(())
    }

    fn count_discard(&mut self, discarder: Seat) {
        let judging = &self.tables[discarder.index()];
        let sight = Sight::of_table(judging);
        for other in Seat::all(self.rules.players).filter(|&seat| seat != discarder) {
            let opponent = Opponent::of_table(judging, other);
            let table = &self.tables[other.index()];
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
                let cells = if opponent.threat() == Threat::Riichi { &mut self.riichi } else { &mut self.open };
                let traits = Traits::of(kind, &sight, &opponent);
                cells.at(class, line_column(lines.live()), &traits).count(would_win(table, kind));
            }
        }
    }

    fn count_win(&mut self, hora: &Hora) {
        let (Some(deltas), false) = (hora.deltas, hora.actor == hora.target) else { return };
        let judging = &self.tables[hora.target.index()];
        let Some((_, tile)) = judging.offered() else { return };
        let (sight, winner) = (Sight::of_table(judging), Opponent::of_table(judging, hora.actor));
        let worth = match winner.threat() {
            Threat::Riichi => RIICHI_WORTH,
            Threat::Melds { .. } => usize::from(winner.shown_han(&sight)).min(RIICHI_WORTH - 1),
        };
        let dora = Traits::of(tile.kind(), &sight, &winner).dora as usize;
        let paid = &mut self.paid[usize::from(winner.is_dealer())][worth][dora];
        let honba = if self.winners == 0 { 300 * i64::from(judging.honba()) } else { 0 };
        self.winners += 1;
        paid.times += 1;
        paid.points += i64::from(-deltas[hora.target]) - honba;
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
        riichi: player.riichi.map(|riichi| Declared { double: riichi.double, ippatsu: riichi.ippatsu }),
        seat_wind: table.seat_wind(table.seat()),
        round_wind: table.bakaze(),
        open_tanyao: table.rules().open_tanyao,
    };
    let complete = table.concealed().and_then(|hand| hand.with(kind));
    complete.is_some_and(|complete| has_yaku(&complete, &player.melds, kind, &context))
}
