//! The cost of a program's decision: the whole way from a view to its line, to the program and
//! back.
//!
//! `cargo bench -p program`. The program is a Python loop that reads each line with `json` and
//! answers at once; the views come from a seat in whole games, asked in a row; the best of three
//! runs counts.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::{Duration, Instant};

use policy_host::{
    Asked, ChosenPolicy, DirectPolicy, DirectThread, GameKind, Launch, Library, LibraryChoice,
    PolicyConfig, RoundLog, StartOptions, TokenVariables, ViewBuffer,
};
use program::Program;
use riichi::game::RiichiGame;
use riichi::{Action, Event, Rules, Seat, Table, leaves_choice};

const RUNS: usize = 3;
const GAMES: u64 = 40;

const SCRIPT: &str = "\
import json, sys
for line in sys.stdin:
    view = json.loads(line)
    drawn = [a for a in view['legal'] if a.get('tsumogiri') or a['type'] == 'none']
    print(json.dumps({'index': drawn[0]['index'] if drawn else 0, 'reason': 'at once'}), flush=True)
";

fn main() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("policy.py"), SCRIPT).expect("it can be written");
    let launch = Launch {
        program: Default::default(),
        token_variables: TokenVariables::default(),
    };
    let options = StartOptions {
        bot: String::new(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: folder.path().to_owned(),
        launch,
    };
    let params = toml::Table::from_iter([("command".to_owned(), "python3 policy.py".into())]);
    let section = PolicyConfig {
        params,
        ..PolicyConfig::of(LibraryChoice::Builtin, None)
    };
    let policy = ChosenPolicy::choose(Library::of::<Program>(), &section, &options)
        .expect("the section is right");
    let best = (0..RUNS)
        .map(|_| DirectThread::run("decisions", |thread| decisions(thread, &policy, &options)))
        .map(|run| {
            let mut times = run.expect("there is a thread");
            times.sort_unstable();
            let at = |share: f64| times[(share * (times.len() - 1) as f64) as usize];
            (at(0.99), at(0.5), at(1.0), times.len())
        });
    if let Some((p99, p50, max, count)) = best.min() {
        println!(
            "decision of a Python program, {count} times: p50 {p50:?}, p99 {p99:?}, max {max:?}"
        );
    }
}

/// The time of each decision of the first seat in some games; the other seats discard the drawn
/// tile.
fn decisions(
    thread: &DirectThread,
    policy: &ChosenPolicy,
    options: &StartOptions,
) -> Vec<Duration> {
    let mut policy = DirectPolicy::create(thread, policy, options).expect("it starts");
    let (mut times, mut view) = (Vec::new(), ViewBuffer::default());
    for number in 0..GAMES {
        let mut game = RiichiGame::new(Rules::TENHOU_HALF, number);
        let mut table = Table::new(Rules::TENHOU_HALF, Seat::FIRST);
        let mut log = RoundLog::default();
        let mut asked = Asked {
            game: number,
            budget: Duration::from_secs(5),
            ..Asked::default()
        };
        while !game.is_over() {
            for event in game.events() {
                let event: Event = event.masked_for(Seat::FIRST);
                table.apply(&event).expect("the game's own events");
                log.push(&event, &table);
            }
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                let action = if seat == Seat::FIRST && leaves_choice(&legal) {
                    view.fill(&table, &log, &legal, &asked);
                    asked.decision += 1;
                    let start = Instant::now();
                    let decided = policy
                        .decide(&mut view)
                        .expect("it lives on")
                        .expect("it decides");
                    times.push(start.elapsed());
                    legal[decided.index]
                } else {
                    let plain = |action: &&Action| {
                        matches!(
                            action,
                            Action::None
                                | Action::Dahai {
                                    tsumogiri: true,
                                    ..
                                }
                        )
                    };
                    *legal.iter().find(plain).unwrap_or(&legal[0])
                };
                game.answer(seat, action).expect("it is legal");
            }
        }
    }
    times
}
