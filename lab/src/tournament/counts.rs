//! What a config did in its games, in whole numbers, so that sums do not depend on their order.

use mahjong::event::Hora;
use mahjong::{Event, PerSeat, Seat};

/// Counts over seats and games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeatCounts {
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
    /// Decisions that failed: a panic, an error, or an action that is not legal. The safe answer took their place.
    pub illegal: u64,
}

impl SeatCounts {
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
pub(super) struct SeatCounter {
    /// The counts so far.
    pub(super) seats: PerSeat<SeatCounts>,
    called: PerSeat<bool>,
    dealt_in: PerSeat<bool>,
}

impl SeatCounter {
    /// A game before its first event.
    #[must_use]
    pub(super) fn new(players: u8) -> Self {
        Self {
            seats: PerSeat::from_fn(players, |_| SeatCounts::default()),
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

#[cfg(test)]
mod tests {
    use mahjong::event::{Points, StartKyoku};
    use mahjong::{Tile, Wind};

    use super::*;

    fn seat(index: u8) -> Seat {
        Seat::new(index).expect("a seat")
    }

    fn tile(name: &str) -> Tile {
        name.parse().expect("a tile")
    }

    fn start() -> Event {
        Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: Seat::FIRST,
            dora_marker: tile("C"),
            scores: None,
            tehais: PerSeat::from_fn(4, |_| None),
        })
    }

    fn hora(actor: u8, target: u8, deltas: [i32; 4]) -> Event {
        Event::Hora(Hora {
            actor: seat(actor),
            target: seat(target),
            deltas: Points::from_slice(&deltas),
            scores: None,
            ura_markers: Default::default(),
        })
    }

    fn pon(actor: u8) -> Event {
        Event::Pon { actor: seat(actor), target: seat(0), tile: tile("E"), consumed: [tile("E"); 2] }
    }

    fn counted(events: &[Event]) -> PerSeat<SeatCounts> {
        let mut tally = SeatCounter::new(4);
        events.iter().for_each(|event| tally.count(event));
        tally.seats
    }

    #[test]
    fn a_win_on_a_discard_is_a_deal_in_of_the_one_who_threw_it() {
        let seats = counted(&[start(), hora(1, 2, [0, 5200, -5200, 0])]);
        assert_eq!((seats[seat(1)].wins, seats[seat(1)].won), (1, 5200));
        assert_eq!((seats[seat(2)].deal_ins, seats[seat(2)].lost), (1, 5200));
        assert_eq!((seats[seat(0)].deal_ins, seats[seat(1)].deal_ins), (0, 0));
    }

    #[test]
    fn a_draw_of_ones_own_is_nobodys_deal_in() {
        let seats = counted(&[start(), hora(3, 3, [-2600, -1300, -1300, 5200])]);
        assert_eq!((seats[seat(3)].wins, seats[seat(3)].won), (1, 5200));
        assert!(seats.iter().all(|(_, counts)| (counts.deal_ins, counts.lost) == (0, 0)), "{seats:?}");
    }

    #[test]
    fn two_wins_on_one_tile_are_one_deal_in_that_costs_both() {
        let wins = [hora(1, 0, [-3900, 3900, 0, 0]), hora(2, 0, [-8000, 0, 8000, 0])];
        let seats = counted(&[start(), wins[0], wins[1], start(), wins[0]]);
        assert_eq!((seats[seat(0)].deal_ins, seats[seat(0)].lost), (2, 15_800));
        assert_eq!((seats[seat(1)].wins, seats[seat(2)].wins, seats[seat(0)].rounds), (2, 1, 2));
    }

    #[test]
    fn a_round_with_several_calls_is_one_round_with_a_call() {
        let seats = counted(&[start(), pon(1), pon(1), pon(2), start(), pon(1)]);
        assert_eq!((seats[seat(1)].called, seats[seat(2)].called, seats[seat(3)].called), (2, 1, 0));
    }

    #[test]
    fn riichi_counts_once_it_is_accepted() {
        let reach = Event::Reach { actor: seat(1) };
        let accepted = Event::ReachAccepted { actor: seat(2), scores: None };
        let seats = counted(&[start(), reach, accepted]);
        assert_eq!((seats[seat(1)].riichi, seats[seat(2)].riichi), (0, 1));
    }
}
