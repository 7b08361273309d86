//! The program: its output, and its refusals.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use doudizhu::{DouDizhuGame, DouDizhuRules};
use lab::game::LabGame;
use lab::game::luck::LuckTerms;
use mcr::{McrGame, McrRules};
use riichi::Rules;
use riichi::game::RiichiGame;
use tempfile::TempDir;

/// The output of a command.
struct Finished {
    out: String,
    err: String,
    code: Option<i32>,
}

impl Finished {
    /// Its output, if it ended with this code.
    #[track_caller]
    fn exited(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{}", self.err);
        &self.out
    }

    /// Checks that it failed and said this.
    #[track_caller]
    fn refused(&self, words: &str) {
        self.exited(1);
        assert!(self.err.contains(words), "{words}: {}", self.err);
    }
}

fn figures(args: &[&str]) -> Finished {
    let mut command = Command::new(env!("CARGO_BIN_EXE_figures"));
    let output = command
        .args(args)
        .env_remove("BOT_RUNNER_LOG")
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints texts");
    Finished {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code(),
    }
}

fn danger(args: &[&str]) -> Finished {
    figures(&[&["danger"], args].concat())
}

fn belief(args: &[&str]) -> Finished {
    figures(&[&["belief"], args].concat())
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// A folder with the config of a bot.
fn bot() -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder can be made");
    let path = folder.path().join("kuma.toml");
    let config = "name = \"kuma\"\n\n[policy]\nlibrary = \"builtin\"\nid = \"greedy-tenpai\"\n";
    fs::write(&path, config).expect("a file can be written");
    (folder, path)
}

#[test]
fn danger_prints_the_whole_file_of_figures_with_the_command() {
    let (_folder, bot) = bot();
    let bot = text(&bot);
    let args = ["--games", "2", "--seed", "3", "--bot", bot];
    let out = danger(&args).exited(0).to_owned();
    assert!(
        out.contains(&format!(
            "# figures danger --games 2 --seed 3 --bot {bot}\n"
        )),
        "{out}"
    );
    for name in [
        "tenpai",
        "riichi loss",
        "open loss",
        "dora loss",
        "riichi chance",
        "open chance",
    ] {
        assert!(out.contains(&format!("\n{name}\n")), "{name}: {out}");
    }
    assert_eq!(
        danger(&args).exited(0),
        out,
        "the same seed measures the same"
    );
    let of_three = danger(&[&["--players", "3"], &args[..]].concat())
        .exited(0)
        .to_owned();
    let command = format!("# figures danger --players 3 --games 2 --seed 3 --bot {bot}\n");
    assert!(of_three.contains(&command), "{of_three}");
}

#[test]
fn danger_counts_a_record_like_the_game_it_is_of() {
    let (folder, bot) = bot();
    let records = folder.path().join("records");
    let args = ["--games", "1", "--seed", "3", "--bot", text(&bot)];
    belief(&[&args[..], &["--keep", text(&records)]].concat()).exited(0);
    let record = records.join("3-00001.jsonl.gz");
    let without_command = |finished: Finished| {
        finished
            .exited(0)
            .split_once("\n\n")
            .expect("figures")
            .1
            .to_owned()
    };
    assert_eq!(
        without_command(danger(&[text(&record)])),
        without_command(danger(&args))
    );
}

#[test]
fn danger_refuses_a_record_that_hides_hands_with_file_line_and_seat() {
    let text_of_record = r#"{"type":"start_game"}
{"type":"start_kyoku","bakaze":"E","dora_marker":"1m","honba":0,"kyoku":1,"kyotaku":0,"oya":0,"scores":[25000,25000,25000,25000],"tehais":[["1m","2m","3m","4m","5m","6m","7m","8m","9m","1p","1p","1p","2p"],HIDDEN,HIDDEN,HIDDEN]}"#;
    let hidden = format!("[{}]", ["\"?\""; 13].join(","));
    let folder = TempDir::new().expect("a folder can be made");
    let record = folder.path().join("masked.jsonl");
    fs::write(&record, text_of_record.replace("HIDDEN", &hidden)).expect("a file can be written");
    let finished = danger(&[text(&record)]);
    finished.refused("masked.jsonl, line 2");
    finished.refused("the hand of seat 1 is hidden");
}

#[test]
fn belief_prints_the_whole_file_of_figures_and_the_same_of_the_records_of_its_games() {
    let (folder, bot) = bot();
    let (bot, records) = (text(&bot), folder.path().join("records"));
    let out = belief(&[
        "--games",
        "1",
        "--seed",
        "3",
        "--bot",
        bot,
        "--keep",
        text(&records),
    ])
    .exited(0)
    .to_owned();
    assert!(
        out.contains(&format!(
            "# figures belief --games 1 --seed 3 --bot {bot}\n"
        )),
        "{out}"
    );
    let sections = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.starts_with(char::is_alphabetic))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(
        sections(&out),
        sections(include_str!(
            "../../../games/riichi-estimates/src/belief/figures/four_players.txt"
        )),
        "it can be read as the file of the project"
    );
    let figures = |out: &str| out.split_once("\ntenpai\n").expect("figures").1.to_owned();
    let record = records.join("3-00001.jsonl.gz");
    let again = belief(&[text(&record), "--seed", "3", "--held-out", text(&record)]);
    assert_eq!(
        figures(again.exited(0)),
        figures(&out),
        "the same game and seed fit the same"
    );
    assert!(again.err.contains("log loss"), "{}", again.err);
}

#[test]
fn a_check_names_log_losses_beside_those_of_the_danger_figures_and_draws_the_calibration() {
    let (folder, bot) = bot();
    let plot = folder.path().join("plot.svg");
    let finished = belief(&[
        "--games",
        "1",
        "--seed",
        "4",
        "--bot",
        text(&bot),
        "--check",
        "--plot",
        text(&plot),
    ]);
    let out = finished.exited(0);
    let losses: Vec<&str> = out.lines().take_while(|line| !line.is_empty()).collect();
    assert!(losses[0].ends_with("danger   belief"), "{out}");
    assert_eq!(losses.len(), 6, "{out}");
    let drawing = fs::read_to_string(plot).expect("a drawing");
    assert!(
        drawing.starts_with("<svg ") && drawing.contains("belief --check --games 1 --seed 4"),
        "{drawing}"
    );
}

#[test]
fn belief_fits_three_players_from_their_own_games_and_refuses_records_of_three_as_those_of_four() {
    let (folder, bot) = bot();
    let (bot, records) = (text(&bot), folder.path().join("records"));
    let played = belief(&[
        "--players",
        "3",
        "--games",
        "1",
        "--seed",
        "5",
        "--bot",
        bot,
        "--keep",
        text(&records),
    ]);
    let command = format!("# figures belief --players 3 --games 1 --seed 5 --bot {bot}\n");
    assert!(played.exited(0).contains(&command), "{}", played.out);
    let refused = belief(&[text(&records.join("5-00001.jsonl.gz"))]);
    refused.refused("5-00001.jsonl.gz, line 2: values for 3 seats at a table of 4");
}

#[test]
fn arguments_without_games_are_refused_with_advice() {
    for command in [danger, belief] {
        command(&[]).refused("name mjai records, or use --games N --bot CONFIG");
        command(&["--games", "2"]).exited(2);
        command(&["no/such/record"]).refused("no/such/record cannot be opened");
    }
}

/// The number of weights in a file of them, if it has no other figures and they are not all 0.
fn weights_of(out: &str) -> Option<usize> {
    let mut lines = out.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some(lab::game::luck::WEIGHTS), "{out}");
    let weights: Vec<f64> = lines.map(|line| line.parse().expect("a number")).collect();
    weights
        .iter()
        .any(|&weight| weight != 0.0)
        .then_some(weights.len())
}

fn classes<G: LabGame>(terms: Box<dyn LuckTerms<G>>) -> usize {
    terms.sums().classes().len()
}

#[test]
fn luck_of_each_game_has_its_own_weights_and_bots_of_another_game_are_refused() {
    let folder = TempDir::new().expect("a folder can be made");
    let config = |id: &str, params: &str| {
        let path = folder.path().join(format!("{id}.toml"));
        let config = format!("[policy]\nlibrary = \"builtin\"\nid = \"{id}\"\n{params}");
        fs::write(&path, config).expect("a file can be written");
        text(&path).to_owned()
    };
    let fan = config("cs-fan", "");
    let split = config(
        "doudizhu-split",
        "params = { candidates = 2, playouts = 16 }\n",
    );
    let run = |game: &str, bot: &str| {
        let args = [
            "luck", "--game", game, "--games", "4", "--seed", "3", "--bot", bot,
        ];
        figures(&args)
    };
    assert_eq!(
        weights_of(run("chinese-standard", &fan).exited(0)),
        McrGame::luck(&McrRules::default()).map(classes)
    );
    let printed = run("doudizhu", &split);
    let out = printed.exited(0);
    assert!(
        out.starts_with("# Weights of the luck of doudizhu with 3 players")
            && out.contains("figures luck --game doudizhu --games 4 --seed 3 --bot "),
        "{out}"
    );
    assert_eq!(
        weights_of(out),
        DouDizhuGame::luck(&DouDizhuRules::BIDDING).map(classes)
    );
    run("doudizhu", &fan).refused("cs-fan");
    figures(&[
        "luck",
        "--game",
        "doudizhu",
        "--players",
        "4",
        "--games",
        "4",
        "--bot",
        &split,
    ])
    .refused("--players 4: doudizhu has 3 players");
}

#[test]
fn luck_prints_a_weight_for_each_class_of_games_that_it_plays() {
    let (_folder, bot) = bot();
    let run = || figures(&["luck", "--games", "4", "--seed", "3", "--bot", text(&bot)]);
    let printed = run();
    let out = printed.exited(0);
    assert!(
        out.starts_with("# Weights of the luck of riichi with 4 players")
            && out.contains("figures luck --games 4 --seed 3 --bot ")
            && out.contains(" % (95 % interval "),
        "{out}"
    );
    assert_eq!(
        weights_of(out),
        RiichiGame::luck(&Rules::TENHOU_HALF).map(classes)
    );
    assert_eq!(run().exited(0), out, "the same games give the same file");
    figures(&["luck"]).refused("use --games N --bot CONFIG");
}
