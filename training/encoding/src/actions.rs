//! The actions of a seat as a list of fixed length.

use riichi::tile::KINDS;
use riichi::{Action, Kind, Tile};

/// Number of actions in the list.
pub const ACTIONS: usize = ActionCode::Pass.index() + 1;

/// An action in the list. Differences that matter only to the arena share one code: the discarder
/// of a called tile, and whether one of two equal tiles was just drawn.
///
/// | codes | action |
/// |---|---|
/// | 0 to 36 | discard of this tile: 0 to 33 by kind, 34, 35, 36 the red fives of characters, dots and bamboo |
/// | 37 to 73 | riichi with the discard of this tile |
/// | 74 to 79 | chi of the lowest, the middle, the highest tile of the run; then the same with a red five from the hand |
/// | 80, 81 | pon; pon with a red five from the hand |
/// | 82 | open kan of a discard |
/// | 83 to 116 | closed kan of this kind |
/// | 117 to 150 | kan of this kind by adding to a pon |
/// | 151 | a North set aside (three players) |
/// | 152 | win |
/// | 153 | drawn round by nine terminals |
/// | 154 | pass |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionCode {
    /// A discard.
    Discard(Tile),
    /// Riichi with a discard.
    Riichi(Tile),
    /// A chi.
    Chi {
        /// Place of the called tile in the run, from 0.
        place: u8,
        /// Whether a red five of the own hand is used.
        red: bool,
    },
    /// A pon.
    Pon {
        /// Whether a red five of the own hand is used.
        red: bool,
    },
    /// An open kan.
    OpenKan,
    /// A closed kan.
    ClosedKan(Kind),
    /// A kan by adding to a pon.
    AddedKan(Kind),
    /// A North set aside.
    Kita,
    /// A win.
    Win,
    /// The draw by nine terminals.
    NineTerminals,
    /// Nothing.
    Pass,
}

/// Different tiles, red fives apart.
const TILES: usize = KINDS + 3;
const RIICHI: usize = TILES;
const CHI: usize = RIICHI + TILES;
const PON: usize = CHI + 6;
const OPEN_KAN: usize = PON + 2;
const CLOSED_KAN: usize = OPEN_KAN + 1;
const ADDED_KAN: usize = CLOSED_KAN + KINDS;
const KITA: usize = ADDED_KAN + KINDS;

impl ActionCode {
    /// The code of an action.
    pub fn of(action: &Action) -> Self {
        let has_red = |tiles: &[Tile]| tiles.iter().any(|tile| tile.is_red());
        match action {
            Action::Dahai { tile, .. } => Self::Discard(*tile),
            Action::Reach { tile, .. } => Self::Riichi(*tile),
            Action::Chi { tile, consumed, .. } => {
                let place = consumed
                    .iter()
                    .filter(|own| own.kind() < tile.kind())
                    .count() as u8;
                Self::Chi {
                    place,
                    red: has_red(consumed),
                }
            }
            Action::Pon { consumed, .. } => Self::Pon {
                red: has_red(consumed),
            },
            Action::Daiminkan { .. } => Self::OpenKan,
            Action::Ankan { consumed } => Self::ClosedKan(consumed[0].kind()),
            Action::Kakan { tile, .. } => Self::AddedKan(tile.kind()),
            Action::Kita => Self::Kita,
            Action::Hora { .. } => Self::Win,
            Action::Ryukyoku => Self::NineTerminals,
            Action::None => Self::Pass,
        }
    }

    /// Its place in the list.
    pub const fn index(self) -> usize {
        match self {
            Self::Discard(tile) => tile.index(),
            Self::Riichi(tile) => RIICHI + tile.index(),
            Self::Chi { place, red } => CHI + place as usize + 3 * red as usize,
            Self::Pon { red } => PON + red as usize,
            Self::OpenKan => OPEN_KAN,
            Self::ClosedKan(kind) => CLOSED_KAN + kind.index(),
            Self::AddedKan(kind) => ADDED_KAN + kind.index(),
            Self::Kita => KITA,
            Self::Win => KITA + 1,
            Self::NineTerminals => KITA + 2,
            Self::Pass => KITA + 3,
        }
    }
}

/// Which codes stand for a legal action, and for which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choices([u8; ACTIONS]);

/// In [`Choices`]: the code is not a legal action.
const NOT_LEGAL: u8 = u8::MAX;

impl Choices {
    /// The choices of a list of legal actions, which has at most 255.
    pub fn of(legal: &[Action]) -> Self {
        let mut choices = Self([NOT_LEGAL; ACTIONS]);
        choices.set(legal);
        choices
    }

    /// Replaces them by the choices of another list.
    pub fn set(&mut self, legal: &[Action]) {
        self.0.fill(NOT_LEGAL);
        for (place, action) in legal.iter().enumerate() {
            let slot = &mut self.0[ActionCode::of(action).index()];
            // Of two equal tiles the drawn one is discarded, which reveals least.
            let drawn = matches!(
                action,
                Action::Dahai {
                    tsumogiri: true,
                    ..
                } | Action::Reach {
                    tsumogiri: true,
                    ..
                }
            );
            if *slot == NOT_LEGAL || drawn {
                *slot = place as u8;
            }
        }
    }

    /// The index of a code in the list of legal actions; `None` if it is not legal.
    pub fn legal(&self, code: usize) -> Option<usize> {
        self.0
            .get(code)
            .filter(|&&place| place != NOT_LEGAL)
            .map(|&place| place.into())
    }

    /// The index of the only legal code's action in the list of legal actions; `None` if several
    /// codes are legal.
    pub fn only(&self) -> Option<usize> {
        let mut codes = self.iter();
        let (_, place) = codes.next()?;
        codes.next().is_none().then_some(place)
    }

    /// Writes whether each code is legal.
    pub fn write_mask(&self, mask: &mut [bool]) {
        for (legal, place) in mask.iter_mut().zip(&self.0) {
            *legal = *place != NOT_LEGAL;
        }
    }

    /// The codes that are legal, in order, each with the place of its action in the list of legal
    /// actions.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..ACTIONS).filter_map(|code| self.legal(code).map(|place| (code, place)))
    }
}
