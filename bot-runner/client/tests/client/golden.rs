//! Records of format 1, byte for byte: of each game, arena and number of players; joined in the
//! middle, cut, and with desyncs. `tests/data/golden-records.txt` has a line for each file of them.
//!
//! The values of times and durations are left out. What differs is written to the folder that the
//! failing test names, for comparison with the files that an earlier version writes there.

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::{ArenaPlayer, FrameGame, GameSetup, TimeControl};
use client::bot::{Arena, BotPolicy, LifeEnd};
use client::records::{
    DECISIONS, FRAMES, GAME, GamesAbout, Keeper, KeeperOptions, MANIFEST, OTHER_GAME, Retention,
    list,
};
use client::session::botzone::{BiddingMatch, RequestOutcome};
use client::{BotzoneGame, BotzoneSeat, RoomUrl, SiteUrl, Token};
use policy_host::{
    ChosenPolicy, GameKind, Launch, Libraries, Pace, ReloadMode, SeatedPolicy, Sha256, StartOptions,
};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, DouDizhuView, Env, Games, Mcr, McrView,
    Params, Policy, RiichiMahjong, View,
};
use riichi::rules::{Length, Preset};
use riichi::{PerSeat, Rules, Seat};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;

use super::websocket::bot::{Seated, TOKEN};
use crate::common::bidding_judge::BiddingJudge;
use crate::common::botzone_site::FakeSite;
use crate::common::frames::*;
use crate::common::games::one_client;
use crate::common::server::Server;

/// Chooses among all legal actions in turn, gives each a value but the first, and says why.
struct Varied;

/// An index that differs from decision to decision.
fn varied(decision: u32, legal: usize, answer: &mut Answer) -> usize {
    let chosen = decision as usize * 7 % legal;
    (1..legal).for_each(|index| answer.value(index, index as f32 / 8.0));
    answer.reason(format_args!("\"{chosen}\" of {legal}"));
    chosen
}

const DESCRIPTOR: Descriptor = Descriptor {
    id: "varied",
    name: "varied",
    version: "1",
    summary: "For tests.",
    games: Games::Both,
    params: &[],
};

/// A policy of another game that chooses likewise.
macro_rules! varied {
    ($policy:ident, $game:ty, $view:ident) => {
        impl Policy for $policy {
            type Game = $game;

            const DESCRIPTOR: Descriptor = DESCRIPTOR;

            fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
                Ok(Self)
            }

            fn decide(
                &mut self,
                view: &$view<'_>,
                _: &Env,
                answer: &mut Answer,
            ) -> Result<usize, DecideError> {
                Ok(varied(view.decision(), view.legal().len(), answer))
            }
        }
    };
}

struct VariedMcr;
struct VariedDouDizhu;
varied!(Varied, RiichiMahjong, View);
varied!(VariedMcr, Mcr, McrView);
varied!(VariedDouDizhu, DouDizhu, DouDizhuView);

async fn policy<P: Policy>(game: GameKind, players: u8) -> BotPolicy {
    let launch = Launch::own(Vec::new());
    let libraries = Arc::new(Libraries::new(launch.clone(), builtin::libraries()));
    let options = StartOptions {
        bot: "kuma".to_owned(),
        game,
        players,
        config_folder: PathBuf::new(),
        launch,
    };
    let pace = Pace {
        think: Some(Duration::from_secs(15)),
        margin: Duration::from_millis(100),
        reload: ReloadMode::Decision,
    };
    let started = SeatedPolicy::start(ChosenPolicy::of::<P>(), pace, options, libraries).await;
    let mut policy = BotPolicy::new(started.expect("it starts").0, 1);
    policy.keep_notes();
    policy
}

fn keeper(folder: &Path, game: GameKind, protocol: &str, rules: Rules) -> Keeper {
    let players = if game == GameKind::DouDizhu {
        3
    } else {
        rules.players
    };
    Keeper::start(KeeperOptions {
        folder: folder.to_owned(),
        retention: Retention::default(),
        about: GamesAbout {
            runner: "0".to_owned(),
            bot: "kuma".to_owned(),
            arena: "ws://127.0.0.1:1".to_owned(),
            protocol: protocol.to_owned(),
            game: game.name().to_owned(),
            players,
            config_sha256: String::new(),
        },
        rules,
        token: Some(Token::new(TOKEN).expect("a token")),
    })
    .expect("there is a thread for it")
}

/// A bot whose games are recorded, and the folder of its records.
struct Recorded {
    folder: TempDir,
    keeper: Keeper,
    seated: Seated,
    policy: BotPolicy,
}

impl Recorded {
    async fn at<P: Policy>(arena: Arena, game: GameKind, rules: Rules) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let protocol = match arena {
            Arena::Riichilab { .. } => "riichilab 2",
            Arena::Mjsonp(_) => "mjsonp 3",
            Arena::Botzone { .. } => "botzone localai",
        };
        let keeper = keeper(folder.path(), game, protocol, rules);
        let url = client::ArenaUrl::parse("ws://127.0.0.1:1").expect("an address");
        let mut seated = Seated::at(url);
        (seated.bot.arena, seated.bot.rules) = (arena, rules);
        seated.bot.records = Some(keeper.clone());
        let players = if game == GameKind::DouDizhu {
            3
        } else {
            rules.players
        };
        let policy = policy::<P>(game, players).await;
        Self {
            folder,
            keeper,
            seated,
            policy,
        }
    }

    async fn at_server(server: &Server, rules: Rules) -> Self {
        let arena = super::websocket::bot::login(server.url(), TOKEN);
        Self::at::<Varied>(arena, GameKind::Riichi, rules).await
    }

    async fn at_site<P: Policy>(site: &FakeSite, game: BotzoneGame) -> Self {
        let seat = BotzoneSeat {
            site: SiteUrl::parse(&site.url).expect("an address"),
            game,
            user: "0a1b".to_owned(),
            opponents: Vec::new(),
            matches_at_once: BotzoneSeat::MATCHES_AT_ONCE,
        };
        let arena = Arena::Botzone {
            site: site.account.clone(),
            seat,
        };
        Self::at::<P>(arena, game.kind, Rules::TENHOU_HALF).await
    }

    /// Plays this many games while the arena follows `script`, and compares the records.
    async fn play(mut self, scene: &str, games: u32, script: impl Future<Output = ()>) {
        let ((_, end), ()) = tokio::join!(self.seated.play(games, &mut self.policy), script);
        assert_eq!(end, LifeEnd::Done);
        self.keeper.finish().await;
        compare(scene, self.folder.path());
    }
}

/// The text without the number or string after each of these keys.
fn without(keys: &[&str], text: &str) -> String {
    let mut text = text.to_owned();
    for key in keys {
        let key = format!("\"{key}\":");
        let mut parts = text.split(&key);
        let mut kept = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let value = part.trim_start();
            let end = match value.strip_prefix('"') {
                Some(text) => 2 + text.find('"').expect("a string ends"),
                None => value
                    .find(|c: char| !c.is_ascii_digit())
                    .expect("an object ends"),
            };
            kept.push_str(&key);
            kept.push_str(&value[end..]);
        }
        text = kept;
    }
    text
}

/// Compares all records of a folder, the earliest first, with the kept lines of this scene.
fn compare(scene: &str, folder: &Path) {
    let (records, broken) = list(folder, |_| true).expect("the folder can be read");
    assert!(broken.is_empty() && !records.is_empty(), "{broken:?}");
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden-records");
    fs::create_dir_all(&out).expect("it can be made");
    let mut found = String::new();
    for (number, record) in records.iter().enumerate() {
        for name in [GAME, OTHER_GAME, DECISIONS, FRAMES, MANIFEST] {
            let Ok(text) = fs::read_to_string(record.path.join(name)) else {
                continue;
            };
            let times = ["t_ms", "took_us", "started", "ended", "p50", "p99", "max"];
            let text = without(&times, &text);
            let file = format!("{scene}-{number}-{name}");
            let (lines, hash) = (text.lines().count(), Sha256::of(text.as_bytes()));
            writeln!(found, "{file} {lines} {hash}").expect("it fits into memory");
            fs::write(out.join(file), text).expect("it can be written");
        }
    }
    let expected: String = include_str!("../data/golden-records.txt")
        .lines()
        .filter(|line| line.starts_with(&format!("{scene}-")))
        .map(|line| line.to_owned() + "\n")
        .collect();
    assert_eq!(expected, found, "the records are in {}", out.display());
}

fn game_of(players: u8) -> FrameGame {
    let who = |seat: Seat| {
        if seat == Seat::FIRST {
            ArenaPlayer::Client
        } else {
            ArenaPlayer::BuiltIn
        }
    };
    FrameGame::new(GameSetup {
        seed: 7,
        number: 5,
        length: Length::East,
        preset: Preset::Tenhou,
        time: TimeControl::default(),
        players: PerSeat::from_fn(players, |seat| (who(seat), format!("seat {seat}"))),
    })
    .expect("the engine deals")
}

async fn play_riichi(players: u8) {
    let server = Server::open().await;
    let rules = Rules::TENHOU_HALF.with_players(players);
    let recorded = Recorded::at_server(&server, rules).await;
    let script = async {
        let mut client = server.accept().await;
        client.say(json!({"type": "queued"})).await;
        client.play(game_of(players)).await;
    };
    recorded
        .play(&format!("riichilab-{players}"), 1, script)
        .await;
}

#[tokio::test]
async fn records_of_riichi_stay_the_same() {
    play_riichi(4).await;
}

#[tokio::test]
async fn records_of_riichi_for_three_stay_the_same() {
    play_riichi(3).await;
}

#[tokio::test]
async fn records_of_a_game_that_was_joined_in_the_middle_with_desyncs_stay_the_same() {
    let server = Server::open().await;
    let recorded = Recorded::at_server(&server, Rules::TENHOU_HALF).await;
    let script = async {
        let mut client = server.accept().await;
        let mut dealt = 0;
        client
            .play_by(one_client(5), async |client, texts| {
                for text in texts {
                    dealt += u32::from(text.contains(r#""type":"start_kyoku""#));
                    let is_request = text.contains(r#""type":"request_action""#);
                    // The first deal is missed, and each discard of seat 2 in the second round.
                    let is_missed = (dealt <= 1 && text.contains(r#""type":"start_kyoku""#))
                        || (dealt == 2
                            && text.contains(r#""type":"dahai""#)
                            && text.contains(r#""actor":2"#));
                    if is_request || !is_missed {
                        client.send(Message::text(text)).await;
                    }
                }
            })
            .await;
    };
    recorded.play("riichilab-joined", 1, script).await;
}

#[tokio::test]
async fn records_of_a_cut_game_and_of_an_arena_that_shows_hidden_tiles_stay_the_same() {
    let server = Server::open().await;
    let recorded = Recorded::at_server(&server, Rules::TENHOU_HALF).await;
    let script = async {
        let mut client = server.accept().await;
        client.deal().await;
        client.offer(3).await;
        client.reply().await;
        client
            .say(json!({"type": "error", "message": format!("illegal {TOKEN}")}))
            .await;
        client.say(json!("not an object")).await;
        client.reset();
        // An arena may leave the seat to be seen from the deal, and show the tiles of others.
        let mut client = server.accept().await;
        client
            .say_all([json!({"type": "start_game"}), start_kyoku(SEAT, PLAIN)])
            .await;
        client
            .say_all([tsumo(0, "5m"), dahai(0, "9m", false), tsumo(1, "?")])
            .await;
        client.finish().await;
    };
    recorded.play("riichilab-cut", 1, script).await;
}

/// Greets a bot at a room and says these lines to it, each once it has replied to the one before.
fn play_in_room(room: &TcpListener, lines: &[Value]) {
    let (stream, _) = room.accept().expect("it connects");
    let hello = json!({"type": "hello", "protocol": "mjsonp", "protocol_version": 3});
    let mut bot = BufReader::new(stream);
    for line in std::iter::once(&hello).chain(lines) {
        let said = bot.get_mut().write_all(format!("{line}\n").as_bytes());
        said.expect("the bot reads");
        let mut reply = String::new();
        bot.read_line(&mut reply).expect("the bot answers");
    }
}

#[tokio::test]
async fn records_of_a_room_stay_the_same() {
    let room = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = room.local_addr().expect("it is bound");
    let url = RoomUrl::parse(&format!("mjsonp://{address}/default")).expect("an address");
    let arena = Arena::Mjsonp(url);
    let recorded = Recorded::at::<Varied>(arena, GameKind::Riichi, Rules::TENHOU_HALF).await;
    let script = tokio::task::spawn_blocking(move || {
        let mut dealt = start_kyoku(SEAT, PLAIN);
        dealt.as_object_mut().expect("an object").remove("scores");
        let mut offer = dahai(0, "4p", false);
        let pon =
            json!({"type": "pon", "actor": 1, "target": 0, "pai": "4p", "consumed": ["4p", "4p"]});
        offer["possible_actions"] = json!([pon]);
        let lines = [
            json!({"type": "start_game", "id": 1, "names": ["a", "kuma", "c", "d"]}),
            dealt,
            tsumo(0, "?"),
            offer,
            tsumo(1, "?"),
            ryukyoku([0; 4]),
            end_kyoku(),
            json!({"type": "end_game", "scores": [25_000, 25_000, 25_000, 25_000]}),
        ];
        play_in_room(&room, &lines);
    });
    recorded
        .play("mjsonp", 1, async { script.await.expect("no panic") })
        .await;
}

/// Sends requests of a match to a bot at a site, each once the one before is answered, and then
/// this result.
async fn requests(site: &mut FakeSite, number: u8, texts: &[&str], result: &str) {
    let mut poll = site.poll().await;
    for text in texts {
        poll.ask(&[(number, text)]);
        poll = site.poll_of(number).await;
    }
    poll.end(number, result);
}

const MCR_DEAL: &str = "1 0 0 0 0 W1 W1 W2 W2 W3 W4 B5 B6 B7 T1 T2 F1 F2";

#[tokio::test]
async fn records_of_chinese_standard_stay_the_same() {
    let mut site = FakeSite::start().await;
    let recorded = Recorded::at_site::<VariedMcr>(&site, BotzoneGame::MCR).await;
    let script = async {
        // An aborted match.
        requests(&mut site, 1, &["0 1 2", MCR_DEAL, "3 0 DRAW"], "1 0").await;
        // One with a request that cannot follow.
        let texts = [
            "0 0 0",
            MCR_DEAL,
            "2 W4",
            "3 0 PLAY F1",
            "3 1 DRAW",
            "3 1 PLAY W1",
            "3 3 DRAW",
            "3 3 PLAY J1",
            "2 B5",
            "3 0 PLAY F2",
        ];
        requests(&mut site, 2, &texts, "0 4 0 0 0 0").await;
    };
    recorded.play("botzone-mcr", 1, script).await;
}

const LANDLORD: &str = r#"{"own":[0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,50,51,52],"history":[[],[]],"publiccard":[50,51,52]}"#;

#[tokio::test]
async fn records_of_dou_dizhu_stay_the_same() {
    let mut site = FakeSite::start().await;
    let recorded = Recorded::at_site::<VariedDouDizhu>(&site, BotzoneGame::DOUDIZHU).await;
    let script = async {
        let texts = [
            LANDLORD,
            r#"{"history":[[],[]]}"#,
            r#"{"history":[[53],[]]}"#,
        ];
        requests(&mut site, 1, &texts, "0 3 2 -1 -1").await;
    };
    recorded.play("botzone-doudizhu", 1, script).await;
}

#[tokio::test]
async fn records_of_dou_dizhu_with_bidding_stay_the_same() {
    let mut site = FakeSite::start().await;
    let game = BotzoneGame::DOUDIZHU_BIDDING;
    let recorded = Recorded::at_site::<VariedDouDizhu>(&site, game).await;
    let script = async {
        let mut judge = BiddingJudge::new(3);
        let mut others = [const { None::<BiddingMatch> }; 3];
        let mut poll = site.poll().await;
        while let Some((seat, text)) = judge.request() {
            if seat == 0 {
                poll.ask(&[(1, &text)]);
                poll = site.poll_of(1).await;
                judge.take(poll.response(1).expect("it carries one"));
                continue;
            }
            let heard = others[seat].get_or_insert_default();
            let response = match heard.hear(&text, Instant::now()) {
                Ok(RequestOutcome::Forced(text)) => text,
                Ok(RequestOutcome::Open { .. }) => heard.answer(None).expect("it is open"),
                other => panic!("{other:?}"),
            };
            heard.sent(1);
            heard.taken(1);
            judge.take(&response);
        }
        let scores = judge.game.scores().expect("it is over");
        let scores: Vec<String> = scores.iter().map(ToString::to_string).collect();
        poll.end(1, &format!("0 3 {}", scores.join(" ")));
    };
    recorded.play("botzone-bidding", 1, script).await;
}

#[test]
fn a_value_is_left_out_after_its_key() {
    let text = r#"{"t_ms":12,"a":1,"started": "x"}"#;
    assert_eq!(
        without(&["t_ms", "started"], text),
        r#"{"t_ms":,"a":1,"started":}"#
    );
}
