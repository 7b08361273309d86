//! The HTML document of a page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::languages::{PageLanguage, tables_module};
use super::model::Page;
use super::text::{html, json_in_script, shown};

const TEMPLATE: &str = include_str!("../../assets/game.html");
pub(super) const STYLE: &str = include_str!("../../assets/game.css");
const WORDS: &str = include_str!("../../assets/words.js");
const LANGUAGES: &str = include_str!("../../assets/languages.js");
/// The modules of the script; each follows those that it imports.
const MODULES: [&str; 16] = [
    WORDS,
    LANGUAGES,
    include_str!("../../assets/dom.js"),
    include_str!("../../assets/names.js"),
    include_str!("../../assets/tiles.js"),
    include_str!("../../assets/position.js"),
    include_str!("../../assets/cards.js"),
    include_str!("../../assets/board-parts.js"),
    include_str!("../../assets/board-cards.js"),
    include_str!("../../assets/board-tiles.js"),
    include_str!("../../assets/table.js"),
    include_str!("../../assets/why.js"),
    include_str!("../../assets/ticks.js"),
    include_str!("../../assets/charts.js"),
    include_str!("../../assets/timeline.js"),
    include_str!("../../assets/game.js"),
];

/// The modules of the script of an index.
pub(super) const INDEX_MODULES: [&str; 4] = [
    WORDS,
    LANGUAGES,
    include_str!("../../assets/dom.js"),
    include_str!("../../assets/index.js"),
];

/// The modules of the script of a page of tables.
pub(super) const LIST_MODULES: [&str; 3] = [WORDS, LANGUAGES, "translateDocument();"];

/// The parts of a page.
#[derive(Debug)]
pub struct Document {
    title: String,
    data: String,
    script: String,
}

impl Page {
    pub fn html(&self) -> String {
        self.document().html()
    }

    pub fn document(&self) -> Document {
        Document {
            title: html(&shown(&self.title)),
            data: json_in_script(&self.json()),
            script: one_module(self.language, &MODULES),
        }
    }
}

impl Document {
    /// The Content-Security-Policy of the page: only its own script and style.
    pub fn policy(&self) -> String {
        format!(
            "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
            csp_hash(&self.script),
            csp_hash(STYLE)
        )
    }

    pub fn html(&self) -> String {
        filled(TEMPLATE, |name| match name {
            "policy" => self.policy(),
            "style" => STYLE.to_owned(),
            "script" => self.script.clone(),
            "title" => self.title.clone(),
            "data" => self.data.clone(),
            _ => String::new(),
        })
    }
}

/// A template with a text for each `{name}` in it. The texts may contain placeholders, which stay.
pub(super) fn filled(template: &str, text: impl Fn(&str) -> String) -> String {
    let mut page = String::new();
    let mut rest = template;
    while let Some((before, (name, after))) = rest
        .split_once('{')
        .and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        page.push_str(before);
        page.push_str(&text(name));
        rest = after;
    }
    page + rest
}

/// A script or style in the form of a Content-Security-Policy.
pub(super) fn csp_hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// Joins modules into one, after the tables of words: their imports from each other are then in
/// scope.
pub(super) fn one_module(language: Option<PageLanguage>, modules: &[&str]) -> String {
    let tables = tables_module(language, false);
    let modules = [&*tables].into_iter().chain(modules.iter().copied());
    let lines = modules.flat_map(str::lines);
    let lines = lines.filter(|line| !line.starts_with("import "));
    lines.fold(String::new(), |script, line| {
        script + line.strip_prefix("export ").unwrap_or(line) + "\n"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_modules_is_imported_or_exported_in_the_script() {
        for script in [one_module(None, &MODULES), one_module(None, &INDEX_MODULES)] {
            for line in script
                .lines()
                .filter(|line| !line.trim_start().starts_with(['*', '/']))
            {
                assert!(
                    !line.contains("import") && !line.contains("export"),
                    "{line}"
                );
            }
            assert!(!script.contains("</"), "the script would end its element");
        }
    }
}
