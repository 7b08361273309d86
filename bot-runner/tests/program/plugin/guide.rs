//! The guide for those who write policies leaves out nothing of the view.

use std::fs;
use std::path::Path;

const GUIDE: &str = include_str!("../../../../docs/writing-a-policy.md");

/// The functions of a type in the SDK.
fn functions(source: &str) -> Vec<&str> {
    let declared = source.lines().filter_map(|line| {
        let declaration = line.strip_prefix("    pub ")?;
        declaration
            .strip_prefix("const ")
            .unwrap_or(declaration)
            .strip_prefix("fn ")
    });
    declared
        .filter_map(|declaration| declaration.split(['(', '<']).next())
        .collect()
}

fn fields<'h>(header: &'h str, name: &str) -> Vec<&'h str> {
    let from = header
        .find(&format!("typedef struct {name} {{"))
        .expect("there is such a struct");
    let lines = header[from..]
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with('}'));
    let declared = lines.filter_map(|line| line.trim().strip_suffix(';'));
    declared
        .filter_map(|field| field.split('[').next()?.split([' ', '*']).next_back())
        .collect()
}

/// Whether a table of the guide names it.
fn is_explained(name: &str) -> bool {
    let words = [
        format!("`{name}`"),
        format!("`{name}()`"),
        format!("`Player::{name}()`"),
    ];
    GUIDE
        .lines()
        .filter(|line| line.starts_with('|'))
        .any(|line| words.iter().any(|word| line.contains(word)))
}

#[test]
fn everything_in_a_view_is_explained() {
    let policies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../policies");
    let read = |path: &str| fs::read_to_string(policies.join(path)).expect("it is there");
    let sources = ["sdk/src/view/mod.rs", "sdk/src/win.rs", "sdk/src/player.rs"].map(read);
    let functions: Vec<&str> = sources
        .iter()
        .flat_map(|source| functions(source))
        .collect();
    assert!(functions.len() > 40, "{functions:?}");
    let header = read("abi/include/bot_policy.h");
    let fields = [fields(&header, "bp_view"), fields(&header, "bp_seat_view")].concat();
    assert!(fields.len() > 40, "{fields:?}");
    // The sum of the three sets of kinds that `cannot_ron` holds.
    let missing: Vec<_> = functions
        .iter()
        .chain(&fields)
        .filter(|name| **name != "all" && !is_explained(name))
        .collect();
    assert!(missing.is_empty(), "the guide leaves out {missing:?}");
}
