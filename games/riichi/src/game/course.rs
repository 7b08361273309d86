//! From round to round, and the end of the game.

use game_core::{PerSeat, Seat};
use tiles::Wind;

use super::{RiichiGame, Stage, Wall};
use crate::event::{Event, Points, StartKyoku};
use crate::rules::{Length, Rules};
use crate::table::Public;

/// A round by its place in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RoundId {
    /// Wind of the round.
    pub bakaze: Wind,
    /// The dealer.
    pub oya: Seat,
    /// Repeat counters.
    pub honba: u8,
}

/// The end of a round, as far as the next one depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundVerdict {
    /// A player won.
    Won {
        /// Whether the dealer did, alone or with others.
        by_dealer: bool,
    },
    /// The wall was used up.
    Drawn {
        /// Whether the dealer was tenpai.
        dealer_tenpai: bool,
    },
    /// An abortive draw.
    Aborted,
}

impl RoundVerdict {
    /// Whether the dealer deals again.
    const fn repeats(self) -> bool {
        match self {
            Self::Won { by_dealer } => by_dealer,
            Self::Drawn { dealer_tenpai } => dealer_tenpai,
            Self::Aborted => true,
        }
    }
}

impl RoundId {
    /// The first of a game.
    pub const FIRST: Self = Self {
        bakaze: Wind::East,
        oya: Seat::FIRST,
        honba: 0,
    };

    /// The round that follows on this one, which ended so and with these scores; `None` when the
    /// game is over.
    ///
    /// The scores are those after the round; riichi sticks left on the table have no owner yet.
    pub fn next(self, end: RoundVerdict, rules: &Rules, scores: &Points) -> Option<Self> {
        let winds = match rules.length {
            Length::Single => return None,
            Length::East => 1,
            Length::Half => 2,
        };
        if scores.iter().any(|(_, &points)| points < 0) {
            return None;
        }
        let Self { bakaze, oya, honba } = self;
        let enough = |points: i32| points >= rules.return_points;
        let wind = bakaze as u8;
        if end.repeats() {
            let is_last =
                wind >= winds || wind + 1 == winds && oya.next(rules.players) == Seat::FIRST;
            let may_end = is_last && !matches!(end, RoundVerdict::Aborted);
            let stays_first = scores.place(oya) == 1 && enough(scores[oya]);
            return (!(may_end && stays_first)).then_some(Self {
                honba: honba.saturating_add(1),
                ..self
            });
        }
        let honba = if matches!(end, RoundVerdict::Won { .. }) {
            0
        } else {
            honba.saturating_add(1)
        };
        let oya = oya.next(rules.players);
        let next = wind + u8::from(oya == Seat::FIRST);
        let reached = scores.iter().any(|(_, &points)| enough(points));
        let ends = next > winds || next == winds && reached;
        Wind::ALL
            .get(usize::from(next))
            .filter(|_| !ends)
            .map(|&bakaze| Self { bakaze, oya, honba })
    }
}

impl RiichiGame {
    pub(super) fn begin_round(&mut self, RoundId { bakaze, oya, honba }: RoundId) {
        let rules = *self.rules();
        let tehais = self.wall.deal(&rules, oya);
        self.stage = Stage::Playing;
        self.tell(Event::StartKyoku(StartKyoku {
            bakaze,
            kyoku: oya.index() as u8 + 1,
            honba,
            kyotaku: self.kyotaku(),
            oya,
            dora_marker: self.wall.dora_marker(0),
            scores: Some(*self.scores()),
            tehais: PerSeat::from_fn(rules.players, |seat| Some(tehais[seat])),
        }));
        let tile = self.wall.draw();
        self.draw(oya, tile);
    }

    pub(super) fn end_round(&mut self, end: RoundVerdict) {
        self.tell(Event::EndKyoku);
        let &Public {
            ref rules,
            ref scores,
            bakaze,
            oya,
            honba,
            ..
        } = self.state.public();
        match (RoundId { bakaze, oya, honba }).next(end, rules, scores) {
            None => {
                self.stage = Stage::Over;
                self.tell(Event::EndGame {
                    scores: Some(self.state.public().final_scores()),
                });
            }
            Some(next) => match self.seed {
                None => self.stage = Stage::Between(next),
                Some(seed) => {
                    self.wall = Wall::of_round(self.rules(), seed, self.state.public().rounds);
                    self.begin_round(next);
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: RoundVerdict = RoundVerdict::Won { by_dealer: false };
    const DEALER_WON: RoundVerdict = RoundVerdict::Won { by_dealer: true };
    const NOTEN: RoundVerdict = RoundVerdict::Drawn {
        dealer_tenpai: false,
    };
    const TENPAI: RoundVerdict = RoundVerdict::Drawn {
        dealer_tenpai: true,
    };
    const LEVEL: [i32; 4] = [25_000; 4];
    const REACHED: [i32; 4] = [20_000, 20_000, 30_000, 30_000];

    fn round(bakaze: Wind, oya: u8, honba: u8) -> RoundId {
        RoundId {
            bakaze,
            oya: Seat::new(oya).unwrap(),
            honba,
        }
    }

    /// The rounds after one of a hanchan of four, for each of these ends and scores.
    fn after(round: RoundId, cases: &[(RoundVerdict, [i32; 4], Option<RoundId>)]) {
        for (end, scores, next) in cases {
            let scores = Points::from_slice(scores).unwrap();
            assert_eq!(
                round.next(*end, &Rules::TENHOU_HALF, &scores),
                *next,
                "{round:?}, {end:?}, {scores:?}"
            );
        }
    }

    #[test]
    fn the_deal_passes_unless_the_dealer_wins_or_is_tenpai_and_repeat_counters_go_with_a_win_of_another()
     {
        use Wind::{East, South};
        after(
            round(East, 1, 2),
            &[
                (WON, REACHED, Some(round(East, 2, 0))),
                (DEALER_WON, REACHED, Some(round(East, 1, 3))),
                (NOTEN, LEVEL, Some(round(East, 2, 3))),
                (TENPAI, LEVEL, Some(round(East, 1, 3))),
                (RoundVerdict::Aborted, LEVEL, Some(round(East, 1, 3))),
            ],
        );
        after(
            round(East, 3, 0),
            &[(WON, REACHED, Some(round(South, 0, 0)))],
        );
    }

    #[test]
    fn after_the_last_round_it_continues_until_a_player_reaches_the_points_at_most_through_west() {
        use Wind::{South, West};
        after(
            round(South, 3, 0),
            &[
                (WON, LEVEL, Some(round(West, 0, 0))),
                (WON, REACHED, None),
                (NOTEN, LEVEL, Some(round(West, 0, 1))),
            ],
        );
        after(
            round(West, 0, 0),
            &[
                (WON, LEVEL, Some(round(West, 1, 0))),
                (NOTEN, REACHED, None),
            ],
        );
        after(
            round(West, 3, 0),
            &[(WON, LEVEL, None), (TENPAI, LEVEL, Some(round(West, 3, 1)))],
        );
    }

    #[test]
    fn from_the_last_round_on_a_dealer_who_is_first_with_the_points_ends_the_game_instead_of_repeating()
     {
        use Wind::{South, West};
        let second = [30_000, 20_000, 20_000, 30_000];
        let last = round(South, 3, 0);
        let repeat = Some(round(South, 3, 1));
        let first = [20_000, 20_000, 29_000, 31_000];
        after(
            last,
            &[
                (DEALER_WON, first, None),
                (TENPAI, first, None),
                (RoundVerdict::Aborted, first, repeat),
                (DEALER_WON, second, repeat),
                (DEALER_WON, [25_000, 25_000, 24_000, 26_000], repeat),
            ],
        );
        after(
            round(South, 2, 0),
            &[(DEALER_WON, REACHED, Some(round(South, 2, 1)))],
        );
        after(
            round(West, 2, 0),
            &[
                (DEALER_WON, REACHED, None),
                (DEALER_WON, second, Some(round(West, 2, 1))),
            ],
        );
    }

    #[test]
    fn it_ends_at_once_when_a_player_has_less_than_nothing() {
        let bust = [-100, 50_100, 25_000, 25_000];
        let nothing = [0, 50_000, 25_000, 25_000];
        let first = round(Wind::East, 0, 0);
        after(
            first,
            &[
                (WON, bust, None),
                (WON, nothing, Some(round(Wind::East, 1, 0))),
            ],
        );
    }

    #[test]
    fn shorter_games_end_a_wind_earlier_or_after_one_round_and_three_players_have_three_rounds_to_a_wind()
     {
        let next = |rules: Rules, from: RoundId, scores: &[i32]| {
            from.next(WON, &rules, &Points::from_slice(scores).unwrap())
        };
        let east = Rules::TENHOU_HALF.with_length(Length::East);
        assert_eq!(next(east, round(Wind::East, 3, 0), &REACHED), None);
        assert_eq!(
            next(east, round(Wind::East, 3, 0), &LEVEL),
            Some(round(Wind::South, 0, 0))
        );
        assert_eq!(next(east, round(Wind::South, 3, 0), &LEVEL), None);
        let single = Rules::TENHOU_HALF.with_length(Length::Single);
        assert_eq!(next(single, RoundId::FIRST, &LEVEL), None);
        let three = Rules::TENHOU_HALF.with_players(3);
        assert_eq!(
            next(three, round(Wind::East, 2, 0), &[35_000; 3]),
            Some(round(Wind::South, 0, 0))
        );
        assert_eq!(
            next(three, round(Wind::South, 2, 0), &[35_000; 3]),
            Some(round(Wind::West, 0, 0))
        );
        assert_eq!(
            next(three, round(Wind::South, 2, 0), &[40_000, 35_000, 30_000]),
            None
        );
    }
}
