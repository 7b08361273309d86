//! Rows as a drawing: average places with their intervals, and how the places are distributed.

use std::fmt::Write as _;

use lab::ticks::round_ticks;

use super::super::table::number_of;
use super::group::StatsGroup;

const WIDTH: f64 = 900.0;
const LABELS: f64 = 260.0;
const INTERVALS: f64 = 360.0;
const GAP: f64 = 24.0;
const TOP: f64 = 64.0;
const ROW: f64 = 26.0;
const BOTTOM: f64 = 24.0;

/// Most marks of the axis.
const MAX_TICKS: usize = 7;

/// Most characters of a label that are drawn.
const MAX_LABEL_LENGTH: usize = 36;

/// From first to fourth, told apart in any sort of sight (Okabe and Ito).
const COLOURS: [&str; 4] = ["#0072b2", "#56b4e9", "#e69f00", "#d55e00"];

/// Draws the rows, as SVG.
pub(super) fn chart(title: &str, rows: &[StatsGroup]) -> String {
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    let (low, high) = range(rows);
    let x = |place: f64| LABELS + INTERVALS * (place - low) / (high - low);
    let bars = LABELS + INTERVALS + GAP;
    let bars_width = WIDTH - bars - GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"12\" y=\"20\" font-size=\"14\">{title}</text>\n\
         <text x=\"{LABELS}\" y=\"40\">average place, 95 % interval (left is better)</text>\n\
         <text x=\"{bars}\" y=\"40\">1st to last, % of games</text>\n",
        title = escaped(title)
    );
    for (place, text) in round_ticks(low, high, MAX_TICKS) {
        let (x, end) = (x(place), height - BOTTOM);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{end:.1}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>", TOP - 8.0);
    }
    for (index, row) in rows.iter().enumerate() {
        let middle = TOP + ROW * (index as f64 + 0.5);
        let game = if row.table.is_usual() { String::new() } else { format!(" · {}", escaped(&row.table.game)) };
        let mut label: String = row.label.chars().take(MAX_LABEL_LENGTH).collect();
        if label != row.label {
            label.push('…');
        }
        let (label, base) = (escaped(&label), middle + 4.0);
        let _ =
            writeln!(svg, "<text x=\"12\" y=\"{base:.1}\">{label}{game} · {}</text>", number_of(row.games(), "game"));
        if let Some(place) = row.average_place() {
            if let Some(spread) = place.spread {
                let (from, to) = (x(spread.low.max(low)), x(spread.high.min(high)));
                let _ =
                    writeln!(svg, "<path d=\"M{from:.1} {middle:.1}H{to:.1}\" stroke=\"black\" stroke-width=\"2\"/>");
            }
            let _ = writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{middle:.1}\" r=\"4\" fill=\"black\"/>", x(place.mean));
        }
        let mut from = bars;
        for place in 1..=row.table.players() {
            let (share, colour) = (row.share(place), COLOURS[usize::from(place) - 1]);
            let width = bars_width * share;
            let (top, high) = (middle - 8.0, 16.0);
            let _ = writeln!(
                svg,
                "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{high}\" fill=\"{colour}\"/>"
            );
            if width > 26.0 {
                let (centre, percent) = (from + width / 2.0, share * 100.0);
                let _ =
                    writeln!(svg, "<text x=\"{centre:.1}\" y=\"{base:.1}\" text-anchor=\"middle\">{percent:.0}</text>");
            }
            from += width;
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The places that are drawn: what all intervals take.
fn range(rows: &[StatsGroup]) -> (f64, f64) {
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    for row in rows {
        let Some(place) = row.average_place() else { continue };
        let (from, to) = place.spread.map_or((place.mean, place.mean), |spread| (spread.low, spread.high));
        low = low.min(from);
        high = high.max(to);
    }
    if low >= high { (1.0, 4.0) } else { (low - 0.02, high + 0.02) }
}

/// A text as an XML document can hold it: marks as entities, and what no document may hold left out.
fn escaped(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().filter(allowed).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
