//! A test for each step.

use game_core::Seat;
use mcr::game::{McrWalls, WallTile};
use mcr::{McrAction, McrGame, McrRules};
use tiles::notation::Tiles;
use tiles::{Counts, Kind, Wind};

use crate::{LadderLevel, decide};

fn kinds(text: &str) -> Vec<Kind> {
    text.parse::<Tiles>()
        .expect("tiles")
        .0
        .into_iter()
        .map(tiles::Tile::kind)
        .collect()
}

/// A game in which seat 0 is dealt and draws these tiles, and seat 1 the others.
fn game(seats: [&str; 2]) -> McrGame {
    let rules = McrRules::default();
    let said = seats.map(kinds);
    let used: Counts = said.iter().flatten().copied().collect();
    let mut rest: Vec<Kind> = Kind::all()
        .flat_map(|kind| std::iter::repeat_n(kind, usize::from(4 - used[kind])))
        .collect();
    let walls = std::array::from_fn(|index| {
        let mut wall = said.get(index).cloned().unwrap_or_default();
        wall.extend(rest.drain(..34 - wall.len()));
        wall.into_iter().rev().map(WallTile::Tile).collect()
    });
    McrGame::new(
        McrWalls::new(walls, rules).expect("walls"),
        Wind::East,
        rules,
    )
}

fn decided(game: &McrGame, seat: u8) -> (McrAction, String) {
    let seat = game.seat(Seat::new(seat).expect("a seat"));
    let legal = seat.legal();
    let decision = decide(seat, &legal, LadderLevel::Table).expect("a decision");
    (legal[decision.index], decision.reason)
}

#[test]
fn each_step_comes_before_the_next() {
    for (hand, discard, step) in [
        ("123m456p789s11223z", "3z", "A"),
        ("1133557799m13p4z6z", "4z", "seven pairs"),
        ("123m456p78s12579p4z"[..].trim(), "4z", "B"),
        ("123m456p778s1379p9s", "1p", "C"),
        ("2344m5677p345s778s", "4m", "D"),
    ] {
        let game = game([hand, ""]);
        let (action, reason) = decided(&game, 0);
        assert!(reason.contains(step), "{hand}: {reason}");
        if !matches!(step, "C" | "seven pairs" | "D") {
            assert_eq!(
                action,
                McrAction::Discard(kinds(discard)[0]),
                "{hand}: {reason}"
            );
        }
    }
}

#[test]
fn a_win_is_taken() {
    let game = game(["19m19p19s1234567z7z", ""]);
    assert_eq!(decided(&game, 0).0, McrAction::Win);
}

#[test]
fn a_claim_is_made_when_it_brings_the_hand_closer() {
    let mut game = game(["1m258p369s1234567z", "23m456p789s11z36m9p"]);
    let pass = Some(McrAction::Pass);
    game.answer([Some(McrAction::Discard(kinds("1m")[0])), pass, pass, pass]);
    let (action, _) = decided(&game, 1);
    assert!(
        matches!(action, McrAction::ClaimChow { middle, .. } if middle == kinds("2m")[0]),
        "{action}"
    );
}
