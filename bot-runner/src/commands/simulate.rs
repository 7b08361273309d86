//! `analyze --simulate`: the outcome of each action, played to the end of the round many times.

use std::num::NonZeroU64;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use calculator::{ActionEstimate, ActionFigures, Calculation, Mean};
use lab::analyze::{HandPosition, SeatScene, TypedScene};
use lab::course::RecordedCourse;
use lab::decisions::each_decision;
use lab::record::{names_of_record, open_lines};
use lab::replay::{judge_course, replay, whole_courses};
use lab::replayed::RecordDecision;
use riichi::game::{RiichiGame, SetupError};
use riichi::rng::Rng;
use riichi::{Action, LegalActions, Seat, Table};
use riichi_estimates::belief::Belief;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::table::TextTable;
use super::work::progress_bar;
use crate::cli::{DecisionNumber, SimulationLimit};

/// Steps of the progress bar.
const STEPS: u64 = 1_000;

/// An action and its outcome.
#[derive(Debug)]
pub(super) struct SimulatedAction {
    words: String,
    action: Value,
    figures: ActionFigures,
}

/// For programs: each figure, and its standard error in a field of the same name with `_error`.
impl Serialize for SimulatedAction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ActionFigures {
            simulations,
            win,
            tsumo,
            deal_in,
            deal_in_to,
            draw,
            tenpai,
            points,
            places,
            place,
        } = &self.figures;
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("action", &self.action)?;
        for (name, mean) in [
            ("win", win),
            ("tsumo", tsumo),
            ("deal_in", deal_in),
            ("draw", draw),
            ("tenpai", tenpai),
            ("points", points),
            ("place", place),
        ] {
            fields.serialize_entry(name, &mean.value)?;
            fields.serialize_entry(&format!("{name}_error"), &mean.error)?;
        }
        for (name, means) in [
            ("deal_in_to", deal_in_to.as_slice()),
            ("places", places.as_slice()),
        ] {
            fields.serialize_entry(
                name,
                &means.iter().map(|mean| mean.value).collect::<Vec<_>>(),
            )?;
            let errors: Vec<f64> = means.iter().map(|mean| mean.error).collect();
            fields.serialize_entry(&format!("{name}_error"), &errors)?;
        }
        fields.serialize_entry("simulations", simulations)?;
        fields.end()
    }
}

/// A moment of a record, found by its number.
pub(super) struct Moment {
    /// The game as the seat knows it.
    pub(super) table: Table,
    pub(super) legal: LegalActions,
    /// The name of the player at the seat, if the record has it.
    pub(super) name: Option<String>,
}

/// Finds a decision of a record, and calls `look` with the round so far.
///
/// # Errors
///
/// If the record cannot be read or has no such seat or decision, or if `look` fails.
pub(super) fn moment<T>(
    file: &Path,
    seat: Option<Seat>,
    at: DecisionNumber,
    mut look: impl FnMut(&RecordDecision<'_, RiichiGame>) -> anyhow::Result<T>,
) -> anyhow::Result<(Moment, T)> {
    let name = file.display();
    let lines = open_lines(file).with_context(|| {
        format!("{name} cannot be opened; with --at the argument is the file of a record")
    })?;
    let mut courses =
        whole_courses::<RiichiGame>(lines).with_context(|| format!("{name} cannot be read"))?;
    for course in courses.iter_mut().filter(|course| course.dealt > 0) {
        judge_course(course, None);
    }
    let seat = match seat {
        Some(seat) => seat,
        None => only_seat(&courses).with_context(|| {
            format!("{name}: all hands are open; say whose decision it is with --seat 0 to 3")
        })?,
    };
    let mut found = None;
    let mut decisions = 0;
    let walked = each_decision::<RiichiGame, anyhow::Error>(&courses, seat.index(), |decision| {
        if decision.round == at.round {
            decisions = decision.number;
            if decision.number == at.decision {
                let looked = look(&decision)?;
                let (table, name) = (
                    Table::clone(decision.table),
                    names_of_record(file).into_iter().nth(seat.index()),
                );
                found = Some((
                    Moment {
                        table,
                        legal: decision.legal.into_iter().collect(),
                        name,
                    },
                    looked,
                ));
            }
        }
        Ok(())
    })
    .with_context(|| name.to_string())?;
    if let Some(found) = found {
        return Ok(found);
    }
    if let Some(contradiction) = replay(&courses, None)?.contradiction() {
        bail!("{name}: contradiction at {contradiction}");
    }
    let DecisionNumber { round, decision } = at;
    if round > walked.rounds {
        bail!(
            "--at {round}.{decision}: {name} has {} rounds",
            walked.rounds
        );
    }
    bail!(
        "--at {round}.{decision}: in round {round} of {name} seat {seat} has {decisions} decisions"
    );
}

/// The seat whose tiles a record shows, when it is one.
fn only_seat(courses: &[RecordedCourse<RiichiGame>]) -> Option<Seat> {
    match courses.first()?.known[..] {
        [seat] => Seat::at(seat),
        _ => None,
    }
}

/// Simulates the actions of a moment of a record.
///
/// # Errors
///
/// If no hidden tiles fit.
pub(super) fn simulate_moment(
    moment: &Moment,
    limit: SimulationLimit,
    seed: u64,
) -> anyhow::Result<Vec<SimulatedAction>> {
    let belief = Belief::of(&moment.table);
    simulate(&moment.table, &moment.legal, limit, seed, |rng| {
        RiichiGame::from_table(&moment.table, &belief.sample(rng))
    })
}

/// Simulates the actions of a hand that was typed.
///
/// # Errors
///
/// If the arguments are inconsistent, or no hidden tiles fit.
pub(super) fn simulate_hand(
    position: &HandPosition,
    typed: &TypedScene,
    limit: SimulationLimit,
    seed: u64,
) -> anyhow::Result<Vec<SimulatedAction>> {
    let scene = SeatScene::read(position.clone(), typed)?;
    let table = scene.table(&mut Rng::keyed(&[seed]))?;
    simulate(&table, &table.legal_actions(), limit, seed, |rng| {
        // Other discards each time, since the real ones are unknown.
        let table = scene.table(rng).unwrap_or_else(|_| table.clone());
        RiichiGame::from_table(&table, &Belief::of(&table).sample(rng))
    })
}

fn simulate(
    table: &Table,
    legal: &[Action],
    limit: SimulationLimit,
    seed: u64,
    deal: impl FnMut(&mut Rng) -> Result<RiichiGame, SetupError>,
) -> anyhow::Result<Vec<SimulatedAction>> {
    let candidates = different(legal);
    let mut calculation = Calculation::new(table, &candidates, seed)?;
    let bar = progress_bar(STEPS, "{bar:30} {percent} %, {eta} left  {msg}");
    let began = Instant::now();
    calculation.run(deal, |so_far| {
        let used = match limit {
            SimulationLimit::Number(number) => so_far.simulations() as f64 / number.get() as f64,
            SimulationLimit::Time(time) => began.elapsed().as_secs_f64() / time.as_secs_f64(),
        };
        bar.set_position((used * STEPS as f64) as u64);
        bar.set_message(format!(
            "{} simulations, {} actions",
            so_far.simulations(),
            so_far.active()
        ));
        used
    })?;
    bar.finish_and_clear();
    let seat = table.seat();
    let simulated = |ActionEstimate { action, figures }| SimulatedAction {
        words: action.to_string(),
        action: mjai(&action, seat),
        figures,
    };
    let mut actions: Vec<SimulatedAction> =
        calculation.estimates().into_iter().map(simulated).collect();
    // By the figure that is shown. One that few simulations tried may come early by luck: its error
    // says so.
    actions.sort_by(|one, other| {
        one.figures
            .place
            .value
            .total_cmp(&other.figures.place.value)
    });
    Ok(actions)
}

/// The average outcome of each action of a decision, in places above the last, with this many
/// simulations in total. `None` when no hidden tiles fit.
pub(super) fn places_above_last(
    table: &Table,
    legal: &[Action],
    number: NonZeroU64,
) -> Option<Vec<Mean>> {
    let candidates = different(legal);
    let mut calculation = Calculation::new(table, &candidates, 1).ok()?;
    let belief = Belief::of(table);
    let used = |so_far: &Calculation<'_>| so_far.simulations() as f64 / number.get() as f64;
    calculation
        .run(
            |rng| RiichiGame::from_table(table, &belief.sample(rng)),
            used,
        )
        .ok()?;
    let (estimates, last) = (calculation.estimates(), f64::from(table.rules().players));
    let worth = |action: &Action| {
        let estimate = estimates
            .iter()
            .find(|estimate| is_same(action, &estimate.action))?;
        let Mean { value, error } = estimate.figures.place;
        Some(Mean {
            value: last - value,
            error,
        })
    };
    legal.iter().map(worth).collect()
}

/// Whether two actions are equal, or differ only in which of two equal tiles is discarded.
fn is_same(one: &Action, other: &Action) -> bool {
    match (one, other) {
        (Action::Dahai { tile, .. }, Action::Dahai { tile: other, .. })
        | (Action::Reach { tile, .. }, Action::Reach { tile: other, .. }) => tile == other,
        _ => one == other,
    }
}

/// The actions without those that differ only in which of two equal tiles is discarded.
fn different(legal: &[Action]) -> Vec<Action> {
    let mut kept: Vec<Action> = Vec::new();
    for &action in legal {
        match kept.iter_mut().find(|other| is_same(&action, other)) {
            // A discard of the drawn tile reveals less to the others.
            Some(other) => *other = action,
            None => kept.push(action),
        }
    }
    kept
}

/// An action in mjai; a riichi together with its discard, which mjai would put into a separate
/// event.
fn mjai(action: &Action, seat: Seat) -> Value {
    let mut value: Value = serde_json::from_str(&protocol::lines::action_json(action, seat))
        .expect("an action is written as JSON");
    if let (Action::Reach { tile, tsumogiri }, Some(fields)) = (action, value.as_object_mut()) {
        fields.insert("pai".to_owned(), tile.name().into());
        fields.insert("tsumogiri".to_owned(), (*tsumogiri).into());
    }
    value
}

/// The actions for users, best first; `seats` has the name of each seat.
pub(super) fn simulation_text(actions: &[SimulatedAction], seats: &[String]) -> String {
    let per_cent =
        |chance: &Mean| format!("{:.1} ±{:.1}", 100.0 * chance.value, 100.0 * chance.error);
    let players = actions
        .first()
        .map_or(4, |action| action.figures.places.len());
    let mut chances = TextTable::new(
        [
            "action",
            "simulations",
            "win %",
            "tsumo %",
            "deal-in %",
            "of it to",
            "draw %",
            "tenpai %",
            "points",
        ],
        [true, false, false, false, false, true, false, false, false],
    );
    let mut places = TextTable::new(
        ["action", "place", "1st %", "2nd %", "3rd %", "4th %"],
        [true, false, false, false, false, false],
    );
    if players < 4 {
        places.hide("4th %");
    }
    for SimulatedAction { words, figures, .. } in actions {
        // To itself no seat deals in.
        let to = figures
            .deal_in_to
            .as_slice()
            .iter()
            .zip(seats)
            .filter(|(chance, _)| chance.value > 0.0);
        let to = to
            .map(|(chance, seat)| format!("{seat} {:.1}", 100.0 * chance.value))
            .collect::<Vec<_>>();
        chances.row([
            words.clone(),
            figures.simulations.to_string(),
            per_cent(&figures.win),
            per_cent(&figures.tsumo),
            per_cent(&figures.deal_in),
            if to.is_empty() {
                "-".to_owned()
            } else {
                to.join(", ")
            },
            per_cent(&figures.draw),
            per_cent(&figures.tenpai),
            format!("{:+.0} ±{:.0}", figures.points.value, figures.points.error),
        ]);
        let chance = |place: usize| figures.places.get(place).map(per_cent).unwrap_or_default();
        let Mean { value, error } = figures.place;
        places.row([
            words.clone(),
            format!("{value:.3} ±{error:.3}"),
            chance(0),
            chance(1),
            chance(2),
            chance(3),
        ]);
    }
    format!(
        "{}\n\nat the end of the game, best first:\n{}",
        chances.for_output(),
        places.for_output()
    )
}
