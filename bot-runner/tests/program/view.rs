//! `view`: a game as a page. What the page shows is tested in a browser, by `.ci/pages`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::configs::Folder;
use super::program::Runner;

/// A record in which nothing is hidden.
fn open_record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mahjong/tests/records/riichienv-majiang-00003.jsonl.gz")
}

/// The record of a ranked game that was cut, as seat 1 saw it.
fn ranked_record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records-format-1/2026-11-22T084820Z-kuma-582ed9.cut")
}

fn view<'a>(args: impl IntoIterator<Item = &'a str>, record: &Path) -> Runner {
    let args = args.into_iter().map(str::to_owned);
    Runner::new(["view".to_owned(), record.display().to_string()].into_iter().chain(args))
}

/// What it says when it makes no page.
fn refused(runner: Runner) -> String {
    let finished = runner.run();
    finished.exited(1);
    finished.all()
}

#[test]
fn a_game_is_written_as_one_page_that_loads_nothing() {
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    let written = view(["--out", &out.display().to_string()], &open_record()).run().exited(0).to_owned();
    assert!(written.ends_with("game.html: written\n"), "{written}");
    let page = fs::read_to_string(&out).expect("it is there");
    assert!(page.starts_with("<!DOCTYPE html>") && page.len() < 400_000, "{} bytes", page.len());
    assert!(page.contains("default-src 'none'") && !page.contains("src=\"") && !page.contains("href=\"http"));
}

#[test]
fn a_page_takes_the_place_of_one_that_is_there() {
    let folder = Folder::new();
    let out = folder.file("game.html", "what was there before");
    view(["--out", &out.display().to_string()], &open_record()).run().exited(0);
    assert!(fs::read_to_string(&out).expect("it is there").starts_with("<!DOCTYPE html>"));
}

#[test]
fn with_simulations_each_action_comes_with_the_place_that_it_leads_to() {
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    let page = |args: &[&str]| {
        let out = out.display().to_string();
        let args: Vec<&str> = args.iter().copied().chain(["--out", out.as_str()]).collect();
        Runner::new(["view", open_record().to_str().expect("a plain path")].into_iter().chain(args)).run().exited(0);
        fs::read_to_string(&out).expect("it is there")
    };
    assert!(!page(&[]).contains("\"simulated\":["));
    let simulated = page(&["--seat", "2", "--simulate", "20"]);
    assert!(simulated.contains("\"simulated\":[") && simulated.len() < 400_000, "{} bytes", simulated.len());
}

#[test]
fn the_record_of_a_ranked_game_is_shown_with_what_it_says_of_its_decisions() {
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    view(["--out", &out.display().to_string()], &ranked_record()).run().exited(0);
    let page = fs::read_to_string(&out).expect("it is there");
    assert!(page.contains("it chose the legal action 2 of 2, counted from 0"));
    assert!(page.contains("This is not the whole game, for the record breaks off: the connection broke"));
}

#[test]
fn the_record_of_a_ranked_game_marks_when_the_arena_and_the_bot_differed() {
    let folder = Folder::new();
    let copy = folder.path().join(ranked_record().file_name().expect("a name"));
    fs::create_dir(&copy).expect("it can be made");
    for file in fs::read_dir(ranked_record()).expect("it can be read") {
        let file = file.expect("it can be read");
        fs::copy(file.path(), copy.join(file.file_name())).expect("it can be written");
    }
    let manifest = copy.join("manifest.json");
    let mut value: Value = serde_json::from_str(&fs::read_to_string(&manifest).expect("it is there")).expect("JSON");
    let mark = |round: usize, step: usize| json!({"kind": "legal actions", "round": round, "step": step});
    // The second is of a round that the record does not have.
    value["played"]["desync_marks"] = json!([mark(0, 1), mark(1, 0)]);
    fs::write(&manifest, value.to_string()).expect("it can be written");
    let out = folder.path().join("game.html");
    view(["--out", &out.display().to_string()], &copy).run().exited(0);
    let page = fs::read_to_string(&out).expect("it is there");
    assert!(page.contains(r#""desyncs":[{"round":0,"step":1,"kind":"legal actions"}]"#));
}

#[test]
fn a_seat_that_is_hidden_or_is_not_there_is_refused_with_those_that_are() {
    let said = refused(view(["--seat", "3", "--out", "x.html"], &ranked_record()));
    assert!(said.contains("the tiles of seat 3 are hidden; shown are those of: 1"), "{said}");
}

#[test]
fn a_file_without_a_round_is_no_game() {
    let folder = Folder::new();
    let file = folder.file("notes.jsonl", "{\"type\":\"start_game\"}\nnot an event\n");
    let said = refused(view(["--out", "x.html"], &file));
    assert!(said.contains("no round in 1 events (The record cannot be read on: line 2: "), "{said}");
    assert!(said.contains("is this an mjai record?"), "{said}");
    let said = refused(view(["--out", "x.html"], &folder.path().join("absent.jsonl")));
    assert!(said.contains("absent.jsonl cannot be opened; is the path right?"), "{said}");
}
