//! The actions of recorded decisions, and the lines of records, in the form of each game.

use std::fs::{DirEntry, File};
use std::io::Read;
use std::path::Path;

use doudizhu::{Card, DouDizhuDeal, DouDizhuGame, DouDizhuRules};
use flate2::read::MultiGzDecoder;
use mcr::event::PLAYERS;
use mcr::game::McrWalls;
use mcr::{McrAction, McrGame, McrRules};
use protocol::game_record::{
    DouDizhuRecordForm, LineForm, McrRecordForm, RecordedEntry, RecordedGame, RiichiLineForm,
};
use riichi::game::RiichiGame;
use riichi::rng::Rng;
use riichi::{Rules, Seat, Wind};
use serde_json::Value;

/// Checks that the action reads back from its written form.
fn check<F: LineForm<Action: PartialEq + std::fmt::Debug>>(action: &F::Action, seat: Seat) {
    let written = F::action(action, seat);
    let value: Value = serde_json::from_str(written.get()).expect("JSON");
    let read = F::read_action(&value).expect("an action");
    // Rules of Dou Dizhu may name the same cards differently.
    assert_eq!(F::action(&read, seat).get(), written.get());
    assert_eq!(F::read_action(&Value::Null), None);
}

#[test]
fn every_action_of_riichi_reads_back_the_same() {
    for players in [3, 4] {
        let mut rng = Rng::keyed(&[7]);
        let mut game = RiichiGame::new(Rules::TENHOU_HALF.with_players(players), 7);
        while !game.is_over() {
            for seat in game.asked() {
                let legal = game.legal_actions(seat);
                legal
                    .iter()
                    .for_each(|action| check::<RiichiLineForm>(action, seat));
                let action = legal[rng.below(legal.len())];
                game.answer(seat, action).expect("it is legal");
            }
        }
    }
}

#[test]
fn every_action_of_chinese_standard_reads_back_the_same() {
    for seed in 0..5 {
        let mut rng = Rng::keyed(&[seed]);
        let rules = McrRules::default();
        let mut game = McrGame::new(McrWalls::shuffled(seed, rules), Wind::East, rules);
        while game.end().is_none() {
            let answers: Vec<Option<McrAction>> = Seat::all(PLAYERS)
                .map(|seat| {
                    let legal = game.seat(seat).legal();
                    legal
                        .iter()
                        .for_each(|action| check::<McrRecordForm>(action, seat));
                    let any = rng.below(legal.len().max(1));
                    Some(legal.get(any).copied().unwrap_or(McrAction::Pass))
                })
                .collect();
            game.answer(answers.try_into().expect("four"));
        }
    }
}

#[test]
fn every_action_of_dou_dizhu_reads_back_the_same() {
    for seed in 0..20 {
        let mut rng = Rng::keyed(&[seed]);
        let mut order: [Card; Card::COUNT] =
            std::array::from_fn(|number| Card::new(number as u8).expect("a card"));
        for place in (1..order.len()).rev() {
            order.swap(place, rng.below(place + 1));
        }
        for rules in [DouDizhuRules::FIXED, DouDizhuRules::BIDDING] {
            let mut game = DouDizhuGame::new(DouDizhuDeal::of_order(&order), rules);
            while let Some(seat) = game.asked() {
                let legal = game.legal_actions();
                let seat = Seat::at(seat.index()).expect("a seat");
                legal
                    .iter()
                    .for_each(|action| check::<DouDizhuRecordForm>(action, seat));
                let action = legal[rng.below(legal.len())];
                game.act(action).expect("it is legal");
            }
        }
    }
}

/// The lines of all real records of riichi.
fn records() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/riichi/tests/records");
    let files = std::fs::read_dir(folder).expect("it is there");
    // The folder holds a file of words too.
    let text = |file: DirEntry| {
        let mut text = String::new();
        let file = File::open(file.path()).expect("it is there");
        let read = MultiGzDecoder::new(file).read_to_string(&mut text);
        read.is_ok().then_some(text)
    };
    files
        .filter_map(|file| text(file.expect("a file")))
        .collect()
}

#[test]
fn each_line_of_a_record_of_riichi_reads_back_the_same() {
    let records = records();
    assert!(!records.is_empty());
    for record in records {
        let game = RecordedGame::<RiichiLineForm>::read(&record);
        assert_eq!(game.broken, None);
        assert!(game.events.len() > 100 && game.deals.is_empty());
        let lines: Vec<String> = game
            .events
            .iter()
            .filter_map(RiichiLineForm::event_line)
            .collect();
        let again = RecordedGame::<RiichiLineForm>::read(&lines.join("\n"));
        assert_eq!(again.events, game.events);
    }
}

#[test]
fn a_record_of_riichi_begins_with_its_names_and_ends_before_the_next_game() {
    let start = |rest: &str| format!("{{\"type\":\"start_game\"{rest}}}");
    let mut game = RecordedGame::<RiichiLineForm>::default();
    let end = r#"{"type":"end_game"}"#;
    assert!(game.line(&start(r#","id":1,"names":["a",7,"c",""]"#)) && game.line(end));
    assert!(!game.line(&start("")) && !game.line(end), "another game");
    let names = game.start.expect("it begins").names;
    assert_eq!(
        (names, game.events.len()),
        (["a", "?", "c"].map(String::from).to_vec(), 2)
    );
    let other = RiichiLineForm::read(&start(r#","game":"doudizhu""#), &mut Default::default());
    assert_eq!(
        other.expect_err("it is another game"),
        "this is the record of a game of doudizhu, and records of riichi are read here"
    );
    let named = RiichiLineForm::read(&start(r#","game":"riichi""#), &mut Default::default());
    assert!(
        matches!(named, Ok(Some(RecordedEntry::Started(..)))),
        "{named:?}"
    );
}
