//! The measure that compares players in a game.

/// The measure that compares players in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// The average place; lower is better.
    Places,
    /// The average points of a seat in a game; higher is better.
    Points {
        /// The maximum difference of a wall in points for a sequential test, which needs a bound:
        /// see [`Measure::bounded`].
        cap: i32,
    },
}

impl Measure {
    /// The place of a seat by the scores of all, from 1. Where places are compared, the earlier of
    /// equal seats is ahead; elsewhere equal seats share a place.
    #[inline]
    pub fn place<S: PartialOrd>(self, scores: &[S], seat: usize) -> u8 {
        let (own, shared) = (&scores[seat], self != Self::Places);
        // Without branches, because scores cannot be predicted.
        let ahead = |(other, score): (usize, &S)| {
            (score > own) | (!shared & (score == own) & (other < seat))
        };
        1 + scores
            .iter()
            .enumerate()
            .map(|other| u8::from(ahead(other)))
            .sum::<u8>()
    }

    /// The difference between two means; positive if the first is better.
    pub fn better_by(self, one: f64, other: f64) -> f64 {
        match self {
            Self::Places => other - one,
            Self::Points { .. } => one - other,
        }
    }

    /// Whether the first value of a seat is better than the second.
    pub const fn is_better(self, one: i32, other: i32) -> bool {
        match self {
            Self::Places => one < other,
            Self::Points { .. } => one > other,
        }
    }

    /// A wall's difference for a sequential test, which needs a bound. Places have one. Points are
    /// bounded by the rules (each peasant may win 3 x 2^15 of them: bid 3, 14 bombs and a spring),
    /// but too widely for any test to end. So a difference counts up to a cap. For two equal bots
    /// the mean of the capped differences is still 0: swapping them only changes the sign of each.
    /// The test makes statements about capped differences.
    pub fn bounded(self, difference: f64) -> f64 {
        match self {
            Self::Places => difference,
            Self::Points { cap } => difference.clamp(-f64::from(cap), cap.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_share_a_place_only_where_points_are_compared() {
        let scores = [3.0, 5.0, 3.0, 5.0];
        let places = |measure: Measure| [0, 1, 2, 3].map(|seat| measure.place(&scores, seat));
        assert_eq!(
            (places(Measure::Places), places(Measure::Points { cap: 1 })),
            ([3, 1, 4, 2], [3, 1, 3, 1])
        );
    }
}
