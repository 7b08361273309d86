//! What the fuzzer has found worth keeping, replayed; see `fuzz/Cargo.toml`.

use std::fs;
use std::path::Path;

#[path = "../../fuzz/checks/child_sayings.rs"]
mod child_sayings;

#[test]
fn whatever_a_policys_process_sends_is_heard_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/child_sayings");
    let mut replayed = 0;
    for entry in fs::read_dir(corpus).expect("the corpus is there") {
        let bytes = fs::read(entry.expect("it can be read").path()).expect("it can be read");
        child_sayings::child_sayings(&bytes);
        replayed += 1;
    }
    assert!(replayed > 20, "{replayed} inputs are hardly all of the corpus");
}
