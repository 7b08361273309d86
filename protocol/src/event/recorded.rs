//! Reads the lines of records, which say more than the events.

use std::borrow::Cow;

use arrayvec::ArrayVec;
use riichi::event::Points;
use riichi::referee::{RecordedFacts, ToldYaku};
use riichi::{Event, PerSeat, Tile};
use serde::de::{MapAccess, SeqAccess};
use serde_json::Value;

use super::read::{EventError, EventFields, Parsed};
use crate::field::{Field, FromJson, Into};
use crate::json::{Object, read_object};

/// Closed tiles of a winner, the winning one included.
type WinnersTiles = ArrayVec<Tile, 14>;

/// A line of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedLine<'a> {
    pub parsed: Parsed<'a>,
    /// What it says besides the event.
    pub told: RecordedFacts,
    pub left_out: OmittedFields,
}

/// What an event needs and a record may leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OmittedFields {
    /// The riichi sticks at the start of a round: the event has 0 of them.
    pub sticks: bool,
    /// Whether a discard is the drawn tile: the event says that it is not.
    pub tsumogiri: bool,
}

/// Reads a line of a record as [`parse_event`](super::parse_event) does. `kyotaku` may be missing,
/// as in the records of the original converter.
///
/// # Errors
///
/// If the text is not a JSON object, has no `type`, or is an event of a known type with a missing
/// or wrong field. What it says besides the event is ignored if it is malformed.
pub fn parse_recorded(text: &str) -> Result<RecordedLine<'_>, EventError> {
    let mut fields = RecordedFields::default();
    read_object(text, &mut fields)?;
    let kind = std::mem::take(&mut fields.event.kind)
        .required("type")
        .map_err(EventError::Type)?;
    let tsumogiri = kind == "dahai" && fields.event.is_tsumogiri_left_out();
    let left_out = OmittedFields {
        sticks: fields.event.fill_sticks(&kind),
        tsumogiri,
    };
    let mut told = fields.told(&kind);
    if kind == "ryukyoku" {
        told.reason = fields.event.unknown_reason();
    }
    let parsed = match fields.event.event(&kind) {
        Some(event) => Parsed::Event(event?),
        None => Parsed::Unknown(kind),
    };
    if let Parsed::Event(Event::Ryukyoku {
        reason: Some(_), ..
    }) = parsed
    {
        told.reason = None;
    }
    Ok(RecordedLine {
        parsed,
        told,
        left_out,
    })
}

/// The fields of an event, and those that only records have.
#[derive(Debug, Default)]
struct RecordedFields<'a> {
    event: EventFields<'a>,
    tsumo: Field<'a, bool>,
    han: Field<'a, i64>,
    fan: Field<'a, i64>,
    fu: Field<'a, i64>,
    hora_points: Field<'a, i64>,
    hora_tehais: Field<'a, WinnersTiles>,
    yaku: Field<'a, Vec<WrittenPart>>,
    yakus: Field<'a, Vec<WrittenPart>>,
    tenpais: Field<'a, ArrayVec<bool, 4>>,
}

impl<'a> Object<'a> for RecordedFields<'a> {
    #[inline]
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error> {
        match name.as_bytes() {
            b"tsumo" => map.next_value_seed(Into(&mut self.tsumo)),
            b"han" => map.next_value_seed(Into(&mut self.han)),
            b"fan" => map.next_value_seed(Into(&mut self.fan)),
            b"fu" => map.next_value_seed(Into(&mut self.fu)),
            b"hora_points" => map.next_value_seed(Into(&mut self.hora_points)),
            b"hora_tehais" => map.next_value_seed(Into(&mut self.hora_tehais)),
            b"yaku" => map.next_value_seed(Into(&mut self.yaku)),
            b"yakus" => map.next_value_seed(Into(&mut self.yakus)),
            b"tenpais" => map.next_value_seed(Into(&mut self.tenpais)),
            _ => self.event.value(name, map),
        }
    }
}

impl RecordedFields<'_> {
    /// What an event of this type says besides itself.
    fn told(&mut self, kind: &str) -> RecordedFacts {
        match kind {
            "hora" => self.told_of_win(),
            "reach_accepted" => RecordedFacts {
                deltas: self.event.given_deltas(),
                ..RecordedFacts::default()
            },
            "ryukyoku" => {
                let tenpai =
                    given(&mut self.tenpais).and_then(|tenpai| PerSeat::from_slice(&tenpai));
                RecordedFacts {
                    tenpai,
                    ..RecordedFacts::default()
                }
            }
            _ => RecordedFacts::default(),
        }
    }

    fn told_of_win(&mut self) -> RecordedFacts {
        let han = given(&mut self.han).map(|han| ("han", han));
        let yaku = [("yaku", &mut self.yaku), ("yakus", &mut self.yakus)]
            .into_iter()
            .find_map(|(field, parts)| {
                let parts = given(parts)?
                    .into_iter()
                    .map(|WrittenPart(name, han)| (name, han))
                    .collect();
                Some(ToldYaku { field, parts })
            });
        RecordedFacts {
            tile: self.event.given_tile(),
            tsumo: given(&mut self.tsumo),
            han: han.or_else(|| given(&mut self.fan).map(|han| ("fan", han))),
            fu: given(&mut self.fu),
            points: given(&mut self.hora_points),
            yaku,
            hand: given(&mut self.hora_tehais),
            ura_left_out: self.event.are_ura_left_out(),
            ..RecordedFacts::default()
        }
    }
}

fn given<'a, T: FromJson<'a>>(field: &mut Field<'a, T>) -> Option<T> {
    std::mem::take(field).optional("").ok().flatten()
}

/// A yaku or sort of dora with its han: `{"name": "riichi", "han": 1}`, or at the original server
/// `["reach", 1]`.
#[derive(Debug)]
struct WrittenPart(String, i64);

impl WrittenPart {
    fn of(name: Option<&Value>, han: Option<&Value>) -> Option<Self> {
        let name = name?.as_str()?;
        Some(Self(
            our_name(name).unwrap_or(name).to_owned(),
            han?.as_i64()?,
        ))
    }
}

impl<'a> FromJson<'a> for WrittenPart {
    const ALLOWED: &'static str = "a name with its han";
    const LIST_ALLOWED: &'static str = "a list of names with their han";

    fn list<A: SeqAccess<'a>>(mut seq: A) -> Result<Field<'a, Self>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Value>()? {
            items.push(item);
        }
        Ok(Self::of(items.first(), items.get(1)).map_or(Field::Absent, Field::Given))
    }

    fn object<A: MapAccess<'a>>(mut map: A) -> Result<Field<'a, Self>, A::Error> {
        let (mut name, mut han) = (None, None);
        while let Some((key, value)) = map.next_entry::<Cow<'_, str>, Value>()? {
            match &*key {
                "name" => name = Some(value),
                "han" => han = Some(value),
                _ => {}
            }
        }
        Ok(Self::of(name.as_ref(), han.as_ref()).map_or(Field::Absent, Field::Given))
    }
}

/// Our name of a yaku that the original server calls so. It has one name for all dragons, which
/// stays.
fn our_name(original: &str) -> Option<&'static str> {
    Some(match original {
        "reach" => "riichi",
        "double_reach" => "double riichi",
        "menzenchin_tsumoho" => "menzen tsumo",
        "haiteiraoyue" => "haitei",
        "hoteiraoyui" => "houtei",
        "rinshankaiho" => "rinshan",
        "tanyaochu" => "tanyao",
        "ipeko" => "iipeikou",
        "jikaze" => "seat wind",
        "bakaze" => "round wind",
        "sanshokudojun" => "sanshoku doujun",
        "ikkitsukan" => "ittsuu",
        "chantaiyao" => "chanta",
        "chitoitsu" => "chiitoitsu",
        "toitoiho" => "toitoi",
        "sananko" => "sanankou",
        "sanshokudoko" => "sanshoku doukou",
        "shosangen" => "shousangen",
        "honroto" => "honroutou",
        "honiso" => "honitsu",
        "junchantaiyao" => "junchan",
        "ryanpeko" => "ryanpeikou",
        "chiniso" => "chinitsu",
        "akadora" => "red fives",
        "uradora" => "ura dora",
        _ => return None,
    })
}

impl EventFields<'_> {
    /// Puts 0 for missing sticks at the start of a round; whether they are missing.
    fn fill_sticks(&mut self, kind: &str) -> bool {
        let is_missing = kind == "start_kyoku" && matches!(self.kyotaku, Field::Absent);
        if is_missing {
            self.kyotaku = Field::Given(0);
        }
        is_missing
    }

    const fn is_tsumogiri_left_out(&self) -> bool {
        matches!(self.tsumogiri, Field::Absent)
    }

    const fn are_ura_left_out(&self) -> bool {
        matches!(self.ura_markers, Field::Absent)
    }

    fn given_deltas(&self) -> Option<Points> {
        match &self.deltas {
            Field::Given(deltas) => Points::from_slice(deltas),
            _ => None,
        }
    }

    fn given_tile(&self) -> Option<Tile> {
        match self.pai {
            Field::Given(tile) => tile.0,
            _ => None,
        }
    }

    /// The text of the reason, known or not.
    fn unknown_reason(&self) -> Option<String> {
        match &self.reason {
            Field::Given(reason) => Some(reason.clone().into_owned()),
            _ => None,
        }
    }
}
