//! Events for a table: any.
#![no_main]

#[path = "../checks/table_events.rs"]
mod checks;
#[path = "../../games/riichi/tests/table/consistency.rs"]
#[allow(dead_code, reason = "shared with the tests of the table")]
mod consistency;
#[path = "../../games/riichi/tests/table/round.rs"]
#[allow(dead_code, reason = "shared with the tests of the table")]
mod round;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| checks::table_events(bytes));
