//! The ladder of an arena, read by the reader of RiichiLab's, and its events.

mod clients;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use arena::{
    ArenaHandle, ArenaLadder, ArenaSettings, EventFormat, EventSettings, RegistrationState, Tokens,
    standings,
};
use ladder::{LadderAddress, LadderClient};
use protocol::{Parsed, parse_event};
use riichi::Event;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use self::clients::{PATIENCE, RANKED, connect, connect_with, finished, listed, open, short_games};

const MIB: u64 = 1 << 20;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// An arena of single rounds that keeps a ladder in a folder.
async fn arena_with(folder: &Path, settings: ArenaSettings) -> (ArenaHandle, Arc<ArenaLadder>) {
    let ladder = ArenaLadder::open(folder, settings.players, MIB).expect("a ladder");
    let ladder = Arc::new(ladder);
    let arena = open(ArenaSettings {
        ladder: Some(Arc::clone(&ladder)),
        http: Arc::clone(&ladder).routes(),
        ..settings
    })
    .await;
    (arena, ladder)
}

fn filled_games() -> ArenaSettings {
    ArenaSettings {
        fill_after: Some(Duration::ZERO),
        tokens: listed(&[("kuma", RegistrationState::Active)]),
        ..short_games()
    }
}

fn reader(arena: &ArenaHandle) -> LadderClient {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let address = format!("http://{}", arena.local_addr());
    let address = LadderAddress::parse(&address).expect("an address");
    LadderClient::new(address.clone(), address, "1.2.3").expect("a client")
}

#[tokio::test]
async fn the_reader_of_riichilabs_ladder_reads_this_one() {
    let folder = folder();
    let (mut arena, _) = arena_with(folder.path(), filled_games()).await;
    let mut games = Vec::new();
    for _ in 0..3 {
        connect(&arena, RANKED, "kuma").await.play().await;
        games.push(finished(&mut arena).await);
    }
    let reader = reader(&arena);
    let board = reader.leaderboard(100, 0).await.expect("a board");
    let kuma = board
        .iter()
        .find(|row| {
            row.bot_name
                .as_ref()
                .is_some_and(|name| name.as_str() == "kuma")
        })
        .expect("kuma is on the board");
    assert_eq!((board.len(), kuma.total_games), (4, Some(3)));
    let ratings: Vec<f64> = board.iter().filter_map(|row| row.rating).collect();
    assert!(ratings.len() == 4 && ratings.is_sorted_by(|one, other| one >= other));

    let bot = reader.bot(kuma.bot_id).await.expect("a bot");
    assert_eq!(
        (bot.rating, bot.current_rank),
        (kuma.rating, kuma.current_rank)
    );

    let page = reader.games(kuma.bot_id, 2, None).await.expect("a page");
    assert_eq!((page.total, page.games.len(), page.has_more), (3, 2, true));
    let rest = reader
        .games(kuma.bot_id, 2, page.next_cursor.as_deref())
        .await
        .expect("a page");
    assert_eq!((rest.games.len(), rest.has_more), (1, false));
    let mut rows = [page.games, rest.games].concat();
    rows.reverse();
    let mut rating = 1500.0;
    for (row, game) in rows.iter().zip(&games) {
        let seat = &game.seats[usize::from(row.seat)];
        assert_eq!(seat.name, "kuma");
        assert_eq!((row.rank, row.score), (Some(seat.rank), Some(seat.score)));
        assert_eq!(row.rating_before, Some(rating));
        rating = ((rating + row.rating_delta.expect("a change")) * 100.0).round() / 100.0;
    }
    assert_eq!(Some(rating), kuma.rating);

    let (row, game) = (&rows[0], &games[0]);
    let players = reader.game(&row.game_id).await.expect("a game").players;
    let named: Vec<String> = players
        .iter()
        .map(|player| player.bot_name.as_ref().expect("a name").to_string())
        .collect();
    let own = usize::from(row.seat);
    assert!(players[own].bot_id == kuma.bot_id && named[own] == "kuma");
    let date = row.played_at.expect("a time").moment().date();
    let log = reader.log(&row.game_id, date).await.expect("a log");
    let events: Vec<Event> = log
        .lines()
        .map(|line| match parse_event(line) {
            Ok(Parsed::Event(event)) => event,
            _ => panic!("{line}"),
        })
        .collect();
    // The log has all hands, and the arena's event without the names of the players.
    assert_eq!(events[1..], game.events[1..]);
    assert_eq!(events[0], Event::StartGame { seat: None });
}

#[tokio::test]
async fn a_ladder_continues_after_a_restart() {
    let folder = folder();
    let (mut arena, ladder) = arena_with(folder.path(), filled_games()).await;
    connect(&arena, RANKED, "kuma").await.play().await;
    finished(&mut arena).await;
    arena.stop().await;
    let before = (ladder.board(), ladder.newest_games(10));
    assert!(before.1.len() == 1 && before.0.len() == 4);
    drop(ladder);

    let (mut arena, ladder) = arena_with(folder.path(), filled_games()).await;
    assert_eq!((ladder.board(), ladder.newest_games(10)), before);
    connect(&arena, RANKED, "kuma").await.play().await;
    assert_eq!(finished(&mut arena).await.number, 2);
    assert_eq!(ladder.newest_games(10).len(), 2);
}

#[tokio::test]
async fn a_validation_is_no_game_of_the_ladder() {
    let folder = folder();
    let (mut arena, ladder) = arena_with(folder.path(), filled_games()).await;
    connect(&arena, clients::VALIDATE, "kuma")
        .await
        .play()
        .await;
    finished(&mut arena).await;
    assert!(ladder.newest_games(1).is_empty());
}

/// The answer of an arena to a text.
async fn ask(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.expect("it listens");
    // The arena may hang up in a long request.
    let _ = stream.write_all(request).await;
    let mut answer = Vec::new();
    let read = timeout(PATIENCE * 3, stream.read_to_end(&mut answer)).await;
    let _ = read.expect("the arena ends the connection");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_request_without_data_gets_a_reason() {
    let folder = folder();
    let (mut arena, _) = arena_with(folder.path(), filled_games()).await;
    connect(&arena, RANKED, "kuma").await.play().await;
    finished(&mut arena).await;
    for (path, status, words) in [
        ("/api/v1/bots/99", 404, "Bot not found"),
        ("/api/v1/bots/0", 404, "Bot not found"),
        (
            "/api/v1/bots/99999999999999999999/games",
            404,
            "Bot not found",
        ),
        ("/api/v1/bots/1/games?limit=0", 400, "Invalid limit"),
        ("/api/v1/bots/1/games?limit=-1", 400, "Invalid limit"),
        ("/api/v1/bots/1/games?cursor=%2e%2e", 400, "Invalid cursor"),
        (
            "/api/v1/leaderboard?offset=9999999999",
            400,
            "Invalid offset",
        ),
        ("/api/v1/leaderboard?offset=999999999", 200, "\"data\":[]"),
        ("/api/v1/games/..%2f..%2fgames.jsonl", 404, "Game not found"),
        ("/api/v1/secrets", 404, "Path not found"),
        (
            "/mjai-logs/2026/11/29/..%2f..%2f..%2f..%2fgames.jsonl",
            404,
            "Not found",
        ),
        ("/mjai-logs/2026/11/29/games.jsonl.gz", 404, "Not found"),
        ("/games.jsonl", 404, ""),
        ("/ws/ranked", 400, "a WebSocket is expected here"),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let answer = ask(arena.local_addr(), request.as_bytes()).await;
        let expected = format!("HTTP/1.1 {status} ");
        assert!(
            answer.starts_with(&expected) && answer.contains(words),
            "{path}: {answer}"
        );
    }
}

#[tokio::test]
async fn hostile_requests_are_bounded_and_bots_play_beside_them() {
    let folder = folder();
    let (mut arena, ladder) = arena_with(folder.path(), filled_games()).await;
    let address = arena.local_addr();
    let mut attacks = JoinSet::new();
    attacks.spawn(async move {
        let endless_head = [b"GET / HTTP/1.1\r\nX: ".to_vec(), vec![b'x'; 1 << 20]].concat();
        assert!(!ask(address, &endless_head).await.contains("200 OK"));
    });
    attacks.spawn(async move {
        let head =
            "POST /api/v1/leaderboard HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n";
        let endless_body = [head.as_bytes(), &vec![b'x'; 1 << 20]].concat();
        assert!(
            ask(address, &endless_body)
                .await
                .starts_with("HTTP/1.1 405 ")
        );
    });
    attacks.spawn(async move {
        assert!(!ask(address, &[0; 4096]).await.contains("200 OK"));
    });
    // More connections than the arena keeps, all silent.
    let mut silent = Vec::new();
    for _ in 0..600 {
        silent.push(TcpStream::connect(address).await.expect("it listens"));
    }
    timeout(PATIENCE, async {
        connect(&arena, RANKED, "kuma").await.play().await;
    })
    .await
    .expect("a bot plays");
    finished(&mut arena).await;
    assert_eq!(ladder.newest_games(10).len(), 1);
    let mut end = [0];
    let read = timeout(PATIENCE, silent[0].read(&mut end)).await;
    assert!(matches!(
        read.expect("the oldest connection ends"),
        Ok(0) | Err(_)
    ));
    while let Some(attack) = attacks.join_next().await {
        attack.expect("it is bounded");
    }
}

#[tokio::test]
async fn a_client_that_sends_too_much_loses_its_connection() {
    let folder = folder();
    let settings = ArenaSettings {
        tokens: listed(&[
            ("kuma", RegistrationState::Active),
            ("neko", RegistrationState::Active),
        ]),
        table_of: vec!["kuma-token".into(), "neko-token".into()],
        ..filled_games()
    };
    let (mut arena, _) = arena_with(folder.path(), settings).await;
    let mut flood = connect(&arena, RANKED, "kuma").await;
    let mut other = connect(&arena, RANKED, "neko").await;
    let plays = tokio::spawn(async move { other.play().await });
    let mut sent = 0;
    while sent < 50_000 && flood.try_say(r#"{"type":"none","request_id":0}"#).await {
        sent += 1;
    }
    while flood.next().await.is_ok() {}
    plays.await.expect("the other plays on");
    let game = finished(&mut arena).await;
    let seat = game.seats.iter().find(|seat| seat.name == "kuma");
    assert!(seat.is_some_and(|seat| seat.dropped && seat.acks.stale <= 1_001));
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|bot| format!("bot{bot:02}")).collect()
}

fn event(format: EventFormat, bots: usize, games: u32) -> EventSettings {
    EventSettings {
        name: "cup".to_owned(),
        format,
        games,
        players: 4,
        duplicate: false,
        seed: 3,
        bots: names(bots),
    }
}

fn tokens_of(event: &EventSettings) -> Tokens {
    let bots = event.bots.iter();
    let bots: Vec<(&str, RegistrationState)> = bots
        .map(|name| (name.as_str(), RegistrationState::Active))
        .collect();
    listed(&bots)
}

/// Bots that connect again after each game.
fn bots(arena: &ArenaHandle, names: &[String]) -> JoinSet<()> {
    let mut bots = JoinSet::new();
    for name in names {
        let (url, token) = (arena.url(), format!("Bearer {name}-token"));
        bots.spawn(async move {
            loop {
                match connect_with(&url, RANKED, Some(&token)).await {
                    Ok(mut client) => _ = client.play().await,
                    Err(_) => sleep(Duration::from_millis(20)).await,
                }
            }
        });
    }
    bots
}

/// Plays an event until it is over, or this many games are; returns their number.
async fn play_event(folder: &Path, event: &EventSettings, at_most: usize) -> usize {
    let settings = ArenaSettings {
        tokens: tokens_of(event),
        event: Some(event.clone()),
        // Each start has other walls.
        seed: at_most as u64,
        ..short_games()
    };
    let (mut arena, _) = arena_with(folder, settings).await;
    let _bots = bots(&arena, &event.bots);
    let mut played = 0;
    while played < at_most {
        let ended = timeout(PATIENCE * 6, arena.finished()).await;
        match ended.expect("the event goes on") {
            Some(game) => assert!(game.kept.is_ok_and(|id| id.is_some())),
            None => break,
        }
        played += 1;
    }
    arena.stop().await;
    played
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_ends_after_its_games_and_continues_where_it_was_interrupted() {
    for (format, duplicate) in [(EventFormat::RoundRobin, false), (EventFormat::Swiss, true)] {
        let folder = folder();
        let event = EventSettings {
            duplicate,
            ..event(format, 8, 16)
        };
        assert_eq!(play_event(folder.path(), &event, 5).await, 5);
        let rest = play_event(folder.path(), &event, 99).await;
        let ladder = ArenaLadder::open(folder.path(), 4, MIB).expect("a ladder");
        let games = ladder.event_games();
        let slots: BTreeSet<u32> = games
            .iter()
            .filter_map(|game| Some(game.event?.slot))
            .collect();
        assert_eq!((games.len(), slots), (16, (0..16).collect()));
        // Games that ended while the arena stopped were kept.
        assert!((1..=11).contains(&rest), "{rest}");
        let standing = standings(&event, &games);
        assert_eq!(standing.iter().map(|row| row.games).sum::<u64>(), 64);
        assert!(standing.iter().all(|row| row.games == 8));
        let means = standing
            .iter()
            .filter_map(|row| row.place)
            .map(|place| place.mean);
        assert!(means.clone().count() == 8 && means.is_sorted());
        if duplicate {
            for set in 0..4 {
                let of_set = games
                    .iter()
                    .filter(|game| game.event.is_some_and(|e| e.set == set));
                let walls: BTreeSet<u64> = of_set.map(|game| game.walls.seed).collect();
                assert_eq!(walls.len(), 1);
            }
        }
        // An event that is over ends at once.
        drop(ladder);
        assert_eq!(play_event(folder.path(), &event, 99).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_does_not_come_to_an_event_is_played_by_a_built_in_bot() {
    let folder = folder();
    let event = event(EventFormat::RoundRobin, 4, 2);
    let settings = ArenaSettings {
        tokens: tokens_of(&event),
        event: Some(event.clone()),
        fill_after: Some(Duration::from_millis(300)),
        ..short_games()
    };
    let (mut arena, ladder) = arena_with(folder.path(), settings).await;
    let _bots = bots(&arena, &event.bots[..3]);
    while timeout(PATIENCE * 3, arena.finished())
        .await
        .expect("the event goes on")
        .is_some()
    {}
    let standing = standings(&event, &ladder.event_games());
    for row in &standing {
        assert_eq!(
            (row.games, row.disconnected),
            (2, u64::from(row.bot == "bot03") * 2)
        );
    }
}
