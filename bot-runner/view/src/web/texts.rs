//! Cleans texts for display on a page: removes the paths of this machine.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::OnceLock;

use foreign_text::without_middle;

const MAX_CHARACTERS: usize = 400;

/// A text in which paths of this machine are reduced to their last part. A long text loses its
/// middle.
pub(super) fn shown(text: &str) -> String {
    let mut text = text.to_owned();
    for folder in folders() {
        // A folder name may contain spaces, with which the general rule would miss the rest of a
        // path.
        text = text.replace(&format!("{}/", folder.display()), "");
    }
    without_middle(&without_paths(&text), MAX_CHARACTERS).into_owned()
}

/// The most frequent folders in texts.
fn folders() -> &'static [PathBuf] {
    static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOLDERS.get_or_init(|| {
        let known = [
            std::env::current_dir().ok(),
            std::env::home_dir(),
            Some(std::env::temp_dir()),
        ];
        let mut folders: Vec<PathBuf> = known
            .into_iter()
            .flatten()
            .filter(|folder| folder.parent().is_some())
            .collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.as_os_str().len()));
        folders
    })
}

/// A text in which each absolute path is reduced to its last part. Names of folders may have
/// spaces: between two signs all is one path from its first slash to its last.
fn without_paths(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for part in text.split_inclusive(is_sign) {
        match folders_in(part, shown.ends_with(':')) {
            Some(folders) => {
                shown.push_str(&part[..folders.start]);
                shown.push_str("…/");
                shown.push_str(&part[folders.end..]);
            }
            None => shown.push_str(part),
        }
    }
    shown
}

/// Characters that are rare in file names.
fn is_sign(c: char) -> bool {
    c.is_control() || "\"'`()[]{}<>,;|:".contains(c)
}

/// The range of the folders of an absolute path in a part of a text; an address may begin after a
/// colon.
fn folders_in(part: &str, behind_colon: bool) -> Option<Range<usize>> {
    let is_address = behind_colon && part.starts_with("//") && !part.starts_with("///");
    let begins = |at: usize| match part[..at].chars().last() {
        Some(before) => before.is_whitespace() || matches!(before, '=' | '…'),
        None => !is_address,
    };
    let slashes = part.match_indices('/').map(|(at, _)| at);
    let mut slashes = slashes
        .filter(|at| part[at + 1..].starts_with(|c: char| !c.is_whitespace() && !is_sign(c)));
    let first = slashes.find(|&at| begins(at))?;
    Some(first..slashes.next_back().unwrap_or(first) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_reduced_to_their_last_part() {
        for (text, expected) in [
            (
                "/srv/bots/kuma.toml: there is no key",
                "…/kuma.toml: there is no key",
            ),
            (
                "library \"/srv/lib/libmine.so\" (hash 1/2)",
                "library \"…/libmine.so\" (hash 1/2)",
            ),
            (
                "sqlite:/srv/results.db, path=/srv/a/b.",
                "sqlite:…/results.db, path=…/b.",
            ),
            ("file:///srv/secret/x", "file:…/x"),
            (
                "/srv/all bots/the kuma.toml is wrong: 1/2",
                "…/the kuma.toml is wrong: 1/2",
            ),
            (
                "/srv/some where else/lib.so is not a file",
                "…/lib.so is not a file",
            ),
            (
                "/srv/bots/ has no /srv/a b/c wss://a.b/c",
                "…/c wss://a.b/c",
            ),
            (
                "nothing in /srv/bots/: wss://a.b/c of /srv/x",
                "nothing in …/bots/: wss://a.b/c of …/x",
            ),
            (
                "ws://127.0.0.1:80/ranked and wss://a.b/c",
                "ws://127.0.0.1:80/ranked and wss://a.b/c",
            ),
            ("and/or, 3/4, a / b, /", "and/or, 3/4, a / b, /"),
        ] {
            assert_eq!(without_paths(text), expected);
        }
    }

    #[test]
    fn nothing_of_the_folder_that_the_program_was_started_in_is_left() {
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(
            shown(&format!("{}/bots/a b.toml is bad", here.display())),
            "bots/a b.toml is bad"
        );
    }

    #[test]
    fn a_very_long_text_keeps_its_end_and_shows_no_part_of_a_path() {
        let long = shown(&format!("{}; did you mean `kuma`?", "熊".repeat(1 << 20)));
        assert!(
            long.chars().count() == MAX_CHARACTERS && long.ends_with("; did you mean `kuma`?"),
            "{long}"
        );
        let paths = shown(&"no /srv/folder/kuma.toml, ".repeat(1000));
        assert!(
            !paths.contains("srv") && !paths.contains("folder"),
            "{paths}"
        );
    }
}
