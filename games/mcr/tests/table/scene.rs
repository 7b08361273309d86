//! Games whose walls are written down.

use game_core::Seat;
use mcr::event::PLAYERS;
use mcr::game::{McrWalls, WallTile};
use mcr::{McrAction, McrGame, McrRules};
use tiles::notation::Tiles;
use tiles::{Counts, Kind, Wind};

pub(crate) fn kinds(text: &str) -> Vec<Kind> {
    text.parse::<Tiles>()
        .expect("tiles")
        .0
        .into_iter()
        .map(tiles::Tile::kind)
        .collect()
}

pub(crate) fn kind(text: &str) -> Kind {
    kinds(text)[0]
}

pub(crate) fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

/// A game in which each seat is dealt and then draws these tiles, in this order; the rest is filled
/// up with the remaining tiles, lowest kinds first.
pub(crate) fn game(seats: [&str; 4]) -> McrGame {
    let rules = McrRules::default();
    let said: Vec<Vec<Kind>> = seats.into_iter().map(kinds).collect();
    let used: Counts = said.iter().flatten().copied().collect();
    let mut rest =
        Kind::all().flat_map(|kind| std::iter::repeat_n(kind, usize::from(4 - used[kind])));
    let walls = std::array::from_fn(|index| {
        let mut wall = said[index].clone();
        wall.extend(rest.by_ref().take(34 - said[index].len()));
        wall.reverse();
        wall.into_iter().map(WallTile::Tile).collect()
    });
    McrGame::new(
        McrWalls::new(walls, rules).expect("walls"),
        Wind::East,
        rules,
    )
}

pub(crate) const PASS: Option<McrAction> = Some(McrAction::Pass);

/// One seat acts, the others pass.
pub(crate) fn act(game: &mut McrGame, number: u8, action: McrAction) {
    let mut answers = [PASS; 4];
    answers[usize::from(number)] = Some(action);
    game.answer(answers);
}

pub(crate) fn discard(game: &mut McrGame, number: u8, tile: &str) {
    act(game, number, McrAction::Discard(kind(tile)));
}

/// All seats pass.
pub(crate) fn pass(game: &mut McrGame) {
    game.answer([PASS; 4]);
}

/// Every seat discards what it draws and claims nothing, until this holds.
pub(crate) fn play_until(game: &mut McrGame, done: impl Fn(&McrGame) -> bool) {
    while game.end().is_none() && !done(game) {
        let answers = Seat::all(PLAYERS)
            .map(|seat| {
                Some(
                    game.seat(seat)
                        .drawn()
                        .map_or(McrAction::Pass, McrAction::Discard),
                )
            })
            .collect::<Vec<_>>();
        game.answer(answers.try_into().expect("four answers"));
    }
}

pub(crate) fn may(game: &McrGame, number: u8, action: McrAction) -> bool {
    game.seat(seat(number)).legal().contains(&action)
}
