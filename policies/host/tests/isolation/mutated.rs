//! Libraries whose descriptors and answers are mutated (`policies/misbehave/mutated.c`): the runner
//! refuses them with a message or uses the sound parts, and keeps running.
//!
//! `MUTATED_SECONDS=1200 cargo test --release -p policy-host --test isolation mutated --
//! --nocapture` for the long run, with `MUTATED_FROM` for other numbers than those from 0 on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use policy_host::{
    Admitted, GameKind, Isolation, Libraries, LibraryChoice, Pace, PolicyConfig, SeatEvent,
    SeatedPolicy, StartOptions, ViewBuffer,
};
use tempfile::TempDir;

use crate::child::{PATIENCE, launch};
use crate::common::libraries::mutated;
use crate::common::questions::question;

/// Default number of libraries tried in each isolation.
const FEW: u32 = 60;

/// Questions to each that starts.
const QUESTIONS: usize = 25;

/// The outcomes of the libraries.
#[derive(Debug, Default)]
struct Seen {
    refused: u32,
    not_started: u32,
    played: u32,
    decided: u32,
    undecided: u32,
    set_aside: u32,
}

/// A library's text may appear in a log and on a terminal.
#[track_caller]
fn assert_harmless(text: &str) {
    assert!(
        !text
            .chars()
            .any(|letter| letter.is_control() && letter != '\t'),
        "{text:?}"
    );
}

/// The message explains the refusal and may be shown.
#[track_caller]
fn assert_words(words: &str) {
    assert!(!words.is_empty());
    words.lines().for_each(assert_harmless);
}

async fn try_out(file: &Path, isolation: Isolation, seen: &mut Seen) {
    let libraries = Arc::new(Libraries::new(launch(), Vec::new()));
    let section = PolicyConfig {
        id: Some("mutated".to_owned()),
        isolation,
        ..PolicyConfig::of(LibraryChoice::Path(file.to_owned()), None)
    };
    let options = StartOptions {
        bot: "kuma".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch: launch(),
    };
    let policy = match libraries.admit(&section, &options, None, Instant::now()) {
        Ok(Admitted::Ready(policy)) => policy,
        Ok(Admitted::Same) => unreachable!("nothing is known before"),
        Err(problems) => {
            assert!(!problems.is_empty());
            problems
                .iter()
                .for_each(|problem| assert_words(&problem.message));
            seen.refused += 1;
            return;
        }
    };
    let info = policy.info();
    [&info.id, &info.name, &info.version, &info.summary]
        .into_iter()
        .for_each(|text| assert_harmless(text));
    let mut seat = match SeatedPolicy::start(policy, Pace::from(&section), options, libraries).await
    {
        Ok((seat, _)) => seat,
        Err(error) => {
            assert_words(&error.to_string());
            seen.not_started += 1;
            return;
        }
    };
    seen.played += 1;
    for _ in 0..QUESTIONS {
        let mut view = question();
        let actions = view.actions();
        if seat
            .ask(Instant::now() + PATIENCE, |asked: &mut ViewBuffer| {
                std::mem::swap(asked, &mut view)
            })
            .is_err()
        {
            seen.set_aside += 1;
            break;
        }
        match seat.next(true).await {
            SeatEvent::Decided { decided, .. } => {
                assert!(decided.index < actions, "{decided:?}");
                assert!(
                    decided.values.is_empty() || decided.values.len() == actions,
                    "{decided:?}"
                );
                assert_harmless(&decided.reason);
                seen.decided += 1;
            }
            SeatEvent::Undecided(why) => {
                assert_words(&why.to_string());
                seen.undecided += 1;
            }
            SeatEvent::AskAgain => panic!("it answers at once"),
        }
    }
    seat.end().await;
}

async fn try_out_many(isolation: Isolation) {
    let setting = |name| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse::<u32>().expect("a whole number"))
    };
    let (seconds, from) = (
        setting("MUTATED_SECONDS"),
        setting("MUTATED_FROM").unwrap_or(0),
    );
    let until = Instant::now() + Duration::from_secs(seconds.unwrap_or(0).into());
    let goes_on = |tried| {
        if seconds.is_some() {
            Instant::now() < until
        } else {
            tried < FEW
        }
    };
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    let mut seen = Seen::default();
    let mut number = from;
    while goes_on(number - from) {
        if seconds.is_some() && number.is_multiple_of(100) {
            eprintln!("{isolation:?} from {number} on: {seen:?}");
        }
        // Each has its own name, because the system's loader identifies libraries by it.
        let file = folder.path().join(format!(
            "libmutated{number}{}",
            std::env::consts::DLL_SUFFIX
        ));
        // A thread of the runner cannot survive a call to an invalid function, whatever the runner
        // does.
        let functions = isolation == Isolation::Process && number.is_multiple_of(4);
        fs::write(&file, mutated(number, functions)).expect("it can be written");
        try_out(&file, isolation, &mut seen).await;
        fs::remove_file(&file).expect("it is there");
        number += 1;
    }
    eprintln!("{isolation:?}, {} libraries: {seen:?}", number - from);
    assert!(
        seen.refused > 10 && seen.played > 10 && seen.decided > 20 && seen.undecided > 20,
        "{seen:?}"
    );
}

#[tokio::test]
async fn on_a_thread_they_are_refused_or_play() {
    try_out_many(Isolation::Thread).await;
}

#[tokio::test]
async fn in_a_process_they_are_refused_or_play() {
    try_out_many(Isolation::Process).await;
}
