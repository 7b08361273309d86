//! `view`: a game as a page, or the games of a folder as a page each.

mod choices;
mod site;
mod source;
mod tables;
mod viewed;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use doudizhu::DouDizhuGame;
use foreign_text::{escaped, shown_path};
use indicatif::ProgressBar;
use lab::advisor::{Advisor, NoAdvice};
use lab::course::{CannotWatch, RecordedCourse};
use lab::decisions::each_decision;
use lab::judgement::{JudgedGame, RecordFinding, cut_in, known_errors};
use lab::replayed::{RecordDecision, ReplayedGame};
use mcr::McrGame;
use policy_host::GameKind;
use riichi::game::RiichiGame;
use riichi::{Event, Seat};
use view::page::{Page, Walk, record_page};
use view::web::serve_document;

use super::entrants::entrant_of;
use super::require_folder_of;
use super::table::number_of;
use super::whole_file::replace;
use super::work::progress_bar;
use crate::cli::ViewArgs;
use choices::{Advised, Point, decisions};
use client::shutdown::Shutdown;
use source::{SeatPolicies, Source};
use view::output::say;
use viewed::ViewedGame;

/// The warning on the page of a file with several games.
const FURTHER_GAMES: &str = "The record holds further games; this is the first.";

/// Makes a page of a game, and writes it or serves it until stopped; of a folder of records it
/// writes a page each and an index.
///
/// # Errors
///
/// If the record cannot be read or has no round, its game has no such seat or hides its tiles, the
/// policy cannot be asked, or the page cannot be written or served.
pub async fn view(args: ViewArgs) -> anyhow::Result<ExitCode> {
    if site::is_folder_of_records(&args.record) {
        return site::write(&args);
    }
    if let Some(out) = &args.out {
        require_folder_of(out)?;
        refuse_record(out, &args.record)?;
    }
    let (page, _) = page_of(&args.record, &args)?;
    let document = page.document();
    let Some(out) = &args.out else {
        let shutdown = Shutdown::new();
        shutdown.listen(|_| {})?;
        let told = |url: &str| {
            say(format!("{url} (until Ctrl-C)"));
            if args.open {
                open(url);
            }
        };
        serve_document(&document, told, async move { shutdown.finishing().await }).await?;
        return Ok(ExitCode::SUCCESS);
    };
    replace(out, document.html().as_bytes())
        .with_context(|| format!("{} cannot be written", out.display()))?;
    say(format!("{}: written", out.display()));
    if args.open {
        open(out.as_os_str());
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a record, and the policies that decided in it.
fn page_of(record: &Path, args: &ViewArgs) -> anyhow::Result<(Page, SeatPolicies)> {
    let name = shown_path(record);
    let source = Source::read(record)?;
    let policies = source.policies();
    let page = match source.other_game.as_deref().map(str::parse) {
        None | Some(Ok(GameKind::Riichi)) => riichi_page(source, args, &name)?,
        Some(Ok(GameKind::Mcr)) => stepped_page::<McrGame>(source, args, &name)?,
        Some(Ok(GameKind::DouDizhu)) => stepped_page::<DouDizhuGame>(source, args, &name)?,
        Some(Err(_)) => {
            let game = source.other_game.unwrap_or_default();
            bail!("{name}: the record is of the game {game:?}, which is unknown to this runner")
        }
    };
    for warning in &page.warnings {
        tracing::warn!("{name}: {}", escaped(warning.as_bytes()));
    }
    Ok((page, policies))
}

/// Refuses to overwrite the record with its page.
fn refuse_record(out: &Path, record: &Path) -> anyhow::Result<()> {
    match (out.canonicalize(), record.canonicalize()) {
        (Ok(out_file), Ok(record)) if out_file == record => {
            bail!(
                "--out {} is the record itself; choose another file for the page",
                out.display()
            )
        }
        _ => Ok(()),
    }
}

/// Has the system open a file or an address.
fn open(what: impl AsRef<std::ffi::OsStr>) {
    if let Err(error) = open::that_detached(what) {
        tracing::warn!("no browser can be started: {error}");
    }
}

/// The page of a game other than riichi. With a seat, it has the decisions of this seat alone, all
/// of them.
fn stepped_page<G: ViewedGame>(
    mut source: Source,
    args: &ViewArgs,
    name: &str,
) -> anyhow::Result<Page> {
    let mut record =
        record_page(G::KIND.name(), false).context("its records have their own format")?;
    String::from_utf8_lossy(&source.text)
        .lines()
        .for_each(|line| record.line(line));
    // The page reports records that cannot be read.
    let courses = source.courses::<G>().map(|(courses, _)| courses);
    if let Ok([first, ..]) = courses.as_deref() {
        record.judged(judged(&mut source, first));
    }
    record.show();
    if let Ok([first, further @ ..]) = courses.as_deref() {
        require_seat(first, args, name)?;
        if !further.is_empty() {
            source.warnings.push(FURTHER_GAMES.to_owned());
        }
    }
    let notes = source.notes();
    let wants_one = args.seat.is_some() || args.policy.is_some() || args.simulate.is_some();
    let noted: BTreeSet<usize> = notes.iter().map(|note| note.seat.index()).collect();
    let wanted = record.page().filter(|_| wants_one).map(|page| {
        let own = page.seat.or(noted.first().copied());
        shown_seat(&page.known_seats(), own, args, name)
    });
    let seat = wanted.transpose()?.flatten();
    let mut courses = match (courses, seat) {
        (Err(why), Some(_)) => return Err(why).context(format!("{name} cannot be shown")),
        (courses, _) => courses.unwrap_or_default(),
    };
    courses.truncate(1);
    let (mut other, mut unplaced) = (None, 0);
    let mut decided = Vec::new();
    for shown in seat.map_or_else(|| noted.into_iter().collect(), |seat| vec![seat]) {
        let points = match points(&courses, shown, args, &mut other, name) {
            // The notes of a seat without a hand fit nowhere.
            Err(_) if seat.is_none() => Vec::new(),
            points => points?,
        };
        let notes = notes.iter().filter(|note| note.seat.index() == shown);
        let (of_seat, unfit) = decisions(points, notes.cloned(), shown, |heard| {
            record.place_after(heard)
        });
        unplaced += unfit;
        decided.extend(of_seat);
    }
    // Without a wanted seat only the decisions of bots are shown.
    decided.retain(|decision| seat.is_some() || decision.own.is_some());
    decided.sort_by_key(|decision| (decision.round, decision.step, decision.seat));
    let page = record
        .into_page()
        .map_err(|why| anyhow!("{name} cannot be shown: {why}"))?;
    let page = source.with_facts(Page {
        seat: seat.or(page.seat),
        decisions: decided,
        other,
        simulated: args.simulate.map(|_| G::SIMULATED),
        ..page
    });
    Ok(with_unplaced(page, unplaced))
}

/// The page with a warning of so many decisions that are not shown.
fn with_unplaced(mut page: Page, unplaced: usize) -> Page {
    if unplaced > 0 {
        page.warnings.push(format!(
            "Not shown: {} of the record without a matching moment in the game.",
            number_of(unplaced as u64, "decision")
        ));
    }
    page
}

fn riichi_page(mut source: Source, args: &ViewArgs, name: &str) -> anyhow::Result<Page> {
    let (mut courses, broken) = source.courses::<RiichiGame>()?;
    if let Some(why) = broken
        .as_ref()
        .filter(|_| courses.iter().all(|course| course.events.is_empty()))
    {
        let why = escaped(why.to_string().as_bytes());
        bail!(
            "{name} is not a record of a game: {why}; name a record's folder or a file of `play --record`"
        );
    }
    if courses.len() > 1 {
        source.warnings.push(FURTHER_GAMES.to_owned());
        courses.truncate(1);
    } else if let Some(why) = broken {
        let words = "The page shows the part before it.";
        source.warnings.push(format!(
            "The rest of the record cannot be read: {why}. {words}"
        ));
    }
    let events: Vec<Event> = courses
        .iter()
        .flat_map(|course| &course.events)
        .map(|(_, event)| *event)
        .collect();
    let Some(course) = courses.first().filter(|course| course.dealt > 0) else {
        let found = source.warnings.first().map_or_else(String::new, |warning| {
            format!(" ({})", escaped(warning.as_bytes()))
        });
        bail!(
            "{name}: no round in {} events{found}; is this an mjai record?",
            events.len()
        );
    };
    require_seat(course, args, name)?;
    let notes = source.notes();
    let told = events.iter().find_map(|event| match event {
        Event::StartGame { seat } => *seat,
        _ => None,
    });
    let own = source
        .seat
        .or(told)
        .or_else(|| notes.iter().map(|note| note.seat).min());
    let seat = shown_seat(&course.known, own.map(Seat::index), args, name)?;
    let mut walk = Walk::riichi(&events, &source.names, false).context("a round is dealt")?;
    walk.judged(judged(&mut source, course));
    // Events after an impossible one are left out.
    course
        .events
        .iter()
        .all(|(line, event)| walk.hear_line(*line, event));
    let Some(seat) = seat else {
        if args.policy.is_some() || args.simulate.is_some() {
            bail!(
                "{name}: all hands are hidden, so that no policy can be asked and nothing simulated"
            );
        }
        return Ok(source.with_facts(walk.into_page()));
    };
    let mut other = None;
    let points = points(&courses, seat, args, &mut other, name)?;
    let notes = notes.into_iter().filter(|note| note.seat.index() == seat);
    let (decided, unplaced) = decisions(points, notes, seat, |heard| {
        walk.place_after(heard.checked_sub(1)?)
    });
    let desyncs = source.page_desyncs(&events, &walk);
    let simulated = args.simulate.map(|_| RiichiGame::SIMULATED);
    let page = Page {
        seat: Some(seat),
        decisions: decided,
        other,
        simulated,
        desyncs,
        ..walk.into_page()
    };
    Ok(with_unplaced(source.with_facts(page), unplaced))
}

/// The impossible event of a game, with its line. Errors that are known, and an end before that of
/// the game, become warnings.
fn judged<G: ViewedGame>(source: &mut Source, course: &RecordedCourse<G>) -> Vec<(u64, String)> {
    let JudgedGame { findings, cut } = G::judged(course, None);
    source.warnings.extend(
        known_errors(&findings)
            .into_iter()
            .map(|error| format!("A known error in {error}.")),
    );
    source.warnings.extend(cut.map(|moment| {
        let words = cut_in(&moment);
        format!("{}{}.", words[..1].to_uppercase(), &words[1..])
    }));
    let impossible = findings.into_iter().filter(RecordFinding::is_impossible);
    impossible
        .map(|found| (found.line, found.words()))
        .collect()
}

/// Refuses a seat that the game does not have. A hidden one is refused with those that are known.
fn require_seat<G: ViewedGame>(
    course: &RecordedCourse<G>,
    args: &ViewArgs,
    name: &str,
) -> anyhow::Result<()> {
    match args.seat.map(|seat| course.check_seat(seat.into())) {
        Some(Err(error @ CannotWatch::NoSuchSeat { .. })) => {
            Err(error).with_context(|| format!("{name} cannot be shown"))
        }
        _ => Ok(()),
    }
}

/// The seat whose decisions are shown: the requested one, else the record's own, else the first
/// that is known.
fn shown_seat(
    known: &[usize],
    own: Option<usize>,
    args: &ViewArgs,
    name: &str,
) -> anyhow::Result<Option<usize>> {
    let Some(seat) = args.seat.map(usize::from) else {
        return Ok(own
            .filter(|seat| known.contains(seat))
            .or(known.first().copied()));
    };
    if known.contains(&seat) {
        return Ok(Some(seat));
    }
    let each: Vec<String> = known.iter().map(ToString::to_string).collect();
    let shown = if each.is_empty() {
        "none".to_owned()
    } else {
        each.join(", ")
    };
    bail!("{name}: the hand of seat {seat} is hidden; the record shows those of: {shown}")
}

/// The decisions of a seat, with the choices of a config's policy.
fn points<G: ViewedGame>(
    courses: &[RecordedCourse<G>],
    seat: usize,
    args: &ViewArgs,
    other: &mut Option<String>,
    name: &str,
) -> anyhow::Result<Vec<Point<G>>> {
    let mut points = Vec::new();
    let bar = simulation_bar(courses, seat, args);
    let events = courses.iter().map(|course| course.events.len()).sum();
    let simulated = |point: &RecordDecision<'_, G>| {
        let number = args.simulate?;
        let values = G::simulate(point.table, &point.legal, number);
        bar.inc(1);
        values
    };
    let Some(config) = &args.policy else {
        each_decision::<G, CannotWatch>(courses, seat, |point| {
            points.push(Point::of(&point, events, None, simulated(&point)));
            Ok(())
        })?;
        bar.finish_and_clear();
        return Ok(points);
    };
    let players = courses
        .first()
        .map_or(G::KIND.players()[0], |course| course.players() as u8);
    let (entrant, bot) = entrant_of(config.to_owned(), G::KIND, players)?;
    *other = Some(bot);
    Advisor::with(&entrant, |advisor| {
        each_decision::<G, NoAdvice>(courses, seat, |point| {
            let choice =
                match advisor.ask(|view, asked| point.table.fill(view, &point.legal, asked)) {
                    Ok(decided) => Advised::Decided(decided),
                    Err(NoAdvice::Fault(fault)) => Advised::Fault(fault),
                    Err(error) => return Err(error),
                };
            points.push(Point::of(&point, events, Some(choice), simulated(&point)));
            Ok(())
        })
    })
    .with_context(|| format!("{name} cannot be shown"))?;
    bar.finish_and_clear();
    Ok(points)
}

/// Shows on standard error how many of the seat's decisions are simulated, if any are and it is a
/// terminal.
fn simulation_bar<G: ReplayedGame>(
    courses: &[RecordedCourse<G>],
    seat: usize,
    args: &ViewArgs,
) -> ProgressBar {
    if args.simulate.is_none() {
        return ProgressBar::hidden();
    }
    let mut decisions = 0;
    // Problems of the record are reported when its decisions are read.
    let _ = each_decision::<G, CannotWatch>(courses, seat, |_| {
        decisions += 1;
        Ok(())
    });
    progress_bar(
        decisions,
        "{bar:30} {pos}/{len} decisions simulated, {eta} left",
    )
}
