//! The laboratory's additions to a game: the counts, and the winner.

use std::fmt::Debug;

use lab_stats::SeatCounter;
use policy_host::{GameKind, PolicyTable, ShownTable};
use protocol::game_record::{GameOutcome, RecordForm};
use riichi::rng::Rng;
use riichi::{ActionOf, EventOf, WholeGame};

use super::played::{GameEnd, GameId};

/// A game in which bots can be compared.
pub trait LabGame: WholeGame<Table: ShownTable> {
    const KIND: GameKind;

    /// What a line of a record says besides its event.
    type Facts: Debug + Sync;

    /// The winner and the winning hand, in a game with one win.
    fn outcome(&self) -> Option<GameOutcome>;

    /// The end of the game, once it has ended.
    fn game_end(&self) -> Option<GameEnd> {
        let scores = self.end_scores()?;
        let places = (0..scores.len())
            .map(|seat| Self::KIND.measure().place(&scores, seat))
            .collect();
        Some(GameEnd {
            places,
            outcome: self.outcome(),
            scores,
        })
    }

    /// Counts an event for its seats, whose tables have just applied it.
    fn count(
        _counter: &mut SeatCounter,
        _event: &EventOf<Self>,
        _tables: &[Option<PolicyTable<Self::Table>>],
    ) {
    }

    fn policy_seed(
        GameId {
            seed,
            wall,
            seating,
        }: GameId,
        seat: usize,
    ) -> u64 {
        Rng::keyed(&[seed, wall, seating as u64, seat as u64]).next_u64()
    }
}

/// A game whose records have the form of [`protocol::game_record`].
pub trait SteppedGame: LabGame {
    type Record: RecordForm<Event = EventOf<Self>, Action = ActionOf<Self>, Rules = Self::Rules>;
}
