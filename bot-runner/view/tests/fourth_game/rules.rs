//! Steps 1 to 3: the game of three stones. Two seats are dealt one of the stones 1, 2 and 3 each,
//! and the third lies face down. One seat after the other keeps its stone, or swaps it for the one
//! that lies there. The higher stone wins a point from the other seat.

use std::borrow::Cow;
use std::fmt;

use riichi::rng::Rng;
use riichi::{ActionWords, SeatTable, WholeGame, WordedAction};

pub(crate) const SEATS: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StonesAction {
    Keep,
    Swap,
}

/// The stones that a picture of an action shows: none.
pub(crate) struct NoStones;

impl fmt::Display for StonesAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ActionWords for StonesAction {
    type Pieces = NoStones;
    const SORTS: &'static [&'static str] = &["keep", "swap"];

    fn in_words(&self, _: &dyn Fn(&NoStones) -> String) -> WordedAction<NoStones> {
        let word = match self {
            Self::Keep => "keep",
            Self::Swap => "swap",
        };
        WordedAction {
            name: word,
            sort: word,
            words: word.to_owned(),
            pieces: NoStones,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StonesEvent {
    Dealt {
        seat: usize,
        stone: u8,
    },
    Kept {
        seat: usize,
    },
    /// The stone that the seat has taken; `None` for the other seat.
    Swapped {
        seat: usize,
        stone: Option<u8>,
    },
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotPossible(pub(crate) &'static str);

impl fmt::Display for NotPossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for NotPossible {}

/// The game as one seat knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StonesTable {
    pub(crate) seat: usize,
    /// The own stone, once it is dealt.
    pub(crate) stone: Option<u8>,
    /// The seat in turn; the number of seats after the end.
    pub(crate) turn: usize,
}

impl StonesTable {
    pub(crate) const fn new(seat: usize) -> Self {
        Self {
            seat,
            stone: None,
            turn: 0,
        }
    }
}

impl SeatTable for StonesTable {
    type Event = StonesEvent;
    type Action = StonesAction;
    type Contradiction = NotPossible;

    fn apply(&mut self, event: &StonesEvent) -> Result<(), NotPossible> {
        match *event {
            StonesEvent::Dealt { seat, stone } => {
                if seat != self.seat || self.stone.is_some() || !(1..=3).contains(&stone) {
                    return Err(NotPossible("such a stone cannot be dealt"));
                }
                self.stone = Some(stone);
            }
            StonesEvent::Kept { seat } | StonesEvent::Swapped { seat, .. }
                if seat != self.turn || self.stone.is_none() =>
            {
                return Err(NotPossible("another seat is in turn"));
            }
            StonesEvent::Kept { .. } => self.turn += 1,
            StonesEvent::Swapped { seat, stone } => {
                if seat == self.seat {
                    if stone.is_none() || stone == self.stone {
                        return Err(NotPossible("the stone that it takes is another one"));
                    }
                    self.stone = stone;
                }
                self.turn += 1;
            }
        }
        Ok(())
    }

    fn legal(&self) -> Vec<StonesAction> {
        if self.turn == self.seat && self.stone.is_some() {
            vec![StonesAction::Keep, StonesAction::Swap]
        } else {
            Vec::new()
        }
    }

    fn safe(&self, legal: &[StonesAction]) -> Option<usize> {
        legal
            .iter()
            .position(|action| *action == StonesAction::Keep)
    }
}

/// A whole game.
#[derive(Debug)]
pub(crate) struct StonesGame {
    /// The stone dealt to each seat.
    dealt: [u8; SEATS],
    /// Their stones now.
    stones: [u8; SEATS],
    /// The stone that lies face down.
    face_down: u8,
    events: Vec<StonesEvent>,
    /// The number of events before the last answer.
    told: usize,
}

impl StonesGame {
    pub(crate) fn new([first, second, face_down]: [u8; 3]) -> Self {
        Self {
            dealt: [first, second],
            stones: [first, second],
            face_down,
            events: Vec::new(),
            told: 0,
        }
    }
}

impl WholeGame for StonesGame {
    type Rules = ();
    type Table = StonesTable;
    type Refusal = NotPossible;

    fn usual_rules(_: u8) {}

    fn seat_count((): &()) -> usize {
        SEATS
    }

    fn numbered((): (), seed: u64, number: u64) -> Self {
        let mut stones = [1, 2, 3];
        Rng::keyed(&[seed, number]).shuffle(&mut stones);
        Self::new(stones)
    }

    fn seat_table((): (), seat: usize) -> StonesTable {
        StonesTable::new(seat)
    }

    fn deal_for(&self, seat: usize) -> Option<StonesEvent> {
        let stone = self.dealt[seat];
        Some(StonesEvent::Dealt { seat, stone })
    }

    fn news(&self) -> &[StonesEvent] {
        &self.events[self.told..]
    }

    fn heard_by(event: &StonesEvent, seat: usize) -> Cow<'_, StonesEvent> {
        match *event {
            StonesEvent::Swapped { seat: by, .. } if by != seat => {
                Cow::Owned(StonesEvent::Swapped {
                    seat: by,
                    stone: None,
                })
            }
            _ => Cow::Borrowed(event),
        }
    }

    fn table_of(&self, seat: usize) -> StonesTable {
        StonesTable {
            seat,
            stone: Some(self.stones[seat]),
            turn: self.events.len(),
        }
    }

    fn seats_asked(&self) -> impl Iterator<Item = usize> {
        Some(self.events.len())
            .filter(|&turn| turn < SEATS)
            .into_iter()
    }

    fn answer_all(&mut self, answers: &[(usize, StonesAction)]) -> Result<(), NotPossible> {
        self.told = self.events.len();
        for &(seat, action) in answers {
            if seat != self.events.len() || seat >= SEATS {
                return Err(NotPossible("another seat is in turn"));
            }
            self.events.push(match action {
                StonesAction::Keep => StonesEvent::Kept { seat },
                StonesAction::Swap => {
                    std::mem::swap(&mut self.stones[seat], &mut self.face_down);
                    let stone = Some(self.stones[seat]);
                    StonesEvent::Swapped { seat, stone }
                }
            });
        }
        Ok(())
    }

    fn end_scores(&self) -> Option<Vec<f64>> {
        let [first, second] = self.stones;
        let of_first = if first > second { 1.0 } else { -1.0 };
        (self.events.len() == SEATS).then(|| vec![of_first, -of_first])
    }
}
