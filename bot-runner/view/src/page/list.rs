//! A page of tables, with links between pages of the same server or folder. It has no script, unless
//! it is translated.

use std::fmt::Write as _;

use super::document::{LIST_MODULES, STYLE, csp_hash, filled, one_module};
use super::languages::PageLanguage;
use super::text::{html, shown};

const TEMPLATE: &str = include_str!("../../assets/list.html");

/// A cell with more characters is as wide as a sentence needs.
const LONG: usize = 60;

/// A page of tables.
#[derive(Debug, Clone)]
pub struct ListPage {
    pub title: String,
    /// Whether it links to the page at `/`.
    pub home: bool,
    pub tables: Vec<ListTable>,
}

/// A table of a page; each row has a cell for each heading.
#[derive(Debug, Clone)]
pub struct ListTable {
    pub title: String,
    pub heads: Vec<&'static str>,
    pub rows: Vec<Vec<ListCell>>,
}

/// A cell: any text, as a link if it has an address.
#[derive(Debug, Clone)]
pub struct ListCell {
    text: String,
    address: Option<String>,
}

impl ListCell {
    pub const fn text(text: String) -> Self {
        Self {
            text,
            address: None,
        }
    }

    /// A link to a path of the same server.
    pub const fn link(text: String, address: String) -> Self {
        Self {
            text,
            address: Some(address),
        }
    }

    fn html(&self) -> String {
        let text = html(&shown(&self.text));
        match &self.address {
            None => text,
            Some(address) => format!("<a href=\"{}\">{text}</a>", html(address)),
        }
    }
}

impl ListPage {
    /// The page in English.
    pub fn html(&self) -> String {
        self.html_with("")
    }

    /// The page in a language; without one it is English.
    pub fn html_in(&self, language: Option<PageLanguage>) -> String {
        self.html_with(&one_module(language, &LIST_MODULES))
    }

    fn html_with(&self, script: &str) -> String {
        let script_source = match script {
            "" => String::new(),
            script => format!("script-src {}; ", csp_hash(script)),
        };
        let policy = format!(
            "default-src 'none'; {script_source}style-src {}; base-uri 'none'; form-action 'none'",
            csp_hash(STYLE)
        );
        let tables: String = self.tables.iter().map(table).collect();
        filled(TEMPLATE, |name| match name {
            "policy" => policy.clone(),
            "style" => STYLE.to_owned(),
            "title" => html(&shown(&self.title)),
            "home" if self.home => "<p class=\"list\"><a href=\"/\">Ladder</a></p>".to_owned(),
            "tables" => tables.clone(),
            "script" if !script.is_empty() => {
                format!("<script type=\"module\">{script}</script>\n")
            }
            _ => String::new(),
        })
    }
}

fn table(table: &ListTable) -> String {
    let title = html(&shown(&table.title));
    if table.rows.is_empty() {
        return format!(
            "  <section class=\"overview\">\n    <h2>{title}</h2>\n    \
             <p class=\"facts\">none</p>\n  </section>\n"
        );
    }
    // In a narrow window it scrolls, by keys too.
    let mut text = format!(
        "  <section class=\"overview\" tabindex=\"0\" aria-label=\"{title}\">\n    \
         <h2>{title}</h2>\n"
    );
    text.push_str("    <table class=\"list\">\n      <thead><tr>");
    for head in &table.heads {
        let _ = write!(text, "<th scope=\"col\">{}</th>", html(head));
    }
    text.push_str("</tr></thead>\n      <tbody>\n");
    for row in &table.rows {
        text.push_str("      <tr>");
        for cell in row {
            // A sentence needs room, also in a narrow window.
            let class = match cell.text.chars().count() > LONG {
                true => " class=\"long\"",
                false => "",
            };
            let _ = write!(text, "<td{class}>{}</td>", cell.html());
        }
        text.push_str("</tr>\n");
    }
    text.push_str("      </tbody>\n    </table>\n  </section>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_stranger_is_shown_as_a_text() {
        let hostile = "<script>{tables}</script>\"'".to_owned();
        let page = ListPage {
            title: hostile.clone(),
            home: true,
            tables: vec![ListTable {
                title: hostile.clone(),
                heads: vec!["bot"],
                rows: vec![vec![ListCell::link(hostile, "/bots/1".to_owned())]],
            }],
        };
        let html = page.html();
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(html.matches("&lt;script&gt;{tables}").count(), 5);
        assert!(
            html.contains("<a href=\"/bots/1\">&lt;script&gt;"),
            "{html}"
        );
    }

    #[test]
    fn a_table_without_rows_says_so() {
        let page = ListPage {
            title: String::new(),
            home: false,
            tables: vec![ListTable {
                title: "Games".to_owned(),
                heads: vec!["game"],
                rows: Vec::new(),
            }],
        };
        assert!(page.html().contains("<p class=\"facts\">none</p>"));
    }
}
