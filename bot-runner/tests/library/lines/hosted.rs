//! The built program as four children of a host: it sends each event to each of them as a line, and
//! they answer only when their seat can act.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use riichi::rules::Length;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::games::{POLICIES, policy};
use super::hand::Hand;
use super::rounds::Rounds;
use super::strict::fault;
use crate::common::libraries::PROGRAM;

/// It is killed when the test is over.
struct Hosted {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    _folder: TempDir,
}

impl Hosted {
    fn start(policy: &str, seat: usize) -> Self {
        let folder = TempDir::new().expect("a folder can be made");
        let file = folder.path().join("bot.toml");
        std::fs::write(&file, format!("name = \"bot\"\n{policy}")).expect("it can be written");
        let mut command = Command::new(PROGRAM);
        command
            .arg("stdio")
            .arg(file)
            .args(["--seat", &seat.to_string()])
            .env("XDG_RUNTIME_DIR", folder.path());
        command.env_remove("BOT_RUNNER_LOG");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self {
            input: child.stdin.take(),
            output,
            child,
            _folder: folder,
        }
    }

    fn say(&mut self, line: &Value) {
        self.write(&format!("{line}\n"));
    }

    fn write(&mut self, text: &str) {
        self.input
            .as_mut()
            .expect("it is open")
            .write_all(text.as_bytes())
            .expect("the bot reads");
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the bot answers");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Closes the input; returns the exit code, the remaining output, and the log.
    fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.input.take());
        let (mut rest, mut log) = (String::new(), String::new());
        self.output.read_to_string(&mut rest).expect("it is text");
        self.child
            .stderr
            .take()
            .expect("it is piped")
            .read_to_string(&mut log)
            .expect("it is text");
        (self.child.wait().expect("it ends").code(), rest, log)
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays a game; an event after which a seat is not asked says so every second time.
fn play(bots: &mut [Hosted; 4], number: u64) {
    let mut rounds = Rounds::deal(number, Length::East);
    let mut hands = [0, 1, 2, 3].map(Hand::of);
    let mut unasked = 0;
    while let Some(piece) = rounds.next() {
        for (place, heard) in piece.events.iter().enumerate() {
            let last = place + 1 == piece.events.len();
            for (seat, bot) in bots.iter_mut().enumerate() {
                let mut line = heard[seat].clone();
                hands[seat].hear(&line);
                let list = piece.lists[seat].as_deref().filter(|_| last);
                if list.is_none() {
                    unasked += 1;
                    if unasked % 2 == 0 {
                        line["can_act"] = json!(false);
                    }
                }
                bot.say(&line);
                if let Some(list) = list {
                    let reply = bot.answer();
                    fault(&reply, &heard[seat], Some(list), &hands[seat], seat)
                        .expect("a good answer");
                    rounds.answer(seat, &reply);
                }
            }
        }
    }
}

#[test]
fn four_hosted_bots_play_games_one_after_another_and_say_nothing_but_their_answers() {
    let mut seats = 0..;
    let mut bots = POLICIES
        .map(|(id, params)| Hosted::start(&policy(id, params), seats.next().expect("a seat")));
    play(&mut bots, 1);
    play(&mut bots, 2);
    for bot in bots {
        assert_eq!(bot.end(), (Some(0), String::new(), String::new()));
    }
}

const GREEDY: &str = "[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\n";

/// How a host writes games of three.
#[derive(Debug, Clone, Copy)]
struct HostOfThree {
    lists: bool,
    /// The fourth hand, if there are four slots.
    fourth: Option<&'static [&'static str]>,
    tells_players: bool,
    north: &'static str,
}

impl HostOfThree {
    fn spell(self, event: &Value) -> Value {
        let mut event = event.clone();
        if let Some(fourth) = self.fourth {
            for (key, nothing) in [
                ("scores", json!(0)),
                ("deltas", json!(0)),
                ("tehais", json!(fourth)),
            ] {
                if let Some(slots) = event[key].as_array_mut() {
                    slots.push(nothing);
                }
            }
        }
        match event["type"].as_str() {
            Some("start_game") if self.tells_players => event["num_players"] = json!(3),
            Some("kita") => event["type"] = json!(self.north),
            _ => {}
        }
        event
    }

    /// The answer in the arena's spelling.
    fn read(self, mut reply: Value) -> Value {
        if reply["type"] == self.north {
            reply["type"] = json!("kita");
        } else {
            assert_ne!(reply["type"], "kita", "{self:?}");
            assert_ne!(reply["type"], "nukidora", "{self:?}");
        }
        reply
    }
}

/// Plays a game of three; returns how many Norths were set aside.
fn play_three(bots: &mut [Hosted], number: u64, host: HostOfThree) -> usize {
    let mut rounds = Rounds::deal_to(3, number, Length::East);
    let mut hands = [0, 1, 2].map(Hand::of);
    let mut norths = 0;
    while let Some(piece) = rounds.next() {
        for (seat, bot) in bots.iter_mut().enumerate() {
            let heard: Vec<&Value> = piece.events.iter().map(|heard| &heard[seat]).collect();
            heard.iter().for_each(|event| hands[seat].hear(event));
            let list = piece.lists[seat].as_deref();
            let spelled: Vec<Value> = heard.iter().map(|event| host.spell(event)).collect();
            if host.lists {
                bot.say(&Value::Array(spelled));
            } else {
                for (place, mut line) in spelled.into_iter().enumerate() {
                    if list.is_none() || place + 1 < heard.len() {
                        line["can_act"] = json!(false);
                    }
                    bot.say(&line);
                }
            }
            if !host.lists && list.is_none() {
                continue;
            }
            let reply = host.read(bot.answer());
            fault(
                &reply,
                heard.last().expect("an event"),
                list,
                &hands[seat],
                seat,
            )
            .expect("a good answer");
            norths += usize::from(reply["type"] == "kita");
            if list.is_some() {
                rounds.answer(seat, &reply);
            }
        }
    }
    norths
}

#[test]
fn three_hosted_bots_play_in_the_form_of_each_host() {
    let hidden: &[&str] = &["?"; 13];
    let of_lines = HostOfThree {
        lists: false,
        fourth: None,
        tells_players: false,
        north: "kita",
    };
    for host in [
        of_lines,
        HostOfThree {
            fourth: Some(hidden),
            north: "nukidora",
            ..of_lines
        },
        HostOfThree {
            fourth: Some(&[]),
            north: "nukidora",
            lists: true,
            ..of_lines
        },
        HostOfThree {
            fourth: Some(hidden),
            tells_players: true,
            lists: true,
            ..of_lines
        },
        HostOfThree {
            lists: true,
            ..of_lines
        },
    ] {
        let mut seats = 0..;
        let mut bots: Vec<Hosted> = POLICIES[..3]
            .iter()
            .map(|(id, params)| Hosted::start(&policy(id, params), seats.next().expect("a seat")))
            .collect();
        assert!(
            play_three(&mut bots, 1, host) > 0,
            "{host:?}: no North was set aside"
        );
        play_three(&mut bots, 2, host);
        for bot in bots {
            assert_eq!(
                bot.end(),
                (Some(0), String::new(), String::new()),
                "{host:?}"
            );
        }
    }
}

#[test]
fn a_seat_that_a_table_of_three_does_not_have_is_refused() {
    let mut bot = Hosted::start(GREEDY, 3);
    let piece = Rounds::deal_to(3, 1, Length::East)
        .next()
        .expect("the deal");
    for heard in &piece.events {
        bot.say(&heard[0]);
    }
    let (code, rest, log) = bot.end();
    assert_eq!((code, rest.as_str()), (Some(1), ""));
    let says = "--seat 3: the host's table has 3 players; allowed are the seats 0 to 2";
    assert!(log.contains(says), "{log}");
}

#[test]
fn unreadable_lines_are_logged_and_the_game_continues() {
    let mut bot = Hosted::start(GREEDY, 0);
    let mut rounds = Rounds::deal(1, Length::East);
    let piece = rounds.next().expect("the deal");
    bot.write("\n{\"type\":\"tsumo\",\"actor\":7}\nno JSON\n{\"type\":\"hello\"}\n");
    for heard in &piece.events {
        bot.say(&heard[0]);
    }
    assert_eq!(bot.answer()["type"], "dahai", "seat 0 deals first");
    let (code, rest, log) = bot.end();
    assert_eq!((code, rest.as_str()), (Some(0), ""));
    assert!(
        log.contains("line 2 ") && log.contains("`actor` is 7"),
        "{log}"
    );
    assert!(
        log.contains("line 3 ") && log.contains("not one JSON object"),
        "{log}"
    );
}

#[test]
fn an_engine_does_not_get_the_hosts_pipes() {
    let folder = TempDir::new().expect("a folder can be made");
    let list = folder.path().join("descriptors");
    let bot = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../policies/mjai-engine/tests/line_bot.py"
    );
    let script = format!(
        "ls -l /proc/self/fd >{}; exec python3 {bot}",
        list.display()
    );
    let policy = format!(
        "[policy]\nlibrary = \"builtin\"\nid = \"mjai-engine\"\n[policy.params]\ncommand = {:?}\n",
        format!("sh -c '{script}'")
    );
    let mut bot = Hosted::start(&policy, 0);
    for heard in &Rounds::deal(1, Length::East)
        .next()
        .expect("the deal")
        .events
    {
        bot.say(&heard[0]);
    }
    assert_eq!(bot.answer()["type"], "dahai");
    let list = std::fs::read_to_string(list).expect("the engine has started");
    assert!(list.contains("pipe:["), "{list}");
    for pipe in [
        bot.output.get_ref().as_raw_fd(),
        bot.input.as_ref().expect("it is open").as_raw_fd(),
    ] {
        let pipe = std::fs::read_link(format!("/proc/self/fd/{pipe}")).expect("it is open");
        assert!(
            !list.contains(pipe.to_str().expect("it is text")),
            "{} is in {list}",
            pipe.display()
        );
    }
}

#[test]
fn a_signal_ends_it_in_the_middle_of_a_game_although_its_input_is_open() {
    let mut bot = Hosted::start(GREEDY, 1);
    let mut rounds = Rounds::deal(1, Length::East);
    for heard in &rounds.next().expect("the deal").events {
        bot.say(&heard[1]);
    }
    // The dealer discards its draw, which a bot has received once it answers to it or to its draw.
    bot.say(
        &json!({"type": "dahai", "actor": 0, "pai": "9m", "tsumogiri": true, "can_act": false}),
    );
    bot.say(&json!({"type": "tsumo", "actor": 1, "pai": "9m"}));
    assert_eq!(bot.answer()["actor"], 1);
    let id = Pid::from_raw(bot.child.id().try_into().expect("a process id")).expect("it is not 0");
    kill_process(id, Signal::TERM).expect("it can be signalled");
    assert_eq!(bot.child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_host_that_takes_no_answers_is_left_although_its_end_of_the_input_is_open() {
    let mut bot = Hosted::start(GREEDY, 0);
    let nothing = File::open("/dev/null").expect("it is there");
    bot.output = BufReader::new(ChildStdout::from(OwnedFd::from(nothing)));
    for heard in &Rounds::deal(1, Length::East)
        .next()
        .expect("the deal")
        .events
    {
        bot.say(&heard[0]);
    }
    let ended = (0..200).find_map(|_| {
        sleep(Duration::from_millis(100));
        bot.child.try_wait().expect("it is ours")
    });
    assert_eq!(ended.expect("it ends").code(), Some(1));
}
