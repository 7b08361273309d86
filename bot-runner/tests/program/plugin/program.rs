//! Policies that are programs: their views, and their files as a part of them.

use std::fs;
use std::path::Path;

use crate::configs::Folder;
use crate::program::{Runner, cell, table};

/// A program that discards its draw, and prints so.
const THROWS: &str = "\
import json, sys
for line in sys.stdin:
    plain = [a for a in json.loads(line)['legal'] if a['type'] == 'none' or a['type'] == 'dahai' and a['tsumogiri']]
    print(json.dumps({'index': plain[0]['index'] if plain else 0, 'reason': 'first build'}), flush=True)
";

/// A bot whose policy is this program.
fn bot(folder: &Folder, program: &str) -> std::path::PathBuf {
    folder.file("policy.py", program);
    let params = "[policy.params]\ncommand = \"python3 policy.py\"\n";
    folder.file(
        "mine.toml",
        format!("name = \"mine\"\n[policy]\nid = \"program\"\nlibrary = \"builtin\"\nwatch = [\"*.py\"]\n{params}"),
    )
}

#[test]
fn the_schema_is_printed_and_is_the_one_that_lines_are_tested_with() {
    let finished = Runner::new(["plugin", "schema"]).run();
    let schema: serde_json::Value = serde_json::from_str(finished.exited(0)).expect("JSON");
    let committed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../policies/program/schema/view-1.json");
    let committed = fs::read_to_string(committed).expect("it is there");
    assert_eq!(
        schema,
        serde_json::from_str::<serde_json::Value>(&committed).expect("JSON")
    );
    assert_eq!(schema["$id"], "urn:bot-runner:policy-view:1");
}

#[test]
fn an_example_line_of_each_game_is_one_line_that_a_program_can_answer() {
    for game in ["riichi", "chinese-standard", "doudizhu"] {
        let finished = Runner::new(["plugin", "schema", "--example", "--game", game]).run();
        let line: serde_json::Value = serde_json::from_str(finished.exited(0)).expect("JSON");
        assert_eq!(
            (line["game"].as_str(), finished.out.lines().count()),
            (Some(game), 1)
        );
        assert!(
            line["legal"]
                .as_array()
                .is_some_and(|legal| legal.len() > 1),
            "{line}"
        );
    }
}

#[test]
fn a_fault_in_each_decision_is_reported_once_with_its_number() {
    let out = tested("if n > 3: print('no answer', flush=True)", 15_000);
    let faults: Vec<&str> = out
        .lines()
        .filter(|line| line.starts_with("fault: "))
        .collect();
    assert!(
        faults.len() < 4 && faults[0].contains(", and ") && faults[0].contains(" more like it: "),
        "{out}"
    );
}

#[test]
fn a_program_is_shown_the_decisions_of_each_game_and_passes_the_test_of_it() {
    let folder = Folder::new();
    let first = "import json, sys\nfor line in sys.stdin: print(json.dumps({'index': json.loads(line)['legal'][0]['index']}), flush=True)\n";
    folder.file("policy.py", first);
    for id in ["cs-program", "doudizhu-program"] {
        let params = "[policy.params]\ncommand = \"python3 policy.py\"\n";
        let config = folder.file(
            "mine.toml",
            format!("name = \"mine\"\n[policy]\nid = {id:?}\nlibrary = \"builtin\"\n{params}"),
        );
        let played = Runner::new([Path::new("play"), &config]).run();
        assert!(played.exited(0).contains("mine"), "{}", played.all());
        let tested = Runner::new([Path::new("plugin"), Path::new("test"), &config]).run();
        let out = tested.exited(0);
        assert!(
            out.contains("20 of 20 games") && out.contains("it is repeatable"),
            "{out}"
        );
    }
}

#[test]
fn a_changed_file_of_the_program_is_a_swap_and_one_that_cannot_decide_is_none() {
    let folder = Folder::new();
    let config = bot(&folder, THROWS);
    let args = ["play", "--games=1000000", "--watch-ms=20"]
        .map(Path::new)
        .into_iter()
        .chain([config.as_path()]);
    let runtime = folder.private("runtime");
    let mut playing = Runner::new(args)
        .env("XDG_RUNTIME_DIR", runtime.to_str().expect("UTF-8"))
        .start();
    playing.line_with("East 1-0");
    // Put in place as a whole, as editors do.
    folder.file("next", THROWS.replace("first build", "second build"));
    fs::rename(folder.path().join("next"), folder.path().join("policy.py"))
        .expect("it can be renamed");
    let line = playing.line_with("mine: now decides: policy.py program");
    assert!(line.contains("(built in, sha256 "), "{line}");
    folder.file("next", "this is no Python");
    fs::rename(folder.path().join("next"), folder.path().join("policy.py"))
        .expect("it can be renamed");
    let line = playing.error_with("the policy stays as it is");
    assert!(line.contains("SyntaxError"), "{line}");
    playing.interrupt();
    playing.finish().exited(0);
}

/// The program with a name and a version in its first line.
fn named(name: &str, version: &str) -> String {
    let print = "print(json.dumps(answer), flush=True)";
    let head = format!("first = {{'name': {name}, 'version': {version}}}\n");
    let throws = THROWS
        .replace("print(json.dumps({", "answer = {")
        .replace("'first build'}), flush=True)", "'why'}");
    throws.replace("for line", &(head + "for line"))
        + &format!("    answer.update(first)\n    first = {{}}\n    {print}\n")
}

#[test]
fn the_name_and_version_in_a_programs_first_line_are_shown_in_tables_records_and_results() {
    let folder = Folder::new();
    let config = bot(&folder, &named("'Kuma'", "2.1"));
    let text = fs::read_to_string(&config).expect("it was written");
    fs::write(
        &config,
        format!("{text}[results]\ndatabase = \"sqlite:results.db\"\n"),
    )
    .expect("it can be written");
    let run = |args: &[&str]| {
        Runner::new(args)
            .in_folder(folder.path())
            .run()
            .exited(0)
            .to_owned()
    };

    let checked = run(&["check", "mine.toml"]);
    assert!(
        checked.contains("mine decides by Kuma 2.1 (built in)"),
        "{checked}"
    );
    let played = run(&["play", "mine.toml", "--record", "games"]);
    assert!(played.contains("mine: Kuma 2.1, built in"), "{played}");
    assert!(
        table(&played)
            .iter()
            .any(|row| cell(row, "policy") == "Kuma 2.1"),
        "{played}"
    );
    let decisions = fs::read_dir(folder.path().join("games/decisions")).expect("it is there");
    let decisions: Vec<String> = decisions
        .map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a text"))
        .collect();
    assert!(
        decisions.iter().any(|text| text.contains("\"Kuma\"")),
        "the record names the policy: {decisions:?}"
    );

    folder.bot("neko");
    let duel = [
        "tournament",
        "mine.toml",
        "neko.toml",
        "--games=6",
        "--seed=1",
        "--out=duel.json",
    ];
    let won = run(&[&duel[..], &["--results", "sqlite:results.db"]].concat());
    assert!(won.contains("mine: Kuma 2.1 (built in)"), "{won}");
    let kept = fs::read_to_string(folder.path().join("duel.json")).expect("it was written");
    let kept: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    let mine = kept["entrants"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|entrant| entrant["name"] == "mine");
    let mine = mine.expect("it played");
    assert_eq!(
        (&mine["policy"], &mine["version"]),
        (&"Kuma".into(), &"2.1".into())
    );
    let stats = run(&["stats", "--tournaments", "--results", "sqlite:results.db"]);
    assert!(stats.contains("Kuma 2.1"), "{stats}");
}

#[test]
fn a_bad_name_in_a_programs_first_line_is_left_out_or_cut_and_costs_nothing() {
    for (name, version, shown, warning) in [
        (
            "['Kuma']",
            "' '",
            "policy.py program 1",
            "`name` of its first line is a list; allowed is a text",
        ),
        ("'Ku\\x1b[31m\\nma'", "'1'", "Ku\\u{1b}[31m ma 1", ""),
        ("9 * 'long' * 1000", "None", "longlonglong", ""),
    ] {
        let folder = Folder::new();
        let config = bot(&folder, &named(name, version));
        let finished = Runner::new([Path::new("play"), &config]).run();
        let rows = table(finished.exited(0));
        let own = rows
            .iter()
            .find(|row| cell(row, "bot") == "mine")
            .expect("it is in the table");
        let policy = cell(own, "policy");
        assert!(
            policy.starts_with(shown) && policy.chars().count() < 80,
            "{}",
            finished.all()
        );
        assert!(
            finished.err.contains(warning) && !finished.err.contains("safe answer"),
            "{}",
            finished.all()
        );
    }
}

#[test]
fn a_pattern_that_names_no_file_is_reported_with_its_key() {
    let folder = Folder::new();
    let config = bot(&folder, THROWS);
    fs::remove_file(folder.path().join("policy.py")).expect("it is there");
    let finished = Runner::new([Path::new("check"), &config]).run();
    assert!(
        finished.exited(1).contains("policy.watch: "),
        "{}",
        finished.out
    );
}

#[test]
fn in_its_own_process_the_program_plays_if_the_limits_let_it_start_and_else_they_are_named() {
    let allowed = "[policy.limits]\nexecute = [\"/usr/bin\", \"/usr/local/bin\"]\nread = [\".\"]\n";
    for (limits, plays) in [(allowed, true), ("", false)] {
        let folder = Folder::new();
        let config = bot(&folder, THROWS);
        let text = fs::read_to_string(&config).expect("it was written");
        let text = text.replace(
            "[policy.params]",
            &format!("isolation = \"process\"\n{limits}[policy.params]"),
        );
        fs::write(&config, text).expect("it can be written");
        let finished = Runner::new([Path::new("play"), &config]).run();
        if plays {
            let rows = table(finished.exited(0));
            let own = rows
                .iter()
                .find(|row| cell(row, "bot") == "mine")
                .expect("it is in the table");
            let plays = cell(own, "policy")
                .contains(concat!("program ", env!("CARGO_PKG_VERSION")))
                && !finished.err.contains("safe answer");
            assert!(plays, "{}", finished.all());
        } else {
            finished.exited(1);
            assert!(
                finished.err.contains("Operation not permitted")
                    && finished.err.contains("`execute` in [policy.limits]"),
                "{}",
                finished.err
            );
        }
    }
}

#[test]
fn a_bad_answer_of_a_program_is_reported_with_the_allowed_ones() {
    let folder = Folder::new();
    let config = bot(
        &folder,
        "import sys\nfor line in sys.stdin: print('{\"index\": -1}', flush=True)\n",
    );
    let finished = Runner::new([Path::new("play"), &config]).run();
    finished.exited(1);
    let says = "the program: its answer {\"index\": -1}: `index` is -1; allowed: 0 to ";
    assert!(finished.err.contains(says), "{}", finished.err);
}

/// The output of the test of a program that does this with line `n` before it answers, with this
/// time for a decision.
fn tested(does: &str, think_ms: u32) -> String {
    let folder = Folder::new();
    let program = format!(
        "import sys, time\nfor n, line in enumerate(sys.stdin):\n    {does}\n    print('{{\"index\": 0}}', flush=True)\n"
    );
    let config = bot(&folder, &program);
    let text = fs::read_to_string(&config)
        .expect("it was written")
        .replace("[policy]", &format!("[policy]\nthink_ms = {think_ms}"));
    fs::write(&config, text).expect("it can be written");
    let finished = Runner::new([Path::new("plugin"), Path::new("test"), &config])
        .env("BOT_RUNNER_LOG", "off")
        .run();
    finished.exited(1).to_owned()
}

#[test]
fn a_program_that_crashes_fails_the_test_although_it_is_started_again_and_answers() {
    let out = tested("if n == 200: raise ValueError('my bug')", 15_000);
    let fault = out
        .lines()
        .find(|line| line.starts_with("fault: game "))
        .expect("a fault");
    assert!(
        fault.contains(
            "it logged an error: the program is started again: it ended (exit status: 1; "
        ),
        "{out}"
    );
    assert!(
        fault.contains("policy.py\", line 3, in <module> | ")
            && fault.ends_with("ValueError: my bug)"),
        "{out}"
    );
    assert!(
        out.lines()
            .last()
            .is_some_and(|line| line.starts_with("verdict: failed")),
        "{out}"
    );
    assert!(
        out.contains("memory of its process, without the program that it asks: "),
        "{out}"
    );
}

#[test]
fn a_late_decision_is_in_the_times_of_the_test_with_its_limit_at_least() {
    let out = tested("if n % 50 == 49: time.sleep(0.6)", 300);
    assert!(out.contains("it did not answer in time"), "{out}");
    let times = out
        .lines()
        .find(|line| line.contains(" decisions: p50 "))
        .expect("the times");
    let longest = times
        .split("max ")
        .nth(1)
        .and_then(|rest| rest.split(" ms of 300.0 ms").next());
    let longest: f64 = longest
        .and_then(|longest| longest.parse().ok())
        .unwrap_or_else(|| panic!("{times}"));
    assert!(longest >= 300.0, "{times}");
}

#[test]
fn the_cpu_time_of_a_policy_that_asks_a_program_is_not_given() {
    let folder = Folder::new();
    let config = bot(&folder, THROWS);
    let neko = folder.bot("neko");
    let args = ["tournament", "--games=6", "--seed=1"]
        .map(Path::new)
        .into_iter()
        .chain([config.as_path(), &neko]);
    let finished = Runner::new(args).run();
    finished.exited(0);
    let row = finished
        .err
        .lines()
        .find(|line| line.starts_with("mine "))
        .expect("a row");
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["mine", "not", "measured", "-", "-", "-"]
    );
}

#[test]
fn a_program_that_is_waited_for_is_named_in_the_log() {
    let folder = Folder::new();
    let config = bot(&folder, &format!("import time\ntime.sleep(5.5)\n{THROWS}"));
    let finished = Runner::new([Path::new("check"), &config]).run();
    finished.exited(0);
    // Python may not have read the line yet.
    let says = |sent: &str| {
        format!(
            "the program: it is still starting (lines sent: 1{sent}, answers: 0 of 1); `start_ms` gives it 50000 ms"
        )
    };
    assert!(
        ["", " (none read)"]
            .iter()
            .any(|sent| finished.err.contains(&says(sent))),
        "{}",
        finished.all()
    );
}
