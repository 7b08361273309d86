//! `replay`: judges a record by the rules of its game, and compares a policy with it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use doudizhu::DouDizhuGame;
use foreign_text::shown_path;
use lab::advisor::Advisor;
use lab::comparison::{Agreement, Compared, ComparedDecision, compare, sorts_of};
use lab::course::{RecordedCourse, record_start};
use lab::game::NamedGame;
use lab::judgement::{cut_in, known_errors};
use lab::record::open_lines;
use lab::replay::{Replayed, judge_course, replay as feed, whole_courses};
use lab::replayed::ReplayedGame;
use mcr::McrGame;
use policy_host::GameKind;
use riichi::game::RiichiGame;
use say::output::say;

use super::entrants::entrant_of;
use super::logs::cannot_open;
use super::success;
use super::table::{TextTable, number_of};

/// Judges a record by the rules of its game, and reports the first contradiction. With a config it
/// prints, for each decision of the seat, the recorded action and the policy's choice.
///
/// # Errors
///
/// If the record cannot be read, its game has no such seat, or the policy cannot be asked.
pub fn replay(
    file: &Path,
    seat: Option<usize>,
    config: Option<PathBuf>,
) -> anyhow::Result<ExitCode> {
    let name = shown_path(file);
    if file.is_dir() {
        bail!(
            "{name} is a folder, and replay takes one record: name a file in it, or use `bot-runner view {name}`"
        );
    }
    let start = record_start(file).map_err(|why| cannot_open(&name, why))?;
    let replayed = match start.and_then(|start| start.game.parse().ok()) {
        Some(GameKind::Mcr) => replay_record::<McrGame>(file, seat, config),
        Some(GameKind::DouDizhu) => replay_record::<DouDizhuGame>(file, seat, config),
        Some(GameKind::Riichi) | None => replay_record::<RiichiGame>(file, seat, config),
    };
    replayed.with_context(|| format!("{name} cannot be replayed"))
}

fn replay_record<G: ReplayedGame + NamedGame>(
    file: &Path,
    seat: Option<usize>,
    config: Option<PathBuf>,
) -> anyhow::Result<ExitCode> {
    let mut courses = whole_courses::<G>(open_lines(file)?)?;
    match seat.zip(config) {
        Some((seat, config)) => {
            for course in courses.iter_mut().filter(|course| course.dealt > 0) {
                judge_course::<G>(course, None);
            }
            replay_with_policy(file, &courses, seat, config)
        }
        None => replay_alone(file, &courses, seat),
    }
}

fn replay_alone<G: ReplayedGame>(
    file: &Path,
    courses: &[RecordedCourse<G>],
    seat: Option<usize>,
) -> anyhow::Result<ExitCode> {
    let name = shown_path(file);
    let replayed = feed(courses, seat)?;
    let names = |seats: &[usize]| {
        seats
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(", ")
    };
    let watched = match &replayed.seats[..] {
        [seat] if replayed.some_hidden => {
            format!("seat {seat}, the {} of the others being hidden", G::PIECES)
        }
        [seat] => format!("seat {seat}"),
        seats if replayed.some_hidden => {
            format!(
                "the seats {}, the {} of the others being hidden",
                names(seats),
                G::PIECES
            )
        }
        _ => "all seats".to_owned(),
    };
    let sound = say_findings(file, &replayed);
    match sound {
        false => {}
        true if replayed.rounds == 0 => say(no_round(file, replayed.events)),
        true => say(format!(
            "{name}: no contradiction in {} of {}, seen from {watched}",
            number_of(replayed.events, "event"),
            number_of(replayed.rounds, "round")
        )),
    }
    Ok(success(sound && replayed.rounds > 0))
}

/// Prints what was found in a record; whether it has no impossible event.
fn say_findings(file: &Path, replayed: &Replayed) -> bool {
    let name = shown_path(file);
    for error in known_errors(&replayed.findings) {
        say(format!("{name}: known error at {error}"));
    }
    for cut in &replayed.cuts {
        say(format!("{name}: {}", cut_in(cut)));
    }
    let Some(found) = replayed.contradiction() else {
        return true;
    };
    say(format!("{name}: contradiction at {found}"));
    false
}

fn no_round(file: &Path, events: u64) -> String {
    format!(
        "{}: no round in {events} events; is this the record of a game?",
        shown_path(file)
    )
}

fn replay_with_policy<G: ReplayedGame + NamedGame>(
    file: &Path,
    courses: &[RecordedCourse<G>],
    seat: usize,
    config: PathBuf,
) -> anyhow::Result<ExitCode> {
    let players = courses
        .first()
        .map_or(G::KIND.players()[0], |course| course.players() as u8);
    let (entrant, bot) = entrant_of(config, G::KIND, players)?;
    let compared = Advisor::with(&entrant, |advisor| {
        compare::<G>(courses, seat, advisor, |decision| {
            say(decision_line(decision, &bot))
        })
    })?;
    let total = compared.total();
    let sound = say_findings(file, &feed(courses, None)?);
    if sound && compared.rounds == 0 {
        say(no_round(
            file,
            courses
                .iter()
                .map(|course| course.events.len() as u64)
                .sum(),
        ));
    }
    if total.made > 0 {
        say(format!("\n{}", agreement_table::<G>(&compared)));
    }
    if compared.unknown > 0 {
        say(format!(
            "Not counted: {}, because another seat's claim came first or the record ends",
            number_of(compared.unknown, "decision")
        ));
    }
    Ok(success(sound && compared.rounds > 0))
}

fn decision_line<G: ReplayedGame>(compared: &ComparedDecision<'_, G>, bot: &str) -> String {
    let advised = match (&compared.advised, compared.advice()) {
        (Ok(decided), Some(action)) if decided.reason.is_empty() => action.to_string(),
        (Ok(decided), Some(action)) => format!("{action} ({})", decided.reason),
        (Err(fault), _) => format!("no decision: {fault}"),
        (Ok(_), None) => "no decision".to_owned(),
    };
    let done = compared
        .done
        .as_ref()
        .map_or_else(|| "unknown".to_owned(), ToString::to_string);
    let mark = if compared.agrees() == Some(false) {
        '*'
    } else {
        ' '
    };
    let (line, moment) = (compared.decision.line, G::moment(compared.decision.table));
    format!("{mark} line {line} {moment}: done {done}; {bot} {advised}")
}

fn agreement_table<G: ReplayedGame>(compared: &Compared) -> TextTable<4> {
    let mut table = TextTable::new(
        ["done", "times", "agreed", "%"],
        [true, false, false, false],
    );
    let mut row = |what: &str, Agreement { made, agreed }: Agreement| {
        if made > 0 {
            let share = format!("{:.1}", agreed as f64 / made as f64 * 100.0);
            table.row([what.to_owned(), made.to_string(), agreed.to_string(), share]);
        }
    };
    for (sort, agreement) in sorts_of::<G>().iter().zip(&compared.sorts) {
        row(sort, *agreement);
    }
    row("all", compared.total());
    table
}
