//! Ratings on ladders: over games, by versions, and thresholds that are held.

use std::collections::BTreeMap;

use lab::drawing::{Anchor, Axis, COLOURS, Drawing, GRID, INK, round_ticks};
use lab_stats::{
    GameCleanness, HeldRating, MATURE_GAMES, PROVISIONAL_GAMES, RatedGame, RatingGrade,
};
use policy_host::escaped;
use results::{GameTrouble, LadderRow, ResultRow};
use serde_json::{Value, json};

use super::super::table::{TextTable, number_of, signed};
use super::report::moment;
use crate::commands::csv::{CsvCell, line};

const WIDTH: f64 = 900.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 870.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 380.0;
const LEGEND: f64 = BOTTOM + 62.0;
const LINE: f64 = 18.0;
const MAX_TICKS: usize = 8;

/// A game that the ladder has told of.
#[derive(Debug)]
struct ListedGame {
    result: ResultRow,
    row: LadderRow,
}

impl ListedGame {
    fn rated(&self) -> RatedGame {
        let marked = self.row.disconnected == Some(true) || self.row.penalized == Some(true);
        let trouble = match &self.result.trouble {
            _ if self.result.mixed => GameCleanness::Swapped,
            Some(trouble) if GameTrouble::is_none(trouble) && !marked => GameCleanness::Clean,
            Some(_) | None => GameCleanness::Troubled,
        };
        RatedGame {
            before: self.row.rating_before,
            after: self.row.rating_after(),
            trouble,
        }
    }

    /// The build that decided.
    fn version(&self) -> (&str, &str, Option<&str>) {
        let ResultRow {
            policy,
            version,
            content,
            ..
        } = &self.result;
        (policy, version, content.as_deref())
    }
}

/// The games of one bot on one ladder, in order.
#[derive(Debug)]
struct BotGames {
    bot: String,
    games: Vec<ListedGame>,
}

/// The consecutive games of a bot with one version.
struct Stretch<'g> {
    games: &'g [ListedGame],
    /// Number of games of the bot before them.
    before: usize,
}

impl Stretch<'_> {
    fn label(&self) -> String {
        let (policy, version, _) = self.games[0].version();
        format!("{policy} {version}")
    }

    fn rated(&self) -> Vec<RatedGame> {
        self.games.iter().map(ListedGame::rated).collect()
    }

    fn start(&self) -> Option<f64> {
        self.games.iter().find_map(|game| game.row.rating_before)
    }

    fn end(&self) -> Option<f64> {
        self.games
            .iter()
            .rev()
            .find_map(|game| game.row.rating_after())
    }

    const fn maturity(&self) -> &'static str {
        match self.games.len() {
            ..PROVISIONAL_GAMES => "provisional",
            MATURE_GAMES.. => "mature",
            _ => "-",
        }
    }

    /// The grade of the games that count for a threshold.
    fn grade(&self) -> RatingGrade {
        let rated = self.rated();
        RatingGrade::of(&rated[..rated.len().min(MATURE_GAMES)])
    }
}

impl BotGames {
    fn stretches(&self) -> Vec<Stretch<'_>> {
        let mut before = 0;
        let chunks = self
            .games
            .chunk_by(|one, other| one.version() == other.version());
        chunks
            .map(|games| {
                let stretch = Stretch { games, before };
                before += games.len();
                stretch
            })
            .collect()
    }
}

/// The bots with ratings.
#[derive(Debug, Default)]
pub(super) struct Ratings {
    /// By arena, number on the ladder, and name.
    bots: BTreeMap<(String, u64, String), BotGames>,
    /// Ranked games of which the ladder has told no rating.
    pub(super) unrated: u64,
}

impl Ratings {
    /// Takes a game in, with what the ladder says about it. Games come in the order of their ends.
    pub(super) fn add(&mut self, result: ResultRow, row: Option<&LadderRow>) {
        let Some(row) = row.filter(|row| row.game_id.is_some()) else {
            self.unrated += 1;
            return;
        };
        let key = (result.arena.clone(), row.bot_id, result.bot.clone());
        let bot = self.bots.entry(key).or_insert_with(|| BotGames {
            bot: result.bot.clone(),
            games: Vec::new(),
        });
        bot.games.push(ListedGame {
            result,
            row: row.clone(),
        });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bots.is_empty()
    }

    fn stretches(&self) -> impl Iterator<Item = (&BotGames, Stretch<'_>)> {
        self.bots.values().flat_map(|bot| {
            bot.stretches()
                .into_iter()
                .map(move |stretch| (bot, stretch))
        })
    }

    pub(super) fn table(&self, threshold: f64) -> TextTable<10> {
        let holds = format!("holds {threshold}");
        let mut table = TextTable::new(
            [
                "bot",
                "version",
                "games",
                "from",
                "to",
                "change",
                "after 200",
                "mean 101-200",
                &holds,
                "games are",
            ],
            [
                true, true, false, false, false, false, false, false, true, true,
            ],
        );
        let shown = |rating: Option<f64>| {
            rating.map_or_else(|| "-".to_owned(), |rating| format!("{rating:.1}"))
        };
        for (bot, stretch) in self.stretches() {
            let held = HeldRating::of(&stretch.rated());
            let change = stretch
                .end()
                .zip(stretch.start())
                .map(|(to, from)| to - from);
            table.row([
                escaped(bot.bot.as_bytes()),
                escaped(stretch.label().as_bytes()),
                stretch.games.len().to_string(),
                shown(stretch.start()),
                shown(stretch.end()),
                change.map_or_else(|| "-".to_owned(), |change| signed(change, 1)),
                shown(held.map(|held| held.after_200)),
                shown(held.map(|held| held.mean_of_last_100)),
                match held {
                    Some(held) if held.holds(threshold) => "yes".to_owned(),
                    Some(_) => "no".to_owned(),
                    None => "-".to_owned(),
                },
                format!("{}, {}", stretch.grade().word(), stretch.maturity())
                    .trim_end_matches(", -")
                    .to_owned(),
            ]);
        }
        table
    }

    /// What the table does not say.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self
            .stretches()
            .any(|(_, stretch)| stretch.games.len() < MATURE_GAMES)
        {
            notes.push(format!(
                "A threshold is judged from {MATURE_GAMES} games of one version on: after game {MATURE_GAMES}, and on average \
                 over the games {} to {MATURE_GAMES}.",
                MATURE_GAMES / 2 + 1
            ));
        }
        if self.unrated > 0 {
            notes.push(format!(
                "The ladder has told no rating of {}.",
                number_of(self.unrated, "other game")
            ));
        }
        notes
    }

    pub(super) fn json(&self, threshold: f64) -> Value {
        let bots: Vec<Value> = self
            .bots
            .iter()
            .map(|((arena, id, _), bot)| {
                let games: Vec<Value> = bot.games.iter().map(game_json).collect();
                let versions: Vec<Value> = bot
                    .stretches()
                    .iter()
                    .map(|stretch| stretch_json(stretch, threshold))
                    .collect();
                json!({"bot": bot.bot, "arena": arena, "id": id, "versions": versions, "games": games})
            })
            .collect();
        json!({"threshold": threshold, "bots": bots, "games_without_rating": self.unrated})
    }

    pub(super) fn csv(&self) -> String {
        let mut text =
            "bot,ended,game,place,rating_before,rating_change,policy,version,opponents".to_owned();
        for bot in self.bots.values() {
            for ListedGame { result, row } in &bot.games {
                let opponents: Vec<String> = row
                    .opponents
                    .iter()
                    .map(|other| other.name.clone().unwrap_or_else(|| other.id.to_string()))
                    .collect();
                text.push('\n');
                text.push_str(&line(&[
                    CsvCell::Text(bot.bot.clone()),
                    CsvCell::Text(moment(result.ended_ms).unwrap_or_default()),
                    CsvCell::Text(row.game_id.clone().unwrap_or_default()),
                    CsvCell::Number(result.place.into()),
                    CsvCell::of(row.rating_before),
                    CsvCell::of(row.rating_change),
                    CsvCell::Text(result.policy.clone()),
                    CsvCell::Text(result.version.clone()),
                    CsvCell::Text(opponents.join("; ")),
                ]));
            }
        }
        text
    }

    /// The rating of each bot over its games as SVG, with the threshold, and a mark where the version
    /// changes.
    pub(super) fn chart(&self, threshold: f64) -> String {
        let paths: Vec<(&BotGames, Vec<(f64, f64)>)> = self
            .bots
            .values()
            .map(|bot| (bot, path(bot)))
            .filter(|(_, path)| path.len() > 1)
            .collect();
        let games = paths.iter().map(|(bot, _)| bot.games.len()).max();
        let ratings = || {
            paths
                .iter()
                .flat_map(|(_, path)| path.iter().map(|(_, rating)| *rating))
        };
        let (low, high) = (
            ratings().fold(f64::MAX, f64::min),
            ratings().fold(f64::MIN, f64::max),
        );
        let (low, high) = match low <= high {
            true => (low - 10.0, high + 10.0),
            false => (threshold - 10.0, threshold + 10.0),
        };
        let (x, y) = (
            Axis {
                values: (0.0, games.unwrap_or(1).max(1) as f64),
                places: (LEFT, RIGHT),
            },
            Axis {
                values: (low, high),
                places: (BOTTOM, TOP),
            },
        );
        let height = LEGEND + LINE * (paths.len() as f64 + 0.5);
        let mut drawing = Drawing::new(WIDTH, height, "rating over games");
        drawing.line(&[(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)], INK, 1.0);
        for (rating, text) in round_ticks(low, high, MAX_TICKS) {
            let height = y.at(rating);
            drawing.line(&[(LEFT, height), (RIGHT, height)], GRID, 1.0);
            drawing.text((LEFT - 6.0, height + 4.0), Anchor::End, INK, &text);
        }
        for (game, text) in round_ticks(x.values.0, x.values.1, MAX_TICKS) {
            drawing.text((x.at(game), BOTTOM + 16.0), Anchor::Middle, INK, &text);
        }
        drawing.text(
            (f64::midpoint(LEFT, RIGHT), BOTTOM + 34.0),
            Anchor::Middle,
            INK,
            "games on the ladder; a dot is the first game of a version",
        );
        if (low..=high).contains(&threshold) {
            let height = y.at(threshold);
            drawing.line(&[(LEFT, height), (RIGHT, height)], COLOURS[6], 1.5);
            drawing.text(
                (RIGHT, height - 4.0),
                Anchor::End,
                INK,
                &threshold.to_string(),
            );
        }
        for (index, (bot, path)) in paths.iter().enumerate() {
            let colour = COLOURS[index % (COLOURS.len() - 1)];
            let places: Vec<(f64, f64)> = path
                .iter()
                .map(|&(game, rating)| (x.at(game), y.at(rating)))
                .collect();
            drawing.line(&places, colour, 1.5);
            for stretch in bot.stretches() {
                if let Some(rating) = stretch.start() {
                    drawing.dot((x.at(stretch.before as f64), y.at(rating)), 3.5, colour);
                }
            }
            let height = LEGEND + LINE * index as f64;
            drawing.dot((LEFT, height - 4.0), 4.0, colour);
            let last = path.last().map_or(0.0, |(_, rating)| *rating);
            let label = format!(
                "{}: {last:.1} after {}",
                bot.bot,
                number_of(bot.games.len() as u64, "game")
            );
            drawing.text((LEFT + 12.0, height), Anchor::Start, INK, &label);
        }
        drawing.finish()
    }
}

/// The ratings of a bot: before its first game, and after each; games without one are left out.
fn path(bot: &BotGames) -> Vec<(f64, f64)> {
    let first = bot
        .games
        .first()
        .and_then(|game| Some((0.0, game.row.rating_before?)));
    let after = bot
        .games
        .iter()
        .enumerate()
        .filter_map(|(index, game)| Some((index as f64 + 1.0, game.row.rating_after()?)));
    first.into_iter().chain(after).collect()
}

fn stretch_json(stretch: &Stretch<'_>, threshold: f64) -> Value {
    let (policy, version, content) = stretch.games[0].version();
    let held = HeldRating::of(&stretch.rated());
    json!({
        "policy": policy,
        "version": version,
        "content": content,
        "games": stretch.games.len(),
        "rating_start": stretch.start(),
        "rating_end": stretch.end(),
        "after_game_200": held.map(|held| held.after_200),
        "mean_of_games_101_to_200": held.map(|held| held.mean_of_last_100),
        "holds": held.map(|held| held.holds(threshold)),
        "grade": stretch.grade().word(),
    })
}

fn game_json(ListedGame { result, row }: &ListedGame) -> Value {
    json!({
        "game": row.game_id,
        "ended": moment(result.ended_ms),
        "place": result.place,
        "rating_before": row.rating_before,
        "rating_change": row.rating_change,
        "disconnected": row.disconnected,
        "penalized": row.penalized,
        "confirmed": row.confirmed,
        "contradiction": row.contradiction,
        "opponents": row.opponents,
        "trouble": result.trouble,
        "mixed": result.mixed,
        "policy": result.policy,
        "version": result.version,
    })
}
