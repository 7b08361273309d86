//! The lines of whole games. That they follow the schema, `tests/schema.py` checks.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use policy_host::{
    Asked, ChosenPolicy, DirectPolicy, DirectThread, GameKind, Launch, RoundLog, StartOptions,
    TokenVariables, ViewBuffer,
};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, Env, Games, Params, Policy, RiichiMahjong, View,
};
use riichi::acceptance::discard_options;
use riichi::game::RiichiGame;
use riichi::{Action, Event, Rules, Seat, Table, leaves_choice};
use serde_json::{Value, json};

use super::schema::{assert_committed, file};
use crate::riichi::RiichiView;

thread_local! {
    /// The last question to a `LineWriter`.
    static LINE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps each decision as a line. It goes for tenpai without calls, and does anything at random in
/// every fourth decision, so that all sorts of actions come up.
struct LineWriter;

impl Policy for LineWriter {
    type Game = RiichiMahjong;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "line-writer",
        name: "Line writer",
        version: "1",
        summary: "Keeps each decision as a line.",
        games: Games::Both,
        params: &[],
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self)
    }

    fn decide(&mut self, view: &View<'_>, _: &Env, _: &mut Answer) -> Result<usize, DecideError> {
        LINE.set(RiichiView::of(view)?.line());
        let legal = view.legal();
        let mut rng = view.rng();
        if rng.below(4) == 0 {
            return Ok(rng.below(legal.len()));
        }
        let options = discard_options(view.concealed());
        let shanten = |action: &Action| match action {
            Action::Dahai { tile, .. } => options
                .iter()
                .find(|option| option.kind == tile.kind())
                .map(|o| o.shanten),
            Action::None => Some(0),
            _ => None,
        };
        let best = (0..legal.len()).min_by_key(|&index| shanten(&legal[index]).unwrap_or(i8::MAX));
        Ok(best.expect("something is legal"))
    }
}

/// A decision of a game: its line, and the index that was chosen.
struct Line {
    text: String,
    index: usize,
}

/// Games of four and of three players, with everything that is asked in them.
static GAMES: LazyLock<Vec<Vec<Line>>> = LazyLock::new(|| {
    [(4, 1), (4, 2), (4, 3), (3, 4), (3, 5)]
        .map(|(players, seed)| lines_of_game(players, seed))
        .into()
});

/// Everything that is asked in a game of these.
fn lines_of_game(players: u8, seed: u64) -> Vec<Line> {
    let launch = Launch {
        program: Default::default(),
        token_variables: TokenVariables::default(),
    };
    let options = StartOptions {
        bot: String::new(),
        game: GameKind::Riichi,
        players,
        config_folder: Default::default(),
        launch,
    };
    let play = move |thread: &DirectThread| {
        let rules = Rules::TENHOU_HALF.with_players(players);
        let mut policy = DirectPolicy::create(thread, &ChosenPolicy::of::<LineWriter>(), &options)
            .expect("it starts");
        let mut game = RiichiGame::new(rules, seed);
        let mut seats: Vec<_> = Seat::all(players)
            .map(|seat| {
                (
                    Table::new(rules, seat),
                    RoundLog::default(),
                    Asked::default(),
                )
            })
            .collect();
        let mut lines = Vec::new();
        loop {
            for (table, log, _) in &mut seats {
                for event in game.events() {
                    let event: Event = event.masked_for(table.seat());
                    table.apply(&event).expect("the game's own events");
                    log.push(&event, table);
                }
            }
            let asked = game.asked();
            if asked.is_empty() {
                return lines;
            }
            for seat in asked {
                let (table, log, asked) = &mut seats[seat.index()];
                let legal = table.legal_actions();
                let index = if leaves_choice(&legal) {
                    let [budget, grace, deadline] =
                        [4_750, 5_000, 20_000].map(Duration::from_millis);
                    *asked = Asked {
                        seed,
                        budget,
                        grace,
                        deadline,
                        ..*asked
                    };
                    let mut view = ViewBuffer::default();
                    view.fill(table, log, &legal, asked);
                    asked.decision += 1;
                    let decided = policy
                        .decide(&mut view)
                        .expect("it lives on")
                        .expect("it decides");
                    lines.push(Line {
                        text: LINE.take(),
                        index: decided.index,
                    });
                    decided.index
                } else {
                    0
                };
                game.answer(seat, legal[index]).expect("it is legal");
            }
        }
    };
    DirectThread::run("lines", play).expect("there is a thread")
}

fn types(line: &Value) -> BTreeSet<&str> {
    line["legal"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|action| action["type"].as_str())
        .collect()
}

#[test]
fn whole_games_are_lines_in_which_every_type_of_action_is_legal() {
    let mut seen = BTreeSet::new();
    for lines in &*GAMES {
        assert!(lines.len() > 200, "{} decisions", lines.len());
        for line in lines {
            assert!(line.text.ends_with('\n') && line.text.matches('\n').count() == 1);
            let view: Value = serde_json::from_str(&line.text).expect("JSON");
            let indices = view["legal"]
                .as_array()
                .expect("a list")
                .iter()
                .map(|action| action["index"].as_u64());
            assert!(
                indices.eq((0..).map(Some).take(types_len(&view))),
                "each has its own index"
            );
            seen.extend(types(&view).into_iter().map(str::to_owned));
        }
    }
    for kind in [
        "dahai",
        "reach",
        "chi",
        "pon",
        "daiminkan",
        "ankan",
        "kakan",
        "kita",
        "hora",
        "ryukyoku",
        "none",
    ] {
        assert!(
            seen.contains(kind),
            "no {kind} was legal in these games: {seen:?}"
        );
    }
}

fn types_len(view: &Value) -> usize {
    view["legal"].as_array().map_or(0, Vec::len)
}

#[test]
fn the_committed_examples_are_lines_of_a_game() {
    for players in [4, 3] {
        let lines = lines_of_game(players, 1);
        assert_committed(
            &file(&format!("schema/example-{players}.json")),
            &lines[0].text,
        );
    }
}

/// Decisions with everything that may be legal, for the tests of the Python package.
#[test]
fn the_decisions_that_the_python_package_replays_are_of_such_games() {
    let mut seen = BTreeSet::new();
    let mut recorded = String::new();
    for line in GAMES.iter().flatten() {
        let view: Value = serde_json::from_str(&line.text).expect("JSON");
        if types(&view)
            .into_iter()
            .filter(|&kind| seen.insert(kind.to_owned()))
            .count()
            > 0
        {
            let answer = json!({ "index": line.index, "reason": "recorded" });
            recorded += &format!(
                "{{\"view\":{},\"answer\":{answer}}}\n",
                line.text.trim_end()
            );
        }
    }
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/bot-policy/tests/decisions.jsonl");
    assert_committed(&path, &recorded);
}
