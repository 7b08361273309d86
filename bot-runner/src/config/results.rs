//! The `[results]` section: which database takes the results of ranked games.

use std::path::Path;

use results::DatabaseAddress;

use super::bot_config::{ResultsConfig, folder_of};
use super::password::PasswordSource;
use super::problem::Problem;
use super::section::Section;

/// The folder for results that wait, unless another is named.
pub const SPOOL: &str = "results-waiting";

pub(super) fn read_results(
    file: &Path,
    mut section: Section<'_>,
    problems: &mut Vec<Problem>,
) -> Option<ResultsConfig> {
    let before = problems.len();
    let folder = folder_of(file);
    let database = section.text("database", problems);
    let database = database.map(|text| DatabaseAddress::parse(&text, folder));
    let variable = section.text("password_env", problems);
    let password_file = section.text("password_file", problems);
    let spool = section.text("spool", problems).unwrap_or_else(|| SPOOL.to_owned());
    if spool.is_empty() || spool.contains(char::is_control) {
        let message = format!("found an empty text or a control character; allowed is the path of a folder: {SPOOL:?}");
        problems.push(section.problem("spool", message));
    }
    let password = match (variable, password_file) {
        (Some(_), Some(_)) => {
            problems.push(section.problem("password_env", "password_file is there as well; keep one of the two"));
            None
        }
        (Some(name), None) if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') => {
            Some(PasswordSource::Env(name))
        }
        (Some(_), None) => {
            // Not shown: the password may have been put here by mistake.
            let message = "this is not the name of an environment variable (letters, digits and _ only); the password \
                           itself belongs into the variable, not here";
            problems.push(section.problem("password_env", message));
            None
        }
        (None, Some(path)) => Some(PasswordSource::File(folder.join(path))),
        (None, None) => None,
    };
    let database = match database {
        Some(Ok(database)) => {
            if let Some(password) = password.as_ref().filter(|_| !database.is_server()) {
                let key = if matches!(password, PasswordSource::Env(_)) { "password_env" } else { "password_file" };
                problems.push(section.problem(key, "a file of SQLite's has no password; leave the key out"));
            }
            Some(database)
        }
        Some(Err(message)) => {
            problems.push(section.problem("database", message));
            None
        }
        None if problems.len() == before => {
            let message = "the key is missing; name the database, for instance \"sqlite:results.db\"";
            problems.push(section.problem("database", message));
            None
        }
        None => None,
    };
    section.finish(problems);
    Some(ResultsConfig { database: database?, password, spool: folder.join(spool) })
}
