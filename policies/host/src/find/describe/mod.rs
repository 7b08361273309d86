//! A library's description of its policies, checked and converted to our own types.

use std::collections::HashSet;
use std::fmt;

use policy_abi::descriptor::{CreateFn, DecideFn, DestroyFn, GetExtensionFn, PolicyDescriptor};
use policy_abi::layout::read_element;
use policy_abi::params::{
    PARAM_TUNABLE, ParamDescriptor, VALUE_BOOLEAN, VALUE_CHOICE, VALUE_INTEGER, VALUE_NONE,
    VALUE_NUMBER, VALUE_PATH, VALUE_TEXT, Value,
};
use policy_abi::text::Text;
use serde::{Deserialize, Serialize};

use crate::find::origin::Origin;
use crate::games::GameKind;
use crate::policy_config::is_policy_id;
use foreign_text::escaped;
use mistakes::{did_you_mean, listed};

pub(crate) const MAX_POLICIES: u32 = 256;
/// Maximum number of parameters of a policy, and of choices of a parameter.
const MAX_PARAMETERS: u32 = 256;
/// Maximum length of a text that a library gives, in bytes.
const MAX_TEXT_BYTES: u64 = 4096;
/// Maximum number of characters that are kept of a name or a version, of a build id, and of other
/// texts for users.
pub(crate) const MAX_NAME: usize = 64;
const MAX_BUILD_ID: usize = 200;
const MAX_SENTENCES: usize = 1000;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Description {
    pub build_id: String,
    /// The minor version of the boundary that it supports; the major one equals ours.
    pub abi_minor: u32,
    pub policies: Vec<PolicyInfo>,
}

/// Why a library has no policy of this id, and what it has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSuchPolicy {
    #[error("{origin} holds no policy {id:?}; it holds {known}{like}")]
    Unknown {
        origin: Origin,
        id: String,
        known: String,
        /// The nearest one, as a question.
        like: String,
    },
    /// No id is given.
    #[error("{origin} holds several policies; say which: {known}")]
    Several { origin: Origin, known: String },
}

impl Description {
    /// The index of the policy with this id; without one, of the only policy. `origin` is the
    /// origin of the library.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn index_of(&self, id: Option<&str>, origin: &Origin) -> Result<usize, NoSuchPolicy> {
        let ids: Vec<&str> = self
            .policies
            .iter()
            .map(|policy| policy.id.as_str())
            .collect();
        match (id, ids.as_slice()) {
            (Some(id), _) => {
                ids.iter()
                    .position(|&known| known == id)
                    .ok_or_else(|| NoSuchPolicy::Unknown {
                        origin: origin.clone(),
                        id: id.to_owned(),
                        known: listed(&ids),
                        like: did_you_mean(id, ids.iter().copied()),
                    })
            }
            (None, [_]) => Ok(0),
            (None, _) => Err(NoSuchPolicy::Several {
                origin: origin.clone(),
                known: listed(&ids),
            }),
        }
    }

    /// The description with everything that the runner relies on: each number and text is within
    /// its bounds, and texts for users are escaped and cut, so that a library cannot begin new
    /// lines in messages. The one check for the libraries of this process and for those that
    /// another process describes.
    ///
    /// # Errors
    ///
    /// What is out of bounds.
    pub(crate) fn checked(mut self) -> Result<Self, String> {
        let policies = self.policies.len();
        if !(1..=MAX_POLICIES as usize).contains(&policies) {
            return Err(format!(
                "there are {policies} policies; allowed are 1 to {MAX_POLICIES}"
            ));
        }
        check_text("the build id", &self.build_id)?;
        self.build_id = shown_up_to(MAX_BUILD_ID, &self.build_id);
        self.policies = self
            .policies
            .into_iter()
            .map(PolicyInfo::checked)
            .collect::<Result<_, _>>()?;
        match twice(self.policies.iter().map(|policy| policy.id.as_str())) {
            Some(id) => Err(format!("two policies are called {id:?}")),
            None => Ok(self),
        }
    }
}

/// A library's description of one of its policies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PolicyInfo {
    /// Its name in configs.
    pub id: String,
    /// Its name for users.
    pub name: String,
    pub version: String,
    pub summary: String,
    /// The code of its game, which a runner older than the library may not know.
    pub game: u32,
    /// The numbers of players: one bit for each.
    pub players: u32,
    pub params: Vec<ParamInfo>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Functions {
    pub(crate) create: CreateFn,
    pub(crate) decide: DecideFn,
    pub(crate) destroy: DestroyFn,
    pub(crate) get_extension: Option<GetExtensionFn>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParamInfo {
    /// Its key.
    pub name: String,
    pub help: String,
    pub kind: ParamKind,
    /// Its default as text, if it has one.
    pub default: Option<String>,
    /// Whether `tune` may search for a better value.
    pub tunable: bool,
}

/// Type and range of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ParamKind {
    /// A whole number from the first to the second.
    Integer(i64, i64),
    /// A number from the first to the second.
    Number(
        #[serde(with = "float_bits")] f64,
        #[serde(with = "float_bits")] f64,
    ),
    Boolean,
    Text,
    Choice(Vec<String>),
    /// A path, relative to the config.
    Path,
}

/// The allowed values, in words.
impl fmt::Display for ParamKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(i64::MIN, i64::MAX) => f.write_str("whole numbers"),
            Self::Integer(min, max) => write!(f, "whole numbers from {min} to {max}"),
            Self::Number(min, max) => write!(f, "numbers from {min} to {max}"),
            Self::Boolean => f.write_str("true and false"),
            Self::Text => f.write_str("a text in quotes"),
            Self::Choice(choices) => {
                let quoted: Vec<String> =
                    choices.iter().map(|choice| format!("{choice:?}")).collect();
                f.write_str(&quoted.join(", "))
            }
            Self::Path => f.write_str("a path in quotes, relative to the config"),
        }
    }
}

/// A float as its bits in JSON: a range may be infinite, which JSON cannot express, and a parameter
/// must be transferred exactly.
pub(crate) mod float_bits {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.to_bits().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}

impl PolicyInfo {
    fn checked(self) -> Result<Self, String> {
        let Self {
            id,
            name,
            version,
            summary,
            game,
            players,
            params,
        } = self;
        check_id(&id)?;
        let within = |what: &str, most, text: &str| {
            check_text(what, text)
                .map(|()| shown_up_to(most, text))
                .map_err(|why| format!("policy {id}: {why}"))
        };
        if params.len() > MAX_PARAMETERS as usize {
            return Err(format!(
                "policy {id}: {} parameters; at most {MAX_PARAMETERS} are allowed",
                params.len()
            ));
        }
        let params: Vec<ParamInfo> = params
            .into_iter()
            .map(|param| param.checked().map_err(|why| format!("policy {id}: {why}")))
            .collect::<Result<_, _>>()?;
        if let Some(name) = twice(params.iter().map(|param| param.name.as_str())) {
            return Err(format!("policy {id}: two parameters are called {name:?}"));
        }
        let (name, version) = (
            within("the name", MAX_NAME, &name)?,
            within("the version", MAX_NAME, &version)?,
        );
        let summary = within("the summary", MAX_SENTENCES, &summary)?;
        Ok(Self {
            id,
            name,
            version,
            summary,
            game,
            players,
            params,
        })
    }

    /// Reads a descriptor: the description, and the functions.
    ///
    /// # Safety
    ///
    /// Its pointers must be valid, as the boundary requires.
    pub(crate) unsafe fn read(descriptor: &PolicyDescriptor) -> Result<(Self, Functions), String> {
        // SAFETY: the texts are the descriptor's.
        let [id, name, version, summary] = unsafe {
            [
                text(descriptor.id, "id")?,
                text(descriptor.name, "name")?,
                text(descriptor.version, "version")?,
                text(descriptor.summary, "summary")?,
            ]
        };
        let array = descriptor.params;
        if array.len > MAX_PARAMETERS || (array.len > 0 && array.items.is_null()) {
            return Err(format!(
                "policy {id}: {} parameters at {:?}",
                array.len, array.items
            ));
        }
        let params = (0..array.len)
            .map(|index| {
                // SAFETY: the array has that many elements, `stride` bytes apart, and their
                // pointers are the library's.
                unsafe { read_param(&read_element(array.items, array.stride, index)) }
            })
            .collect::<Result<Vec<_>, String>>()
            .map_err(|message| format!("policy {id}: {message}"))?;
        let PolicyDescriptor {
            create,
            decide,
            destroy,
            get_extension,
            game,
            players,
            ..
        } = *descriptor;
        let (Some(create), Some(decide), Some(destroy)) = (create, decide, destroy) else {
            return Err(format!("policy {id}: a function is missing"));
        };
        let functions = Functions {
            create,
            decide,
            destroy,
            get_extension,
        };
        Ok((
            Self {
                id,
                name,
                version,
                summary,
                game,
                players,
                params,
            },
            functions,
        ))
    }

    /// Its game; `None` if this runner does not know it.
    pub fn game(&self) -> Option<GameKind> {
        GameKind::from_code(self.game)
    }

    pub fn game_name(&self) -> String {
        match self.game() {
            Some(game) => game.to_string(),
            None => format!("a game unknown to this runner (code {})", self.game),
        }
    }

    pub const fn plays(&self, players: u8) -> bool {
        players < 32 && self.players & (1 << players) != 0
    }

    /// The number of players, for users.
    pub const fn plays_with(&self) -> &'static str {
        match (self.plays(4), self.plays(3)) {
            (true, true) => "four players or three",
            (true, false) => "four players",
            (false, true) => "three players",
            (false, false) => "no number of players, since its descriptor names none",
        }
    }
}

impl ParamInfo {
    fn checked(self) -> Result<Self, String> {
        let Self {
            name,
            help,
            kind,
            default,
            tunable,
        } = self;
        check_text("a parameter's name", &name)?;
        let name = escaped(name.as_bytes());
        // A key that is cut would be another one.
        check_text("a parameter's name", &name)?;
        let of_it = |why: String| format!("parameter {name}: {why}");
        check_text("its help", &help).map_err(of_it)?;
        let has_values = match &kind {
            ParamKind::Integer(min, max) => min <= max,
            // Infinite ends mean no limit.
            ParamKind::Number(min, max) => min <= max,
            ParamKind::Boolean | ParamKind::Text | ParamKind::Path => true,
            ParamKind::Choice(choices) => {
                if choices.len() > MAX_PARAMETERS as usize {
                    let why = format!(
                        "{} choices; at most {MAX_PARAMETERS} are allowed",
                        choices.len()
                    );
                    return Err(of_it(why));
                }
                choices
                    .iter()
                    .try_for_each(|choice| check_text("a choice", choice))
                    .map_err(of_it)?;
                true
            }
        };
        if tunable && !has_values {
            return Err(of_it(
                "it is tunable, and its range allows no value".to_owned(),
            ));
        }
        if let Some(default) = &default {
            // In quotes and with escapes it may be longer than what the library says.
            if default.len() > 8 * MAX_TEXT_BYTES as usize || !kind.allows(default) {
                return Err(of_it(
                    "its default is not a value that it allows".to_owned(),
                ));
            }
        }
        let is_number = matches!(kind, ParamKind::Integer(..) | ParamKind::Number(..));
        let default = default.map(|default| shown_up_to(MAX_SENTENCES, &default));
        Ok(Self {
            help: shown_up_to(MAX_SENTENCES, &help),
            name,
            kind,
            default,
            tunable: tunable && is_number,
        })
    }
}

impl ParamKind {
    /// Whether it allows a value in the form of [`ParamInfo::default`].
    fn allows(&self, value: &str) -> bool {
        match self {
            Self::Integer(min, max) => value
                .parse()
                .is_ok_and(|number| (*min..=*max).contains(&number)),
            Self::Number(min, max) => value
                .parse()
                .is_ok_and(|number| (*min..=*max).contains(&number)),
            Self::Boolean => matches!(value, "true" | "false"),
            Self::Text | Self::Path => {
                value.len() >= 2 && value.starts_with('"') && value.ends_with(['"', '…'])
            }
            Self::Choice(choices) => choices.iter().any(|choice| {
                let quoted = format!("{choice:?}");
                value == quoted || value == shown_up_to(MAX_SENTENCES, &quoted)
            }),
        }
    }
}

/// Checks the length of a text that a library gives.
fn check_text(what: &str, text: &str) -> Result<(), String> {
    match text.len() as u64 {
        0..=MAX_TEXT_BYTES => Ok(()),
        length => Err(format!(
            "{what} is {length} bytes long; at most {MAX_TEXT_BYTES} are allowed"
        )),
    }
}

/// A text for users on one line: escaped, and cut to this many characters. Doing it twice changes
/// nothing more.
pub(crate) fn shown_up_to(most: usize, text: &str) -> String {
    let line = escaped(text.as_bytes());
    match line.char_indices().nth(most) {
        Some(_) => line.chars().take(most - 1).chain(['…']).collect(),
        None => line,
    }
}

fn check_id(id: &str) -> Result<(), String> {
    check_text("a policy's id", id)?;
    if is_policy_id(id) {
        Ok(())
    } else {
        Err(format!(
            "a policy's id is {id:?}; allowed are a-z, 0-9 and -"
        ))
    }
}

/// # Safety
///
/// As for [`PolicyInfo::read`].
unsafe fn read_param(descriptor: &ParamDescriptor) -> Result<ParamInfo, String> {
    // SAFETY: the texts and the choices are the descriptor's.
    unsafe {
        let name = text(descriptor.name, "parameter name")?;
        let kind = match descriptor.kind {
            VALUE_INTEGER => ParamKind::Integer(descriptor.integer_min, descriptor.integer_max),
            VALUE_NUMBER => ParamKind::Number(descriptor.number_min, descriptor.number_max),
            VALUE_BOOLEAN => ParamKind::Boolean,
            VALUE_TEXT => ParamKind::Text,
            VALUE_PATH => ParamKind::Path,
            VALUE_CHOICE => {
                let array = descriptor.choices;
                if array.len > MAX_PARAMETERS || (array.len > 0 && array.items.is_null()) {
                    return Err(format!(
                        "parameter {name}: {} choices at {:?}",
                        array.len, array.items
                    ));
                }
                let choices = (0..array.len)
                    .map(|index| text(read_element(array.items, array.stride, index), "choice"));
                ParamKind::Choice(choices.collect::<Result<_, _>>()?)
            }
            other => return Err(format!("parameter {name} is of the unknown type {other}")),
        };
        if ![VALUE_NONE, descriptor.kind].contains(&descriptor.default_value.kind) {
            return Err(format!(
                "parameter {name}: its default is not a value that it allows"
            ));
        }
        let default = default_text(&descriptor.default_value)?;
        let tunable = descriptor.flags & PARAM_TUNABLE != 0;
        Ok(ParamInfo {
            help: text(descriptor.help, "help")?,
            name,
            kind,
            default,
            tunable,
        })
    }
}

/// The first duplicate name.
pub(crate) fn twice<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut seen = HashSet::new();
    names.into_iter().find(|&name| !seen.insert(name))
}

/// # Safety
///
/// As for [`PolicyInfo::read`].
unsafe fn default_text(value: &Value) -> Result<Option<String>, String> {
    Ok(match value.kind {
        VALUE_INTEGER => Some(value.integer.to_string()),
        VALUE_NUMBER => Some(value.number.to_string()),
        VALUE_BOOLEAN => Some((value.boolean != 0).to_string()),
        VALUE_TEXT | VALUE_CHOICE | VALUE_PATH => {
            // SAFETY: the text is the descriptor's.
            Some(format!("{:?}", unsafe { text(value.text, "default") }?))
        }
        _ => None,
    })
}

/// # Safety
///
/// The text's bytes must be readable.
pub(crate) unsafe fn text(text: Text, what: &str) -> Result<String, String> {
    if text.len > MAX_TEXT_BYTES {
        return Err(format!("the {what} claims to be {} bytes long", text.len));
    }
    // SAFETY: by the caller's word; the bytes are copied before anything else is called.
    let read = unsafe { text.read() };
    read.map(str::to_owned)
        .map_err(|_| format!("the {what} is not UTF-8"))
}

#[cfg(test)]
mod tests;
