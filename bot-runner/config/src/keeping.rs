//! The `[records]` and `[results]` sections: storage of ranked games.

use client::records::Retention;
use policy_section::{Section, folder_of};
use results::DatabaseAddress;

use super::bot_config::{RecordsConfig, ResultsConfig};
use super::secret::SecretKeys;

/// The folder for results that wait, unless another is named.
pub const SPOOL: &str = "results-waiting";

pub(super) fn read_records(mut section: Section<'_>) -> RecordsConfig {
    let folder = section.folder("folder", "records");
    let days = section.whole("keep_days", "days", 1..=36_500);
    let mib = section.whole("keep_mib", "MiB", 1..=1 << 30);
    section.finish();
    RecordsConfig {
        folder,
        retention: Retention::of(days, mib),
    }
}

pub(super) fn read_results(mut section: Section<'_>) -> Option<ResultsConfig> {
    let database = section.text("database");
    let password = SecretKeys::PASSWORD.read(&mut section);
    let spool = section.folder("spool", SPOOL);
    let database = match database.map(|text| DatabaseAddress::parse(&text, folder_of(section.file)))
    {
        Some(Ok(database)) => {
            if let Some(password) = password.as_ref().filter(|_| !database.is_server()) {
                let key = password.key().rsplit('.').next().unwrap_or_default();
                section.refuse(key, "a file of SQLite's has no password; leave the key out");
            }
            Some(database)
        }
        Some(Err(bad)) => {
            section.refuse("database", bad.to_string());
            None
        }
        None => {
            let message =
                "the key is missing; name the database, for instance \"sqlite:results.db\"";
            section.refuse_missing("database", message);
            None
        }
    };
    section.finish();
    Some(ResultsConfig {
        database: database?,
        password,
        spool,
    })
}
