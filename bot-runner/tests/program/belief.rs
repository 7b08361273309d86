//! `belief`: the figures of `riichi::belief` fitted anew and checked.

use std::fs;

use super::configs::Folder;
use super::program::{Finished, Runner};

fn belief(args: &[&str]) -> Finished {
    Runner::new(std::iter::once("belief").chain(args.iter().copied())).run()
}

#[test]
fn games_played_for_it_give_the_whole_file_of_figures_and_their_records_give_the_same() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let bot = bot.to_str().expect("a plain path");
    let records = folder.path().join("records");
    let records = records.to_str().expect("a plain path");
    let out = belief(&["--games", "1", "--seed", "3", "--bot", bot, "--keep", records]).exited(0).to_owned();
    assert!(out.contains(&format!("//! `bot-runner belief --games 1 --seed 3 --bot {bot}`\n")), "{out}");
    let figures = |out: &str| out.split_once("pub(super) static MEASURED: ").expect("figures").1.to_owned();
    let record = format!("{records}/3-00001.jsonl.gz");
    let again = belief(&[&record, "--seed", "3", "--held-out", &record]);
    assert_eq!(figures(again.exited(0)), figures(&out), "the same game and seed fit the same");
    assert!(again.err.contains("log loss"), "{}", again.err);
}

#[test]
fn a_check_names_log_losses_beside_those_of_the_danger_figures_and_draws_the_calibration() {
    let folder = Folder::new();
    let (bot, plot) = (folder.bot("kuma"), folder.path().join("plot.svg"));
    let (bot, file) = (bot.to_str().expect("a plain path"), plot.to_str().expect("a plain path"));
    let finished = belief(&["--games", "1", "--seed", "4", "--bot", bot, "--check", "--plot", file]);
    let out = finished.exited(0);
    let losses: Vec<&str> = out.lines().take_while(|line| !line.is_empty()).collect();
    assert!(losses[0].ends_with("danger   belief"), "{out}");
    assert_eq!(losses.len(), 6, "{out}");
    let drawing = fs::read_to_string(plot).expect("a drawing");
    assert!(drawing.starts_with("<svg ") && drawing.contains("belief --check --games 1 --seed 4"), "{drawing}");
}

#[test]
fn three_players_are_fitted_from_their_own_games_and_records_of_four_are_refused() {
    let folder = Folder::new();
    let bot = folder.bot("kuma");
    let bot = bot.to_str().expect("a plain path");
    let records = folder.path().join("records");
    let records = records.to_str().expect("a plain path");
    let played = belief(&["--players", "3", "--games", "1", "--seed", "5", "--bot", bot, "--keep", records]);
    let command = format!("//! `bot-runner belief --players 3 --games 1 --seed 5 --bot {bot}`\n");
    assert!(played.exited(0).contains(&command), "{}", played.out);
    let refused = belief(&[&format!("{records}/5-00001.jsonl.gz")]);
    refused.exited(1);
    assert!(refused.err.contains("5-00001.jsonl.gz, line 2: values for 3 seats at a table of 4"), "{}", refused.err);
}

#[test]
fn what_gives_nothing_to_look_at_is_refused_with_what_to_name() {
    let finished = belief(&[]);
    finished.exited(1);
    assert!(finished.err.contains("name mjai records, or say --games N --bot CONFIG"), "{}", finished.err);
    belief(&["--games", "2"]).exited(2);
    let finished = belief(&["no/such/record"]);
    finished.exited(1);
    assert!(finished.err.contains("no/such/record cannot be opened"), "{}", finished.err);
}
