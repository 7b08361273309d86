//! `stats`: statistics from the results database.

mod chart;
mod compare;
mod conclusion;
mod group;
mod rating;
mod report;

use std::collections::{BTreeSet, HashMap};
use std::process::ExitCode;

use anyhow::Context;
use client::kept_game::milliseconds;
use client::own_thread::on_own_thread;
use lab_stats::MIN_GAMES_OF_INTERVAL;
use policy_host::escaped;
use results::{
    BadRow, DatabaseAddress, LadderRow, ResultKind, ResultRow, ResultsFilter, Store, open_to_read,
};
use secrecy::SecretString;
use time::OffsetDateTime;

use self::compare::{ComparedRows, comparisons, table_of};
use self::conclusion::conclusion;
use self::group::{CountedLuck, Groups, StatsGroup, StatsRows};
use self::rating::Ratings;
use super::database::database;
use super::success;
use super::table::number_of;
use crate::cli::{StatsArgs, StatsBy};
use lab::whole_file;
use say::output::{say, say_data};
use say::screen::note;

/// Reads the requested results, and prints the statistics.
///
/// # Errors
///
/// If the database cannot be read, or the chart cannot be written.
pub async fn stats(args: StatsArgs) -> anyhow::Result<ExitCode> {
    args.chart.as_deref().map(chart::check_name).transpose()?;
    let (address, password) = database(&args.database)?;
    let since_ms = args.since.map_or(i64::MIN, |since| {
        milliseconds(since.moment(OffsetDateTime::now_utc()))
    });
    let filter = ResultsFilter {
        kind: if args.tournaments {
            ResultKind::Tournament
        } else {
            ResultKind::Ladder
        },
        bot: args.bot.clone(),
        policy: args.policy.clone(),
        arena: args.arena.clone(),
        game: args.game.map(|game| game.name().to_owned()),
        since_ms,
    };
    if args.rating {
        return ratings(&args, address, password, filter).await;
    }
    let by = args.by;
    // Database calls block.
    let read = on_own_thread(move || -> anyhow::Result<(Groups, Holdings, RowsLeftOut)> {
        let (mut groups, mut holdings, mut left_out) =
            (Groups::new(by), Holdings::default(), RowsLeftOut::default());
        let mut store = open_to_read(&address, password.as_ref())?;
        let ladder = ladder_rows(&mut *store, &filter, &mut left_out)?;
        store.read(&filter, &mut |row| match row {
            Ok(result) => groups.add(&result, ladder.get(&result.key)),
            Err(bad) => left_out.add(&bad),
        })?;
        if groups.games == 0 {
            for kind in [ResultKind::Ladder, ResultKind::Tournament] {
                let all = ResultsFilter {
                    kind,
                    bot: None,
                    policy: None,
                    arena: None,
                    game: None,
                    since_ms: i64::MIN,
                };
                // Those that cannot be read have no game of the requested kind.
                store.read(&all, &mut |row| {
                    drop(row.map(|result| holdings.add(kind == filter.kind, result)))
                })?;
            }
        }
        Ok((groups, holdings, left_out))
    });
    let (groups, holdings, left_out) = read.await??;
    let (mixed, nameless, games) = (groups.mixed, groups.nameless, groups.games);
    let arenas: Vec<String> = groups.arenas.iter().cloned().collect();
    let all = groups.into_rows();
    let compared = comparisons(by, &all);
    let StatsRows { rows, luck, .. } = all;
    if let Some(path) = &args.chart {
        whole_file::replace(
            path,
            chart::chart(&title(&args, games), &ranked(args.by, &rows)).as_bytes(),
        )
        .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if args.json {
        let json = report::json(&rows, &compared, &luck, &arenas, (mixed, nameless));
        say_data(json.to_string());
    } else if args.csv {
        say_data(report::csv(&rows));
    } else if games == 0 {
        say(escaped(holdings.words(args.tournaments).as_bytes()));
    } else {
        let counts = (games, mixed, nameless);
        tell(&args, &rows, &compared, &luck, counts, &arenas);
    }
    left_out.tell();
    Ok(success(left_out.rows == 0))
}

/// What ladders say about these results, by the keys of games.
fn ladder_rows(
    store: &mut dyn Store,
    filter: &ResultsFilter,
    left_out: &mut RowsLeftOut,
) -> anyhow::Result<HashMap<String, LadderRow>> {
    let mut rows = HashMap::new();
    store.read_ladder(filter, &mut |row| match row {
        Ok(row) => drop(rows.insert(row.key.clone(), row)),
        Err(bad) => left_out.add(&bad),
    })?;
    Ok(rows)
}

/// Prints the ratings of these results.
async fn ratings(
    args: &StatsArgs,
    address: DatabaseAddress,
    password: Option<SecretString>,
    filter: ResultsFilter,
) -> anyhow::Result<ExitCode> {
    // Database calls block.
    let read = on_own_thread(move || -> anyhow::Result<(Ratings, RowsLeftOut)> {
        let (mut ratings, mut left_out) = (Ratings::default(), RowsLeftOut::default());
        let mut store = open_to_read(&address, password.as_ref())?;
        let ladder = ladder_rows(&mut *store, &filter, &mut left_out)?;
        store.read(&filter, &mut |row| match row {
            Ok(result) => {
                let row = ladder.get(&result.key);
                ratings.add(result, row);
            }
            Err(bad) => left_out.add(&bad),
        })?;
        Ok((ratings, left_out))
    });
    let (ratings, left_out) = read.await??;
    let threshold = args.threshold;
    if let Some(path) = &args.chart {
        whole_file::replace(path, ratings.chart(threshold).as_bytes())
            .with_context(|| format!("{} cannot be written", path.display()))?;
    }
    if args.json {
        say_data(ratings.json(threshold).to_string());
    } else if args.csv {
        say_data(ratings.csv());
    } else if ratings.is_empty() {
        say(format!(
            "No game here has a rating: the ladder is asked by bots with a section [ladder] ({} without one).",
            number_of(ratings.unrated, "ranked game")
        ));
    } else {
        say(ratings.table(threshold).for_output());
        ratings.notes().iter().for_each(say);
        if let Some(chart) = &args.chart {
            say(format!("chart: {}", chart.display()));
        }
    }
    left_out.tell();
    Ok(success(left_out.rows == 0))
}

/// Rows of the database that no runner can have written.
#[derive(Default)]
struct RowsLeftOut {
    rows: u64,
}

impl RowsLeftOut {
    /// Maximum number of rows that are named.
    const MAX_NAMED: u64 = 10;

    fn add(&mut self, row: &BadRow) {
        self.rows += 1;
        if self.rows <= Self::MAX_NAMED {
            note(format!("bot-runner: left out: {row}"));
        }
    }

    fn tell(&self) {
        if self.rows > Self::MAX_NAMED {
            note(format!(
                "bot-runner: left out: {} like these",
                number_of(self.rows - Self::MAX_NAMED, "more row")
            ));
        }
    }
}

/// The content of a database in which no game is as requested.
#[derive(Default)]
struct Holdings {
    /// The policies and the bots of games of the requested kind.
    policies: BTreeSet<String>,
    bots: BTreeSet<String>,
    /// Whether there are games of the other kind.
    has_others: bool,
}

impl Holdings {
    fn add(&mut self, is_requested_kind: bool, result: ResultRow) {
        if is_requested_kind {
            self.policies.insert(result.policy);
            self.bots.insert(result.bot);
        } else {
            self.has_others = true;
        }
    }

    fn words(&self, tournaments: bool) -> String {
        let [kind, other] = if tournaments {
            [
                "games of tournaments",
                "ranked games, which are shown without --tournaments",
            ]
        } else {
            [
                "ranked games",
                "games of tournaments, which --tournaments shows",
            ]
        };
        if self.bots.is_empty() {
            let others = if self.has_others {
                format!(", but {other}")
            } else {
                String::new()
            };
            return format!("The database has no {kind}{others}.");
        }
        let listed = |names: &BTreeSet<String>| {
            names
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (policies, bots) = (listed(&self.policies), listed(&self.bots));
        format!(
            "The database has no such games. Its {kind} are of the policies {policies} and the bots {bots}."
        )
    }
}

/// The conclusion from these results.
#[cfg(test)]
pub(super) fn concluded(by: StatsBy, results: &[ResultRow]) -> Option<String> {
    let mut groups = Groups::new(by);
    results.iter().for_each(|result| groups.add(result, None));
    let all = groups.into_rows();
    conclusion(by, &all.rows, &comparisons(by, &all))
}

/// Maximum number of comparisons that are printed; `--json` has all.
const MAX_SENTENCES: usize = 6;

/// Prints it for users.
fn tell(
    args: &StatsArgs,
    rows: &[StatsGroup],
    compared: &ComparedRows,
    luck: &[CountedLuck],
    (games, mixed, nameless): (u64, u64, u64),
    arenas: &[String],
) {
    if !rows.is_empty() {
        say(report::table(args.by, &ranked(args.by, rows)).for_output());
    }
    if rows.iter().any(|row| row.games() < MIN_GAMES_OF_INTERVAL) {
        say(format!(
            "Intervals are shown from {MIN_GAMES_OF_INTERVAL} games on."
        ));
    }
    for luck in luck {
        say(escaped(luck.words().as_bytes()));
    }
    if compared.pairs.len() <= MAX_SENTENCES {
        for pair in &compared.pairs {
            say(escaped(
                (table_of(&pair.table, rows) + &pair.sentence()).as_bytes(),
            ));
        }
    }
    let judged = || {
        compared
            .pairs
            .iter()
            .map(|pair| &pair.judged)
            .chain(compared.alone.iter().map(|(_, judged)| judged))
    };
    if judged().count() > 1 && judged().any(|judged| judged.advantage.estimate.spread.is_some()) {
        say(
            "Each interval holds alone; what is better is judged together (Holm), with an error rate of 5 % in all.",
        );
    }
    if mixed > 0 {
        let (verb, where_) = if mixed == 1 {
            ("is", "it")
        } else {
            ("are", "them")
        };
        let games = number_of(mixed, "game");
        say(format!(
            "{games} {verb} of no version: the policy was replaced in the middle of {where_}."
        ));
    }
    if nameless > 0 {
        say(format!(
            "In {nameless} of {} the arena did not name the players.",
            number_of(games, "game")
        ));
    }
    if arenas.len() > 1 {
        let names: Vec<String> = arenas
            .iter()
            .map(|arena| escaped(arena.as_bytes()))
            .collect();
        let what = if args.tournaments {
            "tournaments"
        } else {
            "arenas"
        };
        say(format!(
            "Games of {} {what} are combined; --arena keeps one: {}",
            arenas.len(),
            names.join(", ")
        ));
    }
    if let Some(chart) = &args.chart {
        say(format!("chart: {}", chart.display()));
    }
    if let Some(conclusion) = conclusion(args.by, rows, compared) {
        say(escaped(conclusion.as_bytes()));
    }
}

/// The rows in the order for users: best first for each sort of table, except weeks, which are in
/// order.
fn ranked(by: StatsBy, rows: &[StatsGroup]) -> Vec<&StatsGroup> {
    let mut rows: Vec<&StatsGroup> = rows.iter().collect();
    if by != StatsBy::Week {
        rows.sort_by(|one, other| {
            one.table
                .cmp(&other.table)
                .then(one.cost().total_cmp(&other.cost()))
        });
    }
    rows
}

/// The title of the chart.
fn title(args: &StatsArgs, games: u64) -> String {
    let sort = if args.tournaments {
        "games of tournaments"
    } else {
        "ranked games"
    };
    let of = |what: &str, name: &Option<String>| {
        name.as_ref()
            .map(|name| format!(", {what} {name}"))
            .unwrap_or_default()
    };
    let game = args.game.map(|game| game.name().to_owned());
    format!(
        "{games} {sort}{}{}{}",
        of("game", &game),
        of("bot", &args.bot),
        of("policy", &args.policy)
    )
}
