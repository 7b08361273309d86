//! Parameters of a policy: their declarations and values.

use crate::layout::plain;
use crate::text::{Text, TextArray};

/// No value.
pub const VALUE_NONE: u32 = 0;
/// A whole number, in [`Value::integer`].
pub const VALUE_INTEGER: u32 = 1;
/// A number, finite, in [`Value::number`].
pub const VALUE_NUMBER: u32 = 2;
/// True or false, in [`Value::boolean`].
pub const VALUE_BOOLEAN: u32 = 3;
/// Text, in [`Value::text`].
pub const VALUE_TEXT: u32 = 4;
/// One of a list of texts, in [`Value::text`].
pub const VALUE_CHOICE: u32 = 5;
/// A path, in [`Value::text`]: written in the config relative to the config's folder, handed over complete.
pub const VALUE_PATH: u32 = 6;

/// In [`ParamDescriptor::flags`]: a number or whole number that may be searched for a better value. A small change of
/// it makes a small change in play, and every value in its range is sensible.
pub const PARAM_TUNABLE: u32 = 1;

/// A scalar of one of the types above. The fields of the other types are zero.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Value {
    /// The type: `VALUE_*`.
    pub kind: u32,
    /// 0 or 1.
    pub boolean: u32,
    /// The whole number.
    pub integer: i64,
    /// The number.
    pub number: f64,
    /// The text, the choice or the path.
    pub text: Text,
}

plain!(Value {
    kind,
    boolean,
    integer,
    number,
    text
});

impl Value {
    /// No value.
    pub const NONE: Self = Self::of(VALUE_NONE);

    const fn of(kind: u32) -> Self {
        Self {
            kind,
            boolean: 0,
            integer: 0,
            number: 0.0,
            text: Text::EMPTY,
        }
    }

    /// A whole number.
    pub const fn integer(integer: i64) -> Self {
        Self {
            integer,
            ..Self::of(VALUE_INTEGER)
        }
    }

    /// A number.
    pub const fn number(number: f64) -> Self {
        Self {
            number,
            ..Self::of(VALUE_NUMBER)
        }
    }

    /// True or false.
    pub const fn boolean(boolean: bool) -> Self {
        Self {
            boolean: boolean as u32,
            ..Self::of(VALUE_BOOLEAN)
        }
    }

    /// A text, a choice or a path, by `kind`, for as long as the string lives.
    pub const fn text(kind: u32, text: &str) -> Self {
        Self {
            text: Text::new(text),
            ..Self::of(kind)
        }
    }
}

/// A parameter that a policy takes.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ParamDescriptor {
    /// Its key in the config's `[policy.params]`: `a-z`, `0-9` and `_`.
    pub name: Text,
    /// A one-sentence description.
    pub help: Text,
    /// Its type: `VALUE_*`, never [`VALUE_NONE`].
    pub kind: u32,
    /// `PARAM_*` bits; unknown ones are ignored.
    pub flags: u32,
    /// The default; of `kind` [`VALUE_NONE`] for a parameter without one.
    pub default_value: Value,
    /// The least allowed whole number; only for [`VALUE_INTEGER`].
    pub integer_min: i64,
    /// The greatest allowed whole number; only for [`VALUE_INTEGER`].
    pub integer_max: i64,
    /// The least allowed number; only for [`VALUE_NUMBER`].
    pub number_min: f64,
    /// The greatest allowed number; only for [`VALUE_NUMBER`].
    pub number_max: f64,
    /// The allowed texts; only for [`VALUE_CHOICE`].
    pub choices: TextArray,
}

plain!(ParamDescriptor {
    name,
    help,
    kind,
    flags,
    default_value,
    integer_min,
    integer_max,
    number_min,
    number_max,
    choices
});

/// An array of parameter descriptors.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ParamDescriptorArray {
    /// The first element; may be null if `len` is 0.
    pub items: *const ParamDescriptor,
    /// Number of elements.
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(ParamDescriptorArray { items, len, stride });

/// A parameter that a config sets.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ParamValue {
    /// Its name, as in its descriptor.
    pub name: Text,
    /// Its value, of the descriptor's type and within its range.
    pub value: Value,
}

plain!(ParamValue { name, value });

/// An array of parameters that a config sets.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct ParamValueArray {
    /// The first element; may be null if `len` is 0.
    pub items: *const ParamValue,
    /// Number of elements.
    pub len: u32,
    /// Bytes from one element to the next.
    pub stride: u32,
}

plain!(ParamValueArray { items, len, stride });
