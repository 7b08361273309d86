//! A policy written in C against the committed header: built with the system's compiler and seated
//! in a game.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use policy_host::{Asked, Launch, RoundLog};
use policy_host::{LibraryChoice, PolicyConfig};

use crate::common::seats::{admitted, decision};
use riichi::event::StartKyoku;
use riichi::{Action, Event, PerSeat, Rules, Seat, Table, Tile, Wind};
use serde_json::Value;
use tempfile::TempDir;

use super::configs::Folder;
use super::program::{Finished, Runner, cell, table};
use crate::common::libraries::PROGRAM;

/// The example's library, in its own folder.
static LIBRARY: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let policies = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("a workspace")
        .join("policies");
    let folder = TempDir::new().expect("a folder can be made");
    let library = folder
        .path()
        .join(format!("libc_tsumogiri{}", std::env::consts::DLL_SUFFIX));
    let built = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args([
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-fPIC",
            "-shared",
            "-fvisibility=hidden",
            "-I",
        ])
        .arg(policies.join("abi/include"))
        .arg("-o")
        .arg(&library)
        .arg(policies.join("examples/c/tsumogiri.c"))
        .output()
        .expect("there is a C compiler");
    assert!(
        built.status.success(),
        "{}",
        String::from_utf8_lossy(&built.stderr)
    );
    (folder, library)
});

/// The config line for the isolation of a bot's library.
const IN_A_THREAD: &str = "isolation = \"thread\"";
const IN_A_PROCESS: &str = "isolation = \"process\"";

/// A bot with the C policy, which discards this percentage of tiles at random.
fn bot(folder: &Folder, isolation: &str, random: &str) -> PathBuf {
    let library = &LIBRARY.1;
    let policy = format!("[policy]\nlibrary = {library:?}\nid = \"c-tsumogiri\"\n{isolation}\n");
    folder.file(
        "kuma.toml",
        format!("name = \"kuma\"\n{policy}[policy.params]\nrandom = {random}\n"),
    )
}

/// A game of the bot, and its discards in it: whether each was of the drawn tile.
fn game(isolation: &str, random: &str) -> (Finished, Vec<bool>) {
    let folder = Folder::new();
    let records = folder.path().join("records");
    let args = [
        "play".into(),
        "--seed=3".into(),
        "--record".into(),
        records.clone(),
    ];
    let played = Runner::new(args.iter().chain([&bot(&folder, isolation, random)]))
        .env("BOT_RUNNER_LOG", "info")
        .run();
    played.exited(0);
    let record =
        fs::read_to_string(records.join("game-0001.jsonl")).expect("the game was recorded");
    let events: Vec<Value> = record
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an event"))
        .collect();
    let names = events[0]["names"]
        .as_array()
        .expect("the record begins with the players");
    let seat = names
        .iter()
        .position(|name| name == "kuma")
        .expect("it played");
    let own = events
        .iter()
        .filter(|event| event["type"] == "dahai" && event["actor"] == seat);
    let drawn = own
        .map(|event| event["tsumogiri"].as_bool().expect("it says so"))
        .collect();
    (played, drawn)
}

/// The bot's own library decided every time, and nothing went wrong.
#[track_caller]
fn assert_decided_by_the_library(played: &Finished) {
    let row = table(&played.out)
        .into_iter()
        .find(|row| cell(row, "bot") == "kuma")
        .expect("it played");
    assert_eq!(cell(&row, "policy"), "c-tsumogiri 1.0");
    assert_ne!(cell(&row, "library"), "built in", "{row:?}");
    assert!(
        !played.out.lines().any(|line| line.starts_with("kuma: ")),
        "no safe answer, no desync: {}",
        played.out
    );
    assert!(
        !played.err.contains("WARN") && !played.err.contains("ERROR"),
        "{}",
        played.err
    );
}

#[test]
fn it_discards_the_drawn_tile_through_a_whole_game() {
    for isolation in [IN_A_THREAD, IN_A_PROCESS] {
        let (played, drawn) = game(isolation, "0");
        assert_decided_by_the_library(&played);
        assert!(
            drawn.len() > 50 && drawn.iter().all(|&drawn| drawn),
            "{isolation}: {drawn:?}"
        );
    }
}

#[test]
fn its_parameter_reaches_it_and_its_choice_is_played() {
    let (played, drawn) = game(IN_A_THREAD, "100");
    assert_decided_by_the_library(&played);
    let other = drawn.iter().filter(|&&drawn| !drawn).count();
    assert!(
        other > drawn.len() / 2,
        "most tiles of a hand are not the drawn one: {drawn:?}"
    );
    assert!(
        played.err.contains("throws tiles at random"),
        "its line in the log: {}",
        played.err
    );
}

#[tokio::test]
async fn it_wins_when_it_can() {
    let tiles = |names: &str| -> Vec<Tile> {
        names
            .split(' ')
            .map(|name| name.parse().expect("a tile"))
            .collect()
    };
    let start = StartKyoku {
        bakaze: Wind::East,
        kyoku: 1,
        honba: 0,
        kyotaku: 0,
        oya: Seat::FIRST,
        dora_marker: tiles("9m")[0],
        scores: None,
        tehais: PerSeat::from_fn(4, |seat| {
            (seat == Seat::FIRST).then(|| {
                tiles("1m 2m 3m 4p 5p 6p 7s 8s 9s E E S S")
                    .try_into()
                    .expect("a hand")
            })
        }),
    };
    let mut table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
    let mut log = RoundLog::default();
    for event in [
        Event::StartKyoku(start),
        Event::Tsumo {
            actor: Seat::FIRST,
            tile: Some(tiles("E")[0]),
        },
    ] {
        table.apply(&event).expect("the round can begin so");
        log.push(&event, &table);
    }
    let legal = table.legal_actions();
    assert!(
        legal.len() > 10 && matches!(riichi::safe_answer(&legal), Some(Action::Hora { .. })),
        "{legal:?}"
    );

    let launch = Launch {
        program: PROGRAM.into(),
        token_variables: Default::default(),
    };
    let section = PolicyConfig::of(LibraryChoice::Path(LIBRARY.1.clone()), None);
    let mut policy = admitted(&section, launch).await;
    let decided = decision(&mut policy, |view| {
        view.fill(&table, &log, &legal, &Asked::default())
    })
    .await;
    assert!(
        matches!(legal[decided.index], Action::Hora { .. }),
        "{:?}",
        legal[decided.index]
    );
    policy.end().await;
}

#[test]
fn its_parameters_are_checked_before_anything_is_played() {
    let folder = Folder::new();
    let config = bot(&folder, IN_A_THREAD, "101");
    let out = Runner::new([Path::new("check"), &config])
        .run()
        .exited(1)
        .to_owned();
    assert!(
        out.contains("policy.params.random: found 101, allowed are whole numbers from 0 to 100"),
        "{out}"
    );
}
