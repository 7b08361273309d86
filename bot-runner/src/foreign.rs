//! Words of others on one line of ours: escaped by [`policy_host::escaped`], and not longer than anybody would read.

use policy_host::escaped;

/// Most characters of an arena's words on one line. Those that are known are far shorter.
const MOST: usize = 200;

/// Words of others, escaped and cut. A token has to be out of them before, for a part of one is not found in all places.
pub(crate) fn cut(words: &str) -> String {
    match words.char_indices().nth(MOST) {
        Some((end, _)) => escaped(&words.as_bytes()[..end]) + "…",
        None => escaped(words.as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_escaped_and_cut_after_two_hundred_characters() {
        assert_eq!(cut("no\r\n\u{1b}[31mkuma: passed"), "no\\r\\n\\u{1b}[31mkuma: passed");
        assert_eq!(cut(&"熊".repeat(MOST)), "熊".repeat(MOST));
        assert_eq!(cut(&"熊".repeat(3 << 20)), "熊".repeat(MOST) + "…");
    }
}
