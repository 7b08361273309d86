//! Strength as Elo: 400 points more are odds of ten to one, as in chess (Elo, The rating of
//! chessplayers, 1978).

/// The share of comparisons that a player wins who is stronger by this much Elo.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// By how much Elo one is stronger who wins this share of comparisons; infinite from 1 on, and down
/// from 0.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_tables_of_chess() {
        // FIDE's table of expected scores has 0.64 for 100, 0.76 for 200 and 0.91 for 400 points
        // (Handbook B.02, 8.1.2).
        for (elo, score) in [
            (0.0, 0.5),
            (100.0, 0.64),
            (200.0, 0.76),
            (400.0, 0.909),
            (-200.0, 0.24),
        ] {
            assert!((score_of_elo(elo) - score).abs() < 5e-3, "{elo}");
        }
        assert!(
            (score_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12,
            "ten to one"
        );
    }

    #[test]
    fn elo_and_score_are_each_others_inverse_and_a_score_of_all_or_nothing_is_infinite() {
        for elo in [-700.0, -12.5, 0.0, 3.0, 250.0] {
            assert!(
                (elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9,
                "{elo}"
            );
        }
        assert_eq!(
            [0.0, -0.1, 1.0, 1.2].map(elo_of_score),
            [-1.0, -1.0, 1.0, 1.0].map(|sign| sign * f64::INFINITY)
        );
    }
}
