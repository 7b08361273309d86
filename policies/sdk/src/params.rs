//! Parameters: their declarations and given values.
#![allow(
    unsafe_code,
    reason = "descriptors hold C strings and arrays, and values come over the boundary"
)]

use std::path::{Path, PathBuf};

use policy_abi::layout;
use policy_abi::params::{
    PARAM_TUNABLE, ParamDescriptor, ParamValueArray, VALUE_BOOLEAN, VALUE_CHOICE, VALUE_INTEGER,
    VALUE_NUMBER, VALUE_PATH, VALUE_TEXT, Value,
};
use policy_abi::text::{Text, TextArray};

use crate::error::BadParameter;

/// An allowed text of a parameter.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Choice(Text);

impl Choice {
    /// A choice with this text.
    pub const fn new(text: &'static str) -> Self {
        Self(Text::new(text))
    }
}

/// A parameter that a policy takes.
///
/// ```
/// use policy_sdk::{BadParameter, Choice, Param, Params};
///
/// const PARAMS: &[Param] = &[
///     Param::integer("fold_from", 2, 0, 6, "Shanten number from which it folds against a riichi."),
///     Param::number("caution", 1.0, 0.0, 4.0, "How much a danger weighs.").tunable(),
///     Param::choice("style", "closed", &[Choice::new("closed"), Choice::new("open")], "Whether it calls."),
///     Param::path("weights", "A file; without one it uses its own."),
/// ];
///
/// /// In `create`; a parameter that the config leaves out has its default.
/// fn read(params: &Params) -> Result<(i64, f64, bool), BadParameter> {
///     Ok((params.integer("fold_from")?, params.number("caution")?, params.choice("style")? == "open"))
/// }
/// ```
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Param(ParamDescriptor);

impl Param {
    const fn new(name: &'static str, kind: u32, default: Value, help: &'static str) -> Self {
        Self(ParamDescriptor {
            name: Text::new(name),
            help: Text::new(help),
            kind,
            flags: 0,
            default_value: default,
            integer_min: 0,
            integer_max: 0,
            number_min: 0.0,
            number_max: 0.0,
            choices: TextArray {
                items: std::ptr::null(),
                len: 0,
                stride: size_of::<Text>() as u32,
            },
        })
    }

    /// A whole number from `min` to `max`.
    pub const fn integer(
        name: &'static str,
        default: i64,
        min: i64,
        max: i64,
        help: &'static str,
    ) -> Self {
        let mut param = Self::new(name, VALUE_INTEGER, Value::integer(default), help);
        param.0.integer_min = min;
        param.0.integer_max = max;
        param
    }

    /// A number from `min` to `max`.
    pub const fn number(
        name: &'static str,
        default: f64,
        min: f64,
        max: f64,
        help: &'static str,
    ) -> Self {
        let mut param = Self::new(name, VALUE_NUMBER, Value::number(default), help);
        param.0.number_min = min;
        param.0.number_max = max;
        param
    }

    /// True or false.
    pub const fn boolean(name: &'static str, default: bool, help: &'static str) -> Self {
        Self::new(name, VALUE_BOOLEAN, Value::boolean(default), help)
    }

    /// Text.
    pub const fn text(name: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::new(name, VALUE_TEXT, Value::text(VALUE_TEXT, default), help)
    }

    /// Text that has no default: the config must set it.
    pub const fn required_text(name: &'static str, help: &'static str) -> Self {
        Self::new(name, VALUE_TEXT, Value::NONE, help)
    }

    /// One of `choices`.
    pub const fn choice(
        name: &'static str,
        default: &'static str,
        choices: &'static [Choice],
        help: &'static str,
    ) -> Self {
        let mut param = Self::new(name, VALUE_CHOICE, Value::text(VALUE_CHOICE, default), help);
        param.0.choices.items = choices.as_ptr().cast();
        param.0.choices.len = choices.len() as u32;
        param
    }

    /// An optional path, without a default.
    pub const fn path(name: &'static str, help: &'static str) -> Self {
        Self::new(name, VALUE_PATH, Value::NONE, help)
    }

    /// Marks a number or whole number as tunable: `bot-runner tune` may search for a better value.
    #[must_use]
    pub const fn tunable(mut self) -> Self {
        assert!(
            matches!(self.0.kind, VALUE_INTEGER | VALUE_NUMBER),
            "only numbers can be tuned"
        );
        self.0.flags |= PARAM_TUNABLE;
        self
    }

    fn name(&self) -> &'static str {
        own_text(self.0.name)
    }

    fn choices(&self) -> impl Iterator<Item = &'static str> {
        let TextArray { items, len, stride } = self.0.choices;
        // SAFETY: the array was made from a static slice by `choice`.
        (0..len).map(move |index| own_text(unsafe { layout::read_element(items, stride, index) }))
    }

    /// The allowed values, in words.
    fn allowed(&self) -> String {
        match self.0.kind {
            VALUE_INTEGER => format!(
                "a whole number from {} to {}",
                self.0.integer_min, self.0.integer_max
            ),
            VALUE_NUMBER => format!(
                "a number from {} to {}",
                self.0.number_min, self.0.number_max
            ),
            VALUE_BOOLEAN => "true or false".to_owned(),
            VALUE_TEXT => "text".to_owned(),
            VALUE_CHOICE => format!("one of {}", self.choices().collect::<Vec<_>>().join(", ")),
            _ => "a path".to_owned(),
        }
    }

    /// The value as a setting, if it has the right type and is in range.
    fn check(&self, value: &Value, text: &str) -> Option<GivenValue> {
        if value.kind != self.0.kind {
            return None;
        }
        match value.kind {
            VALUE_INTEGER => (self.0.integer_min..=self.0.integer_max)
                .contains(&value.integer)
                .then_some(GivenValue::Integer(value.integer)),
            VALUE_NUMBER => (self.0.number_min..=self.0.number_max)
                .contains(&value.number)
                .then_some(GivenValue::Number(value.number)),
            VALUE_BOOLEAN => Some(GivenValue::Boolean(value.boolean != 0)),
            VALUE_TEXT => Some(GivenValue::Text(text.to_owned())),
            VALUE_CHOICE => self
                .choices()
                .find(|&choice| choice == text)
                .map(GivenValue::Choice),
            VALUE_PATH => Some(GivenValue::Path(PathBuf::from(text))),
            _ => None,
        }
    }

    /// The default value.
    fn default(&self) -> Option<GivenValue> {
        self.check(&self.0.default_value, own_text(self.0.default_value.text))
    }
}

/// A text of this crate's own descriptor.
fn own_text(text: Text) -> &'static str {
    // SAFETY: every text in a `Param` was made from a static string.
    unsafe { text.read() }.unwrap_or_default()
}

#[derive(Debug, Clone, PartialEq)]
enum GivenValue {
    Integer(i64),
    Number(f64),
    Boolean(bool),
    Text(String),
    Choice(&'static str),
    Path(PathBuf),
}

/// The parameters of an instance, with defaults for those that are not set.
#[derive(Debug, Clone)]
pub struct Params(Vec<(&'static str, Option<GivenValue>)>);

impl Params {
    /// The given values, checked, and the defaults of the others.
    ///
    /// # Safety
    ///
    /// The array and the texts in it must keep their promises during the call.
    pub(crate) unsafe fn read(
        known: &'static [Param],
        given: &ParamValueArray,
    ) -> Result<Self, BadParameter> {
        let mut settings: Vec<_> = known
            .iter()
            .map(|param| (param.name(), param.default()))
            .collect();
        let len = if given.items.is_null() { 0 } else { given.len };
        for index in 0..len {
            // SAFETY: the caller vouches for the array.
            let given = unsafe { layout::read_element(given.items, given.stride, index) };
            // SAFETY: the caller vouches for the texts.
            let (name, text) = unsafe { (given.name.read(), given.value.text.read()) };
            let bad = |found: String, allowed: String| BadParameter {
                name: name.unwrap_or("?").to_owned(),
                found,
                allowed,
            };
            let Some(place) = known.iter().position(|param| name == Ok(param.name())) else {
                let names: Vec<_> = known.iter().map(Param::name).collect();
                return Err(bad("unknown".to_owned(), names.join(", ")));
            };
            let param = &known[place];
            let text = text.map_err(|_| bad("not UTF-8".to_owned(), param.allowed()))?;
            let setting = param
                .check(&given.value, text)
                .ok_or_else(|| bad(shown(&given.value, text), param.allowed()))?;
            settings[place].1 = Some(setting);
        }
        Ok(Self(settings))
    }

    /// The value of a whole number.
    ///
    /// # Errors
    ///
    /// If the policy has not declared a parameter of this name and type. The other accessors have
    /// the same error.
    pub fn integer(&self, name: &str) -> Result<i64, BadParameter> {
        self.find(name, "a whole number", |setting| match setting {
            Some(GivenValue::Integer(value)) => Some(*value),
            _ => None,
        })
    }

    /// The value of a number.
    ///
    /// # Errors
    ///
    /// As for [`integer`](Self::integer).
    pub fn number(&self, name: &str) -> Result<f64, BadParameter> {
        self.find(name, "a number", |setting| match setting {
            Some(GivenValue::Number(value)) => Some(*value),
            _ => None,
        })
    }

    /// The value of a boolean.
    ///
    /// # Errors
    ///
    /// As for [`integer`](Self::integer).
    pub fn boolean(&self, name: &str) -> Result<bool, BadParameter> {
        self.find(name, "true or false", |setting| match setting {
            Some(GivenValue::Boolean(value)) => Some(*value),
            _ => None,
        })
    }

    /// The value of a text.
    ///
    /// # Errors
    ///
    /// As for [`integer`](Self::integer).
    pub fn text(&self, name: &str) -> Result<&str, BadParameter> {
        self.find(name, "text", |setting| match setting {
            Some(GivenValue::Text(value)) => Some(value.as_str()),
            _ => None,
        })
    }

    /// The chosen text.
    ///
    /// # Errors
    ///
    /// As for [`integer`](Self::integer).
    pub fn choice(&self, name: &str) -> Result<&'static str, BadParameter> {
        self.find(name, "one of a list", |setting| match setting {
            Some(GivenValue::Choice(value)) => Some(*value),
            _ => None,
        })
    }

    /// A complete path; `None` if it is not set.
    ///
    /// # Errors
    ///
    /// As for [`integer`](Self::integer).
    pub fn path(&self, name: &str) -> Result<Option<&Path>, BadParameter> {
        self.find(name, "a path", |setting| match setting {
            Some(GivenValue::Path(value)) => Some(Some(value.as_path())),
            None => Some(None),
            _ => None,
        })
    }

    fn find<'a, T>(
        &'a self,
        name: &str,
        allowed: &str,
        typed: impl Fn(Option<&'a GivenValue>) -> Option<T>,
    ) -> Result<T, BadParameter> {
        let setting = self
            .0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, setting)| setting.as_ref());
        let found = match setting {
            None => "not described by the policy",
            Some(None) => "missing",
            Some(Some(_)) => "described as another type",
        };
        setting.and_then(typed).ok_or_else(|| BadParameter {
            name: name.to_owned(),
            found: found.to_owned(),
            allowed: allowed.to_owned(),
        })
    }
}

/// A given value as text for users.
fn shown(value: &Value, text: &str) -> String {
    match value.kind {
        VALUE_INTEGER => value.integer.to_string(),
        VALUE_NUMBER => value.number.to_string(),
        VALUE_BOOLEAN => (value.boolean != 0).to_string(),
        VALUE_TEXT | VALUE_CHOICE | VALUE_PATH => format!("`{text}`"),
        kind => format!("of the unknown type {kind}"),
    }
}
