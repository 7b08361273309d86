//! Properties that hold for any data from Botzone or its judge.

use std::time::Instant;

use client::session::botzone::{DouDizhuDialect, Match, MatchDialect, McrDialect, RequestOutcome};
use policy_host::{Asked, ViewBuffer};
use protocol::botzone::turn::TurnInput;
use protocol::botzone::{TurnReader, parse_poll};

/// A poll's body or a program's turns; the first byte chooses the game and the answers. Nothing
/// panics, and each request is answered once, repeated or given up.
pub(crate) fn botzone(bytes: &[u8]) {
    let Some((first, text)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    match first {
        _ if first & 1 == 0 => hear_all::<McrDialect>(text, *first),
        _ if first & 4 == 0 => hear_all::<DouDizhuDialect<false>>(text, *first),
        _ => hear_all::<DouDizhuDialect<true>>(text, *first),
    }
}

fn hear_all<D: MatchDialect>(text: &str, choice: u8) {
    let mut polled = Match::<D>::default();
    for request in &parse_poll(text).requests {
        answer(&mut polled, request.text, choice);
    }
    let (mut reader, mut program) = (TurnReader::default(), Match::<D>::default());
    for line in text.lines() {
        match reader.take(line) {
            Ok(Some(TurnInput::First(history))) => {
                for (request, response) in history.requests.iter().zip(&history.responses) {
                    let _ = program.recall(request, response);
                }
                if let Some(last) = history.requests.last() {
                    answer(&mut program, last, choice);
                }
            }
            Ok(Some(TurnInput::Next(request))) => answer(&mut program, &request, choice),
            Ok(None) | Err(_) => {}
        }
    }
    let mut heard = Match::<D>::default();
    for line in text.lines() {
        answer(&mut heard, line, choice);
    }
}

fn answer<D: MatchDialect>(heard: &mut Match<D>, request: &str, choice: u8) {
    let Ok(RequestOutcome::Open { .. }) = heard.hear(request, Instant::now()) else {
        return;
    };
    heard.fill(&mut ViewBuffer::default(), &Asked::default());
    assert_eq!(
        heard.hear(request, Instant::now()),
        Ok(RequestOutcome::Repeated),
        "an open request is not opened twice"
    );
    let answer = heard
        .answer(Some(usize::from(choice >> 2)))
        .expect("an open request has an answer");
    assert!(
        !answer.is_empty() && answer.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
        "{answer:?}"
    );
    assert_eq!(heard.answer(None), None, "it was answered");
    heard.sent(1);
    if choice & 2 == 0 {
        heard.taken(1);
    }
}
