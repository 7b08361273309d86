//! Results files of `tournament`: gone on with, divided, put together, refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use lab::tournament::ResultsFile;
use learned::RiichiWeights as Weights;
use rustix::process::Signal;
use serde_json::Value;

use super::configs::Folder;
use super::program::{Finished, Runner};
use super::tournament::{bots, tournament};
use crate::common::libraries::PROGRAM;

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Plays this many games into a file.
fn play(bots: &[PathBuf], games: &str, more: &[&str], out: &Path) -> Finished {
    tournament(
        &[&["--games", games, "--seed", "1", "--out", text(out)], more].concat(),
        bots,
    )
}

fn merge(parts: &[PathBuf], out: &Path) -> Finished {
    let parts = parts.iter().map(|part| text(part));
    Runner::new(
        ["tournament", "--merge"]
            .into_iter()
            .chain(parts)
            .chain(["--out", text(out)]),
    )
    .run()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Number of walls in a results file and its journal.
fn walls(out: &Path) -> usize {
    let file: Value =
        serde_json::from_str(&read(out)).expect("a results file is whole at any moment");
    let number = |wall: &Value| wall["wall"].as_u64().expect("a number");
    let mut walls: BTreeSet<u64> = file["played"]
        .as_array()
        .expect("walls")
        .iter()
        .map(number)
        .collect();
    let journal = fs::read_to_string(out.with_extension("json.journal")).unwrap_or_default();
    // The first line says whose it is.
    let lines = journal
        .split_inclusive('\n')
        .skip(1)
        .filter(|line| line.ends_with('\n'));
    // Killed between one and the other, both may hold the same.
    walls.extend(lines.map(|line| number(&serde_json::from_str(line).expect("a line is whole"))));
    walls.len()
}

#[test]
fn a_tournament_killed_at_any_moment_resumes_with_the_same_result() {
    let folder = Folder::new();
    // Walls of four configs fill the file with the fewest games, so the journal begins early.
    let bots = bots(&folder, &["never", "yaku", "never", "yaku"]);
    let (whole, cut) = (
        folder.path().join("whole.json"),
        folder.path().join("cut.json"),
    );
    let (games, east) = ("400", ["--length", "east"]);
    play(&bots, games, &east, &whole).exited(0);
    let mut before = 0;
    for kill in 0..4 {
        let args = [
            "tournament",
            "--games",
            games,
            "--seed",
            "1",
            "--jobs",
            "1",
            "--out",
            text(&cut),
        ];
        let args = args
            .into_iter()
            .chain(east)
            .chain(bots.iter().map(|bot| text(bot)));
        let running = Runner::new(args).start();
        // Early ones hit the whole file, the last one the journal too.
        let until = Instant::now() + Duration::from_secs(60);
        let seen = loop {
            assert!(Instant::now() < until, "no further walls are played");
            let (in_file, in_both) = walls_if_there(&cut).unwrap_or_default();
            if in_both == 100 || in_both >= before + 3 + 5 * kill && (kill < 3 || in_both > in_file)
            {
                break in_both;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        running.signal(Signal::KILL);
        running.finish();
        let kept = walls(&cut);
        assert!(kept >= seen, "{kept} walls are left of {seen}");
        assert!(kept < 100, "it was killed too late");
        before = kept;
    }
    let finished = play(&bots, games, &east, &cut);
    finished.exited(0);
    assert!(
        finished
            .err
            .contains(&format!("already holds {before} of 100 walls")),
        "{}",
        finished.err
    );
    assert_eq!(read(&cut), read(&whole));
    assert!(
        !cut.with_extension("json.journal").exists() && !cut.with_extension("json.new").exists()
    );

    let again = play(&bots, games, &east, &cut);
    assert!(
        again.err.contains("holds 100 of 100 walls") && again.err.contains("for 0 games"),
        "{}",
        again.err
    );
    assert_eq!(read(&cut), read(&whole), "there was nothing more to play");
}

/// Number of walls in a results file that a process writes, and in the file and its journal
/// together. The journal may be emptied between one look and the other.
fn walls_if_there(out: &Path) -> Option<(usize, usize)> {
    let file: Value =
        serde_json::from_str(&fs::read_to_string(out).ok()?).expect("it is whole at any moment");
    let mut walls: BTreeSet<u64> = file["played"]
        .as_array()?
        .iter()
        .filter_map(|wall| wall["wall"].as_u64())
        .collect();
    let in_file = walls.len();
    let journal = fs::read_to_string(out.with_extension("json.journal")).unwrap_or_default();
    let lines = journal
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    walls.extend(lines.filter_map(|line| line["wall"].as_u64()));
    Some((in_file, walls.len()))
}

#[test]
fn other_arguments_with_an_old_file_are_refused_with_the_difference() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let out = folder.path().join("results.json");
    play(&two, "12", &[], &out).exited(0);
    let before = read(&out);
    let refused = |finished: Finished, words: &str| {
        finished.exited(1);
        assert!(
            finished.err.contains(words) && finished.err.contains("results.json"),
            "{words}: {}",
            finished.err
        );
        assert_eq!(read(&out), before);
    };
    refused(
        tournament(&["--games", "12", "--seed", "2", "--out", text(&out)], &two),
        "seed is 1 and 2",
    );
    refused(
        play(&two, "18", &[], &out),
        "a tournament of 12 games, and this one has --games 18; a file cannot be extended",
    );
    refused(
        play(&two, "12", &["--length", "east"], &out),
        "length is \"half\" and \"east\"",
    );
    refused(
        play(&two, "12", &["--rules", "mahjong-soul"], &out),
        "rules is \"tenhou\" and \"mahjong-soul\"",
    );
    refused(
        play(&two, "12", &["--shard", "0/2"], &out),
        "shard is 0/1 and 0/2",
    );
    refused(
        play(&[two[1].clone(), two[1].clone()], "12", &[], &out),
        "plays here; name another file",
    );
    let other = bots(&folder, &["yaku", "yaku"]);
    refused(play(&other, "12", &[], &out), "of other configs: ");
    refused(
        play(&other, "12", &[], &out),
        " has changed since: its policy, build, parameters with their files, or think_ms; name another file",
    );
    refused(
        play(&[other, two].concat(), "12", &[], &out),
        "a tournament of 2 configs, and this one has 4",
    );
    assert!(!out.with_extension("json.journal").exists());
}

#[test]
fn an_old_file_is_refused_once_a_file_of_the_parameters_has_changed() {
    let folder = Folder::new();
    let weights = Weights::none(4).to_text();
    folder.file("weights.txt", &weights);
    let config =
        "name = \"tora\"\n[policy]\nid = \"learned\"\n[policy.params]\nweights = \"weights.txt\"\n";
    let mut two = bots(&folder, &["never"]);
    two.push(folder.file("learned.toml", config));
    let out = folder.path().join("results.json");
    play(&two, "6", &["--length", "east"], &out).exited(0);
    let again = || play(&two, "6", &["--length", "east"], &out);
    again().exited(0);
    folder.file("weights.txt", weights.trim_end());
    let refused = again();
    refused.exited(1);
    assert!(
        refused.err.contains("learned.toml has changed since"),
        "{}",
        refused.err
    );
}

#[test]
fn a_journal_of_another_tournament_is_refused() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let (one, other) = (
        folder.path().join("one.json"),
        folder.path().join("other.json"),
    );
    play(&two, "12", &[], &one).exited(0);
    let journal = one.with_extension("json.journal");
    let last = read(&one)
        .lines()
        .rfind(|line| line.contains("\"wall\""))
        .expect("a wall")
        .trim()
        .to_owned();
    fs::write(&journal, format!("\"of another\"\n{last}\n")).expect("it is ours");
    let finished = play(&two, "12", &[], &one);
    finished.exited(1);
    assert!(
        finished
            .err
            .contains("one.json.journal belongs to another tournament"),
        "{}",
        finished.err
    );
    // A journal left behind without its results file is ignored.
    fs::rename(&journal, other.with_extension("json.journal")).expect("it is ours");
    play(&two, "12", &[], &other).exited(0);
    assert_eq!(read(&other), read(&one));
}

#[test]
fn without_a_seed_the_one_in_the_file_is_used() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let out = folder.path().join("results.json");
    let play = || tournament(&["--games", "12", "--out", text(&out)], &bots);
    play().exited(0);
    let before = read(&out);
    play().exited(0);
    assert_eq!(read(&out), before);
}

#[test]
fn shards_make_up_exactly_what_one_run_gives() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let out = |name: &str| folder.path().join(name);
    let one = play(&bots, "40", &[], &out("one.json"));
    // One more shard than there are walls.
    let parts: Vec<PathBuf> = (0..8)
        .rev()
        .map(|number| out(&format!("part-{number}.json")))
        .collect();
    for (number, part) in (0..8).rev().zip(&parts) {
        let shard = format!("{number}/8");
        let finished = play(&bots, "40", &["--shard", &shard], part);
        assert_eq!(
            finished.exited(0).contains("shard 7/8 has none"),
            number == 7,
            "{}",
            finished.out
        );
    }
    let merged = merge(&parts, &out("all.json"));
    assert_eq!(read(&out("all.json")), read(&out("one.json")));
    let results = |finished: &Finished| {
        finished
            .exited(0)
            .split_once("\n\n")
            .expect("tables")
            .1
            .to_owned()
    };
    assert!(
        results(&one)
            .ends_with(&results(&merged)[results(&merged).find("one ").expect("a table")..])
    );

    let again = merge(&parts, &out("all.json"));
    again.exited(0);
    let onto_a_part = merge(&parts, &parts[0]);
    onto_a_part.exited(1);
    assert!(
        onto_a_part.err.contains("is one of the parts"),
        "{}",
        onto_a_part.err
    );
    let other = folder.file("other.json", "mine");
    let onto_another = merge(&parts, &other);
    onto_another.exited(1);
    assert!(
        onto_another.err.contains("already exists") && read(&other) == "mine",
        "{}",
        onto_another.err
    );
}

#[test]
fn parts_that_are_missing_overlap_are_cut_or_are_of_another_tournament_are_refused() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let out = |name: &str| folder.path().join(name);
    let part = |name: &str, shard: &str, games: &str| {
        play(&bots, games, &["--shard", shard], &out(name)).exited(0);
        out(name)
    };
    let (first, second) = (
        part("part-0.json", "0/3", "36"),
        part("part-1.json", "1/3", "36"),
    );
    let (other, fourth) = (
        part("other.json", "2/3", "42"),
        part("fourth.json", "3/4", "36"),
    );
    let all = out("all.json");
    let refused = |parts: &[&PathBuf], words: &str| {
        let parts: Vec<PathBuf> = parts.iter().map(|&part| part.clone()).collect();
        let finished = merge(&parts, &all);
        finished.exited(1);
        assert!(finished.err.contains(words), "{words}: {}", finished.err);
        assert!(!all.exists());
    };
    refused(&[&first, &second], "parts are missing: shard 2/3");
    refused(
        &[&first, &second, &first],
        "part-0.json overlap: both are shard 0/3",
    );
    refused(&[&first, &second, &other], "games is 36 and 42");
    refused(
        &[&first, &second, &fourth],
        "parts of one division belong together",
    );
    let half = &read(&second)[..read(&second).len() / 2];
    let cut = folder.file("cut.json", half);
    refused(&[&first, &cut], "cut.json cannot be used");
    refused(
        &[&first, &out("nowhere.json")],
        "nowhere.json does not exist",
    );
    // A part without its last wall.
    let mut file: Value = serde_json::from_str(&without_checksum(&read(&second))).expect("JSON");
    file["played"].as_array_mut().expect("walls").pop();
    let short = folder.file("short.json", file.to_string());
    refused(&[&first, &short], "short.json holds 1 of its 2");
    // A part with a changed number.
    let changed = read(&second).replacen("\"wall\":2", "\"wall\":3", 1);
    let text = folder.file("changed.json", &changed);
    refused(&[&first, &text], "changed.json cannot be used");
    refused(
        &[&first, &text],
        "its checksum does not fit; if that was on purpose, take the key \"sha256\" out",
    );
    let text = folder.file("changed.json", without_checksum(&changed));
    refused(&[&first, &text], "its results for wall 3 are impossible");
}

#[test]
fn a_merge_refuses_options_of_games_which_it_does_not_play() {
    for option in [
        "--uma=90,45,0,-135",
        "--players=3",
        "--length=east",
        "--rules=tenhou",
        "--format=round-robin",
        "--think-ms=500",
        "--jobs=2",
        "--page",
    ] {
        let finished = Runner::new(["tournament", option, "--merge", "part.json"]).run();
        finished.exited(2);
        assert!(
            finished.err.contains("cannot be used with"),
            "{option}: {}",
            finished.err
        );
    }
}

/// A results file as earlier versions wrote it.
fn without_checksum(text: &str) -> String {
    let (before, _) = text.split_once(",\n  \"sha256\"").expect("it has one");
    format!("{before}\n}}\n")
}

#[test]
fn a_results_file_of_which_any_byte_was_changed_is_refused_or_says_the_same() {
    let folder = Folder::new();
    let out = folder.path().join("part.json");
    play(
        &bots(&folder, &["never", "yaku"]),
        "24",
        &["--shard", "0/2"],
        &out,
    )
    .exited(0);
    let whole = read(&out);
    let file = ResultsFile::of_content(whole.as_bytes()).expect("it is whole");
    let mut refused = 0;
    for place in 0..whole.len() {
        let mut bytes = whole.clone().into_bytes();
        // Another digit for a digit.
        bytes[place] ^= 1;
        match ResultsFile::of_content(&bytes) {
            Err(_) => refused += 1,
            Ok(changed) => {
                assert_eq!(
                    (&changed.arguments, changed.shard),
                    (&file.arguments, file.shard),
                    "byte {place}"
                );
                assert_eq!(changed.walls, file.walls, "byte {place}");
            }
        }
    }
    assert!(
        whole.len() - refused < 8,
        "{refused} of {}: only the checksum's name may be changed",
        whole.len()
    );
}

#[test]
fn a_results_file_of_an_earlier_version_which_has_no_checksum_is_read_and_gone_on_with() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let (out, all) = (
        folder.path().join("results.json"),
        folder.path().join("all.json"),
    );
    play(&bots, "12", &[], &out).exited(0);
    let whole = read(&out);
    fs::write(&out, without_checksum(&whole)).expect("it is ours");
    merge(std::slice::from_ref(&out), &all).exited(0);
    assert_eq!(read(&all), whole);
    assert!(
        play(&bots, "12", &[], &out)
            .err
            .contains("holds 2 of 2 walls")
    );
    assert_eq!(read(&out), whole);
}

#[test]
fn a_results_file_cut_in_half_is_refused_and_unchanged() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let out = folder.path().join("results.json");
    play(&bots, "12", &[], &out).exited(0);
    let half = read(&out)[..read(&out).len() / 2].to_owned();
    fs::write(&out, &half).expect("it is ours");
    let finished = play(&bots, "12", &[], &out);
    finished.exited(1);
    for words in ["results.json cannot be used", "cut or changed", "remove it"] {
        assert!(finished.err.contains(words), "{words}: {}", finished.err);
    }
    assert_eq!(
        finished.err.matches("EOF while parsing").count(),
        1,
        "{}",
        finished.err
    );
    assert_eq!(read(&out), half);
}

#[test]
fn a_file_that_is_no_results_file_is_refused_without_the_advice_to_remove_it() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let json = folder.file("other.json", "{\"seed\": 1}");
    for file in [&bots[0], &json] {
        let finished = play(&bots, "12", &[], file);
        finished.exited(1);
        let said = "cannot be used; name another file: it is not a results file of a tournament\n";
        assert!(
            finished.err.contains(said) && !finished.err.contains("remove"),
            "{}",
            finished.err
        );
    }
}

#[test]
fn a_results_file_in_a_folder_that_is_missing_is_refused() {
    let folder = Folder::new();
    let out = folder.path().join("nodir/results.json");
    let finished = play(&bots(&folder, &["never", "yaku"]), "12", &[], &out);
    finished.exited(1);
    assert!(
        finished.err.contains("nodir does not exist; make it first"),
        "{}",
        finished.err
    );
}

#[test]
fn a_shard_beyond_its_count_and_odd_combinations_are_refused_before_anything_is_played() {
    let folder = Folder::new();
    let two = bots(&folder, &["never", "yaku"]);
    let out = folder.path().join("results.json");
    let refused = |args: &[&str], words: &str| {
        let finished = tournament(&[&["--games", "12"], args].concat(), &two);
        finished.exited(2);
        assert!(finished.err.contains(words), "{words}: {}", finished.err);
    };
    refused(
        &["--shard", "4/4", "--out", text(&out)],
        "numbered from 0 to 3",
    );
    refused(&["--shard", "first", "--out", text(&out)], "K/N");
    refused(&["--shard", "0/4"], "--out");
    refused(
        &["--shard", "0/4", "--until-clear", "--out", text(&out)],
        "--until-clear",
    );
    assert!(!out.exists());
    let finished = tournament(&["--games", "12", "--out", "/dev/full"], &two);
    finished.exited(1);
    assert!(
        finished.err.contains("not an ordinary file"),
        "{}",
        finished.err
    );
}

#[test]
fn a_file_that_another_tournament_writes_is_refused() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku"]);
    let out = folder.path().join("results.json");
    let args = [
        "tournament",
        "--games",
        "600000",
        "--seed",
        "1",
        "--jobs",
        "1",
        "--out",
        text(&out),
    ];
    let mut running = Runner::new(args.into_iter().chain(bots.iter().map(|bot| text(bot)))).start();
    running.line_with("two against two");
    while !out.exists() {
        std::thread::yield_now();
    }
    let finished = play(&bots, "600000", &[], &out);
    finished.exited(1);
    assert!(
        finished.err.contains("being written by another tournament"),
        "{}",
        finished.err
    );
    while walls(&out) < 2 {
        std::thread::yield_now();
    }
    running.interrupt();
    let stopped = running.finish();
    assert!(
        stopped.exited(0).contains("Stopped early"),
        "{}",
        stopped.out
    );
    let file: Value = serde_json::from_str(&read(&out)).expect("JSON");
    assert_eq!(file["ended"], "interrupted");
    assert_eq!(
        file["walls"].as_u64().map(|walls| walls as usize),
        Some(walls(&out)),
        "one thread plays in order"
    );
}

#[test]
fn a_full_disk_ends_it_with_an_error_and_the_written_part_is_resumed() {
    let folder = Folder::new();
    let bots = bots(&folder, &["never", "yaku", "never", "yaku"]);
    let in_own_mounts = |script: &str| {
        let mut command = Command::new("unshare");
        command
            .args(["--map-root-user", "--mount", "sh", "-ec", script])
            .current_dir(folder.path());
        command
            .env("RUNNER", PROGRAM)
            .env("NO_COLOR", "1")
            .env_remove("BOT_RUNNER_LOG")
            .output()
    };
    fs::create_dir(folder.path().join("small")).expect("it is ours");
    let mount = "mount -t tmpfs -o size=20k none small";
    if !in_own_mounts(mount).is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: this machine does not allow to mount a tmpfs, so no disk was full");
        return;
    }
    let configs: Vec<&str> = bots.iter().map(|bot| text(bot)).collect();
    let command = format!(
        "\"$RUNNER\" tournament --games 120 --length east --seed 1 {} --out",
        configs.join(" ")
    );
    let script = format!(
        "{mount}; {command} small/results.json >out.txt 2>err.txt && exit 9; cp small/results.json ."
    );
    assert!(
        in_own_mounts(&script).expect("it runs").status.success(),
        "it ends with an error"
    );
    let err = read(&folder.path().join("err.txt"));
    for words in [
        "cannot be written to small/results.json",
        "No space left on device",
        "run the same command again",
    ] {
        assert!(err.contains(words), "{words}: {err}");
    }
    let out = folder.path().join("results.json");
    let kept = walls(&out);
    assert!(kept > 5, "{kept} walls were kept");
    let east = ["--length", "east"];
    play(&bots, "120", &east, &out).exited(0);
    let whole = folder.path().join("whole.json");
    play(&bots, "120", &east, &whole).exited(0);
    assert_eq!(read(&out), read(&whole));
}
