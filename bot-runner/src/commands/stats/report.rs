//! The rows as a table, as JSON or as CSV.

use lab_stats::{Advantage, Estimate, Spread, Verdict};
use policy_host::escaped;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::super::table::{TextTable, decimal, points, signed};
use super::compare::ComparedRows;
use super::group::{CountedLuck, StatsGroup};
use crate::cli::StatsBy;
use crate::commands::csv::{CsvCell, line};

pub(super) fn table(by: StatsBy, rows: &[&StatsGroup]) -> TextTable<23> {
    let what = match by {
        StatsBy::Version => "version",
        StatsBy::Week => "week",
        StatsBy::Opponent => "opponent",
        StatsBy::Bot => "bot",
    };
    let heading = [
        what,
        "game",
        "players",
        "games",
        "avg place",
        "95 % interval",
        ADJUSTED,
        INTERVAL_OF_ADJUSTED,
        GAMES_OF_ADJUSTED,
        RANK_POINTS,
        "1st %",
        "2nd %",
        "3rd %",
        "4th %",
        "points",
        INTERVAL_OF_POINTS,
        RATING,
        "win %",
        "deal-in %",
        "riichi %",
        "call %",
        "avg win",
        "avg loss",
    ];
    let mut table = TextTable::new(heading, std::array::from_fn(|column| column < 2));
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    for row in rows {
        let place = row.average_place();
        let spread = place.and_then(|place| place.spread);
        let average = row.average_points();
        let adjusted = row.adjusted();
        let decimals = if row.table.is_about_places() { 3 } else { 2 };
        let rate = |rate: Option<f64>| or_dash(rate.map(percent));
        let of_each =
            |average: Option<f64>| or_dash(average.map(|average| points(average.round() as i32)));
        table.row([
            // Names of bots and opponents, and versions, may be untrusted.
            escaped(row.label.as_bytes()),
            escaped(row.table.game.as_bytes()),
            row.table.players().to_string(),
            row.games().to_string(),
            or_dash(place.map(|place| format!("{:.3}", place.mean))),
            or_dash(spread.map(|spread| format!("{:.3} to {:.3}", spread.low, spread.high))),
            or_dash(adjusted.map(|(adjusted, _)| decimal(adjusted.mean, decimals))),
            or_dash(adjusted.and_then(|(adjusted, _)| {
                let Spread { low, high, .. } = adjusted.spread?;
                Some(format!(
                    "{} to {}",
                    decimal(low, decimals),
                    decimal(high, decimals)
                ))
            })),
            or_dash(adjusted.map(|(_, games)| games.to_string())),
            or_dash(row.rank_points().map(|points| signed(points, 1))),
            percent(row.share(1)),
            percent(row.share(2)),
            percent(row.share(3)),
            if row.table.players() > 3 {
                percent(row.share(4))
            } else {
                "-".to_owned()
            },
            or_dash(average.map(|points| shown_points(points.mean))),
            or_dash(
                average
                    .and_then(|points| points.spread)
                    .map(interval_of_points),
            ),
            or_dash(
                row.rating()
                    .map(|(first, last)| format!("{first:.0} to {last:.0}")),
            ),
            rate(row.win_rate()),
            rate(row.deal_in_rate()),
            rate(row.riichi_rate()),
            rate(row.call_rate()),
            of_each(row.average_win()),
            of_each(row.average_loss()),
        ]);
    }
    if rows.iter().all(|row| row.table.is_usual()) {
        table.hide("game");
        table.hide(INTERVAL_OF_POINTS);
    }
    if rows.iter().all(|row| row.table.players() == 4) {
        table.hide("players");
    }
    for of_adjusted in [ADJUSTED, INTERVAL_OF_ADJUSTED, GAMES_OF_ADJUSTED] {
        table.hide_unused(of_adjusted);
    }
    table.hide_unused(RANK_POINTS);
    table.hide_unused(RATING);
    if rows.iter().all(|row| row.table.players() == 3) {
        table.hide("4th %");
    }
    table
}

/// The average place, or the average points, without luck, with the games that it is from.
const ADJUSTED: &str = "adjusted";
const INTERVAL_OF_ADJUSTED: &str = "95 % adjusted";
const GAMES_OF_ADJUSTED: &str = "adj games";
/// The average of the points for places, 90, 45, 0 and -135.
const RANK_POINTS: &str = "rank pts";
/// The rating on a ladder, from the first game to the last one.
const RATING: &str = "rating";
const INTERVAL_OF_POINTS: &str = "95 % of points";

fn interval_of_points(Spread { low, high, .. }: Spread) -> String {
    format!("{} to {}", shown_points(low), shown_points(high))
}

/// Average points: whole numbers, except in games of a few points.
fn shown_points(average: f64) -> String {
    if average.abs() < 1000.0 {
        decimal(average, 2)
    } else {
        points(average.round() as i32)
    }
}

/// All figures, for programs. Rates are shares of rounds.
pub(super) fn json(
    rows: &[StatsGroup],
    compared: &ComparedRows,
    luck: &[CountedLuck],
    arenas: &[String],
    (mixed, nameless): (u64, u64),
) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            let (place, points) = (row.average_place(), row.average_points());
            let (adjusted, adjusted_games) = row.adjusted().unzip();
            let adjusted_spread = adjusted.and_then(|adjusted| adjusted.spread);
            json!({
                "label": row.label,
                "game": row.table.game,
                "players": row.table.players(),
                "games": row.games(),
                "first_ended": moment(row.first_ms),
                "last_ended": moment(row.last_ms),
                "average_place": place.map(|place| place.mean),
                "standard_error": place.and_then(|place| place.spread).map(|spread| spread.standard_error),
                "interval": place.and_then(|place| place.spread).map(|spread| [spread.low, spread.high]),
                "adjusted": adjusted.map(|adjusted| adjusted.mean),
                "adjusted_standard_error": adjusted_spread.map(|spread| spread.standard_error),
                "adjusted_interval": adjusted_spread.map(|spread| [spread.low, spread.high]),
                "adjusted_games": adjusted_games.unwrap_or(0),
                "places": row.counts.places.iter().take(row.table.players().into()).collect::<Vec<_>>(),
                "average_rank_points": row.rank_points(),
                "rating_start": row.rating().map(|(first, _)| first),
                "rating_end": row.rating().map(|(_, last)| last),
                "average_points": points.map(|points| points.mean),
                "points_standard_error": points.and_then(|points| points.spread).map(|spread| spread.standard_error),
                "points_interval": points.and_then(|points| points.spread).map(|spread| [spread.low, spread.high]),
                "rounds": row.counts.rounds,
                "win_rate": row.win_rate(),
                "deal_in_rate": row.deal_in_rate(),
                "riichi_rate": row.riichi_rate(),
                "call_rate": row.call_rate(),
                "average_win": row.average_win(),
                "average_loss": row.average_loss(),
            })
        })
        .collect();
    let compared: Vec<Value> = compared
        .pairs
        .iter()
        .map(|pair| {
            let Advantage {
                estimate: Estimate { mean, spread },
                chance,
                ..
            } = pair.judged.advantage;
            json!({
                "one": pair.one,
                "other": pair.other,
                "games": [pair.games.0, pair.games.1],
                "better_by_places": pair.table.is_about_places().then_some(mean),
                "better_by_points": (!pair.table.is_about_places()).then_some(mean),
                "adjusted": pair.is_adjusted,
                "interval": spread.map(|spread| [spread.low, spread.high]),
                "chance_if_equal": chance,
                "shown": match pair.judged.verdict {
                    Verdict::Better => "better",
                    Verdict::Worse => "worse",
                    Verdict::NotShown | Verdict::NoInterval => "nothing",
                },
                "games_needed": pair.needed(),
                "game": pair.table.game,
                "players": pair.table.players(),
                "words": pair.sentence(),
            })
        })
        .collect();
    let luck: Vec<Value> = luck
        .iter()
        .map(|luck| {
            json!({
                "game": luck.table.game,
                "players": luck.table.players(),
                "version": luck.version,
                "games": luck.games,
                "adjusted_games": luck.counted,
                "games_of_other_versions": luck.left_out,
            })
        })
        .collect();
    json!({
        "rows": rows,
        "comparisons": compared,
        "luck": luck,
        "arenas": arenas,
        "games_of_several_builds": mixed,
        "games_without_names": nameless,
    })
}

pub(super) fn csv(rows: &[StatsGroup]) -> String {
    let heading = [
        "label",
        "players",
        "games",
        "average_place",
        "interval_low",
        "interval_high",
        "first",
        "second",
        "third",
        "fourth",
        "average_points",
        "rounds",
        "win_rate",
        "deal_in_rate",
        "riichi_rate",
        "call_rate",
        "game",
        "points_low",
        "points_high",
        "average_rank_points",
        "rating_start",
        "rating_end",
        "adjusted",
        "adjusted_low",
        "adjusted_high",
        "adjusted_games",
    ];
    let mut text = heading.join(",");
    for row in rows {
        let (place, points) = (row.average_place(), row.average_points());
        let spread = place.and_then(|place| place.spread);
        let (adjusted, adjusted_games) = row.adjusted().unzip();
        let adjusted_spread = adjusted.and_then(|adjusted| adjusted.spread);
        let count = |count: u64| CsvCell::Number(count as f64);
        let cells = [
            CsvCell::Text(row.label.clone()),
            count(row.table.players().into()),
            count(row.games()),
            CsvCell::of(place.map(|place| place.mean)),
            CsvCell::of(spread.map(|spread| spread.low)),
            CsvCell::of(spread.map(|spread| spread.high)),
            count(row.counts.places[0]),
            count(row.counts.places[1]),
            count(row.counts.places[2]),
            if row.table.players() > 3 {
                count(row.counts.places[3])
            } else {
                CsvCell::Empty
            },
            CsvCell::of(points.map(|points| points.mean)),
            count(row.counts.rounds),
            CsvCell::of(row.win_rate()),
            CsvCell::of(row.deal_in_rate()),
            CsvCell::of(row.riichi_rate()),
            CsvCell::of(row.call_rate()),
            CsvCell::Text(row.table.game.clone()),
            CsvCell::of(
                points
                    .and_then(|points| points.spread)
                    .map(|spread| spread.low),
            ),
            CsvCell::of(
                points
                    .and_then(|points| points.spread)
                    .map(|spread| spread.high),
            ),
            CsvCell::of(row.rank_points()),
            CsvCell::of(row.rating().map(|(first, _)| first)),
            CsvCell::of(row.rating().map(|(_, last)| last)),
            CsvCell::of(adjusted.map(|adjusted| adjusted.mean)),
            CsvCell::of(adjusted_spread.map(|spread| spread.low)),
            CsvCell::of(adjusted_spread.map(|spread| spread.high)),
            count(adjusted_games.unwrap_or(0)),
        ];
        text.push('\n');
        text.push_str(&line(&cells));
    }
    text
}

pub(super) fn moment(ms: i64) -> Option<String> {
    OffsetDateTime::from_unix_timestamp(ms.div_euclid(1000))
        .ok()?
        .format(&Rfc3339)
        .ok()
}
