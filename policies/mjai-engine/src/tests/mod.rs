//! The policy through the table that a host uses, with an engine that does what a script says.

mod asking;
mod declarations;
mod lateness;
mod life;

use std::fs;
use std::path::{Path, PathBuf};

use policy_sdk::abi::params::{VALUE_CHOICE, VALUE_TEXT, Value};
use policy_sdk::testing::{Refused, Scene, Setting, Situation, TestInstance};
use riichi::event::StartKyoku;
use riichi::{Action, Event, PerSeat, Seat, Tile, Wind};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::ENTRY;

/// Longer than an engine of a test takes, on however busy a machine.
const AMPLE: u32 = 30_000;

/// The folder of a scripted engine.
struct Stage(TempDir);

impl Stage {
    /// An engine that follows this script when asked: first in the trial round, which needs no
    /// entry.
    fn new(script: &[Json]) -> Self {
        let stage = Self(TempDir::new().unwrap());
        stage.follow(
            &std::iter::once(&json!({}))
                .chain(script)
                .cloned()
                .collect::<Vec<_>>(),
        );
        stage
    }

    fn follow(&self, script: &[Json]) {
        fs::write(
            self.path("script"),
            script
                .iter()
                .map(|step| format!("{step}\n"))
                .collect::<String>(),
        )
        .unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self) -> String {
        let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripted_engine.py");
        shell_words::join([
            "python3",
            engine.to_str().unwrap(),
            self.0.path().to_str().unwrap(),
        ])
    }

    fn bot(&self) -> TestInstance {
        create(&self.command(), &[]).unwrap()
    }

    /// The ids of its processes, in the order of their starts.
    fn pids(&self) -> Vec<i32> {
        fs::read_to_string(self.path("pids"))
            .unwrap()
            .lines()
            .map(|pid| pid.parse().unwrap())
            .collect()
    }

    /// The types of the messages since the trial round or the last call, a list for each line, with
    /// requests marked.
    fn heard(&self) -> String {
        let text = fs::read_to_string(self.path("heard")).unwrap();
        fs::write(self.path("heard"), "").unwrap();
        let typed = |event: &Json| event["type"].as_str().unwrap().to_owned();
        let line = |line: &str| match serde_json::from_str(line).unwrap() {
            Json::Array(batch) => format!(
                "[{}]",
                batch.iter().map(typed).collect::<Vec<_>>().join(" ")
            ),
            event => {
                typed(&event)
                    + if event["can_act"] == Json::Bool(false) {
                        ""
                    } else {
                        "!"
                    }
            }
        };
        let lines: Vec<String> = text.lines().map(line).collect();
        let all = lines.join(" ");
        all.strip_prefix("start_game start_kyoku tsumo dahai tsumo! ")
            .unwrap_or(&all)
            .to_owned()
    }
}

fn create(command: &str, more: &[Setting<'_>]) -> Result<TestInstance, Refused> {
    let settings = [&[("command", Value::text(VALUE_TEXT, command))], more].concat();
    TestInstance::create(&ENTRY, "mjai-engine", &settings)
}

const fn replies(kind: &'static str) -> Setting<'static> {
    ("replies", Value::text(VALUE_CHOICE, kind))
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn tile(name: &str) -> Tile {
    name.parse().unwrap()
}

fn throw(name: &str) -> Json {
    json!({"answer": {"type": "dahai", "pai": name, "tsumogiri": true}})
}

/// The round begins. The view holds its number and other facts.
fn deal() -> Event {
    Event::StartKyoku(StartKyoku {
        bakaze: Wind::East,
        kyoku: 1,
        honba: 0,
        kyotaku: 0,
        oya: Seat::FIRST,
        dora_marker: tile("9m"),
        scores: None,
        tehais: PerSeat::from_fn(4, |_| None),
    })
}

fn draw(actor: u8, name: Option<&str>) -> Event {
    Event::Tsumo {
        actor: seat(actor),
        tile: name.map(tile),
    }
}

fn dahai(actor: u8, name: &str, tsumogiri: bool) -> Event {
    Event::Dahai {
        actor: seat(actor),
        tile: tile(name),
        tsumogiri,
    }
}

/// The events after a draw of seat 0 until its next draw: all seats discard the drawn tile.
fn around(drawn: &str, next: &str) -> Vec<Event> {
    let mut events = vec![dahai(0, drawn, true)];
    events.extend((1..4).flat_map(|other| [draw(other, None), dahai(other, "9s", true)]));
    events.push(draw(0, Some(next)));
    events
}

/// The seat 0 has drawn its first tile, the F.
fn begun() -> Vec<Event> {
    vec![deal(), draw(0, Some("F"))]
}

/// The same, one round of the table later: it has drawn the C.
fn gone_on() -> Vec<Event> {
    [begun(), around("F", "C")].concat()
}

const HAND: &str = "147m 258p 369s 1234z";

/// The own turn after these events; the last one is a draw of the dragon with this name.
fn turn_of(events: &[Event]) -> Situation {
    let drawn = match events.last() {
        Some(Event::Tsumo {
            tile: Some(tile), ..
        }) => ["5z", "6z", "7z"][tile.kind().index() - 31],
        other => panic!("a draw, not {other:?}"),
    };
    Situation::drew(HAND, drawn).events(events)
}

fn turn(events: &[Event]) -> Scene {
    with_time(turn_of(events), AMPLE)
}

/// A situation with this much time to decide, in milliseconds.
fn with_time(situation: Situation, budget_ms: u32) -> Scene {
    let mut scene = situation.build();
    scene.raw_mut().budget_us = u64::from(budget_ms) * 1000;
    // The same deal, whichever calls have been made since.
    scene.raw_mut().start_hand = [0, 3, 6, 10, 13, 16, 20, 23, 26, 27, 28, 29, 30];
    scene
}

/// The discard of the drawn tile.
fn drawn(name: &str) -> Action {
    Action::Dahai {
        tile: tile(name),
        tsumogiri: true,
    }
}
