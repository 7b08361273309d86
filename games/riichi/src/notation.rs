//! The short notation of tiles and melds for typing: tiles as in [`tiles::notation`], and melds by
//! their tiles: `123m` a run, `555p` a triplet, `7777s` an open kan, `c7777s` a closed kan.

use std::fmt;

use game_core::Seat;
use tiles::notation::write_tiles;

pub use tiles::notation::{NotationError, Tiles};

use crate::meld::{Called, Meld, MeldKind};

/// The discarder of the called tile is not written.
impl fmt::Display for Meld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.kind().opens_hand() {
            f.write_str("c")?;
        }
        write_tiles(f, self.tiles().iter().copied())
    }
}

/// The meld of a text, owned by a seat at a table of `players`. The text does not say who it was
/// called from: a run is taken as called from the seat before the owner, as it must be, and a
/// triplet or kan from the seat after.
///
/// # Errors
///
/// If the text cannot be read, or its tiles are not a meld.
pub fn meld(text: &str, owner: Seat, players: u8) -> Result<Meld, NotationError> {
    let (closed, written) = text
        .strip_prefix('c')
        .map_or((false, text), |written| (true, written));
    let Tiles(tiles) = written.parse()?;
    let is_run = tiles.first().map(|tile| tile.kind()) != tiles.last().map(|tile| tile.kind());
    let kind = match (tiles.len(), closed) {
        (3, false) if is_run => MeldKind::Chi,
        (3, false) => MeldKind::Pon,
        (4, false) => MeldKind::Daiminkan,
        (4, true) => MeldKind::Ankan,
        _ => {
            return Err(NotationError::Meld {
                text: text.to_owned(),
            });
        }
    };
    let after = owner.next(players);
    let before = Seat::all(players)
        .find(|seat| seat.next(players) == owner)
        .unwrap_or(after);
    let from = if kind == MeldKind::Chi { before } else { after };
    let called = kind.opens_hand().then(|| Called {
        tile: tiles[0],
        from,
    });
    Meld::new(kind, &tiles, called, 0).ok_or_else(|| NotationError::Meld {
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_meld_follows_from_its_tiles() {
        let seat = Seat::new(1).expect("a seat");
        let read = |text: &str| meld(text, seat, 4).expect("a meld");
        for (text, kind, from) in [
            ("123m", MeldKind::Chi, Some(0)),
            ("406p", MeldKind::Chi, Some(0)),
            ("505p", MeldKind::Pon, Some(2)),
            ("7777s", MeldKind::Daiminkan, Some(2)),
            ("c5055s", MeldKind::Ankan, None),
        ] {
            let meld = read(text);
            assert_eq!(
                (meld.kind(), meld.called.map(|called| called.from.index())),
                (kind, from),
                "{text}"
            );
        }
        assert_eq!(read("c5055s").to_string(), "c5550s");
        assert_eq!(read("645p").to_string(), "456p");
        for text in [
            "12m", "124m", "123z", "556p", "c555p", "66667m", "5678m", "",
        ] {
            assert!(
                matches!(meld(text, seat, 4), Err(NotationError::Meld { .. })),
                "{text}"
            );
        }
    }
}
