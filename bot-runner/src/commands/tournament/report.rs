//! A tournament in words and tables.

use std::fmt::Write as _;
use std::time::Duration;

use super::super::table::{TextTable, points};
use crate::fleet::ReadyBot;
use lab::tournament::{DecisionTimes, ERROR_RATE, Ended, EntrantResult, Format, Plan, TEST, TournamentResult};

pub(super) fn introduction(bots: &[ReadyBot], plan: &Plan) -> String {
    let (seatings, seed) = (plan.format.seatings().len() as u64, plan.seed);
    let games = plan.walls * seatings;
    let how = match plan.format {
        Format::TwoAgainstTwo => "two against two",
        Format::Rotations => "four in all rotations",
    };
    let most = if plan.until_clear { "at most " } else { "" };
    let mut text =
        format!("{how}: {most}{games} hanchan on {} walls in {seatings} seatings each, seed {seed}", plan.walls);
    for bot in bots {
        let policy = bot.policy.info();
        let _ =
            write!(text, "\n  {}: {} {} ({})", bot.config.name, policy.id, policy.version, bot.policy.library.origin);
    }
    text
}

pub(super) fn result_table(result: &TournamentResult) -> TextTable<17> {
    let mut table = TextTable::new(
        [
            "bot",
            "policy",
            "avg place",
            "std error",
            "95 % interval",
            "1st %",
            "2nd %",
            "3rd %",
            "4th %",
            "points",
            "win %",
            "deal-in %",
            "riichi %",
            "call %",
            "avg win",
            "avg loss",
            "illegal",
        ],
        [
            true, true, false, false, false, false, false, false, false, false, false, false, false, false, false,
            false, false,
        ],
    );
    for entrant in &result.entrants {
        let EntrantResult { who, place, places, .. } = entrant;
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let average = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| points(value.round() as i32));
        table.row([
            who.name.clone(),
            format!("{} {}", who.policy, who.version),
            format!("{:.3}", place.mean),
            place.standard_error.map_or_else(|| "-".to_owned(), |error| format!("{error:.3}")),
            place.interval.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.3} to {high:.3}")),
            percent(places[0]),
            percent(places[1]),
            percent(places[2]),
            percent(places[3]),
            points(entrant.points.round() as i32),
            percent(entrant.win_rate),
            percent(entrant.deal_in_rate),
            percent(entrant.riichi_rate),
            percent(entrant.call_rate),
            average(entrant.average_win),
            average(entrant.average_loss),
            entrant.illegal.to_string(),
        ]);
    }
    table
}

/// What the numbers mean.
pub(super) fn closing_words(result: &TournamentResult) -> String {
    let TournamentResult { walls, games, seed, .. } = result;
    let mut text = format!("{games} games on {walls} walls, seed {seed}.");
    let error = ERROR_RATE * 100.0;
    match (result.ended, result.until_clear.as_ref().and_then(|test| test.best.as_ref())) {
        (Ended::Clear, Some(best)) => {
            let _ = write!(
                text,
                " It is clear that {best} places best (sequential test: {TEST}; error rate {error} %); the interval is that of a \
                 tournament of fixed length."
            );
        }
        (Ended::Interrupted, _) => {
            text.push_str(" Stopped early: walls that were not played in all seatings do not count.")
        }
        _ if result.until_clear.is_some() => {
            let _ =
                write!(text, " It has not become clear who is best (sequential test: {TEST}; error rate {error} %).");
        }
        _ => match result.better_of_two() {
            Some(better) => {
                let _ = write!(text, " {} places better: 2.5 lies outside the 95 % interval.", better.who.name);
            }
            None if result.entrants.len() == 2 => {
                text.push_str(" No difference is shown: 2.5 lies in the 95 % interval.")
            }
            None => {}
        },
    }
    for entrant in &result.entrants {
        if let Some(fault) = &entrant.first_fault {
            let _ = write!(
                text,
                "\n{}: {} of {} decisions were not legal and got the safe answer; the first: {fault}",
                entrant.who.name, entrant.illegal, entrant.decisions
            );
        }
    }
    text
}

/// How long it took, which is not a result: it differs from run to run.
pub(super) fn times(bots: &[ReadyBot], times: &[DecisionTimes], took: Duration, games: u64, plan: &Plan) -> String {
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
        "Thread CPU time of one in eight decisions:\n{table}\n{:.1} s for {games} games ({:.1} games/s), threads: {}",
        took.as_secs_f64(),
        games as f64 / took.as_secs_f64(),
        plan.jobs
    )
}
