//! `tune`: better values for a policy's parameters.

use std::fs;
use std::path::{Path, PathBuf};

use super::configs::{Folder, POLICY};
use super::program::{Finished, Runner, table};
use crate::common::libraries::MISBEHAVE;

const SHAPE: &str = "[policy]\nlibrary = \"builtin\"\nid = \"weighted-shape\"\n";

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Searches on 20 walls of East-only games.
fn tune(config: &Path, against: &Path, more: &[&str]) -> Finished {
    let args = [
        "tune",
        text(config),
        "--against",
        text(against),
        "--games",
        "240",
        "--length",
        "east",
    ];
    Runner::new(args.iter().chain(more).copied()).run()
}

/// A bot with all its weights wrong, and one as it comes.
fn bots(folder: &Folder) -> (PathBuf, PathBuf) {
    let weights = "# what a part costs\n[policy.params]\nisolated = 1.0 # most\ngap = 0\n";
    (
        folder.file("new.toml", format!("name = \"new\"\n{SHAPE}{weights}")),
        folder.file("old.toml", format!("name = \"old\"\n{SHAPE}")),
    )
}

#[test]
fn the_values_found_are_in_a_config_like_the_bots_own_with_a_plot_beside_it_and_a_fresh_tournament()
{
    let folder = Folder::new();
    let (new, old) = bots(&folder);
    let finished = tune(&new, &old, &["--seed", "1"]);
    let out = finished.exited(0);
    assert!(
        out.contains(
            "`isolated`, `gap`, `neighbour` of weighted-shape in 10 steps of 2 walls in 12 seatings"
        ),
        "{out}"
    );
    assert!(
        out.lines()
            .any(|line| line.starts_with("   0    1.0000    0.0000")),
        "the path begins at the bot's: {out}"
    );
    assert_eq!(table(out).len(), 3, "{out}");
    for words in [
        "new-tuned",
        "new-before",
        "walls that the search did not use",
        "60 games on 5 walls",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
    let tuned = fs::read_to_string(folder.path().join("new.tuned.toml")).expect("it was written");
    for kept in [
        "# what a part costs\n",
        " # most\n",
        "library = \"builtin\"",
        "name = \"new\"",
    ] {
        assert!(tuned.contains(kept), "{kept}: {tuned}");
    }
    assert!(
        tuned.contains("# In 30 games against old no difference is shown; its advantage was "),
        "{tuned}"
    );
    let config: toml::Table = tuned.parse().expect("a config");
    for name in ["isolated", "gap", "neighbour"] {
        let value = config["policy"]["params"][name]
            .as_float()
            .expect("a number");
        assert!(
            (0.0..=1.0).contains(&value) && out.contains(&format!("{value:.4}")),
            "{name}: {value}: {out}"
        );
    }
    let svg = fs::read_to_string(folder.path().join("new.tuned.svg")).expect("it was drawn");
    assert_eq!(svg.matches("stroke-width=\"1.5\"").count(), 3);
    Runner::new(["check", text(&folder.path().join("new.tuned.toml"))])
        .run()
        .exited(0);

    let last = out.lines().last().expect("a line");
    assert!(
        last.starts_with("Conclusion: ") && last.contains("values found"),
        "{last}"
    );

    // The same seed on another number of threads.
    let again = tune(
        &new,
        &old,
        &[
            "--seed",
            "1",
            "--jobs",
            "3",
            "--out",
            text(&folder.path().join("again.toml")),
        ],
    );
    let without_files = |out: &str| {
        out.split("\nWritten: ")
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(without_files(again.exited(0)), without_files(out));
}

#[test]
fn where_a_policy_did_not_make_its_decisions_the_search_advises_nothing() {
    let folder = Folder::new();
    let (new, _) = bots(&folder);
    let library = MISBEHAVE.display();
    let odd = format!(
        "name = \"odd\"\n[policy]\nlibrary = \"{library}\"\n[policy.params]\nfault = \"fail\"\nfrom = 4\n"
    );
    let odd = folder.file("odd.toml", odd);
    let finished = tune(&new, &odd, &["--seed", "1"]);
    let last = finished.exited(0).lines().last().expect("a line");
    assert!(
        last.contains(
            " % of the decisions of odd failed, and the safe answer was played: repair that"
        ),
        "{last}"
    );
    assert!(
        !last.contains("use them") && !last.contains("keep"),
        "{last}"
    );
}

#[test]
fn one_parameter_can_be_searched_alone() {
    let folder = Folder::new();
    let (new, old) = bots(&folder);
    let finished = tune(&new, &old, &["--seed", "1", "--param", "neighbour"]);
    assert!(
        finished
            .exited(0)
            .contains("new: `neighbour` of weighted-shape"),
        "{}",
        finished.out
    );
    let tuned = fs::read_to_string(folder.path().join("new.tuned.toml")).expect("it was written");
    assert!(
        tuned.contains("isolated = 1.0 # most") && tuned.contains("gap = 0\n"),
        "{tuned}"
    );
}

#[test]
fn a_parameter_of_dou_dizhu_can_be_searched() {
    let folder = Folder::new();
    let bot = |name: &str, candidates: u32| {
        let policy = "[policy]\nlibrary = \"builtin\"\nid = \"doudizhu-split\"\n[policy.params]\nplayouts = 16\n";
        folder.file(
            &format!("{name}.toml"),
            format!("name = \"{name}\"\n{policy}candidates = {candidates}\n"),
        )
    };
    let (new, old) = (bot("new", 2), bot("old", 8));
    let args = [
        "tune",
        text(&new),
        "--against",
        text(&old),
        "--games",
        "240",
        "--seed",
        "1",
    ];
    let finished = Runner::new(args).run();
    let out = finished.exited(0);
    assert!(out.contains("`candidates` of doudizhu-split"), "{out}");
    let tuned = fs::read_to_string(folder.path().join("new.tuned.toml")).expect("it was written");
    let config: toml::Table = tuned.parse().expect("a config");
    let found = config["policy"]["params"]["candidates"]
        .as_integer()
        .expect("a whole number");
    assert!((2..=256).contains(&found), "{tuned}");
}

#[test]
fn what_cannot_be_tuned_or_written_is_refused_before_anything_is_played() {
    let folder = Folder::new();
    let (new, old) = bots(&folder);
    let refused = |finished: Finished, words: &str| {
        finished.exited(1);
        assert!(
            finished.err.contains(words) && finished.out.is_empty(),
            "{words}: {}",
            finished.err
        );
    };
    let greedy = folder.file("greedy.toml", format!("name = \"greedy\"\n{POLICY}"));
    refused(
        tune(&greedy, &old, &[]),
        "greedy.toml: the policy greedy-tenpai declares no parameter that may be tuned",
    );
    refused(
        tune(&new, &old, &["--param", "unseen"]),
        "it has `isolated`, `gap`, `neighbour`",
    );
    let elsewhere = Folder::new();
    refused(
        tune(
            &new,
            &old,
            &["--out", text(&elsewhere.path().join("x.toml"))],
        ),
        "another folder",
    );
    refused(
        tune(&new, &old, &["--out", text(&folder.path().join("x.json"))]),
        "must end in .toml",
    );
    refused(
        tune(&new, &old, &["--out", text(&old)]),
        "old.toml already exists",
    );
    let missing = folder.path().join("missing/x.toml");
    refused(
        tune(&new, &old, &["--out", text(&missing)]),
        "missing/x.toml cannot be written",
    );
    let fewer = Runner::new([
        "tune",
        text(&new),
        "--against",
        text(&old),
        "--games",
        "100",
    ])
    .run();
    fewer.exited(2);
}

#[test]
fn ctrl_c_in_the_search_prints_the_path_so_far_and_writes_nothing() {
    let folder = Folder::new();
    let (new, old) = bots(&folder);
    let args = [
        "tune",
        text(&new),
        "--against",
        text(&old),
        "--games",
        "2000000",
        "--jobs",
        "1",
    ];
    let mut running = Runner::new(args).start();
    running.line_with("against old");
    running.interrupt();
    let finished = running.finish();
    finished.exited(1);
    assert!(
        finished.err.contains("nothing was written") && finished.out.contains("\nstep  "),
        "{finished:?}"
    );
    assert!(!folder.path().join("new.tuned.toml").exists());
}

#[test]
fn a_policy_of_another_game_is_tuned_by_its_points() {
    let folder = Folder::new();
    let [fan, steps] = [("fan", "cs-fan"), ("steps", "cs-eight-step")].map(|(name, policy)| {
        let text =
            format!("name = \"{name}\"\n[policy]\nid = \"{policy}\"\nlibrary = \"builtin\"\n");
        folder.file(&format!("{name}.toml"), text)
    });
    let tune = |more: &[&str]| {
        let args = [
            "tune",
            text(&fan),
            "--against",
            text(&steps),
            "--game",
            "chinese-standard",
            "--games",
            "240",
        ];
        Runner::new(args.iter().chain(more).copied()).run()
    };
    // The search of this seed ends so near to where it began that no decision changes.
    let config = "name = \"fan\"\n[policy]\nid = \"cs-fan\"\nlibrary = \"builtin\"\nparams = { beyond = 0 }\n";
    let alike = folder.file("alike.toml", config);
    let args = [
        "tune",
        text(&alike),
        "--against",
        text(&steps),
        "--games",
        "240",
        "--param",
        "eagerness",
    ];
    let finished = Runner::new(args.into_iter().chain(["--seed", "1"])).run();
    let out = finished.exited(0);
    assert!(
        out.contains("the values found made no difference on any wall"),
        "{out}"
    );
    let refused = tune(&["--length", "east"]);
    refused.exited(1);
    assert!(
        refused.err.contains("--length is for games of riichi"),
        "{}",
        refused.err
    );
    let finished = tune(&["--seed", "1", "--param", "eagerness"]);
    let out = finished.exited(0);
    assert!(
        out.contains(
            "fan: `eagerness` of cs-fan in 10 steps of 2 walls in 12 seatings, against steps"
        ),
        "{out}"
    );
    assert!(out.contains(" points (95 % interval "), "{out}");
    let tuned = fs::read_to_string(folder.path().join("fan.tuned.toml")).expect("it was written");
    assert!(
        tuned.contains(" against steps no difference is shown; ")
            && tuned.contains(" points a game"),
        "{tuned}"
    );
    let config: toml::Table = tuned.parse().expect("a config");
    assert!(
        config["policy"]["params"]["eagerness"].is_float(),
        "{tuned}"
    );
}
