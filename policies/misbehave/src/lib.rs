//! A policy that misbehaves on purpose, for the tests of hosts: what safe Rust can do wrong.
//!
//! The parameter `fault` selects the fault, and `at` the decisions of a game in which it occurs;
//! otherwise it wins if it can and else takes the first action. `misbehave.c` next to this covers
//! the faults that only a library without the SDK can have.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;
use std::{fs, process};

use policy_sdk::{
    Answer, Choice, CreateError, DecideError, Descriptor, Env, Games, Level, Param, Params, Policy,
    View, abi,
};
use riichi::{Action, safe_answer};

static ENTRY: abi::Entry = policy_sdk::entry(
    concat!("misbehave ", env!("CARGO_PKG_VERSION")),
    &[policy_sdk::policy::<Misbehave>()],
);

policy_sdk::export!(ENTRY);

/// The leak of a decision.
const LEAK: usize = 1 << 20;

/// Number of the next instance of this process that asks whether it plays together with others.
static INSTANCES: AtomicU32 = AtomicU32::new(1);

struct Misbehave {
    fault: &'static str,
    /// What `share` gives as a reason.
    sharing: String,
    /// Number of decisions.
    made: usize,
    /// The decision of each game that it goes wrong in; in each when negative.
    at: i64,
    from: i64,
}

impl Policy for Misbehave {
    type Game = policy_sdk::RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "misbehave",
        name: "Misbehave",
        version: env!("CARGO_PKG_VERSION"),
        summary: "Misbehaves on purpose, for tests.",
        games: Games::Both,
        params: &[
            Param::choice(
                "fault",
                "none",
                &[
                    Choice::new("none"),
                    // The reference for a host: no fault, but its own answer.
                    Choice::new("safe-answer"),
                    Choice::new("fail-create"),
                    Choice::new("panic-create"),
                    Choice::new("hang-create"),
                    // In the folder of its config it leaves a file with the number `at` at the
                    // first time, which is a trial.
                    Choice::new("hang-second-create"),
                    Choice::new("fail-second-create"),
                    Choice::new("exit-create"),
                    Choice::new("fail"),
                    Choice::new("panic"),
                    Choice::new("out-of-range"),
                    Choice::new("late"),
                    Choice::new("until-unwanted"),
                    Choice::new("hang"),
                    Choice::new("exit"),
                    Choice::new("abort"),
                    Choice::new("stack-overflow"),
                    Choice::new("leak"),
                    Choice::new("remember"),
                    Choice::new("print"),
                    Choice::new("log"),
                    Choice::new("log-flood"),
                    Choice::new("look-around"),
                    // Its reason is its process, its number among the instances of that process,
                    // and whether they play together.
                    Choice::new("share"),
                    Choice::new("panic-destroy"),
                    Choice::new("hang-destroy"),
                ],
                "The fault; create and destroy have their own ones besides the decisions'.",
            ),
            Param::integer(
                "at",
                -1,
                -1,
                10_000,
                "In which decision of each game; in each when -1.",
            ),
            Param::integer(
                "from",
                0,
                0,
                10_000,
                "Not before this decision of each game; a trial asks 0 to 3.",
            ),
        ],
    };

    fn create(params: &Params, env: &Env) -> Result<Self, CreateError> {
        let fault = params.choice("fault")?;
        let mut sharing = String::new();
        let created = env
            .config_folder()
            .join(format!("created-{}", params.integer("at")?));
        match fault {
            "fail-create" => return Err(CreateError::Failed("it fails on purpose".to_owned())),
            "panic-create" => panic!("on purpose"),
            "hang-create" => hang(),
            "hang-second-create" | "fail-second-create" => {
                let earlier = fs::read_to_string(&created).unwrap_or_default();
                let made = fs::write(created, format!("{earlier}x"));
                made.map_err(|error| {
                    CreateError::Failed(format!("its file cannot be written: {error}"))
                })?;
                match (fault, earlier.len()) {
                    ("hang-second-create", 1..) => hang(),
                    ("fail-second-create", 1) => {
                        return Err(CreateError::Failed("it fails on purpose".to_owned()));
                    }
                    _ => {}
                }
            }
            "exit-create" => process::exit(0),
            "share" => {
                sharing = format!(
                    "process {}: instance {}, together: {}",
                    process::id(),
                    INSTANCES.fetch_add(1, Ordering::Relaxed),
                    env.plays_together(),
                );
            }
            _ => {}
        }
        Ok(Self {
            fault,
            sharing,
            made: 0,
            at: params.integer("at")?,
            from: params.integer("from")?,
        })
    }

    fn decide(
        &mut self,
        view: &View<'_>,
        env: &Env,
        answer: &mut Answer,
    ) -> Result<usize, DecideError> {
        let legal = view.legal();
        let decision = i64::from(view.decision());
        if decision >= self.from && (self.at < 0 || self.at == decision) {
            match self.fault {
                "safe-answer" => {
                    let safe = safe_answer(legal);
                    return Ok(legal
                        .iter()
                        .position(|&action| Some(action) == safe)
                        .unwrap_or(0));
                }
                "fail" => return Err(DecideError::Failed("it fails on purpose".to_owned())),
                "panic" => panic!("on purpose"),
                "out-of-range" => return Ok(legal.len()),
                "late" => sleep(view.time().budget + Duration::from_millis(50)),
                "until-unwanted" => {
                    while env.still_wanted() {
                        sleep(Duration::from_millis(1));
                    }
                    answer.reason(format_args!("not wanted any more"));
                    return Ok(0);
                }
                "hang" => hang(),
                "exit" => process::exit(0),
                "abort" => process::abort(),
                "stack-overflow" => return Ok(deep(1)),
                // Decides by earlier questions instead of the view.
                "remember" => {
                    self.made += 1;
                    return Ok(self.made % legal.len());
                }
                "leak" => vec![1_u8; LEAK].leak().fill(2),
                "print" => print(),
                "log" => env.log(Level::Warn, "said on purpose"),
                "log-flood" => {
                    (0..5_000).for_each(|_| env.log(Level::Warn, &"said on purpose ".repeat(20)))
                }
                "look-around" => look_around(env),
                "share" => answer.reason(format_args!("{}", self.sharing)),
                _ => {}
            }
        }
        Ok(legal
            .iter()
            .position(|action| matches!(action, Action::Hora { .. }))
            .unwrap_or(0))
    }
}

impl Drop for Misbehave {
    fn drop(&mut self) {
        match self.fault {
            "panic-destroy" => panic!("on purpose"),
            "hang-destroy" => hang(),
            _ => {}
        }
    }
}

fn hang() -> ! {
    loop {
        sleep(Duration::from_secs(60));
    }
}

/// Goes on until the stack is used up.
fn deep(depth: usize) -> usize {
    let here = std::hint::black_box([depth; 64]);
    if here[0] == 0 {
        0
    } else {
        deep(depth + 1) + here[depth % 64]
    }
}

/// Lines of all sorts to standard output and standard error, among them bytes that could be a
/// frame.
fn print() {
    let frame = [0x13, 0, 0, 0, 8, 0, 0, 0, 63, 0, 0, 0, 0, 0, 0, 0];
    for (out, name) in [
        (&mut io::stdout() as &mut dyn Write, "output"),
        (&mut io::stderr(), "error"),
    ] {
        let _ = out.write_all(&frame);
        let _ = writeln!(out, "\u{1b}[2J noise on standard {name}");
        let _ = out.flush();
    }
}

/// The environment of a process: the names of its variables, and the open files.
fn look_around(env: &Env) {
    for (name, _) in std::env::vars_os() {
        env.log(Level::Info, &format!("variable {}", name.display()));
    }
    let open = std::fs::read_dir("/proc/self/fd")
        .into_iter()
        .flatten()
        .flatten();
    for file in open.filter_map(|descriptor| std::fs::read_link(descriptor.path()).ok()) {
        env.log(Level::Info, &format!("open {}", file.display()));
    }
}
