//! The number of random cases.

/// Number of random cases to compare in each class.
pub(crate) fn checks() -> u32 {
    match std::env::var("HAND_CHECKS") {
        Ok(number) => number.parse().expect("HAND_CHECKS is a number"),
        Err(_) => 10_000,
    }
}
