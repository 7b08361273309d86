//! Whole games on an independent server of the interface, against its own players and with every
//! fault that it can produce: `BOTZONE=<its folder> BOTZONE_PYTHON=<its python> BOTZONE_GAMES=200
//! cargo test -p bot-runner --test library independent`. Without the folder these tests do nothing.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use client::bot::polling::{
    AccountEnd, AccountGoal, BotzoneAccount, MatchEvent, MatchPlayer, Matchmaking, PollPatience,
};
use client::session::botzone::{DouDizhuMatch, Match, MatchDialect, McrMatch};
use client::shutdown::Shutdown;
use client::transport::botzone::{BotzoneSite, PollLimits, WantedMatch};
use client::{SiteUrl, Token};
use outbound::Authorities;
use policy_host::SeatEvent;
use protocol::botzone::MatchId;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::botzone_site::decision;

/// A strategy as a plain function.
struct Strategy<D: MatchDialect> {
    choose: fn(&Match<D>) -> Option<usize>,
    choice: Option<Option<usize>>,
    desyncs: Vec<String>,
}

impl<D: MatchDialect> MatchPlayer<D> for Strategy<D> {
    fn ask(&mut self, _id: &MatchId, played: &Match<D>, _until: Instant) -> Result<(), String> {
        self.choice = Some((self.choose)(played));
        Ok(())
    }

    async fn next(&mut self, _in_match: bool) -> SeatEvent {
        match self.choice.take() {
            Some(choice) => decision(choice),
            None => std::future::pending().await,
        }
    }

    fn withdraw(&mut self) {
        self.choice = None;
    }

    fn happened(&mut self, _id: &MatchId, what: MatchEvent<'_, D>) {
        if let MatchEvent::Ended { played, .. } = what {
            self.desyncs.extend(played.dialect.desyncs().first.clone());
        }
    }
}

fn standard(heard: &McrMatch) -> Option<usize> {
    cs_fan::decide(
        heard.dialect.table()?,
        heard.legal()?,
        &cs_fan::FanParams::default(),
    )
    .map(|decision| decision.index)
}

fn cards(heard: &DouDizhuMatch) -> Option<usize> {
    let effort = doudizhu_split::SplitEffort::DEFAULT;
    doudizhu_split::decide(heard.dialect.table()?, heard.legal()?, &effort)
        .map(|decision| decision.index)
}

struct Server {
    process: Child,
    url: String,
    summary: tempfile::NamedTempFile,
    /// Whether it plays until it is stopped.
    endless: bool,
}

/// Makes it play until it is stopped.
const ENDLESS: [&str; 2] = ["--games", "0"];

impl Server {
    fn start(arguments: &[&str]) -> Option<Self> {
        let folder = PathBuf::from(std::env::var_os("BOTZONE")?);
        let python = std::env::var_os("BOTZONE_PYTHON").unwrap_or_else(|| "python3".into());
        let summary = tempfile::NamedTempFile::new().expect("a file");
        let mut process = Command::new(python)
            .arg(folder.join("botzone_server.py"))
            .args(arguments)
            .arg("--summary")
            .arg(summary.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped"));
        lines
            .read_line(&mut line)
            .expect("it says where it listens");
        let url = line
            .trim()
            .strip_prefix("listening ")
            .expect("it listens")
            .to_owned();
        let endless = arguments.windows(2).any(|pair| pair == ENDLESS);
        Some(Self {
            process,
            url,
            summary,
            endless,
        })
    }

    /// Waits for its end.
    fn summary(mut self) -> Value {
        if self.endless {
            kill_process(Pid::from_child(&self.process), Signal::TERM).expect("it is told");
        }
        self.process.wait().expect("it ends");
        serde_json::from_reader(self.summary.as_file()).expect("a summary")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
    }
}

fn games(default: u32) -> u32 {
    std::env::var("BOTZONE_GAMES")
        .ok()
        .and_then(|games| games.parse().ok())
        .unwrap_or(default)
}

/// Plays this many games, `at_once` of them together, created against opponents or waited for;
/// returns the server's summary.
async fn play<D: MatchDialect + 'static>(
    choose: fn(&Match<D>) -> Option<usize>,
    game: &'static str,
    count: u32,
    made: bool,
    more: &[&str],
) -> Option<(Value, AccountEnd)> {
    let count_text = count.to_string();
    let mut arguments = vec!["--games", &count_text];
    if !made {
        arguments.extend([
            "--auto",
            game,
            "--parallel",
            "4",
            "--fill-after",
            "0.05",
            "--fill",
            "simple",
        ]);
    }
    arguments.extend(more);
    let server = Server::start(&arguments)?;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let url = SiteUrl::parse(&server.url).expect("an address");
    let secret = Token::new("canary-0123456789").expect("a secret");
    let site = BotzoneSite::new(
        &url,
        "0a1b",
        secret,
        &Authorities::default(),
        PollLimits::default(),
    )
    .expect("a site");
    let seats = if game == "FightTheLandlord" { 3 } else { 4 };
    let players = (0..seats)
        .map(|seat| (seat > 0).then(|| "simple".to_owned()))
        .collect();
    let matchmaking = Matchmaking {
        wanted: WantedMatch { game, players },
        at_once: 4,
    };
    let goal = AccountGoal {
        games: Some(count),
        matchmaking: made.then_some(matchmaking),
    };
    let patience = PollPatience {
        between_matches: Duration::from_millis(20),
        begin_every: Duration::from_millis(20),
        longest_wait: Duration::from_secs(2),
        ..PollPatience::default()
    };
    let player = Strategy {
        choose,
        choice: None,
        desyncs: Vec::new(),
    };
    let mut account = BotzoneAccount::new(site, player, patience, goal);
    let stop = Shutdown::new();
    let playing = account.play(&stop);
    let end = tokio::time::timeout(Duration::from_secs(3600), playing)
        .await
        .expect("it ends");
    assert_eq!(account.player.desyncs, Vec::<String>::new());
    Some((server.summary(), end))
}

/// Counts of each word under a key of the only bot's summary.
fn counts(summary: &Value, key: &str) -> BTreeMap<String, u64> {
    serde_json::from_value(summary["bots"]["0a1b"][key].clone()).expect("counts")
}

/// Every response was right; all that were sent were taken, and of those that were sent again each
/// once.
fn assert_all_right(summary: &Value, count: u32) {
    assert_eq!(
        summary["games"].as_array().expect("games").len(),
        count as usize
    );
    assert_no_response_was_wrong(summary, count);
}

/// Every response was right; those that were sent again were taken once.
fn assert_no_response_was_wrong(summary: &Value, count: u32) {
    assert_eq!(summary["errors"], Value::Array(Vec::new()));
    let verdicts = counts(summary, "verdicts");
    assert!(
        verdicts
            .keys()
            .all(|verdict| verdict == "OK" || verdict == "overruled"),
        "{verdicts:?}"
    );
    let answers = counts(summary, "answers");
    eprintln!(
        "{count} games: verdicts {verdicts:?}, answers {answers:?}, polls {:?}",
        counts(summary, "polls")
    );
    let only = |words: &[&str]| {
        answers
            .keys()
            .all(|answer| words.contains(&answer.as_str()))
    };
    let is_troubled = summary["faults"]
        .as_object()
        .is_some_and(|faults| !faults.is_empty());
    let allowed: &[&str] = if is_troubled {
        &["accepted", "stale", "early", "finished match"]
    } else {
        &["accepted"]
    };
    assert!(only(allowed), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_are_waited_for_are_played_four_at_a_time_and_every_response_is_right() {
    let count = games(4);
    for io in ["simple", "json"] {
        let Some((summary, end)) = play(
            standard,
            "Chinese-Standard-Mahjong",
            count,
            false,
            &["--io", io],
        )
        .await
        else {
            return;
        };
        assert_eq!(end, AccountEnd::Done);
        assert_all_right(&summary, count);
    }
    let Some((summary, end)) = play(cards, "FightTheLandlord", count, false, &[]).await else {
        return;
    };
    assert_eq!(end, AccountEnd::Done);
    assert_all_right(&summary, count);
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_are_made_are_played_four_at_a_time_and_every_response_is_right() {
    let count = games(4);
    for answer in ["plain", "json"] {
        let more = ["--runmatch", answer];
        let Some((summary, end)) =
            play(standard, "Chinese-Standard-Mahjong", count, true, &more).await
        else {
            return;
        };
        assert_eq!(end, AccountEnd::Done);
        assert_all_right(&summary, count);
        let Some((summary, end)) = play(cards, "FightTheLandlord", count, true, &more).await else {
            return;
        };
        assert_eq!(end, AccountEnd::Done);
        assert_all_right(&summary, count);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_the_platform_does_wrong_is_survived_and_no_response_becomes_wrong() {
    let count = games(4);
    for faults in [
        &["--fault", "late-poll", "--fault-seconds", "0.3"][..],
        &["--fault", "502"],
        &["--fault", "502-taken"],
        &["--fault", "duplicate-request=0.3"],
        &[
            "--fault",
            "duplicate-request=0.3",
            "--fault",
            "502",
            "--fault",
            "502-taken",
        ],
        &["--fault", "slow", "--fault-seconds", "0.1"],
        &["--fault", "503=60", "--fault-seconds", "1"],
        &["--poll", "0.05"],
        &["--poll", "0.05", "--poll-end", "502"],
        &["--poll", "0.05", "--poll-end", "empty"],
        &["--poll", "0.05", "--poll-end", "drop"],
        &["--think-ms", "5"],
    ] {
        eprintln!("{faults:?}");
        let Some((summary, end)) =
            play(standard, "Chinese-Standard-Mahjong", count, false, faults).await
        else {
            return;
        };
        assert_eq!(end, AccountEnd::Done, "{faults:?}");
        assert_all_right(&summary, count);
        let Some((summary, end)) = play(cards, "FightTheLandlord", count, false, faults).await
        else {
            return;
        };
        assert_eq!(end, AccountEnd::Done, "{faults:?}");
        assert_all_right(&summary, count);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_that_the_platform_breaks_off_do_not_count_and_others_are_played_in_their_place() {
    let count = games(4);
    let more = [&ENDLESS[..], &["--fault", "abort"]].concat();
    for made in [false, true] {
        let Some((summary, end)) =
            play(standard, "Chinese-Standard-Mahjong", count, made, &more).await
        else {
            return;
        };
        assert_eq!(end, AccountEnd::Done);
        assert_no_response_was_wrong(&summary, count);
        assert!(summary["faults"]["abort"].as_u64() > Some(0), "{summary}");
        let Some((summary, end)) = play(cards, "FightTheLandlord", count, made, &more).await else {
            return;
        };
        assert_eq!(end, AccountEnd::Done);
        assert_no_response_was_wrong(&summary, count);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_that_are_asked_for_too_often_are_made_in_the_end() {
    let count = games(4);
    let more = ["--fault", "403"];
    let Some((summary, end)) = play(cards, "FightTheLandlord", count, true, &more).await else {
        return;
    };
    assert_eq!(end, AccountEnd::Done);
    assert_all_right(&summary, count);
    assert!(summary["faults"]["403"].as_u64() > Some(0), "{summary}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_is_refused_in_the_middle_ends_the_account_and_says_so() {
    let more = [&ENDLESS[..], &["--fault", "401=5"]].concat();
    let Some((summary, end)) = play(standard, "Chinese-Standard-Mahjong", 4, false, &more).await
    else {
        return;
    };
    let AccountEnd::Refused(fault) = end else {
        panic!("{end:?}")
    };
    assert!(
        fault.to_string().contains("secret") && !fault.to_string().contains("canary"),
        "{fault}"
    );
    assert_eq!(summary["errors"], Value::Array(Vec::new()));
}
