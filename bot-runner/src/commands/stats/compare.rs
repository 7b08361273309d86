//! Compares rows: is one better than another, and how certain is that?

use lab_stats::{Advantage, Comparison, Estimate, MIN_GAMES_OF_INTERVAL, Spread, Verdict};

use super::super::table::{number_of, signed, thousands};
use super::super::verdict::BetterWords;
use super::group::{RowAdvantage, StatsGroup, StatsRows, TableKind};
use crate::cli::StatsBy;

/// A relevant difference in places: about the gain of a season's work on a policy.
const WORTH_FINDING: f64 = 0.1;

/// Maximum number of rows of a sort of table of which each is compared with each other: those with
/// the most games.
pub(super) const MAX_COMPARED: usize = 20;

const SAME_GAMES: &str = "both were met in the same games, so nothing tells them apart";
const ONE_WALL: &str = "one wall has no interval";
const ONE_TABLE: &str = "games at one table have no interval";

/// The comparisons of all rows, which were judged together.
#[derive(Debug, Default)]
pub(super) struct ComparedRows {
    pub(super) pairs: Vec<RowComparison>,
    /// Rows that are alone at their sort of table, compared with the average of their tables.
    pub(super) alone: Vec<(usize, Comparison)>,
}

/// Why a comparison of two rows has no interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingInterval {
    /// Both opponents were met in the same games.
    SameGames,
    FewGames,
    /// All games of a row share their luck.
    OneTable,
    /// No wall or table shows a difference.
    Alike,
}

#[derive(Debug)]
pub(super) struct RowComparison {
    /// The places of the two rows.
    pub(super) rows: (usize, usize),
    /// The label of the later version, or of the row that comes first.
    pub(super) one: String,
    /// The label of the other row.
    pub(super) other: String,
    /// Where both were played.
    pub(super) table: TableKind,
    pub(super) games: (u64, u64),
    /// Whether the advantage is without luck.
    pub(super) is_adjusted: bool,
    /// The average advantage of the first in places, or in points a game.
    pub(super) judged: Comparison,
    pub(super) words: BetterWords,
    /// Whether they are opponents that were met in the same games.
    pub(super) is_of_same_games: bool,
    /// Whether they are a version and the one before it.
    pub(super) is_of_versions: bool,
}

/// Compares the rows of each sort of table: versions of one policy with the one before, other rows
/// with each other. Those of a tournament are compared where they met, and only there.
pub(super) fn comparisons(by: StatsBy, all: &StatsRows) -> ComparedRows {
    let mut found: Vec<(Advantage, RowOrPair)> = Vec::new();
    let mut from = 0;
    for rows in all.rows.chunk_by(|one, other| one.table == other.table) {
        found.extend(of_table(by, all, from, rows));
        from += rows.len();
    }
    let advantages: Vec<Advantage> = found.iter().map(|(advantage, _)| *advantage).collect();
    let mut compared = ComparedRows::default();
    for ((_, found), judged) in found.into_iter().zip(Comparison::judge(&advantages)) {
        match found {
            RowOrPair::Row(row) => compared.alone.push((row, judged)),
            RowOrPair::Pair {
                rows: (one, other),
                games,
                is_adjusted,
                is_of_versions,
            } => {
                let (first, second) = (&all.rows[one], &all.rows[other]);
                compared.pairs.push(RowComparison {
                    rows: (one, other),
                    one: first.label.clone(),
                    other: second.label.clone(),
                    table: first.table.clone(),
                    games,
                    is_adjusted,
                    judged: with_possible_ends(judged, &first.table),
                    words: match by {
                        _ if is_of_versions || all.is_by_meetings() => BetterWords::Strength,
                        StatsBy::Version | StatsBy::Bot => BetterWords::Results,
                        StatsBy::Opponent => BetterWords::Against,
                        StatsBy::Week => BetterWords::InWeek,
                    },
                    is_of_same_games: by == StatsBy::Opponent && first.has_games_of(second),
                    is_of_versions,
                });
            }
        }
    }
    compared
}

/// What is said of a comparison that is made without luck.
pub(super) const fn adjusted_words(is_adjusted: bool) -> &'static str {
    if is_adjusted {
        ", adjusted for luck"
    } else {
        ""
    }
}

enum RowOrPair {
    Row(usize),
    Pair {
        rows: (usize, usize),
        games: (u64, u64),
        is_adjusted: bool,
        is_of_versions: bool,
    },
}

/// What is compared of the rows of one sort of table, which begin at this place.
fn of_table(
    by: StatsBy,
    all: &StatsRows,
    from: usize,
    rows: &[StatsGroup],
) -> Vec<(Advantage, RowOrPair)> {
    let pair = |one: usize, other: usize, is_of_versions: bool| {
        let RowAdvantage {
            advantage,
            is_adjusted,
            games,
        } = all.advantage(from + one, from + other)?;
        let advantage = advantage.over_games(games.0.min(games.1));
        Some((
            advantage,
            RowOrPair::Pair {
                rows: (from + one, from + other),
                games,
                is_adjusted,
                is_of_versions,
            },
        ))
    };
    let each_two = |rows: &[usize]| {
        let two = rows
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| rows[place + 1..].iter().map(move |&other| (one, other)));
        two.filter_map(|(one, other)| pair(one, other, false))
            .collect()
    };
    if all.is_by_meetings() {
        return each_two(&(0..rows.len()).collect::<Vec<_>>());
    }
    if rows.iter().any(|row| row.is_of_tournaments) {
        // Their rows of opponents and weeks are averages over different tables.
        return Vec::new();
    }
    if let [row] = rows {
        let advantage = row
            .advantage_over_average()
            .map(|advantage| advantage.over_games(row.games()));
        return advantage
            .map(|advantage| (advantage, RowOrPair::Row(from)))
            .into_iter()
            .collect();
    }
    let versions: Vec<_> = rows
        .iter()
        .enumerate()
        .filter_map(|(index, one)| {
            let policy = one.policy.as_ref()?;
            let earlier = rows[..index]
                .iter()
                .rposition(|row| row.policy.as_ref() == Some(policy))?;
            pair(index, earlier, true)
        })
        .collect();
    if by == StatsBy::Version && !versions.is_empty() {
        return versions;
    }
    let mut most: Vec<usize> = (0..rows.len()).collect();
    most.sort_by_key(|&row| std::cmp::Reverse(rows[row].games()));
    most.truncate(MAX_COMPARED);
    most.sort_unstable();
    each_two(&most)
}

/// A comparison whose interval ends where differences in places do.
fn with_possible_ends(judged: Comparison, table: &TableKind) -> Comparison {
    // One less than the number of places, and unlimited for points.
    let most = if table.is_about_places() {
        f64::from(table.players()) - 1.0
    } else {
        f64::INFINITY
    };
    judged.within(-most, most)
}

/// The sort of table, to begin a sentence with; empty if all rows are of the same.
pub(super) fn table_of(table: &TableKind, rows: &[StatsGroup]) -> String {
    let several = rows.iter().any(|row| row.table != *table);
    if several {
        format!("{table}: ")
    } else {
        String::new()
    }
}

impl RowComparison {
    /// The number of games of each that would show a difference of [`WORTH_FINDING`] places, or for
    /// points one as large as the measured one; `None` if it is shown, if so many games would have
    /// shown it, or if it cannot be computed.
    pub(super) fn needed(&self) -> Option<u64> {
        // The harmonic mean: so many games of each would give the same error.
        let (one, other) = (self.games.0 as f64, self.games.1 as f64);
        let games = 2.0 * one * other / (one + other);
        match self.table.is_about_places() {
            true => self.judged.needed_for(WORTH_FINDING, games),
            false => self.judged.needed(games),
        }
    }

    pub(super) const fn unit(&self) -> &'static str {
        if self.table.is_about_places() {
            "places"
        } else {
            "points"
        }
    }

    /// The interval, or why there is none.
    pub(super) fn interval(&self) -> Result<Spread, MissingInterval> {
        let Advantage {
            estimate: Estimate { spread, .. },
            basis,
            ..
        } = self.judged.advantage;
        spread.ok_or(match self.games.0.min(self.games.1) {
            _ if self.is_of_same_games => MissingInterval::SameGames,
            0..MIN_GAMES_OF_INTERVAL => MissingInterval::FewGames,
            _ if basis.is_alike && basis.groups > 1 => MissingInterval::Alike,
            _ => MissingInterval::OneTable,
        })
    }

    /// Whether the two met on the walls of a tournament.
    const fn is_of_walls(&self) -> bool {
        matches!(
            (self.words, self.is_of_versions),
            (BetterWords::Strength, false)
        )
    }

    /// What is said of games without an interval, and what may show a difference.
    pub(super) fn until_interval(&self, missing: MissingInterval) -> String {
        match (missing, self.is_of_walls()) {
            (MissingInterval::SameGames, _) => SAME_GAMES.to_owned(),
            (MissingInterval::FewGames, _) => {
                format!("play until each has {MIN_GAMES_OF_INTERVAL} games or more")
            }
            (MissingInterval::OneTable, true) => format!("{ONE_WALL}; play more games"),
            (MissingInterval::OneTable, false) => format!("{ONE_TABLE}; play more games"),
            (MissingInterval::Alike, true) => {
                "no wall shows a difference; play more games".to_owned()
            }
            (MissingInterval::Alike, false) => {
                "every table had the same result, so play against other opponents".to_owned()
            }
        }
    }

    /// Why there is no interval, in words.
    fn no_interval(&self, missing: MissingInterval) -> String {
        let games = || format!("{} and {}", self.games.0, number_of(self.games.1, "game"));
        match missing {
            MissingInterval::SameGames => SAME_GAMES.to_owned(),
            MissingInterval::FewGames => format!("{} are too few for an interval", games()),
            MissingInterval::OneTable if self.is_of_walls() => ONE_WALL.to_owned(),
            MissingInterval::OneTable => ONE_TABLE.to_owned(),
            MissingInterval::Alike => {
                format!("{} without any difference have no interval", games())
            }
        }
    }

    /// Whether more games may show a difference that is not shown.
    pub(super) fn may_be_shown(&self) -> bool {
        match self.interval() {
            Ok(_) => self.needed().is_some(),
            Err(MissingInterval::FewGames | MissingInterval::OneTable) => true,
            Err(MissingInterval::Alike) => self.is_of_walls(),
            Err(MissingInterval::SameGames) => false,
        }
    }

    pub(super) fn sentence(&self) -> String {
        let Self {
            one,
            other,
            table,
            games,
            is_adjusted,
            judged,
            words,
            ..
        } = self;
        let adjusted = adjusted_words(*is_adjusted);
        let is_of_places = table.is_about_places();
        let (does, unit, decimals) = if is_of_places {
            ("places", "places on average", 3)
        } else {
            ("scores", "points a game", 2)
        };
        let Advantage {
            estimate: Estimate { mean, .. },
            chance,
            ..
        } = judged.advantage;
        let Spread { low, high, .. } = match self.interval() {
            Ok(spread) => spread,
            Err(missing) => {
                return capital(&format!(
                    "{}: {}.",
                    words.open(one, other),
                    self.no_interval(missing)
                ));
            }
        };
        let of_games = format!(
            "over {} and {} games",
            thousands(games.0),
            thousands(games.1)
        );
        let chance = chance.map_or_else(String::new, |chance| {
            let percent = match chance {
                rare if rare < 0.0001 => "less than 0.01".to_owned(),
                common if common > 0.99 => "more than 99".to_owned(),
                chance => format!("{:.2}", chance * 100.0),
            };
            format!(
                " If both were equally good, luck alone would give as large a difference in {percent} % of such cases."
            )
        });
        match judged.verdict {
            Verdict::Better => format!(
                "{}: by {mean:.decimals$} {unit}{adjusted} (95 % interval {low:.decimals$} to {high:.decimals$}) {of_games}.{chance}",
                capital(&words.by_verb(does, one, "better", other))
            ),
            Verdict::Worse => format!(
                "{}: by {:.decimals$} {unit}{adjusted} (95 % interval {:.decimals$} to {:.decimals$}) {of_games}.{chance}",
                capital(&words.by_verb(does, one, "worse", other)),
                -mean,
                -high,
                -low
            ),
            Verdict::NotShown | Verdict::NoInterval => {
                let more = self.needed().filter(|_| is_of_places).map_or_else(String::new, |needed| {
                    format!(
                        " A difference of {WORTH_FINDING} places takes about {} games of each to show.",
                        thousands(needed)
                    )
                });
                format!(
                    "{}: the first {does} {} better{adjusted} (95 % interval {} to {}) {of_games}.{chance}{more}",
                    capital(&words.open(one, other)),
                    signed(mean, decimals),
                    signed(low, decimals),
                    signed(high, decimals)
                )
            }
        }
    }
}

/// A sentence that begins with one of our own words begins with a capital; a label stays as it is.
fn capital(sentence: &str) -> String {
    match sentence
        .strip_prefix("it is not shown")
        .map(|rest| format!("It is not shown{rest}"))
    {
        Some(sentence) => sentence,
        None => match sentence.strip_prefix("your bot ") {
            Some(rest) => format!("Your bot {rest}"),
            None => sentence.to_owned(),
        },
    }
}
