//! `view`: a game as a page. What the page shows is tested in a browser, by `.ci/pages`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::configs::Folder;
use super::program::Runner;

/// A record in which nothing is hidden.
fn open_record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/riichi/tests/records/riichienv-majiang-00003.jsonl.gz")
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

/// The data of a page.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"game\">").expect("the page has data");
    let (data, _) = rest.split_once("</script>").expect("the data end");
    serde_json::from_str(data).expect("JSON")
}

/// Records of games of two bots of a policy and others that do what is safe; with the page of each.
fn stepped(game: &str, policy: &str, games: u32) -> Vec<(Value, usize)> {
    let folder = Folder::new();
    let config = |name: &str| {
        folder.file(
            &format!("{name}.toml"),
            format!("name = \"{name}\"\n[policy]\nid = \"{policy}\"\nlibrary = \"builtin\"\n"),
        )
    };
    let (kuma, neko) = (config("kuma"), config("neko"));
    let records = folder.path().join("games");
    let count = games.to_string();
    let args = ["play", "--game", game, "--games", &count, "--seed", "5", "--record"];
    let args =
        args.into_iter().map(str::to_owned).chain([&records, &kuma, &neko].map(|path| path.display().to_string()));
    Runner::new(args).run().exited(0);
    let page = |number: u32| {
        let record = records.join(format!("game-{number:04}.jsonl"));
        let out = folder.path().join(format!("{number}.html"));
        let finished = view(["--out", &out.display().to_string()], &record).run();
        finished.exited(0);
        let page = fs::read_to_string(&out).expect("it is there");
        assert!(page.starts_with("<!DOCTYPE html>") && page.len() < 400_000, "{} bytes", page.len());
        assert!(page.contains("default-src 'none'") && !page.contains("src=\"") && !page.contains("href=\"http"));
        let decisions = fs::read_to_string(records.join("decisions").join(record.file_name().expect("a name")));
        (data_of(&page), decisions.expect("decisions").lines().count())
    };
    (1..=games).map(page).collect()
}

/// The groups of a row of a seat at a step, and which are gone.
fn row<'a>(seat: &'a Value, label: &str) -> (Vec<&'a str>, Vec<u64>) {
    let rows = seat[2].as_array().expect("rows");
    let Some(row) = rows.iter().find(|row| row[0] == label) else { return (Vec::new(), Vec::new()) };
    let gone = row[2].as_array().expect("indices").iter().filter_map(Value::as_u64).collect();
    (row[1].as_str().expect("groups").split_whitespace().collect(), gone)
}

#[test]
fn a_game_of_chinese_standard_is_shown_with_every_tile_in_its_place_and_every_decision() {
    for (page, decisions) in stepped("chinese-standard", "cs-fan", 4) {
        assert_eq!(page["warnings"], json!([]));
        assert_eq!(page["decisions"].as_array().map(Vec::len), Some(decisions));
        for step in page["steps"].as_array().expect("steps") {
            let mut seen = std::collections::HashMap::<&str, usize>::new();
            for seat in step[1].as_array().expect("seats") {
                let (hand, _) = row(seat, "hand");
                let (sets, _) = row(seat, "sets");
                let (river, gone) = row(seat, "discards");
                let held: usize = hand.iter().map(|tiles| tiles.len() / 2).sum::<usize>() + 3 * sets.len();
                assert!((13..=14).contains(&held), "{held} tiles: {step}");
                let open = (0..).zip(&river).filter(|(index, _)| !gone.contains(index)).map(|(_, tile)| *tile);
                for tiles in hand.iter().chain(&sets).copied().chain(open) {
                    for at in (0..tiles.len()).step_by(2) {
                        *seen.entry(&tiles[at..at + 2]).or_default() += 1;
                    }
                }
            }
            assert!(!seen.contains_key("??"), "nothing is hidden in a record of the table");
            assert!(seen.values().all(|&copies| copies <= 4), "{step}");
        }
        for decision in page["decisions"].as_array().expect("decisions") {
            let legal = decision["legal"].as_array().expect("actions").len();
            assert!(decision["chosen"].as_u64().is_some_and(|chosen| (chosen as usize) < legal), "{decision}");
        }
    }
}

#[test]
fn a_game_of_dou_dizhu_is_shown_with_every_card_in_its_place_and_every_decision() {
    for (page, decisions) in stepped("doudizhu", "doudizhu-split", 8) {
        assert_eq!(page["warnings"], json!([]));
        assert_eq!(page["decisions"].as_array().map(Vec::len), Some(decisions));
        let steps = page["steps"].as_array().expect("steps");
        let cards = |step: &Value| -> String {
            let seats = step[1].as_array().expect("seats").iter();
            let mut cards: Vec<char> = seats
                .flat_map(|seat| [row(seat, "hand").0, row(seat, "plays").0])
                .flat_map(|groups| groups.concat().chars().collect::<Vec<_>>())
                .collect();
            cards.sort_unstable();
            cards.into_iter().collect()
        };
        let all = cards(steps.last().expect("a step"));
        assert_eq!(all.len(), 54, "{all}");
        let landlord = steps.iter().position(|step| step[0].as_str().is_some_and(|event| event.contains("landlord")));
        let landlord = landlord.expect("there is a landlord");
        assert!(steps[..landlord].iter().all(|step| cards(step).len() == 51), "three cards are not dealt yet");
        assert!(steps[landlord..].iter().all(|step| cards(step) == all), "no card is lost or found");
    }
}

#[test]
fn what_only_games_of_riichi_have_is_refused_of_a_record_of_another_game() {
    let folder = Folder::new();
    let start = json!({"type": "start_game", "game": "doudizhu", "id": 0, "names": []});
    let record = folder.file("game.jsonl", format!("{start}\n"));
    assert!(refused(view([], &record)).contains("no hand of the deal is known"));
    let deal = json!({"type": "deal", "hands": [(0..17).collect::<Vec<_>>(), null, null]});
    let record = folder.file("dealt.jsonl", format!("{start}\n{deal}\n"));
    let told = refused(view(["--simulate", "10"], &record));
    assert!(told.contains("--simulate is for games of riichi"), "{told}");
    let start = json!({"type": "start_game", "game": "go", "id": 0, "names": []});
    let record = folder.file("go.jsonl", format!("{start}\n"));
    assert!(refused(view([], &record)).contains("\"go\", which this runner does not know"));
}
