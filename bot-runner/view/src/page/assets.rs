//! The pages of running processes, whose parts are served separately.

/// A part of a page.
#[derive(Debug, Clone, Copy)]
pub struct WebAsset {
    /// Its media type.
    pub kind: &'static str,
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! assets {
    ($($name:literal $kind:ident),* $(,)?) => {
        [$(($name, WebAsset { kind: $kind, text: include_str!(concat!("../../assets/", $name)) })),*]
    };
}

/// A document with the common head of all pages of processes.
macro_rules! page {
    ($name:literal) => {
        WebAsset {
            kind: HTML,
            text: concat!(
                include_str!("../../assets/head.html"),
                include_str!(concat!("../../assets/", $name))
            ),
        }
    };
}

/// The part with this name: documents (`bots.html`, `tournament.html`, `login.html`) and their
/// scripts and styles.
pub fn web_asset(name: &str) -> Option<WebAsset> {
    let assets = assets![
        "login.html" HTML,
        "seat.css" STYLE, "seat.js" SCRIPT, "game.css" STYLE, "web.css" STYLE, "login.css" STYLE,
        "bots.js" SCRIPT, "bots-table.js" SCRIPT, "tournament.js" SCRIPT, "feed.js" SCRIPT, "ticks.js" SCRIPT,
        "languages.js" SCRIPT, "words.js" SCRIPT, "position.js" SCRIPT, "dom.js" SCRIPT, "tiles.js" SCRIPT, "cards.js" SCRIPT, "names.js" SCRIPT, "board-parts.js" SCRIPT, "board-cards.js" SCRIPT, "board-tiles.js" SCRIPT, "table.js" SCRIPT,
        "why.js" SCRIPT,
    ];
    let documents = [
        ("bots.html", page!("bots.html")),
        ("tournament.html", page!("tournament.html")),
        ("seat.html", page!("seat.html")),
    ];
    let all = documents.into_iter().chain(assets);
    all.into_iter()
        .find(|(known, _)| *known == name)
        .map(|(_, asset)| asset)
}
