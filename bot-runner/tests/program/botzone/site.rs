//! Bots in matches at a site, with policies in their own processes.

use std::fs;
use std::path::Path;

use results::ResultKind;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::common::bidding_judge::BiddingJudge;
use crate::common::botzone_site::{Call, FakeSite, SECRET, id};
use crate::common::libraries::built_library;
use crate::configs::Folder;
use crate::crew::{bot_that, runner};
use crate::page::address;
use crate::page::bots::{open_hands, round_of};
use crate::program::{Runner, Running};
use crate::results::kept;

/// A bot in a match at a site.
struct Scene {
    folder: Folder,
    site: FakeSite,
    running: Running,
    /// The poll that waits for news.
    poll: Option<Call>,
}

impl Scene {
    /// A bot whose library runs in its own process.
    async fn of(game: &str, library: &Path) -> Self {
        let (folder, site) = (Folder::new(), FakeSite::start().await);
        let arena = format!(
            "kind = \"botzone\"\nurl = {:?}\ngame = {game:?}\nuser = \"0a1b\"",
            site.url
        );
        let policy = format!("library = {library:?}\nisolation = \"process\"\nthink_ms = 7000");
        let config = format!(
            "name = \"panda\"\n[arena]\n{arena}\nsecret_env = \"PANDA_SECRET\"\n[policy]\n{policy}\n"
        );
        let file = folder.file("panda.toml", config);
        let args = ["run", file.to_str().expect("UTF-8"), "--games=1", "--page"];
        let running = runner(&folder, &args, &[]).env("PANDA_SECRET", SECRET);
        let running = running
            .env("BOT_RUNNER_LOG", "warn,policy_host=info")
            .start();
        Self {
            folder,
            site,
            running,
            poll: None,
        }
    }

    async fn poll(&mut self) -> Call {
        match self.poll.take() {
            Some(poll) => poll,
            None => self.site.poll().await,
        }
    }

    /// Has the match ask this; the response.
    async fn ask(&mut self, request: &str) -> String {
        self.poll().await.ask(&[(1, request)]);
        loop {
            let poll = self.site.poll().await;
            if let Some(response) = poll.response(1).map(str::to_owned) {
                self.poll = Some(poll);
                return response;
            }
            // It thinks, and polls meanwhile.
            poll.answer(504, "");
        }
    }

    /// The output of `status` once `holds` is true of it.
    fn status(&self, holds: impl Fn(&Value) -> bool) -> Value {
        bot_that(&self.folder, "panda", holds)
    }

    fn kill_policy(&self) {
        let children = self.running.children();
        assert!(!children.is_empty(), "the policy has a process");
        for id in children {
            kill_process(Pid::from_raw(id).expect("it is not 0"), Signal::KILL)
                .expect("it can be killed");
        }
    }

    /// Ends the match, and with it the run; what it printed.
    async fn end(mut self, result: &str) -> String {
        self.poll().await.end(1, result);
        self.running.finish().exited(0).to_owned()
    }

    /// The page shows the match from the own seat, with the decisions and no other hand.
    fn check_page(&mut self, policy: &str) {
        let address = address(&mut self.running);
        let shown = round_of(&address, "panda");
        let own = shown["names"]
            .as_array()
            .expect("names")
            .iter()
            .position(|name| name == "panda");
        assert!(own.is_some(), "{shown}");
        assert_eq!(
            open_hands(&shown),
            own.map(|own| own as u64).into_iter().collect::<Vec<_>>(),
            "{shown}"
        );
        let decision = &shown["decisions"][0];
        assert!(
            shown["policies"][0][0]
                .as_str()
                .is_some_and(|by| by.starts_with(policy)),
            "{shown}"
        );
        assert!(
            decision["own"]["chosen"].is_u64() && !shown.to_string().contains(SECRET),
            "{shown}"
        );
    }

    /// `status` shows the match as it shows a game of riichi, and a process that is killed costs at
    /// most one safe answer. `request` is the one with this number, from 0, for which there is
    /// something to choose.
    async fn check(
        mut self,
        policy: &str,
        mut request: impl AsyncFnMut(&mut Self, u32),
        result: &str,
    ) {
        request(&mut self, 0).await;
        // The next request shows that the answer was accepted.
        request(&mut self, 1).await;
        let told = self.status(|told| told["decisions"].as_u64() >= Some(1));
        assert_eq!(
            (&told["state"], &told["game"], &told["finished"]),
            (&"playing".into(), &1.into(), &0.into())
        );
        assert_eq!(
            (&told["faults"], &told["desyncs"]),
            (&0.into(), &0.into()),
            "{told}"
        );
        assert_eq!(
            (&told["policy"]["id"], &told["average_place"]),
            (&policy.into(), &Value::Null)
        );
        assert!(
            told["policy"]["sha256"].is_string() && told["p99_ms"].as_f64() > Some(0.0),
            "{told}"
        );
        self.check_page(policy);
        self.kill_policy();
        for number in 2..5 {
            request(&mut self, number).await;
        }
        let count = |told: &Value, key: &str| told[key].as_u64().expect("a number");
        let told = self.status(|told| count(told, "decisions") + count(told, "safe_answers") >= 4);
        assert!(
            count(&told, "decisions") >= 3 && count(&told, "faults") == 1,
            "{told}"
        );
        let out = self.end(result).await;
        assert!(out.contains("was killed once"), "{out}");
    }

    /// A library that is replaced while the match is on decides from then on, and no answer is lost
    /// by it.
    async fn check_swap(
        mut self,
        library: &Path,
        mut request: impl AsyncFnMut(&mut Self, u32),
        result: &str,
    ) {
        request(&mut self, 0).await;
        request(&mut self, 1).await;
        let before =
            self.status(|told| told["decisions"].as_u64() >= Some(1))["policy"]["sha256"].clone();
        // Bytes after the last section of a library are not read: the same policy, with other
        // content.
        let mut build = fs::read(library).expect("it is there");
        build.push(0);
        let new = library.with_extension("new");
        fs::write(&new, build).expect("it can be written");
        fs::rename(new, library).expect("it can be renamed");
        self.running.error_with("takes over");
        request(&mut self, 2).await;
        request(&mut self, 3).await;
        let told = self.status(|told| {
            told["policy"]["sha256"] != before && told["decisions"].as_u64() >= Some(3)
        });
        assert_eq!(
            (&told["faults"], &told["safe_answers"], &told["desyncs"]),
            (&0.into(), &0.into(), &0.into())
        );
        self.end(result).await;
    }
}

/// A match of Chinese Standard mahjong, and turns of it with a choice in each.
async fn mcr_match(library: &Path) -> (Scene, impl AsyncFnMut(&mut Scene, u32) + use<>) {
    let mut scene = Scene::of("chinese-standard", library).await;
    assert_eq!(scene.ask("0 0 0").await, "PASS");
    assert_eq!(
        scene
            .ask("1 0 0 0 0 W1 W2 W4 W5 W7 W8 B1 B2 B4 B5 B7 B8 T1")
            .await,
        "PASS"
    );
    // Winds and dragons that the hand lacks are discarded in between.
    let mut honours = ["F1", "F2", "F3", "F4", "J1", "J2", "J3"]
        .into_iter()
        .flat_map(|tile| [tile; 3]);
    let drawn = ["T2", "T4", "T5", "T7", "T8"];
    let turn = async move |scene: &mut Scene, number: u32| {
        let played = scene.ask(&format!("2 {}", drawn[number as usize])).await;
        assert!(played.starts_with("PLAY "), "{played}");
        let mut requests = vec![format!("3 0 {played}")];
        for seat in 1..4 {
            requests.push(format!("3 {seat} DRAW"));
            requests.push(format!(
                "3 {seat} PLAY {}",
                honours.next().expect("enough of them")
            ));
        }
        for request in requests {
            assert_eq!(scene.ask(&request).await, "PASS");
        }
    };
    (scene, turn)
}

/// A match of Dou Dizhu, and what plays a turn of it.
async fn doudizhu_match(library: &Path) -> (Scene, impl AsyncFnMut(&mut Scene, u32) + use<>) {
    let scene = Scene::of("doudizhu", library).await;
    // Pairs and single cards that are no run, so that it leads more often than it is asked.
    let own = "0,1,8,9,16,17,20,24,25,32,33,36,40,41,44,45,48,49,52,53";
    let first = format!("{{\"own\":[{own}],\"history\":[[],[]],\"publiccard\":[0,1,8]}}");
    let lead = async move |scene: &mut Scene, number: u32| {
        let request = if number == 0 {
            first.as_str()
        } else {
            "{\"history\":[[],[]]}"
        };
        let played = scene.ask(request).await;
        assert!(played.starts_with('[') && played != "[]", "{played}");
    };
    (scene, lead)
}

const STANDARD_RESULT: &str = "0 4 24 -8 -8 -8";
const CARD_RESULT: &str = "0 3 2.5 -1 -1";

#[tokio::test(flavor = "multi_thread")]
async fn a_match_of_chinese_standard_is_shown_by_status_and_outlives_its_policys_process() {
    let (scene, turn) = mcr_match(&built_library("cs_fan")).await;
    scene.check("cs-fan", turn, STANDARD_RESULT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_of_doudizhu_is_shown_by_status_and_outlives_its_policys_process() {
    let (scene, lead) = doudizhu_match(&built_library("doudizhu_split")).await;
    scene.check("doudizhu-split", lead, CARD_RESULT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_match_of_chinese_standard_another_build_of_the_policy_takes_over() {
    let folder = Folder::new();
    let library = folder.file(
        "policy.so",
        fs::read(built_library("cs_fan")).expect("it is there"),
    );
    let (scene, turn) = mcr_match(&library).await;
    scene.check_swap(&library, turn, STANDARD_RESULT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_match_of_doudizhu_another_build_of_the_policy_takes_over() {
    let folder = Folder::new();
    let built = fs::read(built_library("doudizhu_split")).expect("it is there");
    let library = folder.file("policy.so", built);
    let (scene, lead) = doudizhu_match(&library).await;
    scene.check_swap(&library, lead, CARD_RESULT).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_that_are_over_are_in_the_database_and_their_records_read_later_are_the_same() {
    let (folder, mut site) = (Folder::new(), FakeSite::start().await);
    let arena = format!(
        "kind = \"botzone\"\nurl = {:?}\ngame = \"doudizhu\"\nuser = \"0a1b\"",
        site.url
    );
    let policy = "library = \"builtin\"\nid = \"doudizhu-split\"";
    let keep = "[records]\n[results]\ndatabase = \"sqlite:results.db\"";
    let config = format!(
        "name = \"panda\"\n[arena]\n{arena}\nsecret_env = \"S\"\n[policy]\n{policy}\n{keep}\n"
    );
    let file = folder.file("panda.toml", config);
    let args = ["run", file.to_str().expect("UTF-8"), "--games=2"];
    let running = runner(&folder, &args, &[]).env("S", SECRET).start();
    // The landlord of one match, and another seat in the other.
    let lead = "{\"own\":[0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,42,48,52],\"history\":[[],[]],\"publiccard\":[0,1,2]}";
    let answer = "{\"own\":[3,4,5,6,7,11,12,13,14,15,19,20,21,22,23,27,28],\"history\":[[],[29]],\"publiccard\":[0,1,2]}";
    site.poll().await.ask(&[(1, lead), (2, answer)]);
    let mut answered = [false; 2];
    let mut poll = site.poll().await;
    while answered != [true; 2] {
        answered = [1, 2]
            .map(|number| answered[usize::from(number) - 1] || poll.response(number).is_some());
        if answered != [true; 2] {
            poll.answer(504, "");
            poll = site.poll().await;
        }
    }
    poll.end(1, "0 3 2 -1 -1");
    site.poll().await.end(2, "1 3 -1.5 0.5 1");
    let out = running.finish().exited(0).to_owned();
    assert!(out.contains("results of 2 games are in sqlite:"), "{out}");
    let games = kept(&folder.path().join("results.db"), ResultKind::Ladder);
    let [won, other] = &games[..] else {
        panic!("{games:?}")
    };
    assert_eq!(
        (
            won.game.as_str(),
            won.policy.as_str(),
            won.players,
            won.seat,
            won.place
        ),
        ("doudizhu", "doudizhu-split", 3, 0, 1)
    );
    assert_eq!(
        (&won.scores, &other.scores, other.place),
        (&vec![200, -100, -100], &vec![-150, 50, 100], 2)
    );
    assert_eq!((won.rounds, won.mixed), (0, false));
    assert!(
        won.key != other.key && won.shared != other.shared && won.arena.starts_with(&site.url),
        "{games:?}"
    );
    let import = [
        "results",
        "import",
        "records",
        "--results",
        "sqlite:other.db",
    ];
    let imported = Runner::new(import).in_folder(folder.path()).run();
    assert!(
        imported.out.contains("2 games read, 2 of them new"),
        "{imported:?}"
    );
    let mut again = kept(&folder.path().join("other.db"), ResultKind::Ladder);
    for (imported, game) in again.iter_mut().zip(&games) {
        assert_eq!(imported.key, game.key);
        imported.ended_ms = game.ended_ms;
    }
    assert_eq!(again, games);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_that_ends_before_an_answer_was_accepted_leaves_no_record_result_or_line() {
    let (folder, mut site) = (Folder::new(), FakeSite::start().await);
    let arena = format!(
        "kind = \"botzone\"\nurl = {:?}\ngame = \"doudizhu\"\nuser = \"0a1b\"",
        site.url
    );
    let policy = "library = \"builtin\"\nid = \"doudizhu-split\"";
    let keep = "[records]\n[results]\ndatabase = \"sqlite:results.db\"";
    let config = format!(
        "name = \"panda\"\n[arena]\n{arena}\nsecret_env = \"S\"\n[policy]\n{policy}\n{keep}\n"
    );
    let file = folder.file("panda.toml", config);
    let args = ["run", file.to_str().expect("UTF-8"), "--games=1"];
    let running = runner(&folder, &args, &[]).env("S", SECRET).start();
    let lead = "{\"own\":[0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,42,48,52],\"history\":[[],[]],\"publiccard\":[0,1,2]}";
    for number in 1..=3 {
        site.poll().await.answer(
            200,
            format!("1 1\n{0}\n{lead}\n{0} 0 3 2 -1 -1", id(number)),
        );
    }
    site.poll().await.ask(&[(4, lead)]);
    site.poll_of(4).await.end(4, "0 3 2 -1 -1");
    let finished = running.finish();
    assert_eq!(
        finished.exited(0).matches("game over").count(),
        1,
        "{finished:?}"
    );
    assert_eq!(
        finished.err.matches("before it took an answer").count(),
        1,
        "{finished:?}"
    );
    assert!(
        !finished.err.contains("broken off") && !finished.err.contains("aborted"),
        "{finished:?}"
    );
    assert_eq!(
        fs::read_dir(folder.path().join("records"))
            .expect("records")
            .count(),
        1
    );
    assert_eq!(
        kept(&folder.path().join("results.db"), ResultKind::Ladder).len(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_opponents_of_a_created_match_are_in_the_database_whenever_its_id_arrived() {
    for told_late in [false, true] {
        let (folder, mut site) = (Folder::new(), FakeSite::start().await);
        let arena = format!(
            "kind = \"botzone\"\nurl = {:?}\ngame = \"doudizhu\"\nuser = \"0a1b\"",
            site.url
        );
        let arena = format!("{arena}\nopponents = [\"5f01\", \"5f02\"]");
        let policy = "library = \"builtin\"\nid = \"doudizhu-split\"";
        let keep = "[records]\n[results]\ndatabase = \"sqlite:results.db\"";
        let config = format!(
            "name = \"panda\"\n[arena]\n{arena}\nsecret_env = \"S\"\n[policy]\n{policy}\n{keep}\n"
        );
        let file = folder.file("panda.toml", config);
        let args = ["run", file.to_str().expect("UTF-8"), "--games=1"];
        let running = runner(&folder, &args, &[]).env("S", SECRET).start();
        let lead = "{\"own\":[0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,42,48,52],\"history\":[[],[]],\
                    \"publiccard\":[0,1,2]}";
        let (first, second) = (site.call().await, site.call().await);
        let (made, poll) = if first.what == "runmatch" {
            (first, second)
        } else {
            (second, first)
        };
        let players =
            ["x-player-0", "x-player-1", "x-player-2"].map(|seat| made.headers[seat].clone());
        assert_eq!(players, ["me", "5f01", "5f02"]);
        let mut made = Some(made);
        if !told_late {
            made.take().map(|made| made.answer(200, id(1)));
        }
        poll.ask(&[(1, lead)]);
        let mut poll = site.poll().await;
        while poll.response(1).is_none() {
            poll.answer(504, "");
            poll = site.poll().await;
        }
        if let Some(made) = made {
            made.answer(200, id(1));
            // It has arrived long before this many polls are done.
            for _ in 0..5 {
                poll.answer(504, "");
                poll = site.poll().await;
            }
        }
        poll.end(1, "0 3 2 -1 -1");
        running.finish().exited(0);
        let games = kept(&folder.path().join("results.db"), ResultKind::Ladder);
        assert_eq!(
            games[0].opponents,
            ["5f01", "5f02"],
            "reported late: {told_late}"
        );
        let import = [
            "results",
            "import",
            "records",
            "--results",
            "sqlite:other.db",
        ];
        Runner::new(import).in_folder(folder.path()).run().exited(0);
        assert_eq!(
            kept(&folder.path().join("other.db"), ResultKind::Ladder)[0].opponents,
            games[0].opponents
        );
        let by = [
            "stats",
            "--results",
            "sqlite:results.db",
            "--by",
            "opponent",
        ];
        let told = Runner::new(by).in_folder(folder.path()).run();
        assert!(
            told.exited(0).contains("5f01") && told.out.contains("5f02"),
            "{told:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_with_bidding_is_made_and_played_and_its_record_shows_the_bids() {
    let (folder, mut site) = (Folder::new(), FakeSite::start().await);
    let arena = format!(
        "kind = \"botzone\"\nurl = {:?}\ngame = \"FightTheLandlord2\"\nuser = \"0a1b\"",
        site.url
    );
    let arena = format!("{arena}\nsecret_env = \"S\"\nopponents = [\"5f01\", \"5f02\"]");
    let policy = "library = \"builtin\"\nid = \"doudizhu-split\"";
    let config = format!("name = \"panda\"\n[arena]\n{arena}\n[policy]\n{policy}\n[records]\n");
    let file = folder.file("panda.toml", config);
    let running = runner(
        &folder,
        &["run", file.to_str().expect("UTF-8"), "--games=1"],
        &[],
    )
    .env("S", SECRET)
    .start();
    let mut poll = None;
    let mut made = None;
    while poll.is_none() || made.is_none() {
        let call = site.call().await;
        let place = if call.what == "runmatch" {
            &mut made
        } else {
            &mut poll
        };
        *place = Some(call);
    }
    let (made, mut poll) = made.zip(poll).expect("both came");
    assert_eq!(made.headers["x-game"], "FightTheLandlord2");
    made.answer(200, id(1));
    let (mut judge, own) = (BiddingJudge::new(11), 1);
    while let Some((seat, request)) = judge.request() {
        if seat != own {
            let safe =
                doudizhu::safe_action(&judge.game.legal_actions()).expect("there always is one");
            judge.game.act(safe).expect("it is legal");
            continue;
        }
        poll.ask(&[(1, &request)]);
        poll = site.poll().await;
        while poll.response(1).is_none() {
            poll.answer(504, "");
            poll = site.poll().await;
        }
        judge.take(poll.response(1).expect("it is there"));
    }
    poll.end(1, &judge.result(own));
    let played = running.finish();
    assert!(
        played.exited(0).contains("panda: game over, place "),
        "{played:?}"
    );
    let records = folder.path().join("records");
    let record = fs::read_dir(&records)
        .expect("records")
        .next()
        .expect("a record")
        .expect("it can be read")
        .path();
    let game = fs::read_to_string(record.join("game.jsonl")).expect("it is there");
    let kinds = game
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["type"].clone());
    let kinds: Vec<Value> = kinds.collect();
    assert_eq!(
        kinds[..3],
        [json!("start_game"), json!("deal"), json!("bid")],
        "{game}"
    );
    assert!(
        kinds.contains(&json!("landlord")) && kinds.last() == Some(&json!("end_game")),
        "{game}"
    );
    let page = folder.path().join("match.html");
    let view = [
        "view",
        record.to_str().expect("UTF-8"),
        "--out",
        page.to_str().expect("UTF-8"),
    ];
    let viewed = Runner::new(view).run();
    assert!(
        viewed.exited(0).ends_with("match.html: written\n") && viewed.err.is_empty(),
        "{viewed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_leaves_a_record_of_its_seats_events_and_of_each_decision() {
    let (folder, mut site) = (Folder::new(), FakeSite::start().await);
    let arena = format!(
        "kind = \"botzone\"\nurl = {:?}\ngame = \"doudizhu\"\nuser = \"0a1b\"",
        site.url
    );
    let policy = "library = \"builtin\"\nid = \"doudizhu-split\"";
    let config = format!(
        "name = \"panda\"\n[arena]\n{arena}\nsecret_env = \"S\"\n[policy]\n{policy}\n[records]\n"
    );
    let file = folder.file("panda.toml", config);
    let running = runner(
        &folder,
        &["run", file.to_str().expect("UTF-8"), "--games=1"],
        &[],
    )
    .env("S", SECRET)
    .start();
    let lead = "{\"own\":[0,1,2,8,9,10,16,17,18,24,25,26,32,33,34,40,41,42,48,52],\"history\":[[],[]],\"publiccard\":[0,1,2]}";
    site.poll().await.ask(&[(1, lead)]);
    let mut poll = site.poll().await;
    while poll.response(1).is_none() {
        poll.answer(504, "");
        poll = site.poll().await;
    }
    poll.end(1, "0 3 2.5 -1 -1");
    let played = running.finish();
    assert!(
        played
            .exited(0)
            .contains("panda: game over, place 1 with 2.5\n"),
        "points, not hundredths: {played:?}"
    );
    let records = folder.path().join("records");
    let record = fs::read_dir(&records)
        .expect("records")
        .next()
        .expect("a record")
        .expect("it can be read")
        .path();
    let lines = |file: &str| -> Vec<Value> {
        let text =
            fs::read_to_string(record.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        text.lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    };
    let game = lines("game.jsonl");
    let kinds: Vec<&str> = game
        .iter()
        .map(|line| line["type"].as_str().expect("a type"))
        .collect();
    assert_eq!(
        kinds,
        ["start_game", "deal", "landlord", "play", "end_game"]
    );
    assert_eq!(
        (&game[0]["game"], &game[0]["names"]),
        (&json!("doudizhu"), &json!(["panda", "seat 1", "seat 2"]))
    );
    let hands = game[1]["hands"].as_array().expect("hands");
    assert!(
        hands[0].is_array() && hands[1..].iter().all(Value::is_null),
        "only the own hand is known: {hands:?}"
    );
    assert_eq!(game[4]["scores"], json!([2.5, -1.0, -1.0]));
    let [decision] = &lines("decisions.jsonl")[..] else {
        panic!("one decision")
    };
    let legal = decision["legal"].as_array().expect("actions");
    let chosen = decision["chosen"]
        .as_u64()
        .and_then(|index| legal.get(index as usize))
        .expect("an action");
    assert_eq!(
        (&chosen["type"], &decision["policy"]),
        (&json!("play"), &json!("doudizhu-split"))
    );
    assert_eq!(
        decision["values"].as_array().map(Vec::len),
        Some(legal.len())
    );
    assert!(
        decision["reason"].is_string() && decision["took_us"].is_u64(),
        "{decision}"
    );
    let record = record.to_str().expect("UTF-8");
    let shown = Runner::new(["records", "show", record]).run();
    assert!(
        shown.exited(0).contains("5 events, 1 decision"),
        "{shown:?}"
    );
    assert!(
        shown.out.contains("game      doudizhu\n")
            && shown.out.contains("place 1 with 2.5 (2.5 / -1 / -1)\n"),
        "{shown:?}"
    );
    let listed = Runner::new(["records".as_ref(), "list".as_ref(), records.as_os_str()]).run();
    let row = listed
        .exited(0)
        .lines()
        .nth(1)
        .expect("a row")
        .split("  ")
        .map(str::trim)
        .filter(|cell| !cell.is_empty());
    let cells: Vec<&str> = row.collect();
    assert!(
        cells[2].starts_with("doudizhu-split ") && listed.out.ends_with("MiB\n"),
        "{}",
        listed.out
    );
    assert!(listed.out.contains("\n1 record, "), "{}", listed.out);
    assert_eq!(
        (cells[1], &cells[3..7]),
        ("panda", &["doudizhu", "1", "2.5", "1"][..]),
        "{}",
        listed.out
    );
    let exported = Runner::new(["records", "export", record]).run();
    assert_eq!(exported.exited(0).lines().count(), 5);
    let page = folder.path().join("match.html");
    let viewed = Runner::new(["view", record, "--out", page.to_str().expect("UTF-8")]).run();
    assert!(
        viewed.exited(0).ends_with("match.html: written\n") && viewed.err.is_empty(),
        "{viewed:?}"
    );
    let page = fs::read_to_string(page).expect("it is there");
    assert!(
        page.contains("panda plays") && page.contains("\"chosen\":"),
        "the play and its decision are shown"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_whose_policy_is_set_aside_begins_no_other_match_until_it_is_tried_again() {
    let (folder, mut site) = (Folder::new(), FakeSite::start().await);
    let arena = format!(
        "kind = \"botzone\"\nurl = {:?}\ngame = \"chinese-standard\"\nuser = \"0a1b\"",
        site.url
    );
    let arena = format!("{arena}\nsecret_env = \"S\"\nopponents = [\"5f01\", \"5f02\", \"5f03\"]");
    // The first answer is right, because a policy is tried out before it is seated.
    folder.file(
        "wrong.sh",
        "index=0; while read -r line; do echo \"{\\\"index\\\": $index}\"; index=99; done\n",
    );
    let policy = "library = \"builtin\"\nid = \"cs-program\"\nreload = \"off\"\nparams = { command = \"sh wrong.sh\" }";
    let file = folder.file(
        "panda.toml",
        format!("name = \"panda\"\n[arena]\n{arena}\n[policy]\n{policy}\n"),
    );
    let args = ["run", file.to_str().expect("UTF-8"), "--games=2"];
    let mut running = runner(&folder, &args, &[]).env("S", SECRET).start();
    let (first, second) = (site.call().await, site.call().await);
    let (made, mut poll) = if first.what == "runmatch" {
        (first, second)
    } else {
        (second, first)
    };
    made.answer(200, id(1));
    let drawn = [
        "F1", "F2", "F3", "F4", "J1", "J2", "J3", "F1", "F2", "F3", "F4",
    ]
    .map(|tile| format!("2 {tile}"));
    let deal = "1 0 0 0 0 W1 W2 W4 W5 W7 W8 B1 B2 B4 B5 B7 B8 T1".to_owned();
    for request in ["0 0 0".to_owned(), deal].into_iter().chain(drawn) {
        poll.ask(&[(1, &request)]);
        poll = site.poll_of(1).await;
        let discarded = poll
            .response(1)
            .filter(|response| response.starts_with("PLAY"))
            .map(|play| format!("3 0 {play}"));
        if let Some(discarded) = discarded {
            poll.ask(&[(1, &discarded)]);
            poll = site.poll_of(1).await;
        }
    }
    poll.end(1, "0 4 -30 10 10 10");
    running.line_with("panda: its policy is set aside; it waits until that is tried again");
    running.interrupt();
    let finished = running.finish();
    finished.exited(1);
    assert_eq!(
        finished
            .err
            .matches("is set aside: it failed 10 times in one game")
            .count(),
        1,
        "{finished:?}"
    );
    assert!(
        finished
            .out
            .contains("panda: its policy is set aside: it failed 10 times in one game"),
        "{finished:?}"
    );
}
