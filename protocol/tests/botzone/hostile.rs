//! Any text from a site or a judge is read or refused.

use proptest::prelude::*;
use protocol::MAX_FRAME;
use protocol::botzone::mcr::text_of_json;
use protocol::botzone::{
    TurnReader, parse_created_match, parse_doudizhu_request, parse_doudizhu_response,
    parse_mcr_request, parse_mcr_response, parse_poll,
};

/// Texts of every sort, to be damaged.
const TEXTS: [&str; 8] = [
    "1 1\n594553a2630d4c0758e2b2b1\n3 1 CHI W2 B3\n594553a2630d4c0758e2b2b1 2 3 -8 2.36 0.5",
    "1 0 2 0 1 W1 W1 W2 B9 T5 F1 F4 J1 J2 J3 W1 T5 T5 H1 H5 H8",
    "CHI W2 B3",
    r#"{"own":[0,1,2],"history":[[],[52,53]],"publiccard":[0,1,2]}"#,
    "[0,1,2,3]",
    r#"{"requests":["0 1 2","1 0"],"responses":["PASS"],"data":{"a":[1]},"globaldata":null,"time_limit":1}"#,
    "2\n0 1 2\nPASS\n2 W1\n\n",
    r#"{"matchid":"594553a2630d4c0758e2b2b1"}"#,
];

/// Every parser; error messages are short.
fn read_all(text: &str) {
    let shown = |error: String| assert!(error.len() < 400, "{error}");
    let _ = parse_poll(text).fault.map(|fault| shown(fault.to_string()));
    let _ = parse_mcr_request(text).map_err(|error| shown(error.to_string()));
    let _ = parse_mcr_response(text).map_err(|error| shown(error.to_string()));
    let _ = parse_doudizhu_request(text).map_err(|error| shown(error.to_string()));
    let _ = parse_doudizhu_response(text).map_err(|error| shown(error.to_string()));
    let _ = text_of_json(text).map_err(|error| shown(error.to_string()));
    let _ = parse_created_match(text);
    let mut reader = TurnReader::default();
    for line in text.lines() {
        let _ = reader.take(line).map_err(|error| shown(error.to_string()));
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        read_all(&text);
    }

    #[test]
    fn a_damaged_text_is_read_or_refused(which in 0..TEXTS.len(), at in 0..80_usize, with in "[\\PC\n]{0,3}", cut in 0..4_usize) {
        let letters: Vec<char> = TEXTS[which].chars().collect();
        let at = at.min(letters.len());
        let rest = &letters[(at + cut).min(letters.len())..];
        let damaged: String = letters[..at].iter().copied().chain(with.chars()).chain(rest.iter().copied()).collect();
        read_all(&damaged);
    }
}

#[test]
fn input_that_is_too_long_or_too_deep_is_refused() {
    let deep = "[".repeat(100_000);
    read_all(&deep);
    read_all(&format!("{{\"history\":{deep}"));
    read_all(&format!("{{\"requests\":[{deep}"));
    let long = "1".repeat(MAX_FRAME + 1);
    assert!(
        parse_poll(&long).fault.is_some()
            && parse_doudizhu_request(&long).is_err()
            && parse_doudizhu_response(&long).is_err()
    );
    assert!(TurnReader::default().take(&long).is_err());
}
