//! What each seat did in a game, counted from the events that everybody hears.

use riichi::event::Hora;
use riichi::{Event, PerSeat, Seat};

/// Counts of one seat over a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SeatTally {
    /// Rounds won.
    pub wins: u32,
    /// Wins of others on its discard or added kan.
    pub deal_ins: u32,
    /// Riichi whose discard passed.
    pub riichi: u32,
    /// Chi, pon and open kan.
    pub calls: u32,
}

impl SeatTally {
    /// Adds the counts of another game.
    pub fn add(&mut self, other: &Self) {
        self.wins += other.wins;
        self.deal_ins += other.deal_ins;
        self.riichi += other.riichi;
        self.calls += other.calls;
    }
}

/// Counts of a game, growing event by event.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Rounds begun.
    pub rounds: u32,
    /// What each seat did.
    pub seats: PerSeat<SeatTally>,
}

impl Tally {
    /// A game of so many players before its first event.
    #[must_use]
    pub fn new(players: u8) -> Self {
        Self { rounds: 0, seats: PerSeat::from_fn(players, |_| SeatTally::default()) }
    }

    /// Takes in an event.
    pub fn count(&mut self, event: &Event) {
        match *event {
            Event::StartKyoku(_) => self.rounds += 1,
            Event::Hora(Hora { actor, target, .. }) => {
                self.seats[actor].wins += 1;
                if target != actor {
                    self.seats[target].deal_ins += 1;
                }
            }
            Event::ReachAccepted { actor, .. } => self.seats[actor].riichi += 1,
            Event::Chi { actor, .. } | Event::Pon { actor, .. } | Event::Daiminkan { actor, .. } => {
                self.seats[actor].calls += 1;
            }
            _ => {}
        }
    }

    /// The counts of a seat.
    #[must_use]
    pub fn of(&self, seat: Seat) -> SeatTally {
        self.seats[seat]
    }
}
