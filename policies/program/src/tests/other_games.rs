//! Decisions of Chinese Standard mahjong and Dou Dizhu as lines. That they follow the schema,
//! `tests/schema.py` checks.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::marker::PhantomData;

use doudizhu::DouDizhuGame;
use lab::game::{GameId, NamedGame, SeatPlayer, play};
use mcr::McrGame;
use policy_host::{
    Asked, ChosenPolicy, DirectPolicy, DirectThread, Launch, PolicyTable, StartOptions,
    TokenVariables, ViewBuffer, scripted_questions,
};
use policy_sdk::{
    Answer, CreateError, DecideError, Descriptor, DouDizhu, Env, Mcr, Params, Policy,
};
use serde_json::Value;

use super::schema::{assert_committed, file};
use crate::lines::LineGame;

thread_local! {
    /// The last question to a `LineWriter`.
    static LINE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps each decision as a line, and does anything at random.
struct LineWriter<G>(PhantomData<G>);

impl<G: LineGame> Policy for LineWriter<G> {
    type Game = G;

    const DESCRIPTOR: Descriptor = Descriptor {
        id: "line-writer",
        params: &[],
        ..G::DESCRIPTOR
    };

    fn create(_: &Params, _: &Env) -> Result<Self, CreateError> {
        Ok(Self(PhantomData))
    }

    fn decide(
        &mut self,
        view: &G::View<'_>,
        _: &Env,
        _: &mut Answer,
    ) -> Result<usize, DecideError> {
        let line = G::line(view)?;
        let read: Value = serde_json::from_str(&line).expect("JSON");
        LINE.set(line);
        Ok((read["random"].as_u64().expect("a number") % G::actions(view) as u64) as usize)
    }
}

/// The lines of all scripted situations, and of all seats in some games.
fn lines<G: LineGame, D: NamedGame>(games: u64) -> Vec<String> {
    let launch = Launch {
        program: Default::default(),
        token_variables: TokenVariables::default(),
    };
    let (game, players) = (D::KIND, D::KIND.players()[0]);
    let options = StartOptions {
        bot: String::new(),
        game,
        players,
        config_folder: Default::default(),
        launch,
    };
    let play = move |thread: &DirectThread| {
        let mut policy =
            DirectPolicy::create(thread, &ChosenPolicy::of::<LineWriter<G>>(), &options)
                .expect("it starts");
        let mut lines = Vec::new();
        let mut decide = |view: &mut ViewBuffer| {
            let decided = policy
                .decide(view)
                .expect("it lives on")
                .expect("it decides");
            lines.push(LINE.take());
            decided.index
        };
        for mut question in scripted_questions::<D::Table>(players, Asked::default()) {
            decide(&mut question.view);
        }
        for number in 1..=games {
            play_game::<D>(number, &mut decide);
        }
        lines
    };
    DirectThread::run("lines", play).expect("there is a thread")
}

/// A game with a decision by every seat.
fn play_game<D: NamedGame>(number: u64, decide: &mut impl FnMut(&mut ViewBuffer) -> usize) {
    let rules = D::usual_rules(D::KIND.players()[0]);
    let asking = RefCell::new((0, decide));
    let asking = &asking;
    let players = (0..D::seat_count(&rules)).map(|_| {
        SeatPlayer::chooser(move |table: &PolicyTable<D::Table>, legal: &[_]| {
            let (decision, decide) = &mut *asking.borrow_mut();
            *decision += 1;
            let mut view = ViewBuffer::default();
            table.fill(
                &mut view,
                legal,
                &Asked {
                    game: number,
                    decision: *decision,
                    seed: 1,
                    ..Asked::default()
                },
            );
            Some(decide(&mut view))
        })
    });
    play::<D>(
        rules,
        GameId {
            seed: 1,
            wall: number,
            seating: 0,
        },
        players,
        |_| {},
    )
    .expect("it can be played");
}

/// Checks every line, and the committed files: the example, which is the first, and for the tests
/// of the Python package the first line with each type of action. Returns the types of legal
/// actions.
fn check(name: &str, lines: &[String]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    assert!(lines.len() > 200, "{} decisions", lines.len());
    let mut views = String::new();
    for line in lines {
        assert!(line.ends_with('\n') && line.matches('\n').count() == 1);
        let view: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(view["game"], name);
        let before = seen.len();
        for (index, action) in view["legal"].as_array().expect("a list").iter().enumerate() {
            assert_eq!(action["index"], index);
            seen.insert(action["type"].as_str().expect("a text").to_owned());
        }
        if seen.len() > before {
            views += line;
        }
    }
    assert_committed(
        &file(&format!("../../python/bot-policy/tests/{name}.jsonl")),
        &views,
    );
    assert_committed(&file(&format!("schema/example-{name}.json")), &lines[0]);
    seen
}

#[test]
fn whole_games_of_chinese_standard_are_lines_in_which_every_type_of_action_is_legal() {
    let lines = lines::<Mcr, McrGame>(3);
    let seen = check("chinese-standard", &lines);
    let expected = [
        "add_kong",
        "chow",
        "concealed_kong",
        "discard",
        "kong",
        "pass",
        "pung",
        "win",
    ];
    assert_eq!(seen, BTreeSet::from(expected.map(str::to_owned)));
}

#[test]
fn whole_games_of_doudizhu_are_lines_in_which_every_type_of_action_is_legal() {
    let lines = lines::<DouDizhu, DouDizhuGame>(10);
    let seen = check("doudizhu", &lines);
    assert_eq!(
        seen,
        BTreeSet::from(["bid", "pass", "play"].map(str::to_owned))
    );
}

#[test]
fn a_line_of_chinese_standard_counts_what_each_discard_leaves() {
    let lines = lines::<Mcr, McrGame>(0);
    let view: Value = serde_json::from_str(&lines[0]).expect("JSON");
    // 111 2345678 8 99 and a wind that is drawn.
    assert_eq!(
        (&view["request"]["type"], &view["drawn"], &view["distance"]),
        (&"own_turn".into(), &"E".into(), &1.into())
    );
    let discards = view["legal"].as_array().expect("a list");
    let east = discards
        .iter()
        .find(|action| action["discard"] == "E")
        .expect("it may be discarded");
    assert_eq!(east["after"]["distance"], 1);
    assert!(
        east["after"]["acceptance"]["8m"].as_u64() == Some(2),
        "{east}"
    );
    assert_eq!(view["events"][1]["type"], "drawn");
    let start = view["start_hand"].as_array().expect("a list");
    assert!(
        start.len() == 13
            && start[..3] == ["1m", "1m", "1m"]
            && view["start_flowers"] == serde_json::json!([0, 0, 0, 0])
    );
}
