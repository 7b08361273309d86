//! `reload`: its messages to the users concerned.

use std::os::unix::net::UnixListener;
use std::path::Path;

use super::configs::Folder;
use super::program::{Finished, Runner};

fn reload(folder: &Folder, args: &[&str]) -> Finished {
    let runtime = folder.private("runtime");
    let args = ["reload"].iter().chain(args);
    Runner::new(args)
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .run()
}

#[test]
fn without_a_runner_at_work_it_says_so() {
    let finished = reload(&Folder::new(), &[]);
    finished.exited(1);
    assert!(
        finished.err.contains("no runner of this user is running"),
        "{}",
        finished.err
    );
}

#[test]
fn a_bot_that_no_runner_has_is_named() {
    let folder = Folder::new();
    let runtime = folder.private("runtime");
    let bot = folder.bot("kuma");
    let mut running = Runner::new([Path::new("play"), Path::new("--games=1000000"), &bot])
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .start();
    running.line_with("East 1-0");
    let finished = reload(&folder, &["neko"]);
    finished.exited(1);
    let words = "no runner of yours has a bot named \"neko\"; there are ";
    assert!(
        finished.err.contains(words) && finished.err.contains("`kuma`"),
        "{}",
        finished.err
    );
    let misspelt = reload(&folder, &["kumo"]);
    assert!(
        misspelt.err.contains("; did you mean `kuma`?"),
        "{}",
        misspelt.err
    );
    let named = reload(&folder, &["kuma"]);
    assert!(
        named.exited(0).contains("kuma: greedy-tenpai"),
        "{}",
        named.out
    );
}

#[test]
fn the_socket_of_a_runner_that_was_killed_is_cleared_away() {
    let folder = Folder::new();
    let sockets = folder.private("runtime/bot-runner");
    // The number of no process: bound and no longer listened to, as a killed one leaves it.
    let socket = sockets.join("2147483647.sock");
    drop(UnixListener::bind(&socket).expect("it can be bound"));
    let finished = reload(&folder, &[]);
    finished.exited(1);
    assert!(
        finished.err.contains("no runner of this user is running"),
        "{}",
        finished.err
    );
    assert!(!socket.exists());
}

#[test]
fn a_folder_that_others_may_use_is_not_trusted() {
    let folder = Folder::new();
    let runtime = folder.private("runtime");
    std::fs::create_dir(runtime.join("bot-runner")).expect("it can be made");
    std::fs::set_permissions(
        runtime.join("bot-runner"),
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .expect("it is ours");
    let finished = reload(&folder, &[]);
    finished.exited(1);
    assert!(
        finished.err.contains("is not yours alone"),
        "{}",
        finished.err
    );
}
