//! The seating.

use std::fmt;

use arrayvec::ArrayVec;
use policy_host::{GameKind, Measure};
use riichi::MAX_PLAYERS;
use serde::{Deserialize, Serialize};

/// For each seat the index of its config among the competitors.
pub type Seating = ArrayVec<usize, MAX_PLAYERS>;

pub const MAX_CONFIGS: usize = 32;

/// The format of the seatings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two configs, two seats each, in all six ways.
    TwoAgainstTwo,
    /// Two configs at tables of four, one seat against three: each of them alone on each seat.
    OneAgainstThree,
    /// The same at tables of three.
    OneAgainstTwo,
    /// As many configs as sit at a table, in all rotations.
    Rotations,
    /// Two or more configs, up to the number of seats, in every order. With fewer configs than
    /// seats some have several seats, each equally often over all orders; orders that differ only
    /// in the order of a config's own seats count once.
    AllOrders,
    /// Every config against every other, two at a table.
    RoundRobin,
    /// The first config against every other, two at a table.
    Gauntlet,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TwoAgainstTwo => "two against two",
            Self::OneAgainstThree => "one against three, both ways",
            Self::OneAgainstTwo => "one against two, both ways",
            Self::Rotations => "all rotations",
            Self::AllOrders => "all orders",
            Self::RoundRobin => "round robin",
            Self::Gauntlet => "the first against each of the others",
        })
    }
}

impl Format {
    /// The default format for this many configs at tables of this many players.
    pub fn of(game: GameKind, configs: usize, players: u8) -> Self {
        let fit = configs <= players.into();
        match (game, configs) {
            (GameKind::Riichi, 2) => Self::pair(players),
            (GameKind::Riichi, _) if configs == usize::from(players) => Self::Rotations,
            (GameKind::Mcr | GameKind::DouDizhu, _) if fit => Self::AllOrders,
            _ => Self::RoundRobin,
        }
    }

    /// How two configs share a table of this many players.
    const fn pair(players: u8) -> Self {
        if players == 3 {
            Self::OneAgainstTwo
        } else {
            Self::TwoAgainstTwo
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CannotSeat {
    /// There is nothing to compare.
    #[error(
        "with one config there is nothing to compare it with; name it twice to see how far luck goes"
    )]
    One,
    /// There are more than a tournament needs.
    #[error("{0} configs are given, and at most {MAX_CONFIGS} compete at once; leave some out")]
    TooMany(usize),
    /// The format is for another number of configs.
    #[error(
        "{configs} configs are given, and {format} is for {wanted}; leave out --format, or name {wanted} configs"
    )]
    Configs {
        format: Format,
        /// The number given.
        configs: usize,
        /// For how many it is.
        wanted: usize,
    },
    /// The format is for another number of players.
    #[error(
        "{format} is for tables of {wanted}, and {players} sit at these; leave out --format, or say --players {wanted}"
    )]
    Players {
        format: Format,
        /// Number of players at a table.
        players: u8,
        /// For how many it is.
        wanted: u8,
    },
    /// The game is not played by this many players.
    #[error(
        "{format} is for tables of {wanted}, and {game} is played by {players}; leave out --format"
    )]
    Game {
        format: Format,
        /// For how many it is.
        wanted: u8,
        game: GameKind,
        players: u8,
    },
}

/// The games on each wall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    configs: usize,
    players: u8,
    measure: Measure,
    seatings: Vec<Seating>,
}

impl Schedule {
    /// The games of this many configs on a wall, for the game's number of players.
    ///
    /// # Errors
    ///
    /// If the format does not suit them.
    pub fn new(
        game: GameKind,
        format: Format,
        configs: usize,
        players: u8,
    ) -> Result<Self, CannotSeat> {
        let wanted_players = match format {
            Format::TwoAgainstTwo | Format::OneAgainstThree => 4,
            Format::OneAgainstTwo => 3,
            Format::Rotations | Format::AllOrders | Format::RoundRobin | Format::Gauntlet => {
                players
            }
        };
        let wanted = match format {
            Format::TwoAgainstTwo | Format::OneAgainstThree | Format::OneAgainstTwo => 2,
            Format::Rotations => players.into(),
            Format::AllOrders => configs.min(players.into()),
            Format::RoundRobin | Format::Gauntlet => configs,
        };
        match configs {
            0 | 1 => return Err(CannotSeat::One),
            _ if configs > MAX_CONFIGS => return Err(CannotSeat::TooMany(configs)),
            _ if players != wanted_players && !game.players().contains(&wanted_players) => {
                return Err(CannotSeat::Game {
                    format,
                    wanted: wanted_players,
                    game,
                    players,
                });
            }
            _ if players != wanted_players => {
                return Err(CannotSeat::Players {
                    format,
                    players,
                    wanted: wanted_players,
                });
            }
            _ if configs != wanted => {
                return Err(CannotSeat::Configs {
                    format,
                    configs,
                    wanted,
                });
            }
            _ => {}
        }
        let pairs = |first: usize| (first + 1..configs).map(move |second| (first, second));
        let between = |(first, second)| of_two(Format::pair(players), players, first, second);
        let seatings = match format {
            Format::TwoAgainstTwo | Format::OneAgainstThree | Format::OneAgainstTwo => {
                of_two(format, players, 0, 1)
            }
            Format::Rotations => {
                let seats = usize::from(players);
                (0..seats)
                    .map(|turn| {
                        (0..seats)
                            .map(|seat| (seat + seats - turn) % seats)
                            .collect()
                    })
                    .collect()
            }
            Format::AllOrders => all_orders(configs, players.into()),
            Format::RoundRobin => (0..configs).flat_map(pairs).flat_map(between).collect(),
            Format::Gauntlet => pairs(0).flat_map(between).collect(),
        };
        Ok(Self {
            configs,
            players,
            measure: game.measure(),
            seatings,
        })
    }

    /// Two configs with a seat each and a third on the others, in all possible ways at a table of
    /// this many players: it compares the two among players like the third.
    pub fn beside_a_third(game: GameKind, players: u8) -> Self {
        let seats = usize::from(players);
        let pairs = (0..seats).flat_map(|first| (0..seats).map(move |second| (first, second)));
        let seated = |(first, second): (usize, usize)| {
            let config = |seat| {
                if seat == first {
                    0
                } else if seat == second {
                    1
                } else {
                    2
                }
            };
            (0..seats).map(config).collect()
        };
        let seatings = pairs
            .filter(|(first, second)| first != second)
            .map(seated)
            .collect();
        Self {
            configs: 3,
            players,
            measure: game.measure(),
            seatings,
        }
    }

    pub const fn measure(&self) -> Measure {
        self.measure
    }

    pub const fn configs(&self) -> usize {
        self.configs
    }

    pub const fn players(&self) -> u8 {
        self.players
    }

    /// The seatings that each wall is played in.
    pub fn seatings(&self) -> &[Seating] {
        &self.seatings
    }

    /// Number of walls that contain at least this many games.
    pub fn walls(&self, games: u64) -> u64 {
        games.div_ceil(self.seatings.len() as u64)
    }

    /// By how much one config can be better than another on a wall, on average over the games of
    /// both: places, or points as far as they [count](Measure::bounded). `None` when they do not
    /// meet.
    pub fn widest(&self, one: usize, other: usize) -> Option<f64> {
        let mut sums = [(0, 0); 2];
        for seating in self.shared(one, other) {
            let seats = |config| seating.iter().filter(|&&seated| seated == config).count();
            let (best, worst) = (seats(one), seats(other));
            // The one takes the first places, the other the last.
            let places = usize::from(self.players);
            sums[0].0 += (1..=best).sum::<usize>();
            sums[0].1 += best;
            sums[1].0 += (places + 1 - worst..=places).sum::<usize>();
            sums[1].1 += worst;
        }
        let mean = |(sum, seats): (usize, usize)| sum as f64 / seats as f64;
        (one != other && sums[0].1 > 0).then(|| match self.measure {
            Measure::Places => mean(sums[1]) - mean(sums[0]),
            Measure::Points { cap } => cap.into(),
        })
    }

    /// The seatings in which both sit.
    fn shared(&self, one: usize, other: usize) -> impl Iterator<Item = &Seating> {
        self.seatings
            .iter()
            .filter(move |seating| seating.contains(&one) && seating.contains(&other))
    }
}

/// All orders of this many configs at this many seats, each config equally often.
fn all_orders(configs: usize, seats: usize) -> Vec<Seating> {
    let (least, most) = (seats / configs, seats.div_ceil(configs));
    let is_fair = |seating: &Seating| {
        (0..configs).all(|config| {
            let taken = seating.iter().filter(|&&seated| seated == config).count();
            (least..=most).contains(&taken)
        })
    };
    // Numbers in base `configs`, the first seat their highest digit.
    let all = (0..configs.pow(seats as u32)).map(|number| {
        (0..seats as u32)
            .rev()
            .map(|place| number / configs.pow(place) % configs)
            .collect::<Seating>()
    });
    all.filter(is_fair).collect()
}

/// The ways to seat two configs at a table.
fn of_two(format: Format, players: u8, first: usize, second: usize) -> Vec<Seating> {
    let seats = usize::from(players);
    let ways = match format {
        // All ways in which the second has two seats; the last seat is the first to change.
        Format::TwoAgainstTwo => (0..1_usize << seats)
            .filter(|ways| ways.count_ones() == 2)
            .collect::<Vec<_>>(),
        // The first alone on each seat, then the second.
        _ => {
            let alone = |seat: usize| 1 << (seats - 1 - seat);
            let all = (1 << seats) - 1;
            (0..seats)
                .map(|seat| all - alone(seat))
                .chain((0..seats).map(alone))
                .collect()
        }
    };
    let seated = |ways: usize| {
        (0..seats)
            .map(|seat| {
                if ways >> (seats - 1 - seat) & 1 == 1 {
                    second
                } else {
                    first
                }
            })
            .collect()
    };
    ways.into_iter().map(seated).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const RIICHI: GameKind = GameKind::Riichi;

    fn schedules() -> Vec<Schedule> {
        [
            (Format::TwoAgainstTwo, 2, 4),
            (Format::OneAgainstThree, 2, 4),
            (Format::OneAgainstTwo, 2, 3),
            (Format::Rotations, 4, 4),
            (Format::Rotations, 3, 3),
            (Format::AllOrders, 4, 4),
            (Format::AllOrders, 3, 4),
            (Format::AllOrders, 2, 3),
            (Format::RoundRobin, 5, 4),
            (Format::RoundRobin, 3, 3),
            (Format::Gauntlet, 4, 4),
        ]
        .map(|(format, configs, players)| {
            Schedule::new(RIICHI, format, configs, players).expect("it suits them")
        })
        .into_iter()
        .chain([4, 3].map(|players| Schedule::beside_a_third(RIICHI, players)))
        .collect()
    }

    #[test]
    fn on_each_wall_each_config_sits_on_each_seat_equally_often() {
        for schedule in schedules() {
            for config in 0..schedule.configs() {
                let times = |seat: usize| {
                    schedule
                        .seatings()
                        .iter()
                        .filter(|seating| seating.get(seat) == Some(&config))
                        .count()
                };
                let first = times(0);
                assert!(first > 0, "{schedule:?}: config {config} does not play");
                assert!(
                    (0..schedule.players().into()).all(|seat| times(seat) == first),
                    "{schedule:?}: {config}"
                );
            }
        }
    }

    #[test]
    fn no_seating_is_played_twice_on_a_wall_and_all_seats_are_taken() {
        for schedule in schedules() {
            let different: BTreeSet<&[usize]> = schedule
                .seatings()
                .iter()
                .map(|seating| &seating[..])
                .collect();
            assert_eq!(different.len(), schedule.seatings().len());
            assert!(
                different
                    .iter()
                    .all(|seating| seating.len() == usize::from(schedule.players()))
            );
        }
    }

    #[test]
    fn seatings_keep_their_order_so_that_a_seed_keeps_its_games() {
        let seatings = |format, configs| -> Vec<Vec<usize>> {
            let schedule = Schedule::new(RIICHI, format, configs, 4).expect("it suits them");
            schedule
                .seatings()
                .iter()
                .map(|seating| seating.to_vec())
                .collect()
        };
        let two = [
            [0, 0, 1, 1],
            [0, 1, 0, 1],
            [0, 1, 1, 0],
            [1, 0, 0, 1],
            [1, 0, 1, 0],
            [1, 1, 0, 0],
        ];
        assert_eq!(seatings(Format::TwoAgainstTwo, 2), two);
        let four = [[0, 1, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1], [1, 2, 3, 0]];
        assert_eq!(seatings(Format::Rotations, 4), four);
        assert_eq!(seatings(Format::AllOrders, 2), two);
        let of_three =
            Schedule::new(GameKind::DouDizhu, Format::AllOrders, 2, 3).expect("it suits them");
        let three = [
            [0, 0, 1],
            [0, 1, 0],
            [0, 1, 1],
            [1, 0, 0],
            [1, 0, 1],
            [1, 1, 0],
        ];
        assert!(
            of_three
                .seatings()
                .iter()
                .map(|seating| &seating[..])
                .eq(three.iter().map(|seating| &seating[..]))
        );
    }

    #[test]
    fn one_against_three_seats_each_alone_on_each_seat() {
        let schedule = Schedule::new(RIICHI, Format::OneAgainstThree, 2, 4).expect("it suits them");
        let alone = |config| {
            let only = |seating: &&Seating| {
                seating.iter().filter(|&&seated| seated == config).count() == 1
            };
            schedule.seatings().iter().filter(only).count()
        };
        assert_eq!((schedule.seatings().len(), alone(0), alone(1)), (8, 4, 4));
    }

    #[test]
    fn in_a_round_robin_all_pairs_meet_and_in_a_gauntlet_those_with_the_first() {
        let met = |format| {
            let schedule = Schedule::new(RIICHI, format, 4, 4).expect("it suits them");
            let pairs = (0..4).flat_map(|one| (one + 1..4).map(move |other| (one, other)));
            pairs
                .filter(|&(one, other)| schedule.widest(one, other).is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            met(Format::RoundRobin),
            [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        );
        assert_eq!(met(Format::Gauntlet), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn how_far_two_can_be_apart_follows_from_the_seats_they_have() {
        let widest = |format, configs, players| {
            Schedule::new(RIICHI, format, configs, players)
                .ok()
                .and_then(|schedule| schedule.widest(0, 1))
        };
        // First and second against third and fourth.
        assert_eq!(widest(Format::TwoAgainstTwo, 2, 4), Some(2.0));
        // Alone: 1 against 3. Three: 2 against 4. Sixteen seats each: 28 and 52 places in all.
        assert_eq!(widest(Format::OneAgainstThree, 2, 4), Some(24.0 / 16.0));
        assert_eq!(widest(Format::Rotations, 4, 4), Some(3.0));
        assert_eq!(widest(Format::Rotations, 3, 3), Some(2.0));
        // Of points no more than the cap counts, however the seats are taken.
        let schedule =
            Schedule::new(GameKind::DouDizhu, Format::Gauntlet, 3, 3).expect("it suits them");
        let measure = schedule.measure();
        let widest = schedule.widest(0, 1).expect("they meet");
        assert_eq!(
            (
                measure.bounded(1e9),
                measure.bounded(-1e9),
                measure.bounded(0.5)
            ),
            (widest, -widest, 0.5)
        );
        assert_eq!(schedule.widest(1, 2), None);
    }

    #[test]
    fn games_are_rounded_up_to_whole_walls() {
        let schedule = Schedule::new(RIICHI, Format::TwoAgainstTwo, 2, 4).expect("it suits them");
        assert_eq!(
            [1, 6, 7, 2000].map(|games| schedule.walls(games)),
            [1, 1, 2, 334]
        );
    }

    #[test]
    fn a_number_of_configs_that_does_not_suit_the_format_is_refused_with_one_that_does() {
        let refused = |format, configs, players| {
            Schedule::new(RIICHI, format, configs, players)
                .expect_err("it does not suit")
                .to_string()
        };
        assert!(refused(Format::RoundRobin, 1, 4).contains("name it twice"));
        assert!(refused(Format::TwoAgainstTwo, 3, 4).contains("name 2 configs"));
        assert!(refused(Format::OneAgainstThree, 2, 3).contains("--players 4"));
        assert!(refused(Format::Gauntlet, 33, 4).contains("at most 32"));
        let three = Schedule::new(GameKind::DouDizhu, Format::TwoAgainstTwo, 2, 3)
            .expect_err("it does not suit");
        let told =
            "two against two is for tables of 4, and doudizhu is played by 3; leave out --format";
        assert_eq!(three.to_string(), told);
    }
}
