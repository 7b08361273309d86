//! Ranked games that are found on the ladder of their arena.

mod stand_in;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use client::records::{LADDER, OPEN_GAME};
use lab::replay::luck_of_log;
use results::{
    DatabaseAddress, LadderPart, LadderRow, ResultKind, ResultRow, ResultsFilter, SeatLuck, key_of,
    open, open_to_read,
};
use serde_json::Value;

use self::stand_in::{CHANGES, LadderStandIn, START, StandInFaults, number_of, records_of};
use crate::configs::{Folder, POLICY, arena};
use crate::program::{Finished, Runner, Running};
use crate::results::kept;

const BOTS: [&str; 4] = ["kuma", "neko", "risu", "tora"];

/// An arena of short games, a ladder, and four bots that look for their games there.
struct Ladder {
    folder: Folder,
    stand_in: LadderStandIn,
    arena: Running,
    url: String,
    configs: Vec<PathBuf>,
}

impl Ladder {
    fn new() -> Self {
        let folder = Folder::new();
        let mut arena = Runner::new(["arena", "--length", "single"]).start();
        let url = arena
            .line_with("listening on ")
            .trim_start_matches("listening on ")
            .to_owned();
        let stand_in = LadderStandIn::start(&folder.path().join("records"));
        let mut ladder = Self {
            folder,
            stand_in,
            arena,
            url,
            configs: Vec::new(),
        };
        ladder.configs = BOTS.iter().map(|bot| ladder.config(bot)).collect();
        ladder
    }

    fn config(&self, bot: &str) -> PathBuf {
        let text = format!(
            "name = {bot:?}\n{}length = \"single\"\n{POLICY}[records]\n[results]\ndatabase = \"sqlite:results.db\"\n\
             [ladder]\nbot_id = {}\napi = {:?}\nlogs = {:?}\n",
            arena(&self.url, &format!("TOKEN_{bot}")),
            number_of(bot),
            self.stand_in.url,
            self.stand_in.url,
        );
        self.folder.file(&format!("{bot}.toml"), text)
    }

    fn run(&self, options: &[&str]) -> Finished {
        let args = options.iter().map(|option| (*option).into()).chain(
            self.configs
                .iter()
                .map(|path| path.clone().into_os_string()),
        );
        let mut runner = Runner::new([std::ffi::OsString::from("run")].into_iter().chain(args));
        for bot in BOTS {
            runner = runner.env(&format!("TOKEN_{bot}"), &format!("token-of-{bot}"));
        }
        runner.run()
    }

    fn command(&self, args: &[&str]) -> Finished {
        Runner::new(args).in_folder(self.folder.path()).run()
    }

    fn database(&self) -> DatabaseAddress {
        DatabaseAddress::Sqlite(self.folder.path().join("results.db"))
    }

    fn rows(&self) -> BTreeMap<String, LadderRow> {
        let mut rows = BTreeMap::new();
        let mut store = open_to_read(&self.database(), None).expect("it is there");
        store
            .read_ladder(&all(), &mut |row| {
                let row = row.expect("a runner wrote it");
                rows.insert(row.key.clone(), row);
            })
            .expect("it can be read");
        rows
    }

    fn records(&self, bot: &str) -> Vec<PathBuf> {
        records_of(&self.folder.path().join("records"), bot)
    }
}

fn all() -> ResultsFilter {
    ResultsFilter {
        kind: ResultKind::Ladder,
        bot: None,
        policy: None,
        arena: None,
        game: None,
        since_ms: i64::MIN,
    }
}

fn json_of(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("it is there")).expect("JSON")
}

#[test]
fn a_ranked_game_gets_ratings_opponents_and_all_hands_from_the_ladder() {
    let ladder = Ladder::new();
    let ended = ladder.run(&["--games=2"]);
    assert!(ended.status.success(), "{ended:?}");
    assert!(
        ended.out.contains("8 games found on the ladder\n"),
        "{}",
        ended.out
    );
    let rows = ladder.rows();
    assert_eq!(rows.len(), 8, "{rows:?}");
    for row in rows.values() {
        assert_eq!(
            (row.players, row.log, row.confirmed, &row.contradiction),
            (LadderPart::Known, LadderPart::Known, true, &None),
            "{row:?}"
        );
        assert!(row.rating_before.is_some() && CHANGES.contains(&row.rating_change.expect("told")));
        let mut numbers: Vec<u64> = row.opponents.iter().map(|other| other.id).collect();
        numbers.push(row.bot_id);
        numbers.sort_unstable();
        let mut wanted = BOTS.map(number_of);
        wanted.sort_unstable();
        assert_eq!(numbers, wanted);
        assert!(
            row.opponents.iter().all(|other| other.rating.is_some()),
            "{row:?}"
        );
    }
    // All hands, by the rules, and what the ladder says, in each record.
    let [first, second] = &ladder.records("kuma")[..] else {
        panic!("two games")
    };
    let judged = ladder.command(&["replay", &first.join(OPEN_GAME).display().to_string()]);
    assert!(
        judged.exited(0).contains("seen from all seats"),
        "{judged:?}"
    );
    // Games that begin in the same second have their folders in any order.
    let mut in_order = [first, second].map(|record| (json_of(&record.join(LADDER)), record));
    if in_order[1].0["rating_before"] == START {
        in_order.reverse();
    }
    let [(one, _), (two, second)] = in_order;
    assert_eq!(one["rating_before"], START);
    assert_eq!(
        two["rating_before"].as_f64(),
        Some(START + one["rating_change"].as_f64().expect("told"))
    );
    let page = ladder.folder.path().join("page.html");
    let viewed = ladder.command(&[
        "view",
        &second.display().to_string(),
        "--out",
        &page.display().to_string(),
    ]);
    viewed.exited(0);
    let page = fs::read_to_string(page).expect("it was written");
    let neko = two["opponents"]
        .as_array()
        .expect("three")
        .iter()
        .find(|other| other["name"] == "neko-on-the-ladder")
        .expect("neko");
    let shown = format!(
        "neko-on-the-ladder ({:.0})",
        neko["rating"].as_f64().expect("told")
    );
    assert!(
        page.contains(&shown) && page.contains("game on the ladder"),
        "{shown}"
    );
}

#[test]
fn statistics_show_ratings_by_bot_and_version_and_places_against_each_opponent() {
    let ladder = Ladder::new();
    assert!(ladder.run(&["--games=2"]).status.success());
    let stats = |more: &[&str]| {
        let finished = ladder.command(&[&["stats"], more].concat());
        finished.exited(0);
        finished.out
    };
    let chart = ladder.folder.path().join("rating.svg");
    let ratings = stats(&[
        "--rating",
        "--bot",
        "kuma",
        "--chart",
        &chart.display().to_string(),
    ]);
    let line = ratings
        .lines()
        .find(|line| line.starts_with("kuma"))
        .expect("a row");
    assert!(
        line.contains("greedy-tenpai") && line.contains("1500.0"),
        "{ratings}"
    );
    assert!(line.ends_with("CLEAN, provisional"), "{ratings}");
    assert!(
        ratings.contains("A threshold is judged from 200 games"),
        "{ratings}"
    );
    let drawn = fs::read_to_string(chart).expect("it was written");
    assert!(
        drawn.contains("rating over games") && drawn.contains("after 2 games"),
        "{drawn}"
    );
    let told: Value = serde_json::from_str(&stats(&["--rating", "--json"])).expect("JSON");
    assert_eq!(told["bots"].as_array().map(Vec::len), Some(4));
    assert_eq!(told["bots"][0]["games"].as_array().map(Vec::len), Some(2));
    let against = stats(&["--by", "opponent", "--bot", "kuma"]);
    for bot in &BOTS[1..] {
        let label = format!("{bot}-on-the-ladder #{}", number_of(bot));
        assert!(against.contains(&label), "{against}");
    }
    let by_version = stats(&["--by", "bot", "--json"]);
    let told: Value = serde_json::from_str(&by_version).expect("JSON");
    let kuma = told["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .find(|row| row["label"] == "kuma")
        .expect("kuma");
    assert_eq!(kuma["rating_start"], START);
    assert!(kuma["average_rank_points"].is_number() && kuma["rating_end"].is_number());
}

#[test]
fn what_one_run_does_not_find_the_next_one_does_and_asks_for_nothing_twice() {
    let ladder = Ladder::new();
    ladder.stand_in.set(StandInFaults {
        is_empty: true,
        ..StandInFaults::default()
    });
    let ended = ladder.run(&["--games=1"]);
    assert!(
        ended
            .out
            .contains("0 games found on the ladder; 4 are not complete yet"),
        "{}",
        ended.out
    );
    assert!(ladder.rows().is_empty());
    ladder.stand_in.set(StandInFaults::default());
    let before = ladder.stand_in.requests().len();
    let ended = ladder.run(&["--games=1"]);
    assert!(
        ended.out.contains("8 games found on the ladder\n"),
        "{}",
        ended.out
    );
    assert_eq!(ladder.rows().len(), 8);
    let requests = ladder.stand_in.requests().split_off(before);
    let mut parts: Vec<&String> = requests
        .iter()
        .filter(|path| !path.contains("/bots/"))
        .collect();
    parts.sort();
    let distinct: std::collections::BTreeSet<&String> = parts.iter().copied().collect();
    assert_eq!(parts.len(), distinct.len(), "{parts:?}");
    assert_eq!(
        distinct.len(),
        4,
        "players and log of two tables: {distinct:?}"
    );
}

#[test]
fn what_the_ladder_refuses_is_left_out_and_the_rating_stays() {
    let ladder = Ladder::new();
    ladder.stand_in.set(StandInFaults {
        refuses: true,
        ..StandInFaults::default()
    });
    let ended = ladder.run(&["--games=1"]);
    assert!(
        ended.out.contains("4 games found on the ladder\n"),
        "{}",
        ended.out
    );
    for row in ladder.rows().values() {
        assert_eq!(
            (row.players, row.log, row.confirmed),
            (LadderPart::Refused, LadderPart::Refused, false)
        );
        assert_eq!(row.rating_before, Some(START));
    }
}

#[test]
fn a_log_that_is_not_there_yet_is_not_asked_for_again_by_the_next_run() {
    let ladder = Ladder::new();
    ladder.stand_in.set(StandInFaults {
        has_no_logs: true,
        ..StandInFaults::default()
    });
    ladder.run(&["--games=1"]);
    for row in ladder.rows().values() {
        assert_eq!(
            (row.players, row.log, row.confirmed),
            (LadderPart::Known, LadderPart::Late, false)
        );
    }
    let logs = || -> Vec<String> {
        let mut asked = ladder.stand_in.requests();
        asked.retain(|path| path.contains("/mjai-logs/"));
        asked
    };
    let refused = logs();
    ladder.stand_in.set(StandInFaults::default());
    ladder.run(&["--games=1"]);
    let again = logs().split_off(refused.len());
    assert!(
        !refused.is_empty()
            && !again.is_empty()
            && again.iter().all(|path| !refused.contains(path)),
        "{refused:?} {again:?}"
    );
}

#[test]
fn a_log_that_contradicts_the_rules_is_kept_and_named() {
    let ladder = Ladder::new();
    ladder.stand_in.set(StandInFaults {
        wrong_points: true,
        ..StandInFaults::default()
    });
    let ended = ladder.run(&["--games=1"]);
    for row in ladder.rows().values() {
        let why = row.contradiction.as_deref().expect("the points are wrong");
        assert!(row.confirmed && why.contains("deltas"), "{why}");
    }
    for bot in BOTS {
        assert!(ladder.records(bot)[0].join(OPEN_GAME).exists());
    }
    assert!(
        ended.err.contains("contradicts the rules: "),
        "{}",
        ended.err
    );
}

#[test]
fn bots_leave_at_a_rating_that_was_named_and_without_a_ladder_it_is_refused() {
    let ladder = Ladder::new();
    assert!(ladder.run(&["--games=1"]).status.success());
    // All have 1488 to 1512 by now.
    let ended = ladder.run(&["--until-rating=1400"]);
    for bot in BOTS {
        let words = format!("{bot}: its rating is 1");
        assert!(ended.out.contains(&words), "{}", ended.out);
    }
    assert!(
        ended
            .out
            .contains("at least 1400 (--until-rating); it leaves after its current game")
    );
    let ended = ladder.run(&["--stop-below=1600"]);
    assert!(
        ended.out.contains("below 1600 (--stop-below)"),
        "{}",
        ended.out
    );
    let plain = ladder.folder.bot_at("usagi", &ladder.url, "TOKEN_kuma");
    let refused = Runner::new([
        "run".into(),
        "--until-rating=1800".into(),
        plain.into_os_string(),
    ])
    .env("TOKEN_kuma", "x")
    .run();
    refused.exited(1);
    assert!(
        refused
            .err
            .contains("--until-rating: usagi.toml has no section [ladder]")
            || refused.err.contains("usagi.toml has no section [ladder]"),
        "{}",
        refused.err
    );
}

#[test]
fn a_database_gets_what_records_know_of_the_ladder_by_import() {
    let ladder = Ladder::new();
    assert!(ladder.run(&["--games=1"]).status.success());
    ladder
        .command(&[
            "results",
            "import",
            "records",
            "--results",
            "sqlite:other.db",
        ])
        .exited(0);
    let address = DatabaseAddress::Sqlite(ladder.folder.path().join("other.db"));
    let mut imported = BTreeMap::new();
    open(&address, None)
        .expect("it was made")
        .read_ladder(&all(), &mut |row| {
            let row = row.expect("a row");
            imported.insert(row.key.clone(), row);
        })
        .expect("it can be read");
    assert_eq!(imported, ladder.rows());
    drop(ladder.arena);
}

#[test]
fn a_game_whose_hands_are_all_known_from_the_ladder_has_its_luck_and_import_adds_it() {
    let ladder = Ladder::new();
    assert!(ladder.run(&["--games=1"]).status.success());
    let database = |name: &str| ladder.folder.path().join(name);
    let games = kept(&database("results.db"), ResultKind::Ladder);
    assert_eq!(games.len(), BOTS.len());
    for game in &games {
        let luck = game.luck.as_ref().expect("all hands are known");
        let record = &ladder.records(&game.bot)[0];
        let log = fs::read_to_string(record.join(OPEN_GAME)).expect("it is there");
        let known = luck_of_log(&log).expect("it is a whole game");
        assert_eq!(
            (luck.thousandths, luck.version.as_str()),
            (known.of_seats[usize::from(game.seat)], known.version)
        );
    }
    assert!(
        games
            .iter()
            .any(|game| game.luck.as_ref().is_some_and(|luck| luck.thousandths != 0)),
        "{games:?}"
    );
    // A database whose games had no luck, and one whose luck was of another version.
    let without = |game: &ResultRow| ResultRow {
        luck: None,
        ..game.clone()
    };
    let other = |game: &ResultRow| ResultRow {
        luck: Some(SeatLuck {
            thousandths: 7,
            version: "riichi-4 1 sha256 00".to_owned(),
        }),
        ..game.clone()
    };
    let before: [(&str, Vec<ResultRow>); 2] = [
        ("without.db", games.iter().map(without).collect()),
        ("other.db", games.iter().map(other).collect()),
    ];
    for (name, rows) in before {
        let address = DatabaseAddress::Sqlite(database(name));
        let mut store = open(&address, None).expect("it can be made");
        store.write(&rows).expect("it can be written");
        drop(store);
        let results = format!("sqlite:{name}");
        let told = ladder.command(&["results", "import", "records", "--results", &results]);
        let words = "4 games read, 0 of them new to the database\nthe luck of 4 games is known, ";
        assert!(told.exited(0).starts_with(words), "{}", told.out);
        assert_eq!(kept(&database(name), ResultKind::Ladder), games, "{name}");
    }
    let contradictory = Ladder::new();
    contradictory.stand_in.set(StandInFaults {
        wrong_points: true,
        ..StandInFaults::default()
    });
    contradictory.run(&["--games=1"]);
    let database = contradictory.folder.path().join("results.db");
    let games = kept(&database, ResultKind::Ladder);
    assert!(games.iter().all(|game| game.luck.is_none()), "{games:?}");
}

#[test]
fn a_game_that_the_ladder_does_not_have_within_a_week_is_given_up_with_a_word() {
    let ladder = Ladder::new();
    assert!(ladder.run(&["--games=1"]).status.success());
    let mut store = open(&ladder.database(), None).expect("it is there");
    let mut games = Vec::new();
    store
        .read(&all(), &mut |row| games.push(row.expect("a row")))
        .expect("it can be read");
    let played = games
        .iter()
        .find(|game| game.bot == "kuma")
        .expect("kuma has played");
    let day_ms = 86_400_000;
    let old = |days: i64| ResultRow {
        key: key_of(&["old", &days.to_string()]),
        ended_ms: played.ended_ms - days * day_ms,
        ..played.clone()
    };
    store
        .write(&[old(6), old(8), old(15)])
        .expect("it can be written");
    let before = ladder.stand_in.requests().len();
    let ended = ladder.run(&["--games=1"]);
    assert!(
        ended
            .err
            .contains("given up after a week: games that are not on the ladder (1), "),
        "{}",
        ended.err
    );
    let rows = ladder.rows();
    let given_up = &rows[&old(8).key];
    assert_eq!(
        (given_up.players, given_up.log, &given_up.game_id),
        (LadderPart::GivenUp, LadderPart::GivenUp, &None)
    );
    assert!(!rows.contains_key(&old(6).key), "it is still looked for");
    assert!(
        !rows.contains_key(&old(15).key),
        "it is too old to be looked at"
    );
    assert!(ladder.stand_in.requests().len() > before);
    // The word comes once.
    let again = ladder.run(&["--games=1"]);
    assert!(
        !again.err.contains("given up after a week"),
        "{}",
        again.err
    );
}

#[test]
fn status_shows_the_rating_as_soon_as_it_is_known() {
    let ladder = Ladder::new();
    assert!(ladder.run(&["--games=1"]).status.success());
    let rows = ladder.rows();
    let kuma = rows
        .values()
        .find(|row| row.bot_id == number_of("kuma"))
        .expect("kuma has played");
    // Alone it waits in the queue.
    let mut running = Runner::new(["run".into(), ladder.configs[0].clone().into_os_string()])
        .env("TOKEN_kuma", "token-of-kuma")
        .start();
    running.line_with("kuma: queued");
    let shown = eventually(|| {
        let status = Runner::new(["status", "--json"]).run();
        let told: Value = serde_json::from_str(&status.out).ok()?;
        let runners = told.as_array()?.clone();
        let bots = runners
            .iter()
            .filter_map(|runner| runner["bots"].as_array().cloned())
            .flatten();
        bots.into_iter()
            .find(|bot| bot["arena"] == ladder.url && bot["rating"].is_object())
    });
    assert_eq!(shown["rating"]["now"].as_f64(), kuma.rating_after());
    assert_eq!(shown["rating"]["change"].as_f64(), kuma.rating_change);
}

/// Asks until there is an answer.
fn eventually<T>(ask: impl Fn() -> Option<T>) -> T {
    for _ in 0..300 {
        if let Some(answer) = ask() {
            return answer;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("there is no answer");
}
