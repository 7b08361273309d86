//! The events at a table, with mjai's names.

use std::borrow::Cow;

use arrayvec::ArrayVec;

use game_core::{PerSeat, Seat};
use tiles::{Tile, Wind};

/// Tiles a player is dealt.
pub const HAND_SIZE: usize = 13;

/// Maximum number of dora indicators, and of ura dora indicators.
pub const MAX_DORA: usize = 5;

/// Points that change hands or are held, for each seat; may be negative.
pub type Points = PerSeat<i32>;

/// One event of a game, in the order in which every seat hears of it.
///
/// A field is an `Option` where an arena may leave it out. `None` for a drawn tile means that the
/// tile is hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A game begins.
    StartGame {
        /// The own seat, if the arena sends it.
        seat: Option<Seat>,
    },
    /// A round begins; the dealer's first draw follows as a [`Event::Tsumo`].
    StartKyoku(StartKyoku),
    /// A tile is drawn.
    Tsumo {
        /// The seat that draws.
        actor: Seat,
        /// The tile, if it is visible.
        tile: Option<Tile>,
    },
    /// A tile is discarded.
    Dahai {
        /// The seat that discards.
        actor: Seat,
        /// The tile.
        tile: Tile,
        /// Whether it is the tile just drawn.
        tsumogiri: bool,
    },
    /// A run is called.
    Chi {
        /// The seat that calls.
        actor: Seat,
        /// The discarder of the tile.
        target: Seat,
        /// The discarded tile.
        tile: Tile,
        /// The caller's own two tiles.
        consumed: [Tile; 2],
    },
    /// A triplet is called.
    Pon {
        /// The seat that calls.
        actor: Seat,
        /// The discarder of the tile.
        target: Seat,
        /// The discarded tile.
        tile: Tile,
        /// The caller's own two tiles.
        consumed: [Tile; 2],
    },
    /// An open kan is called.
    Daiminkan {
        /// The seat that calls.
        actor: Seat,
        /// The discarder of the tile.
        target: Seat,
        /// The discarded tile.
        tile: Tile,
        /// The caller's own three tiles.
        consumed: [Tile; 3],
    },
    /// A closed kan is shown.
    Ankan {
        /// The seat that shows it.
        actor: Seat,
        /// Its four tiles.
        consumed: [Tile; 4],
    },
    /// The fourth tile is added to a pon.
    Kakan {
        /// The seat that adds it.
        actor: Seat,
        /// The added tile.
        tile: Tile,
        /// The three tiles of the pon.
        consumed: [Tile; 3],
    },
    /// A North is set aside (three players).
    Kita {
        /// The seat that sets it aside.
        actor: Seat,
    },
    /// A further dora indicator is turned.
    Dora {
        /// The indicator (not the dora itself).
        marker: Tile,
    },
    /// Riichi is declared; the discard follows.
    Reach {
        /// The seat that declares.
        actor: Seat,
    },
    /// The riichi discard was not ronned: the stick is paid.
    ReachAccepted {
        /// The seat that declared.
        actor: Seat,
        /// Scores after the stick was paid, if the arena sends them.
        scores: Option<Points>,
    },
    /// A player wins.
    Hora(Hora),
    /// The round is drawn, or ended by a penalty.
    Ryukyoku {
        /// Change of each score, without riichi sticks paid earlier.
        deltas: Option<Points>,
        /// Scores afterwards, if the arena sends them.
        scores: Option<Points>,
        /// The reason, if the arena sends a known one.
        reason: Option<DrawReason>,
    },
    /// The round is over.
    EndKyoku,
    /// The game is over.
    EndGame {
        /// Final scores, if the arena sends them.
        scores: Option<Points>,
    },
}

/// The reason why a round ended without a winner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DrawReason {
    /// The wall was drawn.
    Exhaustive,
    /// The wall was drawn, and a player had discarded nothing but terminals and honours (nagashi
    /// mangan).
    NagashiMangan,
    /// Nine kinds of terminals and honours in a first draw (kyuushu kyuuhai).
    NineTerminals,
    /// Four equal winds in the first go-round (suufon renda).
    FourWinds,
    /// Four kans of more than one seat (suukaikan).
    FourKans,
    /// Four riichi (suucha riichi).
    FourRiichi,
    /// Three winners on one tile (sanchahou).
    ThreeWinners,
    /// A penalty for an illegal action (chombo).
    IllegalAction(Seat),
}

/// The beginning of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartKyoku {
    /// Wind of the round.
    pub bakaze: Wind,
    /// Number of the round within its wind, from 1.
    pub kyoku: u8,
    /// Repeat counters.
    pub honba: u8,
    /// Riichi sticks on the table.
    pub kyotaku: u8,
    /// The dealer.
    pub oya: Seat,
    /// The first dora indicator.
    pub dora_marker: Tile,
    /// Scores at the start, if the arena sends them.
    pub scores: Option<Points>,
    /// The dealt tiles of each seat whose tiles may be known.
    pub tehais: PerSeat<Option<[Tile; HAND_SIZE]>>,
}

/// A win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hora {
    /// The winner.
    pub actor: Seat,
    /// The seat that dealt in; the winner itself on a self-draw.
    pub target: Seat,
    /// Change of each score, honba and sticks included.
    pub deltas: Option<Points>,
    /// Scores afterwards, if the arena sends them.
    pub scores: Option<Points>,
    /// Ura dora indicators, if shown.
    pub ura_markers: UraMarkers,
}

/// Up to five ura dora indicators.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct UraMarkers {
    len: u8,
    tiles: [Option<Tile>; MAX_DORA],
}

impl UraMarkers {
    /// The indicators of a slice; `None` if there are more than five.
    pub fn from_slice(tiles: &[Tile]) -> Option<Self> {
        let mut markers = Self {
            len: u8::try_from(tiles.len()).ok()?,
            ..Self::default()
        };
        if tiles.len() > MAX_DORA {
            return None;
        }
        for (place, &tile) in markers.tiles.iter_mut().zip(tiles) {
            *place = Some(tile);
        }
        Some(markers)
    }

    /// The indicators in order.
    pub fn to_vec(self) -> ArrayVec<Tile, MAX_DORA> {
        self.tiles
            .into_iter()
            .take(usize::from(self.len))
            .flatten()
            .collect()
    }
}

impl std::fmt::Debug for UraMarkers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_vec().fmt(f)
    }
}

impl Event {
    /// The acting seat, if there is one.
    pub const fn actor(&self) -> Option<Seat> {
        match *self {
            Self::Tsumo { actor, .. }
            | Self::Dahai { actor, .. }
            | Self::Chi { actor, .. }
            | Self::Pon { actor, .. }
            | Self::Daiminkan { actor, .. }
            | Self::Ankan { actor, .. }
            | Self::Kakan { actor, .. }
            | Self::Kita { actor }
            | Self::Reach { actor }
            | Self::ReachAccepted { actor, .. }
            | Self::Hora(Hora { actor, .. }) => Some(actor),
            Self::StartGame { .. }
            | Self::StartKyoku(_)
            | Self::Dora { .. }
            | Self::Ryukyoku { .. }
            | Self::EndKyoku
            | Self::EndGame { .. } => None,
        }
    }

    /// Whether the event may leave `seat` something to do, depending on its hand and the rules.
    ///
    /// A dora indicator is turned between a draw and its discard and asks nothing, nor does an own
    /// kan: its tile comes next.
    pub fn may_ask(&self, seat: Seat) -> bool {
        match *self {
            Self::Tsumo { actor, .. }
            | Self::Chi { actor, .. }
            | Self::Pon { actor, .. }
            | Self::Reach { actor } => actor == seat,
            Self::Dahai { actor, .. } | Self::Kakan { actor, .. } | Self::Kita { actor } => {
                actor != seat
            }
            _ => false,
        }
    }

    /// The name of its type: mjai's.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::StartGame { .. } => "start_game",
            Self::StartKyoku(_) => "start_kyoku",
            Self::Tsumo { .. } => "tsumo",
            Self::Dahai { .. } => "dahai",
            Self::Chi { .. } => "chi",
            Self::Pon { .. } => "pon",
            Self::Daiminkan { .. } => "daiminkan",
            Self::Ankan { .. } => "ankan",
            Self::Kakan { .. } => "kakan",
            Self::Kita { .. } => "kita",
            Self::Dora { .. } => "dora",
            Self::Reach { .. } => "reach",
            Self::ReachAccepted { .. } => "reach_accepted",
            Self::Hora(_) => "hora",
            Self::Ryukyoku { .. } => "ryukyoku",
            Self::EndKyoku => "end_kyoku",
            Self::EndGame { .. } => "end_game",
        }
    }

    /// The event from the point of view of `seat`: other hands and other draws are hidden.
    #[must_use]
    pub fn masked_for(self, seat: Seat) -> Self {
        self.seen_by(seat).into_owned()
    }

    /// As [`masked_for`](Self::masked_for), without a copy of an event that hides nothing.
    pub fn seen_by(&self, seat: Seat) -> Cow<'_, Self> {
        match *self {
            Self::StartKyoku(mut start) => {
                for (owner, hand) in start.tehais.iter_mut() {
                    if owner != seat {
                        *hand = None;
                    }
                }
                Cow::Owned(Self::StartKyoku(start))
            }
            Self::Tsumo { actor, .. } if actor != seat => {
                Cow::Owned(Self::Tsumo { actor, tile: None })
            }
            _ => Cow::Borrowed(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_points_the_earlier_seat_is_ahead() {
        let places = |points: &[i32]| {
            let points = Points::from_slice(points).expect("at most four");
            Seat::all(points.players())
                .map(|seat| points.place(seat))
                .collect::<Vec<_>>()
        };
        assert_eq!(places(&[25_000, 30_000, 20_000, 25_000]), [2, 1, 4, 3]);
        assert_eq!(places(&[25_000; 4]), [1, 2, 3, 4]);
        assert_eq!(places(&[-100, 40_000, -100, 60_200]), [3, 2, 4, 1]);
        assert_eq!(places(&[35_000, 35_000, 35_000]), [1, 2, 3]);
    }
}
