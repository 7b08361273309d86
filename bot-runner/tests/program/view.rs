//! `view`: a game as a page. `.ci/pages` tests its look in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::configs::Folder;
use super::program::Runner;

/// A record in which nothing is hidden.
fn open_record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../games/riichi/tests/records/riichienv-majiang-00003.jsonl.gz")
}

/// The record of a ranked game that was cut, as seat 1 saw it.
fn ranked_record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/records-format-1/2026-11-22T084820Z-kuma-582ed9.cut")
}

fn view<'a>(args: impl IntoIterator<Item = &'a str>, record: &Path) -> Runner {
    let args = args.into_iter().map(str::to_owned);
    Runner::new(
        ["view".to_owned(), record.display().to_string()]
            .into_iter()
            .chain(args),
    )
}

/// The message when it makes no page.
fn refused(runner: Runner) -> String {
    let finished = runner.run();
    finished.exited(1);
    finished.all()
}

#[test]
fn a_game_is_written_as_one_page_that_loads_nothing() {
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    let written = view(["--out", &out.display().to_string()], &open_record())
        .run()
        .exited(0)
        .to_owned();
    assert!(written.ends_with("game.html: written\n"), "{written}");
    let page = fs::read_to_string(&out).expect("it is there");
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.len() < 400_000,
        "{} bytes",
        page.len()
    );
    assert!(
        page.contains("default-src 'none'")
            && !page.contains("src=\"")
            && !page.contains("href=\"http")
    );
}

#[test]
fn a_folder_of_records_needs_the_name_of_a_folder_and_has_records() {
    let folder = Folder::new();
    let records = folder.private("games");
    let message = refused(view(["--out", "site"], &records));
    assert!(
        message.contains("no record in this folder; `bot-runner play --record` writes records"),
        "{message}"
    );
    fs::copy(open_record(), records.join("one.jsonl.gz")).expect("it can be written");
    let page = folder.path().join("site.html");
    let message = refused(view(["--out", page.to_str().expect("UTF-8")], &records));
    assert!(
        message.contains("name a folder, such as") && message.contains("/site\n"),
        "{message}"
    );
    assert!(!page.exists());
}

#[test]
fn a_folder_of_records_becomes_a_page_for_each_game_and_an_index_of_them() {
    let folder = Folder::new();
    let records = folder.path().join("games");
    fs::create_dir(&records).expect("it can be made");
    let copy = |from: &Path, to: &Path| {
        fs::copy(from, to).expect("it can be written");
    };
    copy(&open_record(), &records.join("open <one>.jsonl.gz"));
    let ranked = records.join(ranked_record().file_name().expect("a name"));
    fs::create_dir(&ranked).expect("it can be made");
    for file in fs::read_dir(ranked_record()).expect("it can be read") {
        let file = file.expect("it can be read");
        copy(&file.path(), &ranked.join(file.file_name()));
    }
    // Without a folder for them, and of a folder without records, there are no pages.
    assert!(
        refused(view([], &records)).contains("name a folder for their pages with --out FOLDER")
    );
    let site = folder.path().join("site").display().to_string();
    assert!(refused(view(["--out", &site], folder.path())).contains("no record in this folder"));
    let told = view(["--out", &site], &records).run().exited(0).to_owned();
    assert!(told.contains("index.html: written, with 2 games"), "{told}");
    let read = |name: &str| fs::read_to_string(Path::new(&site).join(name)).expect("it is there");
    let index = read("index.html");
    assert!(
        index.contains("default-src 'none'; script-src 'sha256-") && !index.contains("src=\""),
        "{index}"
    );
    assert!(
        index.contains("<a href=\"./open%20%3Cone%3E.html\">")
            && index.contains("2026-11-22 08:48:20"),
        "{index}"
    );
    assert!(read("open <one>.html").starts_with("<!DOCTYPE html>"));
    let ranked_page = format!(
        "{}.html",
        ranked_record()
            .file_name()
            .expect("a name")
            .to_string_lossy()
    );
    assert!(
        index.contains(&format!("<a href=\"./{ranked_page}\">kuma</a>")),
        "{index}"
    );
    assert!(
        index.contains("<p class=\"facts\">arena: ws://127.0.0.1:"),
        "{index}"
    );
    assert!(read(&ranked_page).contains("The record is incomplete: "));
    // Records that cannot be shown are skipped, and the exit code says so.
    fs::write(records.join("notes.jsonl"), "{}\n").expect("it can be written");
    let finished = view(["--out", &site], &records).run();
    finished.exited(1);
    let told = finished.all();
    assert!(
        told.contains("with 2 games") && told.contains("1 record cannot be shown"),
        "{told}"
    );
    assert!(
        told.contains("notes.jsonl is not a record of a game"),
        "{told}"
    );
    fs::write(ranked.join("manifest.json"), "{}").expect("it can be written");
    let told = view(["--out", &site], &records).run().all();
    assert!(
        told.contains("with 1 game") && told.contains("2 records cannot be shown"),
        "{told}"
    );
}

#[test]
fn the_index_of_games_of_play_has_the_policy_and_the_place_of_each_bot() {
    let folder = Folder::new();
    let games = Runner::new(["play", "--seed", "1", "--games", "1", "--record", "games"])
        .in_folder(folder.path())
        .run();
    games.exited(0);
    let site = folder.path().join("site");
    let args = ["--out", site.to_str().expect("UTF-8")];
    view(args, &folder.path().join("games")).run().exited(0);
    let index = fs::read_to_string(site.join("index.html")).expect("it is there");
    let places: Vec<&str> = index
        .split("<span class=\"place\">")
        .skip(1)
        .filter_map(|rest| rest.split('<').next())
        .collect();
    assert_eq!(places, ["1st of 4", "2nd of 4", "3rd of 4", "4th of 4"]);
    let policies = index.split("<span class=\"policy\">").skip(1);
    for policy in policies {
        let policy = policy.split('<').next().unwrap_or_default();
        assert!(policy.contains(env!("CARGO_PKG_VERSION")), "{policy:?}");
    }
}

#[test]
fn a_page_takes_the_place_of_one_that_is_there() {
    let folder = Folder::new();
    let out = folder.file("game.html", "what was there before");
    view(["--out", &out.display().to_string()], &open_record())
        .run()
        .exited(0);
    assert!(
        fs::read_to_string(&out)
            .expect("it is there")
            .starts_with("<!DOCTYPE html>")
    );
}

#[test]
fn a_page_does_not_take_the_place_of_its_record() {
    let folder = Folder::new();
    let record = folder.path().join("game.jsonl.gz");
    fs::copy(open_record(), &record).expect("it can be written");
    let linked = folder.path().join("link.html");
    std::os::unix::fs::symlink(&record, &linked).expect("it can be made");
    for out in [&record, &linked] {
        let out = out.display().to_string();
        let said = refused(view(["--out", &out], &record));
        assert!(
            said.contains(&format!(
                "--out {out} is the record itself; choose another file"
            )),
            "{said}"
        );
    }
    assert_eq!(
        fs::read(&record).expect("it is there"),
        fs::read(open_record()).expect("it is there")
    );
}

#[test]
fn the_decisions_of_a_record_are_found_if_either_is_gzipped() {
    let folder = Folder::new();
    let records = folder.path().join("games");
    let args = ["play", "--game=doudizhu", "--seed=7", "--record"].map(Into::into);
    Runner::new(args.iter().chain([&records])).run().exited(0);
    let gzip = |name: &str| {
        let done = Command::new("gzip")
            .arg(records.join(name))
            .status()
            .expect("gzip is there");
        assert!(done.success(), "{name}");
    };
    let decisions = |record: &str| {
        let out = folder.path().join("game.html");
        view(["--out", &out.display().to_string()], &records.join(record))
            .run()
            .exited(0);
        data_of(&fs::read_to_string(&out).expect("it is there"))["decisions"]
            .as_array()
            .expect("a list")
            .len()
    };
    let all = decisions("game-0001.jsonl");
    assert!(all > 0);
    gzip("game-0001.jsonl");
    assert_eq!(decisions("game-0001.jsonl.gz"), all);
    gzip("decisions/game-0001.jsonl");
    assert_eq!(decisions("game-0001.jsonl.gz"), all);
}

#[test]
fn with_simulations_each_action_comes_with_the_place_that_it_leads_to() {
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    let page = |args: &[&str]| {
        let out = out.display().to_string();
        let args: Vec<&str> = args
            .iter()
            .copied()
            .chain(["--out", out.as_str()])
            .collect();
        Runner::new(
            ["view", open_record().to_str().expect("a plain path")]
                .into_iter()
                .chain(args),
        )
        .run()
        .exited(0);
        fs::read_to_string(&out).expect("it is there")
    };
    assert!(!page(&[]).contains("\"simulated\":["));
    let simulated = page(&["--seat", "2", "--simulate", "20"]);
    assert!(
        simulated.contains("\"simulated\":[") && simulated.len() < 400_000,
        "{} bytes",
        simulated.len()
    );
    assert!(
        simulated.contains("\"errors\":[") && simulated.contains("\"unit\":\"places-above-last\"")
    );
}

#[test]
fn the_record_of_a_ranked_game_is_shown_with_its_notes_on_decisions() {
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    view(["--out", &out.display().to_string()], &ranked_record())
        .run()
        .exited(0);
    let page = fs::read_to_string(&out).expect("it is there");
    assert!(page.contains("it chose the legal action 2 of 2, counted from 0"));
    assert!(page.contains("The record is incomplete: the connection broke"));
}

#[test]
fn the_record_of_a_ranked_game_marks_when_the_arena_and_the_bot_differed() {
    let folder = Folder::new();
    let copy = folder
        .path()
        .join(ranked_record().file_name().expect("a name"));
    fs::create_dir(&copy).expect("it can be made");
    for file in fs::read_dir(ranked_record()).expect("it can be read") {
        let file = file.expect("it can be read");
        fs::copy(file.path(), copy.join(file.file_name())).expect("it can be written");
    }
    let manifest = copy.join("manifest.json");
    let mut value: Value =
        serde_json::from_str(&fs::read_to_string(&manifest).expect("it is there")).expect("JSON");
    let mark =
        |round: usize, step: usize| json!({"kind": "legal actions", "round": round, "step": step});
    // The second is of a round that the record does not have.
    value["played"]["desync_marks"] = json!([mark(0, 1), mark(1, 0)]);
    fs::write(&manifest, value.to_string()).expect("it can be written");
    let out = folder.path().join("game.html");
    view(["--out", &out.display().to_string()], &copy)
        .run()
        .exited(0);
    let page = fs::read_to_string(&out).expect("it is there");
    assert_eq!(
        data_of(&page)["desyncs"],
        json!([{"round": 0, "step": 1, "kind": "legal actions"}])
    );
}

#[test]
fn a_seat_that_is_hidden_or_is_not_there_is_refused_with_those_that_are() {
    let said = refused(view(["--seat", "3", "--out", "x.html"], &ranked_record()));
    assert!(
        said.contains("the hand of seat 3 is hidden; the record shows those of: 1"),
        "{said}"
    );
}

#[test]
fn a_file_without_a_round_is_no_game() {
    let folder = Folder::new();
    let file = folder.file("notes.jsonl", "{\"type\":\"start_game\"}\nnot an event\n");
    let said = refused(view(["--out", "x.html"], &file));
    assert!(
        said.contains("no round in 1 events (The rest of the record cannot be read: line 2: "),
        "{said}"
    );
    assert!(said.contains("is this an mjai record?"), "{said}");
    let said = refused(view(
        ["--out", "x.html"],
        &folder.path().join("absent.jsonl"),
    ));
    assert!(
        said.contains("absent.jsonl cannot be opened; is the path right?"),
        "{said}"
    );
    let said = refused(view(
        ["--out", "x.html"],
        &folder.file("old.toml", "name = \"kuma\"\n"),
    ));
    assert!(
        said.contains("old.toml is not a record of a game: ") && said.contains("`play --record`"),
        "{said}"
    );
}

#[test]
fn a_file_in_place_of_a_folder_and_a_folder_that_is_missing_are_named() {
    let folder = Folder::new();
    let said = refused(view(["--out", "nodir/x.html"], &ranked_record()));
    assert!(
        said.contains("nodir/x.html: the folder nodir does not exist; make it first"),
        "{said}"
    );
    let there = folder.file("game.html", "");
    fs::copy(open_record(), folder.path().join("game-0001.jsonl")).expect("it can be written");
    let said = refused(view(["--out", &there.display().to_string()], folder.path()));
    assert!(
        said.contains("game.html is a file") && said.contains("--out FOLDER"),
        "{said}"
    );
}

pub(crate) fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"game\">").expect("the page has data");
    let (data, _) = rest.split_once("</script>").expect("the data end");
    serde_json::from_str(data).expect("JSON")
}

static MCR_PAGES: LazyLock<Vec<(Value, usize)>> =
    LazyLock::new(|| stepped("chinese-standard", "cs-fan", 4));
static CARD_PAGES: LazyLock<Vec<(Value, usize)>> =
    LazyLock::new(|| stepped("doudizhu", "doudizhu-split", 8));

/// Records of games of two bots with a policy and others that take the safe action; with the page
/// of each.
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
    let args = [
        "play", "--game", game, "--games", &count, "--seed", "5", "--record",
    ];
    let args = args
        .into_iter()
        .map(str::to_owned)
        .chain([&records, &kuma, &neko].map(|path| path.display().to_string()));
    Runner::new(args).run().exited(0);
    let page = |number: u32| {
        let record = records.join(format!("game-{number:04}.jsonl"));
        let out = folder.path().join(format!("{number}.html"));
        let finished = view(["--out", &out.display().to_string()], &record).run();
        finished.exited(0);
        let page = fs::read_to_string(&out).expect("it is there");
        assert!(
            page.starts_with("<!DOCTYPE html>") && page.len() < 400_000,
            "{} bytes",
            page.len()
        );
        assert!(
            page.contains("default-src 'none'")
                && !page.contains("src=\"")
                && !page.contains("href=\"http")
        );
        let decisions = fs::read_to_string(
            records
                .join("decisions")
                .join(record.file_name().expect("a name")),
        );
        (
            data_of(&page),
            decisions.expect("decisions").lines().count(),
        )
    };
    (1..=games).map(page).collect()
}

/// Puts what changed into a value, as the page's script does.
fn put(value: &mut Value, changed: &Value) {
    let Value::Object(parts) = changed else {
        *value = changed.clone();
        return;
    };
    if value.is_null() {
        *value = json!({});
    }
    for (name, part) in parts {
        let place = match (value.as_array_mut(), name.parse::<usize>()) {
            (Some(list), Ok(index)) => {
                if list.len() == index {
                    list.push(Value::Null);
                }
                &mut list[index]
            }
            _ => &mut value[name.as_str()],
        };
        put(place, part);
    }
}

/// The words of each step of the only round, and the position after it.
fn steps(page: &Value) -> Vec<(String, Value)> {
    let mut position = Value::Null;
    let steps = page["rounds"][0]["steps"].as_array().expect("steps").iter();
    let each = steps.map(|step| {
        put(&mut position, &step[2]);
        (
            step[0].as_str().expect("words").to_owned(),
            position.clone(),
        )
    });
    each.collect()
}

/// A text of a seat's position.
fn text<'a>(seat: &'a Value, part: &str) -> &'a str {
    seat[part].as_str().expect("a text")
}

/// The texts of a list of a seat's position.
fn list<'a>(seat: &'a Value, part: &str) -> Vec<&'a str> {
    seat[part]
        .as_array()
        .expect("a list")
        .iter()
        .map(|text| text.as_str().expect("a text"))
        .collect()
}

#[test]
fn a_game_of_chinese_standard_is_shown_with_every_tile_in_its_place_and_every_decision() {
    for (page, decisions) in &*MCR_PAGES {
        assert_eq!(page["warnings"], json!([]));
        assert_eq!(page["decisions"].as_array().map(Vec::len), Some(*decisions));
        for (words, position) in steps(page) {
            let mut seen = std::collections::HashMap::<String, usize>::new();
            for seat in position["seats"].as_array().expect("seats") {
                let melds = seat["melds"].as_array().expect("sets");
                let held =
                    (text(seat, "hand").len() + text(seat, "drawn").len()) / 2 + 3 * melds.len();
                assert!((13..=14).contains(&held), "{held} tiles: {words}");
                let open = list(seat, "river")
                    .into_iter()
                    .filter(|tile| !tile.ends_with('-'))
                    .map(str::to_owned);
                let sets = melds
                    .iter()
                    .map(|meld| text(meld, "tiles").replace('_', ""));
                let hand = [
                    text(seat, "hand").to_owned(),
                    text(seat, "drawn").to_owned(),
                ];
                for tiles in open.chain(sets).chain(hand) {
                    for at in (0..tiles.len()).step_by(2) {
                        *seen.entry(tiles[at..at + 2].to_owned()).or_default() += 1;
                    }
                }
            }
            assert!(
                !seen.contains_key("??"),
                "nothing is hidden in a record of the table"
            );
            assert!(
                seen.values().all(|&copies| copies <= 4),
                "{words}: {seen:?}"
            );
        }
        for decision in page["decisions"].as_array().expect("decisions") {
            let legal = decision["legal"].as_array().expect("actions").len();
            assert!(
                decision["own"]["chosen"]
                    .as_u64()
                    .is_some_and(|chosen| (chosen as usize) < legal),
                "{decision}"
            );
        }
    }
}

#[test]
fn a_game_of_dou_dizhu_is_shown_with_every_card_in_its_place_and_every_decision() {
    for (page, decisions) in &*CARD_PAGES {
        assert_eq!(page["warnings"], json!([]));
        assert_eq!(page["decisions"].as_array().map(Vec::len), Some(*decisions));
        let steps = steps(page);
        let cards = |(_, position): &(String, Value)| -> String {
            let seats = position["seats"].as_array().expect("seats").iter();
            let mut cards: Vec<char> = seats
                .flat_map(|seat| [text(seat, "hand").to_owned(), list(seat, "river").concat()])
                .flat_map(|cards| cards.chars().collect::<Vec<_>>())
                .collect();
            cards.sort_unstable();
            cards.into_iter().collect()
        };
        let all = cards(steps.last().expect("a step"));
        assert_eq!(all.len(), 54, "{all}");
        let landlord = steps
            .iter()
            .position(|(words, _)| words.contains("landlord"))
            .expect("there is a landlord");
        assert!(
            steps[..landlord].iter().all(|step| cards(step).len() == 51),
            "three cards are not dealt yet"
        );
        assert!(
            steps[landlord..].iter().all(|step| cards(step) == all),
            "no card is lost or found"
        );
    }
}

#[test]
fn the_page_of_a_record_names_the_winner_the_hand_and_the_payments_by_the_names_of_the_bots() {
    for (page, _) in MCR_PAGES.iter().chain(&CARD_PAGES[..4]) {
        let (words, position) = steps(page).pop().expect("a step");
        let outcome = page["rounds"][0]["outcome"].as_str().expect("an outcome");
        assert!(words.starts_with(outcome), "{words}: {outcome}");
        assert!(
            outcome.contains(" wins") || outcome.contains(" loses") || outcome.contains("drawn"),
            "{outcome}"
        );
        for name in ["kuma", "neko"] {
            assert!(
                words.contains(&format!("{name} +")) || words.contains(&format!("{name} -")),
                "{words}"
            );
        }
        let changes = position["seats"]
            .as_array()
            .expect("seats")
            .iter()
            .map(|seat| seat["change"].as_f64());
        assert_eq!(
            changes.map(|change| change.expect("a change")).sum::<f64>(),
            0.0,
            "{words}"
        );
    }
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    view(["--out", &out.display().to_string()], &open_record())
        .run()
        .exited(0);
    let page = data_of(&fs::read_to_string(&out).expect("it is there"));
    let rounds = page["rounds"].as_array().expect("rounds");
    for round in rounds {
        let outcome = round["outcome"].as_str().expect("an outcome");
        assert!(
            outcome.contains(" han") || outcome.contains("draw"),
            "{outcome}"
        );
    }
    let facts = page["facts"].as_array().expect("facts");
    assert!(
        facts
            .iter()
            .any(|fact| fact[0] == "result" && fact[1].to_string().contains("1. ")),
        "{facts:?}"
    );
}

#[test]
fn of_a_game_with_a_seat_its_decisions_alone_are_shown() {
    let folder = Folder::new();
    let start = json!({"type": "start_game", "game": "doudizhu", "id": null, "names": []});
    let deal = json!({"type": "deal", "hands": [(0..17).collect::<Vec<_>>(), null, null]});
    let record = folder.file("dealt.jsonl", format!("{start}\n{deal}\n"));
    let out = folder.path().join("game.html");
    view(
        ["--seat", "0", "--out", &out.display().to_string()],
        &record,
    )
    .run()
    .exited(0);
    assert_eq!(
        data_of(&fs::read_to_string(&out).expect("it is there"))["seat"],
        json!(0)
    );
    let said = refused(view(["--seat", "1", "--out", "x.html"], &record));
    assert!(
        said.contains("the hand of seat 1 is hidden; the record shows those of: 0"),
        "{said}"
    );
    let said = refused(view(["--seat", "3", "--out", "x.html"], &record));
    assert!(
        said.contains("a game of 3 players has no seat 3; allowed: 0 to 2"),
        "{said}"
    );
}

#[test]
fn a_page_of_a_file_with_several_games_shows_the_first_and_says_so() {
    let folder = Folder::new();
    let out = folder.path().join("game.html");
    let page = |record: &Path, more: &[&str]| {
        let out = out.display().to_string();
        view(more.iter().copied().chain(["--out", out.as_str()]), record)
            .run()
            .exited(0);
        data_of(&fs::read_to_string(&out).expect("it is there"))
    };
    for game in ["riichi", "chinese-standard", "doudizhu"] {
        let records = folder.path().join(game);
        let args = ["play", "--game", game, "--seed=7", "--record"].map(Path::new);
        Runner::new(args.into_iter().chain([records.as_path()]))
            .run()
            .exited(0);
        let record = records.join("game-0001.jsonl");
        let text = fs::read_to_string(&record).expect("it is there");
        let twice = folder.file(&format!("{game}.jsonl"), text.repeat(2));
        for more in [&[][..], &["--seat", "0"]] {
            let (alone, first) = (page(&record, more), page(&twice, more));
            assert_eq!(first["rounds"], alone["rounds"], "{game}");
            let decided = |page: &Value| page["decisions"].as_array().map(Vec::len);
            assert!(
                more.is_empty() || decided(&first) == decided(&alone),
                "{game}"
            );
            let warned = json!(["The record holds further games; this is the first."]);
            assert_eq!(
                (&alone["warnings"], &first["warnings"]),
                (&json!([]), &warned),
                "{game}"
            );
        }
    }
}

#[test]
fn of_a_record_of_another_game_a_policy_is_asked_and_each_action_is_simulated() {
    for (game, played, asked, units) in [
        (
            "chinese-standard",
            "cs-eight-step",
            "cs-fan",
            &["points"][..],
        ),
        (
            "doudizhu",
            "doudizhu-split",
            "doudizhu-split",
            &["chance", "points"],
        ),
    ] {
        let folder = Folder::new();
        let records = folder.path().join("games");
        let config = |name: &str, policy: &str| {
            let text =
                format!("name = \"{name}\"\n[policy]\nid = \"{policy}\"\nlibrary = \"builtin\"\n");
            folder.file(&format!("{name}.toml"), text)
        };
        let (kuma, tora) = (config("kuma", played), config("tora", asked));
        let play = ["play", "--game", game, "--seed", "5", "--record"].map(Path::new);
        Runner::new(play.into_iter().chain([records.as_path(), kuma.as_path()]))
            .run()
            .exited(0);
        let record = records.join("game-0001.jsonl");
        let page = |args: &[&str]| {
            let out = folder.path().join("game.html");
            let out = out.to_str().expect("a plain path");
            view(args.iter().copied().chain(["--out", out]), &record)
                .run()
                .exited(0);
            data_of(&fs::read_to_string(out).expect("it is there"))
        };
        let tora = tora.to_str().expect("a plain path");
        let shown = page(&["--policy", tora, "--simulate", "4"]);
        assert_eq!(&shown["other"], &json!("tora"));
        let own = page(&[]);
        let seat = &own["decisions"][0]["seat"];
        assert_eq!(&shown["seat"], seat, "the one that decided");
        let decisions = shown["decisions"].as_array().expect("decisions");
        assert_eq!(
            Some(decisions.len()),
            own["decisions"].as_array().map(Vec::len)
        );
        for decision in decisions {
            let legal = decision["legal"].as_array().expect("actions").len();
            assert_eq!(
                (
                    &decision["seat"],
                    decision["simulated"].as_array().map(Vec::len)
                ),
                (seat, Some(legal))
            );
            assert!(
                decision["unit"]
                    .as_str()
                    .is_some_and(|unit| units.contains(&unit)),
                "{decision}"
            );
            // Of each action that more than one game was played for there is an error.
            let errors = decision["errors"].as_array().map_or(0, Vec::len);
            assert!(errors == 0 || errors == legal, "{decision}");
            assert!(
                decision["other"]["chosen"]
                    .as_u64()
                    .is_some_and(|chosen| (chosen as usize) < legal),
                "{decision}"
            );
            assert!(
                decision["own"]["chosen"].is_u64() && decision["other"]["agrees"].is_boolean(),
                "{decision}"
            );
        }
        let with_errors = decisions
            .iter()
            .filter(|decision| decision["errors"].is_array())
            .count();
        assert!(with_errors > 0, "{game}");
        let agreed = decisions
            .iter()
            .filter(|decision| decision["other"]["agrees"] == true)
            .count();
        assert_eq!(
            agreed == decisions.len(),
            played == asked,
            "{agreed} of {}",
            decisions.len()
        );
        // A seat without a bot has decided too, and the record shows its choice.
        let other = (seat.as_u64().expect("a seat") + 1) % 3;
        let shown = page(&["--seat", &other.to_string()]);
        let done = shown["decisions"]
            .as_array()
            .expect("decisions")
            .iter()
            .filter(|one| one["done"].is_u64())
            .count();
        assert!(
            done > 0 && shown["decisions"][0]["own"].is_null(),
            "{}",
            shown["decisions"]
        );
    }
}

#[test]
fn a_record_of_another_game_without_a_deal_or_of_a_game_that_is_not_known_is_refused() {
    let folder = Folder::new();
    let start = json!({"type": "start_game", "game": "doudizhu", "id": 0, "names": []});
    let record = folder.file("game.jsonl", format!("{start}\n"));
    assert!(refused(view([], &record)).contains("no hand of the deal is known"));
    assert!(refused(view(["--simulate", "10"], &record)).contains("no hand of the deal is known"));
    let start = json!({"type": "start_game", "game": "go", "id": 0, "names": []});
    let record = folder.file("go.jsonl", format!("{start}\n"));
    assert!(refused(view([], &record)).contains("\"go\", which is unknown to this runner"));
}

#[test]
fn decisions_beside_a_record_are_read_within_bounds_and_through_no_link() {
    let folder = Folder::new();
    let record = folder.path().join("game.jsonl.gz");
    fs::copy(open_record(), &record).expect("it can be written");
    let decisions = folder.path().join("decisions");
    let (place, packed) = (
        decisions.join("game.jsonl"),
        decisions.join("game.jsonl.gz"),
    );
    let shell = |script: &str| {
        let ran = Command::new("sh")
            .args(["-c", script])
            .current_dir(&decisions)
            .status()
            .expect("there is a shell");
        assert!(ran.success(), "{script}");
    };
    let out = folder.path().join("game.html").display().to_string();
    for (script, words) in [
        ("mkfifo game.jsonl", "it is not an ordinary file"),
        ("mkdir game.jsonl", "it is not an ordinary file"),
        ("ln -s /dev/zero game.jsonl", "symbolic link"),
        ("ln -s ../game.jsonl.gz game.jsonl", "symbolic link"),
        (
            "head -c 70000000 /dev/zero | gzip > game.jsonl.gz",
            "it has more than 64 MiB",
        ),
        ("truncate -s 1T game.jsonl", "it has more than 64 MiB"),
    ] {
        let _ = fs::remove_dir_all(&decisions);
        fs::create_dir(&decisions).expect("it can be made");
        shell(script);
        let finished = view(["--out", &out], &record).run();
        finished.exited(0);
        assert!(place.symlink_metadata().is_ok() || packed.exists());
        let said = finished.all();
        assert!(
            said.contains("The decisions cannot be read: ") && said.contains(words),
            "{script}: {said}"
        );
    }
    fs::remove_dir_all(&decisions).expect("it is there");
    let elsewhere = folder.private("elsewhere");
    std::os::unix::fs::symlink(elsewhere, &decisions).expect("it can be linked");
    assert!(
        view(["--out", &out], &record)
            .run()
            .all()
            .contains("The decisions cannot be read: ")
    );
}

#[test]
fn a_record_that_is_a_pipe_or_unpacks_to_more_than_is_read_is_refused() {
    let folder = Folder::new();
    let pipe = folder.path().join("pipe.jsonl");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .expect("mkfifo runs")
            .success()
    );
    let bomb = folder.path().join("bomb.jsonl.gz");
    let start = r#"{"type":"start_game","names":["a","b","c","d"]}"#;
    let lines = format!("(echo '{start}'; yes '{{\"type\":\"unknown\"}}' | head -c 70000000)");
    let script = format!("{lines} | gzip > '{}'", bomb.display());
    assert!(
        Command::new("sh")
            .args(["-c", &script])
            .status()
            .expect("there is a shell")
            .success()
    );
    let out = folder.path().join("game.html").display().to_string();
    for (record, words) in [
        (&pipe, "it is not an ordinary file"),
        (&bomb, "it has more than 64 MiB"),
    ] {
        assert!(refused(view(["--out", &out], record)).contains(words));
        assert!(refused(Runner::new([Path::new("replay"), record])).contains(words));
        let export = Runner::new([Path::new("records"), Path::new("export"), record]);
        assert!(refused(export).contains(if record == &bomb {
            words
        } else {
            "is not a record of a game"
        }));
    }
}

#[test]
fn records_with_names_as_long_as_the_system_allows_have_pages_and_an_index() {
    let folder = Folder::new();
    let records = folder.private("games");
    for ending in [".jsonl.gz", ".mjson.gz"] {
        let name = "熊".repeat(82) + ending;
        assert_eq!(name.len(), 255);
        fs::copy(open_record(), records.join(name)).expect("it can be written");
    }
    let site = folder.path().join("site");
    let told = view(["--out", &site.display().to_string()], &records)
        .run()
        .exited(0)
        .to_owned();
    assert!(told.contains("index.html: written, with 2 games"), "{told}");
    assert_eq!(fs::read_dir(site).expect("it is there").count(), 3);
}
