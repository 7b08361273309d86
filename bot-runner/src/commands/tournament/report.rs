//! A tournament in words and tables.

use std::fmt::Write as _;
use std::time::Duration;

use super::super::table::{TextTable, number_of, points};
use super::super::words::{library_words, policy_words};
use crate::fleet::ReadyBot;
use lab::tournament::{
    Arguments, CLOSE_ERROR_RATE, DecisionTimes, ERROR_RATE, Ended, EntrantResult, Plan, Ruleset, TEST, TestResult,
    TournamentLength, TournamentResult,
};

/// What is to be played.
pub(in crate::commands) fn introduction(arguments: &Arguments, plan: &Plan) -> String {
    let (seatings, seed) = (plan.schedule.seatings().len() as u64, plan.seed);
    let games = plan.walls * seatings;
    let most = if plan.until_clear.is_some() { "at most " } else { "" };
    let sort = match arguments.length {
        TournamentLength::Half => "hanchan",
        TournamentLength::East => "East-only games",
    };
    let three = if arguments.players == 3 { " of three players" } else { "" };
    let rules = match arguments.rules {
        Ruleset::Tenhou => "",
        Ruleset::MahjongSoul => " by Mahjong Soul's rules",
    };
    let mut text = format!(
        "{}: {most}{games} {sort}{three}{rules} on {} walls in {seatings} seatings each, seed {seed}",
        arguments.format, plan.walls
    );
    if !plan.shard.is_whole() {
        let _ = write!(text, "; shard {} with {} of the walls", plan.shard, plan.shard.len(plan.walls));
    }
    text
}

/// Who competes.
pub(in crate::commands) fn competitors(bots: &[ReadyBot]) -> String {
    let mut text = String::new();
    for bot in bots {
        let (policy, library) = (policy_words(&bot.policy), library_words(&bot.policy.library.origin));
        let _ = write!(text, "\n  {}: {policy} ({library})", bot.config.name);
    }
    text
}

/// The tables of the results: each config, and for more than two the rating list and each pair that met.
pub(in crate::commands) fn tables(result: &TournamentResult) -> String {
    let table = result_table(result);
    if result.entrants.len() == 2 {
        return format!("{}\n{table}", pair_table(result));
    }
    format!("{}\n\n{}\n\n{table}", rating_table(result), pair_table(result))
}

fn rating_table(result: &TournamentResult) -> TextTable<4> {
    let mut table =
        TextTable::new(["rating list", "rating", "std error", "95 % interval"], [true, false, false, false]);
    for rating in &result.ratings {
        table.row([
            rating.name.clone(),
            format!("{:.0}", rating.rating),
            rating.standard_error.map_or_else(|| "-".to_owned(), |error| format!("{error:.0}")),
            rating.interval.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.0} to {high:.0}")),
        ]);
    }
    table
}

fn pair_table(result: &TournamentResult) -> TextTable<5> {
    let heading = ["one", "against", "games", "placed better %", "better by places"];
    let mut table = TextTable::new(heading, [true, true, false, false, false]);
    for pair in &result.pairs {
        let better = match pair.difference.interval {
            Some([low, high]) => format!("{:.3} ({low:.3} to {high:.3})", pair.difference.mean),
            None => format!("{:.3}", pair.difference.mean),
        };
        table.row([
            pair.one.clone(),
            pair.other.clone(),
            pair.games.to_string(),
            format!("{:.1}", pair.ahead * 100.0),
            better,
        ]);
    }
    table
}

fn result_table(result: &TournamentResult) -> TextTable<22> {
    let heading = [
        "bot",
        "policy",
        "avg place",
        "std error",
        "95 % interval",
        "1st %",
        "2nd %",
        "3rd %",
        "4th %",
        "uma",
        "points",
        "win %",
        "deal-in %",
        "after riichi %",
        "riichi %",
        "call %",
        "tenpai turn",
        "win turn",
        "avg win",
        "avg loss",
        "illegal",
        "late",
    ];
    let mut table = TextTable::new(heading, std::array::from_fn(|column| column < 2));
    let mut entrants: Vec<&EntrantResult> = result.entrants.iter().collect();
    entrants.sort_by(|one, other| one.place.mean.total_cmp(&other.place.mean));
    for entrant in entrants {
        let EntrantResult { who, place, places, .. } = entrant;
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        // Places that are the same on every wall do not scatter: there is no interval.
        let scatters = |error: &f64| *error > 0.0;
        let is_wide = |[low, high]: &[f64; 2]| low < high;
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        let average = |value: Option<f64>| or_dash(value.map(|value| points(value.round() as i32)));
        let turn = |value: Option<f64>| or_dash(value.map(|value| format!("{value:.1}")));
        table.row([
            who.name.clone(),
            format!("{} {}", who.policy, who.version),
            format!("{:.3}", place.mean),
            or_dash(place.standard_error.filter(scatters).map(|error| format!("{error:.3}"))),
            or_dash(place.interval.filter(is_wide).map(|[low, high]| format!("{low:.3} to {high:.3}"))),
            percent(places[0]),
            percent(places[1]),
            percent(places[2]),
            or_dash(places.get(3).map(|&share| percent(share))),
            or_dash(entrant.uma.map(|uma| format!("{uma:.2}"))),
            points(entrant.points.round() as i32),
            percent(entrant.win_rate),
            percent(entrant.deal_in_rate),
            or_dash(entrant.deal_in_rate_after_riichi.map(percent)),
            percent(entrant.riichi_rate),
            percent(entrant.call_rate),
            turn(entrant.average_tenpai_turn),
            turn(entrant.average_win_turn),
            average(entrant.average_win),
            average(entrant.average_loss),
            entrant.illegal.to_string(),
            entrant.late.to_string(),
        ]);
    }
    if result.entrants.iter().all(|entrant| entrant.places.len() < 4) {
        table.hide("4th %");
    }
    if result.entrants.iter().all(|entrant| entrant.uma.is_none()) {
        table.hide("uma");
    }
    if result.entrants.iter().all(|entrant| entrant.late == 0) {
        table.hide("late");
    }
    table
}

/// What the numbers mean.
pub(in crate::commands) fn closing_words(result: &TournamentResult) -> String {
    let TournamentResult { walls, games, seed, .. } = result;
    let mut text = format!("{} on {}, seed {seed}.", number_of(*games, "game"), number_of(*walls, "wall"));
    let error = ERROR_RATE * 100.0;
    let fixed = "the intervals are those of a tournament of fixed length";
    match (&result.until_clear, result.ended) {
        (Some(TestResult { best: Some(best), .. }), _) => {
            let _ = write!(
                text,
                " It is clear that {best} places best (sequential test: {TEST}; error rate {error} %); {fixed}."
            );
        }
        (Some(TestResult { close: true, by: Some(by), .. }), _) => {
            let _ = write!(
                text,
                " It is clear that no two differ by {by} in average place (sequential test: {TEST}; error rate {} %); \
                 {fixed}.",
                CLOSE_ERROR_RATE * 100.0
            );
        }
        (_, Ended::Interrupted) => {
            text.push_str(" Stopped early: walls that were not played in all seatings do not count.")
        }
        (Some(TestResult { by, .. }), _) => {
            let _ =
                write!(text, " It has not become clear who is best (sequential test: {TEST}; error rate {error} %)");
            match by {
                Some(by) => {
                    let _ = write!(
                        text,
                        ", nor that no two differ by {by} in average place (error rate {} %).",
                        CLOSE_ERROR_RATE * 100.0
                    );
                }
                None => text.push('.'),
            }
        }
        (None, _) => match result.better_of_two() {
            Some(better) => {
                let _ = write!(
                    text,
                    " {} places better: {} lies outside the 95 % interval.",
                    better.who.name,
                    result.middle_place()
                );
            }
            None if are_alike(result) => {
                text.push_str(
                    " Both play alike: on every wall they took the same places, so that nothing is left to compare.",
                );
            }
            None if result.entrants.len() == 2 => {
                let _ = write!(text, " No difference is shown: {} lies in the 95 % interval.", result.middle_place());
            }
            None => {}
        },
    }
    for entrant in &result.entrants {
        let EntrantResult { who, illegal, late, decisions, .. } = entrant;
        if let Some(fault) = &entrant.first_fault {
            let _ = write!(text, "\n{}: of {decisions} decisions {illegal} were not legal", who.name);
            if *late > 0 {
                let _ = write!(text, " and {late} late");
            }
            let _ = write!(text, ", and got the safe answer; the first: {fault}");
        }
    }
    text
}

/// Whether two configs did the same on every wall, as one does that plays against itself and has no randomness of its own.
fn are_alike(result: &TournamentResult) -> bool {
    let [pair] = &result.pairs[..] else { return false };
    result.walls > 1 && pair.difference.mean == 0.0 && pair.difference.standard_error == Some(0.0)
}

/// How long it took, which is not a result: it differs from run to run.
pub(in crate::commands) fn times(
    bots: &[ReadyBot],
    times: &[DecisionTimes],
    took: Duration,
    games: u64,
    plan: &Plan,
) -> String {
    let mut table = TextTable::new(["bot", "timed", "p50 us", "p99 us", "max us"], [true, false, false, false, false]);
    for (bot, times) in bots.iter().zip(times) {
        let microseconds = |share| format!("{:.1}", times.quantile(share).as_secs_f64() * 1e6);
        table.row([
            bot.config.name.clone(),
            times.count().to_string(),
            microseconds(0.5),
            microseconds(0.99),
            microseconds(1.0),
        ]);
    }
    format!(
        "Thread CPU time of one in eight decisions:\n{table}\n{:.1} s for {} ({:.1} games/s), threads: {}",
        took.as_secs_f64(),
        number_of(games, "game"),
        games as f64 / took.as_secs_f64(),
        plan.jobs
    )
}
