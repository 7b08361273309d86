//! The reference pages agree with the code: docs/config.md with the reader of configs,
//! docs/policies.md with the policies.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use config::RawConfig;
use policy_host::ParamKind;

use super::root;

/// A page of docs/.
fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).expect("the page exists")
}

/// The rows of the tables between a heading and the next one, as cells without their header.
fn rows<'p>(page: &'p str, heading: &str) -> Vec<Vec<&'p str>> {
    let (_, section) = page
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no heading {heading:?}"));
    let section = section.split("\n#").next().unwrap_or(section);
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect()
}

/// The keys in the first cells.
fn keys(rows: &[Vec<&str>]) -> BTreeSet<String> {
    rows.iter()
        .map(|row| row[0].trim_matches('`').to_owned())
        .collect()
}

/// The keys that the reader names as allowed when it finds an unknown one in a section.
fn accepted(config: &str, section: &str) -> BTreeSet<String> {
    let unknown = format!("{section}no-such-key-at-all");
    let problems = RawConfig::parse(Path::new("bot.toml"), config).problems;
    let message = problems
        .iter()
        .find(|problem| problem.key == unknown)
        .expect("an unknown key is reported");
    let (_, allowed) = message
        .message
        .split_once("allowed are ")
        .expect("the message names the allowed keys");
    let allowed = allowed.split("; ").next().unwrap_or(allowed);
    allowed
        .split(", ")
        .map(|key| key.trim_matches('`').to_owned())
        .collect()
}

#[test]
fn the_config_page_has_every_key_of_the_reader_and_no_other() {
    let page = page("config.md");
    let sections = [
        ("arena.", "## `[arena]`"),
        ("policy.", "## `[policy]`"),
        ("policy.limits.", "## `[policy.limits]`"),
    ];
    let keeping = [
        ("records.", "## `[records]`"),
        ("results.", "## `[results]`"),
        ("ladder.", "## `[ladder]`"),
        ("alerts.", "## `[alerts]`"),
    ];
    let sections = sections.into_iter().chain(keeping);
    for (section, heading) in sections.chain([("", "## Top level")]) {
        let table = if section.is_empty() {
            String::new()
        } else {
            format!("[{}]\n", section.trim_end_matches('.'))
        };
        let kinds: &[&str] = if section == "arena." {
            &["riichilab", "mjsonp", "botzone"]
        } else {
            &[""]
        };
        let of_kind = |kind: &&str| {
            let kind = if kind.is_empty() {
                String::new()
            } else {
                format!("kind = \"{kind}\"\n")
            };
            accepted(&format!("{table}{kind}no-such-key-at-all = 1\n"), section)
        };
        let accepted: BTreeSet<String> = kinds.iter().flat_map(of_kind).collect();
        assert_eq!(
            keys(&rows(&page, heading)),
            accepted,
            "docs/config.md, {heading}"
        );
    }
}

/// The allowed values of a parameter as the page writes them.
fn values(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Integer(min, max) => format!("integer, {min} to {max}"),
        ParamKind::Number(min, max) => format!("number, {min} to {max}"),
        ParamKind::Boolean => "`true` or `false`".to_owned(),
        ParamKind::Text => "text".to_owned(),
        ParamKind::Choice(choices) => choices
            .iter()
            .map(|text| format!("`{text:?}`"))
            .collect::<Vec<_>>()
            .join(", "),
        ParamKind::Path => "path".to_owned(),
    }
}

#[test]
fn the_page_of_policies_has_every_parameter_with_its_values_and_default() {
    let page = page("policies.md");
    for library in builtin::libraries() {
        for policy in &library.description.policies {
            let found = rows(&page, &format!("### `{}`", policy.id));
            let of_page = found.iter().map(|row| {
                row[..3]
                    .iter()
                    .map(|cell| (*cell).to_owned())
                    .collect::<Vec<_>>()
            });
            let of_policy = policy.params.iter().map(|param| {
                let default = param
                    .default
                    .as_ref()
                    .map_or_else(|| "none".to_owned(), |text| format!("`{text}`"));
                vec![format!("`{}`", param.name), values(&param.kind), default]
            });
            assert_eq!(
                of_page.collect::<Vec<_>>(),
                of_policy.collect::<Vec<_>>(),
                "docs/policies.md, {}",
                policy.id
            );
        }
    }
}
