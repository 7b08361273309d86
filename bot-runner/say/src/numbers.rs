//! Numbers for users.

/// Points with commas between the thousands.
pub fn points(points: i32) -> String {
    let sign = if points < 0 { "-" } else { "" };
    format!("{sign}{}", thousands(points.unsigned_abs().into()))
}

/// A whole number with commas between the thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with these decimals. Zero has no minus sign.
pub fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|digit| matches!(digit, '0' | '.')) => zero.to_owned(),
        _ => text,
    }
}

/// The same with its sign, a plus sign included.
pub fn signed(number: f64, decimals: usize) -> String {
    let text = decimal(number, decimals);
    if text.starts_with('-') {
        text
    } else {
        format!("+{text}")
    }
}

/// A number with a noun: `1 game`, `12 games`.
pub fn number_of(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_commas_between_thousands() {
        assert_eq!(
            [0, 900, -1000, 32_000, -1_234_567].map(points),
            ["0", "900", "-1,000", "32,000", "-1,234,567"]
        );
    }

    #[test]
    fn a_number_that_is_rounded_to_zero_has_no_minus_sign() {
        assert_eq!(
            [-0.0004, -0.0006, 0.0, 2.5].map(|number| decimal(number, 3)),
            ["0.000", "-0.001", "0.000", "2.500"]
        );
        assert_eq!(
            [-0.004, -0.006, 0.004].map(|number| signed(number, 2)),
            ["+0.00", "-0.01", "+0.00"]
        );
        assert_eq!(
            [f64::NEG_INFINITY, f64::INFINITY].map(|number| signed(number, 1)),
            ["-inf", "+inf"]
        );
    }
}
