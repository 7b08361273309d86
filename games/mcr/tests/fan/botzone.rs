//! Hands as the recorded ones write them: with Botzone's names of tiles.

use mcr::count::WinToCount;
use mcr::{Counting, DeclaredSet, FanCount, HandTiles, count_fan};
use protocol::botzone::parse_tile_name;
use serde::Deserialize;
use tiles::{Counts, Kind, Wind};

/// A line of `hands.jsonl`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecordedHand {
    pub(crate) id: u32,
    pub(crate) source: String,
    pack: Vec<(String, String, u8)>,
    hand: Vec<String>,
    win_tile: String,
    flower_count: u8,
    is_self_drawn: bool,
    #[serde(rename = "is4thTile")]
    is_4th_tile: bool,
    is_about_kong: bool,
    is_wall_last: bool,
    seat_wind: usize,
    prevalent_wind: usize,
    pub(crate) fan: u16,
    pub(crate) fans: Vec<(String, u16, u8)>,
    pub(crate) book: Option<Vec<String>>,
}

pub(crate) fn recorded() -> Vec<RecordedHand> {
    include_str!("hands.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a recorded hand"))
        .collect()
}

/// The kind of Botzone's name.
pub(crate) fn kind(name: &str) -> Kind {
    parse_tile_name(name).unwrap_or_else(|| panic!("{name} is not a tile"))
}

impl RecordedHand {
    pub(crate) fn hand(&self) -> HandTiles {
        let set = |(verb, tile, offer): &(String, String, u8)| match (verb.as_str(), offer) {
            ("CHI", _) => DeclaredSet::Chow(kind(tile)),
            ("PENG", _) => DeclaredSet::Pung(kind(tile)),
            (_, 0) => DeclaredSet::ConcealedKong(kind(tile)),
            _ => DeclaredSet::MeldedKong(kind(tile)),
        };
        let sets: Vec<_> = self.pack.iter().map(set).collect();
        HandTiles::new(
            self.hand.iter().map(|name| kind(name)).collect::<Counts>(),
            &sets,
        )
        .expect("a hand")
    }

    pub(crate) fn count(&self, counting: Counting) -> FanCount {
        let hand = self.hand();
        let win = WinToCount {
            hand: &hand,
            tile: kind(&self.win_tile),
            self_drawn: self.is_self_drawn,
            fourth: self.is_4th_tile,
            about_kong: self.is_about_kong,
            wall_last: self.is_wall_last,
            seat_wind: Wind::ALL[self.seat_wind],
            prevalent_wind: Wind::ALL[self.prevalent_wind],
            flowers: self.flower_count,
        };
        count_fan(&win, counting).expect("a win")
    }
}

/// The fan that are counted, by name and times, in order of name.
pub(crate) fn names(count: &FanCount) -> Vec<(String, u8)> {
    let mut names: Vec<_> = count
        .fans()
        .map(|(fan, times)| (fan.english().to_owned(), times))
        .collect();
    names.sort();
    names
}
