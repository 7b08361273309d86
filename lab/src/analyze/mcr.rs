//! What there is to know of a hand of Chinese Standard mahjong, in a form for programs.

use mcr::count::WinningForm;
use mcr::distance::{acceptance, discards, distance, distance_to};
use mcr::targets::{TargetSituation, distance_with_eight};
use mcr::{Counting, FanCount, HandTiles, WinToCount, count_fan};
use riichi::{Counts, Kind, KindSet, Wind};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct McrHandFacts {
    /// The wind of the round.
    pub round: String,
    /// The wind of the seat.
    pub seat: String,
    pub hand: String,
    /// Tiles that it lacks to the nearest win, and to each form that its sets allow.
    pub lacks: u8,
    pub forms: Vec<(&'static str, u8)>,
    /// Tiles that it lacks to the nearest win of eight fan that was found.
    pub lacks_to_eight_fan: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepts: Option<AcceptedTiles>,
    pub discards: Vec<McrDiscardFacts>,
    /// The value of a win with each tile that completes the hand.
    pub wins: Vec<McrWinFacts>,
}

/// Tiles that bring a hand on.
#[derive(Debug, Serialize)]
pub struct AcceptedTiles {
    pub tiles: String,
    pub unseen: u32,
}

/// A discard, and the hand after it.
#[derive(Debug, Serialize)]
pub struct McrDiscardFacts {
    pub tile: String,
    pub lacks: u8,
    pub lacks_to_eight_fan: Option<u8>,
    pub accepts: AcceptedTiles,
}

/// What a win with a tile is worth.
#[derive(Debug, Serialize)]
pub struct McrWinFacts {
    pub tile: String,
    pub unseen: u8,
    /// Of another seat's tile: a discard, or one that is added to a pung.
    pub by_discard: CountedFan,
    pub self_drawn: CountedFan,
}

/// The fan of a win.
#[derive(Debug, Serialize)]
pub struct CountedFan {
    pub fan: u16,
    /// Whether it is eight or more.
    pub enough: bool,
    pub fans: Vec<CountedName>,
    /// Fan of two chows that the tiles show as well and that are not counted, because their chows
    /// are joined by others already.
    pub joined_already: Vec<JoinedName>,
}

/// A fan that is not counted, for its chows are joined already.
#[derive(Debug, Serialize)]
pub struct JoinedName {
    pub english: &'static str,
    pub chinese: &'static str,
    pub times: u8,
}

/// A fan that is counted.
#[derive(Debug, Serialize)]
pub struct CountedName {
    pub english: &'static str,
    pub chinese: &'static str,
    pub value: u8,
    pub times: u8,
    /// Fan that the tiles also show, but that do not count in addition.
    pub left_out: Vec<&'static str>,
}

/// The tile that is said to win does not complete the hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tile} does not complete {hand}")]
pub struct IncompleteHand {
    tile: Kind,
    hand: String,
}

impl McrHandFacts {
    /// The facts of a winning hand without its last tile: for the winning tile `winning`, or for
    /// each tile that completes the hand.
    ///
    /// # Errors
    ///
    /// If the winning tile does not complete the hand.
    pub fn of(about: WinToCount<'_>, winning: Option<Kind>) -> Result<Self, IncompleteHand> {
        let WinToCount {
            hand,
            seat_wind,
            prevalent_wind,
            ..
        } = about;
        let declared = hand.declared();
        let unseen = Counts(std::array::from_fn(|index| {
            4 - hand.concealed().0[index] - declared.0[index]
        }));
        let situation = TargetSituation {
            seat_wind,
            prevalent_wind,
            counting: Counting::Judge,
            unseen,
        };
        let accepted = |tiles: KindSet| AcceptedTiles {
            tiles: tiles.to_string(),
            unseen: unseen.total_of(tiles),
        };
        let count = |tile: Kind, self_drawn: bool| {
            let win = WinToCount {
                tile,
                self_drawn,
                ..about
            };
            count_fan(&win, Counting::Judge).map(|count| counted(&count, hand))
        };
        let win_with = |tile: Kind| {
            Some(McrWinFacts {
                tile: tile.to_string(),
                unseen: unseen[tile],
                by_discard: count(tile, false)?,
                self_drawn: count(tile, true)?,
            })
        };
        let wins: Vec<McrWinFacts> = match winning {
            Some(tile) => {
                vec![win_with(tile).ok_or_else(|| IncompleteHand {
                    tile,
                    hand: hand.to_string(),
                })?]
            }
            None => Kind::all().filter_map(win_with).collect(),
        };
        let mut found: Vec<McrDiscardFacts> = discards(hand)
            .into_iter()
            .map(|discard| McrDiscardFacts {
                tile: discard.discard.to_string(),
                lacks: discard.distance,
                lacks_to_eight_fan: hand
                    .without(discard.discard)
                    .and_then(|left| distance_with_eight(&left, &situation)),
                accepts: accepted(discard.acceptance),
            })
            .collect();
        found.sort_by_key(|discard| {
            let eight = discard.lacks_to_eight_fan.unwrap_or(u8::MAX);
            (
                eight,
                discard.lacks,
                std::cmp::Reverse(discard.accepts.unseen),
            )
        });
        let wind = |wind: Wind| wind.name().to_ascii_lowercase();
        Ok(Self {
            round: wind(prevalent_wind),
            seat: wind(seat_wind),
            hand: winning.map_or_else(|| hand.to_string(), |tile| format!("{hand} + {tile}")),
            lacks: distance(hand),
            forms: FORMS
                .into_iter()
                .filter_map(|(form, name)| Some((name, distance_to(hand, form)?)))
                .collect(),
            lacks_to_eight_fan: distance_with_eight(hand, &situation),
            accepts: (!hand.is_full()).then(|| accepted(acceptance(hand))),
            discards: found,
            wins,
        })
    }
}

const FORMS: [(WinningForm, &str); 6] = [
    (WinningForm::Sets, "sets"),
    (WinningForm::SevenPairs, "seven pairs"),
    (WinningForm::ThirteenOrphans, "thirteen orphans"),
    (WinningForm::HonoursAndKnitted, "honours and knitted tiles"),
    (WinningForm::KnittedStraight, "knitted straight"),
    (WinningForm::NineGates, "nine gates"),
];

fn counted(count: &FanCount, hand: &HandTiles) -> CountedFan {
    let name = |(fan, times): (mcr::Fan, u8)| CountedName {
        english: fan.english(),
        chinese: fan.chinese(),
        value: fan.value(),
        times,
        left_out: count.left_out_beside(fan).map(mcr::Fan::english).collect(),
    };
    let joined = |(fan, times): (mcr::Fan, u8)| JoinedName {
        english: fan.english(),
        chinese: fan.chinese(),
        times,
    };
    CountedFan {
        fan: count.total(),
        enough: count.is_enough(),
        fans: count.fans().map(name).collect(),
        joined_already: count.joined_already(hand).into_iter().map(joined).collect(),
    }
}
