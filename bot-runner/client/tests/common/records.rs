//! Records of games, for use by tests.

use std::fs;
use std::path::{Path, PathBuf};

use client::Token;
use client::records::Retention;
use client::records::{
    DECISIONS, FRAMES, GAME, GameRecord, GamesAbout, Keeper, KeeperOptions, RecordState, list,
};
use lab::record::open_lines;
use lab::replay::{Replayed, replay, whole_courses};
use riichi::Rules;
use riichi::game::RiichiGame;
use serde_json::Value;

/// Keeps the records of a bot's games in a folder.
pub(crate) fn keeper_of(bot: &str, folder: &Path, token: Option<Token>) -> Keeper {
    let about = GamesAbout {
        runner: "0".to_owned(),
        bot: bot.to_owned(),
        arena: "ws://127.0.0.1:1".to_owned(),
        protocol: "riichilab 2".to_owned(),
        game: "riichi".to_owned(),
        players: 4,
        config_sha256: String::new(),
    };
    let (folder, retention, rules) = (folder.to_owned(), Retention::default(), Rules::TENHOU_HALF);
    Keeper::start(KeeperOptions {
        folder,
        retention,
        about,
        rules,
        token,
    })
    .expect("there is a thread for it")
}

#[track_caller]
pub(crate) fn lines(record: &GameRecord, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(record.path.join(name)).expect("the file is there");
    assert!(
        text.is_empty() || text.ends_with('\n'),
        "{name} of {}: a line is torn",
        record.name()
    );
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is whole"))
        .collect()
}

/// The records of a folder, each checked to be whole in itself and possible by the rules.
#[track_caller]
pub(crate) fn sound_records(folder: &Path) -> Vec<GameRecord> {
    let records = whole_records(folder);
    for record in &records {
        let replayed = replayed(record);
        assert!(
            replayed.contradiction().is_none(),
            "{}: {:?}",
            record.name(),
            replayed.contradiction()
        );
    }
    records
}

/// The same, of an arena that follows a script and ends a round by a draw at any moment.
#[track_caller]
pub(crate) fn sound_records_of_script(folder: &Path) -> Vec<GameRecord> {
    let records = whole_records(folder);
    for record in &records {
        let replayed = replayed(record);
        let contradiction = replayed
            .contradiction()
            .filter(|found| !found.event.contains("ryukyoku"));
        assert!(
            contradiction.is_none(),
            "{}: {contradiction:?}",
            record.name()
        );
    }
    records
}

/// The records of a folder, each checked to be whole in itself.
#[track_caller]
fn whole_records(folder: &Path) -> Vec<GameRecord> {
    let (records, broken) = list(folder, |_| true).expect("the folder can be read");
    assert!(broken.is_empty(), "{broken:?}");
    records.iter().for_each(check_whole);
    records
}

#[track_caller]
fn check_whole(record: &GameRecord) {
    let (name, manifest) = (record.name(), &record.manifest);
    let cut = manifest.state == RecordState::Cut;
    assert!(manifest.state != RecordState::Playing, "{name}");
    assert_eq!(
        (name.ends_with(".cut"), manifest.cut.is_some()),
        (cut, cut),
        "{name}: {manifest:?}"
    );
    let kept = manifest.kept;
    let (frames, events, decisions) = (
        lines(record, FRAMES),
        lines(record, GAME),
        lines(record, DECISIONS),
    );
    assert_eq!(
        (
            frames.len() as u64,
            events.len() as u64,
            decisions.len() as u64
        ),
        (kept.frames, kept.events, kept.decisions)
    );
    let asked: u64 = manifest
        .policies
        .iter()
        .map(|policy| policy.decisions)
        .sum();
    assert_eq!(asked, kept.decisions, "{name}");
    assert!(
        frames
            .windows(2)
            .all(|two| two[0]["t_ms"].as_u64() <= two[1]["t_ms"].as_u64()),
        "{name}"
    );
    let replayed = replayed(record);
    if !cut {
        assert_eq!(
            events.last().expect("there are events")["type"],
            "end_game",
            "{name}"
        );
        assert_eq!((manifest.missing.total(), replayed.games), (0, 1), "{name}");
        let played = manifest.played.as_ref().expect("it was played");
        assert_eq!(u64::from(played.rounds), replayed.rounds, "{name}");
    }
}

/// The result of replaying a record's game from its own seat.
#[track_caller]
pub(crate) fn replayed(record: &GameRecord) -> Replayed {
    let lines = open_lines(&record.path.join(GAME)).expect("it is there");
    let courses = whole_courses::<RiichiGame>(lines).expect("it can be read");
    replay(&courses, Some(record.manifest.seat)).expect("it has the seat")
}

/// Everything that lies in a folder, names alone.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// All files in and under a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
