//! The words of pages in each language: a table for each, with the English words as keys.
//!
//! Scripts and positions have English words. The script of a page looks them up in the table of the
//! page's language; a key with a `{placeholder}` fits sentences, too.

use mcr::Fan;
use serde_json::Value;

use super::text::json_in_script;

const MODULE: &str = include_str!("../../assets/tables.js");
const JAPANESE: &str = include_str!("../../words/ja.txt");
const CHINESE: &str = include_str!("../../words/zh.txt");

/// The heading of words that only pages of processes have begins with this.
const SERVED: &str = "# Served: ";

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageLanguage {
    English,
    Japanese,
    Chinese,
}

impl PageLanguage {
    pub const ALL: [Self; 3] = [Self::English, Self::Japanese, Self::Chinese];

    /// Its code, as in the tags of languages.
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
            Self::Chinese => "zh",
        }
    }

    /// Its tag for fonts and screen readers, as in `languages.js`.
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::Chinese => "zh-Hans",
            language => language.code(),
        }
    }

    /// The words of the language for these English ones, on a page of a process; `None` if the
    /// table has none.
    pub(crate) fn word(self, english: &str) -> Option<&'static str> {
        let mut words = self.words(true).into_iter();
        words.find(|&(key, _)| key == english).map(|(_, word)| word)
    }

    /// The English words, each with those of the language, in the order in which patterns are
    /// tried; `served` with those of the pages of processes.
    fn words(self, served: bool) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::English => Vec::new(),
            Self::Japanese => lines(JAPANESE, served).collect(),
            Self::Chinese => {
                // Their Chinese names are those of the rules.
                let fan = Fan::ALL.map(|fan| (fan.english(), fan.chinese()));
                fan.into_iter().chain(lines(CHINESE, served)).collect()
            }
        }
    }

    /// Its table as the script has it.
    fn table(self, served: bool) -> String {
        let text = |text: &str| Value::from(text).to_string();
        let lines = self.words(served).into_iter();
        let lines: Vec<String> = lines
            .map(|(key, words)| format!("{}:{}", text(key), text(words)))
            .collect();
        format!("{}:{{{}}}", text(self.code()), lines.join(","))
    }
}

/// The lines of a table, `English = words`; empty lines and those after a `#` are for its readers.
fn lines(table: &'static str, served: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut is_left_out = false;
    let lines = table.lines().filter(move |line| {
        if line.starts_with('#') {
            is_left_out = !served && line.starts_with(SERVED);
            return false;
        }
        !is_left_out && !line.is_empty()
    });
    lines.map(|line| line.split_once(" = ").unwrap_or((line, "")))
}

/// The module with the tables of a page: that of the chosen language. Without one the browser
/// chooses at `served` pages, those of processes; a file is then English, so that it stays small.
pub(crate) fn tables_module(chosen: Option<PageLanguage>, served: bool) -> String {
    let tables = PageLanguage::ALL.into_iter().filter(|&language| {
        language != PageLanguage::English && chosen.map_or(served, |chosen| chosen == language)
    });
    let tables: Vec<String> = tables.map(|language| language.table(served)).collect();
    let tables = json_in_script(&tables.join(","));
    let code = chosen.map_or("", PageLanguage::code);
    MODULE
        .replace("TABLES = {}", &format!("TABLES = {{{tables}}}"))
        .replace("LANGUAGE = ''", &format!("LANGUAGE = '{code}'"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use riichi::yaku::Yaku;

    use super::*;

    const TRANSLATED: [PageLanguage; 2] = [PageLanguage::Japanese, PageLanguage::Chinese];

    fn placeholders(text: &str) -> BTreeSet<&str> {
        let parts = text.split('{').skip(1);
        parts
            .filter_map(|part| part.split_once('}'))
            .map(|(name, _)| name)
            .collect()
    }

    #[test]
    fn all_languages_have_the_same_keys_once_and_the_same_placeholders_and_no_word_is_missing() {
        let keys = TRANSLATED.map(|language| {
            let words = language.words(true);
            let keys: BTreeSet<&str> = words.iter().map(|&(key, _)| key).collect();
            assert_eq!(keys.len(), words.len(), "{language:?}: a key comes twice");
            for (key, words) in words {
                assert_ne!(words.trim(), "", "{language:?}: {key}");
                assert_eq!(
                    placeholders(key),
                    placeholders(words),
                    "{language:?}: {key}"
                );
            }
            keys
        });
        let [japanese, chinese] = keys;
        let lacking: Vec<_> = japanese.symmetric_difference(&chinese).collect();
        assert!(lacking.is_empty(), "only one language has {lacking:?}");
    }

    #[test]
    fn every_yaku_and_fan_has_words() {
        for language in TRANSLATED {
            let words = language.words(false);
            let yaku = Yaku::all().map(Yaku::name);
            let fan = Fan::ALL.into_iter().map(Fan::english);
            for name in yaku.chain(fan) {
                assert!(
                    words.iter().any(|&(key, _)| key == name),
                    "{language:?}: {name}"
                );
            }
        }
    }

    #[test]
    fn a_page_has_the_tables_between_which_its_browser_can_choose() {
        let served = tables_module(None, true);
        for language in TRANSLATED {
            assert!(served.contains(&language.table(true)), "{language:?}");
        }
        for (chosen, tables) in [
            (None, [false, false]),
            (Some(PageLanguage::English), [false, false]),
            (Some(PageLanguage::Japanese), [true, false]),
            (Some(PageLanguage::Chinese), [false, true]),
        ] {
            let module = tables_module(chosen, false);
            assert_eq!(
                TRANSLATED.map(|language| module.contains(&language.table(false))),
                tables,
                "{chosen:?}"
            );
            let code = chosen.map_or("", PageLanguage::code);
            assert!(module.contains(&format!("CHOSEN_LANGUAGE = '{code}';")));
        }
    }
}
