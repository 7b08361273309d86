//! The database options of a command.

use std::path::Path;

use anyhow::{Context, bail};
use config::{Problems, RawConfig, SecretKeys};
use results::DatabaseAddress;
use secrecy::SecretString;

use crate::cli::DatabaseArgs;

const DEFAULT: &str = "sqlite:results.db";

/// The database of these options, with its password.
///
/// # Errors
///
/// If the config or the address is invalid, or the password cannot be read.
pub(super) fn database(
    args: &DatabaseArgs,
) -> anyhow::Result<(DatabaseAddress, Option<SecretString>)> {
    let Some(config) = &args.config else {
        let text = args.results.as_deref().unwrap_or(DEFAULT);
        let address = DatabaseAddress::parse(text, Path::new("")).context("--results")?;
        let source = match (&args.password_env, &args.password_file) {
            (Some(name), _) => Some(SecretKeys::PASSWORD_OPTIONS.in_variable(name.clone())),
            (None, Some(path)) => Some(SecretKeys::PASSWORD_OPTIONS.in_file(path.clone())),
            (None, None) => None,
        };
        let password = source
            .map(|source| source.password().context(source.key()))
            .transpose()?;
        return Ok((address, password));
    };
    let mut raw = RawConfig::load(config);
    let Some(section) = raw.results.take() else {
        // Problems elsewhere in the file do not matter, unless they explain a missing section.
        raw.problems
            .retain(|problem| problem.key.is_empty() || problem.key.starts_with("results"));
        if raw.problems.is_empty() {
            bail!(
                "{}: the section [results] is missing; add it with database = \"sqlite:results.db\", or name the database \
                 by --results",
                config.display()
            );
        }
        return Err(Problems(raw.problems).into());
    };
    let password = section.password.as_ref().map(|source| {
        source
            .password()
            .with_context(|| format!("{}: {}", config.display(), source.key()))
    });
    Ok((section.database, password.transpose()?))
}
