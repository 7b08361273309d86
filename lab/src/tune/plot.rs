//! The path of a search as a chart.

use super::spsa::ParamRange;
use crate::drawing::{Anchor, Axis, COLOURS, Drawing, GRID, INK, round_ticks};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 690.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 330.0;
/// The first line of the legend, and the distance between two.
const LEGEND: f64 = BOTTOM + 66.0;
const LINE: f64 = 18.0;

/// Maximum number of marks of the steps.
const MAX_TICKS: usize = 7;

#[derive(Debug, Clone)]
pub struct PlottedParam<'p> {
    pub name: &'p str,
    pub range: ParamRange,
    /// Its value after each step, beginning with the initial one.
    pub path: Vec<f64>,
    pub found: f64,
}

/// Draws the path of each parameter through its range, as SVG.
pub fn plot(title: &str, params: &[PlottedParam<'_>]) -> String {
    let steps = params
        .iter()
        .map(|param| param.path.len())
        .max()
        .unwrap_or(0)
        .saturating_sub(1)
        .max(1) as f64;
    let (x, y) = (
        Axis {
            values: (0.0, steps),
            places: (LEFT, RIGHT),
        },
        Axis {
            values: (0.0, 1.0),
            places: (BOTTOM, TOP),
        },
    );
    let mut drawing = Drawing::new(WIDTH, LEGEND + LINE * (params.len() as f64 + 0.5), title);
    drawing.line(&[(LEFT, TOP), (LEFT, BOTTOM), (RIGHT, BOTTOM)], INK, 1.0);
    drawing.text(
        (12.0, TOP - 16.0),
        Anchor::Start,
        INK,
        "value, % of the way from the lowest to the highest allowed",
    );
    for (percent, text) in round_ticks(0.0, 100.0, MAX_TICKS) {
        let height = y.at(percent / 100.0);
        drawing.line(&[(LEFT, height), (RIGHT, height)], GRID, 1.0);
        drawing.text((LEFT - 6.0, height + 4.0), Anchor::End, INK, &text);
    }
    for (step, text) in round_ticks(0.0, steps, MAX_TICKS) {
        drawing.text((x.at(step), BOTTOM + 16.0), Anchor::Middle, INK, &text);
    }
    drawing.text(
        (f64::midpoint(LEFT, RIGHT), BOTTOM + 34.0),
        Anchor::Middle,
        INK,
        "step of the search",
    );
    for (
        index,
        PlottedParam {
            name,
            range,
            path,
            found,
        },
    ) in params.iter().enumerate()
    {
        let colour = COLOURS[index % COLOURS.len()];
        let at = |value: f64| y.at(range.place(value));
        let places: Vec<(f64, f64)> = (0..)
            .zip(path)
            .map(|(step, &value)| (x.at(f64::from(step)), at(value)))
            .collect();
        drawing.line(&places, colour, 1.5);
        drawing.dot((RIGHT + 6.0, at(*found)), 4.0, colour);
        let begun = path.first().copied().unwrap_or(*found);
        let words = format!(
            "{name}: {begun:.4} to {found:.4} (allowed: {} to {})",
            range.min, range.max
        );
        let line = LEGEND + LINE * (index as f64 + 1.0);
        drawing.bar((LEFT, line - 9.0), (10.0, 10.0), colour);
        drawing.text((LEFT + 16.0, line), Anchor::Start, INK, &words);
    }
    drawing.dot((LEFT + 5.0, LEGEND - 4.0), 4.0, INK);
    let of_dots = "at the right: the value found, the mean over the second half of the steps";
    drawing.text((LEFT + 16.0, LEGEND), Anchor::Start, INK, of_dots);
    drawing.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_runs_from_left_to_right_and_a_greater_value_lies_higher() {
        let range = ParamRange {
            min: 0.0,
            max: 2.0,
            whole: false,
        };
        let param = PlottedParam {
            name: "a<b",
            range,
            path: vec![0.0, 1.0, 2.0],
            found: 1.5,
        };
        let svg = plot("bold & new", &[param]);
        assert!(
            svg.contains("points=\"60.0,330.0 375.0,195.0 690.0,60.0\""),
            "{svg}"
        );
        assert!(
            svg.contains("bold &amp; new")
                && svg.contains("a&lt;b: 0.0000 to 1.5000 (allowed: 0 to 2)"),
            "{svg}"
        );
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn a_legend_has_the_width_of_the_drawing_and_a_line_for_each_parameter_and_the_dots() {
        let range = ParamRange {
            min: -0.000_001,
            max: 1_234_567.0,
            whole: false,
        };
        let name = "the-longest-name-of-a-parameter-of-a-policy";
        let param = PlottedParam {
            name,
            range,
            path: vec![0.0, 1.0],
            found: 0.5,
        };
        let svg = plot("", &vec![param; 9]);
        let (_, size) = svg.split_once("viewBox=\"0 0 ").expect("a size");
        let (size, _) = size.split_once('"').expect("it ends");
        let (width, height) = size.split_once(' ').expect("width and height");
        let height: f64 = height.parse().expect("a number");
        let attribute = |line: &str, name: &str| -> f64 {
            let (_, value) = line
                .split_once(&format!(" {name}=\""))
                .expect("it is there");
            value
                .split('"')
                .next()
                .and_then(|value| value.parse().ok())
                .expect("a number")
        };
        let legend: Vec<&str> = svg.lines().filter(|line| line.contains(name)).collect();
        assert_eq!(legend.len(), 9);
        for line in &legend {
            let (_, words) = line.split_once("\">").expect("words");
            // A letter of this size is at most 0.55 times as wide as high, on average.
            let letters = words.trim_end_matches("</text>").chars().count();
            assert!(
                attribute(line, "x") + 6.6 * letters as f64 <= width.parse().expect("a number"),
                "{line}"
            );
            assert!(attribute(line, "y") <= height, "{line}");
        }
        assert!(
            svg.contains("the value found, the mean over the second half of the steps"),
            "{svg}"
        );
    }
}
