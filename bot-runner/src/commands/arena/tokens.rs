//! The file with the tokens of an arena.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, bail};
use arena::{RegisteredBot, RegistrationState};

/// Reads the file of `--tokens`.
///
/// # Errors
///
/// If it cannot be read, or a line is wrong.
pub(super) fn read_tokens(file: &Path) -> anyhow::Result<Vec<RegisteredBot>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("the token file {} cannot be read", file.display()))?;
    parse_tokens(file, &text)
}

/// Reads lines `TOKEN [NAME [active|pending|inactive]]`; a `#` begins a comment. Errors never show
/// a token.
fn parse_tokens(file: &Path, text: &str) -> anyhow::Result<Vec<RegisteredBot>> {
    let mut bots = Vec::new();
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line
            .split('#')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        let Some(&token) = words.first() else {
            continue;
        };
        if let Some(before) = lines.insert(token, index + 1) {
            bail!(
                "{}, line {}: this token is also in line {before}; each bot needs its own",
                file.display(),
                index + 1
            );
        }
        let state = match words.get(2) {
            None | Some(&"active") => RegistrationState::Active,
            Some(&"pending") => RegistrationState::Pending,
            Some(&"inactive") => RegistrationState::Inactive,
            Some(other) => bail!(
                "{}, line {}: found the state {other:?}, allowed are active, pending and inactive",
                file.display(),
                index + 1
            ),
        };
        let name = words
            .get(1)
            .map_or_else(|| format!("bot{}", bots.len() + 1), |&name| name.to_owned());
        bots.push(RegisteredBot {
            token: token.into(),
            name,
            state,
        });
    }
    if bots.is_empty() {
        bail!(
            "{} contains no token; write lines `TOKEN [NAME [active|pending|inactive]]`, \
             or leave --tokens out to accept every token",
            file.display()
        );
    }
    Ok(bots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<RegisteredBot>, String> {
        parse_tokens(Path::new("arena.tokens"), text).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_line_is_a_token_a_name_and_a_state() {
        let bots = parse("# ours\ncanary-1 kuma pending # new\n\ncanary-2\n").expect("two bots");
        let read: Vec<_> = bots
            .iter()
            .map(|bot| (bot.name.as_str(), bot.state))
            .collect();
        assert_eq!(
            read,
            [
                ("kuma", RegistrationState::Pending),
                ("bot2", RegistrationState::Active)
            ]
        );
    }

    #[test]
    fn a_token_that_is_listed_twice_is_reported_by_its_lines() {
        let error = parse("canary-1 kuma\ncanary-2 neko\n\ncanary-1 tora\n")
            .expect_err("one token for two");
        assert!(
            error.starts_with("arena.tokens, line 4: ") && error.contains("also in line 1"),
            "{error}"
        );
        assert!(!error.contains("canary"), "{error}");
    }

    #[test]
    fn a_file_without_a_token_is_refused() {
        for text in ["", "\n\n", "# canary-1 kuma\n"] {
            let error = parse(text).expect_err(text);
            assert!(
                error.starts_with("arena.tokens contains no token") && !error.contains("canary"),
                "{error}"
            );
        }
    }
}
