//! One connection for each token, across processes.

use std::time::Duration;

use rustix::process::Signal;

use super::{config, playing, plays_on, runner, variable};
use crate::common::server::Server;
use crate::configs::{Folder, POLICY, arena};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_run_waits_until_the_first_has_ended_and_validate_does_not() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (mut first, mut kuma) = playing(&folder, &server, &[]).await;
    let mut second = runner(&folder, &["run", "bots"], &["kuma"]).start();
    let line = second.line_with("kuma: its token is in use");
    assert!(
        line.contains(&format!("PID {}", first.process())) && !line.contains("token-of"),
        "{line}"
    );
    let validated = runner(&folder, &["validate", "bots/kuma.toml"], &["kuma"]).run();
    validated.exited(1);
    assert!(
        validated
            .err
            .contains("its token is in use by the runner with PID"),
        "{}",
        validated.err
    );
    assert!(server.is_left_alone(Duration::from_millis(100)).await);
    plays_on(&mut kuma, 4).await;
    first.interrupt();
    // Else the game may be over before the word to stop is heard, and the bot queues again.
    first.line_with("Stopping: ");
    kuma.finish().await;
    first.finish().exited(0);
    let kuma = server.accept().await;
    second.line_with("kuma: queued");
    second.interrupt();
    assert_eq!(
        second.finish().exited(0).matches("is in use").count(),
        1,
        "it is reported once"
    );
    kuma.gone().await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_in_use_whatever_the_environment_of_a_second_runner_and_its_name_for_this_machine()
 {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (first, mut kuma) = playing(&folder, &server, &[]).await;
    let elsewhere = folder.private("elsewhere");
    let section = arena(
        &server.address().replace("127.0.0.1", "localhost"),
        &variable("kuma"),
    );
    folder.file("again.toml", format!("name = \"kuma\"\n{section}{POLICY}"));
    for runtime in [elsewhere.to_str().expect("UTF-8"), "/proc"] {
        let validated = runner(&folder, &["validate", "again.toml"], &["kuma"])
            .env("XDG_RUNTIME_DIR", runtime)
            .run();
        validated.exited(1);
        let holder = format!(
            "its token is in use by the runner with PID {}",
            first.process()
        );
        assert!(validated.err.contains(&holder), "{}", validated.err);
    }
    plays_on(&mut kuma, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_free_when_its_process_was_killed() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let (first, _kuma) = playing(&folder, &server, &[]).await;
    let mut second = runner(&folder, &["run", "bots"], &["kuma"]).start();
    second.line_with("kuma: its token is in use");
    first.signal(Signal::KILL);
    server.accept().await;
    second.line_with("kuma: queued");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_waits_for_its_token_keeps_none_of_the_others_from_playing() {
    let (folder, server) = (Folder::new(), Server::open().await);
    let kuma = config(&folder, "kuma.toml", "kuma", &server.address(), "");
    let _first = runner(&folder, &["run", kuma.to_str().expect("UTF-8")], &["kuma"]).start();
    let _kuma = server.accept().await;
    config(&folder, "neko.toml", "neko", &server.address(), "");
    let mut second = runner(&folder, &["run", "bots"], &["kuma", "neko"]).start();
    second.line_with("kuma: its token is in use");
    let neko = server.accept().await;
    assert!(neko.authorization.contains("token-of-neko"));
    second.line_with("neko: queued");
}
