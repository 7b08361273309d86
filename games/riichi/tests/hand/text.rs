//! Hands in the notation of `riichi::notation`.

use riichi::notation::Tiles;
use riichi::{Called, ConcealedHand, Counts, Kind, KindSet, Meld, MeldKind, Seat, Tile};

/// The kinds of the tiles of a text.
pub(crate) fn kinds(text: &str) -> Vec<Kind> {
    let Tiles(tiles) = text.parse().unwrap_or_else(|error| panic!("{error}"));
    tiles.into_iter().map(Tile::kind).collect()
}

/// Concealed tiles with this many melds, in a game of four.
pub(crate) fn hand(text: &str, melds: usize) -> ConcealedHand {
    hand_of(counts(text), melds, 4)
}

/// Concealed tiles with this many melds, in a game of three or four players.
pub(crate) fn hand_of(counts: Counts, melds: usize, players: u8) -> ConcealedHand {
    ConcealedHand::new(counts, melds, players).unwrap_or_else(|error| panic!("{counts:?}: {error}"))
}

pub(crate) fn counts(text: &str) -> Counts {
    kinds(text).into_iter().collect()
}

pub(crate) fn set(text: &str) -> KindSet {
    kinds(text).into_iter().collect()
}

pub(crate) fn kind(text: &str) -> Kind {
    let [kind] = kinds(text)[..] else {
        panic!("{text} is not one kind")
    };
    kind
}

/// A meld of these tiles, called from the previous seat if it is called.
pub(crate) fn meld(kind: MeldKind, text: &str) -> Meld {
    meld_of(kind, &kinds(text))
}

pub(crate) fn meld_of(kind: MeldKind, kinds: &[Kind]) -> Meld {
    let tiles: Vec<Tile> = kinds.iter().map(|kind| kind.tile()).collect();
    let from = Seat::new(3).expect("four seats");
    let called = kind.opens_hand().then_some(Called {
        tile: tiles[0],
        from,
    });
    Meld::new(kind, &tiles, called, 0).unwrap_or_else(|| panic!("{kinds:?} make no {kind:?}"))
}
