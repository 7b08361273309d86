//! The counts of a config's games, in whole numbers, so that sums do not depend on their order.

use riichi::event::Hora;
use riichi::{Event, Measure, PerSeat, Seat};

/// Maximum number that is read back, of games of one wall.
const MAX_NUMBER: u64 = 1 << 32;

/// Declares the counts once, so that sums and files can forget none.
macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// Counts over seats and games.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct SeatCounts {
            /// How often it came first, second, third and fourth.
            pub places: [u64; 4],
            $($(#[$doc])* pub $name: $type,)*
        }

        impl SeatCounts {
            /// The name of each of [`numbers`](Self::numbers).
            pub const NAMES: &'static [&'static str] = &["first", "second", "third", "fourth", $(stringify!($name)),*];

            pub fn add(&mut self, other: &Self) {
                for (sum, count) in self.places.iter_mut().zip(other.places) {
                    *sum += count;
                }
                $(self.$name += other.$name;)*
            }

            /// Those of these names, in the order of [`NAMES`](Self::NAMES).
            pub fn numbers(&self, counted: &[&str]) -> Vec<i64> {
                let places = self.places.map(|times| times as i64);
                let all = places.into_iter().chain([$(self.$name as i64),*]);
                Self::NAMES.iter().zip(all).filter(|(name, _)| counted.contains(name)).map(|(_, number)| number).collect()
            }

            /// The counts that [`numbers`](Self::numbers) gives, or gave before there was the
            /// newest one; `None` when there are too few or too many, one is negative that cannot
            /// be, or one is so large that a sum of many could overflow.
            pub fn of_numbers(counted: &[&str], numbers: &[i64]) -> Option<Self> {
                if numbers.iter().any(|number| number.unsigned_abs() > MAX_NUMBER) {
                    return None;
                }
                let mut counts = Self::default();
                let mut numbers = numbers.iter();
                for (name, times) in Self::NAMES.iter().zip(&mut counts.places) {
                    if counted.contains(name) {
                        *times = (*numbers.next()?).try_into().ok()?;
                    }
                }
                $(if counted.contains(&stringify!($name)) {
                    let number = numbers.next().or((stringify!($name) == NEWEST).then_some(&0))?;
                    counts.$name = <$type>::try_from(*number).ok()?;
                })*
                numbers.next().is_none().then_some(counts)
            }
        }
    };
}

counts! {
    /// Sum of its points at the end.
    points: i64,
    /// Rounds, once for each seat.
    rounds: u64,
    /// Rounds won.
    wins: u64,
    /// Points gained by wins, honba and riichi sticks included.
    won: i64,
    /// Sum of the turns of its wins: its number of discards, plus one if it drew the tile itself.
    win_turns: u64,
    /// Rounds in which it dealt in.
    deal_ins: u64,
    /// Points lost by dealing in, honba included.
    lost: i64,
    /// Rounds in which its riichi was accepted.
    riichi: u64,
    /// Rounds in which an opponent's riichi was accepted.
    faced_riichi: u64,
    /// Rounds in which it dealt in, to whomever, after an opponent's riichi had been accepted.
    deal_ins_after_riichi: u64,
    /// Rounds in which a discard of its left it tenpai.
    tenpai: u64,
    /// Sum of the turns of these discards, the first of each round: its number of discards
    /// including this one.
    tenpai_turns: u64,
    /// Rounds in which it called a tile.
    called: u64,
    /// Decisions it was asked for.
    decisions: u64,
    /// Decisions with an action that is not legal. The safe answer took their place.
    illegal: u64,
    /// Decisions that did not come within the time that they had. The safe answer took their place.
    late: u64,
    /// Decisions that failed: a panic, an error, the end of a process. The safe answer took their
    /// place. Numbers from before this count existed end without it, and count these as illegal.
    failed: u64,
}

/// The counts of games that are won once, of [`SeatCounts::NAMES`].
const POINT_COUNTS: &[&str] = &[
    "points",
    "rounds",
    "wins",
    "decisions",
    "illegal",
    "late",
    NEWEST,
];

/// The last count, which older numbers lack.
const NEWEST: &str = "failed";

impl SeatCounts {
    /// The names of the counts that are taken in games with this measure, of
    /// [`NAMES`](Self::NAMES).
    pub const fn counted(measure: Measure) -> &'static [&'static str] {
        match measure {
            Measure::Places => Self::NAMES,
            Measure::Points { .. } => POINT_COUNTS,
        }
    }

    /// The number of seats, over all games with this measure.
    pub fn seats(&self, measure: Measure) -> u64 {
        match measure {
            Measure::Places => self.places.iter().sum(),
            // One for each game.
            Measure::Points { .. } => self.rounds,
        }
    }

    /// Sum of the measure over these seats.
    pub fn sum(&self, measure: Measure) -> i64 {
        match measure {
            Measure::Places => self.place_sum() as i64,
            Measure::Points { .. } => self.points,
        }
    }

    pub fn mean(&self, measure: Measure) -> f64 {
        self.sum(measure) as f64 / self.seats(measure) as f64
    }

    /// Sum of its places, 1 to 4 each.
    pub fn place_sum(&self) -> u64 {
        (1..)
            .zip(self.places)
            .map(|(place, times)| place * times)
            .sum()
    }
}

/// Counts each seat's actions, event by event; public events are enough for all except tenpai.
#[derive(Debug)]
pub struct SeatCounter {
    pub seats: PerSeat<SeatCounts>,
    round: PerSeat<SeatRound>,
}

/// A seat's actions in this round.
#[derive(Debug, Clone, Copy, Default)]
struct SeatRound {
    thrown: u64,
    called: bool,
    dealt_in: bool,
    tenpai: bool,
    faced_riichi: bool,
}

impl SeatCounter {
    /// A game before its first event.
    pub fn new(players: u8) -> Self {
        Self {
            seats: PerSeat::from_fn(players, |_| SeatCounts::default()),
            round: PerSeat::from_fn(players, |_| SeatRound::default()),
        }
    }

    /// Rounds begun.
    pub fn rounds(&self) -> u32 {
        self.seats[Seat::FIRST].rounds as u32
    }

    pub fn count(&mut self, event: &Event) {
        match *event {
            Event::StartKyoku(_) => {
                for (seat, counts) in self.seats.iter_mut() {
                    counts.rounds += 1;
                    self.round[seat] = SeatRound::default();
                }
            }
            Event::Dahai { actor, .. } => self.round[actor].thrown += 1,
            Event::Chi { actor, .. }
            | Event::Pon { actor, .. }
            | Event::Daiminkan { actor, .. } => {
                self.seats[actor].called += first(&mut self.round[actor].called);
            }
            Event::ReachAccepted { actor, .. } => {
                for (seat, counts) in self.seats.iter_mut() {
                    if seat == actor {
                        counts.riichi += 1;
                    } else {
                        counts.faced_riichi += first(&mut self.round[seat].faced_riichi);
                    }
                }
            }
            Event::Hora(Hora {
                actor,
                target,
                deltas,
                ..
            }) => {
                let change = |seat: Seat| deltas.map_or(0, |deltas| i64::from(deltas[seat]));
                self.seats[actor].wins += 1;
                self.seats[actor].won += change(actor);
                self.seats[actor].win_turns +=
                    self.round[actor].thrown + u64::from(target == actor);
                if target != actor {
                    let deal_in = first(&mut self.round[target].dealt_in);
                    let counts = &mut self.seats[target];
                    counts.deal_ins += deal_in;
                    if self.round[target].faced_riichi {
                        counts.deal_ins_after_riichi += deal_in;
                    }
                    counts.lost -= change(target);
                }
            }
            _ => {}
        }
    }

    /// Counts that the seat's last discard left it tenpai.
    pub fn tenpai(&mut self, seat: Seat) {
        let (counts, round) = (&mut self.seats[seat], &mut self.round[seat]);
        if first(&mut round.tenpai) == 1 {
            counts.tenpai += 1;
            counts.tenpai_turns += round.thrown;
        }
    }
}

/// 1 the first time in a round, 0 after that.
fn first(happened: &mut bool) -> u64 {
    u64::from(!std::mem::replace(happened, true))
}

#[cfg(test)]
mod tests {
    use riichi::event::{Points, StartKyoku};
    use riichi::{Tile, Wind};

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
        Event::Pon {
            actor: seat(actor),
            target: seat(0),
            tile: tile("E"),
            consumed: [tile("E"); 2],
        }
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
    fn a_draw_of_ones_own_is_no_ones_deal_in() {
        let seats = counted(&[start(), hora(3, 3, [-2600, -1300, -1300, 5200])]);
        assert_eq!((seats[seat(3)].wins, seats[seat(3)].won), (1, 5200));
        assert!(
            seats
                .iter()
                .all(|(_, counts)| (counts.deal_ins, counts.lost) == (0, 0)),
            "{seats:?}"
        );
    }

    #[test]
    fn two_wins_on_one_tile_are_one_deal_in_that_costs_both() {
        let wins = [
            hora(1, 0, [-3900, 3900, 0, 0]),
            hora(2, 0, [-8000, 0, 8000, 0]),
        ];
        let seats = counted(&[start(), wins[0], wins[1], start(), wins[0]]);
        assert_eq!((seats[seat(0)].deal_ins, seats[seat(0)].lost), (2, 15_800));
        assert_eq!(
            (
                seats[seat(1)].wins,
                seats[seat(2)].wins,
                seats[seat(0)].rounds
            ),
            (2, 1, 2)
        );
    }

    #[test]
    fn a_round_with_several_calls_is_one_round_with_a_call() {
        let seats = counted(&[start(), pon(1), pon(1), pon(2), start(), pon(1)]);
        assert_eq!(
            (
                seats[seat(1)].called,
                seats[seat(2)].called,
                seats[seat(3)].called
            ),
            (2, 1, 0)
        );
    }

    #[test]
    fn riichi_counts_once_it_is_accepted() {
        let reach = Event::Reach { actor: seat(1) };
        let accepted = Event::ReachAccepted {
            actor: seat(2),
            scores: None,
        };
        let seats = counted(&[start(), reach, accepted]);
        assert_eq!((seats[seat(1)].riichi, seats[seat(2)].riichi), (0, 1));
    }

    fn discard(actor: u8) -> Event {
        Event::Dahai {
            actor: seat(actor),
            tile: tile("1m"),
            tsumogiri: true,
        }
    }

    #[test]
    fn a_deal_in_after_an_opponents_riichi_is_distinguished_from_others() {
        let riichi = |actor| Event::ReachAccepted {
            actor: seat(actor),
            scores: None,
        };
        let win = hora(1, 2, [0, 5200, -5200, 0]);
        // Before any riichi; after the own one; after an opponent's, who is not the one that wins.
        let seats = counted(&[
            start(),
            win,
            start(),
            riichi(2),
            win,
            start(),
            riichi(3),
            riichi(1),
            win,
        ]);
        let counts = &seats[seat(2)];
        assert_eq!(
            (
                counts.deal_ins,
                counts.faced_riichi,
                counts.deal_ins_after_riichi
            ),
            (3, 1, 1)
        );
        assert_eq!(seats[seat(0)].faced_riichi, 2, "rounds, not riichi");
    }

    #[test]
    fn turns_are_the_discards_and_one_more_for_a_drawn_win() {
        let mut tally = SeatCounter::new(4);
        let mut hear = |events: &[Event], tenpai: bool| {
            events.iter().for_each(|event| tally.count(event));
            if tenpai {
                tally.tenpai(seat(1));
            }
        };
        hear(&[start(), discard(1), discard(2), discard(1)], true);
        hear(&[discard(1)], true);
        hear(
            &[hora(1, 2, [0, 5200, -5200, 0]), start(), discard(1)],
            false,
        );
        hear(&[hora(1, 1, [-2600, 5200, -1300, -1300])], false);
        let counts = &tally.seats[seat(1)];
        assert_eq!(
            (counts.tenpai, counts.tenpai_turns),
            (1, 2),
            "the first discard that left it tenpai"
        );
        assert_eq!((counts.wins, counts.win_turns), (2, 3 + 2));
    }

    #[test]
    fn counts_come_back_from_their_numbers_and_odd_numbers_are_refused() {
        let counts = SeatCounts {
            places: [1, 2, 3, 4],
            points: -5,
            rounds: 6,
            late: 7,
            ..SeatCounts::default()
        };
        let all = SeatCounts::NAMES;
        let numbers = counts.numbers(all);
        assert_eq!(
            (numbers.len(), SeatCounts::of_numbers(all, &numbers)),
            (all.len(), Some(counts.clone()))
        );
        let older = &numbers[..numbers.len() - 1];
        assert_eq!(
            SeatCounts::of_numbers(all, older),
            Some(counts.clone()),
            "without the newest count"
        );
        assert_eq!(SeatCounts::of_numbers(all, &older[1..]), None);
        let negative = [&[-1], &numbers[1..]].concat();
        assert_eq!(SeatCounts::of_numbers(all, &negative), None);
        let some = ["late", "points"];
        assert_eq!(counts.numbers(&some), [-5, 7]);
        let read = SeatCounts::of_numbers(&some, &[-5, 7]).expect("it fits");
        assert_eq!(
            read,
            SeatCounts {
                points: -5,
                late: 7,
                ..SeatCounts::default()
            }
        );
    }
}
