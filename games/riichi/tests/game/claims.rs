//! The order of several claims, and the price of a riichi.

use riichi::game::AnswerError;
use riichi::{Action, Event};

use crate::deal::Deal;
use crate::play::{Play, SOUL, TENHOU, seat, tile};

/// Seat 0 discards 3s: seat 1 can take a run, seat 2 a triplet, seat 3 can win.
fn claims_of_all_sorts() -> Play {
    let mut play = Deal::new(TENHOU)
        .holds(0, "1m 4m 7m 2p 5p 8p 6s 9s 9s E S W P")
        .holds(1, "4s 5s 1m 4m 7m 2p 5p 8p 9m E S W F")
        .holds(2, "3s 3s 1m 4m 7m 2p 5p 8p 9m E S W C")
        .holds(3, "2m 3m 4m 5p 6p 7p 4s 5s 6m 6m 6s 7s 8s")
        .draws("3s")
        .doras("N")
        .begin(TENHOU);
    play.act(0, "dahai 3s");
    play
}

#[test]
fn a_win_comes_before_a_triplet_and_a_triplet_before_a_run() {
    let mut play = claims_of_all_sorts();
    assert_eq!(play.game.asked().as_slice(), [seat(1), seat(2), seat(3)]);
    play.act(1, "chi 3s").act(2, "pon 3s");
    assert_eq!(play.act(3, "hora").told()[0], "hora 3 from 0");

    let mut play = claims_of_all_sorts();
    assert_eq!(
        play.act(1, "chi 3s").act(3, "none").act(2, "pon 3s").told(),
        ["pon 2 3s"]
    );
    assert_eq!(play.game.asked().as_slice(), [seat(2)]);

    let mut play = claims_of_all_sorts();
    assert_eq!(
        play.act(1, "chi 3s").act(3, "none").act(2, "none").told(),
        ["chi 1 3s"]
    );

    let mut play = claims_of_all_sorts();
    let drawn = play.act(1, "none").act(3, "none").act(2, "none").told();
    assert!(drawn[0].starts_with("tsumo 1 "), "{drawn:?}");
}

#[test]
fn an_answer_is_taken_once_and_only_when_it_is_legal() {
    let mut play = claims_of_all_sorts();
    let (told, pass) = (play.told(), Action::None);
    let run = play.game.legal_actions(seat(1))[0];
    assert_eq!(
        play.game.answer(seat(0), pass),
        Err(AnswerError::NotAsked { seat: seat(0) })
    );
    assert_eq!(
        play.game.answer(seat(2), run),
        Err(AnswerError::NotLegal {
            seat: seat(2),
            action: run
        })
    );
    play.act(2, "none");
    assert_eq!(
        play.game.answer(seat(2), pass),
        Err(AnswerError::NotAsked { seat: seat(2) })
    );
    assert!(play.game.legal_actions(seat(2)).is_empty());
    assert_eq!(play.told(), told, "the game waits for the others");
    let message = AnswerError::NotLegal {
        seat: seat(2),
        action: run,
    }
    .to_string();
    assert!(
        message.contains("seat 2 cannot play chi 3s with [4s, 5s]"),
        "{message}"
    );
}

/// Seat 0 can declare riichi with 3s, on which seat 1 can win.
fn a_riichi(claimer: &str) -> Play {
    Deal::new(TENHOU)
        .holds(0, "1m 2m 3m 4p 5p 6p 7p 8p 9p 5s 5s W W")
        .holds(1, claimer)
        .holds(2, "1m 4m 7m 2p 5p 8p 9s 9s 9m E S N C")
        .holds(3, "1m 4m 7m 2p 5p 8p 9s 9s 9m E S N F")
        .draws("3s")
        .doras("P")
        .begin(TENHOU)
}

#[test]
fn a_riichi_whose_discard_is_won_on_costs_no_stick() {
    let mut play = a_riichi("2m 3m 4m 5p 6p 7p 4s 5s 6m 6m 6s 7s 8s");
    assert_eq!(
        play.act(0, "reach 3s").told(),
        ["reach 0", "dahai 0 3s tsumogiri"]
    );
    play.act(1, "hora");
    assert!(
        !play
            .told()
            .iter()
            .any(|event| event.starts_with("reach_accepted"))
    );
    let lost = play.deltas()[0][0];
    assert_eq!(play.scores()[0], 25_000 + lost);
    assert_eq!(play.game.kyotaku(), 0);
}

#[test]
fn a_riichi_whose_discard_is_called_is_paid_before_the_call() {
    let mut play = a_riichi("4s 5s 1m 4m 7m 2p 5p 8p 9m E S N F");
    play.act(0, "reach 3s");
    assert_eq!(
        play.act(1, "chi 3s").told(),
        ["reach_accepted 0", "chi 1 3s"]
    );
    assert_eq!((play.scores()[0], play.game.kyotaku()), (24_000, 1));
}

#[test]
fn a_riichi_whose_discard_passes_is_paid_before_the_next_draw() {
    let mut play = a_riichi("1p 4s 1m 4m 7m 2p 5p 8p 9m E S N F");
    let told = play.act(0, "reach 3s").told();
    assert_eq!(
        told[..3],
        ["reach 0", "dahai 0 3s tsumogiri", "reach_accepted 0"]
    );
    assert!(told[3].starts_with("tsumo 1 "), "{told:?}");
}

#[test]
fn the_dealers_first_discard_is_reported_as_from_the_hand_by_mahjong_souls_rules() {
    for (rules, drawn) in [(TENHOU, true), (SOUL, false)] {
        let mut play = Deal::new(rules).draws("3s").begin(rules);
        let drawn_tile = tile("3s");
        let throw = Action::Dahai {
            tile: drawn_tile,
            tsumogiri: true,
        };
        play.game.answer(seat(0), throw).expect("it is legal");
        let told = Event::Dahai {
            actor: seat(0),
            tile: drawn_tile,
            tsumogiri: drawn,
        };
        assert_eq!(play.game.events()[0], told);
    }
}
