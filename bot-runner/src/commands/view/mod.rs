//! `view`: a game as a page.

mod choices;
mod serve;
mod source;
mod steps;

use std::process::ExitCode;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::advisor::{Advisor, NoAdvice};
use lab::decisions::{RecordDecision, each_decision};
use lab::replay::rules_of;
use mahjong::{Event, Rules, Seat};
use page::{Page, Walk};
use policy_host::escaped;

use super::entrants::entrant_of;
use super::simulate::places_above_last;
use super::whole_file::replace;
use crate::cli::ViewArgs;
use crate::output::say;
use choices::{Advised, Point, decisions};
use source::Source;

/// Makes a page of a game, and writes it or serves it until stopped.
///
/// # Errors
///
/// When the record cannot be read or has no round, its game has no such seat or hides its tiles, the policy cannot be asked,
/// or the page cannot be written or served.
pub async fn view(args: ViewArgs) -> anyhow::Result<ExitCode> {
    let name = escaped(args.record.as_os_str().as_encoded_bytes());
    let page = match steps::step_page(&args.record, args.seat.map(usize::from))? {
        Some(page) => {
            let only_riichi = [("--policy", args.policy.is_some()), ("--simulate", args.simulate.is_some())];
            if let Some((option, _)) = only_riichi.into_iter().find(|(_, given)| *given) {
                bail!("{option} is for games of riichi, and {name} is none; leave it out");
            }
            page
        }
        None => page_of(Source::read(&args.record)?, &args, &name)?,
    };
    for warning in &page.warnings {
        tracing::warn!("{name}: {}", escaped(warning.as_bytes()));
    }
    let document = page.document();
    let Some(out) = &args.out else { return serve::serve(document, args.open).await };
    replace(out, document.html().as_bytes()).with_context(|| format!("{} cannot be written", out.display()))?;
    say(format!("{}: written", out.display()));
    if args.open {
        open(out.as_os_str());
    }
    Ok(ExitCode::SUCCESS)
}

/// Has the system open a file or an address.
fn open(what: impl AsRef<std::ffi::OsStr>) {
    if let Err(error) = open::that_detached(what) {
        tracing::warn!("no browser can be started: {error}");
    }
}

fn page_of(source: Source, args: &ViewArgs, name: &str) -> anyhow::Result<Page> {
    let Some(dealt) = source.events.iter().find_map(|(_, event)| match event {
        Event::StartKyoku(start) => Some(start.tehais),
        _ => None,
    }) else {
        let found =
            source.warnings.first().map_or_else(String::new, |warning| format!(" ({})", escaped(warning.as_bytes())));
        bail!("{name}: no round in {} events{found}; is this an mjai record?", source.events.len());
    };
    let is_open = |seat: &Seat| dealt.get(*seat).is_some_and(Option::is_some);
    let open: Vec<Seat> = Seat::all(dealt.players()).filter(is_open).collect();
    let asked = args.seat.and_then(Seat::new);
    let seat = asked.or(source.seat.filter(is_open)).or(open.first().copied());
    let rules =
        rules_of(&source.events, asked.unwrap_or(Seat::FIRST)).with_context(|| format!("{name} cannot be shown"))?;
    if let Some(hidden) = asked.filter(|seat| !is_open(seat)) {
        let shown = if open.is_empty() { "none".to_owned() } else { seats(&open) };
        bail!("{name}: the tiles of seat {hidden} are hidden; shown are those of: {shown}");
    }
    let events: Vec<Event> = source.events.iter().map(|(_, event)| *event).collect();
    let Some(mut walk) = Walk::riichi(&events, &source.names, false) else {
        bail!("{name}: all hands are hidden, so that there is no seat to show the game from");
    };
    let seat = seat.unwrap_or(Seat::FIRST);
    // What comes after an event that cannot have happened is left out.
    events.iter().all(|event| walk.hear(event));
    let mut other = None;
    let points = points(&source, rules, seat, args, &mut other, name)?;
    let desyncs = source.page_desyncs(&walk);
    let notes = source.notes.into_iter().filter(|note| note.seat == seat).collect();
    let (decided, unplaced) = decisions(points, notes, seat, &walk);
    let mut page = walk.into_page();
    page.title = source.title;
    page.seat = Some(seat.index());
    page.facts = [source.facts, page.facts].concat();
    page.warnings = [source.warnings, page.warnings].concat();
    (page.decisions, page.other, page.desyncs) = (decided, other, desyncs);
    if unplaced > 0 {
        page.warnings.push(format!("{unplaced} decisions of the record fit no moment of the game and are not shown."));
    }
    Ok(page)
}

fn seats(seats: &[Seat]) -> String {
    seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The decisions of a seat, with what the policy of a config would have done.
fn points(
    source: &Source,
    rules: Rules,
    seat: Seat,
    args: &ViewArgs,
    other: &mut Option<String>,
    name: &str,
) -> anyhow::Result<Vec<Point>> {
    let mut points = Vec::new();
    let bar = simulation_bar(source, rules, seat, args);
    let simulated = |point: &RecordDecision<'_>| {
        let number = args.simulate?;
        let places = places_above_last(point.table, &point.legal, number);
        bar.inc(1);
        places
    };
    let Some(config) = &args.policy else {
        let walked: Result<_, std::convert::Infallible> = each_decision(&source.events, rules, seat, |point| {
            points.push(Point::of(&point, source.events.len(), None, simulated(&point)));
            Ok(())
        });
        let Ok(_) = walked;
        bar.finish_and_clear();
        return Ok(points);
    };
    let (entrant, bot) = entrant_of(config.to_owned(), rules.players)?;
    *other = Some(bot);
    Advisor::with(&entrant, |advisor| -> Result<_, NoAdvice> {
        each_decision(&source.events, rules, seat, |point| {
            let choice = match advisor.ask(point.table, point.log, &point.legal) {
                Ok(decided) => Advised::Decided(decided),
                Err(NoAdvice::Fault(fault)) => Advised::Fault(fault),
                Err(error) => return Err(error),
            };
            points.push(Point::of(&point, source.events.len(), Some(choice), simulated(&point)));
            Ok(())
        })
    })
    .with_context(|| format!("{name} cannot be shown"))?;
    bar.finish_and_clear();
    Ok(points)
}

/// Shows on standard error how many of the seat's decisions are simulated; nothing where none is, or nobody looks.
fn simulation_bar(source: &Source, rules: Rules, seat: Seat, args: &ViewArgs) -> ProgressBar {
    if args.simulate.is_none() {
        return ProgressBar::hidden();
    }
    let mut decisions = 0;
    let walked: Result<_, std::convert::Infallible> = each_decision(&source.events, rules, seat, |_| {
        decisions += 1;
        Ok(())
    });
    let Ok(_) = walked;
    let bar = ProgressBar::with_draw_target(Some(decisions), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} decisions simulated, {eta} left") {
        bar.set_style(style);
    }
    bar
}
