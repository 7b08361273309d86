//! Properties that hold for any config.

use std::path::Path;

use config::RawConfig;

/// A config is read, or every problem in it is reported with the file's name.
pub(crate) fn configs(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let file = Path::new("fuzz.toml");
    let read = RawConfig::parse(file, text);
    let problems = read.problems.clone();
    match read.resolve() {
        Ok(config) => assert!(problems.is_empty() && config.file == file),
        Err(error) => {
            let words = error.to_string();
            assert!(
                !words.is_empty() && words.lines().count() >= problems.len().max(1),
                "{words}"
            );
            assert!(
                problems
                    .iter()
                    .all(|problem| problem.to_string().starts_with("fuzz.toml: ")),
                "{words}"
            );
        }
    }
}
