//! What the bots of a table make of the wall that the person has played.

use super::*;

/// For each of [`GAMES`] a config's policy, the policy of the seats that are left, and the words of
/// the wall.
const BOTS: [[&str; 3]; 4] = [
    ["defensive-fold", "greedy-tenpai", "wall"],
    ["weighted-shape", "greedy-tenpai", "wall"],
    ["cs-fan", "cs-eight-step", "wall"],
    ["doudizhu-split", "none", "deal"],
];

fn bot(folder: &Folder, name: &str, id: &str) {
    let policy = format!("[policy]\nid = {id:?}\nlibrary = \"builtin\"\n");
    folder.file(
        &format!("{name}.toml"),
        format!("name = {name:?}\n{policy}"),
    );
}

/// The place and the score of a player, as the table of one game has them.
fn result(out: &str, name: &str) -> [Option<String>; 2] {
    let rows = table(out);
    let row = rows.iter().find(|row| cell(row, "bot") == name);
    let row = row.unwrap_or_else(|| panic!("no {name} in {out}"));
    ["place", "score"].map(|heading| {
        let cell = row.iter().find(|(of, _)| of == heading);
        cell.map(|(_, value)| value.clone())
    })
}

/// The same of a row on the page.
fn on_page(row: &Value) -> [Option<String>; 2] {
    let score = row["score"].as_f64().expect("a score");
    let Some(place) = row["place"].as_u64() else {
        return [None, Some(format!("{score:+}"))];
    };
    let digits = (score as i64).to_string();
    let (thousands, rest) = digits.split_at(digits.len().saturating_sub(3));
    let score = match thousands.trim_start_matches('-') {
        "" => digits,
        _ => format!("{thousands},{rest}"),
    };
    [Some(place.to_string()), Some(score)]
}

/// What the decisions of a player in a record cost, as `review` finds it.
fn reviewed(folder: &Folder, game: &[&str], record: &str, player: &str) -> f64 {
    let args = [
        "review",
        record,
        "--policy",
        "adviser.toml",
        "--player",
        player,
        "--json",
    ];
    let length = game.iter().position(|arg| *arg == "--length");
    let length = length.map_or(&[][..], |at| &game[at..]);
    let finished = Runner::new([&args[..], length].concat())
        .in_folder(folder.path())
        .run();
    let review: Value = serde_json::from_str(finished.exited(0)).expect("JSON");
    review["players"][0]["loss"].as_f64().expect("a loss")
}

/// The same of a row on the page.
fn loss_on_page(row: &Value) -> f64 {
    let losses = row["losses"].as_array().expect("losses");
    assert!(!losses.is_empty(), "{row}");
    let values = losses.iter().map(|loss| loss["value"].as_f64());
    values.map(|value| value.expect("a value")).sum()
}

#[test]
fn after_a_game_each_bot_has_played_the_same_wall_at_the_seat_of_the_person() {
    for (place, game) in GAMES.into_iter().enumerate() {
        let [id, fill, wall] = BOTS[place];
        let folder = Folder::new();
        bot(&folder, "kuma", id);
        adviser(&folder, ADVISERS[place]);
        let others = [&["kuma.toml", "--fill", fill, "--seed", "3"][..], game].concat();
        let own = ["--adviser", "adviser.toml", "--record", "games"];
        let table = Table::new(&folder, &[&others[..], &own].concat());
        let cookie = table.seat.sit();
        let bytes = play_out(&table.seat, &cookie);
        let finished = table.running.finish();
        let out = finished.exited(0);
        let shown = data_of(&bytes, "same_wall");
        let shown = shown.last().unwrap_or_else(|| panic!("{game:?}: {out}"));
        assert_eq!((&shown["game"], &shown["games"]), (&json!(1), &json!(1)));
        // Policies that play alike are one row.
        let mut policies = vec![id, fill];
        policies.retain(|&id| id != "none");
        let rows = shown["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 1 + policies.len(), "{game:?}: {shown}");
        assert_eq!(
            (&rows[0]["name"], &rows[0]["policy"]),
            (&json!("Mia"), &Value::Null)
        );
        assert_eq!(on_page(&rows[0]), result(out, "Mia"), "{game:?}");
        let loss = reviewed(&folder, game, "games/game-0001.jsonl", "Mia");
        assert!(
            (loss_on_page(&rows[0]) - loss).abs() < 1e-3,
            "{shown}: {loss}"
        );
        let by = ADVISERS[place];
        let head = format!("the same {wall} at the seat of Mia, each in one game; losses by {by} ");
        let (_, said) = out.split_once(&head).unwrap_or_else(|| panic!("{out}"));
        for (row, id) in rows[1..].iter().zip(policies) {
            let policy = row["policy"].as_str().expect("a policy");
            assert!(policy.starts_with(&format!("{id} ")), "{policy}");
            // The same game without a person, in which the bot has that seat.
            bot(&folder, "stand-in", id);
            let args = ["play", "stand-in.toml", "--record", id];
            let args = [&args[..], &others].concat();
            let played = Runner::new(args).in_folder(folder.path()).run();
            let found = result(played.exited(0), "stand-in");
            assert_eq!(on_page(row), found, "{game:?}: {id}: {shown}");
            let record = format!("{id}/game-0001.jsonl");
            let loss = reviewed(&folder, game, &record, "stand-in");
            assert!(
                (loss_on_page(row) - loss).abs() < 1e-3,
                "{id}: {shown}: {loss}"
            );
            let name = row["name"].as_str().expect("a name");
            let line = said
                .lines()
                .find(|line| line.starts_with(&format!("{name} ")));
            let line = line.unwrap_or_else(|| panic!("no {name} in {said}"));
            let score = format!(" {} ", found[1].as_deref().expect("a score"));
            assert!(line.contains(&score), "{line}");
        }
    }
}

/// A program that answers at once, unless it is started after the first game has begun.
const SLOW_LATER: &str = r#"import json, os, sys, time
is_slow = os.path.exists("begun")
for line in sys.stdin:
    if is_slow:
        time.sleep(20)
    print(json.dumps({"index": 0}), flush=True)
"#;

#[test]
fn bots_that_are_slow_on_the_same_wall_delay_neither_the_next_game_nor_the_end() {
    for (game, id) in [(GAMES[0], "program"), (GAMES[3], "doudizhu-program")] {
        for is_stopped in [false, true] {
            let folder = Folder::new();
            folder.file("slow.py", SLOW_LATER);
            let params = "[policy.params]\ncommand = \"python3 slow.py\"\n";
            let section = format!("[policy]\nid = {id:?}\nlibrary = \"builtin\"\n{params}");
            folder.file("kuma.toml", format!("name = \"kuma\"\n{section}"));
            let args = ["kuma.toml", "--fill", "none", "--seed", "3", "--games", "2"];
            let table = Table::new(&folder, &[&args[..], game].concat());
            folder.file("begun", "");
            let begun = Instant::now();
            let cookie = table.seat.sit();
            let mut feed = table.seat.feed(&cookie);
            let mut last = begun;
            let mut answered = 0;
            while let Some(question) = feed.question() {
                last = Instant::now();
                assert_eq!(
                    table.seat.answer(&cookie, &question, choice(&question)),
                    204
                );
                answered += 1;
                if is_stopped && answered == 1 {
                    table.running.interrupt();
                }
            }
            assert!(last - begun < Duration::from_secs(15), "{game:?}");
            let finished = table.running.finish();
            let out = finished.exited(0);
            let most = if is_stopped { 10 } else { 30 };
            let took = begun.elapsed();
            assert!(took < Duration::from_secs(most), "{game:?}: {took:?}");
            assert_eq!(data_of(&feed.bytes, "same_wall"), Vec::<Value>::new());
            assert!(out.contains("is not waited for"), "{out}");
        }
    }
}
