//! Arguments with the name of a game or a policy, which shells complete.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use policy_host::GameKind;

/// Parses the name of a game, as in configs.
pub(super) fn game() -> impl TypedValueParser<Value = GameKind> {
    PossibleValuesParser::new(GameKind::ALL.map(GameKind::name))
        .try_map(|name| name.parse::<GameKind>())
}

/// The id of any policy. Completions offer the built-in ones; others are allowed as well.
#[derive(Debug, Clone)]
pub(super) struct PolicyId;

impl TypedValueParser for PolicyId {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(builtin::IDS.iter().map(PossibleValue::new)))
    }
}
