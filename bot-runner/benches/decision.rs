//! The runner's part of a decision: from reading a request's frame to writing its reply, with a
//! policy that answers at once on its own thread, one bot, and a scripted server on loopback.
//!
//! `cargo bench -p bot-runner --bench decision`. The server repeats one real request of a game in
//! its middle, 20,000 times a run; the best of three runs counts. Once without a record of the
//! game, once with one.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod at_once;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use arena::{ArenaPlayer, FrameGame, GameSetup, TimeControl};
use client::Token;
use client::bot::{BotPolicy, BotReport, play_connection};
use client::latency::Latency;
use client::records::Retention;
use client::records::{GamesAbout, Keeper, KeeperOptions, RecordedResult, Recorder};
use client::session::Dialect;
use client::session::SessionStep;
use client::session::desync::DesyncKind;
use client::session::riichilab::{ConnectionGoal, RiichilabSession};
use client::shutdown::Shutdown;
use client::transport::websocket::WebSocketConnection;
use client::transport::{Connection, Limits};
use futures_util::{SinkExt, StreamExt};
use outbound::Authorities;
use policy_host::ReloadMode;
use policy_host::{ChosenPolicy, GameKind, Launch, Libraries, Pace, SeatedPolicy, StartOptions};
use riichi::rules::{Length, Preset};
use riichi::{Action, PerSeat, Rules, Seat};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message;

use at_once::AtOnce;

const REQUESTS: u64 = 20_000;
const RUNS: usize = 3;

/// The frames that lead seat 0 to its sixth own turn, and the request it gets there.
fn script() -> (Vec<String>, String) {
    let seat = Seat::FIRST;
    let mut game = FrameGame::new(GameSetup {
        seed: 1,
        number: 1,
        length: Length::Half,
        preset: Preset::Tenhou,
        time: TimeControl::default(),
        players: PerSeat::from_fn(4, |at| {
            (
                if at == seat {
                    ArenaPlayer::Client
                } else {
                    ArenaPlayer::BuiltIn
                },
                String::new(),
            )
        }),
    })
    .expect("the engine deals");
    let mut session = RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF);
    let mut frames = Vec::new();
    let mut turns = 0;
    loop {
        while let Some(frame) = game.outgoing() {
            let steps = session.hear(&frame.text);
            if steps.contains(&SessionStep::Ask) {
                let question = session.game.question().expect("it is asked");
                let own_turn = question
                    .legal
                    .iter()
                    .any(|action| matches!(action, Action::Dahai { .. }));
                turns += u32::from(own_turn);
                if own_turn && turns == 6 {
                    return (frames, frame.text);
                }
                let reply = session.answer(None).expect("there is a safe answer");
                game.receive(seat, &reply, 1);
            } else {
                frames.push(frame.text);
            }
        }
        game.step().expect("the engine goes on");
    }
}

async fn serve(listener: std::net::TcpListener, frames: Vec<String>, request: String) {
    let listener = TcpListener::from_std(listener).expect("it does not block");
    let (stream, _) = listener.accept().await.expect("the bot connects");
    stream.set_nodelay(true).expect("a socket has this option");
    let mut socket = tokio_tungstenite::accept_async(stream)
        .await
        .expect("the bot shakes hands");
    for frame in frames {
        socket
            .send(Message::Text(frame.into()))
            .await
            .expect("the bot reads");
    }
    let id = request
        .find("\"request_id\":")
        .expect("a request has an id")
        + "\"request_id\":".len();
    let (before, rest) = request.split_at(id);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    for id in 0..REQUESTS {
        let request = format!("{before}{}{after}", 1_000 + id);
        socket
            .send(Message::Text(request.into()))
            .await
            .expect("the bot reads");
        next_text(&mut socket).await;
        let ack = format!(
            r#"{{"request_id":{},"status":"accepted","type":"action_ack"}}"#,
            1_000 + id
        );
        socket
            .send(Message::Text(ack.into()))
            .await
            .expect("the bot reads");
    }
    socket
        .send(Message::Text(r#"{"type":"end_game"}"#.into()))
        .await
        .expect("the bot reads");
}

async fn next_text(socket: &mut tokio_tungstenite::WebSocketStream<TcpStream>) {
    while let Some(Ok(message)) = socket.next().await {
        if message.is_text() {
            return;
        }
    }
}

async fn run(frames: Vec<String>, request: String, keeper: Option<&Keeper>) -> Latency {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    listener
        .set_nonblocking(true)
        .expect("a socket has this option");
    let url = format!(
        "ws://{}/ws/ranked",
        listener.local_addr().expect("it is bound")
    );
    // The server has its own scheduler, so that only the runner's is measured.
    let server = std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime starts");
        runtime.block_on(serve(listener, frames, request));
    });
    let launch = Launch::own(Vec::new());
    let libraries = Arc::new(Libraries::new(launch.clone(), builtin::libraries()));
    let options = StartOptions {
        bot: "bench".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: ".".into(),
        launch,
    };
    let pace = Pace {
        think: None,
        margin: Duration::from_millis(250),
        reload: ReloadMode::Decision,
    };
    let started = SeatedPolicy::start(ChosenPolicy::of::<AtOnce>(), pace, options, libraries).await;
    let mut bot_policy = BotPolicy::new(started.expect("the policy starts").0, 1);
    let mut report = BotReport::default();
    let token = Token::new("bench").expect("it is a token");
    let connection =
        WebSocketConnection::open(&url, &token, &Authorities::default(), Limits::default())
            .await
            .expect("the server is there");
    let mut connection = Connection::WebSocket(Box::new(connection));
    let mut session = RiichilabSession::new(ConnectionGoal::Ranked, Rules::TENHOU_HALF);
    let shutdown = Shutdown::new();
    let mut recorder =
        keeper.map_or_else(Recorder::off, |keeper| keeper.recorder(SystemTime::now()));
    if recorder.is_on() {
        bot_policy.keep_notes();
    }
    play_connection(
        &mut connection,
        &mut session,
        &mut bot_policy,
        &mut report,
        &mut recorder,
        &shutdown,
    )
    .await;
    recorder.ended(|| (RecordedResult::default(), None));
    server.join().expect("the server ends well");
    assert_eq!(
        u64::from(report.decisions),
        REQUESTS,
        "every request is decided by the policy"
    );
    // The script leaves out the requests on the way, which the session notices.
    let kinds = session
        .game
        .desyncs
        .first_of_each()
        .iter()
        .map(|(kind, _)| *kind);
    assert!(
        kinds.eq([DesyncKind::NotAsked]) || session.game.desyncs.total() == 0,
        "{:?}",
        session.game.desyncs
    );
    report.latency
}

fn main() {
    let (frames, request) = script();
    println!(
        "request frame: {} bytes, {REQUESTS} requests a run",
        request.len()
    );
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime starts");
    println!("without a record");
    measure(&runtime, &frames, &request, None);
    println!("with a record");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let keeper = keeper(folder.path());
    measure(&runtime, &frames, &request, Some(&keeper));
    println!("{:?}", runtime.block_on(keeper.finish()));
}

fn keeper(folder: &Path) -> Keeper {
    let about = GamesAbout {
        runner: String::new(),
        bot: "bench".to_owned(),
        arena: String::new(),
        protocol: String::new(),
        game: "riichi".to_owned(),
        players: 4,
        config_sha256: String::new(),
    };
    let token = Token::new("bench").expect("it is a token");
    let (retention, rules) = (Retention::default(), Rules::TENHOU_HALF);
    let options = KeeperOptions {
        folder: folder.to_owned(),
        retention,
        about,
        rules,
        token: Some(token),
    };
    Keeper::start(options).expect("a thread starts")
}

fn measure(runtime: &Runtime, frames: &[String], request: &str, keeper: Option<&Keeper>) {
    let mut best: Option<(Duration, Duration)> = None;
    for number in 1..=RUNS {
        let latency = runtime.block_on(run(frames.to_vec(), request.to_owned(), keeper));
        let (p50, p99) = (latency.quantile(0.5), latency.quantile(0.99));
        println!(
            "run {number}: p50 {p50:?}, p99 {p99:?}, p99.9 {:?}, max {:?}",
            latency.quantile(0.999),
            latency.quantile(1.0)
        );
        best = Some(best.map_or((p50, p99), |(best50, best99)| {
            (best50.min(p50), best99.min(p99))
        }));
    }
    if let Some((p50, p99)) = best {
        println!("best: p50 {p50:?}, p99 {p99:?}");
    }
}
