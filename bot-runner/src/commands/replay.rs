//! `replay`: a record fed to the table, and a policy asked about it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use riichi::Seat;

use super::entrants::entrant_of;
use super::success;
use super::table::TextTable;
use super::words::{action_words, written};
use crate::output::say;
use lab::advisor::{Advisor, NoAdvice};
use lab::comparison::{Agreement, Compared, ComparedDecision, Done, Sort, compare};
use lab::record::Record;
use lab::replay::{replay as feed, rules_of};
use policy_host::GameKind;

/// Feeds a record to the table from one seat or from each, and reports the first contradiction.
///
/// # Errors
///
/// When the record cannot be read, or its game has no such seat.
pub fn replay(file: &Path, seat: Option<Seat>) -> anyhow::Result<ExitCode> {
    let name = file.display();
    let record = Record::open(file).with_context(|| format!("{name} cannot be opened; is the path right?"))?;
    let replayed = feed(record, seat).with_context(|| format!("{name} cannot be replayed"))?;
    let names = |seats: &[Seat]| seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let watched = match &replayed.seats[..] {
        [seat] if replayed.some_hidden => format!("seat {seat}, the tiles of the others being hidden"),
        [seat] => format!("seat {seat}"),
        seats if replayed.some_hidden => format!("the seats {}, the tiles of the others being hidden", names(seats)),
        _ => "all seats".to_owned(),
    };
    match &replayed.contradiction {
        Some(found) => say(format!("{name}: contradiction at {found}")),
        None if replayed.rounds == 0 => {
            say(format!("{name}: no round in {} events; is this an mjai record?", replayed.events))
        }
        None => say(format!(
            "{name}: no contradiction in {} events of {} rounds, seen from {watched}",
            replayed.events, replayed.rounds
        )),
    }
    Ok(success(replayed.contradiction.is_none() && replayed.rounds > 0))
}

/// Goes through a record from one seat and says for each decision what was done and what the policy of a config would have
/// done.
///
/// # Errors
///
/// When the record cannot be read, its game has no such seat, or the policy cannot be asked.
pub fn replay_with_policy(file: &Path, config: PathBuf, seat: Seat) -> anyhow::Result<ExitCode> {
    let name = file.display();
    let record = Record::open(file).with_context(|| format!("{name} cannot be opened; is the path right?"))?;
    let events = record.collect::<Result<Vec<_>, _>>().with_context(|| format!("{name} cannot be replayed"))?;
    let rules = rules_of(&events, seat).with_context(|| format!("{name} cannot be replayed"))?;
    let (entrant, bot) = entrant_of(config, GameKind::Riichi, rules.players)?;
    let compared = Advisor::with(&entrant, |advisor| -> Result<_, NoAdvice> {
        compare(&events, rules, seat, advisor, |decision| say(decision_line(decision, &bot)))
    })
    .with_context(|| format!("{name} cannot be replayed"))?;
    let total = compared.total();
    if let Some(found) = &compared.contradiction {
        say(format!("{name}: contradiction at {found}"));
    } else if compared.rounds == 0 {
        say(format!("{name}: no round in {} events; is this an mjai record?", events.len()));
    }
    if total.made > 0 {
        say(format!("\n{}", agreement_table(&compared)));
    }
    if compared.unknown > 0 {
        say(format!(
            "{} decisions are not counted: another seat's claim came first, or the record ends",
            compared.unknown
        ));
    }
    Ok(success(compared.contradiction.is_none() && compared.rounds > 0))
}

fn decision_line(decision: &ComparedDecision, bot: &str) -> String {
    let (wind, kyoku, honba) = decision.round;
    let wind = ["East", "South", "West", "North"][wind as usize];
    let advised = match (&decision.advised, decision.advice()) {
        (Ok(decided), Some(action)) if decided.reason.is_empty() => action_words(action),
        (Ok(decided), Some(action)) => format!("{} ({})", action_words(action), decided.reason),
        (Err(fault), _) => format!("no decision: {fault}"),
        (Ok(_), None) => "no decision".to_owned(),
    };
    let done = match &decision.done {
        Done::Action(action) => action_words(action),
        Done::Unknown => "unknown".to_owned(),
    };
    let mark = if decision.agrees() == Some(false) { '*' } else { ' ' };
    let drawn = decision.drawn.map_or_else(String::new, |drawn| format!(" + {}", written([drawn])));
    let hand = written(decision.hand.iter().copied());
    let (line, turn) = (decision.line, decision.thrown + 1);
    format!("{mark} line {line} {wind} {kyoku}-{honba} turn {turn} {hand}{drawn}: done {done}; {bot} {advised}")
}

fn agreement_table(compared: &Compared) -> TextTable<4> {
    let mut table = TextTable::new(["done", "times", "agreed", "%"], [true, false, false, false]);
    let mut row = |what: String, Agreement { made, agreed }: Agreement| {
        if made > 0 {
            let share = format!("{:.1}", agreed as f64 / made as f64 * 100.0);
            table.row([what, made.to_string(), agreed.to_string(), share]);
        }
    };
    for (sort, agreement) in Sort::ALL.into_iter().zip(compared.sorts) {
        row(sort.to_string(), agreement);
    }
    row("all".to_owned(), compared.total());
    table
}
