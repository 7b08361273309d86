//! Results that are kept in a database, and asked.

mod kills;
mod ladder;
mod lost;
mod stats;
mod tournaments;

use std::fs;
use std::path::{Path, PathBuf};

use results::{DatabaseAddress, ResultKind, ResultRow, ResultsFilter, open, open_to_read};

pub(crate) fn kept(path: &Path, kind: ResultKind) -> Vec<ResultRow> {
    let filter = ResultsFilter {
        kind,
        bot: None,
        policy: None,
        arena: None,
        game: None,
        since_ms: i64::MIN,
    };
    let mut found = Vec::new();
    let address = DatabaseAddress::Sqlite(path.to_owned());
    let mut store = open_to_read(&address, None).expect("the database is there");
    store
        .read(&filter, &mut |result| {
            found.push(result.expect("a runner has written it"))
        })
        .expect("it can be read");
    found
}

/// The files in a spool, in it and in the folders of its databases.
fn waiting(spool: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    };
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        entries(spool).partition(|path| path.is_dir());
    files.extend(folders.iter().flat_map(|folder| entries(folder)));
    files
}

fn write(path: &Path, games: &[ResultRow]) {
    let mut store = open(&DatabaseAddress::Sqlite(path.to_owned()), None).expect("it can be made");
    store.write(games).expect("it can be written");
}
