//! The summary of the bots, printed at the end.

use client::bot::BotReport;
use client::place::short;
use client::records::RecordCounts;
use fleet::{EndedBot, KeptResults, LadderCounts, RefusedBot};
use policy_host::escaped;
use say::output::say;

use super::super::table::{AVERAGE_POINTS, TextTable, average_place, average_points, number_of};
use results::KeptCounts;

/// A row for each bot.
pub(super) fn summary<'e>(ends: impl IntoIterator<Item = &'e EndedBot>) -> TextTable<11> {
    let mut table = TextTable::new(
        [
            "bot",
            "games",
            "avg place",
            AVERAGE_POINTS,
            "requests",
            "accepted",
            "safe",
            "defaulted",
            "rejected",
            "desyncs",
            "p50/p99 ms",
        ],
        [
            true, false, false, false, false, false, false, false, false, false, false,
        ],
    );
    for EndedBot { name, report, .. } in ends {
        let milliseconds = |share| report.latency.quantile(share).as_secs_f64() * 1000.0;
        table.row([
            name.clone(),
            report.games().to_string(),
            average_place(report.totals.average_place()),
            average_points(report.totals.average_points()),
            report.acks.requests.to_string(),
            report.acks.accepted.to_string(),
            report.safe_answers.to_string(),
            report.acks.defaulted.to_string(),
            (report.acks.rejected + report.acks.unparseable).to_string(),
            report.desyncs.to_string(),
            format!("{:.2}/{:.2}", milliseconds(0.5), milliseconds(0.99)),
        ]);
    }
    table.hide_unused(AVERAGE_POINTS);
    table
}

/// Prints the counts of a bot's records, if it keeps any.
pub(super) fn print_records(name: &str, report: &BotReport) {
    let Some(RecordCounts {
        complete,
        cut,
        none,
        missing,
        unfinished,
    }) = report.records
    else {
        return;
    };
    say(format!(
        "{name}: records of {}, {cut} cut off",
        number_of(complete.into(), "whole game")
    ));
    if none > 0 || missing > 0 {
        say(format!(
            "{name}: without a finished record: {}; missing from records: {}; the log says why",
            number_of(none.into(), "game"),
            number_of(missing, "line")
        ));
    }
    if unfinished {
        say(format!(
            "{name}: the disk is still busy with records; the next `run` or `records list` finishes them"
        ));
    }
}

/// Prints the counts of stored results, if any are kept; returns whether none is lost.
pub(super) fn print_results(kept: &[KeptResults]) -> bool {
    for KeptResults {
        database,
        spool,
        counts: KeptCounts {
            written,
            waiting,
            lost,
        },
    } in kept
    {
        say(format!(
            "results of {} are in {database}",
            number_of(*written, "game")
        ));
        if *waiting > 0 {
            say(format!(
                "{waiting} wait in {} for the database; the next `run` with the same section writes them",
                short(spool).display()
            ));
        }
        if *lost > 0 {
            say(format!(
                "{lost} are lost: neither the disk nor the database took them; the log says why"
            ));
        }
    }
    kept.iter().all(|kept| kept.counts.lost == 0)
}

/// Prints the counts of games on the arenas' ladders.
pub(super) fn print_ladder(LadderCounts { found, waiting }: LadderCounts) {
    let still = match waiting {
        0 => String::new(),
        waiting => {
            format!("; {waiting} are not complete yet, and the next `run` goes on with them")
        }
    };
    say(format!(
        "{} found on the ladder{still}",
        number_of(found, "game")
    ));
}

/// Prints why bots do not play; returns whether all of them did to the end.
pub(super) fn print_absences(ends: &[EndedBot], refused: &[RefusedBot]) -> bool {
    let mut all_play = true;
    let mut print = |name: &str, what: &str, why: &str| {
        all_play = false;
        // Of several mistakes each has its line.
        let why = why
            .lines()
            .map(|line| escaped(line.as_bytes()))
            .collect::<Vec<_>>()
            .join("\n  ");
        say(format!("{}: {what}: {why}", escaped(name.as_bytes())));
    };
    for EndedBot { name, report, end } in ends {
        if let Some(why) = end.trouble() {
            print(name, "stopped", why);
        } else if let Some(why) = &report.set_aside {
            print(name, "its policy is set aside", why);
        }
    }
    for RefusedBot { name, why } in refused {
        print(name, "does not play", why);
    }
    all_play
}

/// Prints warnings about a bot's report, if there are any.
pub(in crate::commands) fn print_trouble(name: &str, report: &BotReport) {
    if report.safe_answers > 0 {
        let mut reasons = Vec::new();
        if report.safe_answers > report.blind_answers {
            reasons.push(format!("the policy's faults: {}", report.faults));
        }
        if report.blind_answers > 0 {
            reasons.push(format!(
                "{} of them while our picture of the table was wrong, so that the policy was not asked",
                report.blind_answers
            ));
        }
        say(format!(
            "{name}: {} got the safe answer; {}; the log says more",
            number_of(report.safe_answers.into(), "request"),
            reasons.join("; ")
        ));
    }
    let unwanted = report.acks.rejected + report.acks.unparseable;
    if report.acks.defaulted > 0 || unwanted > 0 {
        say(format!(
            "{name}: the arena answered {} itself and rejected {}",
            number_of(report.acks.defaulted.into(), "request"),
            number_of(unwanted.into(), "answer")
        ));
    }
    if report.aborted > 0 {
        say(format!(
            "{name}: {} aborted by the arena",
            number_of(report.aborted.into(), "game")
        ));
    }
    if report.abandoned > 0 {
        say(format!(
            "{name}: lost sight of {} after a dropped connection",
            number_of(report.abandoned.into(), "game")
        ));
    }
    if report.unreadable > 0 {
        say(format!(
            "{name}: {} could not be read; the log has more",
            number_of(report.unreadable.into(), "frame")
        ));
    }
    if report.desyncs > 0 {
        say(format!(
            "{name}: {}: our picture of the game and the arena's differed",
            number_of(report.desyncs.into(), "desync")
        ));
    }
    for (kind, details) in &report.first_desyncs {
        say(format!(
            "{name}: first desync ({kind}): {}",
            details.chars().take(300).collect::<String>()
        ));
    }
}
