//! Properties of both kinds of database.

use std::fs;
use std::path::Path;
use std::thread;

use results::{
    DatabaseAddress, GameTrouble, LadderOpponent, LadderPart, LadderRow, ResultKind, ResultRow,
    ResultsError, ResultsFilter, SeatLuck, open, open_to_read,
};
use rusqlite::Connection;
use secrecy::SecretString;

use crate::common::{all, game, read};
use crate::server::{PASSWORD, Server};

fn file(folder: &Path) -> DatabaseAddress {
    DatabaseAddress::parse("sqlite:new/results.db", folder).expect("an address")
}

/// The value of a result after a round trip through any database.
fn stored_results_read_back_the_same_and_each_once(
    address: &DatabaseAddress,
    password: Option<&SecretString>,
) {
    let mut store = open(address, password).expect("it opens");
    let hostile = ResultRow {
        bot: "'; DROP TABLE games; --".to_owned(),
        version: "1\u{1F43B}".to_owned(),
        opponents: vec!["=1+1".to_owned(), "nul \0, quote \", line\n".to_owned()],
        content: None,
        mixed: true,
        trouble: Some(GameTrouble {
            faults: 3,
            safe_answers: 2,
            late_replies: 1,
        }),
        shard: Some("0/4".to_owned()),
        luck: Some(luck(-1_250, "riichi-4 2 sha256 ab")),
        ..game(3)
    };
    let written = [game(1), game(2), hostile];
    assert_eq!(store.write(&written).expect("it can be written"), 3);
    assert_eq!(store.write(&written).expect("it can be written again"), 0);
    assert_eq!(read(&mut *store, &all()), written);
}

fn luck(thousandths: i32, version: &str) -> SeatLuck {
    SeatLuck {
        thousandths,
        version: version.to_owned(),
    }
}

/// Luck that is known later takes the place of none and of another version's.
fn luck_is_added_to_results_and_replaces_only_that_of_another_version(
    address: &DatabaseAddress,
    password: Option<&SecretString>,
) {
    let mut store = open(address, password).expect("it opens");
    let (early, late) = (luck(-77, "one"), luck(1_500, "two \0"));
    let games = [41, 42, 43].map(game);
    store.write(&games).expect("it can be written");
    let mut write = |of: &[(&ResultRow, &SeatLuck)]| {
        let of = of
            .iter()
            .map(|(row, luck)| (row.key.clone(), (*luck).clone()));
        let changed = store.write_luck(&of.collect::<Vec<_>>());
        let since = ResultsFilter {
            since_ms: games[0].ended_ms,
            ..all()
        };
        let found = read(&mut *store, &since).into_iter();
        let found: Vec<_> = found.map(|row| row.luck).collect();
        (changed.expect("it can be written"), found)
    };
    let [one, other, none] = &games;
    let both = [(one, &early), (other, &early)];
    assert_eq!(
        write(&both),
        (2, vec![Some(early.clone()), Some(early.clone()), None])
    );
    assert_eq!(write(&both).0, 0, "it is there already");
    let unknown = game(99);
    let stored = luck(1_500, "two \u{fffd}");
    assert_eq!(
        write(&[(other, &late), (&unknown, &late)]),
        (1, vec![Some(early.clone()), Some(stored.clone()), None])
    );
    // A result that is written again takes nothing away.
    store
        .write(&[none.clone(), other.clone()])
        .expect("it can be written");
    let found = read(&mut *store, &all());
    let of = |wanted: &ResultRow| found.iter().find(|row| row.key == wanted.key);
    assert_eq!(of(other).and_then(|row| row.luck.clone()), Some(stored));
    assert_eq!(of(none), Some(none));
}

/// Only the requested results are read.
fn a_filter_lets_through_what_it_names(address: &DatabaseAddress, password: Option<&SecretString>) {
    let mut store = open(address, password).expect("it opens");
    let other = ResultRow {
        bot: "tora".to_owned(),
        policy: "other".to_owned(),
        arena: "ws://here".to_owned(),
        ..game(12)
    };
    let other_game = ResultRow {
        game: "doudizhu".to_owned(),
        ..game(14)
    };
    let tournament = ResultRow {
        kind: ResultKind::Tournament,
        ..game(13)
    };
    store
        .write(&[game(11), other, tournament, other_game])
        .expect("it can be written");
    let found = |filter: ResultsFilter, store: &mut dyn results::Store| {
        let mut ended: Vec<i64> = read(store, &filter)
            .iter()
            .map(|result| result.ended_ms - game(0).ended_ms)
            .collect();
        ended.retain(|number| *number > 10);
        ended
    };
    let store = &mut *store;
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(found(all(), store), [11, 12, 14]);
    assert_eq!(
        found(
            ResultsFilter {
                bot: name("tora"),
                ..all()
            },
            store
        ),
        [12]
    );
    assert_eq!(
        found(
            ResultsFilter {
                policy: name("mine"),
                ..all()
            },
            store
        ),
        [11, 14]
    );
    assert_eq!(
        found(
            ResultsFilter {
                arena: name("ws://here"),
                ..all()
            },
            store
        ),
        [12]
    );
    assert_eq!(
        found(
            ResultsFilter {
                since_ms: game(12).ended_ms,
                ..all()
            },
            store
        ),
        [12, 14]
    );
    assert_eq!(
        found(
            ResultsFilter {
                game: name("riichi"),
                ..all()
            },
            store
        ),
        [11, 12]
    );
    assert_eq!(
        found(
            ResultsFilter {
                game: name("doudizhu"),
                ..all()
            },
            store
        ),
        [14]
    );
    assert_eq!(
        found(
            ResultsFilter {
                kind: ResultKind::Tournament,
                ..all()
            },
            store
        ),
        [13]
    );
}

/// What a ladder publishes about a game is replaced by what is known later, and read by the filter
/// of the game.
fn the_newest_row_about_a_game_on_the_ladder_is_read_back(
    address: &DatabaseAddress,
    password: Option<&SecretString>,
) {
    let mut store = open(address, password).expect("it opens");
    let (one, other) = (game(31), game(32));
    let elsewhere = ResultRow {
        bot: "tora".to_owned(),
        ..game(33)
    };
    store
        .write(&[one.clone(), other.clone(), elsewhere.clone()])
        .expect("it can be written");
    let found = LadderRow {
        game_id: Some("0b6c8ad1-22a1-4b54-9f40-6f6a2f8f7b11".to_owned()),
        played_ms: Some(1_700_000_000_123),
        rating_before: Some(1512.25),
        rating_change: Some(-3.5),
        disconnected: Some(false),
        penalized: None,
        ..LadderRow::wanted(one.key.clone(), 317)
    };
    let whole = LadderRow {
        opponents: vec![LadderOpponent {
            seat: 2,
            id: 12,
            name: Some("nul \0, quote \", くま".to_owned()),
            rating: Some(1487.5),
            disconnected: Some(true),
            penalized: Some(false),
        }],
        players: LadderPart::Known,
        log: LadderPart::Refused,
        contradiction: Some("line 3: it cannot be".to_owned()),
        ..found.clone()
    };
    let given_up = LadderRow::wanted(other.key, 317);
    store
        .write_ladder(&[found.clone(), LadderRow::wanted(elsewhere.key, 5)])
        .expect("it can be written");
    let read = |store: &mut dyn results::Store| {
        let filter = ResultsFilter {
            bot: Some("kuma".to_owned()),
            ..all()
        };
        let mut rows = Vec::new();
        store
            .read_ladder(&filter, &mut |row| {
                rows.push(row.expect("a runner wrote it"))
            })
            .expect("it can be read");
        rows
    };
    assert_eq!(read(&mut *store), [found]);
    store
        .write_ladder(&[given_up.clone(), whole.clone()])
        .expect("it can be written");
    assert_eq!(read(&mut *store), [whole.clone(), given_up]);
    assert_eq!(whole.rating_after(), Some(1508.75));
}

/// Several that begin at the same time with an empty database do not get in each other's way.
fn several_writers_lose_nothing(address: &DatabaseAddress, password: Option<&SecretString>) {
    const WRITERS: u32 = 4;
    const GAMES: u32 = 30;
    let new: u64 = thread::scope(|scope| {
        let write = |writer: u32| {
            let mut store = open(address, password).expect("it opens");
            // Each game is written by two of them.
            let games = (0..GAMES).map(|number| 100 + number + GAMES * (writer / 2));
            games
                .map(|number| store.write(&[game(number)]).expect("it can be written"))
                .sum::<u64>()
        };
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| scope.spawn(move || write(writer)))
            .collect();
        writers
            .into_iter()
            .map(|writer| writer.join().expect("no panic"))
            .sum()
    });
    assert_eq!(new, u64::from(2 * GAMES));
    let mut store = open_to_read(address, password).expect("it is there");
    assert_eq!(
        read(
            &mut *store,
            &ResultsFilter {
                since_ms: game(100).ended_ms,
                ..all()
            }
        )
        .len() as u32,
        2 * GAMES
    );
}

#[test]
fn sqlite_returns_each_result_once() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    stored_results_read_back_the_same_and_each_once(&file(folder.path()), None);
    a_filter_lets_through_what_it_names(&file(folder.path()), None);
    the_newest_row_about_a_game_on_the_ladder_is_read_back(&file(folder.path()), None);
    luck_is_added_to_results_and_replaces_only_that_of_another_version(&file(folder.path()), None);
}

#[test]
fn sqlite_takes_results_from_several_writers() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    several_writers_lose_nothing(&file(folder.path()), None);
}

#[test]
#[ignore = "it needs a PostgreSQL server; .ci/run installs one and runs it"]
fn postgres_returns_each_result_once_and_accepts_several_writers() {
    let server = Server::start();
    let password = SecretString::from(PASSWORD);
    stored_results_read_back_the_same_and_each_once(&server.address(), Some(&password));
    a_filter_lets_through_what_it_names(&server.address(), Some(&password));
    the_newest_row_about_a_game_on_the_ladder_is_read_back(&server.address(), Some(&password));
    luck_is_added_to_results_and_replaces_only_that_of_another_version(
        &server.address(),
        Some(&password),
    );
    several_writers_lose_nothing(&server.address(), Some(&password));
    let Err(error) = open(&server.address(), None) else {
        panic!("it has a password")
    };
    assert!(
        error.to_string().contains("asks for a password")
            && error.to_string().contains("password_env"),
        "{error}"
    );
    let Err(error) = open(&server.address(), Some(&SecretString::from("wrong"))) else {
        panic!("it is not the password")
    };
    assert!(
        error.to_string().contains("password authentication failed")
            && !error.to_string().contains("wrong"),
        "{error}"
    );
}

#[test]
#[ignore = "it needs a PostgreSQL server; .ci/run installs one and runs it"]
fn a_connection_is_encrypted_and_the_certificate_has_to_be_signed_by_one_that_is_trusted() {
    let server = Server::start();
    let (port, password) = (server.encrypt(), SecretString::from(PASSWORD));
    let address = |query: &str| {
        let url = format!("postgres://bots@localhost:{port}/postgres?sslmode=require{query}");
        DatabaseAddress::parse(&url, Path::new("")).expect("an address")
    };
    let Err(error) = open(&address(""), Some(&password)) else {
        panic!("nobody has signed it")
    };
    assert!(
        error.to_string().contains("invalid peer certificate"),
        "{error}"
    );
    let trusted = format!("&sslrootcert={}", server.certificate());
    let mut store = open(&address(&trusted), Some(&password)).expect("it is trusted");
    assert_eq!(store.write(&[game(1)]).expect("it can be written"), 1);
    let Err(error) = open(&address("&sslrootcert=/nowhere.pem"), Some(&password)) else {
        panic!("there is none")
    };
    assert!(
        error.to_string().contains("sslrootcert: /nowhere.pem"),
        "{error}"
    );
}

#[test]
#[ignore = "it needs a PostgreSQL server; .ci/run installs one and runs it"]
fn reading_a_postgres_without_results_is_an_error_and_does_not_change_it() {
    let server = Server::start();
    let password = SecretString::from(PASSWORD);
    for _ in 0..2 {
        let Err(error) = open_to_read(&server.address(), Some(&password)) else {
            panic!("there is nothing")
        };
        assert!(matches!(error, ResultsError::Nothing(_)), "{error}");
    }
}

#[test]
fn reading_a_missing_file_is_an_error_and_does_not_create_it() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let Err(error) = open_to_read(&file(folder.path()), None) else {
        panic!("there is nothing")
    };
    assert!(
        error.to_string().contains("there are no results in")
            && error.to_string().contains("results import")
    );
    assert!(!folder.path().join("new").exists());
}

#[test]
fn a_newer_schema_is_an_error_that_names_the_database_and_leaves_it_unchanged() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let address = file(folder.path());
    open(&address, None)
        .expect("it opens")
        .write(&[game(1)])
        .expect("it can be written");
    let connection = Connection::open(folder.path().join("new/results.db")).expect("it is there");
    connection
        .execute_batch("UPDATE bot_runner_schema SET version = 7")
        .expect("it can be changed");
    for opened in [open(&address, None), open_to_read(&address, None)] {
        let Err(error) = opened else {
            panic!("it is of another runner")
        };
        let words = error.to_string();
        assert!(
            words.contains("new/results.db: the database has schema 7")
                && words.contains("up to 4;"),
            "{words}"
        );
    }
    let version: i64 = connection
        .query_row("SELECT version FROM bot_runner_schema", [], |row| {
            row.get(0)
        })
        .expect("a row");
    assert_eq!(version, 7);
}

#[test]
fn an_impossible_schema_version_is_an_error_and_leaves_the_database_unchanged() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let address = file(folder.path());
    open(&address, None)
        .expect("it opens")
        .write(&[game(1)])
        .expect("it can be written");
    let connection = Connection::open(folder.path().join("new/results.db")).expect("it is there");
    for (version, words) in [
        ("-1", "the version -1 of the schema"),
        ("'old'", "Invalid column type"),
    ] {
        connection
            .execute_batch(&format!("UPDATE bot_runner_schema SET version = {version}"))
            .expect("it is changed");
        for opened in [open(&address, None), open_to_read(&address, None)] {
            let Err(error) = opened else {
                panic!("it is of another program")
            };
            assert!(
                error.to_string().contains(words) && error.to_string().contains("results.db"),
                "{error}"
            );
        }
    }
    let games: i64 = connection
        .query_row("SELECT COUNT(*) FROM games", [], |row| row.get(0))
        .expect("a row");
    assert_eq!(games, 1);
}

#[test]
fn results_of_a_runner_that_knew_no_game_are_of_riichi_and_stay_so_when_the_schema_comes_up() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let address = file(folder.path());
    open(&address, None)
        .expect("it opens")
        .write(&[game(1)])
        .expect("it can be written");
    let connection = Connection::open(folder.path().join("new/results.db")).expect("it is there");
    let before = "DROP TABLE ladder_games; ALTER TABLE games DROP COLUMN faults; ALTER TABLE games DROP COLUMN safe_answers;
         ALTER TABLE games DROP COLUMN late_replies; ALTER TABLE games DROP COLUMN game; ALTER TABLE games DROP COLUMN luck;
         ALTER TABLE games DROP COLUMN luck_version; UPDATE bot_runner_schema SET version = 1";
    connection.execute_batch(before).expect("it can be changed");
    drop(connection);
    let mut store = open_to_read(&address, None).expect("it comes up");
    assert_eq!(read(&mut *store, &all()), [game(1)]);
    store
        .read_ladder(&all(), &mut |row| panic!("{row:?}"))
        .expect("it knows ladders now");
}

#[test]
fn results_of_a_runner_that_knew_no_luck_stay_without_and_can_take_it_when_the_schema_comes_up() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let address = file(folder.path());
    open(&address, None)
        .expect("it opens")
        .write(&[game(1), game(2)])
        .expect("it can be written");
    let connection = Connection::open(folder.path().join("new/results.db")).expect("it is there");
    let before = "ALTER TABLE games DROP COLUMN luck; ALTER TABLE games DROP COLUMN luck_version;
         UPDATE bot_runner_schema SET version = 3";
    connection.execute_batch(before).expect("it can be changed");
    drop(connection);
    let mut store = open_to_read(&address, None).expect("it comes up");
    assert_eq!(read(&mut *store, &all()), [game(1), game(2)]);
    let mut store = open(&address, None).expect("it opens");
    let known = luck(300, "riichi-4 2 sha256 ab");
    let changed = store.write_luck(&[(game(1).key, known.clone())]);
    assert_eq!(changed.expect("it can be written"), 1);
    let lucky = ResultRow {
        luck: Some(known),
        ..game(1)
    };
    assert_eq!(read(&mut *store, &all()), [lucky, game(2)]);
}

#[test]
fn a_row_about_a_ladder_that_no_runner_can_have_written_is_described() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let address = file(folder.path());
    let mut store = open(&address, None).expect("it opens");
    let changes = [
        ("rating_before = 1e300", "rating_before is beyond"),
        ("rating_change = '9e999'", "rating_change is beyond"),
        ("bot_id = -1", "`bot_id` is -1, and cannot be"),
        ("players = 'soon'", "`players` is \"soon\""),
        ("opponents = 'three'", "`opponents` is not a list in JSON"),
        (
            "game_id = printf('%.*c', 100000, 'x')",
            "game_id has 100000 bytes; at most 65536 are read",
        ),
    ];
    for number in 0..=changes.len() as u32 {
        store.write(&[game(number)]).expect("it can be written");
        store
            .write_ladder(&[LadderRow::wanted(game(number).key, 317)])
            .expect("it can be written");
    }
    let connection = Connection::open(folder.path().join("new/results.db")).expect("it is there");
    for (number, (change, _)) in (0..).zip(&changes) {
        connection
            .execute(
                &format!("UPDATE ladder_games SET {change} WHERE key = ?1"),
                [game(number).key],
            )
            .expect("it can be changed");
    }
    let (mut good, mut bad) = (0, Vec::new());
    store
        .read_ladder(&all(), &mut |row| match row {
            Ok(_) => good += 1,
            Err(why) => bad.push(why.to_string()),
        })
        .expect("it can be read");
    assert_eq!((good, bad.len()), (1, changes.len()), "{bad:?}");
    for (why, (_, words)) in bad.iter().zip(changes) {
        assert!(why.contains(words), "{words}: {why}");
    }
}

#[test]
fn a_file_that_is_not_a_database_is_reported_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(
        folder.path().join("notes.txt"),
        "these are notes and not a database",
    )
    .expect("written");
    let address = DatabaseAddress::parse("sqlite:notes.txt", folder.path()).expect("an address");
    for opened in [open(&address, None), open_to_read(&address, None)] {
        let Err(error) = opened else {
            panic!("it is no database")
        };
        assert!(
            error.to_string().contains("notes.txt") && error.to_string().contains("not a database"),
            "{error}"
        );
    }
}

#[test]
fn a_file_whose_writer_was_killed_within_a_transaction_is_read_without_the_incomplete_part() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = |name: &str| folder.path().join(name);
    let address = |name: &str| DatabaseAddress::Sqlite(path(name));
    open(&address("results.db"), None)
        .expect("it can be made")
        .write(&[game(0)])
        .expect("it can be written");
    let writer = Connection::open(path("results.db")).expect("it is there");
    // With so small a cache the data goes to the disk within the transaction.
    let half = "PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE half (text TEXT);
                INSERT INTO half WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 500)
                SELECT hex(zeroblob(500)) FROM n; DELETE FROM games;";
    writer.execute_batch(half).expect("it is written");
    for ending in ["", "-journal"] {
        fs::copy(
            path(&format!("results.db{ending}")),
            path(&format!("killed.db{ending}")),
        )
        .expect("it is there");
    }
    assert_eq!(
        read(
            &mut *open_to_read(&address("killed.db"), None).expect("it can be read"),
            &all()
        ),
        [game(0)]
    );
}

#[test]
fn a_row_that_no_runner_can_have_written_is_described_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let address = file(folder.path());
    let mut store = open(&address, None).expect("it opens");
    store
        .write(&(1..=12).map(game).collect::<Vec<_>>())
        .expect("it can be written");
    let DatabaseAddress::Sqlite(path) = &address else {
        panic!("{address}")
    };
    let connection = Connection::open(path).expect("it opens");
    let changes = [
        (
            "version = printf('%.*c', 100000, 'x')",
            "version has 100000 bytes; at most 65536 are read",
        ),
        ("place = 77", "place is 77; allowed are 1 to 4"),
        ("players = 200", "players is 200; allowed are 2 to 4"),
        ("seat = -1", "`seat` is -1, and cannot be"),
        (
            "won = 9223372036854775807",
            "won is 9223372036854775807; allowed are",
        ),
        (
            "ended_ms = 9223372036854775807",
            "ended_ms is 9223372036854775807; allowed are",
        ),
        ("bot = x'00ff'", "`bot` is not a text"),
        ("scores = 'many'", "`scores` is not a list in JSON"),
        (
            "luck = 2000000000, luck_version = 'one'",
            "luck is 2000000000; allowed are",
        ),
        (
            "luck = 9000000000, luck_version = 'one'",
            "`luck` is 9000000000, and cannot be",
        ),
        ("luck_version = 'one'", "`luck` is not a whole number"),
    ];
    for (number, (change, _)) in changes.iter().enumerate() {
        let key = game(number as u32 + 1).key;
        connection
            .execute(&format!("UPDATE games SET {change} WHERE key = ?1"), [key])
            .expect("it can be changed");
    }
    let (mut found, mut bad) = (Vec::new(), Vec::new());
    let mut read = |row: results::ReadRow| match row {
        Ok(result) => found.push(result),
        Err(why) => bad.push(why.to_string()),
    };
    store.read(&all(), &mut read).expect("it can be read");
    assert_eq!(found, [game(12)]);
    for (number, (change, words)) in changes.iter().enumerate() {
        let start = format!("the row {:?}: ", game(number as u32 + 1).key);
        assert!(
            bad.iter()
                .any(|why| why.starts_with(&start) && why.contains(words)),
            "{change}: {bad:?}"
        );
    }
}
