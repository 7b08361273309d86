//! Calibration as a drawing: what was said against how often it was so.

use std::fmt::Write as _;

use super::said::{Bin, Compared};

const SIDE: f64 = 300.0;
const MARGIN: f64 = 46.0;
/// The least chance that is drawn; axes are logarithmic from here to 1.
const MIN_SHARE: f64 = 0.001;
/// Bins with fewer samples say nothing.
const MIN_SAMPLES: u64 = 100;
/// Colours that are told apart in any sort of sight (Okabe and Ito).
const BELIEF: &str = "#0072b2";
const DANGER: &str = "#d55e00";
const WORLDS: &str = "#009e73";

/// Draws a square for each of what was compared, as SVG: points on the diagonal are right.
pub(super) fn plot(title: &str, compared: &[(&str, &Compared)]) -> String {
    let width = compared.len() as f64 * (SIDE + MARGIN) + MARGIN;
    let height = SIDE + 2.0 * MARGIN + 10.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"16\" font-size=\"13\">{}</text>\n\
         <text x=\"{MARGIN}\" y=\"32\"><tspan fill=\"{BELIEF}\">belief: said, was</tspan> \
         <tspan fill=\"{DANGER}\">danger figures: said, was</tspan> \
         <tspan fill=\"{WORLDS}\">belief: said, in worlds drawn</tspan> (both axes logarithmic; bars: two standard errors)</text>\n",
        title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
    );
    for (place, (name, compared)) in compared.iter().enumerate() {
        let left = MARGIN + place as f64 * (SIDE + MARGIN);
        let _ = writeln!(svg, "<g transform=\"translate({left:.0} {MARGIN:.0})\">");
        axes(&mut svg, name);
        for bin in compared.danger.bins() {
            point(&mut svg, DANGER, bin.said / bin.samples as f64, bin, -1.5);
        }
        for bin in compared.belief.bins() {
            point(&mut svg, BELIEF, bin.said / bin.samples as f64, bin, 1.5);
            let (samples, said, drawn) = bin.drawn;
            if samples >= MIN_SAMPLES {
                let (x, y) = (along(said / samples as f64), SIDE - along(drawn / samples as f64));
                let _ = writeln!(svg, "<path d=\"M{:.1} {y:.1}h6m-3 -3v6\" stroke=\"{WORLDS}\"/>", x - 3.0);
            }
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Where a chance lies on an axis.
fn along(chance: f64) -> f64 {
    SIDE * (chance.max(MIN_SHARE) / MIN_SHARE).ln() / (1.0 / MIN_SHARE).ln()
}

fn axes(svg: &mut String, name: &str) {
    let _ = writeln!(
        svg,
        "<path d=\"M0 0V{SIDE}H{SIDE}M0 {SIDE}L{SIDE} 0\" fill=\"none\" stroke=\"#999\"/>\
         <text x=\"{:.0}\" y=\"12\">{name}</text>",
        SIDE / 2.0 - 30.0
    );
    for chance in [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0] {
        let (at, text) = (along(chance), format!("{} %", chance * 100.0));
        let _ = writeln!(
            svg,
            "<text x=\"{at:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{text}</text>\
             <text x=\"-4\" y=\"{:.0}\" text-anchor=\"end\">{text}</text>",
            SIDE + 14.0,
            SIDE - at + 4.0
        );
    }
}

fn point(svg: &mut String, colour: &str, said: f64, bin: &Bin, aside: f64) {
    if bin.samples < MIN_SAMPLES {
        return;
    }
    let was = bin.hits as f64 / bin.samples as f64;
    let error = 2.0 * (was * (1.0 - was) / bin.samples as f64).sqrt();
    let x = along(said) + aside;
    let y = |chance: f64| SIDE - along(chance.min(1.0));
    let _ = writeln!(
        svg,
        "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"{colour}\"/><circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"2.5\" fill=\"{colour}\"/>",
        y(was - error),
        y(was + error),
        y(was)
    );
}
