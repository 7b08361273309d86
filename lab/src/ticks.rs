//! Marks of an axis at round numbers.

/// The multiples of 1, 2 or 5 times a power of ten from `low` to `high`: as many as fit, at most `most`, each with as many decimals
/// as it needs. None where there is no range.
#[must_use]
pub fn round_ticks(low: f64, high: f64, most: usize) -> Vec<(f64, String)> {
    if !(low.is_finite() && high.is_finite() && low < high) || most == 0 {
        return Vec::new();
    }
    let mut power = ((high - low) / most as f64).log10().floor() as i32;
    loop {
        for digit in [1.0, 2.0, 5.0] {
            let step = digit * 10_f64.powi(power);
            // A bound that is a multiple itself is not lost to a rounding error.
            let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
            let count = (last - first + 1.0).max(0.0) as usize;
            if count <= most {
                let decimals = (-power).max(0) as usize;
                let tick = |index: usize| {
                    let value = (first + index as f64) * step;
                    // No minus before a zero.
                    let value = if value == 0.0 { 0.0 } else { value };
                    (value, format!("{value:.decimals$}"))
                };
                return (0..count).map(tick).collect();
            }
        }
        power += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, most: usize) -> Vec<String> {
        round_ticks(low, high, most).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_lie_at_round_numbers_inside_the_range_and_are_not_too_many() {
        assert_eq!(texts(0.98, 3.62, 6), ["1.0", "1.5", "2.0", "2.5", "3.0", "3.5"]);
        assert_eq!(texts(0.98, 3.62, 5), ["1", "2", "3"]);
        assert_eq!(texts(2.27, 2.53, 6), ["2.30", "2.35", "2.40", "2.45", "2.50"]);
        assert_eq!(texts(1.0, 4.0, 4), ["1", "2", "3", "4"]);
        assert_eq!(texts(-0.3, 0.3, 7), ["-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts(0.0, 60_000.0, 7), ["0", "10000", "20000", "30000", "40000", "50000", "60000"]);
    }

    #[test]
    fn an_axis_without_a_range_has_no_ticks() {
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
            assert!(round_ticks(low, high, 5).is_empty(), "{low} to {high}");
        }
    }
}
