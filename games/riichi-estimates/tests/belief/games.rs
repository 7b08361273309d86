//! Games to judge in.

use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use protocol::{Parsed, parse_event};
use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::{Action, Event, Rules, Seat, Table};

/// The events of the recorded games, nothing hidden.
pub(crate) static RECORDS: LazyLock<Vec<Vec<Event>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../riichi/tests/records");
    let record = |name| {
        let file =
            std::fs::File::open(folder.join(name).with_extension("jsonl.gz")).expect("a record");
        let mut text = String::new();
        GzDecoder::new(file)
            .read_to_string(&mut text)
            .expect("gzip");
        let event = |line| match parse_event(line) {
            Ok(Parsed::Event(event)) => event,
            other => panic!("{line}: {other:?}"),
        };
        text.lines().map(event).collect()
    };
    [
        "riichienv-majiang-00003",
        "riichienv-majiang-00006",
        "riichienv-majiang-00007",
    ]
    .map(record)
    .into()
});

/// Calls `look` with the table of each seat after each event of the recorded games.
pub(crate) fn each_recorded_table(mut look: impl FnMut(&Table, &[Table])) {
    for events in RECORDS.iter() {
        let mut tables: Vec<Table> = Seat::all(4)
            .map(|seat| Table::new(Rules::TENHOU_HALF, seat))
            .collect();
        for event in events {
            for table in &mut tables {
                table.apply(event).expect("it was played");
            }
            for table in &tables {
                look(table, &tables);
            }
        }
    }
}

/// Calls `look` with the game whenever it waits for answers, in games of wild play: possible calls
/// are made half of the time.
pub(crate) fn each_moment(rules: Rules, games: u64, mut look: impl FnMut(&RiichiGame)) {
    let mut rng = Rng::keyed(&[games]);
    for seed in 0..games {
        let mut game = RiichiGame::new(rules, seed);
        while !game.is_over() {
            look(&game);
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                let win = legal
                    .iter()
                    .find(|action| matches!(action, Action::Hora { .. } | Action::Reach { .. }));
                let quiet = legal.iter().find(|action| {
                    matches!(
                        action,
                        Action::Dahai {
                            tsumogiri: true,
                            ..
                        }
                    )
                });
                let any = rng.pick(&legal);
                let chosen = win.or(if rng.below(2) == 0 { quiet } else { None }).or(any);
                game.answer(seat, *chosen.expect("it is asked"))
                    .expect("it is legal");
            }
        }
    }
}
