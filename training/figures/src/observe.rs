//! Moments of a game at which figures can be compared with the true hands.

use riichi::event::Hora;
use riichi::table::Contradiction;
use riichi::{Event, Kind, Rules, Seat, Table};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CannotCount {
    /// It hides what has to be known.
    #[error("the hand of seat {0} is hidden; only records that hide nothing can be counted")]
    Hidden(Seat),
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// A moment of a game with nothing hidden, to fit to or to check on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KnownMoment<'a> {
    /// A seat discards: any tile that it holds might have dealt in.
    Discard {
        /// The table of who discards, before it does.
        judging: &'a Table,
        /// The tables of all seats.
        tables: &'a [Table],
    },
    DealIn {
        /// The table of who dealt in.
        judging: &'a Table,
        winner: Seat,
        kind: Kind,
        /// Points paid, without those for repeat counters.
        points: i64,
    },
}

/// Follows games, nothing hidden.
#[derive(Debug, Clone)]
pub(crate) struct Observer {
    rules: Rules,
    tables: Vec<Table>,
    winners: u8,
    rounds: u64,
}

impl Observer {
    /// Before the first game.
    pub(crate) const fn new(rules: Rules) -> Self {
        Self {
            rules,
            tables: Vec::new(),
            winners: 0,
            rounds: 0,
        }
    }

    /// Rounds begun.
    pub(crate) const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Says that what follows is another record or game.
    pub(crate) fn next_game(&mut self) {
        self.tables.clear();
        self.winners = 0;
    }

    /// Applies the next event and passes its observations to `show`.
    ///
    /// # Errors
    ///
    /// If it cannot have happened, or hides a hand.
    pub(crate) fn apply(
        &mut self,
        event: &Event,
        mut show: impl FnMut(KnownMoment<'_>),
    ) -> Result<(), CannotCount> {
        if matches!(event, Event::StartGame { .. }) || self.tables.is_empty() {
            self.tables = Seat::all(self.rules.players)
                .map(|seat| Table::new(self.rules, seat))
                .collect();
        }
        match *event {
            Event::StartKyoku(start) => {
                if let Some((seat, _)) = start.tehais.iter().find(|(_, hand)| hand.is_none()) {
                    return Err(CannotCount::Hidden(seat));
                }
                self.rounds += 1;
                self.winners = 0;
            }
            Event::Dahai { actor, .. } => {
                show(KnownMoment::Discard {
                    judging: &self.tables[actor.index()],
                    tables: &self.tables,
                });
            }
            Event::Hora(hora) => self.show_win(&hora, &mut show),
            _ => {}
        }
        for table in &mut self.tables {
            table.apply(&event.masked_for(table.seat()))?;
        }
        Ok(())
    }

    fn show_win(&mut self, hora: &Hora, show: &mut impl FnMut(KnownMoment<'_>)) {
        let (Some(deltas), false) = (hora.deltas, hora.actor == hora.target) else {
            return;
        };
        let judging = &self.tables[hora.target.index()];
        let Some((_, tile)) = judging.offered() else {
            return;
        };
        let honba = if self.winners == 0 {
            judging.rules().honba_points(judging.honba())
        } else {
            0
        };
        self.winners += 1;
        let points = i64::from(-deltas[hora.target] - honba);
        show(KnownMoment::DealIn {
            judging,
            winner: hora.actor,
            kind: tile.kind(),
            points,
        });
    }
}
