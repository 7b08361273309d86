//! The names of records and of their files.
//!
//! `.unfinished-STEM` is being written or removed, or its process ended meanwhile. `STEM` is a
//! complete record, `STEM.cut` an incomplete one.

use time::OffsetDateTime;

pub const MANIFEST: &str = "manifest.json";
/// The received and sent frames.
pub const FRAMES: &str = "frames.jsonl";
/// The game from the own seat's point of view, as an mjai record.
pub const GAME: &str = "game.mjai.jsonl";
/// The game from the own seat's point of view, for games other than riichi.
pub const OTHER_GAME: &str = "game.jsonl";
pub const DECISIONS: &str = "decisions.jsonl";
/// The game with the hands of all seats, as an mjai record, once the arena's ladder has it.
pub const OPEN_GAME: &str = "open.mjai.jsonl";
/// What the arena's ladder says about the game.
pub const LADDER: &str = "ladder.json";

pub(super) const UNFINISHED: &str = ".unfinished-";
pub(super) const CUT: &str = ".cut";
/// The format of the first part of a name; `0` means a digit.
const BEGAN: &str = "0000-00-00T000000Z-";
/// Number of names to try for a record. Each ends in 24 random bits, so even a second try is rare.
pub(super) const TRIES: usize = 16;

/// A name for the record of a game: its time, its bot, and random digits.
pub(super) fn new_stem(began: OffsetDateTime, bot: &str) -> String {
    format!(
        "{}{}-{:06x}",
        moment_in_names(began),
        spelled(bot),
        fastrand::u32(..1 << 24)
    )
}

/// A moment in the form of [`BEGAN`].
fn moment_in_names(moment: OffsetDateTime) -> String {
    let (date, (hour, minute, second)) = (moment.date(), moment.to_hms());
    format!("{date}T{hour:02}{minute:02}{second:02}Z-")
}

/// A bot's name in the form used in folder names.
fn spelled(bot: &str) -> String {
    bot.chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect()
}

/// Whether a folder name has exactly the form of a record's name. Folders with other names are
/// never removed.
pub fn is_named_like_a_record(name: &str) -> bool {
    bot_in(name).is_some()
}

/// Whether a folder name belongs to a record of this bot; a bot with a similar name may have the
/// same form.
pub(super) fn is_of(name: &str, bot: &str) -> bool {
    bot_in(name) == Some(&spelled(bot))
}

/// Whether a record of this bot began between these moments, by the name of its folder.
pub(super) fn is_of_between(
    name: &str,
    bot: &str,
    (from, to): (OffsetDateTime, OffsetDateTime),
) -> bool {
    let began = |moment: OffsetDateTime| moment_in_names(moment);
    is_of(name, bot)
        && name
            .get(..BEGAN.len())
            .is_some_and(|name| (began(from).as_str()..=began(to).as_str()).contains(&name))
}

/// The bot in the name of a record, in the form used there; `None` for any other name.
fn bot_in(name: &str) -> Option<&str> {
    let (began, rest) = name
        .strip_suffix(CUT)
        .unwrap_or(name)
        .split_at_checked(BEGAN.len())?;
    let fits = |(c, form): (u8, u8)| {
        if form == b'0' {
            c.is_ascii_digit()
        } else {
            c == form
        }
    };
    if !began.bytes().zip(BEGAN.bytes()).all(fits) {
        return None;
    }
    let is_random = |text: &str| {
        text.len() == 6 && text.bytes().all(|c| matches!(c, b'0'..=b'9' | b'a'..=b'f'))
    };
    let (bot, end) = rest.rsplit_once('-')?;
    if is_random(end) {
        return Some(bot);
    }
    // The name was taken, so a number follows.
    let (bot, random) = bot.rsplit_once('-')?;
    (is_random(random) && end.parse().is_ok_and(|number: usize| number < TRIES)).then_some(bot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_safe_whatever_the_bot_is_called_and_never_the_same_twice() {
        let began = OffsetDateTime::UNIX_EPOCH;
        let name = new_stem(began, "../くま a/b\0c.");
        assert!(
            name.starts_with("1970-01-01T000000Z-___くま_a_b_c_-"),
            "{name}"
        );
        assert_ne!(new_stem(began, "kuma"), new_stem(began, "kuma"));
        assert!(is_of(&name, "../くま a/b\0c.") && !is_of(&name, "kuma"));
        let longest = new_stem(began, &"熊".repeat(40));
        assert!(
            format!("{UNFINISHED}{longest}-15{CUT}").len() <= 255,
            "{longest}"
        );
    }

    #[test]
    fn only_a_folder_named_exactly_like_a_record_counts_as_one() {
        for (name, bot) in [
            ("2026-01-31T201530Z-kuma-3f9a1c", "kuma"),
            ("2026-01-31T201530Z-kuma-3f9a1c.cut", "kuma"),
            ("2026-01-31T201530Z-kuma-3f9a1c-15.cut", "kuma"),
            ("2026-01-31T201530Z-my-bot-2-3f9a1c", "my-bot-2"),
            ("2026-01-31T201530Z-くま-3f9a1c", "くま"),
        ] {
            assert_eq!(bot_in(name), Some(bot), "{name}");
        }
        for name in [
            "kuma",
            "2026-01-31T201530Z-kuma",
            "2026-01-31T201530Z-3f9a1c",
            "2026-01-31T201530Z-kuma-3f9a1",
            "2026-01-31T201530Z-kuma-3F9A1C",
            "2026-01-31T201530Z-kuma-3f9a1c-16",
            "2026-01-31T201530Z-kuma-3f9a1c.old",
            "2026-01-31 201530Z-kuma-3f9a1c",
            "best 2026-01-31T201530Z-kuma-3f9a1c",
            "２026-01-31T201530Z-kuma-3f9a1c",
        ] {
            assert_eq!(bot_in(name), None, "{name}");
        }
    }
}
