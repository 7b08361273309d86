//! Bounded reading: a text that is too long, not UTF-8 or not a JSON object is refused here.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde_json::Deserializer;
use serde_json::value::RawValue;

/// Maximum length of a text that is read, in bytes: 4 MiB. The longest frames known are some tens
/// of kB.
pub const MAX_FRAME: usize = 4 << 20;

/// A text that cannot be read as one JSON object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// More than [`MAX_FRAME`] bytes.
    #[error("{0} bytes are too many: at most {MAX_FRAME} are read")]
    TooLong(usize),
    #[error("no UTF-8 from byte {0} on")]
    NotUtf8(usize),
    /// No JSON, or not an object, or something after it.
    #[error("not one JSON object: {0}")]
    NotAnObject(String),
    /// No JSON, or not a list, or something after it.
    #[error("not one JSON list: {0}")]
    NotAList(String),
}

/// The text of a message that came as bytes.
///
/// # Errors
/// When it is longer than [`MAX_FRAME`] or no UTF-8.
pub fn text_of(bytes: &[u8]) -> Result<&str, ReadError> {
    if bytes.len() > MAX_FRAME {
        return Err(ReadError::TooLong(bytes.len()));
    }
    std::str::from_utf8(bytes).map_err(|error| ReadError::NotUtf8(error.valid_up_to()))
}

/// A receiver of the entries of a JSON object.
pub(crate) trait Object<'a> {
    /// Takes the value of this name from the map: exactly one value must be read.
    fn value<A: MapAccess<'a>>(&mut self, name: &str, map: &mut A) -> Result<(), A::Error>;
}

/// Reads a text that is one JSON object, entry by entry.
///
/// Unused values are skipped without recursion, so their depth does no harm. A byte order mark at
/// the beginning is skipped, as JSON allows.
#[inline]
pub(crate) fn read_object<'a, O: Object<'a>>(
    text: &'a str,
    object: &mut O,
) -> Result<(), ReadError> {
    if text.len() > MAX_FRAME {
        return Err(ReadError::TooLong(text.len()));
    }
    let mut deserializer = Deserializer::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
    serde::Deserializer::deserialize_map(&mut deserializer, Entries(object))
        .and_then(|()| deserializer.end())
        .map_err(|error| not_an_object(&error))
}

#[cold]
fn not_an_object(error: &serde_json::Error) -> ReadError {
    ReadError::NotAnObject(reason(error))
}

/// The reason may quote the input, which may be long.
fn reason(error: &serde_json::Error) -> String {
    const SHOWN: usize = 120;
    error
        .to_string()
        .chars()
        .filter(|c| !c.is_control())
        .take(SHOWN)
        .collect()
}

/// Reads a text that is one JSON list: the texts of its entries.
pub(crate) fn read_list(text: &str) -> Result<Vec<&str>, ReadError> {
    if text.len() > MAX_FRAME {
        return Err(ReadError::TooLong(text.len()));
    }
    let entries: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| ReadError::NotAList(reason(&error)))?;
    Ok(entries.into_iter().map(RawValue::get).collect())
}

/// Reads the entries of an object that has been entered already.
#[inline]
pub(crate) fn read_entries<'a, O: Object<'a>, A: MapAccess<'a>>(
    object: &mut O,
    mut map: A,
) -> Result<(), A::Error> {
    while let Some(name) = map.next_key_seed(Name)? {
        object.value(&name, &mut map)?;
    }
    Ok(())
}

struct Entries<'r, O>(&'r mut O);

impl<'a, O: Object<'a>> Visitor<'a> for Entries<'_, O> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    #[inline]
    fn visit_map<A: MapAccess<'a>>(self, map: A) -> Result<(), A::Error> {
        read_entries(self.0, map)
    }
}

/// The name of an entry, borrowed unless it has escapes.
struct Name;

impl<'a> DeserializeSeed<'a> for Name {
    type Value = Cow<'a, str>;

    #[inline]
    fn deserialize<D: serde::Deserializer<'a>>(
        self,
        deserializer: D,
    ) -> Result<Cow<'a, str>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'a> Visitor<'a> for Name {
    type Value = Cow<'a, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    #[inline]
    fn visit_borrowed_str<E>(self, name: &'a str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Cow<'a, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
