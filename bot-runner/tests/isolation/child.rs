//! How these tests start policies in processes.

use std::path::PathBuf;
use std::time::Duration;

use bot_runner::plugin::child::{ChildLibrary, ChildPolicy, ChildSpec, Launch};
use bot_runner::plugin::{Asked, ParamValues, RoundLog, StartOptions, ViewBuffer};
use mahjong::event::StartKyoku;
use mahjong::{Event, PerSeat, Rules, Seat, Table, Tile, Wind};

/// Longer than anything here takes that is meant to end.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Processes of the built program.
pub(crate) fn launch() -> Launch {
    Launch { program: PathBuf::from(env!("CARGO_BIN_EXE_bot-runner")), token_variables: Vec::new() }
}

pub(crate) fn spec(library: ChildLibrary, policy: &str) -> ChildSpec {
    ChildSpec {
        library,
        policy: policy.to_owned(),
        params: ParamValues::default(),
        options: StartOptions { bot: "kuma".to_owned(), players: 4, config_folder: PathBuf::new(), launch: launch() },
    }
}

/// The policy greedy-tenpai as it is built in.
pub(crate) fn built_in() -> ChildPolicy {
    ChildPolicy::start(&spec(ChildLibrary::Builtin, "greedy-tenpai"), PATIENCE).expect("it starts")
}

fn tile(name: &str) -> Tile {
    name.parse().expect("a tile")
}

/// The own turn, with a hand that only the drawn 9m does not fit.
pub(crate) fn question() -> ViewBuffer {
    let own = Seat::FIRST;
    let hand = ["1p", "1p", "3p", "4p", "5p", "6p", "7p", "8p", "2s", "3s", "4s", "E", "E"].map(tile);
    let events = [
        Event::StartKyoku(StartKyoku {
            bakaze: Wind::East,
            kyoku: 1,
            honba: 0,
            kyotaku: 0,
            oya: own,
            dora_marker: tile("W"),
            scores: None,
            tehais: PerSeat::from_fn(4, |seat| (seat == own).then_some(hand)),
        }),
        Event::Tsumo { actor: own, tile: Some(tile("9m")) },
    ];
    let (mut table, mut log) = (Table::new(Rules::TENHOU_HALF, own), RoundLog::default());
    for event in &events {
        table.apply(event).expect("it can be played");
        log.push(event, &table);
    }
    let mut view = ViewBuffer::default();
    view.fill(&table, &log, &table.legal_actions(), &Asked { budget_ms: 1_000, ..Asked::default() });
    view
}
