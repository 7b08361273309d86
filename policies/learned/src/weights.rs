//! Weights: the learned corrections, as a text file.
//!
//! The first line is `learned weights 1`. Then come lines of a key and its value, and at last the
//! numbers:
//!
//! ```text
//! learned weights 1
//! program bot-runner 0.1.0
//! players 4
//! features 5f0c…            hash of the feature list, judge::features::list_hash
//! games 120000              hanchan of self-play that they come from
//! seeds 1-120000            the walls of these
//! accepted 2.4520 +- 0.0045 in 17478 games against defensive-fold
//! linear 9 79               rows of a weight for each feature of a choice, one for each situation
//! 0.81 0 -0.02 …
//! ```

use std::fmt::Write as _;
use std::str::{FromStr, SplitWhitespace};

use judge::features::{CHOICE_FEATURES, DescribedDecision, SITUATIONS, list_hash};

pub const MAX_WEIGHTS_BYTES: u64 = 4 << 20;

const FIRST_LINE: &str = "learned weights 1";

/// The origin of weights. It is in their file, and changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance {
    /// The program that learned them, with its version.
    pub program: String,
    /// Games of self-play that they come from.
    pub games: u64,
    /// The walls of these games.
    pub seeds: String,
    /// The match that accepted them; empty if there was none.
    pub accepted: String,
}

/// The weights for tables with this many players.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Players of the tables, 4 or 3.
    pub players: u8,
    pub provenance: Provenance,
    /// For each situation a weight for each feature of a choice, in places.
    pub linear: Vec<[f32; CHOICE_FEATURES]>,
}

/// Why a file of weights cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// It is no file of weights, or one of another format.
    #[error("the first line is {found:?}; a file of weights begins with {FIRST_LINE:?}")]
    Format {
        /// The line, cut.
        found: String,
    },
    /// The features differ from those of this program.
    #[error(
        "they were learned with the feature list {found}, and this program has {expected}; train them again with this \
         program, or use the program that they were made with"
    )]
    Features {
        /// The hash in the file.
        found: String,
        /// The hash of this program's list.
        expected: String,
    },
    /// A line says something else than it must.
    #[error("line {line}: {wanted} is needed here, and {found:?} was found")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        wanted: String,
        /// The content found, cut.
        found: String,
    },
}

impl Weights {
    /// Weights that change nothing.
    #[must_use]
    pub fn none(players: u8) -> Self {
        Self {
            players,
            provenance: Provenance::default(),
            linear: Vec::new(),
        }
    }

    /// Whether they change nothing.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.linear.is_empty()
    }

    /// The correction of each choice of a decision in places, in order.
    pub fn corrections(&self, decision: &DescribedDecision, corrections: &mut Vec<f32>) {
        corrections.clear();
        let linear = self.linear.get(decision.situation);
        corrections.extend(decision.choices.iter().map(|choice| {
            linear.map_or(0.0, |weights| {
                weights
                    .iter()
                    .zip(&choice.features)
                    .map(|(weight, value)| weight * value)
                    .sum()
            })
        }));
    }

    /// The file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Provenance {
            program,
            games,
            seeds,
            accepted,
        } = &self.provenance;
        let mut text = format!(
            "{FIRST_LINE}\nprogram {program}\nplayers {}\nfeatures {}\ngames {games}\nseeds {seeds}\naccepted {accepted}\n",
            self.players,
            list_hash(),
        );
        let _ = writeln!(text, "linear {} {CHOICE_FEATURES}", self.linear.len());
        self.linear.iter().for_each(|row| push_row(&mut text, row));
        text
    }
}

fn push_row(text: &mut String, row: &[f32]) {
    for (place, weight) in row.iter().enumerate() {
        let _ = write!(text, "{}{weight}", if place > 0 { " " } else { "" });
    }
    text.push('\n');
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Self, WeightsError> {
        let mut lines = WeightLines {
            lines: text.lines(),
            line: 0,
        };
        let first = lines.next();
        if first != FIRST_LINE {
            return Err(WeightsError::Format { found: cut(first) });
        }
        let program = lines.value("program")?.to_owned();
        let players = lines.parsed("players", "`players 4` or `players 3`", |players| {
            matches!(players, 3 | 4)
        })?;
        let (found, expected) = (lines.value("features")?, list_hash());
        if found != expected {
            return Err(WeightsError::Features {
                found: cut(found),
                expected,
            });
        }
        let games = lines.parsed("games", "`games` and a number", |_| true)?;
        let seeds = lines.value("seeds")?.to_owned();
        let accepted = lines.value("accepted")?.to_owned();
        let situations = lines.sizes(
            "linear",
            [0..=SITUATIONS, CHOICE_FEATURES..=CHOICE_FEATURES],
        )?[0];
        let mut linear = vec![[0.0; CHOICE_FEATURES]; situations];
        linear.iter_mut().try_for_each(|row| lines.row(row))?;
        if let Some(found) = lines.peek() {
            return Err(WeightsError::Line {
                line: lines.line + 1,
                wanted: "the end".to_owned(),
                found: cut(found),
            });
        }
        let provenance = Provenance {
            program,
            games,
            seeds,
            accepted,
        };
        Ok(Self {
            players,
            provenance,
            linear,
        })
    }
}

/// The lines of a file, counted.
struct WeightLines<'t> {
    lines: std::str::Lines<'t>,
    line: usize,
}

impl<'t> WeightLines<'t> {
    /// The next line; empty past the end.
    fn next(&mut self) -> &'t str {
        self.line += 1;
        self.lines.next().unwrap_or_default()
    }

    fn peek(&self) -> Option<&'t str> {
        self.lines.clone().next()
    }

    fn wrong<T>(&self, wanted: &str, found: &str) -> Result<T, WeightsError> {
        Err(WeightsError::Line {
            line: self.line,
            wanted: wanted.to_owned(),
            found: cut(found),
        })
    }

    /// The rest of the next line after its key.
    fn value(&mut self, key: &str) -> Result<&'t str, WeightsError> {
        let line = self.next();
        match line.strip_prefix(key) {
            Some(rest) if rest.is_empty() || rest.starts_with(' ') => Ok(rest.trim()),
            _ => self.wrong(&format!("`{key} …`"), line),
        }
    }

    fn parsed<T: FromStr>(
        &mut self,
        key: &str,
        wanted: &str,
        is_right: fn(&T) -> bool,
    ) -> Result<T, WeightsError> {
        let value = self.value(key)?;
        match value.parse() {
            Ok(parsed) if is_right(&parsed) => Ok(parsed),
            _ => self.wrong(wanted, value),
        }
    }

    fn sizes(
        &mut self,
        key: &str,
        allowed: [std::ops::RangeInclusive<usize>; 2],
    ) -> Result<[usize; 2], WeightsError> {
        let value = self.value(key)?;
        let mut words = value.split_whitespace();
        let mut size = |allowed: &std::ops::RangeInclusive<usize>| {
            words
                .next()
                .and_then(|word| word.parse().ok())
                .filter(|size| allowed.contains(size))
        };
        match (size(&allowed[0]), size(&allowed[1]), words.next()) {
            (Some(one), Some(other), None) => Ok([one, other]),
            _ => {
                let [one, other] = allowed;
                let between = |range: std::ops::RangeInclusive<usize>| {
                    format!("{} to {}", range.start(), range.end())
                };
                self.wrong(
                    &format!("`{key}` with {} and {}", between(one), between(other)),
                    value,
                )
            }
        }
    }

    fn row(&mut self, row: &mut [f32]) -> Result<(), WeightsError> {
        let line = self.next();
        let mut words: SplitWhitespace<'_> = line.split_whitespace();
        for place in row.iter_mut() {
            let number = words
                .next()
                .and_then(|word| word.parse::<f32>().ok())
                .filter(|number| number.is_finite());
            match number {
                Some(number) => *place = number,
                None => return self.wrong(&format!("a row of {} numbers", row.len()), line),
            }
        }
        if words.next().is_some() {
            self.wrong(&format!("a row of {} numbers", row.len()), line)
        } else {
            Ok(())
        }
    }
}

/// As much of a text as fits into a message.
fn cut(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    text.chars().take(MAX_CHARS).collect()
}
