//! Results to be kept, and databases to keep them in.

use results::{ResultKind, ResultRow, ResultsFilter, Store, key_of};

/// A game that a bot has played.
pub(crate) fn game(number: u32) -> ResultRow {
    ResultRow {
        key: key_of(&["game", &number.to_string()]),
        kind: ResultKind::Ladder,
        arena: "wss://game.example.org".to_owned(),
        shared: number.to_string(),
        shard: None,
        game: "riichi".to_owned(),
        ended_ms: 1_700_000_000_000 + i64::from(number),
        bot: "kuma".to_owned(),
        policy: "mine".to_owned(),
        version: "1.0.0".to_owned(),
        content: Some("ab".repeat(32)),
        mixed: false,
        players: 4,
        seat: 1,
        place: (number % 4 + 1) as u8,
        scores: vec![25_000, -1_200, 36_200, 40_000],
        rounds: 9,
        wins: 2,
        deal_ins: 1,
        riichi: 3,
        called: 2,
        won: 7_700,
        lost: 3_900,
        opponents: vec!["a".to_owned(), "くま".to_owned()],
        trouble: None,
        luck: None,
    }
}

/// Everything of the ladder.
pub(crate) fn all() -> ResultsFilter {
    ResultsFilter {
        kind: ResultKind::Ladder,
        bot: None,
        policy: None,
        arena: None,
        game: None,
        since_ms: i64::MIN,
    }
}

pub(crate) fn read(store: &mut dyn Store, filter: &ResultsFilter) -> Vec<ResultRow> {
    let mut found = Vec::new();
    store
        .read(filter, &mut |result| {
            found.push(result.expect("a runner has written it"))
        })
        .expect("they can be read");
    found
}
