//! The time of a game, as the interface writes it: UTC without a zone, with a blank or a `T` in the
//! middle.

use time::{Date, OffsetDateTime, PrimitiveDateTime, Time};

/// The time of a game: its start or its end, which the interface does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayedAt(OffsetDateTime);

impl PlayedAt {
    /// Reads `2026-11-29 10:00:00`, also with `T`, with a fraction of a second, and with a zone of
    /// `Z`.
    pub fn parse(text: &str) -> Option<Self> {
        let (date, clock) = text.split_once(['T', ' '])?;
        let clock = clock
            .strip_suffix('Z')
            .or(clock.strip_suffix("+00:00"))
            .unwrap_or(clock);
        let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
        let [year, month, day] = numbers(date, '-')?;
        let [hour, minute, second] = numbers(clock, ':')?;
        let date = Date::from_calendar_date(
            year.into(),
            u8::try_from(month).ok()?.try_into().ok()?,
            day.try_into().ok()?,
        );
        let millisecond = if fraction.is_empty() {
            0
        } else {
            format!("{fraction:0<3.3}").parse().ok()?
        };
        let clock = Time::from_hms_milli(
            hour.try_into().ok()?,
            minute.try_into().ok()?,
            second.try_into().ok()?,
            millisecond,
        );
        Some(Self(
            PrimitiveDateTime::new(date.ok()?, clock.ok()?).assume_utc(),
        ))
    }

    pub const fn moment(self) -> OffsetDateTime {
        self.0
    }
}

/// Three numbers of digits alone.
fn numbers(text: &str, between: char) -> Option<[u16; 3]> {
    let mut parts = text.split(between).map(|part| {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse().ok()).flatten()
    });
    let three = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(three)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_in_each_of_its_spellings() {
        for text in [
            "2026-11-29 10:20:30",
            "2026-11-29T10:20:30",
            "2026-11-29T10:20:30.000",
            "2026-11-29T10:20:30.000Z",
            "2026-11-29T10:20:30+00:00",
        ] {
            let read = PlayedAt::parse(text).expect(text);
            assert_eq!(read.moment().unix_timestamp(), 1795947630, "{text}");
        }
        let fraction = PlayedAt::parse("2026-11-29 10:20:30.1239999").expect("a time");
        assert_eq!(fraction.moment().millisecond(), 123);
    }

    #[test]
    fn other_texts_are_no_time() {
        for text in [
            "",
            "2026-11-29",
            "yesterday 10:20:30",
            "2026-13-29 10:20:30",
            "2026-11-29 25:20:30",
            "-1-1-1 1:1:1",
            "2026-11-29 10:20:30+09:00",
            "2026-11-29 10:20",
            "99999-11-29 10:20:30",
        ] {
            assert_eq!(PlayedAt::parse(text), None, "{text}");
        }
    }
}
