//! An index of pages.

use std::collections::BTreeSet;

use super::document::{INDEX_MODULES, STYLE, csp_hash, filled, one_module};
use super::languages::PageLanguage;
use super::text::{html, shown};

const TEMPLATE: &str = include_str!("../../assets/index.html");

/// A game with all its records: one for each bot of the table that has one.
#[derive(Debug, Clone, Default)]
pub struct IndexedGame {
    pub date: String,
    /// The address of its arena; empty if it is unknown.
    pub arena: String,
    pub records: Vec<IndexedRecord>,
    pub result: String,
}

/// A record of a game, which has a page.
#[derive(Debug, Clone, Default)]
pub struct IndexedRecord {
    /// The bot, or the players.
    pub title: String,
    /// The file of its page, relative to the index.
    pub file: String,
    /// The policies that decided.
    pub policy: String,
    /// The bot's place, if it is known.
    pub place: Option<u8>,
    /// Number of players.
    pub players: usize,
}

impl IndexedRecord {
    /// `2nd of 4`; empty if the place is unknown.
    fn place_words(&self) -> String {
        let end = |place| match place {
            1 => "st",
            2 => "nd",
            3 => "rd",
            _ => "th",
        };
        self.place.map_or_else(String::new, |place| {
            format!("{place}{} of {}", end(place), self.players)
        })
    }
}

/// The index of games in this order: an HTML file that loads nothing else. Its script searches and
/// sorts. Without a language it is English.
pub fn index_html(title: &str, games: &[IndexedGame], language: Option<PageLanguage>) -> String {
    let arenas: BTreeSet<&str> = games
        .iter()
        .map(|game| &*game.arena)
        .filter(|arena| !arena.is_empty())
        .collect();
    let rows: String = games.iter().map(|game| row(game, &arenas)).collect();
    let count = match games.len() {
        1 => "1 game".to_owned(),
        count => format!("{count} games"),
    };
    let script = one_module(language, &INDEX_MODULES);
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
        csp_hash(&script),
        csp_hash(STYLE)
    );
    filled(TEMPLATE, |name| match name {
        "policy" => policy.clone(),
        "style" => STYLE.to_owned(),
        "script" => script.clone(),
        "count" => count.clone(),
        "arenas" => arena_list(&arenas),
        "arena-head" => arena_head(&arenas).to_owned(),
        "title" => text(title),
        "rows" => rows.clone(),
        _ => String::new(),
    })
}

fn text(text: &str) -> String {
    html(&shown(text))
}

fn row(game: &IndexedGame, arenas: &BTreeSet<&str>) -> String {
    let records: String = game.records.iter().map(record).collect();
    let arena = match arenas.len() {
        0 | 1 => String::new(),
        _ => format!(
            "<td class=\"arena\">{}</td>",
            text(short_arena(&game.arena, arenas))
        ),
    };
    let (date, result) = (text(&game.date), text(&game.result));
    format!(
        "      <tr><td class=\"date\">{date}</td><th scope=\"row\"><ul class=\"records\">{records}</ul></th>{arena}\
         <td class=\"result\">{result}</td></tr>\n"
    )
}

fn record(record: &IndexedRecord) -> String {
    let (file, title) = (address(&record.file), text(&record.title));
    let mut item = format!("<li class=\"record\"><a href=\"{file}\">{title}</a>");
    for (what, cell) in [("place", &record.place_words()), ("policy", &record.policy)] {
        item.push_str(&format!("<span class=\"{what}\">{}</span>", text(cell)));
    }
    item + "</li>"
}

/// The heading of the column of arenas, which an index of one arena does not have.
fn arena_head(arenas: &BTreeSet<&str>) -> &'static str {
    if arenas.len() > 1 {
        "<th scope=\"col\"><span data-sort=\"arena\">arena</span></th>"
    } else {
        ""
    }
}

/// The addresses of the arenas, which the rows do not repeat.
fn arena_list(arenas: &BTreeSet<&str>) -> String {
    if arenas.is_empty() {
        return String::new();
    }
    let what = if arenas.len() == 1 { "arena" } else { "arenas" };
    let addresses = arenas
        .iter()
        .map(|arena| text(arena))
        .collect::<Vec<_>>()
        .join(", ");
    format!("<p class=\"facts\">{what}: {addresses}</p>")
}

/// The host of an arena's address, if no other arena has the same.
fn short_arena<'a>(arena: &'a str, arenas: &BTreeSet<&str>) -> &'a str {
    fn host(arena: &str) -> &str {
        let address = arena
            .split_once("://")
            .map_or(arena, |(_, address)| address);
        address.split('/').next().unwrap_or(address)
    }
    let is_shared = arenas
        .iter()
        .filter(|other| host(other) == host(arena))
        .count()
        > 1;
    if is_shared { arena } else { host(arena) }
}

/// A file name as a relative address.
fn address(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let each = file.bytes().map(|byte| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    format!("./{}", each.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(arena: &str, records: Vec<IndexedRecord>) -> IndexedGame {
        IndexedGame {
            arena: arena.to_owned(),
            records,
            ..IndexedGame::default()
        }
    }

    #[test]
    fn an_index_links_to_each_page_and_shows_texts_as_texts() {
        let record = IndexedRecord {
            title: "<b>{style}".to_owned(),
            file: "a b:\"?.html".to_owned(),
            policy: "{rows}".to_owned(),
            ..IndexedRecord::default()
        };
        let games = [IndexedGame {
            result: "{script}".to_owned(),
            ..game("{title}{rows}", vec![record])
        }];
        let page = index_html("games {rows}", &games, None);
        assert!(
            page.contains("<a href=\"./a%20b%3A%22%3F.html\">&lt;b&gt;{style}</a>"),
            "{page}"
        );
        assert!(
            page.contains("<h2 id=\"games-title\">1 game</h2>"),
            "{page}"
        );
        assert_eq!(
            (
                page.matches("<tr>").count(),
                page.matches("<script").count()
            ),
            (2, 1),
            "{page}"
        );
    }

    #[test]
    fn a_place_is_told_with_the_number_of_players() {
        let words = |place, players| {
            IndexedRecord {
                place,
                players,
                ..IndexedRecord::default()
            }
            .place_words()
        };
        assert_eq!(
            [1, 2, 3, 4].map(|place| words(Some(place), 4)),
            ["1st of 4", "2nd of 4", "3rd of 4", "4th of 4"]
        );
        assert_eq!(
            (words(Some(2), 3).as_str(), words(None, 4).as_str()),
            ("2nd of 3", "")
        );
    }

    #[test]
    fn the_address_of_an_arena_is_told_once() {
        let games = |arenas: &[&str]| {
            arenas
                .iter()
                .map(|arena| game(arena, Vec::new()))
                .collect::<Vec<_>>()
        };
        let page = index_html(
            "",
            &games(&["wss://a.example/ranked", "wss://a.example/ranked", ""]),
            None,
        );
        assert_eq!(page.matches("a.example").count(), 1, "{page}");
        assert!(
            page.contains("<p class=\"facts\">arena: wss://a.example/ranked</p>"),
            "{page}"
        );
        // Of several arenas, each row names its host.
        let page = index_html(
            "",
            &games(&[
                "wss://a.example/ranked",
                "ws://b.example/",
                "wss://a.example/ranked",
            ]),
            None,
        );
        assert_eq!(page.matches("wss://a.example/ranked").count(), 1, "{page}");
        assert_eq!(
            page.matches("<td class=\"arena\">a.example</td>").count(),
            2,
            "{page}"
        );
        let page = index_html(
            "",
            &games(&["wss://a.example/1", "wss://a.example/2"]),
            None,
        );
        assert!(
            page.contains("<td class=\"arena\">wss://a.example/2</td>"),
            "{page}"
        );
        let english = Some(PageLanguage::English);
        assert!(!index_html("", &games(&[""]), english).contains("arena:"));
    }
}
