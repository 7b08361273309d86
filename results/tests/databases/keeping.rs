//! Results on their way into a database that may be away.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use results::{DatabaseAddress, KeptCounts, KeptResult, ResultsKeeper, open_to_read, usable_spool};
use secrecy::SecretString;
use tempfile::TempDir;

use crate::common::{all, game, read};
use crate::server::{PASSWORD, Server};

const LONG: Duration = Duration::from_secs(60);

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn keeper(folder: &Path) -> ResultsKeeper {
    ResultsKeeper::start(file(folder), None, &folder.join("spool")).expect("there are threads")
}

fn file(folder: &Path) -> DatabaseAddress {
    DatabaseAddress::parse("sqlite:db/results.db", folder).expect("an address")
}

fn kept(address: &DatabaseAddress, password: Option<&SecretString>) -> Vec<KeptResult> {
    read(&mut *open_to_read(address, password).expect("it is there"), &all())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_game_that_is_handed_over_is_in_the_database_and_no_longer_in_the_spool() {
    let folder = folder();
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(1)]);
    keeper.keep(vec![game(2), game(3)]);
    keeper.keep(vec![game(1)]);
    let KeptCounts { waiting, lost, .. } = keeper.finish(LONG);
    assert_eq!((waiting, lost), (0, 0));
    assert_eq!(kept(&file(folder.path()), None), [game(1), game(2), game(3)]);
    assert_eq!(names(&folder.path().join("spool")), Vec::<String>::new());
}

#[test]
fn games_wait_on_disk_while_the_database_is_away_and_the_next_process_writes_them() {
    let folder = folder();
    // Nothing can be made below a file.
    fs::write(folder.path().join("db"), "").expect("it can be written");
    let first = keeper(folder.path());
    first.keep(vec![game(1)]);
    first.keep(vec![game(2)]);
    assert_eq!(first.finish(LONG), KeptCounts { written: 0, waiting: 2, lost: 0 });
    drop(first);
    fs::remove_file(folder.path().join("db")).expect("it is there");
    let second = keeper(folder.path());
    // Whoever wrote them: the last thing that the first one does is to try once more.
    assert_eq!(second.finish(LONG).waiting, 0);
    assert_eq!(kept(&file(folder.path()), None), [game(1), game(2)]);
}

#[test]
fn a_process_that_was_killed_between_the_database_and_the_spool_leaves_no_game_twice() {
    let folder = folder();
    let first = keeper(folder.path());
    first.keep(vec![game(1)]);
    assert_eq!(first.finish(LONG).written, 1);
    // As the one that was killed left it: written, and not removed from the spool.
    let away = folder.path().join("away");
    fs::create_dir(&away).expect("it can be made");
    fs::write(away.join("db"), "").expect("it can be written");
    let killed = ResultsKeeper::start(file(&away), None, &folder.path().join("spool")).expect("there are threads");
    killed.keep(vec![game(1)]);
    assert_eq!(killed.finish(LONG).waiting, 1);
    let next = keeper(folder.path());
    assert_eq!(next.finish(LONG).waiting, 0);
    assert_eq!(kept(&file(folder.path()), None), [game(1)]);
}

#[test]
fn two_processes_on_one_file_and_one_spool_keep_every_game_once() {
    let folder = folder();
    let keepers = [keeper(folder.path()), keeper(folder.path())];
    for number in 0..40 {
        keepers[number as usize % 2].keep(vec![game(number)]);
    }
    for keeper in &keepers {
        assert_eq!(keeper.finish(LONG).lost, 0);
    }
    let expected: Vec<KeptResult> = (0..40).map(game).collect();
    assert_eq!(kept(&file(folder.path()), None), expected);
}

#[test]
fn where_the_disk_takes_nothing_games_go_from_memory_into_the_database() {
    let folder = folder();
    fs::write(folder.path().join("spool"), "").expect("it can be written");
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(1)]);
    assert_eq!(keeper.finish(LONG), KeptCounts { written: 1, waiting: 0, lost: 0 });
    assert_eq!(kept(&file(folder.path()), None), [game(1)]);
}

#[test]
fn a_file_in_the_spool_that_holds_no_results_is_set_aside_and_the_others_are_written() {
    let folder = folder();
    let spool = folder.path().join("spool");
    fs::create_dir(&spool).expect("it can be made");
    fs::write(spool.join("0.json"), "{\"format\":1,\"results\":[{").expect("it can be written");
    fs::write(spool.join("1.json"), "{\"format\":2,\"games\":[]}").expect("it can be written");
    fs::write(spool.join("2.new"), "{\"for").expect("it can be written");
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(1)]);
    assert_eq!(keeper.finish(LONG), KeptCounts { written: 1, waiting: 1, lost: 0 });
    let mut left = names(&spool);
    left.sort();
    assert_eq!(left, ["0.bad", "1.json", "2.new"]);
}

#[test]
fn a_folder_is_a_spool_unless_a_file_is_in_the_way_or_others_may_write_there() {
    let folder = folder();
    assert_eq!(usable_spool(&folder.path().join("new/spool")), Ok(()));
    fs::write(folder.path().join("file"), "").expect("it can be written");
    assert!(usable_spool(&folder.path().join("file/spool")).expect_err("a file").contains("is a file"));
    let open = folder.path().join("open");
    fs::create_dir(&open).expect("it can be made");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("it is ours");
    assert!(usable_spool(&open).expect_err("it is open").contains("chmod go-w"));
}

#[test]
#[ignore = "it needs a PostgreSQL server; .ci/run installs one and runs it"]
fn a_server_that_is_stopped_and_comes_back_has_every_game_once() {
    let server = Server::start();
    let (folder, password) = (folder(), SecretString::from(PASSWORD));
    let keeper = ResultsKeeper::start(server.address(), Some(password.clone()), &folder.path().join("spool"));
    let keeper = keeper.expect("there are threads");
    keeper.keep(vec![game(0)]);
    assert_eq!(keeper.finish(LONG), KeptCounts { written: 1, waiting: 0, lost: 0 });
    server.down();
    for number in 1..4 {
        keeper.keep(vec![game(number)]);
    }
    assert_eq!(keeper.finish(LONG), KeptCounts { written: 1, waiting: 3, lost: 0 });
    server.up();
    // It tries again by itself, and says so to nobody.
    let until = Instant::now() + LONG;
    while !names(&folder.path().join("spool")).is_empty() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    let expected: Vec<KeptResult> = (0..4).map(game).collect();
    assert_eq!(kept(&server.address(), Some(&password)), expected);
    assert_eq!(keeper.finish(LONG).waiting, 0);
}
