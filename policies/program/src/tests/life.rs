//! Programs that answer, answer badly, are late, end, and are ended.

use std::fs;
use std::path::PathBuf;

use policy_sdk::abi::params::{VALUE_TEXT, Value};
use policy_sdk::abi::status::{STATUS_FAILED, STATUS_UNAVAILABLE};
use policy_sdk::testing::{Answered, Refused, Scene, Situation, TestInstance, drawn};
use tempfile::TempDir;

use crate::ENTRY;

/// Longer than a program of a test takes, on however busy a machine.
const AMPLE: u32 = 30_000;
/// Too little for an answer that waits for a file.
const SHORT: u32 = 50;

/// A folder with a program; its body runs for each `view`, with `answer` to write and `count` of
/// lines so far.
struct Stage(TempDir);

impl Stage {
    fn new(body: &str) -> Self {
        let stage = Self(TempDir::new().expect("a folder can be made"));
        let body: String = body.lines().map(|line| format!("    {line}\n")).collect();
        let script = format!(
            "import json, os, sys, time\n\
             open('pids', 'a').write(f'{{os.getpid()}}\\n')\n\
             def answer(index, **more): print(json.dumps(dict(index=index, **more)), flush=True)\n\
             def wait_for(file):\n    while not os.path.exists(file): time.sleep(0.005)\n\
             for count, line in enumerate(sys.stdin):\n    view = json.loads(line)\n{body}"
        );
        fs::write(stage.path("policy.py"), script).expect("it can be written");
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn create(&self) -> Result<TestInstance, Refused> {
        let folder = self.0.path().to_str().expect("UTF-8");
        let command = format!(
            "sh -c {}",
            shell_words::quote(&format!("cd {folder} && exec python3 policy.py"))
        );
        TestInstance::create(
            &ENTRY,
            "program",
            &[("command", Value::text(VALUE_TEXT, &command))],
        )
    }

    fn bot(&self) -> TestInstance {
        self.create().expect("it starts")
    }

    fn starts(&self) -> usize {
        fs::read_to_string(self.path("pids"))
            .expect("it was started")
            .lines()
            .count()
    }
}

fn scene(budget_ms: u32) -> Scene {
    let mut scene = Situation::drew("123456m 789s 45p 88p", "1z").build();
    scene.raw_mut().budget_us = u64::from(budget_ms) * 1000;
    scene
}

fn decide(bot: &mut TestInstance) -> Result<Answered, String> {
    bot.decide(&scene(AMPLE)).map_err(|refused| refused.text)
}

const DISCARD_DRAWN: &str = "\
index = next(a['index'] for a in view['legal'] if a['type'] == 'dahai' and a['tsumogiri'])\n\
answer(index, reason='as drawn', values=[float(i) if i < 2 else None for i in range(len(view['legal']))])";

#[test]
fn an_answer_with_its_reason_and_values_is_taken() {
    let stage = Stage::new(DISCARD_DRAWN);
    let answered = decide(&mut stage.bot()).expect("it decides");
    assert_eq!(
        (answered.action, answered.reason.as_str()),
        (drawn("1z"), "as drawn")
    );
    assert_eq!((answered.values[0], answered.values[1]), (0.0, 1.0));
    assert!(
        answered.values[2..].iter().all(|value| value.is_nan()),
        "{:?}",
        answered.values
    );
}

#[test]
fn a_bad_answer_costs_its_decision_and_the_next_is_asked_of_the_same_process() {
    let stage = Stage::new(&format!(
        "if count == 1: answer(99)\nelse:\n    {}",
        DISCARD_DRAWN.replace('\n', "\n    ")
    ));
    let mut bot = stage.bot();
    let error = decide(&mut bot).expect_err("there is no action 99");
    assert!(
        error
            .starts_with(r#"the program: its answer {"index": 99}: `index` is 99; allowed: 0 to "#),
        "{error}"
    );
    assert_eq!(decide(&mut bot).expect("it decides").action, drawn("1z"));
    assert_eq!(stage.starts(), 1);
}

#[test]
fn a_program_whose_server_is_away_is_not_to_blame_and_is_asked_again() {
    let away = "print(json.dumps(dict(unavailable='the server is away')), flush=True)";
    let stage = Stage::new(&format!(
        "if count == 1: {away}\nelse:\n    {}",
        DISCARD_DRAWN.replace('\n', "\n    ")
    ));
    let mut bot = stage.bot();
    let refused = bot.decide(&scene(AMPLE)).expect_err("it is away");
    assert_eq!(
        (refused.status, refused.text.as_str()),
        (STATUS_UNAVAILABLE, "the program: the server is away")
    );
    assert_eq!(decide(&mut bot).expect("it decides").action, drawn("1z"));
    assert_eq!(stage.starts(), 1);
    let refused = Stage::new(away).create().expect_err("it cannot begin");
    assert_eq!(refused.text, "the program: the server is away");
}

#[test]
fn output_besides_answers_is_reported_at_once() {
    let refused = Stage::new("print('hello', flush=True)")
        .create()
        .expect_err("that is no answer");
    assert_eq!(refused.status, STATUS_FAILED);
    assert!(
        refused
            .text
            .starts_with("the program: its answer hello is not JSON"),
        "{}",
        refused.text
    );
}

#[test]
fn a_program_that_fails_is_reported_with_the_place_and_its_last_words_when_the_policy_is_made() {
    let text = Stage::new("raise ValueError('no weights here')")
        .create()
        .expect_err("it does not decide")
        .text;
    let starts = "the program: it ended (exit status: 1; the last it wrote was: Traceback (most recent call last): | ";
    assert!(
        text.starts_with(starts) && text.contains("policy.py\", line 8, in <module> | raise "),
        "{text}"
    );
    assert!(text.ends_with(" | ValueError: no weights here)"), "{text}");
}

#[test]
fn the_last_answer_of_a_program_needs_no_line_break() {
    let last = "def answer(index, **more): sys.exit(print(json.dumps(dict(index=index)), end=''))";
    let stage = Stage::new(&format!("if count == 1:\n    {last}\n{DISCARD_DRAWN}"));
    assert_eq!(
        decide(&mut stage.bot()).expect("it decides").action,
        drawn("1z")
    );
    assert_eq!(stage.starts(), 1);
}

#[test]
fn a_program_that_ends_is_started_again_and_asked_again() {
    let stage = Stage::new(&format!(
        "if count == 1 and not os.path.exists('once'):\n    open('once', 'w')\n    sys.exit(3)\n{DISCARD_DRAWN}"
    ));
    assert_eq!(
        decide(&mut stage.bot()).expect("it decides").action,
        drawn("1z")
    );
    assert_eq!(stage.starts(), 2);
}

#[test]
fn a_late_answer_is_not_taken_for_the_next() {
    let stage = Stage::new(&format!(
        "if count == 1:\n    wait_for('gate')\n    answer(0)\n    continue\n{DISCARD_DRAWN}"
    ));
    let mut bot = stage.bot();
    let late = bot.decide(&scene(SHORT)).expect_err("it waits").text;
    assert_eq!(
        late,
        "the program: it did not answer in time; `think_ms` sets how long it has"
    );
    fs::write(stage.path("gate"), "").expect("it can be written");
    assert_eq!(decide(&mut bot).expect("it decides").action, drawn("1z"));
    assert_eq!(stage.starts(), 1);
}
