//! Step 11: its pages.

use protocol::game_record::RecordedGame;
use riichi::SeatTable;
use view::page::{
    Pieces, Position, SeatPosition, ShownGame, ShownPieces, StepSort, Told, Walk, show_end,
};

use crate::lines::StonesForm;
use crate::rules::{NoStones, SEATS, StonesEvent, StonesTable};

impl ShownPieces for NoStones {
    fn in_words(&self) -> String {
        String::new()
    }

    fn codes(&self) -> String {
        String::new()
    }
}

/// A game from the seats whose stones are known.
#[derive(Debug)]
pub(crate) struct ShownStones(Vec<StonesTable>);

impl ShownGame for ShownStones {
    type Form = StonesForm;
    const PIECES: Pieces = Pieces::Cards;

    fn dealt(record: &RecordedGame<StonesForm>) -> Option<(Self, usize)> {
        let table = |(seat, deal): (usize, &Option<StonesEvent>)| {
            let mut table = StonesTable::new(seat);
            table.apply(deal.as_ref()?).is_ok().then_some(table)
        };
        let tables: Vec<_> = record.deals.iter().enumerate().filter_map(table).collect();
        (!tables.is_empty()).then_some((Self(tables), SEATS))
    }

    fn take(&mut self, event: &StonesEvent) -> Result<Option<String>, String> {
        for table in &mut self.0 {
            table.apply(event).map_err(|why| why.to_string())?;
        }
        Ok(None)
    }

    fn told(&self, event: &StonesEvent, names: &[String]) -> Told {
        match *event {
            StonesEvent::Dealt { .. } => Told::Nothing,
            StonesEvent::Kept { seat } => {
                Told::Step(format!("{} keeps its stone.", names[seat]), StepSort::Plain)
            }
            StonesEvent::Swapped { seat, .. } => {
                Told::Step(format!("{} swaps its stone.", names[seat]), StepSort::Turn)
            }
        }
    }

    fn position(&self) -> Position {
        let turn = self.0[0].turn;
        let stone = |seat: usize| {
            let table = self.0.iter().find(|table| table.seat == seat);
            table.and_then(|table| table.stone)
        };
        let shown = |seat: usize| SeatPosition {
            hand: stone(seat).map_or_else(|| "?".to_owned(), |stone| stone.to_string()),
            ..SeatPosition::default()
        };
        Position {
            turn: Some(turn).filter(|&turn| turn < SEATS),
            seats: (0..SEATS).map(shown).collect(),
            ..Position::default()
        }
    }

    fn ended(walk: &mut Walk<Self>, record: &RecordedGame<StonesForm>) {
        show_end(walk, record);
    }
}
