//! The entries of a list of possible actions.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use riichi::{Action, Seat, Tile};
use serde::de::{IgnoredAny, MapAccess};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::field::{Field, FieldError, FromJson, Into};
use crate::json::{Object, read_entries};

/// The types of action, by mjai's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// A discard.
    Dahai,
    /// A called run.
    Chi,
    /// A called triplet.
    Pon,
    /// A called kan.
    Daiminkan,
    /// A closed kan.
    Ankan,
    /// A fourth tile added to a pon.
    Kakan,
    /// A North set aside.
    Kita,
    /// A riichi; its discard is requested afterwards.
    Reach,
    /// A win.
    Hora,
    /// The draw by nine terminals.
    Ryukyoku,
    /// Passing.
    None,
}

impl ActionKind {
    const ALL: [Self; 11] = [
        Self::Dahai,
        Self::Chi,
        Self::Pon,
        Self::Daiminkan,
        Self::Ankan,
        Self::Kakan,
        Self::Kita,
        Self::Reach,
        Self::Hora,
        Self::Ryukyoku,
        Self::None,
    ];

    /// The type's name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dahai => "dahai",
            Self::Chi => "chi",
            Self::Pon => "pon",
            Self::Daiminkan => "daiminkan",
            Self::Ankan => "ankan",
            Self::Kakan => "kakan",
            Self::Kita => "kita",
            Self::Reach => "reach",
            Self::Hora => "hora",
            Self::Ryukyoku => "ryukyoku",
            Self::None => "none",
        }
    }

    /// The type with this name on the wire, including the other names of `kita`.
    pub fn from_name(name: &str) -> Option<Self> {
        let named = || Self::ALL.into_iter().find(|kind| kind.name() == name);
        NorthName::from_name(name)
            .map(|_| Self::Kita)
            .or_else(named)
    }

    pub const fn of(action: &Action) -> Self {
        match action {
            Action::Dahai { .. } => Self::Dahai,
            Action::Reach { .. } => Self::Reach,
            Action::Chi { .. } => Self::Chi,
            Action::Pon { .. } => Self::Pon,
            Action::Daiminkan { .. } => Self::Daiminkan,
            Action::Ankan { .. } => Self::Ankan,
            Action::Kakan { .. } => Self::Kakan,
            Action::Kita => Self::Kita,
            Action::Hora { .. } => Self::Hora,
            Action::Ryukyoku => Self::Ryukyoku,
            Action::None => Self::None,
        }
    }
}

/// The name under which a North is set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NorthName {
    /// RiichiLab's and Akagi's.
    #[default]
    Kita,
    /// That of libriichi3p's family.
    Nukidora,
    /// That of some records.
    Nuki,
}

impl NorthName {
    /// The name on the wire, of the event and of the action.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kita => "kita",
            Self::Nukidora => "nukidora",
            Self::Nuki => "nuki",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Kita, Self::Nukidora, Self::Nuki]
            .into_iter()
            .find(|north| north.name() == name)
    }
}

/// One entry of a list of possible actions; arenas omit fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PossibleAction {
    pub kind: ActionKind,
    /// The tile that is discarded, called or added.
    pub pai: Option<Tile>,
    /// Own tiles used, in order of kind, plain before red, regardless of the order on the wire.
    pub consumed: ArrayVec<Tile, 4>,
    /// Whether a discard is marked as the drawn tile or as another; usually it is unmarked.
    pub tsumogiri: Option<bool>,
    /// The seat whose tile is called; usually absent.
    pub target: Option<Seat>,
}

impl PossibleAction {
    /// Whether the entry allows the action.
    ///
    /// A discard is compared by its tile alone, and an entry with a plain five allows the red one
    /// as well, since an arena has been seen to write all fives as plain ones. Calls are compared
    /// by the tiles used and the tile called, `ankan` by the tiles used alone, the rest by type.
    pub fn covers(&self, action: &Action) -> bool {
        if self.kind != ActionKind::of(action) {
            return false;
        }
        match *action {
            Action::Dahai { tile, .. } => self
                .pai
                .is_some_and(|pai| pai == tile || pai == tile.kind().tile()),
            Action::Chi { tile, consumed, .. } | Action::Pon { tile, consumed, .. } => {
                self.pai == Some(tile) && self.uses(&consumed)
            }
            Action::Daiminkan { tile, consumed, .. } | Action::Kakan { tile, consumed } => {
                self.pai == Some(tile) && self.uses(&consumed)
            }
            Action::Ankan { consumed } => self.uses(&consumed),
            Action::Reach { .. }
            | Action::Kita
            | Action::Hora { .. }
            | Action::Ryukyoku
            | Action::None => true,
        }
    }

    fn uses(&self, consumed: &[Tile]) -> bool {
        let mut tiles: ArrayVec<Tile, 4> = consumed.iter().copied().collect();
        tiles.sort_unstable();
        tiles == self.consumed
    }
}

/// As RiichiLab writes it: keys in alphabetical order, without missing values.
impl Serialize for PossibleAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const FIELDS: usize = 5;
        let mut entry = serializer.serialize_struct("PossibleAction", FIELDS)?;
        if !self.consumed.is_empty() {
            entry.serialize_field(
                "consumed",
                &self
                    .consumed
                    .iter()
                    .map(|tile| tile.name())
                    .collect::<Vec<_>>(),
            )?;
        }
        if let Some(pai) = self.pai {
            entry.serialize_field("pai", pai.name())?;
        }
        if let Some(target) = self.target {
            entry.serialize_field("target", &target.index())?;
        }
        if let Some(tsumogiri) = self.tsumogiri {
            entry.serialize_field("tsumogiri", &tsumogiri)?;
        }
        entry.serialize_field("type", self.kind.name())?;
        entry.end()
    }
}

/// Maximum number of bad entries of a list that are reported individually; a frame may contain a
/// million.
const MAX_FAULTS: usize = 8;

/// The valid entries of a list of possible actions.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PossibleActions {
    /// The valid entries of known types.
    pub(crate) entries: Vec<PossibleAction>,
    /// The faults of the invalid ones, at least the first one; the field names begin with the
    /// entry's index.
    pub(crate) faults: Vec<FieldError>,
}

impl<'a> FromJson<'a> for PossibleActions {
    const ALLOWED: &'static str = "a list of actions";

    fn list<A: serde::de::SeqAccess<'a>>(mut seq: A) -> Result<Field<'a, Self>, A::Error> {
        let mut list = Self::default();
        let mut untold = 0_usize;
        for index in 0.. {
            let mut entry = Field::<ActionEntry<'a>>::Absent;
            if seq.next_element_seed(Into(&mut entry))?.is_none() {
                break;
            }
            match entry.required("").and_then(ActionEntry::action) {
                Ok(Some(action)) => list.entries.push(action),
                Ok(None) => {}
                Err(_) if list.faults.len() == MAX_FAULTS => untold += 1,
                Err(fault) => {
                    let dot = if fault.field.is_empty() { "" } else { "." };
                    list.faults.push(FieldError {
                        field: format!("[{index}]{dot}{}", fault.field),
                        ..fault
                    });
                }
            }
        }
        if untold > 0 {
            let found = format!("{untold} more entries that are not actions");
            list.faults.push(FieldError {
                field: String::new(),
                found,
                allowed: Self::ALLOWED,
            });
        }
        Ok(Field::Given(list))
    }
}

#[derive(Debug, Default)]
pub(crate) struct ActionEntry<'a> {
    kind: Field<'a, Cow<'a, str>>,
    pai: Field<'a, Tile>,
    consumed: Field<'a, ArrayVec<Tile, 4>>,
    tsumogiri: Field<'a, bool>,
    target: Field<'a, Seat>,
}

impl<'a> Object<'a> for ActionEntry<'a> {
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name {
            "type" => map.next_value_seed(Into(&mut self.kind)),
            "pai" => map.next_value_seed(Into(&mut self.pai)),
            "consumed" => map.next_value_seed(Into(&mut self.consumed)),
            "tsumogiri" => map.next_value_seed(Into(&mut self.tsumogiri)),
            "target" => map.next_value_seed(Into(&mut self.target)),
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}

impl<'a> FromJson<'a> for ActionEntry<'a> {
    const ALLOWED: &'static str = "an action, which is an object";

    fn object<A: MapAccess<'a>>(map: A) -> Result<Field<'a, Self>, A::Error> {
        let mut entry = Self::default();
        read_entries(&mut entry, map)?;
        Ok(Field::Given(entry))
    }
}

impl ActionEntry<'_> {
    /// The entry, or `None` for an unknown type. Only the fields of the type are used.
    pub(crate) fn action(self) -> Result<Option<PossibleAction>, FieldError> {
        let name = self.kind.required("type")?;
        let Some(kind) = ActionKind::from_name(&name) else {
            return Ok(None);
        };
        let mut action = PossibleAction {
            kind,
            pai: None,
            consumed: ArrayVec::new(),
            tsumogiri: None,
            target: None,
        };
        let used = match kind {
            ActionKind::Dahai => {
                action.pai = Some(self.pai.required("pai")?);
                action.tsumogiri = self.tsumogiri.optional("tsumogiri")?;
                return Ok(Some(action));
            }
            ActionKind::Chi | ActionKind::Pon => 2,
            ActionKind::Daiminkan | ActionKind::Kakan => 3,
            ActionKind::Ankan => 4,
            ActionKind::Kita
            | ActionKind::Reach
            | ActionKind::Hora
            | ActionKind::Ryukyoku
            | ActionKind::None => {
                return Ok(Some(action));
            }
        };
        if kind != ActionKind::Ankan {
            action.pai = Some(self.pai.required("pai")?);
            action.target = self.target.optional("target")?;
        }
        action.consumed = self.consumed.required("consumed")?;
        if action.consumed.len() != used {
            let found = format!("a list of {}", action.consumed.len());
            let allowed = [
                "a list of 2 tiles",
                "a list of 3 tiles",
                "a list of 4 tiles",
            ][used - 2];
            return Err(FieldError {
                field: "consumed".to_owned(),
                found,
                allowed,
            });
        }
        action.consumed.sort_unstable();
        Ok(Some(action))
    }
}
