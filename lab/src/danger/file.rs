//! What was counted, as a file: whole numbers from which the figures follow, so that counting goes on where it was cut and
//! parts of it make up exactly what one run would have counted.

use std::fmt;

use riichi::Rules;
use serde::{Deserialize, Serialize};

use super::count::{Cells, Counter, Paid, Rate};
use crate::part::{Shard, ShardPart};
use crate::tournament::Competitor;

/// The form of the file, changed with it.
const FORM: u32 = 1;

/// Everything that decides what is counted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DangerArguments {
    /// The program, by version and content.
    pub program: String,
    /// The command, as the figures show it.
    pub command: String,
    /// How many sit at a table.
    #[serde(default = "four")]
    pub players: u8,
    /// The records with their content. They come first among what is shared out.
    pub records: Vec<CountedRecord>,
    /// How many games are played; they come after the records.
    pub games: u64,
    /// Decides their walls and the bots' randomness.
    pub seed: u64,
    /// Who plays them.
    pub bots: Vec<Competitor>,
}

/// A record to count in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedRecord {
    /// Its file.
    pub file: String,
    /// What is in it; `None` where nothing is to be put together.
    pub sha256: Option<String>,
}

/// What files said that said nothing of it.
const fn four() -> u8 {
    4
}

impl DangerArguments {
    /// How many records and games there are.
    #[must_use]
    pub const fn items(&self) -> u64 {
        self.records.len() as u64 + self.games
    }
}

/// What was to be counted and what was.
#[derive(Debug, Clone)]
pub struct DangerFile {
    /// What decides the counts.
    pub arguments: DangerArguments,
    /// Which records and games are counted here.
    pub shard: Shard,
    /// How many of them, from the first, have been.
    pub done: u64,
    /// The counts.
    pub counter: Counter,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadDangerFile {
    /// It is no such file, or not all of it.
    #[error("it is not a whole file of danger counts ({0}); it may have been cut or changed")]
    Form(#[from] serde_json::Error),
    /// It was written by another version.
    #[error("its form is {0}, and this version of the program reads form {FORM}")]
    Version(u32),
    /// Its numbers cannot be.
    #[error("its counts cannot be; it was changed")]
    Counts,
}

#[derive(Serialize, Deserialize)]
struct Written {
    danger_form: u32,
    arguments: DangerArguments,
    shard: Option<Shard>,
    done: u64,
    rounds: u64,
    /// Place, samples and hits of each cell that holds any.
    riichi: Vec<(usize, u64, u64)>,
    open: Vec<(usize, u64, u64)>,
    /// By melds and turns: hands, and those that were tenpai.
    tenpai: Vec<Vec<(u64, u64)>>,
    /// By dealer, worth and dora trait: times and points.
    paid: Vec<Vec<Vec<(u64, i64)>>>,
}

impl DangerFile {
    /// Nothing has been counted.
    #[must_use]
    pub fn new(arguments: DangerArguments, shard: Shard) -> Self {
        let rules = Rules::TENHOU_HALF.with_players(arguments.players);
        Self { arguments, shard, done: 0, counter: Counter::new(rules) }
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it is not a whole one, or what it says cannot be.
    pub fn read(bytes: &[u8]) -> Result<Self, BadDangerFile> {
        let written: Written = serde_json::from_slice(bytes)?;
        if written.danger_form != FORM {
            return Err(BadDangerFile::Version(written.danger_form));
        }
        let mut file = Self::new(written.arguments, written.shard.unwrap_or_default());
        file.done = written.done;
        let counter = &mut file.counter;
        counter.rounds = written.rounds;
        let rate = |(of, hits): (u64, u64)| (hits <= of).then_some(Rate { of, hits });
        let read = || -> Option<()> {
            for (cells, written) in [(&mut counter.riichi, written.riichi), (&mut counter.open, written.open)] {
                for (place, of, hits) in written {
                    *cells.get_mut(place)? = rate((of, hits))?;
                }
            }
            let tenpai = written.tenpai.into_iter().map(|row| {
                let rates: Vec<Rate> = row.into_iter().map(rate).collect::<Option<_>>()?;
                rates.try_into().ok()
            });
            counter.tenpai = tenpai.collect::<Option<Vec<_>>>()?.try_into().ok()?;
            let paid = written.paid.into_iter().map(|by_worth| {
                let rows = by_worth.into_iter().map(|row| {
                    let paid: Vec<Paid> = row.into_iter().map(|(times, points)| Paid { times, points }).collect();
                    paid.try_into().ok()
                });
                rows.collect::<Option<Vec<_>>>()?.try_into().ok()
            });
            counter.paid = paid.collect::<Option<Vec<_>>>()?.try_into().ok()?;
            Some(())
        };
        let sound = read().is_some() && file.done <= file.shard.len(file.arguments.items());
        if sound { Ok(file) } else { Err(BadDangerFile::Counts) }
    }

    /// The file's content.
    #[must_use]
    pub fn content(&self) -> Vec<u8> {
        let cells = |cells: &Cells| cells.rates().map(|(place, rate)| (place, rate.of, rate.hits)).collect();
        let Counter { riichi, open, tenpai, paid, rounds, .. } = &self.counter;
        let written = Written {
            danger_form: FORM,
            arguments: self.arguments.clone(),
            shard: (!self.shard.is_whole()).then_some(self.shard),
            done: self.done,
            rounds: *rounds,
            riichi: cells(riichi),
            open: cells(open),
            tenpai: tenpai.iter().map(|row| row.iter().map(|rate| (rate.of, rate.hits)).collect()).collect(),
            paid: paid
                .iter()
                .map(|by_worth| {
                    by_worth.iter().map(|row| row.iter().map(|paid| (paid.times, paid.points)).collect()).collect()
                })
                .collect(),
        };
        let mut content = serde_json::to_vec(&written).expect("its keys are texts");
        content.push(b'\n');
        content
    }

    /// What has to be known to put it together with others. `name` is what messages call it.
    #[must_use]
    pub fn part(&self, name: &str) -> ShardPart {
        ShardPart {
            name: name.to_owned(),
            arguments: serde_json::to_value(&self.arguments).expect("its keys are texts"),
            shard: self.shard,
            done: (self.done, self.shard.len(self.arguments.items())),
        }
    }

    /// Adds what another part counted.
    pub fn add(&mut self, other: &Self) {
        self.done += other.done;
        self.counter.add(&other.counter);
    }

    /// The figures as their source file has them.
    #[must_use]
    pub fn source(&self) -> String {
        self.counter.source(&self.arguments.command)
    }
}

/// What an item is: a record or a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// The record with this index.
    Record(usize),
    /// The game of this number, from 1.
    Game(u64),
}

impl DangerFile {
    /// What has not been counted here, in its order.
    pub fn left(&self) -> impl Iterator<Item = Item> + use<> {
        let records = self.arguments.records.len() as u64;
        let items = self.shard.items(self.arguments.items()).skip(self.done as usize);
        items.map(
            move |item| {
                if item <= records { Item::Record(item as usize - 1) } else { Item::Game(item - records) }
            },
        )
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(index) => write!(f, "record {}", index + 1),
            Self::Game(number) => write!(f, "game {number}"),
        }
    }
}
