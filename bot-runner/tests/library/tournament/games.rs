//! The games are those that `play` plays on the embedded arena, over frames and sockets.

use std::fs;
use std::path::Path;
use std::process::Command;

use lab::game::GameId;

use crate::tournament::seated::events_of;
use protocol::{Parsed, parse_event};
use riichi::{Event, Rules};

use super::seated::greedy;

/// The names of the players and the events of a record.
fn read(record: &Path) -> (Vec<String>, Vec<Event>) {
    let text = fs::read_to_string(record).expect("it was written");
    let (first, rest) = text.split_once('\n').expect("a record has lines");
    let start: serde_json::Value = serde_json::from_str(first).expect("JSON");
    let names = start["names"]
        .as_array()
        .expect("the players")
        .iter()
        .filter_map(|name| name.as_str());
    let events = rest.lines().map(|line| match parse_event(line) {
        Ok(Parsed::Event(event)) => event,
        other => panic!("{other:?}"),
    });
    (names.map(str::to_owned).collect(), events.collect())
}

#[test]
fn the_same_policies_play_the_same_games_as_on_the_embedded_arena() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let calls = ["yaku", "never", "yaku", "never"];
    let configs = ["a", "b", "c", "d"].iter().zip(calls).map(|(name, calls)| {
        let path = folder.path().join(format!("{name}.toml"));
        let policy = "[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\n[policy.params]\n";
        fs::write(
            &path,
            format!("name = {name:?}\n{policy}calls = {calls:?}\n"),
        )
        .expect("it can be written");
        path
    });
    let status = Command::new(env!("CARGO_BIN_EXE_bot-runner"))
        .args(["play", "--seed", "8", "--games", "2", "--record"])
        .arg(folder.path())
        .args(configs)
        .output()
        .expect("the program starts");
    assert!(status.status.success(), "{status:?}");

    for number in 1..=2 {
        let (names, framed) = read(&folder.path().join(format!("game-{number:04}.jsonl")));
        let entrants: Vec<_> = names
            .iter()
            .map(|name| greedy(calls[usize::from(name.as_bytes()[0] - b'a')]))
            .collect();
        let seated: Vec<_> = entrants.iter().collect();
        let id = GameId {
            seed: 8,
            wall: number,
            seating: 0,
        };
        let mut direct = events_of(&seated, Rules::TENHOU_HALF, id);
        assert!(matches!(direct.remove(0), Event::StartGame { .. }));
        assert!(
            framed
                .iter()
                .any(|event| matches!(event, Event::Pon { .. } | Event::Chi { .. }))
        );
        for (index, (ours, theirs)) in direct.iter().zip(&framed).enumerate() {
            assert_eq!(ours, theirs, "game {number}, event {index}");
        }
        assert_eq!(direct.len(), framed.len());
    }
}
