//! Everything in version 1.0 of the boundary has kept its place and meaning (docs/boundary.md).

use std::collections::{BTreeMap, BTreeSet};

use crate::{generate, layout};

const HEADER: &str = include_str!("../boundary-1.0/bot_policy.h");
const NUMBERS: &str = include_str!("../boundary-1.0/layout.txt");

/// Structs that may grow at their ends: those with a `struct_size`, and the elements of arrays that
/// have a stride. All others lie within other structs.
const MAY_GROW: [&str; 16] = [
    "bp_card_legal",
    "bp_card_log_event",
    "bp_card_view",
    "bp_create_args",
    "bp_decision",
    "bp_entry",
    "bp_host",
    "bp_legal_action",
    "bp_log_event",
    "bp_param_descriptor",
    "bp_param_value",
    "bp_policy_descriptor",
    "bp_standard_legal",
    "bp_standard_log_event",
    "bp_standard_view",
    "bp_view",
];

/// The minor version's own number, which changes with each addition.
const MINOR: &str = "#define BP_ABI_MINOR";

/// Later versions may give a `reserved` field a meaning.
fn is_reserved(field: &str) -> bool {
    field.contains("reserved") || field.contains("padding")
}

/// The numbers by their names.
fn by_name(numbers: &str) -> BTreeMap<&str, &str> {
    numbers
        .lines()
        .map(|line| line.split_once(' ').expect("a name and numbers"))
        .collect()
}

/// The incompatibilities of a boundary with these numbers for libraries of 1.0.
fn moved(numbers: &str) -> Vec<String> {
    let now = by_name(numbers);
    let differs = |(name, then): (&str, &str)| {
        let holds = match (now.get(name), name.contains('.')) {
            (Some(&now), true) => now == then || is_reserved(name),
            (Some(&now), false) if MAY_GROW.contains(&name) => {
                now.parse::<usize>().ok() >= then.parse().ok()
            }
            (Some(&now), false) => now == then,
            (None, _) => is_reserved(name),
        };
        (!holds).then(|| format!("{name}: {:?}, in 1.0 {then}", now.get(name)))
    };
    by_name(NUMBERS).into_iter().filter_map(differs).collect()
}

/// The declarations of a header: of a struct each field with the struct's name, of all else each
/// line.
fn declarations(header: &str) -> BTreeSet<String> {
    let mut within = "";
    let mut declared = BTreeSet::new();
    for line in header
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
    {
        if let Some(name) = line
            .strip_prefix("typedef struct ")
            .and_then(|line| line.strip_suffix(" {"))
        {
            within = name;
        }
        if !(line.starts_with(MINOR) || is_reserved(line)) {
            declared.insert(format!("{within}: {line}"));
        }
        if line.starts_with('}') {
            within = "";
        }
    }
    declared
}

/// Names, types, codes and functions of 1.0 that a header lacks.
fn missing(header: &str) -> Vec<String> {
    let now = declarations(header);
    declarations(HEADER)
        .into_iter()
        .filter(|declared| !now.contains(declared))
        .collect()
}

#[test]
fn no_field_has_moved_since_1_0() {
    assert_eq!(moved(&layout::numbers()), Vec::<String>::new());
}

#[test]
fn every_name_type_and_code_of_1_0_is_unchanged() {
    assert_eq!(missing(&generate::header()), Vec::<String>::new());
}

#[test]
fn the_numbers_of_1_0_are_those_of_its_header() {
    let fields = NUMBERS
        .lines()
        .filter_map(|line| line.split(' ').next()?.split_once('.'));
    let of_header = declarations(HEADER);
    for (within, field) in fields.filter(|(_, field)| !is_reserved(field)) {
        let declares = |line: &String| {
            let words = line
                .strip_prefix(within)
                .and_then(|rest| rest.strip_prefix(": ")?.strip_suffix(';'));
            words.is_some_and(|words| {
                words
                    .split('[')
                    .next()
                    .unwrap_or(words)
                    .rsplit([' ', '*'])
                    .next()
                    == Some(field)
            })
        };
        assert!(of_header.iter().any(declares), "{within}.{field}");
    }
}

#[test]
fn a_field_that_moves_grows_or_goes_is_found_out_and_one_that_is_added_at_the_end_is_not() {
    let changed = |from: &str, to: &str| {
        assert!(NUMBERS.contains(from), "{from}");
        moved(&NUMBERS.replacen(from, to, 1)).len()
    };
    assert_eq!(changed("bp_view.waits ", "bp_view.waits 1"), 1, "it moves");
    assert_eq!(
        changed("bp_decision.index 4 4", "bp_decision.index 4 8"),
        1,
        "it grows"
    );
    assert_eq!(changed("bp_host.log ", "bp_host.write "), 1, "it goes");
    assert_eq!(
        changed("bp_meld 12", "bp_meld 16"),
        1,
        "it lies within another struct"
    );
    assert_eq!(
        changed("bp_log_event 32", "bp_log_event 40"),
        0,
        "its arrays have a stride"
    );
    assert_eq!(
        changed("bp_log_event 32", "bp_log_event 24"),
        1,
        "it shrinks"
    );
}

#[test]
fn a_changed_code_or_type_is_detected_and_an_added_one_is_allowed() {
    let changed = |from: &str, to: &str| {
        assert!(HEADER.contains(from), "{from}");
        missing(&HEADER.replacen(from, to, 1)).len()
    };
    assert_eq!(
        changed("#define BP_ACTION_HORA 9", "#define BP_ACTION_HORA 10"),
        1
    );
    assert_eq!(
        changed("    int32_t start_points;", "    uint32_t start_points;"),
        1
    );
    assert_eq!(
        changed("#define BP_ABI_MINOR 0", "#define BP_ABI_MINOR 1"),
        0
    );
    assert_eq!(changed("} bp_host;", "    bp_log_fn more;\n} bp_host;"), 0);
}
