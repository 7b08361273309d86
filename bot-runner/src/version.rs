//! The version of the program.

use std::sync::LazyLock;

/// The version, with the commit of the build if it is known: `1.0.0 (0123456789ab)`.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| match option_env!("BOT_RUNNER_COMMIT") {
        Some(commit) if !commit.is_empty() => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
        _ => env!("CARGO_PKG_VERSION").to_owned(),
    });
    &VERSION
}
