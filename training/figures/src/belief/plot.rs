//! A plot of calibration: predicted against observed probabilities.

use lab::drawing::{Anchor, Axis, COLOURS, Drawing, INK};

use super::said::{Bin, PredictedObserved};

const SIDE: f64 = 300.0;
const MARGIN: f64 = 46.0;
const TOP: f64 = 60.0;
/// The least chance that is drawn; axes are logarithmic from here to 1.
const MIN_SHARE: f64 = 0.001;
/// Bins with fewer samples say nothing.
const MIN_SAMPLES: u64 = 100;
const BELIEF: &str = COLOURS[0];
const DANGER: &str = COLOURS[1];
const WORLDS: &str = COLOURS[2];

/// Draws a square for each comparison, as SVG: points on the diagonal are right.
pub(super) fn plot(title: &str, compared: &[(&str, &PredictedObserved)]) -> String {
    let width = compared.len() as f64 * (SIDE + MARGIN) + MARGIN;
    let mut drawing = Drawing::new(width, TOP + SIDE + MARGIN, title);
    for (place, (colour, words)) in [
        (BELIEF, "belief: said, was"),
        (DANGER, "danger figures: said, was"),
        (WORLDS, "belief: said, in worlds drawn"),
        (INK, "(both axes logarithmic; bars: two standard errors)"),
    ]
    .into_iter()
    .enumerate()
    {
        let left = MARGIN + 190.0 * place as f64;
        if colour != INK {
            drawing.bar((left - 14.0, 29.0), (10.0, 10.0), colour);
        }
        drawing.text((left, 38.0), Anchor::Start, INK, words);
    }
    for (place, (name, compared)) in compared.iter().enumerate() {
        let left = MARGIN + place as f64 * (SIDE + MARGIN);
        let mut square = Square::begin(&mut drawing, left, name);
        for bin in compared.danger.bins() {
            square.point(DANGER, bin, -1.5);
        }
        for bin in compared.belief.bins() {
            square.point(BELIEF, bin, 1.5);
            square.cross(WORLDS, bin);
        }
    }
    drawing.finish()
}

/// A square with two logarithmic axes of chances.
struct Square<'d> {
    drawing: &'d mut Drawing,
    said: Axis,
    was: Axis,
}

impl<'d> Square<'d> {
    fn begin(drawing: &'d mut Drawing, left: f64, name: &str) -> Self {
        let values = (MIN_SHARE.ln(), 0.0);
        let (right, bottom) = (left + SIDE, TOP + SIDE);
        let (said, was) = (
            Axis {
                values,
                places: (left, right),
            },
            Axis {
                values,
                places: (bottom, TOP),
            },
        );
        drawing.line(&[(left, TOP), (left, bottom), (right, bottom)], "#999", 1.0);
        drawing.line(&[(left, bottom), (right, TOP)], "#999", 1.0);
        drawing.text(
            (f64::midpoint(left, right), TOP + 12.0),
            Anchor::Middle,
            INK,
            name,
        );
        for chance in [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0_f64] {
            let text = format!("{} %", chance * 100.0);
            drawing.text(
                (said.at(chance.ln()), bottom + 14.0),
                Anchor::Middle,
                INK,
                &text,
            );
            drawing.text(
                (left - 4.0, was.at(chance.ln()) + 4.0),
                Anchor::End,
                INK,
                &text,
            );
        }
        drawing.text(
            (f64::midpoint(left, right), bottom + 32.0),
            Anchor::Middle,
            INK,
            "chance that was said",
        );
        drawing.text(
            (left - 34.0, TOP - 8.0),
            Anchor::Start,
            INK,
            "how often it was so",
        );
        Self { drawing, said, was }
    }

    fn place(&self, said: f64, was: f64) -> (f64, f64) {
        let along = |axis: &Axis, chance: f64| axis.at(chance.clamp(MIN_SHARE, 1.0).ln());
        (along(&self.said, said), along(&self.was, was))
    }

    fn point(&mut self, colour: &str, bin: &Bin, aside: f64) {
        if bin.samples < MIN_SAMPLES {
            return;
        }
        let (samples, was) = (bin.samples as f64, bin.hits as f64 / bin.samples as f64);
        let error = 2.0 * (was * (1.0 - was) / samples).sqrt();
        let place = |chance: f64| {
            let (x, y) = self.place(bin.said / samples, chance);
            (x + aside, y)
        };
        let (bar, dot) = ([place(was - error), place(was + error)], place(was));
        self.drawing.line(&bar, colour, 1.0);
        self.drawing.dot(dot, 2.5, colour);
    }

    fn cross(&mut self, colour: &str, bin: &Bin) {
        let (samples, said, drawn) = bin.drawn;
        if samples < MIN_SAMPLES {
            return;
        }
        let (x, y) = self.place(said / samples as f64, drawn / samples as f64);
        self.drawing
            .line(&[(x - 3.0, y), (x + 3.0, y)], colour, 1.0);
        self.drawing
            .line(&[(x, y - 3.0), (x, y + 3.0)], colour, 1.0);
    }
}
