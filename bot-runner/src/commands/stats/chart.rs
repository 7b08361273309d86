//! Rows as a chart: average places or points with their intervals, and the distribution of places.

use std::path::Path;

use anyhow::bail;
use foreign_text::shown_path;
use lab::drawing::{Anchor, Axis, COLOURS, Drawing, GRID, INK, ink_on, round_ticks};

use super::super::table::number_of;
use super::group::StatsGroup;

const WIDTH: f64 = 900.0;
const LABELS: f64 = 260.0;
const INTERVALS: f64 = 360.0;
const GAP: f64 = 24.0;
const TOP: f64 = 64.0;
const ROW: f64 = 26.0;
const BOTTOM: f64 = 24.0;

/// Maximum number of marks on the axis.
const MAX_TICKS: usize = 7;

/// Maximum number of characters of a label.
const MAX_LABEL_LENGTH: usize = 36;

/// The colours of the places, from first to fourth.
const PLACES: [&str; 4] = [COLOURS[0], COLOURS[5], COLOURS[4], COLOURS[1]];

/// Refuses a file name that is not for SVG.
///
/// # Errors
///
/// If its name has another extension.
pub(super) fn check_name(path: &Path) -> anyhow::Result<()> {
    if path.extension().is_none_or(|extension| extension != "svg") {
        let shown = shown_path(path);
        bail!("--chart {shown}: charts are drawn as SVG; name a file that ends in .svg");
    }
    Ok(())
}

/// Draws the rows in this order as SVG: games that are compared by places share one axis, and each
/// other game has its own.
pub(super) fn chart(title: &str, rows: &[&StatsGroup]) -> String {
    let parts: Vec<&[&StatsGroup]> = if rows.is_empty() {
        vec![rows]
    } else {
        rows.chunk_by(|one, other| points_game(one) == points_game(other))
            .collect()
    };
    let height = parts
        .iter()
        .map(|rows| TOP + ROW * rows.len() as f64)
        .sum::<f64>()
        + BOTTOM;
    let mut drawing = Drawing::new(WIDTH, height, title);
    let mut top = 0.0;
    for rows in parts {
        draw(&mut drawing, top + TOP, rows);
        top += TOP + ROW * rows.len() as f64;
    }
    drawing.finish()
}

/// The game of a row, if it is compared by points.
fn points_game(row: &StatsGroup) -> Option<&str> {
    (!row.table.is_about_places()).then_some(row.table.game.as_str())
}

/// Draws rows that have one axis, from here down.
fn draw(drawing: &mut Drawing, top: f64, rows: &[&StatsGroup]) {
    let bottom = top + ROW * rows.len() as f64;
    let (low, high) = range(rows);
    let axis = Axis {
        values: (low, high),
        places: (LABELS, LABELS + INTERVALS),
    };
    let bars = LABELS + INTERVALS + GAP;
    let bars_width = WIDTH - bars - GAP;
    let heading = match rows.first().and_then(|row| points_game(row)) {
        None => "average place, 95 % interval (left is better)".to_owned(),
        Some(game) => format!("{game}: points a game, 95 % interval (right is better)"),
    };
    drawing.text((LABELS, top - 24.0), Anchor::Start, INK, &heading);
    drawing.text(
        (bars, top - 24.0),
        Anchor::Start,
        INK,
        "1st to last, % of games",
    );
    for (value, text) in round_ticks(low, high, MAX_TICKS) {
        let x = axis.at(value);
        drawing.line(&[(x, top), (x, bottom)], GRID, 1.0);
        drawing.text((x, top - 8.0), Anchor::Middle, INK, &text);
    }
    for (index, row) in rows.iter().enumerate() {
        let middle = top + ROW * (index as f64 + 0.5);
        let base = middle + 4.0;
        let game = if row.table.is_usual() {
            String::new()
        } else {
            format!(" · {}", row.table.game)
        };
        let mut label: String = row.label.chars().take(MAX_LABEL_LENGTH).collect();
        if label != row.label {
            label.push('…');
        }
        let label = format!("{label}{game} · {}", number_of(row.games(), "game"));
        drawing.text((12.0, base), Anchor::Start, INK, &label);
        if let Some(average) = row.measured() {
            if let Some(spread) = average.spread {
                let ends = [
                    (axis.at(spread.low), middle),
                    (axis.at(spread.high), middle),
                ];
                drawing.line(&ends, INK, 2.0);
            }
            drawing.dot((axis.at(average.mean), middle), 4.0, INK);
        }
        let mut from = bars;
        for (place, colour) in (1..=row.table.players()).zip(PLACES) {
            let share = row.share(place);
            let width = bars_width * share;
            drawing.bar((from, middle - 8.0), (width, 16.0), colour);
            if width > 26.0 {
                let percent = format!("{:.0}", share * 100.0);
                drawing.text(
                    (from + width / 2.0, base),
                    Anchor::Middle,
                    ink_on(colour),
                    &percent,
                );
            }
            from += width;
        }
    }
}

/// The range of the chart: all intervals.
fn range(rows: &[&StatsGroup]) -> (f64, f64) {
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    for average in rows.iter().filter_map(|row| row.measured()) {
        let (from, to) = average
            .spread
            .map_or((average.mean, average.mean), |spread| {
                (spread.low, spread.high)
            });
        low = low.min(from);
        high = high.max(to);
    }
    let is_of_places = rows.first().and_then(|row| points_game(row)).is_none();
    match low < high {
        true => {
            let margin = if is_of_places {
                0.02
            } else {
                0.03 * (high - low)
            };
            (low - margin, high + margin)
        }
        false if is_of_places || low > high => (1.0, 4.0),
        false => (low - 1.0, high + 1.0),
    }
}
