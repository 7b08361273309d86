//! HTTP's `Retry-After`: how long a server asks its clients to wait.

use std::time::{Duration, SystemTime};

use hyper::header::{DATE, HeaderMap, RETRY_AFTER};

/// Maximum time that a server may ask a bot to wait.
pub const MAX_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// The delay that an answer asks for, at most [`MAX_RETRY_AFTER`]: seconds, or a date (RFC 9110,
/// 10.2.3). Fractions, which some servers send, are understood too. `None` if the answer asks for
/// no delay, or for one that has no meaning.
///
/// A date is compared with the server's own clock if the answer has its `Date`, because this
/// machine's may be wrong.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| Some(headers.get(name)?.to_str().ok()?.trim());
    let asked = text(RETRY_AFTER)?;
    let wait = match seconds(asked) {
        Some(wait) => wait,
        None => {
            let moment = httpdate::parse_http_date(asked).ok()?;
            let now = text(DATE).and_then(|date| httpdate::parse_http_date(date).ok());
            // A moment that has passed asks for no delay.
            moment
                .duration_since(now.unwrap_or_else(SystemTime::now))
                .unwrap_or_default()
        }
    };
    Some(wait.min(MAX_RETRY_AFTER))
}

/// Digits, with a fraction or without.
fn seconds(text: &str) -> Option<Duration> {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds: f64 = is_number.then(|| text.parse().ok()).flatten()?;
    // A number with hundreds of digits is infinite.
    Some(Duration::from_secs_f64(
        seconds.min(MAX_RETRY_AFTER.as_secs_f64()),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(value: &str, date: Option<&str>) -> Option<f64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, value.parse().expect("a header's value"));
        if let Some(date) = date {
            headers.insert(DATE, date.parse().expect("a header's value"));
        }
        retry_after(&headers).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn seconds_are_whole_or_have_a_fraction() {
        for (value, wait) in [
            ("0", 0.0),
            ("90", 90.0),
            (" 90 ", 90.0),
            ("1.5", 1.5),
            ("007", 7.0),
        ] {
            assert_eq!(asked(value, None), Some(wait), "{value}");
        }
    }

    #[test]
    fn a_delay_is_at_most_an_hour() {
        let digits = "9".repeat(400);
        for value in [
            "3601",
            "86400.5",
            "18446744073709551616",
            &digits,
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            assert_eq!(asked(value, None), Some(3600.0), "{value}");
        }
    }

    #[test]
    fn a_date_in_each_of_the_three_forms_counts_from_the_servers_own_clock() {
        let now = Some("Sun, 06 Nov 1994 08:49:07 GMT");
        for value in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(asked(value, now), Some(30.0), "{value}");
        }
        assert_eq!(
            asked("Sun, 06 Nov 1994 08:49:00 GMT", now),
            Some(0.0),
            "the moment has passed"
        );
    }

    #[test]
    fn without_the_servers_clock_a_date_counts_from_this_machines() {
        let moment = SystemTime::now() + Duration::from_secs(600);
        let wait = asked(&httpdate::fmt_http_date(moment), None).expect("it is a date");
        assert!((590.0..=600.0).contains(&wait), "{wait}");
        assert_eq!(
            asked("Thu, 01 Jan 1970 00:00:00 GMT", Some("yesterday")),
            Some(0.0),
            "a Date without meaning"
        );
    }

    #[test]
    fn values_without_meaning_ask_for_nothing() {
        for value in [
            "",
            "-5",
            "soon",
            "1e9",
            "inf",
            "NaN",
            "1.2.3",
            ".5",
            "+5",
            "90 s",
            "2026-11-29",
        ] {
            assert_eq!(asked(value, None), None, "{value}");
        }
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
