//! Ratings of a ladder, and the points that its players give to places.

/// What a place is worth in a game of four, from first to fourth, as the field compares bots: the
/// places' shares give the average without a look at the scores.
pub const RANK_POINTS: [f64; 4] = [90.0, 45.0, 0.0, -135.0];

/// Number of games before which a rating is provisional.
pub const PROVISIONAL_GAMES: usize = 50;
/// Number of games after which a rating is mature, and a threshold is judged.
pub const MATURE_GAMES: usize = 200;
/// A bot is contaminated if more games than this share of them were in trouble.
const MAX_TROUBLED_SHARE: f64 = 0.05;

/// The average of [`RANK_POINTS`] over games with these numbers of places; `None` without a game.
pub fn average_rank_points(places: &[u64; 4]) -> Option<f64> {
    let games: u64 = places.iter().sum();
    let sum: f64 = places
        .iter()
        .zip(RANK_POINTS)
        .map(|(&times, points)| times as f64 * points)
        .sum();
    (games > 0).then(|| sum / games as f64)
}

/// A game of a bot on a ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedGame {
    pub before: Option<f64>,
    pub after: Option<f64>,
    pub trouble: GameCleanness,
}

/// Whether a game shows what the policy can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameCleanness {
    Clean,
    /// The policy failed, a reply was late, the runner answered for it, the connection was lost, or
    /// what happened is not known.
    Troubled,
    /// Another build decided too.
    Swapped,
}

/// How far a rating can be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RatingGrade {
    /// Nothing went wrong in its games.
    Clean,
    /// At most 5 % of the games were in trouble.
    Degraded,
    /// More of them were, or another build decided in one.
    Contaminated,
}

impl RatingGrade {
    /// The grade of these games.
    pub fn of(games: &[RatedGame]) -> Self {
        let count = |trouble| games.iter().filter(|game| game.trouble == trouble).count();
        let troubled = count(GameCleanness::Troubled);
        match troubled {
            _ if count(GameCleanness::Swapped) > 0 => Self::Contaminated,
            0 => Self::Clean,
            _ if troubled as f64 <= MAX_TROUBLED_SHARE * games.len() as f64 => Self::Degraded,
            _ => Self::Contaminated,
        }
    }

    /// The field's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Clean => "CLEAN",
            Self::Degraded => "DEGRADED",
            Self::Contaminated => "CONTAMINATED",
        }
    }
}

/// What decides whether a bot holds a rating: R1800 is the threshold 1800.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldRating {
    /// The rating after game 200.
    pub after_200: f64,
    /// The mean of the ratings after the games 101 to 200 that are known.
    pub mean_of_last_100: f64,
    /// The grade of the games 1 to 200.
    pub grade: RatingGrade,
}

impl HeldRating {
    /// The figures of the games of one bot with one version, in order; `None` before game 200, or if
    /// a rating that they need is not known.
    pub fn of(games: &[RatedGame]) -> Option<Self> {
        let first = games.get(..MATURE_GAMES)?;
        // What the ladder does not tell of one game, the next one tells.
        let after = |index: usize| {
            games[index]
                .after
                .or_else(|| games.get(index + 1).and_then(|next| next.before))
        };
        let last: Vec<f64> = (MATURE_GAMES / 2..MATURE_GAMES).filter_map(after).collect();
        Some(Self {
            after_200: after(MATURE_GAMES - 1)?,
            mean_of_last_100: last.iter().sum::<f64>() / last.len() as f64,
            grade: RatingGrade::of(first),
        })
    }

    /// Whether both figures reach a threshold.
    pub fn holds(&self, threshold: f64) -> bool {
        self.after_200 >= threshold && self.mean_of_last_100 >= threshold
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(after: f64) -> RatedGame {
        RatedGame {
            before: Some(after - 1.0),
            after: Some(after),
            trouble: GameCleanness::Clean,
        }
    }

    #[test]
    fn rank_points_are_averaged_over_places() {
        assert_eq!(average_rank_points(&[1, 1, 1, 1]), Some(0.0));
        assert_eq!(average_rank_points(&[2, 0, 0, 0]), Some(90.0));
        assert_eq!(average_rank_points(&[0, 1, 0, 1]), Some(-45.0));
        assert_eq!(average_rank_points(&[0; 4]), None);
    }

    #[test]
    fn a_threshold_is_held_by_the_rating_after_game_200_and_by_the_mean_of_the_hundred_before() {
        let games: Vec<RatedGame> = (1..=200)
            .map(|number| game(1700.0 + f64::from(number)))
            .collect();
        assert_eq!(HeldRating::of(&games[..199]), None);
        let held = HeldRating::of(&games).expect("200 games");
        assert_eq!((held.after_200, held.mean_of_last_100), (1900.0, 1850.5));
        assert!(held.holds(1800.0) && held.holds(1850.5) && !held.holds(1851.0));
        let mut fallen = games;
        fallen[199] = game(1799.0);
        let held = HeldRating::of(&fallen).expect("200 games");
        assert!(held.mean_of_last_100 > 1800.0 && !held.holds(1800.0));
    }

    #[test]
    fn a_rating_that_is_not_told_is_the_one_before_the_next_game() {
        let mut games: Vec<RatedGame> = (0..201).map(|_| game(1800.0)).collect();
        games[199].after = None;
        games[200].before = Some(1812.0);
        assert_eq!(
            HeldRating::of(&games).map(|held| held.after_200),
            Some(1812.0)
        );
        games[200].before = None;
        assert_eq!(HeldRating::of(&games), None);
    }

    #[test]
    fn a_few_troubled_games_degrade_a_rating_and_many_or_a_swap_contaminate_it() {
        let graded = |troubled: usize, swapped: usize| {
            let mut games = vec![game(1500.0); 200];
            games[..troubled]
                .iter_mut()
                .for_each(|game| game.trouble = GameCleanness::Troubled);
            games[200 - swapped..]
                .iter_mut()
                .for_each(|game| game.trouble = GameCleanness::Swapped);
            RatingGrade::of(&games)
        };
        assert_eq!(graded(0, 0), RatingGrade::Clean);
        assert_eq!(graded(1, 0), RatingGrade::Degraded);
        assert_eq!(graded(10, 0), RatingGrade::Degraded);
        assert_eq!(graded(11, 0), RatingGrade::Contaminated);
        assert_eq!(graded(0, 1), RatingGrade::Contaminated);
    }
}
