//! A policy's process that is killed from outside.

use std::collections::HashSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::libraries::numbered;
use crate::configs::Folder;
use crate::program::Runner;

const KILLS: u32 = 20;
/// Longer than a process takes to come back.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn killed_twenty_times_in_a_game_it_comes_back_each_time() {
    let folder = Folder::new();
    let library = numbered(0);
    let file = folder.file("libnumbered.so", library);
    // Each decision takes a while, so that one game is long enough.
    let policy = format!(
        "[policy]\nlibrary = {file:?}\nisolation = \"process\"\nparams = {{ pause_ms = 20 }}\n"
    );
    let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}"));
    let mut running =
        Runner::new(["play".into(), "--seed=4".into(), "--games=2".into(), config]).start();
    // The first game is over, and the second one begins.
    running.line_with("places ");

    let mut killed = HashSet::new();
    let until = Instant::now() + PATIENCE;
    while killed.len() < KILLS as usize {
        assert!(Instant::now() < until, "{} of {KILLS} came", killed.len());
        if let Some(&fresh) = running.children().iter().find(|id| !killed.contains(*id)) {
            let id = Pid::from_raw(fresh).expect("it is not 0");
            kill_process(id, Signal::KILL).expect("it can be killed");
            killed.insert(fresh);
        }
        sleep(Duration::from_millis(5));
    }
    let finished = running.finish();
    let out = finished.exited(0);
    assert!(
        out.contains("was killed 20 times") && !out.contains("rejected"),
        "{out}"
    );
    assert_eq!(
        finished
            .err
            .matches("was killed by signal 9 (from outside)")
            .count(),
        1,
        "{}",
        finished.err
    );
    assert!(!finished.err.contains("set aside"), "{}", finished.err);
}
