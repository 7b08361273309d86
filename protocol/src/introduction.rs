//! The name and version that a program may give in its first line.

use serde_json::Value;

/// The name and version of a program, for users.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Introduction {
    /// Empty if the program gives none.
    pub name: String,
    /// Empty if the program gives none.
    pub version: String,
}

impl Introduction {
    /// Reads the keys `name` and `version` of a line that is an object. What is neither a text nor
    /// a number is left out, and added to `warnings`.
    pub fn parse(line: &str, warnings: &mut Vec<String>) -> Self {
        let object: Value = serde_json::from_str(line).unwrap_or_default();
        let mut read = |key: &str| match &object[key] {
            Value::Null => String::new(),
            Value::String(text) if !text.trim().is_empty() => text.clone(),
            Value::Number(number) => number.to_string(),
            other => {
                let found = match other {
                    Value::String(_) => "empty",
                    Value::Array(_) => "a list",
                    Value::Object(_) => "an object",
                    _ => "true or false",
                };
                warnings.push(format!(
                    "`{key}` of its first line is {found}; allowed is a text"
                ));
                String::new()
            }
        };
        Self {
            name: read("name"),
            version: read("version"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_hold_a_name_and_a_version() {
        for (line, name, version) in [
            (
                r#"{"index": 0, "name": "kuma", "version": "2.1"}"#,
                "kuma",
                "2.1",
            ),
            (
                r#"{"type": "none", "name": "kuma", "version": 2.5}"#,
                "kuma",
                "2.5",
            ),
            (r#"{"version": "2.1"}"#, "", "2.1"),
            (r#"{"index": 0, "name": null}"#, "", ""),
            (r#"[{"name": "kuma"}]"#, "", ""),
            ("no JSON", "", ""),
        ] {
            let mut warnings = Vec::new();
            let expected = Introduction {
                name: name.to_owned(),
                version: version.to_owned(),
            };
            assert_eq!(
                (Introduction::parse(line, &mut warnings), warnings),
                (expected, vec![]),
                "{line}"
            );
        }
    }

    #[test]
    fn a_name_that_is_no_text_is_left_out_with_a_warning() {
        let mut warnings = Vec::new();
        for line in [
            r#"{"name": ["kuma"], "version": true}"#,
            r#"{"name": " ", "version": {}}"#,
        ] {
            assert_eq!(
                Introduction::parse(line, &mut warnings),
                Introduction::default()
            );
        }
        let found = [
            ("name", "a list"),
            ("version", "true or false"),
            ("name", "empty"),
            ("version", "an object"),
        ];
        let says = found
            .map(|(key, found)| format!("`{key}` of its first line is {found}; allowed is a text"));
        assert_eq!(warnings, says);
    }
}
