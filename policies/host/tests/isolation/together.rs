//! A process of one game after another.

use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Instant;

use policy_host::{
    Admitted, ChosenPolicy, DirectPolicy, DirectThread, GameKind, Isolation, Libraries,
    LibraryChoice, PolicyConfig, StartOptions,
};

use crate::child::{gone, launch};
use crate::common::libraries::MISBEHAVE;
use crate::common::questions::question;

/// A policy that says in its reasons how it shares its process.
fn sharing() -> (ChosenPolicy, StartOptions) {
    let section = PolicyConfig {
        params: "fault = \"share\"".parse().expect("TOML"),
        isolation: Isolation::Process,
        ..PolicyConfig::of(LibraryChoice::Path(MISBEHAVE.clone()), None)
    };
    let options = StartOptions {
        bot: "kuma".to_owned(),
        game: GameKind::Riichi,
        players: 4,
        config_folder: PathBuf::new(),
        launch: launch(),
    };
    let libraries = Libraries::new(options.launch.clone(), builtin::libraries());
    let admitted = libraries.admit(&section, &options, None, Instant::now());
    let Ok(Admitted::Ready(policy)) = admitted else {
        panic!("{admitted:?}")
    };
    (policy, options)
}

/// What an instance says of itself: its process, and the rest.
fn said(seat: &mut DirectPolicy<'_>) -> (u32, String) {
    let decided = seat.decide(&mut question()).expect("it starts");
    let reason = decided.expect("it decides").reason;
    let (process, rest) = reason.split_once(": ").expect("it has both");
    let process = process.trim_start_matches("process ").parse();
    (process.expect("a number"), rest.to_owned())
}

/// What two instances at a table say, in two games that follow each other.
fn two_games(
    thread: &DirectThread,
    policy: &ChosenPolicy,
    options: &StartOptions,
) -> [[(u32, String); 2]; 2] {
    [(); 2].map(|()| {
        let create = |()| DirectPolicy::create(thread, policy, options).expect("it starts");
        let mut seats = [(); 2].map(create);
        seats.each_mut().map(said)
    })
}

/// Runs work on a thread beside which others could play.
fn beside_others<T: Send>(work: impl FnOnce(&DirectThread) -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = DirectThread::spawn(scope, "test", work).expect("it starts");
        thread.join().expect("it ends")
    })
}

#[test]
fn instances_that_play_together_follow_each_other_in_the_processes_of_a_thread() {
    let (policy, options) = sharing();
    let [first, second] = beside_others(|thread| two_games(thread, &policy, &options));
    assert_ne!(first[0].0, first[1].0, "both play at once");
    for (process, told) in first {
        assert_eq!(told, "instance 1, together: true");
        assert!(second.contains(&(process, "instance 2, together: true".to_owned())));
    }
}

#[test]
fn instances_that_do_not_play_together_have_a_process_for_each_game() {
    let (policy, options) = sharing();
    let played = DirectThread::run("test", |thread| two_games(thread, &policy, &options));
    for (_, told) in played.expect("it starts").into_iter().flatten() {
        assert_eq!(told, "instance 1, together: false");
    }
}

#[test]
fn a_process_that_has_ended_after_its_game_is_followed_by_a_new_one() {
    let (policy, options) = sharing();
    let told = beside_others(|thread| {
        [(); 2].map(|()| {
            let mut seat = DirectPolicy::create(thread, &policy, &options).expect("it starts");
            let (process, told) = said(&mut seat);
            drop(seat);
            let killed = Command::new("kill")
                .args(["-9", &process.to_string()])
                .status();
            assert!(killed.expect("it runs").success());
            gone(process);
            told
        })
    });
    assert_eq!(told, ["instance 1, together: true"; 2]);
}
