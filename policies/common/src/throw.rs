//! The order of two equally good discards.

use policy_sdk::View;
use riichi::{Tile, Wind};

/// The rank of a tile among those that are equally good to discard; the lowest goes first.
///
/// First to last: guest wind (neither seat nor round wind), value honour, 1 and 9, 2 and 8, 3 and
/// 7, 4 and 6, 5, dora (a red five counts as dora).
///
/// Further rules make the order total: the more dora a tile is worth the later it goes, and dora of
/// equal value go in the order above; then the drawn tile goes before one from the hand, because it
/// reveals less; then the lower index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Throw {
    dora: u8,
    class: TileClass,
    from_hand: bool,
    index: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TileClass {
    GuestWind,
    ValueHonour,
    OneNine,
    TwoEight,
    ThreeSeven,
    FourSix,
    Five,
}

impl Throw {
    /// Of a tile, and whether it is the one just drawn.
    pub fn new(view: &View<'_>, tile: Tile, tsumogiri: bool) -> Self {
        Self {
            dora: view.dora_of(tile),
            class: class(view, tile),
            from_hand: !tsumogiri,
            index: tile.index(),
        }
    }
}

fn class(view: &View<'_>, tile: Tile) -> TileClass {
    match tile.kind().number() {
        None => match Wind::of_kind(tile.kind()) {
            Some(wind) if wind != view.seat_wind() && wind != view.bakaze() => TileClass::GuestWind,
            _ => TileClass::ValueHonour,
        },
        Some(1 | 9) => TileClass::OneNine,
        Some(2 | 8) => TileClass::TwoEight,
        Some(3 | 7) => TileClass::ThreeSeven,
        Some(4 | 6) => TileClass::FourSix,
        Some(_) => TileClass::Five,
    }
}
