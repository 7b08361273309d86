//! The `[results]` section: which database takes the results of ranked games.

use std::path::Path;

use results::DatabaseAddress;

use super::bot_config::{ResultsConfig, folder_of};
use super::problem::Problem;
use super::secret::SecretKeys;
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
    let password = SecretKeys::PASSWORD.read(&mut section, folder, problems);
    let spool = section.text("spool", problems).unwrap_or_else(|| SPOOL.to_owned());
    if spool.is_empty() || spool.contains(char::is_control) {
        let message = format!("found an empty text or a control character; allowed is the path of a folder: {SPOOL:?}");
        problems.push(section.problem("spool", message));
    }
    let database = match database {
        Some(Ok(database)) => {
            if let Some(password) = password.as_ref().filter(|_| !database.is_server()) {
                problems.push(Problem::new(
                    file,
                    password.key(),
                    "a file of SQLite's has no password; leave the key out",
                ));
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
