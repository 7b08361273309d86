//! The C header says the same as the Rust definitions, and a C or C++ compiler takes it without a
//! word.

mod compile;
mod frozen;
mod generate;
mod layout;

use std::path::Path;

/// The command that writes the header anew.
const REWRITE: &str = "UPDATE_HEADER=1 cargo test -p policy-abi --test header committed";

#[test]
fn the_committed_header_is_the_one_that_the_definitions_make() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/bot_policy.h");
    let made = generate::header();
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&file, &made).expect("the header can be written");
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = committed
        .lines()
        .zip(made.lines())
        .position(|(committed, made)| committed != made);
    assert!(
        committed == made,
        "include/bot_policy.h is not what the definitions make (first difference: line {}); write it anew with\n\n    \
         {REWRITE}\n",
        differs.unwrap_or(committed.lines().count().min(made.lines().count())) + 1
    );
}
