//! The targets of the strategy.

use game_core::Seat;
use mcr::game::{McrWalls, WallTile};
use mcr::{McrAction, McrGame, McrRules};
use tiles::notation::Tiles;
use tiles::{Counts, Kind, Wind};

use crate::{FanParams, decide};

fn kinds(text: &str) -> Vec<Kind> {
    text.parse::<Tiles>()
        .expect("tiles")
        .0
        .into_iter()
        .map(tiles::Tile::kind)
        .collect()
}

fn kind(text: &str) -> Kind {
    kinds(text)[0]
}

/// A game in which seats 0 and 1 are dealt and then draw these tiles.
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

fn decided(game: &McrGame, seat: u8) -> McrAction {
    let seat = game.seat(Seat::new(seat).expect("a seat"));
    let legal = seat.legal();
    let decision = decide(seat, &legal, &FanParams::default()).expect("a decision");
    assert_eq!(decision.values.len(), legal.len());
    legal[decision.index]
}

/// Seat 0 discards a tile; what seat 1 then does.
fn offered(hand: &str, tile: &str) -> McrAction {
    let mut game = game([&format!("{tile}258p369s134567z2z"), hand]);
    let pass = Some(McrAction::Pass);
    game.answer([Some(McrAction::Discard(kind(tile))), pass, pass, pass]);
    decided(&game, 1)
}

#[test]
fn a_win_of_eight_fan_is_taken() {
    assert_eq!(
        decided(&game(["19m19p19s1234567z7z", ""]), 0),
        McrAction::Win
    );
}

#[test]
fn the_tile_goes_that_no_near_hand_of_eight_fan_needs() {
    // One tile from a pure straight; the pair of norths is as good as the pair of fives.
    assert_eq!(
        decided(&game(["12345689m456p55s4z", ""]), 0),
        McrAction::Discard(kind("4z"))
    );
    // A full hand that waits on both sides, only for few fan: the straight is worth more than the
    // wait.
    let action = decided(&game(["123456m789s4556p9m", ""]), 0);
    assert_ne!(action, McrAction::Discard(kind("1m")));
}

#[test]
fn a_claim_is_made_for_a_hand_of_eight_fan() {
    let action = offered("23456789m22z456s8p", "1m");
    assert_eq!(action, McrAction::Win, "a pure straight");
    let action = offered("23m44789m5556z8p2s", "1m");
    assert!(
        matches!(action, McrAction::ClaimChow { .. }),
        "a half flush: {action}"
    );
}

#[test]
fn a_claim_that_ruins_the_hand_is_left() {
    // Honours and knitted tiles allow no declared set.
    assert_eq!(offered("14m23m258p36s1234z", "1m"), McrAction::Pass);
}
