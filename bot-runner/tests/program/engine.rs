//! Existing mjai programs at the table. The program is a strict bot: it ends with an error at the
//! first event that cannot follow in a game, and when something else happens than it has answered.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::common::libraries::built_library;
use super::configs::Folder;
use super::program::{Finished, Runner, cell, table};

/// A bot that lets the strict program decide, with a journal of its name.
fn strict(folder: &Folder, name: &str, replies: &str, more: &str) -> PathBuf {
    let program =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../policies/mjai-engine/tests/line_bot.py");
    let command = format!(
        "python3 '{}' --strict --replies {replies} --journal journals/{name} {more}",
        program.display()
    );
    fs::create_dir_all(folder.path().join("journals")).expect("a folder can be made");
    // On a busy machine even this program may take its time.
    let times = "think_ms = 15000";
    let params = format!(
        "[policy.params]\ncommand = {:?}\nreplies = {replies:?}\n",
        command.trim()
    );
    let policy =
        format!("[policy]\nlibrary = \"builtin\"\nid = \"mjai-engine\"\n{times}\n{params}");
    folder.file(
        &format!("{name}.toml"),
        format!("name = {name:?}\n{policy}"),
    )
}

/// The bot at a table with three of the built-in policy, which declare riichi and win.
fn table_with(folder: &Folder, bot: PathBuf) -> [PathBuf; 4] {
    [
        bot,
        folder.bot("neko"),
        folder.bot("risu"),
        folder.bot("tanuki"),
    ]
}

fn play(folder: &Folder, games: u32, seed: u32, configs: &[PathBuf]) -> Finished {
    let records = folder.path().join("records");
    let [games, seed] = [format!("--games={games}"), format!("--seed={seed}")];
    let args = [
        "play".as_ref(),
        games.as_ref(),
        seed.as_ref(),
        "--record".as_ref(),
        records.as_path(),
    ];
    Runner::new(args.into_iter().chain(configs.iter().map(PathBuf::as_path)))
        .env("BOT_RUNNER_LOG", "debug")
        .run()
}

/// Counts of each word in a bot's journal.
fn journal(folder: &Folder, name: &str) -> HashMap<String, u32> {
    let text =
        fs::read_to_string(folder.path().join("journals").join(name)).expect("it was started");
    let mut counts = HashMap::new();
    text.lines()
        .for_each(|word| *counts.entry(word.to_owned()).or_default() += 1);
    counts
}

/// The programs decided everything, and nothing that was refused.
fn went_well(folder: &Folder, finished: &Finished, games: usize) {
    let out = finished.exited(0);
    for trouble in ["safe answer", "desync", "lost sight"] {
        assert!(!out.contains(trouble), "{out}\n{}", finished.err);
    }
    let records = fs::read_dir(folder.path().join("records")).expect("there are records");
    let records = records
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file());
    let records: Vec<String> = records
        .map(|record| fs::read_to_string(record).expect("a text"))
        .collect();
    assert_eq!(records.len(), games);
    assert!(
        !records.iter().any(|record| record.contains("Illegal")),
        "an action was refused"
    );
}

#[test]
fn a_program_of_every_manner_plays_whole_games() {
    const GAMES: u32 = 2;
    let mut answered: HashMap<String, u32> = HashMap::new();
    for (seed, name, replies, more) in [
        (31, "asked", "when-asked", ""),
        (32, "lines", "every-line", "--name Lines --version 2.1"),
        (33, "batches", "every-batch", ""),
        (34, "both", "when-asked", "--both"),
    ] {
        let folder = Folder::new();
        let finished = play(
            &folder,
            GAMES,
            seed,
            &table_with(&folder, strict(&folder, name, replies, more)),
        );
        went_well(&folder, &finished, GAMES as usize);
        let policy = if more.contains("--name") {
            "Lines 2.1"
        } else {
            "line_bot.py mjai-engine "
        };
        let rows = table(&finished.out);
        assert!(
            rows.iter()
                .any(|row| cell(row, "policy").starts_with(policy)),
            "{}",
            finished.out
        );
        let counts = journal(&folder, name);
        // One game more for the trial round.
        assert_eq!(
            (counts["start"], counts["game"]),
            (1, GAMES + 1),
            "{name}: {}",
            finished.err
        );
        // Every round except the trial and the last of each game ends before the next one, and its
        // end is sent unless no question had been asked in it. Bots for mjai.app do not hear of it.
        let ends = counts.get("end").copied().unwrap_or(0);
        let rounds = counts["round"] - 1 - GAMES;
        let told = if name == "batches" {
            ends == 0
        } else {
            4 * ends >= 3 * rounds
        };
        assert!(told, "{name}: {ends} ends, {rounds} rounds");
        counts
            .into_iter()
            .for_each(|(word, count)| *answered.entry(word).or_default() += count);
    }
    for kind in [
        "dahai",
        "reach",
        "chi",
        "pon",
        "ankan",
        "kakan",
        "daiminkan",
        "hora",
        "none",
    ] {
        assert!(
            answered.contains_key(kind),
            "no {kind} was answered: {answered:?}"
        );
    }
}

/// A table of three with the bot.
fn play_three(folder: &Folder, bot: PathBuf) -> Finished {
    let records = folder.path().join("records");
    let args = ["play", "--players=3", "--games=2", "--seed=3", "--record"].map(Path::new);
    let configs = [bot, folder.bot("neko"), folder.bot("risu")];
    let args = args
        .into_iter()
        .chain([records.as_path()])
        .chain(configs.iter().map(PathBuf::as_path));
    Runner::new(args).env("BOT_RUNNER_LOG", "info").run()
}

#[test]
fn an_engine_plays_three_in_the_form_that_its_trial_finds_out() {
    let mut first = None;
    for (starts, replies, slots, north) in [
        (1, "when-asked", "three", "kita"),
        (2, "every-line", "four", "nukidora"),
        (3, "every-batch", "four", "kita"),
        (4, "when-asked", "three", "nukidora"),
    ] {
        let folder = Folder::new();
        let options = format!("--players {{players}} --slots {slots} --north {north}");
        let finished = play_three(&folder, strict(&folder, "three", replies, &options));
        went_well(&folder, &finished, 2);
        let mut counts = journal(&folder, "three");
        assert_eq!(
            counts.remove("start"),
            Some(starts),
            "{slots} {north}: {}",
            finished.err
        );
        let found = format!("the engine plays three players in {slots} slots with {north}");
        assert_eq!(
            finished.err.contains(&found),
            starts > 1,
            "{}",
            finished.err
        );
        assert!(
            counts.remove(north).is_some_and(|norths| norths > 5),
            "{counts:?}"
        );
        // The games are the same in every form; trials and the ends that lists leave out are not.
        for word in ["game", "round", "end"] {
            counts.remove(word);
        }
        assert_eq!(
            *first.get_or_insert(counts.clone()),
            counts,
            "{slots} {north}"
        );
    }
}

#[test]
fn keys_set_the_form_of_three_players_and_each_form_that_fails_is_told() {
    let folder = Folder::new();
    let config = strict(
        &folder,
        "three",
        "when-asked",
        "--players 3 --slots four --north nukidora",
    );
    let text = fs::read_to_string(&config).expect("it was written");
    let check = |keys: &str| {
        let config = folder.file("three.toml", format!("{text}{keys}\n"));
        Runner::new([
            Path::new("play"),
            Path::new("--players=3"),
            Path::new("--games=1"),
            &config,
        ])
        .run()
    };
    check("slots = \"four\"\nnorth = \"nukidora\"").exited(0);
    assert_eq!(journal(&folder, "three")["start"], 1);
    let refused = check("slots = \"three\"");
    refused.exited(1);
    for form in ["kita", "nukidora"] {
        let says = format!(
            "three players in three slots with {form}: it ended (exit status: 1; the last it wrote was: "
        );
        assert!(refused.err.contains(&says), "{}", refused.err);
    }
    let refused = check("slots = \"4\"");
    assert!(
        refused.err.contains("\"auto\", \"three\", \"four\""),
        "{}",
        refused.err
    );
}

#[test]
fn check_finds_out_that_an_engine_without_an_arena_is_for_three_players() {
    let folder = Folder::new();
    let options = "--players 3 --slots three --north kita";
    let config = strict(&folder, "three", "when-asked", options);
    let checked = Runner::new([Path::new("check"), &config]).run();
    let told = checked.exited(0);
    assert!(
        told.contains("with `--players 3`: it does not play with four"),
        "{told}"
    );
    // One that plays with neither is refused for four, as before.
    let text = fs::read_to_string(&config).expect("it was written");
    let (before, _) = text.split_once("command = ").expect("there is a command");
    let config = folder.file("neither.toml", format!("{before}command = \"false\"\n"));
    Runner::new([Path::new("check"), &config]).run().exited(1);
}

#[test]
fn an_engine_that_answers_whenever_it_could_act_plays_the_same_games_as_one_that_is_asked() {
    let mut all = Vec::new();
    for more in ["", "--whenever", "--whenever --die-at 20,45"] {
        let folder = Folder::new();
        let config = strict(&folder, "bot", "when-asked", more);
        let lenient = fs::read_to_string(&config)
            .expect("it was written")
            .replace("--strict ", "");
        fs::write(&config, lenient).expect("it can be written");
        let finished = play(&folder, 2, 5, &table_with(&folder, config));
        went_well(&folder, &finished, 2);
        let games: Vec<&str> = finished
            .out
            .lines()
            .filter(|line| !line.starts_with("record: "))
            .collect();
        all.push(games.join("\n"));
        let answered = journal(&folder, "bot")["decision"];
        assert!(answered > 200, "{answered}");
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0], all[2]);
}

#[test]
fn placeholders_tell_an_engine_the_players_and_the_length() {
    let folder = Folder::new();
    let config = strict(&folder, "{players}-{length}", "when-asked", "");
    let finished = Runner::new([
        Path::new("play"),
        Path::new("--length=east"),
        Path::new("--seed=1"),
        &config,
    ])
    .run();
    assert!(
        !finished.exited(0).contains("safe answer"),
        "{}",
        finished.out
    );
    assert_eq!(journal(&folder, "4-half")["decision"], 1, "the trial");
    assert!(journal(&folder, "4-east")["decision"] > 30);
}

#[test]
fn an_engine_is_not_tested_in_situations_after_a_call_that_it_did_not_make() {
    let folder = Folder::new();
    let config = strict(&folder, "closed", "when-asked", "--closed");
    let lenient = fs::read_to_string(&config)
        .expect("it was written")
        .replace("--strict ", "");
    fs::write(&config, lenient).expect("it can be written");
    let tested = Runner::new([Path::new("plugin"), Path::new("test"), &config]).run();
    let out = tested.exited(0);
    assert!(
        out.matches("it follows a call or riichi that it did not declare")
            .count()
            >= 2,
        "{out}"
    );
    assert!(out.contains("20 of 20 games"), "{out}");
}

#[test]
fn a_program_that_is_killed_twice_plays_the_game_to_its_end() {
    let folder = Folder::new();
    let bot = strict(&folder, "mortal", "when-asked", "--die-at 20,45");
    let finished = play(&folder, 1, 15, &table_with(&folder, bot));
    went_well(&folder, &finished, 1);
    let counts = journal(&folder, "mortal");
    assert_eq!(counts["start"], 3, "{}", finished.err);
    // A trial round at each start, and the game again after it.
    assert_eq!(counts["game"], 6);
    let restarts = finished
        .err
        .lines()
        .filter(|line| line.contains("the engine is started again: it ended (signal: 9"));
    assert_eq!(restarts.count(), 2, "{}", finished.err);
    assert!(
        table(&finished.out)
            .iter()
            .any(|row| cell(row, "policy").starts_with("line_bot.py mjai-engine ")),
        "{}",
        finished.out
    );
    assert!(
        finished.err.contains("engine: line_bot is ready"),
        "its standard error is in the log"
    );
}

#[test]
fn a_program_plays_on_a_thread_and_in_a_process_that_may_start_it() {
    let library = built_library("mjai_engine");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../policies/mjai-engine/tests");
    let python = "execute = [\"/usr/bin\", \"/usr/local/bin\"]";
    let allowed =
        format!("[policy.limits]\n{python}\nread = [{script:?}]\nwrite = [\"journals\"]\n");
    for (isolation, limits, plays) in [
        ("thread", "", true),
        ("process", allowed.as_str(), true),
        ("process", "", false),
    ] {
        let folder = Folder::new();
        let config = strict(
            &folder,
            "mortal",
            "when-asked",
            "--name Mortal --version 4b",
        );
        let text = fs::read_to_string(&config).expect("it was written");
        let in_file = format!("library = {library:?}\nisolation = {isolation:?}");
        let text = text
            .replace("library = \"builtin\"", &in_file)
            .replace("[policy.params]", &format!("{limits}[policy.params]"));
        fs::write(&config, text).expect("it can be written");
        if plays {
            let checked = Runner::new([Path::new("check"), &config]).run();
            assert!(
                checked.exited(0).contains("mortal decides by Mortal 4b ("),
                "the trial tells: {}",
                checked.out
            );
            let finished = play(&folder, 1, 15, &table_with(&folder, config));
            went_well(&folder, &finished, 1);
            assert!(
                finished.out.contains("mortal: Mortal 4b, "),
                "{}",
                finished.out
            );
            assert!(
                journal(&folder, "mortal")["decision"] > 30,
                "{}",
                finished.err
            );
        } else {
            let finished = Runner::new([Path::new("check"), &config]).run();
            assert!(
                finished.exited(1).contains("Operation not permitted"),
                "{}",
                finished.out
            );
        }
    }
}

#[test]
fn a_config_without_a_command_is_refused_with_the_missing_key() {
    let folder = Folder::new();
    let config = folder.file(
        "kuma.toml",
        "name = \"kuma\"\n[policy]\nlibrary = \"builtin\"\nid = \"mjai-engine\"\n",
    );
    let finished = Runner::new([Path::new("check"), &config]).run();
    let out = finished.exited(1);
    assert!(
        out.contains("policy.params.command: the key is missing"),
        "{out}"
    );
}
