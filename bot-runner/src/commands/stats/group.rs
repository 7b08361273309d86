//! Results put together to rows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use lab::game::luck::PARTS;
use lab_stats::{Advantage, ClusteredMean, Estimate, SeatCounts, average_rank_points};
use policy_host::{GameKind, Measure};
use results::{LadderRow, ResultKind, ResultRow};
use time::OffsetDateTime;

use crate::cli::StatsBy;
use crate::commands::table::{number_of, score_units};

/// Maximum number of digits of a build's content hash that are shown.
const CONTENT_DIGITS: usize = 8;

/// The key of a row, besides the game and the number of players: places in different games, or
/// among three and among four, do not compare.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    table: TableKind,
    /// The label without the content.
    label: String,
    content: Option<String>,
}

/// At what sort of table a row was played; games about places come first, and of these the ones
/// with four players.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TableKind {
    is_about_points: bool,
    pub(super) game: String,
    players: Reverse<u8>,
    /// The counts that such games have, of [`SeatCounts::NAMES`].
    counted: &'static [&'static str],
}

impl TableKind {
    fn of(result: &ResultRow) -> Self {
        // A game of a later runner is compared by points.
        let measure = result
            .game
            .parse()
            .map_or(Measure::Points { cap: 0 }, GameKind::measure);
        Self {
            is_about_points: measure != Measure::Places,
            game: result.game.clone(),
            players: Reverse(result.players),
            counted: SeatCounts::counted(measure),
        }
    }

    pub(super) const fn players(&self) -> u8 {
        self.players.0
    }

    /// Whether a game there is about its place, and not about its score.
    pub(super) const fn is_about_places(&self) -> bool {
        !self.is_about_points
    }

    /// The average place.
    fn middle(&self) -> f64 {
        f64::midpoint(1.0, self.players().into())
    }

    /// Whether it is one that goes without saying.
    pub(super) fn is_usual(&self) -> bool {
        self.game == GameKind::default().name()
    }

    fn counts(&self, name: &str) -> bool {
        self.counted.contains(&name)
    }
}

/// `riichi with 3 players`.
impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} players", self.game, self.players())
    }
}

/// What the games of a row measure, clustered by shared luck.
#[derive(Debug, Clone, Default)]
struct RowResults {
    places: ClusteredMean,
    /// Final scores in points, for games with known scores.
    scores: ClusteredMean,
    /// The places or points without luck, by the version of the luck, for games whose luck is
    /// known; in the end only of the version that counts.
    adjusted: BTreeMap<String, ClusteredMean>,
}

impl RowResults {
    fn add(&mut self, table: &TableKind, result: &ResultRow) {
        let shared = hashed(&result.shared);
        let place = f64::from(result.place);
        self.places.add(shared, place);
        let points = points_of(result);
        if let Some(points) = points {
            self.scores.add(shared, points);
        }
        let measured = if table.is_about_places() {
            Some(place)
        } else {
            points
        };
        if let (Some(measured), Some(luck)) = (measured, &result.luck) {
            let adjusted = measured - f64::from(luck.thousandths) / f64::from(PARTS);
            let of_version = self.adjusted.entry(luck.version.clone()).or_default();
            of_version.add(shared, adjusted);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.places.merge(&other.places);
        self.scores.merge(&other.scores);
        for (version, adjusted) in &other.adjusted {
            let of_version = self.adjusted.entry(version.clone()).or_default();
            of_version.merge(adjusted);
        }
    }

    /// Forgets the luck of all versions but this one.
    fn keep_luck(&mut self, counted: Option<&str>) {
        self.adjusted
            .retain(|version, _| counted == Some(version.as_str()));
    }

    /// The places or points without luck, if the luck of every game is known.
    fn all_adjusted(&self) -> Option<&ClusteredMean> {
        let adjusted = self.adjusted.values().next()?;
        (adjusted.count() == self.places.count()).then_some(adjusted)
    }

    /// What is compared at such a table, with or without luck.
    fn compared(&self, table: &TableKind, is_adjusted: bool) -> Option<&ClusteredMean> {
        match (is_adjusted, table.is_about_places()) {
            (true, _) => self.all_adjusted(),
            (false, true) => Some(&self.places),
            (false, false) => Some(&self.scores),
        }
    }

    /// By how much these are better than others: without luck, if that of every game is known.
    fn advantage_over(&self, other: &Self, table: &TableKind) -> Option<RowAdvantage> {
        let is_adjusted = self.all_adjusted().is_some() && other.all_adjusted().is_some();
        let one = self.compared(table, is_adjusted)?;
        let other_compared = other.compared(table, is_adjusted)?;
        let advantage = match table.is_about_places() {
            // A better place is a smaller one.
            true => other_compared.advantage_over(one),
            false => one.advantage_over(other_compared),
        };
        Some(RowAdvantage {
            advantage: advantage?,
            is_adjusted,
            games: (self.places.count(), other.places.count()),
        })
    }

    /// By how much these are better than the average of their tables: without luck, if that of
    /// every game is known.
    fn advantage_over_average(&self, table: &TableKind) -> Option<Advantage> {
        let compared = self.compared(table, self.all_adjusted().is_some())?;
        Some(match table.is_about_places() {
            true => compared.advantage_over_number(table.middle())?.reversed(),
            false => compared.advantage_over_number(0.0)?,
        })
    }
}

/// By how much a row does better than another.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowAdvantage {
    pub(super) advantage: Advantage,
    /// Whether it is without luck.
    pub(super) is_adjusted: bool,
    /// The numbers of games of both.
    pub(super) games: (u64, u64),
}

fn hashed(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The points of a game, if they are known.
fn points_of(result: &ResultRow) -> Option<f64> {
    Some(f64::from(result.points()?) / f64::from(score_units(&result.game)))
}

/// The games of a row.
#[derive(Debug, Clone)]
pub(super) struct StatsGroup {
    pub(super) label: String,
    /// The policy whose version it is, where rows are versions.
    pub(super) policy: Option<String>,
    pub(super) table: TableKind,
    pub(super) is_of_tournaments: bool,
    /// The sum of the hashes of its games' keys: equal for rows of the same games.
    keys: u64,
    /// When its first game ended, milliseconds since 1970.
    pub(super) first_ms: i64,
    /// When its last game ended.
    pub(super) last_ms: i64,
    results: RowResults,
    /// Its places and rounds, and its counts in them; zero if the arena sends only scores.
    pub(super) counts: SeatCounts,
    rating: RatingSpan,
}

/// The ratings of a bot at the start and the end of its games.
#[derive(Debug, Clone, Copy, Default)]
enum RatingSpan {
    /// No game has one.
    #[default]
    Unknown,
    OfBot {
        id: u64,
        first: f64,
        last: f64,
    },
    /// Several bots have no common rating.
    OfSeveral,
}

impl RatingSpan {
    /// Takes in a game; games come in the order of their ends.
    fn add(&mut self, row: &LadderRow) {
        let Some((before, after)) = row.rating_before.zip(row.rating_after()) else {
            return;
        };
        *self = match *self {
            Self::Unknown => Self::OfBot {
                id: row.bot_id,
                first: before,
                last: after,
            },
            Self::OfBot { id, first, .. } if id == row.bot_id => Self::OfBot {
                id,
                first,
                last: after,
            },
            Self::OfBot { .. } | Self::OfSeveral => Self::OfSeveral,
        };
    }
}

impl StatsGroup {
    fn new(table: TableKind, first: &ResultRow) -> Self {
        Self {
            label: String::new(),
            policy: None,
            table,
            is_of_tournaments: first.kind == ResultKind::Tournament,
            keys: 0,
            first_ms: first.ended_ms,
            last_ms: first.ended_ms,
            results: RowResults::default(),
            counts: SeatCounts::default(),
            rating: RatingSpan::default(),
        }
    }

    /// The rating before its first game and after its last one, if they are of one bot.
    pub(super) const fn rating(&self) -> Option<(f64, f64)> {
        match self.rating {
            RatingSpan::OfBot { first, last, .. } => Some((first, last)),
            RatingSpan::Unknown | RatingSpan::OfSeveral => None,
        }
    }

    /// The average of the points that the field gives to places in games of four.
    pub(super) fn rank_points(&self) -> Option<f64> {
        let counts = self.table.is_about_places() && self.table.players() == 4;
        average_rank_points(&self.counts.places).filter(|_| counts)
    }

    /// By how much it does better than the average of its tables; `None` without values.
    pub(super) fn advantage_over_average(&self) -> Option<Advantage> {
        self.results.advantage_over_average(&self.table)
    }

    /// Whether [`advantage_over_average`](Self::advantage_over_average) is without luck.
    pub(super) fn is_compared_without_luck(&self) -> bool {
        self.results.all_adjusted().is_some()
    }

    fn add(&mut self, result: &ResultRow, row: Option<&LadderRow>) {
        if let Some(row) = row {
            self.rating.add(row);
        }
        self.keys = self.keys.wrapping_add(hashed(&result.key));
        self.first_ms = self.first_ms.min(result.ended_ms);
        self.last_ms = self.last_ms.max(result.ended_ms);
        if let Some(times) = self
            .counts
            .places
            .get_mut(usize::from(result.place).wrapping_sub(1))
        {
            *times += 1;
        }
        self.results.add(&self.table, result);
        self.counts.add(&SeatCounts {
            rounds: result.rounds.into(),
            wins: result.wins.into(),
            deal_ins: result.deal_ins.into(),
            riichi: result.riichi.into(),
            called: result.called.into(),
            won: result.won,
            lost: result.lost,
            ..SeatCounts::default()
        });
    }

    /// Whether both rows are of the same games.
    pub(super) const fn has_games_of(&self, other: &Self) -> bool {
        self.games() == other.games() && self.keys == other.keys
    }

    /// Games, once for each seat.
    pub(super) const fn games(&self) -> u64 {
        self.results.places.count()
    }

    /// Share of the games in which it took a place, from 1.
    pub(super) fn share(&self, place: u8) -> f64 {
        self.counts.places[usize::from(place) - 1] as f64 / self.games() as f64
    }

    /// Wins as a share of the rounds, like the following rates; none without a round, or if the
    /// game has no such count.
    pub(super) fn win_rate(&self) -> Option<f64> {
        self.rate("wins", self.counts.wins)
    }

    pub(super) fn deal_in_rate(&self) -> Option<f64> {
        self.rate("deal_ins", self.counts.deal_ins)
    }

    pub(super) fn riichi_rate(&self) -> Option<f64> {
        self.rate("riichi", self.counts.riichi)
    }

    pub(super) fn call_rate(&self) -> Option<f64> {
        self.rate("called", self.counts.called)
    }

    /// Average points of a win; none without a win, or if the game has no such count.
    pub(super) fn average_win(&self) -> Option<f64> {
        self.average("won", self.counts.won, self.counts.wins)
    }

    /// Average points lost by dealing in.
    pub(super) fn average_loss(&self) -> Option<f64> {
        self.average("lost", self.counts.lost, self.counts.deal_ins)
    }

    fn rate(&self, name: &str, count: u64) -> Option<f64> {
        (self.counts.rounds > 0 && self.table.counts(name))
            .then(|| count as f64 / self.counts.rounds as f64)
    }

    fn average(&self, name: &str, sum: i64, times: u64) -> Option<f64> {
        (times > 0 && self.table.counts(name)).then(|| sum as f64 / times as f64)
    }

    /// The sort key, lower is better: its average place, or its negative average points.
    pub(super) fn cost(&self) -> f64 {
        let sign = if self.table.is_about_places() {
            1.0
        } else {
            -1.0
        };
        self.measured()
            .map_or(f64::INFINITY, |average| sign * average.mean)
    }

    /// The figure to compare: its average place, or its average points.
    pub(super) fn measured(&self) -> Option<Estimate> {
        if self.table.is_about_places() {
            self.average_place()
        } else {
            self.average_points()
        }
    }

    /// The figure to compare without luck, with the number of games whose luck is known; `None`
    /// without such a game.
    pub(super) fn adjusted(&self) -> Option<(Estimate, u64)> {
        let adjusted = self.results.adjusted.values().next()?;
        let usual = match self.table.is_about_places() {
            true => self.table.middle(),
            false => 0.0,
        };
        let estimate = adjusted.advantage_over_number(usual)?.estimate_from(usual);
        Some((estimate.over_games(adjusted.count()), adjusted.count()))
    }

    /// The average place, with the interval in which it lies, as far as places go.
    pub(super) fn average_place(&self) -> Option<Estimate> {
        let (middle, last) = (self.table.middle(), f64::from(self.table.players()));
        let estimate = self
            .results
            .places
            .advantage_over_number(middle)?
            .estimate_from(middle);
        Some(estimate.over_games(self.games()).within(1.0, last))
    }

    /// Average points at the end, with their interval.
    pub(super) fn average_points(&self) -> Option<Estimate> {
        let estimate = match self.table.is_about_places() {
            true => self.results.scores.estimate()?,
            false => (self.results.scores)
                .advantage_over_number(0.0)?
                .estimate_from(0.0),
        };
        Some(estimate.over_games(self.results.scores.count()))
    }
}

/// A bot by its arena and its name.
type BotOfArena = (String, String);

/// The rows, with what is needed to compare them.
#[derive(Debug)]
pub(super) struct StatsRows {
    pub(super) rows: Vec<StatsGroup>,
    /// The luck by which figures are adjusted, for each sort of table at which it is known.
    pub(super) luck: Vec<CountedLuck>,
    /// For rows of bots and versions of tournaments: the results of a row at the tables that it
    /// shared with another.
    met: Option<BTreeMap<(usize, usize), RowResults>>,
}

/// The version of the luck that counts at a sort of table: the one that most games have.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CountedLuck {
    pub(super) table: TableKind,
    pub(super) version: String,
    /// The results in the rows, those with this luck, and those with luck of another version.
    pub(super) games: u64,
    pub(super) counted: u64,
    pub(super) left_out: u64,
}

impl CountedLuck {
    /// `None` if no luck is known. `games` has the results by the version of their luck.
    fn of(table: TableKind, games: &BTreeMap<Option<String>, u64>) -> Option<Self> {
        let known = games
            .iter()
            .filter_map(|(version, &games)| Some((version.as_ref()?, games)));
        let (version, counted) = known.clone().max_by_key(|&(_, games)| games)?;
        Some(Self {
            table,
            version: version.clone(),
            games: games.values().sum(),
            counted,
            left_out: known.map(|(_, games)| games).sum::<u64>() - counted,
        })
    }

    /// From which games the adjusted figures are.
    pub(super) fn words(&self) -> String {
        let Self {
            version,
            games,
            counted,
            left_out,
            ..
        } = self;
        let left_out = match left_out {
            0 => String::new(),
            left_out => format!(
                "; left out: {} whose luck is of another version",
                number_of(*left_out, "game")
            ),
        };
        format!(
            "Adjusted for luck ({version}): {counted} of {}, whose hands are all known{left_out}.",
            number_of(*games, "game")
        )
    }
}

impl StatsRows {
    /// Whether rows are compared by the tables that they shared.
    pub(super) const fn is_by_meetings(&self) -> bool {
        self.met.is_some()
    }

    /// By how much a row does better than another, and the number of games of each that say so;
    /// `None` if they cannot be compared.
    pub(super) fn advantage(&self, one: usize, other: usize) -> Option<RowAdvantage> {
        let table = &self.rows[one].table;
        let (one, other) = match &self.met {
            Some(met) => (met.get(&(one, other))?, met.get(&(other, one))?),
            None => (&self.rows[one].results, &self.rows[other].results),
        };
        one.advantage_over(other, table)
    }
}

/// All rows.
#[derive(Debug)]
pub(super) struct Groups {
    by: StatsBy,
    groups: BTreeMap<GroupKey, StatsGroup>,
    /// The results of each group at the tables of an opponent of this name, in a tournament: there
    /// averages over all tables are over different opponents.
    met: BTreeMap<(GroupKey, BotOfArena), RowResults>,
    /// The group of each bot of a tournament.
    bots: BTreeMap<BotOfArena, GroupKey>,
    /// The results in the rows of each sort of table, by the version of their luck.
    luck: BTreeMap<TableKind, BTreeMap<Option<String>, u64>>,
    /// Games in which several builds decided, which are of no version.
    pub(super) mixed: u64,
    /// Games whose opponents are not known.
    pub(super) nameless: u64,
    pub(super) games: u64,
    pub(super) arenas: BTreeSet<String>,
    /// The newest names of opponents on a ladder, by their numbers.
    names: HashMap<u64, String>,
}

impl Groups {
    pub(super) fn new(by: StatsBy) -> Self {
        Self {
            by,
            groups: BTreeMap::new(),
            met: BTreeMap::new(),
            bots: BTreeMap::new(),
            luck: BTreeMap::new(),
            mixed: 0,
            nameless: 0,
            games: 0,
            arenas: BTreeSet::new(),
            names: HashMap::new(),
        }
    }

    /// Takes in a game, with what a ladder says about it. Games come in the order of their ends.
    pub(super) fn add(&mut self, result: &ResultRow, row: Option<&LadderRow>) {
        self.games += 1;
        if !self.arenas.contains(&result.arena) {
            self.arenas.insert(result.arena.clone());
        }
        if self.by != StatsBy::Version || !result.mixed {
            let version = result.luck.as_ref().map(|luck| luck.version.clone());
            let of_table = self.luck.entry(TableKind::of(result)).or_default();
            *of_table.entry(version).or_default() += 1;
        }
        match self.by {
            StatsBy::Version if result.mixed => self.mixed += 1,
            StatsBy::Version => {
                let label = format!("{} {}", result.policy, result.version);
                self.put(label, result.content.clone(), result, row).policy =
                    Some(result.policy.clone());
            }
            StatsBy::Bot => drop(self.put(result.bot.clone(), None, result, row)),
            StatsBy::Week => drop(self.put(week(result.ended_ms), None, result, row)),
            StatsBy::Opponent if row.is_some_and(|row| !row.opponents.is_empty()) => {
                // A bot's name may change on a ladder, its number does not.
                for opponent in row.iter().flat_map(|row| &row.opponents) {
                    if let Some(name) = &opponent.name {
                        self.names.insert(opponent.id, name.clone());
                    }
                    let number = format!("#{}", opponent.id);
                    self.put(number, None, result, None);
                }
            }
            StatsBy::Opponent => {
                self.nameless += u64::from(result.opponents.is_empty());
                for name in result.opponents.iter().collect::<BTreeSet<_>>() {
                    self.put(name.clone(), None, result, None);
                }
            }
        }
    }

    fn put(
        &mut self,
        label: String,
        content: Option<String>,
        result: &ResultRow,
        row: Option<&LadderRow>,
    ) -> &mut StatsGroup {
        let table = TableKind::of(result);
        let new = || StatsGroup::new(table.clone(), result);
        let key = GroupKey {
            table: table.clone(),
            label,
            content,
        };
        if result.kind == ResultKind::Tournament
            && matches!(self.by, StatsBy::Version | StatsBy::Bot)
        {
            let bot = (result.arena.clone(), result.bot.clone());
            for name in result
                .opponents
                .iter()
                .filter(|name| **name != result.bot)
                .collect::<BTreeSet<_>>()
            {
                let opponent = (result.arena.clone(), name.clone());
                self.met
                    .entry((key.clone(), opponent))
                    .or_default()
                    .add(&key.table, result);
            }
            self.bots.entry(bot).or_insert_with(|| key.clone());
        }
        let group = self.groups.entry(key).or_insert_with(new);
        group.add(result, row);
        group
    }

    /// The rows, table by table: weeks and versions in the order in which they were played, others
    /// by the number of games.
    pub(super) fn into_rows(self) -> StatsRows {
        let Self {
            by,
            groups,
            met,
            bots,
            luck,
            names,
            ..
        } = self;
        let luck: Vec<CountedLuck> = luck
            .into_iter()
            .filter_map(|(table, games)| CountedLuck::of(table, &games))
            .collect();
        let counted_at = |table: &TableKind| {
            let counted = luck.iter().find(|luck| luck.table == *table);
            counted.map(|luck| luck.version.as_str())
        };
        let mut builds: BTreeMap<(TableKind, String), u32> = BTreeMap::new();
        for key in groups.keys() {
            *builds
                .entry((key.table.clone(), key.label.clone()))
                .or_default() += 1;
        }
        let named = |(key, group): (GroupKey, StatsGroup)| {
            let several = builds[&(key.table.clone(), key.label.clone())] > 1;
            let content = key.content.as_deref().map_or("built in", |text| {
                text.get(..CONTENT_DIGITS).unwrap_or(text)
            });
            let number = key
                .label
                .strip_prefix('#')
                .filter(|_| by == StatsBy::Opponent);
            let name = number.and_then(|number| names.get(&number.parse().ok()?));
            let label = match name {
                Some(name) => format!("{name} {}", key.label),
                None if several => format!("{} ({content})", key.label),
                None => key.label,
            };
            let mut group = StatsGroup { label, ..group };
            group.results.keep_luck(counted_at(&group.table));
            group
        };
        let mut rows: Vec<(GroupKey, StatsGroup)> = groups
            .into_iter()
            .map(|(key, group)| (key.clone(), named((key, group))))
            .collect();
        match by {
            StatsBy::Version | StatsBy::Week => rows.sort_by_key(|(_, row)| row.first_ms),
            StatsBy::Bot | StatsBy::Opponent => rows.sort_by_key(|(_, row)| Reverse(row.games())),
        }
        rows.sort_by(|(_, one), (_, other)| one.table.cmp(&other.table));
        let place = |key: &GroupKey| rows.iter().position(|(of, _)| of == key);
        let mut between: BTreeMap<(usize, usize), RowResults> = BTreeMap::new();
        for ((key, opponent), results) in &met {
            if let Some(pair) = bots
                .get(opponent)
                .and_then(|other| Some((place(key)?, place(other)?)))
                && pair.0 != pair.1
            {
                let met = between.entry(pair).or_default();
                met.merge(results);
                met.keep_luck(counted_at(&key.table));
            }
        }
        let met = (!bots.is_empty()).then_some(between);
        StatsRows {
            rows: rows.into_iter().map(|(_, row)| row).collect(),
            luck,
            met,
        }
    }
}

/// The week of a moment, by ISO 8601.
fn week(ended_ms: i64) -> String {
    let moment = OffsetDateTime::from_unix_timestamp(ended_ms.div_euclid(1000));
    let (year, week, _) = moment
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
        .to_iso_week_date();
    format!("{year}-W{week:02}")
}
