//! The fuzzer's corpus, replayed; see `fuzz/Cargo.toml`.

use std::fs;
use std::path::Path;

use game_logs::LogForm;

#[path = "../../../fuzz/checks/botzone.rs"]
mod botzone;
#[path = "../../../fuzz/checks/child_replies.rs"]
mod child_replies;
#[path = "../../../fuzz/checks/configs.rs"]
mod configs;
#[path = "../../../games/riichi/tests/table/consistency.rs"]
#[allow(dead_code, reason = "shared with the tests of the table")]
mod consistency;
#[path = "../../../fuzz/checks/logs.rs"]
mod logs;
#[path = "../../../games/riichi/tests/table/round.rs"]
#[allow(dead_code, reason = "shared with the tests of the table")]
mod round;
#[path = "../../../fuzz/checks/sessions.rs"]
mod sessions;
#[path = "../../../fuzz/checks/table_events.rs"]
mod table_events;

/// Runs a target's check over its corpus, which must have at least this many inputs.
#[track_caller]
fn replay(target: &str, least: usize, mut check: impl FnMut(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/corpus")
        .join(target);
    let entries = fs::read_dir(corpus).expect("the corpus is there");
    let inputs: Vec<_> = entries
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    assert!(
        inputs.len() >= least,
        "{} inputs are hardly all of the corpus",
        inputs.len()
    );
    for input in inputs {
        check(&fs::read(input).expect("it can be read"));
    }
}

#[test]
fn whatever_botzone_or_its_judge_sends_is_answered_repeated_or_given_up() {
    replay("botzone", 12, botzone::botzone);
}

#[test]
fn whatever_a_file_of_logs_holds_is_read_or_refused() {
    replay("logs", 3, logs::logs);
}

#[test]
fn whatever_a_log_of_any_form_says_is_read_as_a_record_or_refused() {
    replay("log_mjai", 4, |bytes| {
        logs::log_of(&[LogForm::Lines, LogForm::MjaiLists], bytes);
    });
    for (target, form) in [
        ("log_tenhou_json", LogForm::TenhouJson),
        ("log_mjlog", LogForm::Mjlog),
        ("log_majiang", LogForm::Majiang),
        ("log_mahjong_soul", LogForm::MahjongSoul),
        ("log_chinese_standard", LogForm::ChineseStandard),
    ] {
        let mut of_form = 0;
        replay(target, 1, |bytes| {
            of_form += usize::from(logs::log_of(&[form], bytes))
        });
        assert!(of_form > 0, "{target} has no log of its form");
    }
}

#[test]
fn whatever_a_policys_process_sends_is_heard_or_refused() {
    replay("child_replies", 20, child_replies::child_replies);
}

#[test]
fn whatever_an_arena_of_riichilabs_protocol_sends_is_answered_or_ignored() {
    replay("riichilab_frames", 10, sessions::riichilab_frames);
}

#[test]
fn whatever_a_server_of_the_original_protocol_sends_is_answered() {
    replay("mjsonp_lines", 10, sessions::mjsonp_lines);
}

#[test]
fn whatever_a_host_sends_is_answered_or_ignored() {
    replay("stdio_lines", 10, sessions::stdio_lines);
}

#[test]
fn a_table_accepts_or_refuses_any_event_and_stays_consistent() {
    replay("table_events", 10, table_events::table_events);
}

#[test]
fn any_config_is_read_or_its_mistakes_are_reported() {
    replay("configs", 8, configs::configs);
}
