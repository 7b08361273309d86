//! A finding about an event of a record: a field that is not what the rules say.

use std::borrow::Cow;
use std::fmt;

/// The weight of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FindingKind {
    /// It cannot have happened by any known rules.
    Impossible,
    /// An error that some arena or program is known to make. The record is read as if it had not
    /// made it.
    KnownError,
}

/// A field of an event that is not what the rules say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Its weight.
    pub kind: FindingKind,
    /// The field, by its name in records, such as `outcome.winner`; `type` if the event itself is
    /// impossible.
    pub field: Cow<'static, str>,
    /// The value found, as a record has it.
    pub found: String,
    /// The right value or the reason, as a clause: `should be 2000`, `the hand has no yaku`.
    pub right: String,
}

impl Finding {
    /// A value that should be another one.
    pub fn value(
        field: impl Into<Cow<'static, str>>,
        found: impl fmt::Display,
        right: impl fmt::Display,
    ) -> Self {
        Self::because(field, found, format!("should be {right}"))
    }

    /// A value that is impossible for this reason.
    pub fn because(
        field: impl Into<Cow<'static, str>>,
        found: impl fmt::Display,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            kind: FindingKind::Impossible,
            field: field.into(),
            found: found.to_string(),
            right: reason.into(),
        }
    }

    /// The same as an error that some arena or program is known to make, in these words.
    #[must_use]
    pub fn known(self, words: &str) -> Self {
        Self {
            kind: FindingKind::KnownError,
            right: format!("{}: {words}", self.right),
            ..self
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            field,
            found,
            right,
            ..
        } = self;
        write!(f, "`{field}` is given as {found}, but {right}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_the_field_its_value_and_what_is_right() {
        assert_eq!(
            Finding::value("oya", 2, 1).to_string(),
            "`oya` is given as 2, but should be 1"
        );
        let reason = Finding::because("type", "hora", "the hand has no yaku");
        assert_eq!(
            reason.to_string(),
            "`type` is given as hora, but the hand has no yaku"
        );
        let known = reason.known("an old engine allowed it");
        assert_eq!(
            known.right,
            "the hand has no yaku: an old engine allowed it"
        );
        assert_eq!(known.kind, FindingKind::KnownError);
    }
}
