//! Names, libraries and reasons in words.

use std::collections::HashSet;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::Path;

use client::place::short;
use foreign_text::{escaped, shown_path, without_middle};
use policy_host::Origin;

/// The first of `stem`, `stem-2`, `stem-3` and so on, each with the ending, that is not taken; then
/// it is.
pub(super) fn free_name(stem: &str, ending: &str, taken: &mut HashSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{stem}-{number}{ending}"));
    let mut names = std::iter::once(format!("{stem}{ending}")).chain(numbered);
    names
        .find(|name| taken.insert(name.clone()))
        .unwrap_or_default()
}

/// Which library it is, by its name alone: `mine` of `target/release/libmine.so`.
pub(super) fn library_words(origin: &Origin) -> String {
    match origin {
        Origin::Builtin => "built in".to_owned(),
        Origin::File(path) => {
            let file = path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy();
            let name = file.strip_suffix(DLL_SUFFIX).unwrap_or(&file);
            escaped(name.strip_prefix(DLL_PREFIX).unwrap_or(name).as_bytes())
        }
    }
}

/// The same in a table of libraries: with its folder's name, or with its path, if another library
/// of the table has its name.
pub(super) fn library_cell(origin: &Origin, all: &[Origin]) -> String {
    let Origin::File(path) = origin else {
        return library_words(origin);
    };
    let in_folder = |origin: &Origin| match origin {
        Origin::File(path) => {
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
            format!(
                "{}/{}",
                escaped(folder.as_encoded_bytes()),
                library_words(origin)
            )
        }
        Origin::Builtin => library_words(origin),
    };
    let is_alone = |words: &dyn Fn(&Origin) -> String| {
        all.iter()
            .all(|other| other == origin || words(other) != words(origin))
    };
    if is_alone(&library_words) {
        library_words(origin)
    } else if is_alone(&in_folder) {
        in_folder(origin)
    } else {
        shown_path(short(path))
    }
}

/// A text from outside on one line of at most so many characters.
pub(super) fn shortened(text: &str, most: usize) -> String {
    without_middle(&escaped(text.replace('\n', "; ").as_bytes()), most).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_lines_of_others_become_one() {
        assert_eq!(shortened("one\ntwo", 8), "one; two");
        assert_eq!(shortened("one\ntwo", 7), "one…two");
    }

    #[test]
    fn a_library_is_named_by_the_shortest_unique_part_of_its_path() {
        let library = |folder: &str, name: &str| {
            Origin::File(Path::new(folder).join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}")))
        };
        let all = [
            Origin::Builtin,
            library("/old/release", "mine"),
            library("/new/release", "mine"),
            library("/new/debug", "mine"),
            library("/old/release", "other"),
        ];
        let cells = all.each_ref().map(|origin| library_cell(origin, &all));
        let old = all[1].to_string();
        assert_eq!(cells[0], "built in");
        assert!(
            old.contains(&cells[1]) && cells[1].ends_with(DLL_SUFFIX),
            "{}",
            cells[1]
        );
        assert_eq!(cells[3..], ["debug/mine", "other"]);
        assert_eq!(
            library_cell(&all[2], &[all[2].clone(), all[2].clone()]),
            "mine",
            "one library of two bots"
        );
        assert_eq!(
            library_words(&Origin::File("/a/policy.dll".into())),
            "policy.dll"
        );
    }
}
