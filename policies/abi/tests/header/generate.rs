//! The header, made from the sources of the crate.

use std::collections::HashMap;
use std::path::Path;

use cbindgen::{Builder, Config, DocumentationStyle, Language, Style};

/// The modules with definitions for C, each after those that it needs.
const MODULES: [&str; 16] = [
    "codes",
    "status",
    "text",
    "params",
    "action",
    "log",
    "head",
    "seat",
    "view",
    "standard",
    "card",
    "decision",
    "host",
    "create",
    "descriptor",
    "entry",
];

/// Defined in the opening, since C cannot express the Rust definition.
const OPAQUE: &str = "Instance";

/// The whole header.
pub(crate) fn header() -> String {
    let sources = MODULES.map(|module| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("src")
            .join(module)
            .with_extension("rs");
        let text = std::fs::read_to_string(&path).expect("the source is there");
        (path, text)
    });
    let names: HashMap<String, String> =
        sources.iter().flat_map(|(_, text)| c_names(text)).collect();
    let sections = sources
        .iter()
        .map(|(path, text)| section(path, text, &names));
    format!(
        "{}{}{}",
        include_str!("opening.h"),
        sections.collect::<String>(),
        include_str!("closing.h")
    )
}

/// The public definitions of a source, in order.
fn defined<'s>(source: &'s str, keywords: &[&str]) -> impl Iterator<Item = &'s str> {
    source.lines().filter_map(move |line| {
        let (keyword, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
        let name = rest
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .next()?;
        keywords.contains(&keyword).then_some(name)
    })
}

fn types(source: &str) -> impl Iterator<Item = &str> {
    defined(source, &["struct", "type"])
}

/// The C name of a definition: `bp_policy_descriptor` for `PolicyDescriptor`, `BP_NONE` for `NONE`.
fn c_names(source: &str) -> impl Iterator<Item = (String, String)> {
    let types = types(source).map(|name| {
        let mut snake = String::from("bp");
        for letter in name.chars() {
            if letter.is_uppercase() {
                snake.push('_');
            }
            snake.extend(letter.to_lowercase());
        }
        (name.to_owned(), snake)
    });
    types.chain(defined(source, &["const"]).map(|name| (name.to_owned(), format!("BP_{name}"))))
}

/// The definitions of one module, under its own first comment.
fn section(path: &Path, source: &str, names: &HashMap<String, String>) -> String {
    let mut config = Config {
        language: Language::C,
        style: Style::Both,
        no_includes: true,
        documentation_style: DocumentationStyle::C99,
        line_length: 120,
        tab_width: 4,
        ..Config::default()
    };
    config.export.include = types(source).map(str::to_owned).collect();
    config.export.exclude = vec![OPAQUE.to_owned()];
    config.export.rename.clone_from(names);
    let bindings = Builder::new()
        .with_config(config)
        .with_src(path)
        .generate()
        .expect("cbindgen reads the source");
    let mut code = Vec::new();
    bindings.write(&mut code);
    let code = String::from_utf8(code).expect("cbindgen writes UTF-8");

    let rule = "-".repeat(117);
    let mut section = format!("\n// {rule}\n");
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        section.push_str(&comment(&format!("//{line}"), names));
    }
    section.push_str(&format!("// {rule}\n\n"));
    // A function that may be null is a plain pointer in C, but an unknown type to cbindgen, which
    // declares it.
    let mut lines = code
        .lines()
        .filter(|line| !line.starts_with("typedef struct Option_"))
        .peekable();
    while let Some(line) = lines.next() {
        let opens_struct = line.starts_with("typedef struct ") && line.ends_with('{');
        if line.trim_start().starts_with("//") {
            section.push_str(&comment(line, names));
        } else if opens_struct {
            section.push_str(&format!("{line}\n"));
        } else if !line.is_empty() || lines.peek().is_some_and(|next| !next.is_empty()) {
            let line = line.replace("struct Option_", "").replace("struct ", "");
            section.push_str(&format!("{}\n", renamed(&line, names)));
        }
    }
    section
}

/// A line of a comment: without rustdoc's links, and with C's names in quotations.
fn comment(line: &str, names: &HashMap<String, String>) -> String {
    assert!(
        line.matches('`').count().is_multiple_of(2),
        "a quotation goes beyond the end of its line: {line}"
    );
    let mut parts = line.split('`');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let (Some(quoted), Some(after)) = (parts.next(), parts.next()) {
        let linked = text
            .ends_with('[')
            .then(|| after.strip_prefix(']'))
            .flatten();
        let after = match linked {
            Some(after) => {
                text.pop();
                match after.strip_prefix('(') {
                    Some(target) => target.split_once(')').map_or(after, |(_, after)| after),
                    None => after,
                }
            }
            None => after,
        };
        text.push_str(&format!(
            "`{}`{after}",
            renamed(&quoted.replace("::", "."), names)
        ));
    }
    text.push('\n');
    text
}

/// Code with each name that has another one in C replaced by that.
fn renamed(code: &str, names: &HashMap<String, String>) -> String {
    let mut rest = code;
    let mut text = String::new();
    while let Some(start) = rest.find(|letter: char| letter.is_alphabetic()) {
        let (before, word) = rest.split_at(start);
        let end = word
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        // `MELD_*` stands for all constants that begin so.
        let family = word.ends_with('_')
            && after.starts_with('*')
            && names.keys().any(|name| name.starts_with(word));
        text.push_str(before);
        match names.get(word) {
            Some(name) => text.push_str(name),
            None if family => text.push_str(&format!("BP_{word}")),
            None => text.push_str(word),
        }
        rest = after;
    }
    text + rest
}
