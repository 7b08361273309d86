//! The path of a search as a drawing.

use std::fmt::Write as _;

use super::spsa::Axis;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 220.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;

/// Colours that are told apart in any sort of sight (Okabe and Ito).
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// A parameter in the drawing.
#[derive(Debug, Clone)]
pub struct PlottedParam<'p> {
    /// Its name.
    pub name: &'p str,
    /// Its range.
    pub axis: Axis,
    /// Its value after each step, the first one first.
    pub path: Vec<f64>,
    /// What was found.
    pub found: f64,
}

/// Draws the path of each parameter through its range, as SVG.
#[must_use]
pub fn plot(title: &str, params: &[PlottedParam<'_>]) -> String {
    let steps = params.iter().map(|param| param.path.len()).max().unwrap_or(0).saturating_sub(1).max(1);
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let x = |step: usize| LEFT + (right - LEFT) * step as f64 / steps as f64;
    let y = |place: f64| bottom - (bottom - TOP) * place;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"18\" font-size=\"14\">{}</text>\n\
         <path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n",
        escaped(title)
    );
    for (place, text) in [(0.0, "least"), (1.0, "most")] {
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", LEFT - 6.0, y(place) + 4.0);
    }
    for (step, anchor) in [(0, "start"), (steps, "end")] {
        let (x, y) = (x(step), bottom + 16.0);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">step {step}</text>");
    }
    for (index, param) in params.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<String> = param
            .path
            .iter()
            .enumerate()
            .map(|(step, &value)| format!("{:.1},{:.1}", x(step), y(param.axis.place(value))))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            points.join(" ")
        );
        let found = y(param.axis.place(param.found));
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {found:.1}H{:.1}\" stroke=\"{colour}\" stroke-dasharray=\"4 3\"/>",
            f64::midpoint(LEFT, right),
            right + 8.0
        );
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}: {:.4} to {:.4} ({} to {})</text>",
            right + 14.0,
            TOP + 18.0 * (index as f64 + 1.0),
            escaped(param.name),
            param.path.first().copied().unwrap_or(param.found),
            param.found,
            param.axis.min,
            param.axis.max
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_runs_from_left_to_right_and_a_greater_value_lies_higher() {
        let axis = Axis { min: 0.0, max: 2.0, whole: false };
        let param = PlottedParam { name: "a<b", axis, path: vec![0.0, 1.0, 2.0], found: 1.5 };
        let svg = plot("bold & new", &[param]);
        assert!(svg.contains("points=\"50.0,320.0 275.0,175.0 500.0,30.0\""), "{svg}");
        assert!(svg.contains("bold &amp; new") && svg.contains("a&lt;b: 0.0000 to 1.5000 (0 to 2)"), "{svg}");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
