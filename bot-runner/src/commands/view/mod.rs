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
use lab::record::RecordError;
use lab::replay::judge_course;
use lab::replayed::{RecordDecision, ReplayedGame};
use mcr::McrGame;
use policy_host::{Decided, GameKind};
use protocol::game_record::LineForm;
use riichi::Seat;
use riichi::game::RiichiGame;
use view::page::{Page, PageDecision, PageLoss, RecordPage, record_page};
use view::web::serve_document;

use super::entrants::entrant_of;
use super::require_folder_of;
use super::table::number_of;
use super::work::progress_bar;
use crate::cli::ViewArgs;
use choices::{Advised, Point, decisions};
use client::shutdown::Shutdown;
use lab::whole_file::replace;
use say::output::say;
use source::{SeatPolicies, Source, unread};
pub(super) use viewed::ViewedGame;

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
    let mut page = match source.other_game.as_deref().map(str::parse) {
        None | Some(Ok(GameKind::Riichi)) => game_page::<RiichiGame>(source, args, &name)?,
        Some(Ok(GameKind::Mcr)) => game_page::<McrGame>(source, args, &name)?,
        Some(Ok(GameKind::DouDizhu)) => game_page::<DouDizhuGame>(source, args, &name)?,
        Some(Err(_)) => {
            let game = source.other_game.unwrap_or_default();
            bail!("{name}: the record is of the game {game:?}, which is unknown to this runner")
        }
    };
    page.language = args.language;
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

/// The page of a game. With a seat, it has the decisions of this seat alone, all of them.
fn game_page<G: ViewedGame>(
    mut source: Source,
    args: &ViewArgs,
    name: &str,
) -> anyhow::Result<Page> {
    let mut record = record_page(G::KIND, false);
    source.text.lines().for_each(|line| record.line(line));
    // The page reports records that cannot be read.
    let read = source.courses::<G>();
    let (mut courses, broken) = read.unwrap_or_else(|why| (Vec::new(), Some(why)));
    if let Some(first) = courses.first_mut().filter(|first| first.dealt > 0) {
        record.judged(judged(&mut source, first));
    }
    record.show();
    let Some((page, first)) = record.page().zip(courses.first()) else {
        return Err(without_a_page(record, &courses, broken, &source, name));
    };
    require_seat(first, args, name)?;
    let notes = source.notes();
    let noted: BTreeSet<usize> = notes.iter().map(|note| note.seat.index()).collect();
    let asks = args.policy.is_some() || args.simulate.is_some();
    let wants_one = G::SHOWS_ONE_SEAT || args.seat.is_some() || asks;
    let own = source.seat.map(Seat::index).or(page.seat);
    let seat = match wants_one {
        true => shown_seat(&first.known, own.or(noted.first().copied()), args, name)?,
        false => None,
    };
    if seat.is_none() && asks {
        bail!("{name}: all hands are hidden, so that no policy can be asked and nothing simulated");
    }
    let desyncs = source.page_desyncs(first, &*record);
    if courses.len() > 1 {
        source.warnings.push(FURTHER_GAMES.to_owned());
        courses.truncate(1);
    }
    let shown: Vec<usize> = match seat {
        None if !wants_one => noted.into_iter().collect(),
        seat => seat.into_iter().collect(),
    };
    let (mut other, mut decided, mut unplaced) = (None, Vec::new(), 0);
    for shown in shown {
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
    let mut page = source.with_facts(Page {
        seat: if wants_one { seat } else { page.seat },
        decisions: decided,
        other,
        simulated: args.simulate.map(|_| G::SIMULATED),
        desyncs,
        ..page
    });
    if unplaced > 0 {
        page.warnings.push(format!(
            "Not shown: {} of the record without a matching moment in the game.",
            number_of(unplaced as u64, "decision")
        ));
    }
    Ok(page)
}

/// A decision of a review.
pub(super) struct ReviewedPoint<G: ViewedGame> {
    seat: usize,
    point: Point<G>,
    loss: PageLoss,
}

impl<G: ViewedGame> ReviewedPoint<G> {
    pub(super) fn of(
        decision: &RecordDecision<'_, G>,
        events: usize,
        decided: Decided,
        loss: PageLoss,
    ) -> Self {
        Self {
            seat: decision.seat,
            point: Point::of(decision, events, Some(Advised::Decided(decided)), None),
            loss,
        }
    }
}

/// The round and the step of a decision on a page; `None` for a decision without a place.
pub(super) type PlaceOnPage = Option<(usize, usize)>;

/// The page of a reviewed game, with the place of each decision on it.
///
/// # Errors
///
/// If the record cannot be shown.
pub(super) fn review_page<G: ViewedGame>(
    name: &str,
    record: &str,
    policy: &str,
    points: Vec<ReviewedPoint<G>>,
) -> anyhow::Result<(Page, Vec<PlaceOnPage>)> {
    let mut page = record_page(G::KIND, false);
    record.lines().for_each(|line| page.line(line));
    page.show();
    let seats: BTreeSet<usize> = points.iter().map(|point| point.seat).collect();
    let (mut decisions, mut places) = (Vec::new(), Vec::new());
    for ReviewedPoint { seat, point, loss } in points {
        let place = page.place_after(point.heard);
        places.push(place);
        decisions.extend(place.map(|place| {
            let legal = point.legal();
            PageDecision {
                loss: Some(loss),
                ..point.decision(&legal, None, seat, place)
            }
        }));
    }
    decisions.sort_by_key(|decision| (decision.round, decision.step, decision.seat));
    let page = page
        .into_page()
        .map_err(|why| anyhow!("{name} cannot be shown: {why}"))?;
    let only = seats.first().copied().filter(|_| seats.len() == 1);
    let page = Source::of_text(name.to_owned(), record.to_owned()).with_facts(Page {
        seat: only.or(page.seat),
        decisions,
        other: Some(policy.to_owned()),
        ..page
    });
    Ok((page, places))
}

/// Why a record has no page.
fn without_a_page<G: ViewedGame>(
    record: Box<dyn RecordPage>,
    courses: &[RecordedCourse<G>],
    broken: Option<RecordError>,
    source: &Source,
    name: &str,
) -> anyhow::Error {
    if G::Form::IS_DEAL_APART {
        let why = record.into_page().err().unwrap_or_default();
        return anyhow!("{name} cannot be shown: {why}");
    }
    let events: usize = courses.iter().map(|course| course.events.len()).sum();
    match broken {
        Some(why) if events == 0 => {
            let why = escaped(why.to_string().as_bytes());
            anyhow!(
                "{name} is not a record of a game: {why}; name a record's folder or a file of `play --record`"
            )
        }
        broken => {
            let broken = broken.map(unread);
            let found = source.warnings.first().or(broken.as_ref());
            let found = found.map_or_else(String::new, |warning| {
                format!(" ({})", escaped(warning.as_bytes()))
            });
            anyhow!("{name}: no round in {events} events{found}; is this an mjai record?")
        }
    }
}

/// The impossible event of a game, with its line. Errors that are known, and an end before that of
/// the game, become warnings.
fn judged<G: ViewedGame>(
    source: &mut Source,
    course: &mut RecordedCourse<G>,
) -> Vec<(u64, String)> {
    let JudgedGame { findings, cut, .. } = judge_course::<G>(course, None);
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
