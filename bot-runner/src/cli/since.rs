//! A point in time on the command line: a day, or a duration before now.

use std::time::Duration;

use time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

/// The start of a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// From the beginning of a day, UTC.
    Day(Date),
    Ago(Duration),
}

impl Since {
    pub fn moment(self, now: OffsetDateTime) -> OffsetDateTime {
        match self {
            Self::Day(day) => day.with_time(Time::MIDNIGHT).assume_utc(),
            Self::Ago(time) => {
                let earliest = PrimitiveDateTime::MIN.assume_utc();
                now.checked_sub(time.try_into().unwrap_or(time::Duration::MAX))
                    .unwrap_or(earliest)
            }
        }
    }
}

pub(super) fn since(text: &str) -> Result<Since, String> {
    let parts: Vec<&str> = text.split('-').collect();
    if let [year, month, day] = parts[..]
        && let (Ok(year), Ok(month), Ok(day)) = (year.parse(), month.parse::<u8>(), day.parse())
        && let Some(date) = month
            .try_into()
            .ok()
            .and_then(|month| Date::from_calendar_date(year, month, day).ok())
    {
        return Ok(Since::Day(date));
    }
    let ago = humantime::parse_duration(text).map(Since::Ago);
    ago.map_err(|_| {
        format!("found {text:?}; allowed are a day, 2026-01-31, and a time, 30d or 12h")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_day_or_a_time_ago() {
        let now = OffsetDateTime::from_unix_timestamp(1_800_000_000).expect("a moment");
        assert_eq!(
            since("2026-01-31").expect("a day").moment(now).to_string(),
            "2026-01-31 0:00:00.0 +00:00:00"
        );
        assert_eq!(
            since("30d").expect("a time").moment(now),
            now - Duration::from_secs(30 * 86_400)
        );
        assert_eq!(
            since("13000y").expect("a time").moment(now),
            PrimitiveDateTime::MIN.assume_utc()
        );
        for wrong in ["2026-02-30", "yesterday", "", "2026-1"] {
            assert!(
                since(wrong).expect_err(wrong).contains("allowed are a day"),
                "{wrong}"
            );
        }
    }
}
