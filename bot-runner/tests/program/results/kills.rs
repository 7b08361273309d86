//! A runner that keeps results, killed at any moment.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use results::{DatabaseAddress, ResultKind, ResultRow, ResultsError, open_to_read};
use rustix::process::Signal;
use serde_json::Value;

use super::{kept, waiting};
use crate::configs::{Folder, POLICY, arena};
use crate::program::{Runner, Running};

/// Maximum time that a runner plays before it is killed.
const MAX_LIFE: Duration = Duration::from_millis(1_500);
/// The bots of each life.
const BOTS: [&str; 4] = ["kuma", "neko", "risu", "tanuki"];

/// Number of kills; `KILLS=50` is the long run.
fn kills() -> u32 {
    std::env::var("KILLS").map_or(6, |text| text.parse().expect("KILLS is a number"))
}

/// A game in a printed line and in a row.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ToldGame {
    bot: String,
    rounds: u32,
    place: u8,
    points: i32,
}

impl ToldGame {
    /// Reads a line such as `kuma: game over after 5 rounds, place 2 with 27,400`.
    fn told(line: &str) -> Option<Self> {
        let (bot, game) = line.split_once(": game over")?;
        let (rounds, end) = game.split_once(", place ")?;
        let (place, points) = end.split_once(" with ")?;
        let rounds = rounds
            .trim_start_matches(" after ")
            .trim_end_matches(" rounds");
        Some(Self {
            bot: bot.to_owned(),
            rounds: if rounds.is_empty() {
                1
            } else {
                rounds.parse().expect("a number")
            },
            place: place.parse().expect("a place"),
            points: points
                .replace(',', "")
                .parse()
                .unwrap_or_else(|_| panic!("{line}")),
        })
    }

    fn kept(result: &ResultRow) -> Self {
        let points = result.points().expect("a seat");
        Self {
            bot: result.bot.clone(),
            rounds: result.rounds,
            place: result.place,
            points,
        }
    }
}

/// All games in the database and the spool, by their keys.
fn all_kept(database: &Path, spool: &Path) -> HashMap<String, ResultRow> {
    // A kill while the database was being made leaves it without tables.
    let opened = open_to_read(&DatabaseAddress::Sqlite(database.to_owned()), None);
    let is_made = !matches!(opened, Err(ResultsError::Nothing(_)));
    let mut all: Vec<ResultRow> = if is_made {
        kept(database, ResultKind::Ladder)
    } else {
        Vec::new()
    };
    for path in waiting(spool) {
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let file: Value =
                serde_json::from_slice(&fs::read(path).expect("it is there")).expect("it is whole");
            let results: Vec<ResultRow> =
                serde_json::from_value(file["results"].clone()).expect("results");
            all.extend(results);
        }
    }
    all.into_iter()
        .map(|result| (result.key.clone(), result))
        .collect()
}

/// Takes the database away, or brings it back: a file lies where its folder was.
fn set_away(folder: &Path, away: bool) {
    let (place, aside) = (folder.join("db"), folder.join("db-aside"));
    if away {
        fs::rename(&place, &aside).expect("it is there");
        fs::write(&place, "").expect("it is ours");
    } else {
        fs::remove_file(&place).expect("it is there");
        fs::rename(&aside, &place).expect("it is there");
    }
}

fn start(folder: &Folder, life: u32, more: &[&str]) -> Running {
    let mut runner = Runner::new(["run", "bots"].iter().chain(more));
    for bot in BOTS {
        // The arena plays a lost game on, so each life logs in again.
        runner = runner.env(
            &format!("{}_TOKEN", bot.to_uppercase()),
            &format!("token-{bot}-{life}"),
        );
    }
    runner.in_folder(folder.path()).start()
}

#[test]
fn killed_at_any_moment_it_has_kept_every_game_that_it_said_was_over() {
    let folder = Folder::new();
    let args = [
        "arena",
        "--length",
        "east",
        "--fill-after",
        "0",
        "--pace-ms",
        "0",
    ];
    let mut server = Runner::new(args).start();
    let url = server
        .line_with("listening on ")
        .trim_start_matches("listening on ")
        .to_owned();
    fs::create_dir(folder.path().join("bots")).expect("a folder can be made");
    for bot in BOTS {
        let section = arena(&url, &format!("{}_TOKEN", bot.to_uppercase()));
        let results = "[results]\ndatabase = \"sqlite:../db/results.db\"\nspool = \"../spool\"\n";
        folder.file(
            &format!("bots/{bot}.toml"),
            format!("name = {bot:?}\n{section}{POLICY}\n{results}"),
        );
    }
    fs::create_dir(folder.path().join("db")).expect("a folder can be made");
    let (database, spool) = (
        folder.path().join("db/results.db"),
        folder.path().join("spool"),
    );
    let (mut before, mut told_in_all, mut untold) = (HashMap::new(), 0, 0);
    for life in 1..=kills() {
        let away = life % 3 == 0;
        if away {
            set_away(folder.path(), true);
        }
        let mut running = start(&folder, life, &[]);
        running.line_with(": game over");
        // Every other time at the moment at which a game is over, else at any.
        if life % 2 == 0 {
            running.line_with(": game over");
        } else {
            sleep(MAX_LIFE.mul_f64(fastrand::f64()));
        }
        running.signal(Signal::KILL);
        let out = running.finish().out;
        if away {
            set_away(folder.path(), false);
        }
        let after = all_kept(&database, &spool);
        assert!(
            before.keys().all(|key| after.contains_key(key)),
            "a game of an earlier life is gone"
        );
        let mut kept: HashMap<ToldGame, u32> = HashMap::new();
        for (_, result) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
            *kept.entry(ToldGame::kept(result)).or_default() += 1;
        }
        let mut told = 0;
        for game in out.lines().filter_map(ToldGame::told) {
            let left = kept.get_mut(&game).filter(|left| **left > 0);
            *left.unwrap_or_else(|| {
                panic!("life {life}: {game:?} was reported and not stored; {out}")
            }) -= 1;
            told += 1;
        }
        told_in_all += told;
        untold += kept.values().sum::<u32>();
        before = after;
    }
    let last = start(&folder, 0, &["--games", "1"]).finish();
    last.exited(0);
    assert_eq!(waiting(&spool), Vec::<PathBuf>::new(), "{}", last.all());
    let rows = kept(&database, ResultKind::Ladder).len();
    eprintln!(
        "{} kills: {told_in_all} games reported and stored, {untold} stored and not reported yet; {rows} rows",
        kills()
    );
    assert!(
        rows >= before.len() + BOTS.len(),
        "{rows} rows of {} games and four more",
        before.len()
    );
}
