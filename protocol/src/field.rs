//! Reads one value of a JSON object; an invalid value does not fail the object.
//!
//! `type` usually comes last, so while a value is read it is unknown whether it matters. Hence a
//! value of the wrong type is stored as such and becomes an error only when the field is read.

use std::borrow::Cow;
use std::fmt;

use arrayvec::ArrayVec;
use riichi::{Seat, Tile, Wind};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A field that is missing or has an invalid value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` is {found}; allowed is {allowed}")]
pub struct FieldError {
    /// The field, with the places inside it, for instance `tehais[1][4]`.
    pub field: String,
    /// The value found, shortened.
    pub found: String,
    pub allowed: &'static str,
}

/// The value found in place of an allowed one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FoundValue<'a> {
    Text(&'a str),
    EscapedText,
    Integer(i64),
    LargeInteger(u64),
    Fraction(f64),
    Truth(bool),
    Null,
    Array,
    Object,
    /// A list of this many items.
    Items(usize),
    /// A hand with only some tiles hidden.
    HalfHidden,
}

impl fmt::Display for FoundValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::EscapedText => f.write_str("a text with escapes"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::LargeInteger(number) => write!(f, "{number}"),
            Self::Fraction(number) => write!(f, "{number:e}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Null => f.write_str("null"),
            Self::Array => f.write_str("an array"),
            Self::Object => f.write_str("an object"),
            Self::Items(count) => write!(f, "a list of {count}"),
            Self::HalfHidden => f.write_str("a hand half hidden"),
        }
    }
}

/// At most 32 characters of an untrusted text, quoted, with everything that could disturb a log
/// escaped.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 32;
    let shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        format!("{shown:?}…")
    } else {
        format!("{shown:?}")
    }
}

/// A wrong value, and its place in the field's lists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Wrong<'a> {
    row: Option<usize>,
    item: Option<usize>,
    found: FoundValue<'a>,
}

impl<'a> Wrong<'a> {
    pub(crate) const fn whole(found: FoundValue<'a>) -> Self {
        Self {
            row: None,
            item: None,
            found,
        }
    }

    /// The error of the field with this name, which should have held a `T`.
    pub(crate) fn in_field<'t, T: FromJson<'t>>(&self, name: &str) -> FieldError {
        let allowed = if self.item.is_some() {
            T::ITEM_ALLOWED
        } else {
            T::ALLOWED
        };
        let mut field = name.to_owned();
        for index in [self.row, self.item].into_iter().flatten() {
            field.push_str(&format!("[{index}]"));
        }
        FieldError {
            field,
            found: self.found.to_string(),
            allowed,
        }
    }
}

/// A field of an object being read; `null` counts as absent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum Field<'a, T> {
    #[default]
    Absent,
    Given(T),
    Wrong(Wrong<'a>),
}

impl<'a, T: FromJson<'a>> Field<'a, T> {
    /// The value, or `None` when the field is absent.
    pub(crate) fn optional(self, name: &str) -> Result<Option<T>, FieldError> {
        match self {
            Self::Given(value) => Ok(Some(value)),
            Self::Absent => Ok(None),
            Self::Wrong(wrong) => Err(wrong.in_field::<T>(name)),
        }
    }

    /// The value; an absent field is an error.
    #[inline]
    pub(crate) fn required(self, name: &str) -> Result<T, FieldError> {
        match self {
            Self::Given(value) => Ok(value),
            other => Err(other.missing_or_wrong(name)),
        }
    }

    #[cold]
    fn missing_or_wrong(self, name: &str) -> FieldError {
        match self {
            Self::Wrong(wrong) => wrong.in_field::<T>(name),
            _ => FieldError {
                field: name.to_owned(),
                found: "missing".to_owned(),
                allowed: T::ALLOWED,
            },
        }
    }

    /// The value if it is valid; a wrong one is noted among the warnings.
    pub(crate) fn tolerated(self, name: &str, warnings: &mut Vec<FieldError>) -> Option<T> {
        self.optional(name).unwrap_or_else(|wrong| {
            warnings.push(wrong);
            None
        })
    }
}

/// A value that a JSON value may represent. All other types are wrong.
pub(crate) trait FromJson<'a>: Sized {
    /// The allowed values, for errors.
    const ALLOWED: &'static str;

    /// The allowed items, if it is a list.
    const ITEM_ALLOWED: &'static str = Self::ALLOWED;

    /// The allowed values if several of these are wanted.
    const LIST_ALLOWED: &'static str = "a list";

    fn integer(_number: i64) -> Option<Self> {
        None
    }

    /// A number beyond the range of [`integer`](Self::integer).
    fn large_integer(_number: u64) -> Option<Self> {
        None
    }

    fn truth(_truth: bool) -> Option<Self> {
        None
    }

    fn text(_text: &str) -> Option<Self> {
        None
    }

    /// A text without escapes, borrowed from the input.
    #[inline]
    fn borrowed_text(text: &'a str) -> Option<Self> {
        Self::text(text)
    }

    /// A list; `seq` must be read to its end.
    fn list<A: SeqAccess<'a>>(mut seq: A) -> Result<Field<'a, Self>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Field::Wrong(Wrong::whole(FoundValue::Array)))
    }

    /// An object; `map` must be read to its end.
    fn object<A: MapAccess<'a>>(mut map: A) -> Result<Field<'a, Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Field::Wrong(Wrong::whole(FoundValue::Object)))
    }
}

/// Reads a value into a field.
pub(crate) struct Into<'r, 'a, T>(pub(crate) &'r mut Field<'a, T>);

impl<'a, T: FromJson<'a>> Into<'_, 'a, T> {
    #[inline]
    fn put(self, value: Option<T>, found: impl FnOnce() -> FoundValue<'a>) {
        *self.0 = match value {
            Some(value) => Field::Given(value),
            None => Field::Wrong(Wrong::whole(found())),
        };
    }
}

impl<'a, T: FromJson<'a>> DeserializeSeed<'a> for Into<'_, 'a, T> {
    type Value = ();

    #[inline]
    fn deserialize<D: serde::Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a, T: FromJson<'a>> Visitor<'a> for Into<'_, 'a, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    #[inline]
    fn visit_bool<E>(self, truth: bool) -> Result<(), E> {
        self.put(T::truth(truth), || FoundValue::Truth(truth));
        Ok(())
    }

    #[inline]
    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.put(T::integer(number), || FoundValue::Integer(number));
        Ok(())
    }

    #[inline]
    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.put(T::integer(number), || FoundValue::Integer(number)),
            Err(_) => self.put(T::large_integer(number), || {
                FoundValue::LargeInteger(number)
            }),
        }
        Ok(())
    }

    /// JSON knows one sort of numbers: `3.0` is three.
    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        /// Every whole number up to here is exact as a float.
        const EXACT: f64 = (1_u64 << 53) as f64;
        let whole = (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64);
        self.put(whole.and_then(T::integer), || FoundValue::Fraction(number));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.put(T::text(text), || FoundValue::EscapedText);
        Ok(())
    }

    #[inline]
    fn visit_borrowed_str<E>(self, text: &'a str) -> Result<(), E> {
        self.put(T::borrowed_text(text), || FoundValue::Text(text));
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        *self.0 = Field::Absent;
        Ok(())
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'a>>(self, seq: A) -> Result<(), A::Error> {
        *self.0 = T::list(seq)?;
        Ok(())
    }

    fn visit_map<A: MapAccess<'a>>(self, map: A) -> Result<(), A::Error> {
        *self.0 = T::object(map)?;
        Ok(())
    }
}

impl FromJson<'_> for Seat {
    const ALLOWED: &'static str = "a seat, 0 to 3";

    #[inline]
    fn integer(number: i64) -> Option<Self> {
        Self::new(u8::try_from(number).ok()?)
    }
}

impl FromJson<'_> for u8 {
    const ALLOWED: &'static str = "a number from 0 to 255";

    fn integer(number: i64) -> Option<Self> {
        Self::try_from(number).ok()
    }
}

impl FromJson<'_> for i32 {
    const ALLOWED: &'static str = "points, a whole number of 32 bits";
    const LIST_ALLOWED: &'static str = "a number for each of 3 or 4 seats";

    #[inline]
    fn integer(number: i64) -> Option<Self> {
        Self::try_from(number).ok()
    }
}

impl FromJson<'_> for i64 {
    const ALLOWED: &'static str = "a whole number";

    fn integer(number: i64) -> Option<Self> {
        Some(number)
    }
}

impl FromJson<'_> for u64 {
    const ALLOWED: &'static str = "a whole number from 0";

    fn integer(number: i64) -> Option<Self> {
        Self::try_from(number).ok()
    }

    fn large_integer(number: u64) -> Option<Self> {
        Some(number)
    }
}

impl FromJson<'_> for bool {
    const ALLOWED: &'static str = "true or false";

    #[inline]
    fn truth(truth: bool) -> Option<Self> {
        Some(truth)
    }
}

impl FromJson<'_> for Tile {
    const ALLOWED: &'static str = "a tile: 1m..9m 1p..9p 1s..9s, E S W N P F C, 5mr 5pr 5sr";
    const LIST_ALLOWED: &'static str = "a list of the required number of tiles";

    #[inline]
    fn text(text: &str) -> Option<Self> {
        Self::from_name(text)
    }
}

/// A tile, or `?` for a hidden one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MaybeHidden(pub(crate) Option<Tile>);

impl FromJson<'_> for MaybeHidden {
    const ALLOWED: &'static str =
        "a tile: 1m..9m 1p..9p 1s..9s, E S W N P F C, 5mr 5pr 5sr, or ? for a hidden one";

    #[inline]
    fn text(text: &str) -> Option<Self> {
        match Tile::from_name(text) {
            Some(tile) => Some(Self(Some(tile))),
            None if text == "?" => Some(Self(None)),
            None => None,
        }
    }
}

impl FromJson<'_> for Wind {
    const ALLOWED: &'static str = "a wind: E S W N";

    fn text(text: &str) -> Option<Self> {
        match text {
            "E" => Some(Self::East),
            "S" => Some(Self::South),
            "W" => Some(Self::West),
            "N" => Some(Self::North),
            _ => None,
        }
    }
}

impl<'a> FromJson<'a> for Cow<'a, str> {
    const ALLOWED: &'static str = "a text";
    const LIST_ALLOWED: &'static str = "a list of texts";

    fn text(text: &str) -> Option<Self> {
        Some(Cow::Owned(text.to_owned()))
    }

    #[inline]
    fn borrowed_text(text: &'a str) -> Option<Self> {
        Some(Cow::Borrowed(text))
    }
}

impl<'a, T: FromJson<'a>, const N: usize> FromJson<'a> for ArrayVec<T, N> {
    const ALLOWED: &'static str = T::LIST_ALLOWED;
    const ITEM_ALLOWED: &'static str = T::ITEM_ALLOWED;

    /// A list of at most `N` good items.
    #[inline]
    fn list<A: SeqAccess<'a>>(seq: A) -> Result<Field<'a, Self>, A::Error> {
        let mut items = Self::new();
        let read = read_items(seq, |item| _ = items.try_push(item))?;
        Ok(match read.wrong {
            Some(wrong) => Field::Wrong(wrong),
            None if read.count > N => Field::Wrong(Wrong::whole(FoundValue::Items(read.count))),
            None => Field::Given(items),
        })
    }
}

impl<'a, T: FromJson<'a>> FromJson<'a> for Vec<T> {
    const ALLOWED: &'static str = T::LIST_ALLOWED;
    const ITEM_ALLOWED: &'static str = T::ITEM_ALLOWED;

    fn list<A: SeqAccess<'a>>(seq: A) -> Result<Field<'a, Self>, A::Error> {
        let mut items = Self::new();
        let read = read_items(seq, |item| items.push(item))?;
        Ok(read.wrong.map_or(Field::Given(items), Field::Wrong))
    }
}

/// Number of items in a list, and the first wrong one.
struct Items<'a> {
    count: usize,
    wrong: Option<Wrong<'a>>,
}

#[inline]
fn read_items<'a, T: FromJson<'a>, A: SeqAccess<'a>>(
    mut seq: A,
    mut keep: impl FnMut(T),
) -> Result<Items<'a>, A::Error> {
    let mut items = Items {
        count: 0,
        wrong: None,
    };
    loop {
        let mut item = Field::Absent;
        if seq.next_element_seed(Into(&mut item))?.is_none() {
            return Ok(items);
        }
        match item {
            Field::Given(item) => keep(item),
            Field::Absent => note_item(&mut items, Wrong::whole(FoundValue::Null)),
            Field::Wrong(inner) => note_item(&mut items, inner),
        }
        items.count += 1;
    }
}

/// Keeps the first wrong item of a list.
#[cold]
fn note_item<'a>(items: &mut Items<'a>, inner: Wrong<'a>) {
    let index = Some(items.count);
    items.wrong.get_or_insert(match inner.item {
        None => Wrong {
            item: index,
            ..inner
        },
        Some(_) => Wrong {
            row: index,
            ..inner
        },
    });
}

/// The dealt hand of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DealtHand {
    Known([Tile; riichi::event::HAND_SIZE]),
    Hidden,
    /// No tiles: no player sits there.
    Empty,
}

impl<'a> FromJson<'a> for DealtHand {
    const ALLOWED: &'static str = "13 tiles, all known or all hidden (?)";
    const LIST_ALLOWED: &'static str = "a hand for each of 3 or 4 seats";

    fn list<A: SeqAccess<'a>>(seq: A) -> Result<Field<'a, Self>, A::Error> {
        const SIZE: usize = riichi::event::HAND_SIZE;
        let tiles = match ArrayVec::<MaybeHidden, SIZE>::list(seq)? {
            Field::Given(tiles) => tiles,
            Field::Wrong(wrong) => return Ok(Field::Wrong(wrong)),
            Field::Absent => return Ok(Field::Absent),
        };
        let known: ArrayVec<Tile, SIZE> = tiles.iter().filter_map(|tile| tile.0).collect();
        Ok(match (tiles.len(), known.into_inner()) {
            (SIZE, Ok(hand)) => Field::Given(Self::Known(hand)),
            (SIZE, Err(none)) if none.is_empty() => Field::Given(Self::Hidden),
            (0, _) => Field::Given(Self::Empty),
            (SIZE, Err(_)) => Field::Wrong(Wrong::whole(FoundValue::HalfHidden)),
            (count, _) => Field::Wrong(Wrong::whole(FoundValue::Items(count))),
        })
    }
}
