//! Texts as a page may show them: without the paths of this machine.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Most characters of a text.
const MAX_CHARACTERS: usize = 400;

/// A text without the paths of this machine: of a path its last part is left. What is very long is cut.
pub(super) fn shown(text: &str) -> String {
    let text = match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    };
    if !text.contains('/') {
        return text.into_owned();
    }
    let mut text = text.into_owned();
    for folder in folders() {
        // A folder may have spaces in its name, behind which nobody sees the rest of a path.
        text = text.replace(&format!("{}/", folder.display()), "");
    }
    without_paths(&text)
}

/// The folders that texts most often name.
fn folders() -> &'static [PathBuf] {
    static FOLDERS: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOLDERS.get_or_init(|| {
        let known = [std::env::current_dir().ok(), std::env::home_dir(), Some(std::env::temp_dir())];
        let mut folders: Vec<PathBuf> =
            known.into_iter().flatten().filter(|folder| folder.parent().is_some()).collect();
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.as_os_str().len()));
        folders
    })
}

/// A text in which each absolute path is its last part.
fn without_paths(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        let (before, path) = rest.split_at(at);
        shown.push_str(before);
        let ends = |c: char| c.is_whitespace() || c.is_control() || "\"'`()[]{}<>,;|".contains(c);
        let mut end = path.find(ends).unwrap_or(path.len());
        // A name may have spaces: what goes on with a slash before the next sign belongs to the path.
        let sign = |c: char| c.is_control() || "\"'`()[]{}<>,;|:".contains(c);
        let further = &path[end..path[end..].find(sign).map_or(path.len(), |at| end + at)];
        if let Some(slash) = further.rfind('/').filter(|_| !path[end + further.len()..].starts_with("://")) {
            let rest = &further[slash..];
            end += slash + rest.find(char::is_whitespace).unwrap_or(rest.len());
        }
        let (path, after) = path.split_at(end);
        let last = shown.chars().last();
        let begins = last.is_none_or(|c| ends(c) || "=:…".contains(c));
        let is_address = last == Some(':') && path.starts_with("//") && !path.starts_with("///");
        let bare = path.trim_end_matches(['.', ':', '!', '?', '/']);
        if begins && !is_address && bare.len() > 1 {
            let name = Path::new(bare).file_name().unwrap_or_default();
            shown.push_str("…/");
            shown.push_str(&name.to_string_lossy());
            shown.push_str(&path[bare.len()..]);
        } else {
            shown.push_str(path);
        }
        rest = after;
    }
    shown.push_str(rest);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_path_the_last_part_is_left_wherever_it_stands() {
        for (text, expected) in [
            ("/srv/bots/kuma.toml: there is no key", "…/kuma.toml: there is no key"),
            ("library \"/srv/lib/libmine.so\" (hash 1/2)", "library \"…/libmine.so\" (hash 1/2)"),
            ("sqlite:/srv/results.db, path=/srv/a/b.", "sqlite:…/results.db, path=…/b."),
            ("file:///srv/secret/x", "file:…/x"),
            ("/srv/all bots/the kuma.toml is wrong: 1/2", "…/the kuma.toml is wrong: 1/2"),
            ("/srv/some where else/lib.so is not a file", "…/lib.so is not a file"),
            ("ws://127.0.0.1:80/ranked and wss://a.b/c", "ws://127.0.0.1:80/ranked and wss://a.b/c"),
            ("and/or, 3/4, a / b, /", "and/or, 3/4, a / b, /"),
        ] {
            assert_eq!(without_paths(text), expected);
        }
    }

    #[test]
    fn nothing_of_the_folder_that_the_program_was_started_in_is_left() {
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(shown(&format!("{}/bots/a b.toml is bad", here.display())), "bots/a b.toml is bad");
    }

    #[test]
    fn what_is_very_long_is_cut() {
        assert_eq!(shown(&"熊".repeat(1 << 20)), format!("{}…", "熊".repeat(MAX_CHARACTERS)));
    }
}
