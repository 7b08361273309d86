//! `play --person`: a seat that a script takes and plays as the page does.

mod same_wall;
mod takeover;

use std::collections::HashMap;
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::configs::{Folder, POLICY, arena};
use super::page::{Answer, ask, ask_with_body, get};
use super::program::{Finished, Runner, Running, cell, table};

/// Every game, with the arguments for a short one.
const GAMES: [&[&str]; 4] = [
    &["--length", "single"],
    &["--players", "3", "--length", "single"],
    &["--game", "chinese-standard"],
    &["--game", "doudizhu"],
];

/// A config of an adviser for each of them.
const ADVISERS: [&str; 4] = [
    "greedy-tenpai",
    "greedy-tenpai",
    "cs-eight-step",
    "doudizhu-split",
];

/// A game with a person who has not sat down.
struct Table {
    running: Running,
    seat: SeatLink,
}

impl Table {
    fn new(folder: &Folder, args: &[&str]) -> Self {
        let always = ["play", "--person", "--name", "Mia", "--pace-ms", "2"];
        Self::of(folder, always.iter().chain(args).copied())
    }

    fn of<'a>(folder: &Folder, args: impl Iterator<Item = &'a str>) -> Self {
        let mut running = Runner::new(args).in_folder(folder.path()).start();
        let seat = SeatLink::said_by(&mut running);
        Self { running, seat }
    }
}

/// The link of a seat.
struct SeatLink {
    address: String,
    token: String,
}

impl SeatLink {
    /// The next link that the program says.
    fn said_by(running: &mut Running) -> Self {
        Self::of(&running.line_with("seat: http://"))
    }

    /// The link of a line.
    fn of(line: &str) -> Self {
        let link = line.split(' ').nth(1).expect("a link");
        let link = link.trim_start_matches("http://");
        let (address, token) = link.split_once("/seat#").expect("a token");
        let (address, token) = (address.to_owned(), token.to_owned());
        Self { address, token }
    }

    /// Asks the seat, as a browser does.
    fn post(&self, path: &str, cookie: &str, body: &Value) -> Answer {
        let own = format!("Origin: http://{}", self.address);
        self.post_with(
            path,
            &[&own, "Content-Type: application/json", cookie],
            body,
        )
    }

    fn post_with(&self, path: &str, headers: &[&str], body: &Value) -> Answer {
        let host = format!("Host: {}", self.address);
        let given = headers.iter().copied().filter(|header| !header.is_empty());
        let headers: Vec<&str> = std::iter::once(&*host).chain(given).collect();
        let request = format!("POST {path}");
        ask_with_body(&self.address, &request, &headers, &body.to_string())
    }

    /// Takes the seat; the header with its cookie.
    fn sit(&self) -> String {
        let answer = self.post("/seat/take", "", &json!({"token": self.token}));
        assert_eq!(answer.status, 204, "{answer:?}");
        let cookie = answer
            .head
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = cookie.expect("a cookie");
        assert!(
            cookie.contains("httponly") && cookie.contains("samesite=strict"),
            "{cookie}"
        );
        format!("Cookie: {}", cookie.split(';').next().expect("its value"))
    }

    fn feed(&self, cookie: &str) -> Feed {
        Feed::of(&self.address, "/seat/events", cookie)
    }

    fn answer(&self, cookie: &str, question: &Value, action: usize) -> u16 {
        let body = json!({"question": question["number"], "action": action});
        self.post("/seat/answer", cookie, &body).status
    }
}

/// The events of a seat, and all bytes that came.
struct Feed {
    lines: BufReader<TcpStream>,
    bytes: String,
}

impl Feed {
    /// Listens to a feed, with a header besides that of the host.
    fn of(address: &str, path: &str, header: &str) -> Self {
        let mut stream = TcpStream::connect(address).expect("the page listens");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a time");
        let header = match header {
            "" => String::new(),
            header => format!("{header}\r\n"),
        };
        // The older version sends the body as it is, without lengths between.
        let request = format!("GET {path} HTTP/1.0\r\nHost: {address}\r\n{header}\r\n");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut feed = Self {
            lines: BufReader::new(stream),
            bytes: String::new(),
        };
        let status = feed.line().expect("a status");
        assert!(status.contains(" 200 "), "{status}");
        while feed.line().is_some_and(|line| !line.trim().is_empty()) {}
        feed
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).expect("the feed is read");
        self.bytes.push_str(&line);
        (read > 0).then_some(line)
    }

    /// The next event: its name and its data.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let line = self.line()?;
            if let Some(of) = line.strip_prefix("event: ") {
                name = of.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("JSON")));
            }
        }
    }

    /// The advice on a question; `None` at the end of the games.
    fn advice(&mut self, question: &Value) -> Option<Value> {
        loop {
            match self.next()? {
                (name, advice)
                    if name == "advice"
                        && advice["question"] == question["number"]
                        && !(advice["page"].is_null() && advice["trouble"].is_null())
                        || name == "advice" && !advice["ended"].is_null() =>
                {
                    return Some(advice);
                }
                (name, _) if name == "over" => return None,
                _ => {}
            }
        }
    }

    /// The last event of this name that has come.
    fn last(&self, name: &str) -> Option<Value> {
        let head = format!("event: {name}\ndata: ");
        let data = self.bytes.rsplit_once(&head)?.1.lines().next()?;
        Some(serde_json::from_str(data).expect("JSON"))
    }

    /// The next question.
    fn question(&mut self) -> Option<Value> {
        loop {
            match self.next()? {
                (name, question) if name == "question" && !question.is_null() => {
                    return Some(question);
                }
                (name, _) if name == "over" => return None,
                _ => {}
            }
        }
    }
}

/// The place of an action: a win, else for every third question any one, else a discard or a play.
fn choice(question: &Value) -> usize {
    let actions = question["actions"].as_array().expect("actions");
    let number = question["number"].as_u64().expect("a number") as usize;
    let win = actions.iter().position(|action| action["call"] == "Win");
    let own = actions.iter().rposition(|action| action["call"] == "");
    let any = (number.is_multiple_of(3)).then_some(number / 3 % actions.len());
    win.or(any).or(own).unwrap_or(0)
}

/// Plays a game to its end, with a new connection before every tenth question; all bytes that the
/// seat got.
fn play_out(table: &SeatLink, cookie: &str) -> String {
    let (mut bytes, mut feed) = (String::new(), table.feed(cookie));
    while let Some(question) = feed.question() {
        if question["number"]
            .as_u64()
            .is_some_and(|number| number.is_multiple_of(10))
        {
            bytes.push_str(&feed.bytes);
            feed = table.feed(cookie);
            let again = feed.question().expect("the same question");
            assert_eq!(again["number"], question["number"]);
            assert_eq!(again["actions"], question["actions"]);
        }
        assert_eq!(table.answer(cookie, &question, choice(&question)), 204);
    }
    bytes + &feed.bytes
}

fn record(folder: &Folder) -> Vec<Value> {
    recorded(folder, "games")
}

/// The lines of the first record in this folder.
fn recorded(folder: &Folder, records: &str) -> Vec<Value> {
    let file = folder.path().join(records).join("game-0001.jsonl");
    let text = fs::read_to_string(file).expect("a record");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    lines.collect()
}

#[test]
fn a_person_plays_every_game_to_its_end_and_counts_for_no_policy() {
    for game in GAMES {
        let folder = Folder::new();
        let args = [game, &["--seed", "3", "--record", "games", "--seat", "2"]].concat();
        let table_ = Table::new(&folder, &args);
        let cookie = table_.seat.sit();
        let bytes = play_out(&table_.seat, &cookie);
        assert!(bytes.contains("event: question"), "{game:?}: {bytes}");
        let finished: Finished = table_.running.finish();
        let rows = table(finished.exited(0));
        let own = rows.iter().find(|row| cell(row, "bot") == "Mia");
        let own = own.unwrap_or_else(|| panic!("{}", finished.out));
        if game.contains(&"single") {
            assert_eq!(cell(own, "policy"), "a person", "{}", finished.out);
        } else {
            assert_eq!(cell(own, "faults"), "0", "{}", finished.out);
        }
        assert!(
            finished
                .out
                .contains("Mia: a person, with 1m for each decision")
        );
        assert_eq!(record(&folder)[0]["names"][2], "Mia", "{game:?}");
        let decisions = folder.path().join("games/decisions/game-0001.jsonl");
        let decisions = fs::read_to_string(decisions).expect("the bots' decisions");
        assert!(!decisions.contains("Mia") && !decisions.contains("\"person\""));
    }
}

/// The letters of a code that is not a back.
fn known(codes: &Value) -> bool {
    codes
        .as_str()
        .expect("pieces")
        .chars()
        .any(|letter| letter != '?')
}

/// The rounds that a seat got, none of which holds what the seat may not know.
fn masked_rounds(bytes: &str) -> Vec<Value> {
    let rounds = data_of(bytes, "round");
    assert!(!rounds.is_empty(), "{bytes}");
    for page in &rounds {
        let own = page["seat"].as_u64().expect("its seat") as usize;
        assert_eq!(page["decisions"], json!([]), "{page}");
        let steps = page["rounds"][0]["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), 1, "only how it is now");
        let [words, _, position] = [0, 1, 2].map(|part| &steps[0][part]);
        let is_over = position["over"] == true;
        let names = page["names"].as_array().expect("names");
        for (seat, other) in position["seats"]
            .as_array()
            .expect("seats")
            .iter()
            .enumerate()
        {
            if seat == own || is_over {
                continue;
            }
            assert!(!known(&other["hand"]) && !known(&other["drawn"]), "{page}");
            let draws = format!("{} draws ", names[seat].as_str().expect("a name"));
            let words = words.as_str().expect("words");
            let says = words.strip_prefix(&draws);
            assert!(
                says.is_none_or(|tile| tile.starts_with("a tile") || tile.starts_with("flower")),
                "{words}"
            );
        }
        assert!(is_over || !known(&position["ura"]), "{page}");
    }
    rounds
}

#[test]
fn what_a_seats_browser_gets_holds_nothing_that_the_seat_may_not_know() {
    for ((place, game), seed) in GAMES
        .iter()
        .enumerate()
        .flat_map(|game| (1..=games()).map(move |seed| (game, seed)))
    {
        let folder = Folder::new();
        adviser(&folder, ADVISERS[place]);
        let seed = seed.to_string();
        let args = [
            *game,
            &["--seed", &seed, "--record", "games"],
            &["--adviser", "adviser.toml"],
        ]
        .concat();
        let table = Table::new(&folder, &args);
        let page = |path: &str| get(&table.seat.address, path).body;
        let before = (page("/seat"), page("/assets/seat.js"));
        let cookie = table.seat.sit();
        let bytes = play_out(&table.seat, &cookie);
        let rounds = masked_rounds(&bytes);
        let advice: Vec<Value> = data_of(&bytes, "advice");
        let questions: Vec<Value> = data_of(&bytes, "question");
        // In a short round the seat may have no choice at all.
        assert_eq!(
            advice.iter().any(|advice| advice["page"].is_object()),
            questions.iter().any(Value::is_object),
            "{game:?} of seed {seed}: {advice:?}"
        );
        for page in advice.iter().map(|advice| &advice["page"]) {
            if page.is_null() {
                continue;
            }
            // Nothing but the actions that the seat itself was offered.
            assert_eq!(page["rounds"], json!([]), "{page}");
            let offered = |action: &Value| {
                let mut offers = questions.iter().filter_map(|of| of["actions"].as_array());
                offers.any(|offers| offers.iter().any(|offer| offer["words"] == action[0]))
            };
            let actions = page["actions"].as_array().expect("actions");
            assert!(actions.iter().all(offered), "{page}");
        }
        // What is not in a position: lines of records, with tiles or cards as they write them.
        for hidden in record(&folder).iter().filter(|line| hides(line)) {
            assert!(!bytes.contains(&hidden.to_string()), "{hidden}");
        }
        let names: Vec<Value> = rounds[0]["names"].as_array().expect("names").clone();
        let finished = table.running.finish();
        finished.exited(0);
        assert!(names.contains(&json!("Mia")), "{names:?}");
        assert!(!before.0.contains(&table.seat.token) && !before.1.contains(&table.seat.token));
    }
}

/// The data of all events of this name.
fn data_of(bytes: &str, name: &str) -> Vec<Value> {
    let head = format!("event: {name}\ndata: ");
    let of = |event: &str| serde_json::from_str(event.lines().next().expect("data"));
    let events = bytes.split(&head).skip(1);
    events.map(|event| of(event).expect("JSON")).collect()
}

/// Number of games of each kind: a few, or as many as `PERSON_GAMES` says.
fn games() -> u32 {
    let number = std::env::var("PERSON_GAMES").ok();
    number.map_or(3, |number| number.parse().expect("a number"))
}

/// Whether a line of a record holds what only one seat knows.
fn hides(line: &Value) -> bool {
    ["start_kyoku", "tsumo", "deal", "draw"].contains(&line["type"].as_str().unwrap_or_default())
}

#[test]
fn while_a_person_plays_the_page_of_the_bots_shows_no_round_and_no_log() {
    for game in GAMES {
        let folder = Folder::new();
        // Of a wall on which the person is asked.
        let table = Table::new(&folder, &[game, &["--seed", "3"]].concat());
        let cookie = table.seat.sit();
        let question = table.seat.feed(&cookie).question().expect("a question");
        let bots = get(&table.seat.address, "/api/status").body;
        let bots: Value = serde_json::from_str(&bots).expect("JSON");
        let names = bots[0]["bots"].as_array().expect("bots").iter();
        let names: Vec<&str> = names.filter_map(|bot| bot["bot"].as_str()).collect();
        assert!(names.contains(&"Mia"), "{names:?}");
        for name in names {
            let round = get(&table.seat.address, &format!("/api/round?bot={name}"));
            assert_eq!(round.status, 404, "{name}: {}", round.body);
            let mut feed = Feed::of(&table.seat.address, &format!("/events?bot={name}"), "");
            let round = std::iter::from_fn(|| feed.next()).find(|(event, _)| event == "round");
            assert_eq!(round, Some(("round".to_owned(), Value::Null)), "{name}");
        }
        assert_eq!(get(&table.seat.address, "/api/log").body.trim(), "[]");
        assert!(question["left_ms"].as_u64() <= question["limit_ms"].as_u64());
        drop(table);
    }
}

#[test]
fn a_seat_is_taken_once_and_by_its_token_alone() {
    let folder = Folder::new();
    let table = Table::new(&folder, &[GAMES[0], &["--seed", "3"]].concat());
    assert_eq!(table.seat.token.len(), 32, "128 bits");
    for forged in [
        "",
        "0",
        &"0".repeat(32),
        &table.seat.token[1..],
        &format!("{}0", table.seat.token),
    ] {
        let answer = table.seat.post("/seat/take", "", &json!({"token": forged}));
        assert_eq!(answer.status, 403, "{forged}: {answer:?}");
    }
    let cookie = table.seat.sit();
    let again = table
        .seat
        .post("/seat/take", "", &json!({"token": table.seat.token}));
    assert_eq!(again.status, 403);
    assert!(again.body.contains("the seat is taken"), "{again:?}");
    let holder = table.seat.post("/seat/take", &cookie, &json!({}));
    assert_eq!(holder.status, 204, "the browser that has it");
    let other = if cookie.ends_with('0') { '1' } else { '0' };
    let forged = format!("{}{other}", &cookie[..cookie.len() - 1]);
    let host = format!("Host: {}", table.seat.address);
    for headers in [&[&*host][..], &[&*host, &*forged], &[&*host, "Cookie: a=b"]] {
        let answer = ask(&table.seat.address, "GET /seat/events", headers);
        assert_eq!(answer.status, 403, "{answer:?}");
    }
    table.running.stop();
}

#[test]
fn the_link_opens_the_seat_and_not_the_rest_of_a_page_with_a_token() {
    let folder = Folder::new();
    let file = folder.file("page.token", "canary-0123456789-abcdef\n");
    fs::set_permissions(file, Permissions::from_mode(0o600)).expect("it is ours");
    let page = ["--page", "127.0.0.1:0", "--page-token-file", "page.token"];
    let table = Table::new(&folder, &page);
    let cookie = table.seat.sit();
    assert!(table.seat.feed(&cookie).question().is_some());
    let host = format!("Host: {}", table.seat.address);
    for (path, status) in [
        ("/seat", 200),
        ("/assets/seat.js", 200),
        ("/", 401),
        ("/api/status", 401),
        ("/api/round?bot=Mia", 401),
        ("/events", 401),
        ("/metrics", 401),
        ("/seats", 401),
    ] {
        let answer = ask(
            &table.seat.address,
            &format!("GET {path}"),
            &[&host, &cookie],
        );
        assert_eq!(answer.status, status, "{path}");
    }
}

#[test]
fn actions_that_are_forged_repeated_late_illegal_or_of_another_site_change_nothing() {
    let folder = Folder::new();
    let table = Table::new(
        &folder,
        &["--length", "single", "--seed", "3", "--think-ms", "3000"],
    );
    let cookie = table.seat.sit();
    let mut feed = table.seat.feed(&cookie);
    let question = feed.question().expect("a question");
    let number = question["number"].as_u64().expect("a number");
    let count = question["actions"].as_array().expect("actions").len();
    let body = json!({"question": number, "action": 0});
    let (own, json_) = (
        format!("Origin: http://{}", table.seat.address),
        "Content-Type: application/json",
    );
    let site = |headers: &[&str]| table.seat.post_with("/seat/answer", headers, &body).status;
    assert_eq!(site(&[&own, json_]), 403, "no cookie");
    assert_eq!(
        site(&[&own, json_, "Cookie: bot-runner-seat-1=x"]),
        403,
        "forged"
    );
    assert_eq!(site(&[json_, &cookie]), 403, "no origin");
    for other in [
        "null",
        "http://example.org",
        "http://127.0.0.1:1",
        "http://localhost",
    ] {
        let other = format!("Origin: {other}");
        assert_eq!(site(&[&other, json_, &cookie]), 403, "{other}");
    }
    assert_eq!(site(&[&own, &own, json_, &cookie]), 403, "two origins");
    assert_eq!(
        site(&[&own, json_, &cookie, "Sec-Fetch-Site: cross-site"]),
        403
    );
    assert_eq!(site(&[&own, "Content-Type: text/plain", &cookie]), 415);
    let post = |body: Value| table.seat.post("/seat/answer", &cookie, &body).status;
    assert_eq!(
        post(json!({"question": number + 1, "action": 0})),
        409,
        "not asked yet"
    );
    assert_eq!(
        post(json!({"question": number - 1, "action": 0})),
        409,
        "not asked"
    );
    assert_eq!(
        post(json!({"question": number, "action": count})),
        422,
        "no such action"
    );
    for wrong in [
        json!({}),
        json!({"question": -1, "action": 0}),
        json!([]),
        json!("x"),
    ] {
        assert_eq!(post(wrong.clone()), 400, "{wrong}");
    }
    // Nothing has changed: the question is still open, once.
    assert_eq!(table.seat.answer(&cookie, &question, count - 1), 204);
    assert_eq!(
        table.seat.answer(&cookie, &question, count - 1),
        409,
        "repeated"
    );
    let late = feed.question().expect("another question");
    // The feed says that its time is over.
    assert!(matches!(feed.next(), Some((name, data)) if name == "round" || data.is_null()));
    thread::sleep(Duration::from_millis(3100));
    assert_eq!(table.seat.answer(&cookie, &late, 0), 409, "late");
    table.running.stop();
}

#[test]
fn a_closed_page_costs_safe_answers_and_not_the_game() {
    for game in GAMES {
        let folder = Folder::new();
        let args = [
            game,
            &["--seed", "5", "--think-ms", "20", "--record", "games"],
        ]
        .concat();
        let table = Table::new(&folder, &args);
        table.seat.sit();
        let finished = table.running.finish();
        assert!(finished.exited(0).contains("Mia"), "{}", finished.out);
        assert!(!finished.err.contains("set aside"), "{}", finished.err);
        assert!(record(&folder).len() > 10, "{game:?}");
    }
}

#[test]
fn a_run_that_is_stopped_before_the_person_sits_down_says_so() {
    let folder = Folder::new();
    let table = Table::new(&folder, &[]);
    table.running.interrupt();
    let finished = table.running.finish();
    finished.exited(1);
    assert!(
        finished.err.contains("stopped before the person sat down"),
        "{}",
        finished.err
    );
}

#[test]
fn a_seat_that_the_table_does_not_have_and_options_without_a_person_are_refused() {
    let refused = |args: &[&str]| {
        let finished = Runner::new(["play"].iter().chain(args)).run();
        (finished.status.code(), finished.err)
    };
    let (code, err) = refused(&["--person", "--players", "3", "--seat", "3"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("--seat: found 3; the seats of this table are 0 to 2"),
        "{err}"
    );
    let (code, err) = refused(&["--person", "--fill", "none", "--seat", "1"]);
    assert!(
        code == Some(1) && err.contains("leave out one of the two"),
        "{err}"
    );
    for alone in [["--seat", "1"], ["--name", "Mia"], ["--think-ms", "5"]] {
        let (code, err) = refused(&alone);
        assert!(code == Some(2) && err.contains("--person"), "{err}");
    }
}

#[test]
fn a_person_takes_the_requested_seat() {
    let seats: HashMap<&str, usize> = ["0", "1", "2", "3"]
        .into_iter()
        .map(|seat| {
            let folder = Folder::new();
            let args = ["--length", "single", "--seed", "9", "--seat", seat];
            let table = Table::new(&folder, &args);
            let cookie = table.seat.sit();
            let mut feed = table.seat.feed(&cookie);
            let page = loop {
                match feed.next().expect("a round") {
                    (name, page) if name == "round" => break page,
                    _ => {}
                }
            };
            table.running.stop();
            (seat, page["seat"].as_u64().expect("its seat") as usize)
        })
        .collect();
    for (seat, found) in seats {
        assert_eq!(seat, found.to_string());
    }
}

/// Writes the config of an adviser with a built-in policy.
fn adviser(folder: &Folder, id: &str) {
    let config = format!("name = \"adviser\"\n[policy]\nid = {id:?}\nlibrary = \"builtin\"\n");
    folder.file("adviser.toml", config);
}

#[test]
fn a_hint_comes_for_every_question_and_the_differences_after_the_round() {
    for (game, id) in GAMES.into_iter().zip(ADVISERS) {
        let folder = Folder::new();
        adviser(&folder, id);
        let args = [game, &["--seed", "3", "--adviser", "adviser.toml"]].concat();
        let table = Table::new(&folder, &args);
        let cookie = table.seat.sit();
        let mut feed = table.seat.feed(&cookie);
        let (mut made, mut others) = (0, Vec::new());
        while let Some(question) = feed.question() {
            let advice = feed.advice(&question).expect("advice");
            assert!(advice["adviser"].as_str().expect("a name").starts_with(id));
            let page = &advice["page"];
            let decision = &page["decisions"][0];
            let legal = decision["legal"].as_array().expect("actions");
            let actions = question["actions"].as_array().expect("actions");
            assert_eq!(legal.len(), actions.len(), "{advice}");
            for (action, place) in actions.iter().zip(legal) {
                let place = place.as_u64().expect("a place") as usize;
                assert_eq!(page["actions"][place][0], action["words"]);
            }
            let own = decision["own"]["chosen"].as_u64().expect("a choice") as usize;
            assert!(decision["own"]["values"].is_array(), "{game:?}: {advice}");
            let done = choice(&question);
            assert_eq!(table.seat.answer(&cookie, &question, done), 204);
            made += 1;
            if actions[done]["words"] != actions[own]["words"] {
                others.push((
                    actions[done]["words"].clone(),
                    actions[own]["words"].clone(),
                ));
            }
        }
        let compared = feed.last("compared").expect("the comparison");
        let compared = compared.as_array().expect("rounds");
        assert_eq!(compared.len(), 1, "{game:?}: {compared:?}");
        assert_eq!(compared[0]["made"], made, "{game:?}");
        assert_eq!(compared[0]["compared"], made, "{game:?}");
        let differences = compared[0]["differences"].as_array().expect("a list");
        let words = |of: &Value| (of["done"].clone(), of["advised"].clone());
        let found: Vec<_> = differences.iter().map(words).collect();
        assert_eq!(found, others, "{game:?}");
        assert!(!others.is_empty(), "{game:?}");
        for difference in differences {
            let loss = &difference["loss"];
            assert!(
                loss.is_null() || loss["value"].as_f64() >= Some(0.0),
                "{loss}"
            );
        }
        assert!(
            differences.iter().any(|of| of["loss"].is_object()),
            "{game:?}"
        );
        let finished = table.running.finish();
        let line = format!(
            "would have decided otherwise in {} of {made} decisions",
            others.len()
        );
        assert!(finished.exited(0).contains(&line), "{}", finished.out);
        assert!(finished.out.contains(", advised by "), "{}", finished.out);
    }
}

/// A program that answers its trial, and then does this.
const ODD_ADVISER: &str = r#"import json, os, sys, time
for line in sys.stdin:
    view = json.loads(line)
    if os.path.exists("odd"):
        ACT
    print(json.dumps({"index": 0}), flush=True)
"#;

#[test]
fn an_adviser_that_is_slow_or_fails_delays_no_game_and_says_so() {
    let programs = ["program", "program", "cs-program", "doudizhu-program"];
    for (act, says) in [("time.sleep(20)", None), ("sys.exit(1)", Some("program"))] {
        for (game, id) in GAMES.into_iter().zip(programs) {
            let folder = Folder::new();
            folder.file("odd.py", ODD_ADVISER.replace("ACT", act));
            let params = "[policy.params]\ncommand = \"python3 odd.py\"\n";
            let section = format!("[policy]\nid = {id:?}\nlibrary = \"builtin\"\n{params}");
            folder.file("adviser.toml", format!("name = \"adviser\"\n{section}"));
            let args = [game, &["--seed", "3", "--adviser", "adviser.toml"]].concat();
            let table = Table::new(&folder, &args);
            folder.file("odd", "");
            let cookie = table.seat.sit();
            let mut feed = table.seat.feed(&cookie);
            let mut questions = 0;
            while let Some(question) = feed.question() {
                if let (0, Some(says)) = (questions, says) {
                    let advice = feed.advice(&question).expect("that there is none");
                    let trouble = advice["trouble"].as_str().or(advice["ended"].as_str());
                    let trouble = trouble.expect("the trouble");
                    assert!(trouble.contains(says), "{advice}");
                }
                questions += 1;
                assert_eq!(
                    table.seat.answer(&cookie, &question, choice(&question)),
                    204
                );
            }
            assert!(questions > 3, "{game:?}");
            let finished = table.running.finish();
            let out = finished.exited(0);
            let what = "would have decided otherwise in 0 of 0 decisions that it was asked about";
            assert!(out.contains(what), "{out}");
            assert!(says.is_none() || out.contains("\nadviser: "), "{out}");
        }
    }
}

#[test]
fn an_adviser_of_another_game_and_one_without_a_person_are_refused() {
    let folder = Folder::new();
    adviser(&folder, "cs-fan");
    let refused = |args: &[&str]| {
        let args = args.iter().chain(&["--adviser", "adviser.toml"]);
        let finished = Runner::new(args).in_folder(folder.path()).run();
        (finished.status.code(), finished.err)
    };
    let (code, err) = refused(&["play", "--person"]);
    assert!(code == Some(1) && err.contains("adviser.toml"), "{err}");
    for command in ["play", "arena"] {
        let (code, err) = refused(&[command]);
        assert!(code == Some(2) && err.contains("--person"), "{err}");
    }
}

/// The hands of the first deal in the record of a folder.
fn dealt(folder: &Folder, records: &str) -> Value {
    let hands = |line: &Value| line.get("tehais").or(line.get("hands")).cloned();
    let record = recorded(folder, records);
    record.iter().find_map(hands).expect("a deal")
}

#[test]
fn the_offered_command_line_plays_the_same_wall_again_from_another_seat() {
    for game in GAMES {
        let folder = Folder::new();
        let mut command = [
            "play --person --name Mia --pace-ms 2 --seat 1",
            &game.join(" "),
        ]
        .join(" ");
        for (seat, records) in [(1, "first"), (2, "second")] {
            let args = format!("{command} --record {records}");
            let table = Table::of(&folder, args.split(' '));
            let cookie = table.seat.sit();
            let bytes = play_out(&table.seat, &cookie);
            assert_eq!(data_of(&bytes, "round")[0]["seat"], seat, "{game:?}");
            let again = &data_of(&bytes, "again")[0];
            assert_eq!((&again["seat"], &again["games"]), (&json!(seat), &json!(1)));
            let offered = again["command"].as_str().expect("a command line");
            let finished = table.running.finish();
            let said = format!("the same again: {offered} --seat {seat}\n");
            assert!(finished.exited(0).ends_with(&said), "{}", finished.out);
            let args = offered.strip_prefix("bot-runner ").expect("the program");
            command = format!("{args} --seat 2");
        }
        assert_eq!(
            dealt(&folder, "first"),
            dealt(&folder, "second"),
            "{game:?}"
        );
    }
}

/// Plays until no question is left.
fn answer_all(seat: &SeatLink) -> String {
    let cookie = seat.sit();
    let mut feed = seat.feed(&cookie);
    while let Some(question) = feed.question() {
        assert_eq!(seat.answer(&cookie, &question, choice(&question)), 204);
    }
    feed.bytes
}

#[test]
fn two_people_and_a_bot_of_another_process_play_at_one_table_of_an_arena() {
    let folder = Folder::new();
    let args = [
        "arena",
        "--person=Mia",
        "--person=Ken",
        "--players=3",
        "--length=single",
        "--seed=3",
        "--adviser=adviser.toml",
    ];
    adviser(&folder, "greedy-tenpai");
    // The seats of people reach the arena of their process without a proxy.
    let mut running = Runner::new(args)
        .env("HTTP_PROXY", "http://127.0.0.1:1")
        .in_folder(folder.path())
        .start();
    let line = running.line_with("listening on ws://");
    let url = line.split(' ').nth(2).expect("an address").to_owned();
    let seats = [(); 2].map(|()| SeatLink::said_by(&mut running));
    let section = arena(&url, "NEKO_TOKEN");
    let config = format!("name = \"neko\"\n{section}players = 3\n{POLICY}");
    folder.file("neko.toml", config);
    thread::scope(|scope| {
        let people = seats
            .each_ref()
            .map(|seat| scope.spawn(|| answer_all(seat)));
        Runner::new(["run", "neko.toml", "--games=1"])
            .env("NEKO_TOKEN", "token-of-neko")
            .in_folder(folder.path())
            .run()
            .exited(0);
        let result = running.line_with("game 1: ");
        assert!(
            result.contains("Mia ") && result.contains("Ken "),
            "{result}"
        );
        running.interrupt();
        let [mia, ken] = people.map(|person| person.join().expect("it plays to the end"));
        for (bytes, own, other) in [(mia, "Mia", "Ken"), (ken, "Ken", "Mia")] {
            assert!(bytes.contains(own) && !bytes.contains(other), "{bytes}");
            let advice = data_of(&bytes, "advice");
            assert!(advice.iter().any(|of| of["page"].is_object()), "{advice:?}");
        }
    });
    running.finish().exited(0);
}

#[test]
fn people_of_an_arena_have_names_of_their_own_and_a_page_needs_people() {
    for (args, why) in [
        (
            &["--person", "--person"][..],
            "two players have the name person",
        ),
        (&["--person= "], "a name has characters that can be seen"),
        (&["--page"], "it serves the seats of people, and none plays"),
    ] {
        let finished = Runner::new(["arena"].iter().chain(args)).run();
        assert!(finished.exited(1).is_empty(), "{}", finished.out);
        assert!(finished.err.contains(why), "{}", finished.err);
    }
}

/// Tables of the measurement, each with one person.
const TABLES: usize = 20;

/// The time that the people of the measurement think for.
const THINK: Duration = Duration::from_millis(200);

/// The time on a processor that all threads of a process have had.
fn processor_time(process: u32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
    let spent = |thread: std::io::Result<fs::DirEntry>| {
        let text = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    };
    Duration::from_nanos(threads.filter_map(spent).sum())
}

/// Answers questions until `until`, and leaves the next one open. Returns how long each action took
/// from its request until the table had moved on.
fn measured(
    seat: &SeatLink,
    cookie: &str,
    (mut feed, mut question): (Feed, Value),
    until: Instant,
    idle: &Barrier,
) -> Vec<Duration> {
    let mut took = Vec::new();
    while Instant::now() < until {
        thread::sleep(THINK);
        let sent = Instant::now();
        let status = seat.answer(cookie, &question, choice(&question));
        assert_eq!(status, 204, "{question}");
        while feed.next().expect("games go on").0 != "round" {}
        took.push(sent.elapsed());
        question = feed.question().expect("games go on");
    }
    // All tables are idle from the first time to the second.
    idle.wait();
    idle.wait();
    took
}

#[test]
#[ignore = "a measurement; see docs/checks.md"]
#[allow(clippy::print_stdout, reason = "the figures are for the reader")]
fn how_long_an_action_takes_with_twenty_tables_and_what_idle_tables_cost() {
    let people = (0..TABLES).map(|number| format!("--person=P{number}"));
    let args = ["arena", "--players=3", "--fill-after=0", "--grace-ms=60000"];
    let args = args.map(str::to_owned).into_iter().chain(people);
    let mut running = Runner::new(args).start();
    let seats: Vec<SeatLink> = (0..TABLES)
        .map(|_| SeatLink::said_by(&mut running))
        .collect();
    let idle = Barrier::new(TABLES + 1);
    let process = running.process();
    // One after another, so that each gets a table of its own.
    let begun: Vec<_> = seats
        .iter()
        .map(|seat| {
            let cookie = seat.sit();
            let mut feed = seat.feed(&cookie);
            let question = feed.question().expect("a question");
            (seat, cookie, (feed, question))
        })
        .collect();
    let until = Instant::now() + Duration::from_secs(30);
    let idle = &idle;
    let (mut took, spent) = thread::scope(|scope| {
        let people: Vec<_> = begun
            .into_iter()
            .map(|(seat, cookie, at)| scope.spawn(move || measured(seat, &cookie, at, until, idle)))
            .collect();
        idle.wait();
        thread::sleep(Duration::from_secs(1));
        let before = processor_time(process);
        thread::sleep(Duration::from_secs(10));
        let spent = processor_time(process).saturating_sub(before);
        idle.wait();
        let took = people
            .into_iter()
            .map(|person| person.join().expect("it plays"));
        (took.flatten().collect::<Vec<_>>(), spent)
    });
    took.sort_unstable();
    let at = |part: f64| took[((took.len() - 1) as f64 * part) as usize];
    eprintln!(
        "{} actions at {TABLES} tables: p50 {:?}, p99 {:?}, most {:?}",
        took.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    eprintln!("{TABLES} idle tables for 10 s: {spent:?} of a processor");
    running.stop();
}
