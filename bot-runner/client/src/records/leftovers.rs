//! Records of processes that ended during a game, or before its record was finished.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use policy_host::{GameKind, RecordedEvents};
use protocol::game_record::RecordEnd;
use protocol::{Parsed, parse_event};
use riichi::{Event, Rules, Seat, Table};
use time::OffsetDateTime;

use super::folder::LockedFolder;
use super::manifest::{
    LineCounts, Manifest, PolicyNote, RecordState, RecordedResult, to_the_millisecond,
};
use super::names::{DECISIONS, UNFINISHED, is_named_like_a_record};
use crate::game_report::GameReport;

/// The reason in an unfinished record.
const CUT_OFF: &str = "the runner ended, or could not write on, before the record was finished";

/// Publishes the unfinished records in a folder whose processes of this user have ended. Each is
/// cut off after its last whole lines. One that holds the end of the game is complete, any other is
/// marked as cut. A record that cannot be finished stays, and `trouble` gets the error. Nothing is
/// removed.
pub fn settle_leftovers(among: &Path, mut trouble: impl FnMut(&Path, &io::Error)) {
    for path in unfinished(among) {
        if let Err(error) = settle(&path) {
            trouble(&path, &error);
        }
    }
}

/// Removes records that had hardly begun, or were being removed, when their process ended.
pub fn clear_leftovers(among: &Path) {
    for path in unfinished(among) {
        match LockedFolder::open(&path) {
            Ok(Some(folder)) if folder.is_own() && !folder.has_manifest() => drop(folder.remove()),
            // Removes only an empty folder: its process ended at once, or is just beginning and
            // will then take another name.
            _ => drop(fs::remove_dir(&path)),
        }
    }
}

fn unfinished(among: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(among).into_iter().flatten().flatten();
    let is_unfinished = |name: &str| {
        name.strip_prefix(UNFINISHED)
            .is_some_and(is_named_like_a_record)
    };
    entries
        .filter(move |entry| is_unfinished(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
}

fn settle(path: &Path) -> io::Result<()> {
    let Some(mut folder) =
        LockedFolder::open(path)?.filter(|folder| folder.is_own() && folder.has_manifest())
    else {
        return Ok(());
    };
    let mut manifest = folder.manifest()?;
    if manifest.state == RecordState::Playing {
        finish(&mut folder, &mut manifest)?;
    }
    let path = folder.publish(manifest.state == RecordState::Cut)?;
    tracing::info!(
        "published {}, left behind by a process that has ended",
        path.display()
    );
    Ok(())
}

fn finish(folder: &mut LockedFolder, manifest: &mut Manifest) -> io::Result<()> {
    let ended = OffsetDateTime::from(folder.frames.file.metadata()?.modified()?);
    let mut policies = Vec::new();
    let count = |line: &[u8]| {
        if let Ok(asked) = serde_json::from_slice(line) {
            PolicyNote::count(&mut policies, asked);
        }
    };
    let mut game = GameReader::of(manifest);
    let (events, decisions) = (
        folder.file(manifest.about.game_file())?,
        folder.file(DECISIONS)?,
    );
    manifest.kept = LineCounts {
        frames: folder.frames.keep_whole_lines(|_| {})?,
        events: events.map_or(Ok(0), |mut events| {
            events.keep_whole_lines(|line| game.take(line))
        })?,
        decisions: decisions.map_or(Ok(0), |mut decisions| decisions.keep_whole_lines(count))?,
    };
    if !policies.is_empty() {
        manifest.policies = policies;
    }
    match game.result {
        Some(result) => (manifest.state, manifest.played) = (RecordState::Complete, Some(result)),
        None => (manifest.state, manifest.cut) = (RecordState::Cut, Some(CUT_OFF.to_owned())),
    }
    manifest.ended = Some(to_the_millisecond(ended));
    folder.write_manifest(manifest)
}

/// Reads a recorded game line by line, for its result.
struct GameReader {
    seat: usize,
    /// `None` for a game that this runner does not know.
    game: Option<GameKind>,
    /// In riichi, the table of the own seat.
    table: Option<Table>,
    rounds: u32,
    /// There once the game has ended.
    result: Option<RecordedResult>,
}

impl GameReader {
    fn of(manifest: &Manifest) -> Self {
        let game: Option<GameKind> = manifest.about.game.parse().ok();
        let is_riichi = game.is_some_and(|game| game.recorded_events() == RecordedEvents::Mjai);
        let is_seat = manifest.seat < usize::from(manifest.about.players)
            && matches!(manifest.about.players, 3 | 4);
        let own = Seat::at(manifest.seat).filter(|_| is_riichi && is_seat);
        let table =
            own.map(|own| Table::new(Rules::TENHOU_HALF.with_players(manifest.about.players), own));
        Self {
            seat: manifest.seat,
            game,
            table,
            rounds: 0,
            result: None,
        }
    }

    fn take(&mut self, line: &[u8]) {
        let Ok(line) = str::from_utf8(line) else {
            return;
        };
        let report = match (&mut self.table, self.game) {
            (Some(table), _) => {
                let Ok(Parsed::Event(event)) = parse_event(line) else {
                    return;
                };
                self.rounds += u32::from(matches!(event, Event::StartKyoku(_)));
                let Event::EndGame { scores } = event else {
                    // What contradicts the table took effect in the game too.
                    let _ = table.apply(&event);
                    return;
                };
                let fit = scores.filter(|scores| scores.players() == table.rules().players);
                let scores = fit.unwrap_or_else(|| table.final_scores());
                Some((scores.as_slice().to_vec(), scores.place(table.seat())))
            }
            (None, Some(game)) => RecordEnd::read(line).and_then(|end| {
                let report = GameReport::of_scores(game, self.seat, &end.scores)?;
                Some((report.scores.as_slice().to_vec(), report.place))
            }),
            (None, None) => None,
        };
        if let Some((scores, place)) = report {
            let (scores, place, rounds) = (Some(scores), Some(place), self.rounds.max(1));
            self.result = Some(RecordedResult {
                scores,
                place,
                rounds,
                ..RecordedResult::default()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs::File;

    use rustix::fs::{FlockOperation, flock};

    use super::*;
    use crate::records::manifest::tests::manifest;
    use crate::records::{FRAMES, GAME, GameRecord, MANIFEST, list};

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder can be made")
    }

    const GAME_NAME: &str = "2026-01-31T201530Z-kuma-3f9a1c";

    /// The names of the remaining records after the leftovers are settled.
    #[track_caller]
    fn settle(among: &Path) -> Vec<String> {
        settle_leftovers(among, |path, error| panic!("{}: {error}", path.display()));
        let records = list(among, |_| true).expect("it is there").0;
        records.iter().map(GameRecord::name).collect()
    }

    fn write_manifest(path: &Path, manifest: &Manifest) {
        let text = serde_json::to_string(manifest).expect("JSON");
        fs::write(path.join(MANIFEST), text).expect("it can be written");
    }

    /// An unfinished record as a process leaves it.
    fn left_behind(among: &Path) -> PathBuf {
        let path = among.join(format!("{UNFINISHED}{GAME_NAME}"));
        fs::create_dir(&path).expect("it can be made");
        write_manifest(&path, &manifest("kuma"));
        fs::write(path.join(FRAMES), "{}\n{}\n{\"dir\":\"i").expect("it can be written");
        fs::write(path.join(GAME), "{\"type\":\"start_game\"}\n").expect("it can be written");
        let decision = r#"{"policy":"mine","version":"2","sha256":"ab"}"#;
        fs::write(path.join(DECISIONS), format!("{decision}\n{decision}\n{{"))
            .expect("it can be written");
        path
    }

    #[test]
    fn what_a_process_left_behind_is_cut_off_behind_its_last_whole_line_and_marked() {
        let among = folder();
        left_behind(among.path());
        let path = among.path().join(format!("{GAME_NAME}.cut"));
        assert_eq!(settle(among.path()), [format!("{GAME_NAME}.cut")]);
        let GameRecord { manifest, .. } = GameRecord::open(&path).expect("it is a record");
        assert_eq!(
            (manifest.state, manifest.kept),
            (
                RecordState::Cut,
                LineCounts {
                    frames: 2,
                    events: 1,
                    decisions: 2
                }
            )
        );
        let policy = PolicyNote {
            id: "mine".into(),
            version: "2".into(),
            sha256: Some("ab".into()),
            decisions: 2,
        };
        assert_eq!(
            (manifest.policies, manifest.cut.as_deref()),
            (vec![policy], Some(CUT_OFF))
        );
        assert_eq!(
            fs::read_to_string(path.join(FRAMES)).expect("it is there"),
            "{}\n{}\n"
        );
        assert_eq!(settle(among.path()), [format!("{GAME_NAME}.cut")]);
    }

    #[test]
    fn a_record_that_holds_the_end_of_its_game_is_complete_and_has_the_result() {
        let of_riichi = |end: &str| format!("{{\"type\":\"start_game\"}}\n{end}\n");
        let scores = r#"{"type":"end_game","scores":[20000,31000,25000,24000]}"#;
        let deal = concat!(
            r#"{"type":"start_kyoku","bakaze":"E","kyoku":1,"honba":0,"kyotaku":0,"oya":0,"dora_marker":"1m","#,
            r#""scores":[25000,25000,25000,25000],"tehais":[["?","?","?","?","?","?","?","?","?","?","?","?","?"],"#,
            r#"["1m","2m","3m","4m","5m","6m","7m","8m","9m","1p","1p","1s","1s"],"#,
            r#"["?","?","?","?","?","?","?","?","?","?","?","?","?"],"#,
            r#"["?","?","?","?","?","?","?","?","?","?","?","?","?"]]}"#,
        );
        let without = format!("{deal}\n{{\"type\":\"end_game\"}}");
        for (game, text, scores, place) in [
            (
                "riichi",
                of_riichi(scores),
                [20_000, 31_000, 25_000, 24_000],
                1,
            ),
            ("riichi", of_riichi(&without), [25_000; 4], 2),
            (
                "chinese-standard",
                "{}\n{\"type\":\"end_game\",\"scores\":[24,-8,-8,-8]}\n".into(),
                [24, -8, -8, -8],
                2,
            ),
        ] {
            let among = folder();
            let path = left_behind(among.path());
            let mut of_game = manifest("kuma");
            of_game.about.game = game.to_owned();
            write_manifest(&path, &of_game);
            fs::write(path.join(of_game.about.game_file()), text).expect("it can be written");
            assert_eq!(settle(among.path()), [GAME_NAME]);
            let GameRecord { manifest, .. } =
                GameRecord::open(&among.path().join(GAME_NAME)).expect("it is a record");
            let played = manifest.played.expect("it has a result");
            assert_eq!(
                (manifest.state, manifest.cut),
                (RecordState::Complete, None)
            );
            assert_eq!(
                (played.scores, played.place),
                (Some(scores.to_vec()), Some(place)),
                "{game}"
            );
        }
    }

    #[test]
    fn an_end_for_another_number_of_seats_stops_nothing() {
        let three = r#"{"type":"end_game","scores":[35000,35000,35000]}"#;
        let four = r#"{"type":"end_game","scores":[25000,25000,25000,25000]}"#;
        for (players, seat, end) in [
            (4, 3, three),
            (3, 3, three),
            (3, 3, four),
            (3, 1, four),
            (2, 9, four),
        ] {
            let among = folder();
            let path = left_behind(among.path());
            let mut of_game = manifest("kuma");
            of_game.about.players = players;
            of_game.seat = seat;
            write_manifest(&path, &of_game);
            fs::write(
                path.join(GAME),
                format!("{{\"type\":\"start_game\"}}\n{end}\n"),
            )
            .expect("it can be written");
            assert_eq!(
                settle(among.path()).len(),
                1,
                "{players} players, seat {seat}, {end}"
            );
        }
    }

    #[test]
    fn what_a_living_process_writes_is_left_alone() {
        let among = folder();
        let path = left_behind(among.path());
        let living = File::options()
            .append(true)
            .open(path.join(FRAMES))
            .expect("it is there");
        flock(&living, FlockOperation::NonBlockingLockExclusive).expect("it is free");
        assert_eq!(settle(among.path()), Vec::<String>::new());
        assert!(path.exists());
    }

    #[test]
    fn a_record_that_only_lacks_its_name_gets_it_unchanged() {
        let among = folder();
        let path = left_behind(among.path());
        let complete = Manifest {
            state: RecordState::Complete,
            ..manifest("kuma")
        };
        write_manifest(&path, &complete);
        settle(among.path());
        assert_eq!(
            GameRecord::open(&among.path().join(GAME_NAME))
                .expect("it is a record")
                .manifest,
            complete
        );
    }

    #[test]
    fn a_record_that_cannot_be_settled_is_reported_and_stays() {
        let among = folder();
        let path = left_behind(among.path());
        fs::write(path.join(MANIFEST), "{").expect("it can be written");
        let mut told = Vec::new();
        settle_leftovers(among.path(), |path, _| told.push(path.to_owned()));
        assert_eq!(told, std::slice::from_ref(&path));
        clear_leftovers(among.path());
        assert!(path.exists());
    }

    #[test]
    fn what_had_hardly_begun_is_removed_and_anything_else_stays() {
        let among = folder();
        let make = |name: String, files: &[&str]| {
            let path = among.path().join(name);
            fs::create_dir(&path).expect("it can be made");
            for file in files {
                fs::write(path.join(file), "").expect("it can be written");
            }
        };
        make(format!("{UNFINISHED}{GAME_NAME}"), &[]);
        // The rest of a record whose removal was interrupted.
        make(format!("{UNFINISHED}{GAME_NAME}-1.cut"), &[FRAMES, GAME]);
        let others = [
            ".hidden".to_owned(),
            format!("{UNFINISHED}game"),
            format!("{UNFINISHED}{GAME_NAME}-2"),
            "mine".to_owned(),
        ];
        for name in &others {
            make(name.clone(), &["notes"]);
        }
        assert_eq!(settle(among.path()), Vec::<String>::new());
        let names = || {
            let entries = fs::read_dir(among.path()).expect("it is there").flatten();
            entries
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect::<BTreeSet<_>>()
        };
        assert_eq!(
            names().len(),
            6,
            "nothing is removed before it is asked for"
        );
        clear_leftovers(among.path());
        assert_eq!(names(), BTreeSet::from(others));
        assert_eq!(list(among.path(), |_| true).expect("it is there").0, []);
    }

    #[test]
    fn leftovers_of_another_user_are_neither_finished_nor_removed_nor_followed_to_our_files() {
        use std::os::unix::fs::{chown, symlink};
        const OTHER: u32 = 65_534;
        let (shared, own) = (folder(), folder());
        let mine = own.path().join("lines");
        fs::write(&mine, "{}\ntorn").expect("it can be written");
        let theirs = left_behind(shared.path());
        for name in [FRAMES, GAME] {
            fs::remove_file(theirs.join(name)).expect("it is there");
            symlink(&mine, theirs.join(name)).expect("it can be linked");
        }
        let mut told = 0;
        settle_leftovers(shared.path(), |_, _| told += 1);
        clear_leftovers(shared.path());
        assert_eq!(
            (
                told,
                fs::read_to_string(&mine).expect("it is there").as_str()
            ),
            (1, "{}\ntorn")
        );
        fs::remove_dir_all(&theirs).expect("it is there");
        let theirs = left_behind(shared.path());
        for path in [
            theirs.join(FRAMES),
            theirs.join(GAME),
            theirs.join(MANIFEST),
            theirs.clone(),
        ] {
            if chown(path, Some(OTHER), None).is_err() {
                eprintln!("SKIPPED in part: only root can give a file to another user");
                return;
            }
        }
        assert_eq!(settle(shared.path()), Vec::<String>::new());
        fs::remove_file(theirs.join(MANIFEST)).expect("root can");
        clear_leftovers(shared.path());
        assert!(theirs.join(FRAMES).exists());
    }

    #[test]
    fn a_pipe_in_place_of_a_records_file_stops_nothing() {
        let among = folder();
        let path = left_behind(among.path());
        for name in [MANIFEST, FRAMES] {
            fs::remove_file(path.join(name)).expect("it is there");
            let made = std::process::Command::new("mkfifo")
                .arg(path.join(name))
                .status();
            assert!(made.expect("mkfifo runs").success());
            let mut told = Vec::new();
            settle_leftovers(among.path(), |_, error| told.push(error.to_string()));
            assert!(
                matches!(&told[..], [why] if why.contains("it is not an ordinary file")),
                "{told:?}"
            );
            clear_leftovers(among.path());
        }
        let published = among.path().join(GAME_NAME);
        fs::create_dir(&published).expect("it can be made");
        fs::write(published.join(FRAMES), "").expect("it can be written");
        fs::rename(path.join(MANIFEST), published.join(MANIFEST)).expect("it can be moved");
        let (records, bad) = list(among.path(), |_| true).expect("it is there");
        assert!(
            records.is_empty() && bad[0].to_string().contains("it is not an ordinary file"),
            "{bad:?}"
        );
    }
}
