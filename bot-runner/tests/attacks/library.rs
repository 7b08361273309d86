//! Libraries: what one does to its process while it plays on a thread, and files in the place of
//! one.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use super::beside::neighbour_plays_as_ever_beside;
use super::{PROBE, many};
use crate::configs::{Folder, arena};
use crate::program::Runner;

/// A section that has the probe try this on a thread in decision 5, after its trial.
fn probing(what: &str, with: &str) -> String {
    format!(
        "[policy]\nlibrary = {:?}\n[policy.params]\nwhat = {what:?}\nwith = {with:?}\nat = 5\n",
        PROBE.file
    )
}

#[test]
fn a_library_that_changes_the_current_folder_loses_no_config_and_no_record() {
    let folder = Folder::new();
    let bots = folder.private("bots");
    let mut table = Runner::new(["arena", "--length=east", "--fill-after=0", "--seed=1"]).start();
    let line = table.line_with("listening on ");
    let url = line.trim_start_matches("listening on ");
    let config = format!(
        "name = \"kuma\"\n{}[records]\n{}",
        arena(url, "KUMA_TOKEN"),
        probing("chdir", "/")
    );
    fs::write(bots.join("kuma.toml"), config).expect("it can be written");
    // Twice, so that the second game begins in the other folder.
    let finished = Runner::new(["run", "bots", "--games=2", "--watch-ms=20"])
        .in_folder(folder.path())
        .env("KUMA_TOKEN", "token-of-kuma")
        .run();
    finished.exited(0);
    assert!(
        !finished.out.contains("its config was removed"),
        "{}",
        finished.out
    );
    let records = fs::read_dir(bots.join("records"))
        .expect("there are records")
        .flatten();
    let names: Vec<String> = records
        .map(|record| record.file_name().to_string_lossy().into_owned())
        .collect();
    let published = names
        .iter()
        .filter(|name| name.contains("-kuma-") && !name.starts_with('.'))
        .count();
    assert_eq!(published, 2, "{names:?}");
}

/// Replaces a library while its bot plays.
fn put(place: &Path, what: &str) {
    let new = place.with_extension("new");
    match what {
        "sparse" => File::create(&new)
            .and_then(|file| file.set_len(1 << 40))
            .expect("a sparse file can be made"),
        "fifo" => assert!(
            Command::new("mkfifo")
                .arg(&new)
                .status()
                .expect("mkfifo runs")
                .success()
        ),
        "link" => std::os::unix::fs::symlink(&new, &new).expect("it can be linked"),
        "folder" => {
            fs::remove_file(place).expect("it is there");
            return fs::create_dir(place).expect("it can be made");
        }
        _ => fs::write(&new, what).expect("it can be written"),
    }
    fs::rename(new, place).expect("it can be renamed");
}

#[test]
fn bots_beside_one_whose_library_becomes_something_else_play_as_ever() {
    let attacks = ["sparse", "fifo", "not a library", "link", "folder", ""];
    for what in &attacks[..many(3, attacks.len())] {
        let folder = Folder::new();
        let place = folder.path().join("libprobe.so");
        fs::copy(&PROBE.file, &place).expect("it can be copied");
        let policy = format!("[policy]\nlibrary = {place:?}\n");
        neighbour_plays_as_ever_beside(what, &policy, |_, running| {
            running.line_with("game started");
            put(&place, what);
        });
    }
}

#[test]
fn bots_beside_one_whose_library_hangs_its_trial_out_of_reach_play_as_ever() {
    // It leaves its process group, lowers its death signal, and hangs: in the trial already.
    let library = crate::common::libraries::misbehave_raw(&[]);
    for fault in ["outlive", "daemon-hang"] {
        let sound = "[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\n";
        let hangs = format!(
            "[policy]\nlibrary = {:?}\nparams = {{ fault = {fault:?} }}\n",
            library.file
        );
        neighbour_plays_as_ever_beside(fault, sound, |bots, running| {
            running.line_with("game started");
            let config = bots.join("kuma.toml");
            let text = fs::read_to_string(&config)
                .expect("it is there")
                .replace(sound, &hangs);
            fs::write(&config, text).expect("it can be written");
        });
    }
}

#[test]
fn a_library_that_leaves_something_behind_in_its_trial_is_refused_for_a_thread_with_that_word_and_not_for_a_process()
 {
    let folder = Folder::new();
    for (what, with, words) in [
        ("leave-thread", "", "it leaves 4 threads behind"),
        ("leave-child", "", "it leaves processes behind"),
        ("chdir", "/", "it changes the current folder of its process"),
        ("umask", "", "it changes the umask of its process"),
        ("handler", "", "it changes what signal 15 does"),
        ("mask", "", "it changes which signals are blocked"),
        (
            "limit",
            "",
            "it changes the limit of its process for open files",
        ),
        ("alarm", "", "it leaves an alarm behind"),
        (
            "close",
            "2",
            "it closes the descriptor 2, which is not its own",
        ),
        (
            "replace",
            "2",
            "it replaces the descriptor 2, which is not its own",
        ),
        ("timer", "", "it leaves timers behind"),
    ] {
        for isolation in ["thread", "process"] {
            let policy = format!(
                "[policy]\nlibrary = {:?}\nisolation = {isolation:?}\n",
                PROBE.file
            );
            let params = format!("[policy.params]\nwhat = {what:?}\nwith = {with:?}\n");
            let config = folder.file("kuma.toml", format!("name = \"kuma\"\n{policy}{params}"));
            let finished = Runner::new(["check".into(), config]).run();
            let out = &finished.out;
            if isolation == "thread" {
                finished.exited(1);
                assert!(
                    out.contains(words) && out.contains("set isolation = \"process\""),
                    "{what}: {out}"
                );
            } else {
                finished.exited(0);
            }
        }
    }
}

#[test]
fn a_library_that_crashes_when_its_policy_ends_is_refused_for_a_thread() {
    let library = crate::common::libraries::misbehave_raw(&[]);
    let folder = Folder::new();
    let params = "params = { fault = \"destroy-segfault\" }";
    let config = folder.file(
        "kuma.toml",
        format!(
            "name = \"kuma\"\n[policy]\nlibrary = {:?}\n{params}\n",
            library.file
        ),
    );
    let finished = Runner::new(["check".into(), config]).run();
    let words = "while ending, its process was killed by signal 11 (segmentation fault)";
    assert!(finished.exited(1).contains(words), "{}", finished.out);
}
