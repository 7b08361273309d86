//! Tables of text for users.

use std::fmt;

use policy_host::GameKind;

/// A table: a heading, and rows with the same number of cells. Columns of text are aligned left, columns of numbers
/// right.
#[derive(Debug)]
pub(super) struct TextTable<const COLUMNS: usize> {
    rows: Vec<[String; COLUMNS]>,
    text: [bool; COLUMNS],
    shown: [bool; COLUMNS],
}

impl<const COLUMNS: usize> TextTable<COLUMNS> {
    /// A table with this heading; `text` marks the columns of texts.
    pub(super) fn new(heading: [&str; COLUMNS], text: [bool; COLUMNS]) -> Self {
        Self { rows: vec![heading.map(str::to_owned)], text, shown: [true; COLUMNS] }
    }

    pub(super) fn hide(&mut self, heading: &str) {
        for (shown, cell) in self.shown.iter_mut().zip(&self.rows[0]) {
            *shown &= cell != heading;
        }
    }

    /// Removes the column with this heading if all its cells are dashes.
    pub(super) fn hide_unused(&mut self, heading: &str) {
        let place = self.rows[0].iter().position(|cell| cell == heading);
        if place.is_some_and(|column| self.rows[1..].iter().all(|row| row[column] == "-")) {
            self.hide(heading);
        }
    }

    pub(super) fn row(&mut self, cells: [String; COLUMNS]) {
        self.rows.push(cells);
    }
}

impl<const COLUMNS: usize> fmt::Display for TextTable<COLUMNS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |cell: &String| cell.chars().count();
        let widths: [usize; COLUMNS] =
            std::array::from_fn(|column| self.rows.iter().map(|row| width(&row[column])).max().unwrap_or(0));
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> = row
                .iter()
                .zip(widths)
                .zip(self.text)
                .zip(self.shown)
                .filter_map(|(cell, shown)| shown.then_some(cell))
                .map(|((cell, width), text)| if text { format!("{cell:<width$}") } else { format!("{cell:>width$}") })
                .collect();
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

/// Points with commas between the thousands.
pub(super) fn points(points: i32) -> String {
    let sign = if points < 0 { "-" } else { "" };
    format!("{sign}{}", thousands(points.unsigned_abs().into()))
}

/// A whole number with commas between the thousands.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with these decimals. Zero has no minus sign.
pub(super) fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(zero) if zero.chars().all(|digit| matches!(digit, '0' | '.')) => zero.to_owned(),
        _ => text,
    }
}

/// The same with its sign, a plus sign included.
pub(super) fn signed(number: f64, decimals: usize) -> String {
    let text = decimal(number, decimals);
    if text.starts_with('-') { text } else { format!("+{text}") }
}

/// The heading of [`average_points`].
pub(super) const AVERAGE_POINTS: &str = "avg points";

/// An average place; a dash without one.
pub(super) fn average_place(average: Option<f64>) -> String {
    average.map_or_else(|| "-".to_owned(), |place| format!("{place:.2}"))
}

/// Average points of a game; a dash without them.
pub(super) fn average_points(average: Option<f64>) -> String {
    average.map_or_else(|| "-".to_owned(), |points| signed(points, 2))
}

/// A number with a noun: `1 game`, `12 games`.
pub(super) fn number_of(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Number of units of a point in the game of this name; 1 for an unknown game.
pub(super) fn score_units(game: &str) -> i32 {
    GameKind::ALL.into_iter().find(|kind| kind.name() == game).map_or(1, GameKind::score_units)
}

/// A score in a game's units, converted to points: a whole number, or with the necessary decimals.
pub(super) fn score(game: &str, units: i32) -> String {
    match score_units(game) {
        1 => points(units),
        // A number without decimals has no point.
        point => (f64::from(units) / f64::from(point)).to_string(),
    }
}

/// The number of rounds, as the end of a sentence; empty for a game of one hand.
pub(super) fn after_rounds(rounds: u32) -> String {
    if rounds > 1 { format!(" after {rounds} rounds") } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_have_commas_between_thousands() {
        assert_eq!([0, 900, -1000, 32_000, -1_234_567].map(points), ["0", "900", "-1,000", "32,000", "-1,234,567"]);
    }

    #[test]
    fn a_number_that_is_rounded_to_zero_has_no_minus_sign() {
        assert_eq!(
            [-0.0004, -0.0006, 0.0, 2.5].map(|number| decimal(number, 3)),
            ["0.000", "-0.001", "0.000", "2.500"]
        );
        assert_eq!([-0.004, -0.006, 0.004].map(|number| signed(number, 2)), ["+0.00", "-0.01", "+0.00"]);
        assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(|number| signed(number, 1)), ["-inf", "+inf"]);
    }

    #[test]
    fn scores_are_reported_in_points_of_their_game() {
        assert_eq!(["riichi", "chinese-standard", "go"].map(|game| score(game, 3200)), ["3,200", "3,200", "3,200"]);
        assert_eq!([400, -200, 425, -10, 0].map(|units| score("doudizhu", units)), ["4", "-2", "4.25", "-0.1", "0"]);
    }

    #[test]
    fn texts_are_aligned_left_and_numbers_right() {
        let mut table = TextTable::new(["bot", "score"], [true, false]);
        table.row(["kuma".to_owned(), "900".to_owned()]);
        assert_eq!(table.to_string(), "bot   score\nkuma    900");
    }

    #[test]
    fn a_column_can_be_left_out() {
        let mut table = TextTable::new(["bot", "score", "games"], [true, false, false]);
        table.row(["kuma", "900", "1"].map(str::to_owned));
        table.hide("score");
        assert_eq!(table.to_string(), "bot   games\nkuma      1");
    }

    #[test]
    fn a_column_is_hidden_if_all_its_cells_are_dashes() {
        let mut table = TextTable::new(["bot", "points"], [true, false]);
        table.row(["kuma", "-"].map(str::to_owned));
        table.hide_unused("points");
        assert_eq!(table.to_string(), "bot\nkuma");
        let mut table = TextTable::new(["bot", "points"], [true, false]);
        table.row(["kuma", "-"].map(str::to_owned));
        table.row(["neko", "+1"].map(str::to_owned));
        table.hide_unused("points");
        assert_eq!(table.to_string(), "bot   points\nkuma       -\nneko      +1");
    }
}
