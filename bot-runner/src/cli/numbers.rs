//! Arguments with numbers and times, whose errors say what is allowed.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::TypedValueParser;

/// Parses a whole number in a range.
pub(super) fn number<T>(allowed: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        let number = text.parse().ok().filter(|number| allowed.contains(number));
        let (from, to) = (allowed.start(), allowed.end());
        number.ok_or_else(|| format!("found {text}; allowed are whole numbers from {from} to {to}"))
    }
}

/// Parses a number of things of which at least one is needed.
pub(super) fn at_least_one() -> impl TypedValueParser<Value = NonZeroUsize> {
    number(NonZeroUsize::MIN..=NonZeroUsize::MAX)
}

/// Parses a rating.
pub(super) fn rating(text: &str) -> Result<f64, String> {
    const MAX: f64 = 10_000.0;
    let number = text
        .parse()
        .ok()
        .filter(|number| (0.0..=MAX).contains(number));
    number.ok_or_else(|| format!("found {text}; allowed are ratings from 0 to {MAX}"))
}

/// Parses a share in percent, such as 5%.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let number = text
        .strip_suffix('%')
        .and_then(|number| number.trim_end().parse::<f64>().ok());
    number
        .filter(|number| (0.0..=100.0).contains(number))
        .map(|number| number / 100.0)
        .ok_or_else(|| format!("found {text}; allowed are shares from 0% to 100%, such as 5%"))
}

/// Parses a time.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| {
        format!("found {text}; allowed is a time with its unit, such as 90s, 45m, 8h or 2d")
    })
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;

    #[test]
    fn a_number_that_is_not_allowed_is_answered_with_the_numbers_that_are() {
        for (command, said) in [
            (
                "play --seed 18446744073709551616",
                "found 18446744073709551616; allowed are whole numbers from 0 to 18446744073709551615",
            ),
            (
                "play --seed abc",
                "found abc; allowed are whole numbers from 0 to ",
            ),
            (
                "tournament a b --games 18446744073709551615",
                "found 18446744073709551615; allowed are whole numbers from 1 to 100000000000",
            ),
            (
                "run a --games -3",
                "found -3; allowed are whole numbers from 1 to ",
            ),
            (
                "run a --until-rating NaN",
                "found NaN; allowed are ratings from 0 to 10000",
            ),
            (
                "run a --duration -3",
                "found -3; allowed is a time with its unit",
            ),
            (
                "view game --seat -1",
                "found -1; allowed are whole numbers from 0 to 3",
            ),
            (
                "tournament a b --games 1 --seed -1",
                "found -1; allowed are whole numbers from 0 to ",
            ),
            (
                "view game --seat 4",
                "found 4; allowed are whole numbers from 0 to 3",
            ),
            (
                "tune a --against b --games 60",
                "found 60; allowed are whole numbers from 240 to ",
            ),
            (
                "tune a --against b --games 240 --jobs 0",
                "found 0; allowed are whole numbers from 1 to ",
            ),
            (
                "run a --duration 5",
                "found 5; allowed is a time with its unit, such as 90s, 45m, 8h or 2d",
            ),
            (
                "arena --listen 4000",
                "found \"4000\"; an address is an IP address and a port, for instance 127.0.0.1:8080",
            ),
        ] {
            let words = ["bot-runner"].into_iter().chain(command.split(' '));
            let error = Cli::of(words).expect_err(command).to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
