//! Arguments with the name of a game, a policy or a language, which shells complete.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use policy_host::GameKind;
use view::page::PageLanguage;

/// Parses the name of a game, as in configs.
pub(super) fn game() -> impl TypedValueParser<Value = GameKind> {
    PossibleValuesParser::new(GameKind::ALL.map(GameKind::name))
        .try_map(|name| name.parse::<GameKind>())
}

/// Parses the code of a page's language.
pub(super) fn language() -> impl TypedValueParser<Value = PageLanguage> {
    PossibleValuesParser::new(PageLanguage::ALL.map(PageLanguage::code)).try_map(|code| {
        let mut all = PageLanguage::ALL.into_iter();
        all.find(|language| language.code() == code)
            .ok_or("no such language")
    })
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
