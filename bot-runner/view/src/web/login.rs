//! The form that asks for the token of the page. It has no script, so that the runner writes it in
//! the language of the browser.

use axum::http::{HeaderMap, header};

use crate::page::{PageLanguage, web_asset};

/// The form for the browser of a request; `words` say what is wrong.
pub(super) fn login_form(
    chosen: Option<PageLanguage>,
    headers: &HeaderMap,
    words: &'static str,
) -> String {
    let language = chosen.unwrap_or_else(|| accepted(headers));
    let form = web_asset("login.html").map_or("", |form| form.text);
    let form = form
        .replace("{lang}", language.tag())
        .replace("{words}", &format!("{{{{{words}}}}}"));
    // The English words are between double braces.
    let mut parts = form.split("{{");
    let mut html = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (words, rest) = part.split_once("}}").unwrap_or((part, ""));
        html.push_str(language.word(words).unwrap_or(words));
        html.push_str(rest);
    }
    html
}

/// The first language that the browser accepts and the pages have, else English. Browsers list the
/// preferred one first.
fn accepted(headers: &HeaderMap) -> PageLanguage {
    let accepted = headers
        .get(header::ACCEPT_LANGUAGE)
        .and_then(|accepted| accepted.to_str().ok());
    let mut codes = accepted.unwrap_or_default().split(',').map(|tag| {
        let code = tag.trim().split(['-', ';']).next();
        code.unwrap_or_default().to_ascii_lowercase()
    });
    codes
        .find_map(|code| {
            let mut all = PageLanguage::ALL.into_iter();
            all.find(|language| language.code() == code)
        })
        .unwrap_or(PageLanguage::English)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn form(accepted: &'static str, chosen: Option<PageLanguage>) -> String {
        let mut headers = HeaderMap::new();
        let accepted = HeaderValue::from_static(accepted);
        headers.insert(header::ACCEPT_LANGUAGE, accepted);
        login_form(chosen, &headers, "This is not the token.")
    }

    #[test]
    fn the_form_is_in_the_chosen_language_else_in_the_first_of_the_browser_that_there_is() {
        for (accepted, chosen, tag) in [
            ("ja,en-US;q=0.9,en;q=0.8", None, "ja"),
            ("fr-FR, zh-TW;q=0.7", None, "zh-Hans"),
            ("EN-gb,ja", None, "en"),
            ("fr", None, "en"),
            ("", None, "en"),
            ("ja", Some(PageLanguage::English), "en"),
            ("en", Some(PageLanguage::Chinese), "zh-Hans"),
        ] {
            let form = form(accepted, chosen);
            let lang = format!("<html lang=\"{tag}\">");
            assert!(form.contains(&lang), "{accepted}: {form}");
            let is_english = form.contains("This is not the token.");
            assert_eq!(is_english, tag == "en", "{accepted}: {form}");
            assert!(!form.contains("{{") && !form.contains("}}"), "{form}");
        }
    }
}
