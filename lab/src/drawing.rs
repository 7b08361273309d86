//! Charts as SVG.

use std::fmt::Write as _;

/// Colours that people with any colour vision can distinguish (Okabe and Ito), on light and dark
/// paper.
pub const COLOURS: [&str; 7] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a",
];
/// The colour of texts and axes: dark on light paper, light on dark paper.
pub const INK: &str = "currentColor";
/// The colour of grid lines.
pub const GRID: &str = "#8888884d";

/// The colour of a text on one of the [`COLOURS`].
pub fn ink_on(colour: &str) -> &'static str {
    if colour == COLOURS[0] { "#fff" } else { "#000" }
}

/// Paper and ink, following the reader's theme.
const THEME: &str = "svg{color:#1d2126}.paper{fill:#fff}\
    @media(prefers-color-scheme:dark){svg{color:#e8e6e1}.paper{fill:#14171a}}";

/// The position of a text relative to its point.
#[derive(Debug, Clone, Copy)]
pub enum Anchor {
    /// It begins there.
    Start,
    Middle,
    End,
}

/// A drawing that is built piece by piece. Places are pairs of the distances from the left and from
/// the top.
#[derive(Debug)]
pub struct Drawing {
    svg: String,
}

impl Drawing {
    /// A drawing with only a title.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        let title = escaped(title);
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"12\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n\
             <style>{THEME}</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n\
             <text x=\"12\" y=\"20\" font-size=\"14\" fill=\"{INK}\">{title}</text>\n"
        );
        Self { svg }
    }

    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, colour: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>"
        );
    }

    pub fn line(&mut self, places: &[(f64, f64)], colour: &str, width: f64) {
        let places: Vec<String> = places
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let places = places.join(" ");
        let _ = writeln!(
            self.svg,
            "<polyline points=\"{places}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        );
    }

    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: &str) {
        let _ = writeln!(
            self.svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"/>"
        );
    }

    /// Draws a bar with its upper left corner here.
    pub fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: &str) {
        let _ = writeln!(
            self.svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"/>"
        );
    }

    /// The drawing as the text of a file.
    pub fn finish(self) -> String {
        self.svg + "</svg>\n"
    }
}

/// A text escaped for an XML document: special characters as entities, without forbidden ones.
fn escaped(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().filter(allowed).collect();
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The positions of values along a line.
#[derive(Debug, Clone, Copy)]
pub struct Axis {
    /// The minimum and the maximum value.
    pub values: (f64, f64),
    /// The ends of the line.
    pub places: (f64, f64),
}

impl Axis {
    /// The position of a value.
    pub fn at(&self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.places);
        from + (to - from) * (value - low) / (high - low)
    }
}

/// The multiples of 1, 2 or 5 times a power of ten from `low` to `high`: as many as fit, up to
/// `most`, each with the decimals that it needs. Empty if there is no range.
pub fn round_ticks(low: f64, high: f64, most: usize) -> Vec<(f64, String)> {
    if !(low.is_finite() && high.is_finite() && low < high) || most == 0 {
        return Vec::new();
    }
    let mut power = ((high - low) / most as f64).log10().floor() as i32;
    loop {
        for digit in [1.0, 2.0, 5.0] {
            let step = digit * 10_f64.powi(power);
            // The tolerance keeps a bound that is a multiple in spite of rounding errors.
            let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
            let count = (last - first + 1.0).max(0.0) as usize;
            if count <= most {
                let decimals = (-power).max(0) as usize;
                let tick = |index: usize| {
                    let value = (first + index as f64) * step;
                    // Avoids -0.
                    let value = if value == 0.0 { 0.0 } else { value };
                    (value, format!("{value:.decimals$}"))
                };
                return (0..count).map(tick).collect();
            }
        }
        power += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64, most: usize) -> Vec<String> {
        round_ticks(low, high, most)
            .into_iter()
            .map(|(_, text)| text)
            .collect()
    }

    #[test]
    fn ticks_lie_at_round_numbers_inside_the_range_and_are_not_too_many() {
        assert_eq!(
            texts(0.98, 3.62, 6),
            ["1.0", "1.5", "2.0", "2.5", "3.0", "3.5"]
        );
        assert_eq!(texts(0.98, 3.62, 5), ["1", "2", "3"]);
        assert_eq!(
            texts(2.27, 2.53, 6),
            ["2.30", "2.35", "2.40", "2.45", "2.50"]
        );
        assert_eq!(texts(1.0, 4.0, 4), ["1", "2", "3", "4"]);
        assert_eq!(
            texts(-0.3, 0.3, 7),
            ["-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"]
        );
        assert_eq!(
            texts(0.0, 60_000.0, 7),
            ["0", "10000", "20000", "30000", "40000", "50000", "60000"]
        );
    }

    #[test]
    fn an_axis_without_a_range_has_no_ticks() {
        for (low, high) in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
        ] {
            assert!(round_ticks(low, high, 5).is_empty(), "{low} to {high}");
        }
    }
}
