//! A seat's own tiles, from the events that the seat hears.

use serde_json::Value;

/// The closed tiles of one seat.
#[derive(Debug, Default)]
pub(crate) struct Hand {
    seat: usize,
    tiles: Vec<String>,
    pub(crate) drawn: Option<String>,
    /// Whether a riichi was accepted.
    pub(crate) riichi: bool,
}

impl Hand {
    pub(crate) fn of(seat: usize) -> Self {
        Self {
            seat,
            ..Self::default()
        }
    }

    pub(crate) fn hear(&mut self, event: &Value) {
        if event["type"] == "start_kyoku" {
            *self = Self {
                tiles: names(&event["tehais"][self.seat]),
                ..Self::of(self.seat)
            };
        }
        if event["actor"] != self.seat {
            return;
        }
        match event["type"].as_str().expect("an event has a type") {
            "tsumo" => {
                let tile = name(&event["pai"]);
                self.tiles.push(tile.clone());
                self.drawn = Some(tile);
                return;
            }
            "reach" => return,
            "reach_accepted" => self.riichi = true,
            "kita" => self.remove("N"),
            "dahai" | "kakan" => self.remove(&name(&event["pai"])),
            "chi" | "pon" | "daiminkan" | "ankan" => {
                for tile in names(&event["consumed"]) {
                    self.remove(&tile);
                }
            }
            _ => {}
        }
        self.drawn = None;
    }

    pub(crate) fn tiles(&self) -> &[String] {
        &self.tiles
    }

    /// Number of copies of a tile besides the drawn one.
    pub(crate) fn copies_in_hand(&self, tile: &str) -> usize {
        let all = self.tiles.iter().filter(|held| *held == tile).count();
        all - usize::from(self.drawn.as_deref() == Some(tile))
    }

    fn remove(&mut self, tile: &str) {
        let place = self
            .tiles
            .iter()
            .position(|held| held == tile)
            .expect("the seat holds what it shows");
        self.tiles.swap_remove(place);
    }
}

pub(crate) fn name(tile: &Value) -> String {
    tile.as_str().expect("a tile").to_owned()
}

pub(crate) fn names(tiles: &Value) -> Vec<String> {
    tiles
        .as_array()
        .expect("a list of tiles")
        .iter()
        .map(name)
        .collect()
}
