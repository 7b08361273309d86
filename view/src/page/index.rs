//! An index of pages.

use super::document::{STYLE, csp_hash};
use super::text::{html, shown};

const TEMPLATE: &str = include_str!("../../assets/index.html");

#[derive(Debug, Clone, Default)]
pub struct IndexedGame {
    pub date: String,
    pub title: String,
    /// The file of its page, relative to the index.
    pub file: String,
    /// The policies that decided.
    pub policy: String,
    /// The bot's place, if it is known.
    pub place: String,
    pub result: String,
}

/// The index of games in this order: an HTML file that loads nothing else.
#[must_use]
pub fn index_html(title: &str, games: &[IndexedGame]) -> String {
    let text = |text: &str| html(&shown(text));
    let row = |game: &IndexedGame| {
        let IndexedGame { date, title, file, policy, place, result } = game;
        let link = format!("<a href=\"{}\">{}</a>", address(file), text(title));
        let cells = [("policy", policy), ("place", place), ("result", result)];
        let cells: String =
            cells.iter().map(|(what, cell)| format!("<td class=\"{what}\">{}</td>", text(cell))).collect();
        format!("      <tr><td class=\"date\">{}</td><th scope=\"row\">{link}</th>{cells}</tr>\n", text(date))
    };
    let rows: String = games.iter().map(row).collect();
    let count = match games.len() {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    };
    let policy = format!("default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'", csp_hash(STYLE));
    // The last part is untrusted and may contain the other placeholders.
    let (before, after) = TEMPLATE.split_once("{rows}").unwrap_or((TEMPLATE, ""));
    let head = before.replace("{policy}", &policy).replace("{style}", STYLE).replace("{count}", &count);
    [&head.replace("{title}", &text(title)), &rows, after].concat()
}

/// A file name as a relative address.
fn address(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let each = file.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    format!("./{}", each.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_links_to_each_page_and_shows_texts_as_texts() {
        let game = IndexedGame {
            title: "<b>{style}".to_owned(),
            file: "a b:\"?.html".to_owned(),
            result: "{rows}".to_owned(),
            ..IndexedGame::default()
        };
        let page = index_html("games {rows}", &[game]);
        assert!(page.contains("<a href=\"./a%20b%3A%22%3F.html\">&lt;b&gt;{style}</a>"), "{page}");
        assert!(page.contains("<h2 id=\"games-title\">1 game</h2>"), "{page}");
        assert_eq!(page.matches("<tr>").count(), 2, "{page}");
    }
}
