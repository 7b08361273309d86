//! `takeover`: a person plays in place of a bot's policy, and gives the seat back.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::*;
use crate::page;

/// Runners of a test, which no other test reaches.
struct OwnRunners {
    folder: Folder,
    runtime: PathBuf,
}

impl OwnRunners {
    fn new() -> Self {
        let folder = Folder::new();
        let runtime = folder.private("runtime");
        Self { folder, runtime }
    }

    fn runner(&self, args: &[&str]) -> Runner {
        let runtime = self.runtime.to_str().expect("UTF-8");
        Runner::new(args)
            .env("XDG_RUNTIME_DIR", runtime)
            .in_folder(self.folder.path())
    }

    /// Plays game after game, with a bot named `kuma` among the players.
    fn play(&self, place: usize, more: &[&str]) -> (Running, String) {
        let id = ADVISERS[place];
        let policy = format!("[policy]\nid = {id:?}\nlibrary = \"builtin\"\n");
        self.folder
            .file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
        let args = ["play", "kuma.toml", "--page", "127.0.0.1:0", "--seed", "3"];
        let always = ["--pace-ms", "10", "--games", "1000"];
        let mut running = self
            .runner(&[&args[..], &always, GAMES[place], more].concat())
            .start();
        let address = page::address(&mut running);
        // It plays.
        until_status(&address, "/api/round?bot=kuma", 200);
        (running, address)
    }

    fn takeover(&self, args: &[&str]) -> Finished {
        self.runner(&[&["takeover"][..], args].concat()).run()
    }

    fn link(&self, bot: &str) -> SeatLink {
        let finished = self.takeover(&[bot]);
        SeatLink::of(finished.exited(0).trim())
    }
}

/// Asks a page until it answers with this status.
#[track_caller]
fn until_status(address: &str, path: &str, status: u16) {
    let until = Instant::now() + Duration::from_secs(60);
    while get(address, path).status != status {
        assert!(Instant::now() < until, "{path} never answers {status}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn give_back(seat: &SeatLink, cookie: &str) -> u16 {
    seat.post("/seat/give-back", cookie, &json!({})).status
}

/// Listens until the seat is given back, and nothing more comes.
fn until_left(feed: &mut Feed) {
    while let Some((name, _)) = feed.next() {
        if name == "left" {
            assert!(feed.next().is_none(), "nothing more comes");
            return;
        }
    }
    panic!("the seat is not given back: {}", feed.bytes);
}

/// All files of a folder, as lines.
fn lines_in(folder: PathBuf) -> Vec<String> {
    let files = fs::read_dir(folder).expect("it is there");
    let files = files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.is_file());
    let texts = files.map(|path| fs::read_to_string(path).expect("text"));
    texts
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

#[test]
fn a_seat_is_taken_over_between_two_decisions_and_given_back_in_every_game() {
    for place in 0..GAMES.len() {
        let runners = OwnRunners::new();
        let (mut running, address) = runners.play(place, &["--record", "games"]);
        let link = runners.link("kuma");
        assert_eq!(link.address, address);
        assert_eq!(get(&address, "/api/round?bot=kuma").status, 200, "not yet");
        let cookie = link.sit();
        let mut feed = link.feed(&cookie);
        assert_eq!(
            feed.next(),
            Some(("lent".to_owned(), json!({"bot": "kuma"})))
        );
        running.line_with("kuma: a person takes the seat over");
        for _ in 0..5 {
            let question = feed.question().expect("games go on");
            assert_eq!(question["limit_ms"].as_u64().expect("a time") / 1000, 59);
            assert_eq!(link.answer(&cookie, &question, choice(&question)), 204);
        }
        let open = feed.question().expect("games go on");
        assert_eq!(get(&address, "/api/round?bot=kuma").status, 404);
        assert_eq!(get(&address, "/api/log").body.trim(), "[]");
        let status: Value = serde_json::from_str(&get(&address, "/api/status").body).expect("JSON");
        let bots = status[0]["bots"].as_array().expect("bots").iter();
        let mut policies = bots.filter(|bot| bot["bot"] == "kuma");
        let policy = policies.next().map(|bot| &bot["policy"]["id"]);
        assert_eq!(policy, Some(&json!("person")), "{status}");

        assert_eq!(give_back(&link, &cookie), 204);
        until_left(&mut feed);
        running.line_with("kuma: its policy decides again");
        let late = link.answer(&cookie, &open, 0);
        assert!([403, 404].contains(&late), "{late}");
        until_status(&address, "/api/round?bot=kuma", 200);
        running.interrupt();
        let finished = running.finish();
        let says = "kuma: a person made 5 of its ";
        assert!(finished.exited(0).contains(says), "{}", finished.out);
        if GAMES[place].contains(&"single") {
            assert!(finished.out.contains("a person, "), "{}", finished.out);
        }
        let decisions = lines_in(runners.folder.path().join("games/decisions"));
        let of_person = |line: &&String| line.contains("\"person\"");
        assert_eq!(decisions.iter().filter(of_person).count(), 5);
        assert!(decisions.iter().any(|line| line.contains(ADVISERS[place])));
    }
}

#[test]
fn a_seat_that_is_taken_over_gets_nothing_that_it_may_not_know() {
    for place in 0..GAMES.len() {
        let runners = OwnRunners::new();
        let (running, _) = runners.play(place, &["--record", "games"]);
        let link = runners.link("kuma");
        let cookie = link.sit();
        let (mut feed, mut bytes) = (link.feed(&cookie), String::new());
        for number in 0..60 {
            if number % 20 == 19 {
                bytes.push_str(&feed.bytes);
                feed = link.feed(&cookie);
            }
            let question = feed.question().expect("games go on");
            assert_eq!(link.answer(&cookie, &question, choice(&question)), 204);
        }
        bytes.push_str(&feed.bytes);
        assert!(!masked_rounds(&bytes).is_empty());
        assert_eq!(give_back(&link, &cookie), 204);
        running.interrupt();
        running.finish().exited(0);
        let lines = lines_in(runners.folder.path().join("games"));
        assert!(lines.len() > 60);
        let lines = lines
            .iter()
            .map(|line| serde_json::from_str(line).expect("JSON"));
        for hidden in lines.filter(hides) {
            assert!(!bytes.contains(&hidden.to_string()), "{hidden}");
        }
    }
}

#[test]
fn forged_repeated_late_and_other_peoples_tokens_take_and_give_back_nothing() {
    let runners = OwnRunners::new();
    let (mut running, address) = runners.play(0, &[]);
    let answer = get(&address, "/seat");
    assert_eq!(answer.status, 404, "no seat is offered: {answer:?}");
    let first = runners.link("kuma");
    assert_eq!(first.token.len(), 32, "128 bits");
    let second = runners.link("kuma");
    let take =
        |token: &str, cookie: &str| second.post("/seat/take", cookie, &json!({"token": token}));
    for token in ["", "0", &"0".repeat(32), &first.token, &second.token[1..]] {
        assert_eq!(take(token, "").status, 403, "{token}");
    }
    let cookie = second.sit();
    assert_eq!(take(&second.token, "").status, 403, "once");
    let refused = runners.takeover(&["kuma"]);
    let out = refused.exited(1);
    assert!(out.contains("a person has it"), "{out}");

    // Another bot of the table, whose person is another one.
    let status: Value = serde_json::from_str(&get(&address, "/api/status").body).expect("JSON");
    let bots = status[0]["bots"].as_array().expect("bots").iter();
    let mut others = bots.filter_map(|bot| bot["bot"].as_str().filter(|name| *name != "kuma"));
    let other = runners.link(others.next().expect("another bot"));
    let both = take(&other.token, &cookie);
    assert_eq!(both.status, 409, "{both:?}");
    let others_cookie = other.sit();
    second.feed(&cookie).question().expect("games go on");
    let action = json!({"question": 9_999, "action": 0});
    let answer = second.post("/seat/answer", &others_cookie, &action);
    assert_eq!(answer.status, 409, "of its own seat: {answer:?}");
    let (origin, kind) = (
        format!("Origin: http://{address}"),
        "Content-Type: application/json",
    );
    for (headers, status) in [
        (&[&origin, kind][..], 403),
        (&[&origin, kind, "Cookie: bot-runner-seat-1=x"], 403),
        (&[kind, &cookie], 403),
        (&["Origin: http://example.org", kind, &cookie], 403),
        (&[&origin, kind, &cookie, "Sec-Fetch-Site: cross-site"], 403),
        (&[&origin, "Content-Type: text/plain", &cookie], 415),
    ] {
        let answer = second.post_with("/seat/give-back", headers, &json!({}));
        assert_eq!(answer.status, status, "{headers:?}: {answer:?}");
    }
    // Nothing has changed: the person still plays.
    let question = second.feed(&cookie).question().expect("games go on");
    assert_eq!(second.answer(&cookie, &question, choice(&question)), 204);

    let given = runners.takeover(&["kuma", "--give-back"]);
    assert!(given.exited(0).contains("given back to its policy"));
    // The games wait for the other person, too.
    let has_left = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut feed = other.feed(&others_cookie);
            while let Some(question) = feed.question().filter(|_| !has_left.load(Relaxed)) {
                other.answer(&others_cookie, &question, choice(&question));
            }
        });
        running.line_with("kuma: its policy decides again");
        has_left.store(true, Relaxed);
    });
    assert_eq!(give_back(&second, &cookie), 403, "late");
    assert_eq!(take(&second.token, "").status, 403, "late");
    assert_eq!(take(&second.token, &cookie).status, 403, "late");
    let again = runners.takeover(&["kuma", "--give-back"]);
    let out = again.exited(1);
    assert!(out.contains("no person has it"), "{out}");
    assert_eq!(give_back(&other, &others_cookie), 204);
    running.stop();
}

#[test]
fn a_taken_seat_without_a_page_costs_safe_answers_and_a_reload_waits_for_the_person() {
    let runners = OwnRunners::new();
    let (mut running, _) = runners.play(0, &[]);
    let link = runners.link("kuma");
    let cookie = link.sit();
    running.line_with("kuma: a person takes the seat over");
    let question = link.feed(&cookie).question().expect("games go on");
    let config = runners.folder.path().join("kuma.toml");
    let text = fs::read_to_string(&config).expect("the config");
    fs::write(config, text.replace("greedy-tenpai", "eight-step")).expect("it is ours");
    let reloaded = runners.runner(&["reload", "kuma"]).run();
    let out = reloaded.exited(0);
    assert!(
        out.contains("is ready and takes over when the bot's game allows it"),
        "{out}"
    );
    // The person still plays.
    assert_eq!(link.answer(&cookie, &question, choice(&question)), 204);
    let mut feed = link.feed(&cookie);
    feed.question().expect("games go on");
    runners.takeover(&["kuma", "--give-back"]).exited(0);
    until_left(&mut feed);
    let status = || runners.runner(&["status", "--json"]).run().out;
    let until = Instant::now() + Duration::from_secs(60);
    while !status().contains("eight-step") {
        assert!(Instant::now() < until, "the new policy decides");
        thread::sleep(Duration::from_millis(50));
    }
    running.stop();
}

#[test]
fn a_bot_of_run_is_taken_over_at_an_arena_of_ones_own_and_its_record_says_so() {
    let runners = OwnRunners::new();
    let args = ["arena", "--fill-after=0", "--players=3", "--length=single"];
    let slow = ["--grace-ms=60000", "--seed=3", "--pace-ms=20"];
    let mut arena = runners.runner(&[&args[..], &slow].concat()).start();
    let line = arena.line_with("listening on ws://");
    let url = line.split(' ').nth(2).expect("an address").to_owned();
    let section = super::arena(&url, "KUMA_TOKEN");
    let records = "\n[records]\nfolder = \"records\"\n";
    let policy = "[policy]\nid = \"greedy-tenpai\"\nlibrary = \"builtin\"\nthink_ms = 2000\n";
    let config = format!("name = \"kuma\"\n{section}players = 3\n{records}{policy}");
    runners.folder.file("kuma.toml", config);
    let args = ["run", "kuma.toml", "--page", "127.0.0.1:0"];
    let mut running = runners
        .runner(&args)
        .env("KUMA_TOKEN", "token-of-kuma")
        .start();
    running.line_with("page: http://");
    running.line_with("kuma: game started");
    let link = runners.link("kuma");
    let cookie = link.sit();
    let mut feed = link.feed(&cookie);
    running.line_with("kuma: a person takes the seat over");
    for _ in 0..4 {
        let question = feed.question().expect("games go on");
        assert!(question["limit_ms"].as_u64() > Some(50_000), "{question}");
        assert_eq!(link.answer(&cookie, &question, choice(&question)), 204);
    }
    // The policy has its own time for the question that the person leaves open.
    feed.question().expect("games go on");
    thread::sleep(Duration::from_millis(2500));
    assert_eq!(give_back(&link, &cookie), 204);
    until_left(&mut feed);
    assert!(!masked_rounds(&feed.bytes).is_empty());
    running.line_with("kuma: its policy decides again");
    running.interrupt();
    let finished = running.finish();
    let summary = table(finished.exited(0));
    assert_eq!(cell(&summary[0], "safe"), "0", "{}", finished.out);
    arena.stop();
    // Of each game a folder.
    let records = fs::read_dir(runners.folder.path().join("records")).expect("records");
    let (mut noted, mut counted) = (0, 0);
    for record in records.map(|record| record.expect("a record").path()) {
        if !record.is_dir() {
            continue;
        }
        let file = |name: &str| fs::read_to_string(record.join(name)).unwrap_or_default();
        noted += file("decisions.jsonl")
            .matches("\"policy\":\"person\"")
            .count();
        let manifest: Value = serde_json::from_str(&file("manifest.json")).unwrap_or_default();
        let policies = manifest["policies"].as_array().cloned().unwrap_or_default();
        let of_person = policies.iter().filter(|policy| policy["id"] == "person");
        counted += of_person
            .filter_map(|policy| policy["decisions"].as_u64())
            .sum::<u64>();
    }
    assert_eq!((noted, counted), (4, 4), "decisions of the person");
}

#[test]
fn a_bot_at_an_arena_elsewhere_is_lent_only_if_the_user_allows_it() {
    for (allows, code, words) in [
        (&[][..], 1, "start the runner with --allow-takeover"),
        (&["--allow-takeover"], 0, "the first browser takes it"),
    ] {
        let runners = OwnRunners::new();
        let section = super::arena("wss://arena.invalid", "KUMA_TOKEN");
        let config = format!("name = \"kuma\"\n{section}{POLICY}");
        runners.folder.file("kuma.toml", config);
        let args = ["run", "kuma.toml", "--page", "127.0.0.1:0"];
        let mut running = runners
            .runner(&[&args[..], allows].concat())
            .env("KUMA_TOKEN", "token-of-kuma")
            .start();
        running.line_with("kuma: ");
        let finished = runners.takeover(&["kuma"]);
        let out = finished.exited(code);
        assert!(out.contains(words), "{out}");
        running.stop();
    }
}

#[test]
fn a_takeover_without_a_runner_a_bot_or_a_page_says_what_is_missing() {
    let runners = OwnRunners::new();
    let none = runners.takeover(&["kuma"]);
    none.exited(1);
    assert!(none.err.contains("no runner of this user"), "{}", none.err);
    runners.folder.bot("kuma");
    let args = ["play", "kuma.toml", "--games=1000", "--pace-ms=20"];
    let mut running = runners.runner(&args).start();
    running.line_with("East 1-0");
    let unknown = runners.takeover(&["kumo"]);
    unknown.exited(1);
    let words = "no runner of yours has a bot named \"kumo\"";
    assert!(unknown.err.contains(words), "{}", unknown.err);
    let pageless = runners.takeover(&["kuma"]);
    let out = pageless.exited(1);
    assert!(out.contains("start it with --page"), "{out}");
    running.stop();
    let run = ["run", "kuma.toml", "--allow-takeover"];
    let refused = runners.runner(&run).run();
    refused.exited(2);
    assert!(refused.err.contains("--page"), "{}", refused.err);
}
