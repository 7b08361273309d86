//! Rows as a spreadsheet reads them.

use foreign_text::escaped;

/// A line of cells. Names come from others: what a spreadsheet would take for a formula is made a
/// text.
pub(super) fn line(cells: &[CsvCell]) -> String {
    let cells: Vec<String> = cells.iter().map(CsvCell::written).collect();
    cells.join(",")
}

#[derive(Debug)]
pub(super) enum CsvCell {
    /// A text, possibly from a stranger.
    Text(String),
    Number(f64),
    /// Nothing is known.
    Empty,
}

impl CsvCell {
    pub(super) fn of(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Number)
    }

    fn written(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Empty => String::new(),
            Self::Text(text) => {
                let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
                let text = escaped(text.as_bytes()).replace('"', "\"\"");
                format!("\"{}{text}\"", if formula { "'" } else { "" })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_reads_like_a_formula_is_a_text_and_quotes_do_not_end_a_cell() {
        let text = |text: &str| line(&[CsvCell::Text(text.to_owned())]);
        assert_eq!(text("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        for formula in ["+1", "-1", "@a", "\t=1", "\r=1"] {
            assert!(text(formula).starts_with("\"'"), "{formula:?}");
        }
        assert_eq!(
            line(&[
                CsvCell::Text("a,b\nc".to_owned()),
                CsvCell::Number(-0.5),
                CsvCell::Empty
            ]),
            "\"a,b\\nc\",-0.5,"
        );
    }
}
