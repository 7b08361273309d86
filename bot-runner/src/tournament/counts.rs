//! What a config did in its games, in whole numbers, so that sums do not depend on their order.

use mahjong::event::Hora;
use mahjong::{Event, PerSeat, Seat};

/// Counts over seats and games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Seats played, once for each game and seat.
    pub seats: u64,
    /// How often it came first, second, third and fourth.
    pub places: [u64; 4],
    /// Sum of its points at the end.
    pub points: i64,
    /// Rounds, once for each seat.
    pub rounds: u64,
    /// Rounds won.
    pub wins: u64,
    /// Points gained by wins, honba and riichi sticks included.
    pub won: i64,
    /// Rounds in which it dealt in.
    pub deal_ins: u64,
    /// Points lost by dealing in, honba included.
    pub lost: i64,
    /// Rounds in which its riichi was accepted.
    pub riichi: u64,
    /// Rounds in which it called a tile.
    pub called: u64,
    /// Decisions it was asked for.
    pub decisions: u64,
    /// Decisions that were none: a panic, a failure, or an action that there was not. The safe answer took their place.
    pub illegal: u64,
}

impl Counts {
    /// Adds the counts of other seats or games.
    pub fn add(&mut self, other: &Self) {
        // Taken apart, so that a field that is added later cannot be forgotten here.
        let Self { seats, places, points, rounds, wins, won, deal_ins, lost, riichi, called, decisions, illegal } =
            other;
        self.seats += seats;
        for (sum, count) in self.places.iter_mut().zip(places) {
            *sum += count;
        }
        self.points += points;
        self.rounds += rounds;
        self.wins += wins;
        self.won += won;
        self.deal_ins += deal_ins;
        self.lost += lost;
        self.riichi += riichi;
        self.called += called;
        self.decisions += decisions;
        self.illegal += illegal;
    }

    /// Sum of its places, 1 to 4 each.
    #[must_use]
    pub fn place_sum(&self) -> u64 {
        (1..).zip(self.places).map(|(place, times)| place * times).sum()
    }

    /// Takes down the end of a game.
    pub(super) fn finish(&mut self, place: u8, points: i32) {
        self.seats += 1;
        if let Some(times) = self.places.get_mut(usize::from(place) - 1) {
            *times += 1;
        }
        self.points += i64::from(points);
    }
}

/// What each seat does, event by event.
#[derive(Debug)]
pub(super) struct Tally {
    /// The counts so far.
    pub(super) seats: PerSeat<Counts>,
    called: PerSeat<bool>,
    dealt_in: PerSeat<bool>,
}

impl Tally {
    /// A game before its first event.
    #[must_use]
    pub(super) fn new(players: u8) -> Self {
        Self {
            seats: PerSeat::from_fn(players, |_| Counts::default()),
            called: PerSeat::from_fn(players, |_| false),
            dealt_in: PerSeat::from_fn(players, |_| false),
        }
    }

    /// Takes in an event.
    pub(super) fn count(&mut self, event: &Event) {
        match *event {
            Event::StartKyoku(_) => {
                for (seat, counts) in self.seats.iter_mut() {
                    counts.rounds += 1;
                    (self.called[seat], self.dealt_in[seat]) = (false, false);
                }
            }
            Event::Chi { actor, .. } | Event::Pon { actor, .. } | Event::Daiminkan { actor, .. } => {
                self.seats[actor].called += u64::from(!std::mem::replace(&mut self.called[actor], true));
            }
            Event::ReachAccepted { actor, .. } => self.seats[actor].riichi += 1,
            Event::Hora(Hora { actor, target, deltas, .. }) => {
                let change = |seat: Seat| deltas.map_or(0, |deltas| i64::from(deltas[seat]));
                self.seats[actor].wins += 1;
                self.seats[actor].won += change(actor);
                if target != actor {
                    let first = !std::mem::replace(&mut self.dealt_in[target], true);
                    self.seats[target].deal_ins += u64::from(first);
                    self.seats[target].lost -= change(target);
                }
            }
            _ => {}
        }
    }
}
