//! A fourth game, written by the page of that name in ARCHITECTURE.md: the code for all games
//! plays, records, replays and shows it.

mod laboratory;
mod lines;
mod page;
mod rules;

use std::io::Cursor;
use std::time::Duration;

use lab::course::CannotWatch;
use lab::decisions::each_decision;
use lab::game::{GameId, PlayedGame, SeatPlayer, play};
use lab::replay::{Replayed, replay, whole_courses};
use lab::replayed::ReplayedGame;
use policy_host::{Decided, ViewBuffer};
use protocol::game_record::{LineForm, RecordEnd, RecordStart};
use view::page::{Page, RecordPage, Recorded};

use self::lines::StonesForm;
use self::page::ShownStones;
use self::rules::{StonesAction, StonesEvent, StonesGame};

/// A game and its record: with all that happened, or as a seat heard it.
struct Game {
    played: PlayedGame,
    record: String,
}

/// The first seat is played by a policy that swaps, the second takes the safe action.
fn game(number: u64, seat: Option<usize>) -> Game {
    let id = GameId {
        seed: 1,
        wall: number,
        seating: 0,
    };
    let swaps = |fill: &dyn Fn(&mut ViewBuffer)| {
        let mut view = ViewBuffer::default();
        fill(&mut view);
        Ok(Decided {
            index: view.actions() - 1,
            values: Vec::new(),
            reason: String::new(),
        })
    };
    let policy = SeatPlayer::Hosted {
        budget: Duration::from_secs(1),
        decide: Box::new(swaps),
    };
    let start = RecordStart {
        game: "stones".to_owned(),
        id: seat,
        names: vec!["kuma".to_owned(), "tora".to_owned()],
    };
    let mut lines = vec![start.line()];
    let played = play::<StonesGame>((), id, [policy, SeatPlayer::Safe], |news| {
        lines.extend(news.line(seat));
    })
    .expect("it can be played");
    let end = RecordEnd {
        scores: played.end.scores.clone(),
        outcome: None,
    };
    lines.push(end.line());
    Game {
        played,
        record: lines.join("\n"),
    }
}

fn replayed(record: &str) -> Replayed {
    let lines = Box::new(Cursor::new(record.to_owned()));
    let courses = whole_courses::<StonesGame>(lines).expect("it can be read");
    replay(&courses, None).expect("both seats can be watched")
}

fn page(record: &str) -> Page {
    let mut recorded = Box::new(Recorded::<ShownStones>::new(false));
    record.lines().for_each(|line| recorded.line(line));
    recorded.show();
    recorded.into_page().expect("it can be shown")
}

#[test]
fn it_is_played_to_its_end_by_a_policy_and_by_safe_actions() {
    let mut won = 0;
    for number in 1..=20 {
        let Game { played, .. } = game(number, None);
        assert_eq!(played.end.scores.iter().sum::<f64>(), 0.0);
        assert_eq!(
            [played.seats[0].decisions, played.seats[1].decisions],
            [1, 0]
        );
        assert_eq!(played.first_fault, None);
        won += u32::from(played.end.places[0] == 1);
    }
    assert!((1..20).contains(&won), "{won} of 20 deals");
}

#[test]
fn its_record_is_replayed_without_a_finding() {
    for number in 1..=20 {
        for seat in [None, Some(0), Some(1)] {
            let replayed = replayed(&game(number, seat).record);
            assert!(replayed.findings.is_empty(), "{:?}", replayed.findings);
            assert_eq!(
                (replayed.games, replayed.rounds, replayed.events),
                (1, 1, 2)
            );
        }
    }
}

#[test]
fn a_changed_record_is_found_to_be_impossible() {
    let Game { record, .. } = game(1, None);
    let kept = |seat| StonesForm::event_line(&StonesEvent::Kept { seat }).expect("it has a line");
    assert!(record.contains(&kept(1)), "{record}");
    let early = record.replace(&kept(1), &kept(0));
    let found = replayed(&early).findings;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].line, 4, "{found:?}");

    let exchanged = if record.contains("[1.0,-1.0]") {
        record.replace("[1.0,-1.0]", "[-1.0,1.0]")
    } else {
        record.replace("[-1.0,1.0]", "[1.0,-1.0]")
    };
    let found = replayed(&exchanged).findings;
    assert_eq!(found[0].finding.field, "scores", "{found:?}");
}

#[test]
fn the_decisions_of_its_record_are_those_that_were_made() {
    let record = game(1, None).record;
    let courses = whole_courses::<StonesGame>(Box::new(Cursor::new(record))).expect("it is read");
    for (seat, made) in [(0, StonesAction::Swap), (1, StonesAction::Keep)] {
        let mut done = Vec::new();
        each_decision::<StonesGame, CannotWatch>(&courses, seat, |decision| {
            done.push(StonesGame::done(&decision));
            Ok(())
        })
        .expect("the seat can be watched");
        assert_eq!(done, [Some(made)]);
    }
}

#[test]
fn the_record_and_the_page_of_a_seat_show_no_stone_that_it_does_not_know() {
    let Game { record, .. } = game(1, Some(1));
    assert!(record.contains(r#""stone":null"#), "{record}");
    let page = page(&record);
    for step in &page.rounds[0].steps {
        assert_eq!(step.position.seats[0].hand, "?");
        assert_ne!(step.position.seats[1].hand, "?");
    }
}

#[test]
fn its_page_shows_each_event_and_the_end() {
    let Game { record, .. } = game(1, None);
    let page = page(&record);
    assert_eq!(page.warnings, Vec::<String>::new());
    let words: Vec<&str> = page.rounds[0]
        .steps
        .iter()
        .map(|step| step.words.as_str())
        .collect();
    let [dealt, first, second, end] = words[..] else {
        panic!("{words:?}")
    };
    assert_eq!(
        [dealt, first, second],
        [
            "The deal.",
            "kuma swaps its stone.",
            "tora keeps its stone."
        ]
    );
    assert!(end.contains("kuma") && end.contains("tora"), "{end}");
    assert!(page.html().contains("tora keeps its stone."));
}
