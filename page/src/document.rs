//! The HTML document of a page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::data::GameData;
use crate::game::GamePage;
use crate::steps::StepPage;
use crate::text::{html, json_in_script, shown};

const TEMPLATE: &str = include_str!("../assets/game.html");
const STEPS_TEMPLATE: &str = include_str!("../assets/steps.html");
const STYLE: &str = include_str!("../assets/game.css");
const STEPS_STYLE: &str = include_str!("../assets/steps.css");

/// The modules of the script, each after those that it imports from.
const MODULES: [&str; 11] = [
    include_str!("../assets/words.js"),
    include_str!("../assets/position.js"),
    include_str!("../assets/dom.js"),
    include_str!("../assets/tiles.js"),
    include_str!("../assets/board.js"),
    include_str!("../assets/values.js"),
    include_str!("../assets/why.js"),
    include_str!("../assets/ticks.js"),
    include_str!("../assets/charts.js"),
    include_str!("../assets/timeline.js"),
    include_str!("../assets/game.js"),
];

/// The same of a page of steps.
const STEPS_MODULES: [&str; 6] = [
    include_str!("../assets/words.js"),
    include_str!("../assets/dom.js"),
    include_str!("../assets/tiles.js"),
    include_str!("../assets/values.js"),
    include_str!("../assets/step-table.js"),
    include_str!("../assets/steps.js"),
];

/// A page in its parts.
#[derive(Debug)]
pub struct Document {
    template: &'static str,
    title: String,
    data: String,
    script: String,
    style: String,
}

impl GamePage {
    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        self.document().html()
    }

    /// The game as the scripts read it, JSON.
    #[must_use]
    pub fn json(&self) -> String {
        GameData::of(self).json()
    }

    /// The page in its parts.
    #[must_use]
    pub fn document(&self) -> Document {
        Document {
            template: TEMPLATE,
            title: html(&shown(&self.title)),
            data: json_in_script(&GameData::of(self).json()),
            script: one_module(&MODULES),
            style: STYLE.to_owned(),
        }
    }
}

impl StepPage {
    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        self.document().html()
    }

    /// The page in its parts.
    #[must_use]
    pub fn document(&self) -> Document {
        Document {
            template: STEPS_TEMPLATE,
            title: html(&shown(&self.title)),
            data: json_in_script(&self.json()),
            script: one_module(&STEPS_MODULES),
            style: [STYLE, STEPS_STYLE].concat(),
        }
    }
}

impl Document {
    /// What the page may load and run, as a Content-Security-Policy: its own script and style, and nothing from anywhere.
    #[must_use]
    pub fn policy(&self) -> String {
        let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
        format!(
            "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
            hash(&self.script),
            hash(&self.style)
        )
    }

    /// The document.
    #[must_use]
    pub fn html(&self) -> String {
        // What is filled in last may hold the names of the others, for it comes from strangers.
        let page = self.template.replace("{policy}", &self.policy());
        let page = page.replace("{style}", &self.style).replace("{script}", &self.script);
        let (before, rest) = page.split_once("{title}").unwrap_or((&page, ""));
        let (between, after) = rest.split_once("{data}").unwrap_or((rest, ""));
        [before, &self.title, between, &self.data, after].concat()
    }
}

/// The modules as one: what they import from each other is there already.
fn one_module(modules: &[&str]) -> String {
    let lines = modules.iter().flat_map(|module| module.lines());
    let lines = lines.filter(|line| !line.starts_with("import "));
    lines.fold(String::new(), |script, line| script + line.strip_prefix("export ").unwrap_or(line) + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_modules_is_imported_or_exported_in_the_script() {
        for modules in [&MODULES[..], &STEPS_MODULES] {
            let script = one_module(modules);
            for line in script.lines().filter(|line| !line.trim_start().starts_with(['*', '/'])) {
                assert!(!line.contains("import") && !line.contains("export"), "{line}");
            }
            assert!(!script.contains("</"), "the script would end its element");
        }
    }
}
