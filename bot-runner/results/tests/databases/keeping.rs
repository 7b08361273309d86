//! Results on their way into a database that may be away.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use results::{
    DatabaseAddress, KeptCounts, ReceiptState, ResultRow, ResultsKeeper, ResultsReceipt,
    open_to_read, usable_spool,
};
use rustix::fs::{CWD, FileType, Mode, mknodat};
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

fn kept(address: &DatabaseAddress, password: Option<&SecretString>) -> Vec<ResultRow> {
    read(
        &mut *open_to_read(address, password).expect("it is there"),
        &all(),
    )
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("it is there").flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// The folder in a spool for the only database that results wait for.
fn own(spool: &Path) -> PathBuf {
    let is_own = |name: &&String| name.starts_with("sqlite:") || name.starts_with("postgres:");
    spool.join(
        names(spool)
            .iter()
            .find(is_own)
            .expect("results have waited"),
    )
}

/// The names of the files that wait in a spool.
fn waiting_files(spool: &Path) -> Vec<String> {
    names(&own(spool))
}

/// The names of the other files of a spool.
fn beside(spool: &Path) -> Vec<String> {
    let mut beside: Vec<String> = names(spool)
        .into_iter()
        .filter(|name| !name.starts_with("sqlite:"))
        .collect();
    beside.sort();
    beside
}

#[test]
fn a_game_that_is_handed_over_is_in_the_database_and_no_longer_in_the_spool() {
    let folder = folder();
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(1)]);
    keeper.keep(vec![game(2), game(3)]);
    keeper.keep(vec![game(1)]);
    let counts = keeper.finish(LONG);
    assert_eq!(
        counts,
        KeptCounts {
            written: 3,
            waiting: 0,
            lost: 0
        },
        "one came twice"
    );
    assert_eq!(
        kept(&file(folder.path()), None),
        [game(1), game(2), game(3)]
    );
    assert_eq!(
        waiting_files(&folder.path().join("spool")),
        Vec::<String>::new()
    );
}

#[test]
fn games_wait_on_disk_while_the_database_is_away_and_the_next_process_writes_them() {
    let folder = folder();
    // Nothing can be made below a file.
    fs::write(folder.path().join("db"), "").expect("it can be written");
    let first = keeper(folder.path());
    first.keep(vec![game(1)]);
    first.keep(vec![game(2)]);
    assert_eq!(
        first.finish(LONG),
        KeptCounts {
            written: 0,
            waiting: 2,
            lost: 0
        }
    );
    drop(first);
    fs::remove_file(folder.path().join("db")).expect("it is there");
    let second = keeper(folder.path());
    // Whichever process wrote them: the first one tries once more before it ends.
    assert_eq!(second.finish(LONG).waiting, 0);
    assert_eq!(kept(&file(folder.path()), None), [game(1), game(2)]);
}

#[test]
fn a_process_that_was_killed_between_the_database_and_the_spool_leaves_no_game_twice() {
    let folder = folder();
    fs::write(folder.path().join("db"), "").expect("it can be written");
    let first = keeper(folder.path());
    first.keep(vec![game(1)]);
    assert_eq!(first.finish(LONG).waiting, 1);
    let path = own(&folder.path().join("spool")).join(spool_name(&game(1), "json"));
    let waiting = fs::read(&path).expect("it is there");
    fs::remove_file(folder.path().join("db")).expect("it is there");
    assert_eq!(first.finish(LONG).written, 1);
    // As one that was killed leaves it: written, and not removed from the spool.
    fs::write(&path, waiting).expect("it is ours");
    let next = keeper(folder.path());
    assert_eq!(next.finish(LONG).waiting, 0);
    assert_eq!(kept(&file(folder.path()), None), [game(1)]);
}

#[test]
fn games_that_wait_for_a_database_are_left_alone_by_another_with_the_same_spool() {
    let folder = folder();
    fs::write(folder.path().join("db"), "").expect("it can be written");
    let one = keeper(folder.path());
    one.keep(vec![game(1)]);
    assert_eq!(
        one.finish(LONG),
        KeptCounts {
            written: 0,
            waiting: 1,
            lost: 0
        }
    );
    let address = DatabaseAddress::parse("sqlite:other.db", folder.path()).expect("an address");
    let other = ResultsKeeper::start(address.clone(), None, &folder.path().join("spool"))
        .expect("there are threads");
    other.keep(vec![game(2)]);
    assert_eq!(
        other.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 0,
            lost: 0
        }
    );
    assert_eq!(kept(&address, None), [game(2)]);
    fs::remove_file(folder.path().join("db")).expect("it is there");
    assert_eq!(
        one.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 0,
            lost: 0
        }
    );
    assert_eq!(kept(&file(folder.path()), None), [game(1)]);
}

#[test]
fn a_file_that_an_earlier_runner_left_without_a_database_is_written_by_the_one_that_finds_it() {
    let folder = folder();
    let spool = folder.path().join("spool");
    fs::write(folder.path().join("db"), "").expect("it can be written");
    let away = keeper(folder.path());
    away.keep(vec![game(1)]);
    assert_eq!(away.finish(LONG).waiting, 1);
    let name = spool_name(&game(1), "json");
    fs::rename(own(&spool).join(&name), spool.join(&name)).expect("it is there");
    let address = DatabaseAddress::parse("sqlite:other.db", folder.path()).expect("an address");
    let other = ResultsKeeper::start(address.clone(), None, &spool).expect("there are threads");
    assert_eq!(
        other.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 0,
            lost: 0
        }
    );
    assert_eq!(kept(&address, None), [game(1)]);
    assert_eq!(beside(&spool), Vec::<String>::new());
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
    let expected: Vec<ResultRow> = (0..40).map(game).collect();
    assert_eq!(kept(&file(folder.path()), None), expected);
}

#[test]
fn if_the_disk_accepts_nothing_games_go_from_memory_into_the_database() {
    let folder = folder();
    fs::write(folder.path().join("spool"), "").expect("it can be written");
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(1)]);
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 0,
            lost: 0
        }
    );
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
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 1,
            lost: 0
        }
    );
    assert_eq!(beside(&spool), ["0.bad", "1.json", "2.new"]);
}

#[test]
fn a_folder_is_a_spool_unless_a_file_is_in_the_way_or_others_may_write_there() {
    let folder = folder();
    usable_spool(&folder.path().join("new/spool")).expect("it can be made");
    fs::write(folder.path().join("file"), "").expect("it can be written");
    assert!(
        usable_spool(&folder.path().join("file/spool"))
            .expect_err("a file")
            .to_string()
            .contains("is a file")
    );
    let open = folder.path().join("open");
    fs::create_dir(&open).expect("it can be made");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("it is ours");
    assert!(
        usable_spool(&open)
            .expect_err("it is open")
            .to_string()
            .contains("chmod go-w")
    );
}

#[test]
#[ignore = "it needs a PostgreSQL server; .ci/run installs one and runs it"]
fn a_server_that_is_stopped_and_comes_back_has_every_game_once() {
    let server = Server::start();
    let (folder, password) = (folder(), SecretString::from(PASSWORD));
    let keeper = ResultsKeeper::start(
        server.address(),
        Some(password.clone()),
        &folder.path().join("spool"),
    );
    let keeper = keeper.expect("there are threads");
    keeper.keep(vec![game(0)]);
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 0,
            lost: 0
        }
    );
    server.down();
    for number in 1..4 {
        keeper.keep(vec![game(number)]);
    }
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 3,
            lost: 0
        }
    );
    server.up();
    // It tries again on its own, without a message.
    let until = Instant::now() + LONG;
    while !waiting_files(&folder.path().join("spool")).is_empty() && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
    let expected: Vec<ResultRow> = (0..4).map(game).collect();
    assert_eq!(kept(&server.address(), Some(&password)), expected);
    assert_eq!(keeper.finish(LONG).waiting, 0);
}

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let until = Instant::now() + LONG;
    while !is_so() {
        assert!(Instant::now() < until, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A keeper whose database is away, and whose spool is not writable as long as a file is in its
/// place.
fn keeper_without_database_and_disk(folder: &Path) -> ResultsKeeper {
    fs::write(folder.join("db"), "").expect("it can be written");
    fs::write(folder.join("spool"), "").expect("it can be written");
    keeper(folder)
}

#[test]
fn results_that_the_disk_refused_go_into_the_spool_when_it_takes_them_again() {
    let folder = folder();
    let keeper = keeper_without_database_and_disk(folder.path());
    let receipts: Vec<ResultsReceipt> = (0..3)
        .map(|number| keeper.keep(vec![game(number)]))
        .collect();
    assert!(!keeper.wait_until_kept(Duration::from_millis(100)));
    assert!(
        receipts
            .iter()
            .all(|receipt| receipt.state() == ReceiptState::Pending)
    );
    fs::remove_file(folder.path().join("spool")).expect("it is there");
    assert!(keeper.wait_until_kept(LONG), "the disk is asked again");
    assert!(
        receipts
            .iter()
            .all(|receipt| receipt.state() == ReceiptState::Kept)
    );
    assert_eq!(waiting_files(&folder.path().join("spool")).len(), 3);
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 0,
            waiting: 3,
            lost: 0
        }
    );
}

#[test]
fn results_that_neither_the_disk_nor_the_database_takes_are_lost_at_the_end_and_not_said_to_wait() {
    let folder = folder();
    let keeper = keeper_without_database_and_disk(folder.path());
    let receipt = keeper.keep(vec![game(1), game(2)]);
    keeper.keep(vec![game(3)]);
    assert_eq!(
        keeper.finish(Duration::from_secs(1)),
        KeptCounts {
            written: 0,
            waiting: 0,
            lost: 3
        }
    );
    assert_eq!(receipt.state(), ReceiptState::Pending);
}

#[test]
fn a_receipt_says_kept_when_the_disk_has_the_result_although_the_database_is_away() {
    let folder = folder();
    fs::write(folder.path().join("db"), "").expect("it can be written");
    let keeper = keeper(folder.path());
    let receipt = keeper.keep(vec![game(1)]);
    eventually("it is kept", || receipt.state() == ReceiptState::Kept);
    assert_eq!(waiting_files(&folder.path().join("spool")).len(), 1);
}

#[test]
fn results_that_a_hung_disk_does_not_store_in_time_go_from_memory_into_the_database() {
    let folder = folder();
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(0)]);
    assert_eq!(keeper.finish(LONG).written, 1);
    // Opening a pipe without a reader blocks forever.
    let path = own(&folder.path().join("spool")).join(spool_name(&game(1), "new"));
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe can be made");
    let receipts = [1, 2].map(|number| keeper.keep(vec![game(number)]));
    eventually("the database has them", || {
        receipts
            .iter()
            .all(|receipt| receipt.state() == ReceiptState::Kept)
    });
    assert_eq!(
        kept(&file(folder.path()), None),
        [game(0), game(1), game(2)]
    );
    assert_eq!(keeper.finish(LONG).lost, 0);
}

fn spool_name(game: &ResultRow, extension: &str) -> String {
    format!("{:016x}-{}.{extension}", game.ended_ms, game.key)
}

#[test]
fn a_complete_file_that_a_killed_process_had_not_renamed_is_stored_by_the_next() {
    let folder = folder();
    fs::write(folder.path().join("db"), "").expect("it can be written");
    let killed = keeper(folder.path());
    killed.keep(vec![game(1)]);
    killed.keep(vec![game(2)]);
    assert_eq!(killed.finish(LONG).waiting, 2);
    drop(killed);
    let spool = folder.path().join("spool");
    let path =
        |number: u32, extension: &str| own(&spool).join(spool_name(&game(number), extension));
    fs::rename(path(1, "json"), path(1, "new")).expect("it is there");
    let half = fs::read(path(2, "json")).expect("it is there");
    fs::write(path(3, "new"), &half[..half.len() / 2]).expect("it can be written");
    fs::remove_file(folder.path().join("db")).expect("it is there");
    let next = keeper(folder.path());
    eventually("both games are in the database", || {
        waiting_files(&spool).len() == 1
    });
    // The threads of the first keeper, which a kill would have ended, may have stored one of them.
    let KeptCounts { waiting, lost, .. } = next.finish(LONG);
    assert_eq!((waiting, lost), (0, 0));
    assert_eq!(kept(&file(folder.path()), None), [game(1), game(2)]);
    assert_eq!(waiting_files(&spool), [spool_name(&game(3), "new")]);
}

#[test]
fn links_sockets_and_folders_in_the_spool_are_set_aside_and_the_results_are_written() {
    let folder = folder();
    let spool = folder.path().join("spool");
    fs::create_dir(&spool).expect("it can be made");
    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "mine").expect("it can be written");
    symlink(&elsewhere, spool.join("0.json")).expect("a link can be made");
    symlink("nowhere", spool.join("1.json")).expect("a link can be made");
    symlink("2.json", spool.join("2.json")).expect("a link can be made");
    drop(UnixListener::bind(spool.join("3.json")).expect("a socket can be made"));
    fs::create_dir(spool.join("4.json")).expect("it can be made");
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(1)]);
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 0,
            lost: 0
        }
    );
    assert_eq!(
        beside(&spool),
        ["0.bad", "1.bad", "2.bad", "3.bad", "4.bad"]
    );
    assert_eq!(fs::read_to_string(&elsewhere).expect("it is there"), "mine");
}

#[test]
fn a_file_that_cannot_be_set_aside_keeps_no_other_result_from_the_database() {
    let folder = folder();
    let spool = folder.path().join("spool");
    fs::create_dir_all(spool.join("0.bad/in the way")).expect("it can be made");
    symlink("nowhere", spool.join("0.json")).expect("a link can be made");
    fs::create_dir(spool.join("1.json")).expect("it can be made");
    let keeper = keeper(folder.path());
    keeper.keep(vec![game(1)]);
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 1,
            lost: 0
        }
    );
    assert_eq!(kept(&file(folder.path()), None), [game(1)]);
}

#[test]
#[ignore = "it needs a PostgreSQL server; .ci/run installs one and runs it"]
fn results_reach_a_server_from_memory_and_without_it_the_spool_or_count_as_lost() {
    let server = Server::start();
    let (folder, password) = (folder(), SecretString::from(PASSWORD));
    let spool = folder.path().join("spool");
    fs::write(&spool, "").expect("it can be written");
    let keeper = ResultsKeeper::start(server.address(), Some(password.clone()), &spool)
        .expect("there are threads");
    let receipt = keeper.keep(vec![game(0)]);
    eventually("the server has it", || {
        receipt.state() == ReceiptState::Kept
    });
    server.down();
    let receipt = keeper.keep(vec![game(1)]);
    assert_eq!(
        keeper.finish(Duration::from_secs(1)),
        KeptCounts {
            written: 1,
            waiting: 0,
            lost: 1
        }
    );
    fs::remove_file(&spool).expect("it is there");
    eventually("the disk has it", || receipt.state() == ReceiptState::Kept);
    assert_eq!(
        keeper.finish(LONG),
        KeptCounts {
            written: 1,
            waiting: 1,
            lost: 0
        }
    );
    server.up();
    eventually("the server has it", || waiting_files(&spool).is_empty());
    assert_eq!(kept(&server.address(), Some(&password)), [game(0), game(1)]);
}
