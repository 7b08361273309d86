//! A ladder of a test's own: it tells of the games in a folder of records, with all hands, which it
//! puts together from the records of all seats.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use client::records::{GameRecord, RecordState, list};
use serde_json::{Value, json};
use time::format_description::well_known::Iso8601;

/// The rating of each bot before its first game.
pub(crate) const START: f64 = 1500.0;
/// What the places of a game change.
pub(crate) const CHANGES: [f64; 4] = [12.0, 4.0, -4.0, -12.25];

/// The number of a bot on the ladder.
pub(crate) fn number_of(bot: &str) -> u64 {
    bot.bytes().map(u64::from).sum()
}

/// Its faults.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StandInFaults {
    /// The points at the ends of rounds are wrong in logs.
    pub(crate) wrong_points: bool,
    /// It has no games.
    pub(crate) is_empty: bool,
    /// It refuses the players of games, and logs.
    pub(crate) refuses: bool,
    /// No log is published yet.
    pub(crate) has_no_logs: bool,
}

pub(crate) struct LadderStandIn {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
    faults: Arc<Mutex<StandInFaults>>,
}

/// A game from all seats.
struct OpenGame {
    /// By seats.
    records: Vec<GameRecord>,
}

impl LadderStandIn {
    /// Tells of the games of these bots, all of which keep their records there.
    pub(crate) fn start(records: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let (requests, faults) = (Arc::<Mutex<Vec<String>>>::default(), Arc::default());
        let (seen, folder) = (Arc::clone(&requests), records.to_owned());
        let of_thread: Arc<Mutex<StandInFaults>> = Arc::clone(&faults);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let faults = *of_thread.lock().expect("no panic");
                serve(&stream, &folder, &seen, faults);
            }
        });
        Self {
            url,
            requests,
            faults,
        }
    }

    pub(crate) fn set(&self, faults: StandInFaults) {
        *self.faults.lock().expect("no panic") = faults;
    }

    /// The paths that were asked for so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("no panic").clone()
    }
}

fn serve(mut stream: &TcpStream, folder: &Path, seen: &Mutex<Vec<String>>, faults: StandInFaults) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    // The head ends with an empty line.
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    seen.lock().expect("no panic").push(path.clone());
    let (status, body) = match answer(&path, folder, faults) {
        Some(body) => ("200 OK", body),
        None if faults.refuses => ("403 Forbidden", String::new()),
        None => ("404 Not Found", String::new()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all((head + &body).as_bytes());
}

fn answer(path: &str, folder: &Path, faults: StandInFaults) -> Option<String> {
    let games = if faults.is_empty {
        Vec::new()
    } else {
        games(folder)
    };
    let (path, _) = path.split_once('?').unwrap_or((path, ""));
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let wrapped = |data: Value| Some(json!({"ok": true, "data": data}).to_string());
    let with_id = |id: &str| games.iter().find(|game| game.id() == id);
    match parts[..] {
        ["api", "v1", "bots", bot, "games"] => wrapped(rows(&games, bot.parse().ok()?)),
        ["api", "v1", "games", id] if !faults.refuses => wrapped(with_id(id)?.described()),
        ["mjai-logs", _, _, _, file] if !faults.refuses && !faults.has_no_logs => {
            Some(with_id(file.strip_suffix(".jsonl.gz")?)?.log(faults.wrong_points))
        }
        _ => None,
    }
}

/// The complete games, oldest first.
fn games(folder: &Path) -> Vec<OpenGame> {
    let Ok((records, _)) = list(folder, |_| true) else {
        return Vec::new();
    };
    let mut tables: BTreeMap<String, Vec<GameRecord>> = BTreeMap::new();
    for record in records {
        // The discards of a game tell it from all others.
        let game = record.game().expect("it can be read");
        let key: String = game.lines().filter(|line| line.contains("dahai")).collect();
        if record.manifest.state == RecordState::Complete {
            tables.entry(key).or_default().push(record);
        }
    }
    let mut games: Vec<OpenGame> = tables
        .into_values()
        .filter(|records| records.len() == 4)
        .map(|mut records| {
            records.sort_by_key(|record| record.manifest.seat);
            OpenGame { records }
        })
        .collect();
    games.sort_by_key(|game| game.records[0].manifest.ended);
    games
}

/// The rows of a bot's games, newest first.
fn rows(games: &[OpenGame], bot: u64) -> Value {
    let (mut rating, mut rows) = (START, Vec::new());
    for game in games {
        for record in &game.records {
            if number_of(&record.manifest.about.bot) != bot {
                continue;
            }
            let played = record.manifest.played.as_ref().expect("it is complete");
            let place = played.place.expect("it is complete");
            let change = CHANGES[usize::from(place) - 1];
            let scores = played.scores.as_ref().expect("it is complete");
            rows.push(json!({
                "game_id": game.id(), "game_type": "ranked", "player_count": 4, "played_at": game.played_at(),
                "seat": record.manifest.seat, "rank": place, "score": scores[record.manifest.seat],
                "rating_before": rating, "rating_delta": change, "is_disconnected": false, "is_penalized": false,
            }));
            rating += change;
        }
    }
    rows.reverse();
    json!({"total": rows.len(), "has_more": false, "next_cursor": null, "games": rows})
}

impl OpenGame {
    fn id(&self) -> String {
        let name = self.records[0].name();
        let digits: String = name
            .bytes()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>();
        let digits = &digits[digits.len() - 32..];
        format!(
            "{}-{}-{}-{}-{}",
            &digits[..8],
            &digits[8..12],
            &digits[12..16],
            &digits[16..20],
            &digits[20..]
        )
    }

    fn played_at(&self) -> String {
        let ended = self.records[0].manifest.ended.expect("it is complete");
        let text = ended.format(&Iso8601::DEFAULT).expect("a time");
        text.trim_end_matches('Z')[..19].replace('T', " ")
    }

    fn described(&self) -> Value {
        let player = |record: &GameRecord| {
            let name = &record.manifest.about.bot;
            json!({
                "seat": record.manifest.seat, "bot_id": number_of(name), "bot_name": format!("{name}-on-the-ladder"),
                "is_disconnected": false, "is_penalized": false,
            })
        };
        let players: Vec<Value> = self.records.iter().map(player).collect();
        json!({"id": self.id(), "game_type": "ranked", "player_count": 4, "played_at": self.played_at(), "players": players})
    }

    /// The game with all hands.
    fn log(&self, wrong_points: bool) -> String {
        let games: Vec<Vec<Value>> = self
            .records
            .iter()
            .map(|record| {
                let text = record.game().expect("it can be read");
                text.lines()
                    .map(|line| serde_json::from_str(line).expect("JSON"))
                    .collect()
            })
            .collect();
        let mut text = String::new();
        for (index, event) in games[0].iter().enumerate() {
            let mut event = event.clone();
            match event["type"].as_str() {
                Some("start_game") => event = json!({"type": "start_game"}),
                Some("start_kyoku") => {
                    let hands: Vec<Value> = (0..4)
                        .map(|seat| games[seat][index]["tehais"][seat].clone())
                        .collect();
                    event["tehais"] = hands.into();
                }
                Some("tsumo") => {
                    let actor = event["actor"].as_u64().expect("a seat") as usize;
                    event["pai"] = games[actor][index]["pai"].clone();
                }
                Some("hora" | "ryukyoku") if wrong_points => {
                    event["deltas"] = json!([7000, -7000, 0, 0])
                }
                _ => {}
            }
            text.push_str(&event.to_string());
            text.push('\n');
        }
        text
    }
}

/// The records of a bot in a folder.
pub(crate) fn records_of(folder: &Path, bot: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it is there").flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.to_string_lossy().contains(&format!("-{bot}-")));
    paths.sort();
    paths
}
