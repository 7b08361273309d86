//! Cases in which `riichienv-core` 0.4.11 is wrong and the game is not.

use riichi::game::RiichiGame;
use riichi::{Action, Event, Rules};

use crate::deal::Deal;
use crate::peer::Peer;
use crate::play::seat;

#[test]
fn the_engine_asks_about_a_closed_kan_before_announcing_it() {
    let rules = Rules::MAHJONG_SOUL_HALF;
    // Seat 1 lacks 9m for thirteen orphans, and seat 0 draws its fourth.
    let wall = Deal::new(rules)
        .holds(0, "9m 9m 9m 2m 2m 2p 2p 7p 7p 2s 2s 7s 7s")
        .holds(1, "1m 1m 1p 9p 1s 9s E S W N P F C")
        .holds(2, "1m 4m 7m 2p 3p 8p 3s 6s 8s 8s 4s 4s P")
        .holds(3, "3m 4m 7m 3p 6p 8p 3s 6s 8s 8s 4s 4s F")
        .draws("9m")
        .replacements("8p")
        .doras("6p 6p")
        .wall();
    let mut ours = RiichiGame::with_wall(rules, &wall).expect("a wall");
    let mut theirs = Peer::with_wall(&rules, &wall);
    let legal = ours.legal_actions(seat(0));
    let kan = *legal
        .iter()
        .find(|action| matches!(action, Action::Ankan { .. }))
        .expect("there are four");
    theirs.step(&[(seat(0), kan)]);
    ours.answer(seat(0), kan).expect("it is legal");

    assert_eq!(
        (ours.asked().as_slice(), theirs.asked()),
        (&[seat(1)][..], vec![seat(1)]),
        "who can rob it"
    );
    assert!(matches!(ours.events(), [Event::Ankan { .. }]));
    assert_eq!(theirs.events(), [], "the engine has announced nothing");

    theirs.step(&[(seat(1), Action::None)]);
    ours.answer(seat(1), Action::None).expect("it is legal");
    assert!(matches!(
        theirs.events()[..],
        [Event::Ankan { .. }, Event::Dora { .. }, Event::Tsumo { .. }]
    ));
    assert!(matches!(
        ours.events(),
        [Event::Dora { .. }, Event::Tsumo { .. }]
    ));
}

#[test]
fn the_engine_forbids_kuikae_where_its_rules_allow_it() {
    let rules = Rules {
        kuikae_forbidden: false,
        ..Rules::TENHOU_HALF
    };
    let wall = Deal::new(rules)
        .holds(0, "3m 7p 7p 1p 9p 2s 4s 6s 8s E S W N")
        .holds(1, "4m 5m 3m 6m 5p 6p 8p 8p 1s 1s 9s 9s C")
        .draws("P")
        .wall();
    let mut ours = RiichiGame::with_wall(rules, &wall).expect("a wall");
    let mut theirs = Peer::with_wall(&rules, &wall);
    let find = |legal: &[Action], begins: &str| {
        *legal
            .iter()
            .find(|action| format!("{action:?}").starts_with(begins))
            .expect("it is listed")
    };
    let thrown = find(&ours.legal_actions(seat(0)), "dahai 3m");
    theirs.step(&[(seat(0), thrown)]);
    ours.answer(seat(0), thrown).expect("it is legal");
    let run = find(&ours.legal_actions(seat(1)), "chi 3m with [4m, 5m]");
    let moves: Vec<_> = ours
        .asked()
        .into_iter()
        .map(|who| (who, if who == seat(1) { run } else { Action::None }))
        .collect();
    theirs.step(&moves);
    for &(who, action) in &moves {
        ours.answer(who, action).expect("it is legal");
    }

    let throws = |legal: &[Action], tile: &str| {
        legal.iter().any(
            |action| matches!(action, Action::Dahai { tile: thrown, .. } if thrown.name() == tile),
        )
    };
    let (legal, listed) = (ours.legal_actions(seat(1)), theirs.legal(seat(1)).0);
    for kind in ["3m", "6m"] {
        assert!(
            throws(&legal, kind) && !throws(&listed, kind),
            "{kind}: {legal:?}, theirs {listed:?}"
        );
    }
    assert!(throws(&listed, "C"));
}
