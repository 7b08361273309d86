//! The long poll.

use protocol::botzone::{MatchId, PollBody, parse_created_match, parse_poll};

const ONE: &str = "594553a2630d4c0758e2b2b1";
const TWO: &str = "0123456789abcdef01234567";

fn error(body: &str) -> String {
    parse_poll(body).fault.expect("a fault").to_string()
}

#[test]
fn a_body_has_requests_then_results_whatever_its_line_breaks() {
    for end in ["\n", "\r\n"] {
        for last in ["", end] {
            let lines = [
                "2 2",
                ONE,
                "3 1 DRAW",
                TWO,
                r#"{"history":[[],[]]}"#,
                &format!("{ONE} 2 3 -8 2.36 0.5"),
                &format!("{TWO} 0 0"),
            ];
            let text = lines.join(end) + last;
            let body = parse_poll(&text);
            assert_eq!(body.fault, None);
            let requests: Vec<_> = body
                .requests
                .iter()
                .map(|request| (request.id.as_str(), request.text))
                .collect();
            assert_eq!(
                requests,
                [(ONE, "3 1 DRAW"), (TWO, r#"{"history":[[],[]]}"#)]
            );
            let results: Vec<_> = body
                .results
                .iter()
                .map(|result| (result.id.as_str(), result.slot, &result.scores[..]))
                .collect();
            assert_eq!(results, [(ONE, 2, &[-8.0, 2.36, 0.5][..]), (TWO, 0, &[])]);
        }
    }
}

#[test]
fn a_body_without_news_is_empty_or_has_two_zeros() {
    for body in ["", "\n", "0 0", "0 0\n"] {
        assert_eq!(parse_poll(body), PollBody::default());
    }
}

#[test]
fn the_counts_say_how_many_lines_are_read_and_a_line_that_is_not_what_it_must_be_is_named() {
    assert_eq!(
        error("<html>"),
        "line 1 is \"<html>\"; allowed is two numbers, of requests and of results"
    );
    assert_eq!(
        error(&format!("1 0\n{ONE}")),
        "line 3 is missing; allowed is a request"
    );
    assert_eq!(
        error("1 0\nabc\nx"),
        "line 2 is \"abc\"; allowed is the id of a match, 24 hexadecimal digits"
    );
    for wrong in ["0 2 1.0", "0 1 x", "0 1 NaN", "0", "x 0"] {
        assert!(
            error(&format!("0 1\n{ONE} {wrong}")).starts_with("line 2 is"),
            "{wrong}"
        );
    }
    assert!(error("18446744073709551615 9\n").starts_with("line 2 is missing"));
    assert_eq!(
        parse_poll(&format!("1 0\n{ONE}\n2 W1\n{TWO}\n2 W2"))
            .requests
            .len(),
        1
    );
}

#[test]
fn a_line_that_cannot_be_read_takes_no_other_line_with_it() {
    let body = format!("1 3\n{ONE}\n2 W1\n{ONE} 0 4 - - - -\n{TWO} 0 0");
    let read = parse_poll(&body);
    assert_eq!((read.requests.len(), read.results.len()), (1, 1));
    assert!(
        error(&body).starts_with("line 4 is"),
        "the first fault is named"
    );
    assert_eq!(
        parse_poll(&format!("2 1\n{ONE}\n2 W1\nabc\n2 W2\n{TWO} 0 0"))
            .requests
            .len(),
        1
    );
}

#[test]
fn an_id_is_24_hexadecimal_digits_and_nothing_that_would_disturb_a_header() {
    assert_eq!(
        MatchId::new(&ONE.to_uppercase()).expect("an id").as_str(),
        ONE
    );
    for wrong in [
        "",
        "594553a2630d4c0758e2b2b",
        "594553a2630d4c0758e2b2b1a",
        "594553a2630d4c0758e2b2\r\n",
        "594553a2630d4c0758e2b2g1",
    ] {
        assert_eq!(MatchId::new(wrong), None, "{wrong:?}");
    }
}

#[test]
fn a_created_match_is_reported_as_text_or_json() {
    let id = MatchId::new(ONE);
    assert_eq!(parse_created_match(&format!(" {ONE}\n")), id);
    assert_eq!(
        parse_created_match(&format!(r#"{{"matchid": "{ONE}"}}"#)),
        id
    );
    assert_eq!(parse_created_match("no more games"), None);
}
