//! `tournament --record-differences`: where two configs parted, with the records of both games.
//!
//! Two games on a wall in which the configs have exchanged their seats are the same game up to the
//! first decision on which the configs differ.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use client::place::short;
use flate2::Compression;
use flate2::write::GzEncoder;
use lab::game::GameId;
use lab::tournament::{
    Arguments, GameTranscript, Schedule, Seating, TournamentGame, TranscriptDecision,
    first_difference,
};
use policy_host::GameKind;
use protocol::game_record::RecordStart;
use serde::Serialize;
use serde_json::value::RawValue;

/// The list of the differences in the folder.
const LIST: &str = "differences.jsonl";

/// The games of a wall, until it is complete.
type WallGames = HashMap<usize, WallGame>;

/// A game, and the score of each seat at its end.
type WallGame = (GameTranscript, Vec<f64>);

/// Writes the differences of two configs into a folder, wall by wall.
pub(super) struct DifferenceWriter {
    folder: PathBuf,
    game: GameKind,
    names: [String; 2],
    seatings: Vec<Seating>,
    /// Pairs of seatings in which the configs have exchanged their seats.
    pairs: Vec<(usize, usize)>,
    waiting: HashMap<u64, WallGames>,
    /// Walls compared, and those on which the configs parted.
    walls: u64,
    parted: u64,
}

/// A line of the list.
#[derive(Serialize)]
struct DifferenceLine<'d> {
    wall: u64,
    /// Numbers of the two seatings, from 1.
    seatings: [usize; 2],
    /// The records of both games in the folder.
    records: [&'d str; 2],
    seat: usize,
    /// The decision as `--at` names it.
    at: String,
    /// Line of the records after which it is asked, from 1.
    line: usize,
    /// The config that decided in each game.
    configs: [&'d str; 2],
    actions: [&'d RawValue; 2],
    words: [&'d str; 2],
    /// The score of the seat at the end of each game.
    scores: [f64; 2],
}

impl DifferenceWriter {
    /// Opens the folder, which must hold no differences yet unless the tournament resumes.
    ///
    /// # Errors
    ///
    /// If the tournament is not of two configs, or the folder cannot be used.
    pub(super) fn open(
        folder: &Path,
        arguments: &Arguments,
        schedule: &Schedule,
    ) -> anyhow::Result<Self> {
        let [one, other] = &arguments.configs[..] else {
            bail!(
                "--record-differences compares two configs, and {} are given; name two",
                arguments.configs.len()
            )
        };
        let seatings = schedule.seatings().to_vec();
        let exchanged = |seating: &Seating| seating.iter().map(|config| 1 - config).collect();
        let pairs = seatings.iter().enumerate().filter_map(|(place, seating)| {
            let exchanged: Seating = exchanged(seating);
            let other = seatings.iter().position(|other| *other == exchanged)?;
            (place < other).then_some((place, other))
        });
        let pairs: Vec<(usize, usize)> = pairs.collect();
        fs::create_dir_all(folder).with_context(|| {
            format!(
                "the folder {} of --record-differences cannot be made",
                short(folder).display()
            )
        })?;
        Ok(Self {
            folder: folder.to_owned(),
            game: arguments.game,
            names: [one.name.clone(), other.name.clone()],
            seatings,
            pairs,
            waiting: HashMap::new(),
            walls: 0,
            parted: 0,
        })
    }

    /// Adds a game.
    pub(super) fn game(&mut self, id: GameId, game: &mut TournamentGame) {
        if let Some(transcript) = game.transcript.take() {
            let of_wall = self.waiting.entry(id.wall).or_default();
            of_wall.insert(id.seating, (transcript, game.end.scores.clone()));
        }
    }

    /// Compares the games of a wall, and writes those that parted.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub(super) fn wall(&mut self, wall: u64) -> anyhow::Result<()> {
        let Some(games) = self.waiting.remove(&wall) else {
            return Ok(());
        };
        self.walls += 1;
        let mut parted = false;
        for &(one, other) in &self.pairs {
            if let (Some(first), Some(second)) = (games.get(&one), games.get(&other))
                && let Some(place) = first_difference(&first.0.decisions, &second.0.decisions)
            {
                parted = true;
                self.write(wall, [one, other], [first, second], place)
                    .with_context(|| {
                        format!(
                            "the differences cannot be written to {}",
                            short(&self.folder).display()
                        )
                    })?;
            }
        }
        self.parted += u64::from(parted);
        Ok(())
    }

    fn write(
        &self,
        wall: u64,
        seatings: [usize; 2],
        games: [&WallGame; 2],
        place: usize,
    ) -> anyhow::Result<()> {
        let records = seatings.map(|seating| format!("wall-{wall:04}-{}.jsonl.gz", seating + 1));
        for ((record, (transcript, _)), seating) in records.iter().zip(games).zip(seatings) {
            let names = self.seatings[seating].iter();
            let start = RecordStart {
                game: self.game.name().to_owned(),
                id: None,
                names: names.map(|&config| self.names[config].clone()).collect(),
            };
            let file = tempfile::NamedTempFile::new_in(&self.folder)?;
            let mut lines = GzEncoder::new(file, Compression::default());
            for line in transcript.record(&start) {
                writeln!(lines, "{line}")?;
            }
            lines.finish()?.persist(self.folder.join(record))?;
        }
        let decisions = games.map(|(transcript, _)| &transcript.decisions[place]);
        let TranscriptDecision {
            seat,
            after,
            round,
            number,
            ..
        } = *decisions[0];
        let actions = decisions.map(|decision| serde_json::from_str(&decision.action));
        let [Ok(one), Ok(other)] = actions else {
            bail!("an action has no JSON form")
        };
        let line = DifferenceLine {
            wall,
            seatings: seatings.map(|seating| seating + 1),
            records: [&records[0], &records[1]],
            seat,
            at: format!("{round}.{number}"),
            line: after,
            configs: seatings.map(|seating| self.names[self.seatings[seating][seat]].as_str()),
            actions: [one, other],
            words: decisions.map(|decision| decision.words.as_str()),
            scores: games.map(|(_, scores)| scores[seat]),
        };
        let mut list = OpenOptions::new()
            .append(true)
            .create(true)
            .open(self.folder.join(LIST))?;
        writeln!(list, "{}", serde_json::to_string(&line)?)?;
        Ok(())
    }

    /// What was found, in a sentence.
    pub(super) fn words(&self) -> String {
        let Self { walls, parted, .. } = self;
        let [one, other] = &self.names;
        let list = self.folder.join(LIST);
        match parted {
            0 => format!("{one} and {other} played alike on all of the {walls} walls played now."),
            _ => format!(
                "{one} and {other} parted on {parted} of the {walls} walls played now: {}",
                short(&list).display()
            ),
        }
    }
}
