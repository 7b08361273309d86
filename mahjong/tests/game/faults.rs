//! Where `riichienv-core` 0.4.11 is wrong and the game is not.

use mahjong::game::Game;
use mahjong::{Action, Event, Rules};

use crate::deal::Deal;
use crate::peer::Peer;
use crate::play::seat;

#[test]
fn the_engine_asks_about_a_closed_kan_that_it_has_not_told() {
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
    let mut ours = Game::with_wall(rules, &wall).expect("a wall");
    let mut theirs = Peer::with_wall(&rules, &wall);
    let legal = ours.legal_actions(seat(0));
    let kan = *legal.iter().find(|action| matches!(action, Action::Ankan { .. })).expect("there are four");
    theirs.step(&[(seat(0), kan)]);
    ours.answer(seat(0), kan).expect("it is legal");

    assert_eq!((ours.asked().as_slice(), theirs.asked()), (&[seat(1)][..], vec![seat(1)]), "who can rob it");
    assert!(matches!(ours.events(), [Event::Ankan { .. }]));
    assert_eq!(theirs.events(), [], "the engine has told nothing");

    theirs.step(&[(seat(1), Action::None)]);
    ours.answer(seat(1), Action::None).expect("it is legal");
    assert!(matches!(theirs.events()[..], [Event::Ankan { .. }, Event::Dora { .. }, Event::Tsumo { .. }]));
    assert!(matches!(ours.events(), [Event::Dora { .. }, Event::Tsumo { .. }]));
}
