//! Weights: the learned corrections, as a text file.
//!
//! The first line is `learned weights 1`. Then come lines of a key and its value, and at last the
//! numbers:
//!
//! ```text
//! learned weights 1
//! program bot-runner 0.1.0
//! players 4
//! features 5f0c…            hash of the feature list
//! games 120000              games of self-play that they come from
//! seeds 1-120000            the walls of these
//! accepted 2.4520 +- 0.0045 in 17478 games against defensive-fold
//! linear 9 79               rows of a weight for each feature of a choice, one for each situation
//! 0.81 0 -0.02 …
//! ```

use std::fmt::Write as _;
use std::marker::PhantomData;
use std::str::{FromStr, SplitWhitespace};

use crate::feature::{FeatureSet, choice_features, list_hash};

/// The most that is read of a file of weights.
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
pub struct Weights<F> {
    /// Players of the tables.
    pub players: u8,
    pub provenance: Provenance,
    /// For each situation a weight for each feature of a choice, in the unit of the policy's
    /// values. Empty if they change nothing.
    pub linear: Vec<Vec<f32>>,
    features: PhantomData<F>,
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

impl<F: FeatureSet> Weights<F> {
    /// These weights.
    pub const fn new(players: u8, provenance: Provenance, linear: Vec<Vec<f32>>) -> Self {
        Self {
            players,
            provenance,
            linear,
            features: PhantomData,
        }
    }

    /// Weights that change nothing.
    pub fn none(players: u8) -> Self {
        Self::new(players, Provenance::default(), Vec::new())
    }

    /// Whether they change nothing.
    pub const fn is_none(&self) -> bool {
        self.linear.is_empty()
    }

    /// The correction of a choice with these features in a situation.
    pub fn correction(&self, situation: usize, features: &[f32]) -> f32 {
        corrected_by(&self.linear, situation, features)
    }

    /// The file.
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
            list_hash::<F>(),
        );
        let _ = writeln!(
            text,
            "linear {} {}",
            self.linear.len(),
            choice_features::<F>()
        );
        self.linear.iter().for_each(|row| push_row(&mut text, row));
        text
    }
}

/// The correction of a choice with these features in a situation, by rows of weights for each
/// situation; 0 without weights.
pub fn corrected_by(linear: &[Vec<f32>], situation: usize, features: &[f32]) -> f32 {
    linear.get(situation).map_or(0.0, |weights| {
        weights
            .iter()
            .zip(features)
            .map(|(weight, value)| weight * value)
            .sum()
    })
}

fn push_row(text: &mut String, row: &[f32]) {
    for (place, weight) in row.iter().enumerate() {
        let _ = write!(text, "{}{weight}", if place > 0 { " " } else { "" });
    }
    text.push('\n');
}

impl<F: FeatureSet> FromStr for Weights<F> {
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
        let wanted: Vec<String> = F::PLAYERS
            .iter()
            .map(|players| format!("`players {players}`"))
            .collect();
        let players = lines.parsed("players", &wanted.join(" or "), |players| {
            F::PLAYERS.contains(players)
        })?;
        let (found, expected) = (lines.value("features")?, list_hash::<F>());
        if found != expected {
            return Err(WeightsError::Features {
                found: cut(found),
                expected,
            });
        }
        let games = lines.parsed("games", "`games` and a number", |_| true)?;
        let seeds = lines.value("seeds")?.to_owned();
        let accepted = lines.value("accepted")?.to_owned();
        let width = choice_features::<F>();
        let situations = lines.sizes("linear", [0..=F::SITUATIONS, width..=width])?[0];
        let mut linear = vec![vec![0.0; width]; situations];
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
        Ok(Self::new(players, provenance, linear))
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
        is_right: impl FnOnce(&T) -> bool,
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

#[cfg(test)]
pub(crate) mod tests {
    use fastrand::Rng;

    use super::*;
    use crate::feature::{Feature, flag, upto};

    /// A small list of features.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub(crate) struct Two;

    impl FeatureSet for Two {
        const TABLE: &'static [Feature] = &[flag("dealer", "whether the own seat deals")];
        const CHOICE: &'static [Feature] = &[
            upto("value", "places", 1.0, "the value"),
            flag("riichi", "whether it declares riichi"),
        ];
        const TABLE_FACTORS: &'static [&'static str] = &["dealer"];
        const CHOICE_FACTORS: &'static [&'static str] = &["riichi"];
        const SITUATIONS: usize = 9;
        const PLAYERS: &'static [u8] = &[4, 3];
    }

    fn random_weights() -> Weights<Two> {
        let mut rng = Rng::with_seed(7);
        let mut row = || (0..3).map(|_| rng.f32() - 0.5).collect();
        let linear = (0..Two::SITUATIONS).map(|_| row()).collect();
        let provenance = Provenance {
            program: "bot-runner 0.1.0".to_owned(),
            games: 8_000,
            seeds: "1-8000".to_owned(),
            accepted: "2.48 in 600 games".to_owned(),
        };
        Weights::new(4, provenance, linear)
    }

    fn error(text: &str) -> WeightsError {
        text.parse::<Weights<Two>>().unwrap_err()
    }

    #[test]
    fn a_file_holds_weights_exactly() {
        let weights = random_weights();
        assert_eq!(weights.to_text().parse::<Weights<Two>>().unwrap(), weights);
    }

    #[test]
    fn a_file_with_another_feature_list_is_refused_with_both_hashes() {
        let text = random_weights()
            .to_text()
            .replace(&list_hash::<Two>(), "0badc0de");
        let WeightsError::Features { found, expected } = error(&text) else {
            panic!("another error")
        };
        assert_eq!((found.as_str(), expected), ("0badc0de", list_hash::<Two>()));
    }

    #[test]
    fn what_is_wrong_in_a_file_is_named_with_its_line() {
        let text = random_weights().to_text();
        assert!(matches!(error("{}"), WeightsError::Format { .. }));
        assert!(matches!(error(""), WeightsError::Format { .. }));
        let line_of = |text: &str| match error(text) {
            WeightsError::Line { line, .. } => line,
            other => panic!("{other}"),
        };
        assert_eq!(line_of(&text.replace("players 4", "players 5")), 3);
        assert_eq!(line_of(&text.replace("linear 9", "linear 10")), 8);
        assert_eq!(line_of(&format!("{text}1 2 3\n")), text.lines().count() + 1);
        let cut: String = text.lines().take(12).collect::<Vec<_>>().join("\n");
        assert_eq!(line_of(&cut), 13);
        let mut lines: Vec<&str> = text.lines().collect();
        let short = lines[9].rsplit_once(' ').unwrap().0.to_owned();
        lines[9] = &short;
        assert_eq!(line_of(&lines.join("\n")), 10);
        let not_finite = lines[10].replacen(lines[10].split(' ').next().unwrap(), "NaN", 1);
        lines[9] = text.lines().nth(9).unwrap();
        lines[10] = &not_finite;
        assert_eq!(line_of(&lines.join("\n")), 11);
    }

    #[test]
    fn a_correction_is_the_sum_of_features_times_the_weights_of_the_situation() {
        let weights = Weights::<Two>::new(
            4,
            Provenance::default(),
            vec![vec![1.0, 0.0, 0.0], vec![0.5, -2.0, 0.25]],
        );
        assert_eq!(weights.correction(1, &[1.0, 1.0, 4.0]), -0.5);
        assert_eq!(Weights::<Two>::none(4).correction(1, &[1.0, 1.0, 4.0]), 0.0);
    }
}
