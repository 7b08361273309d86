//! Tables of text for users.

use std::fmt;

use foreign_text::escaped;

use crate::columns::{shortened, width, wrapped};
use crate::screen::{self, Stream};

/// Maximum number of columns of a cell. The last cell of a row, which is often a sentence, may be
/// longer.
const MAX_CELL: usize = 240;
const MAX_LAST_CELL: usize = 1000;

/// Minimum number of columns of a sentence in the last column, before the table is divided instead.
const MIN_SENTENCE: usize = 24;

/// Columns between two cells.
const GAP: usize = 2;

/// A table: a heading, and rows with the same number of cells. Columns of text are aligned left,
/// columns of numbers right. A cell may hold any text: it is escaped, and shortened where it is too
/// long.
#[derive(Debug)]
pub struct TextTable<const COLUMNS: usize> {
    rows: Vec<[String; COLUMNS]>,
    text: [bool; COLUMNS],
    shown: [bool; COLUMNS],
    /// The number of columns that say what a row is about.
    keys: usize,
}

impl<const COLUMNS: usize> TextTable<COLUMNS> {
    /// A table with this heading; `text` marks the columns of texts.
    pub fn new(heading: [&str; COLUMNS], text: [bool; COLUMNS]) -> Self {
        Self {
            rows: vec![heading.map(str::to_owned)],
            text,
            shown: [true; COLUMNS],
            keys: 1,
        }
    }

    /// The same table, in which the first columns say what a row is about.
    pub fn keyed_by(self, keys: usize) -> Self {
        Self { keys, ..self }
    }

    pub fn hide(&mut self, heading: &str) {
        for (shown, cell) in self.shown.iter_mut().zip(&self.rows[0]) {
            *shown &= cell != heading;
        }
    }

    /// Removes the column with this heading if all its cells are dashes.
    pub fn hide_unused(&mut self, heading: &str) {
        let place = self.rows[0].iter().position(|cell| cell == heading);
        if place.is_some_and(|column| self.rows[1..].iter().all(|row| row[column] == "-")) {
            self.hide(heading);
        }
    }

    pub fn row(&mut self, cells: [String; COLUMNS]) {
        let last = COLUMNS - 1;
        let mut cells = cells.map(|cell| escaped(cell.replace('\t', " ").as_bytes()));
        for (column, cell) in cells.iter_mut().enumerate() {
            *cell = shortened(
                cell,
                if column == last {
                    MAX_LAST_CELL
                } else {
                    MAX_CELL
                },
            );
        }
        self.rows.push(cells);
    }

    /// The rows, one line each, with the heading: in so many columns of a screen. The columns with
    /// these headings are left out for that, in this order, as far as needed; then names are
    /// shortened.
    pub fn lines_within(mut self, columns: usize, unneeded: &[&str]) -> Vec<String> {
        for heading in unneeded {
            if self.total(&self.shown_columns()) <= columns {
                break;
            }
            self.hide(heading);
        }
        let shown = self.shown_columns();
        let mut widths = self.widths();
        let too_many = |widths: &[usize]| total(widths, &shown).saturating_sub(columns);
        while too_many(&widths) > 0 {
            let texts = shown.iter().filter(|&&column| self.text[column]);
            let Some(&widest) = texts
                .max_by_key(|&&column| widths[column])
                .filter(|&&column| widths[column] > 1)
            else {
                break;
            };
            widths[widest] -= 1;
        }
        self.rows
            .iter()
            .map(|row| self.line(row, &shown, &widths))
            .collect()
    }

    /// The table for standard output: if that is a terminal, it has as many columns as the
    /// terminal. Further columns follow in a second table, with the first column again.
    pub fn for_output(&self) -> String {
        screen::columns(Stream::Out)
            .map_or_else(|| self.to_string(), |columns| self.within(columns))
    }

    /// The table in the columns of the terminal, or of a usual one where standard output is none.
    pub fn narrow(&self) -> String {
        self.within(screen::columns(Stream::Out).unwrap_or(screen::COLUMNS))
    }

    fn within(&self, columns: usize) -> String {
        let shown = self.shown_columns();
        let mut widths = self.widths().map(|width| width.min(columns));
        let (keys, others) = shown.split_at(self.keys.min(shown.len()));
        let last = others.last().copied();
        // A sentence at the end is broken into lines.
        let takes =
            |column: usize, widths: &[usize]| match last == Some(column) && self.text[column] {
                true => widths[column].min(MIN_SENTENCE),
                false => widths[column],
            };
        let max_key = (columns / 2 / keys.len().max(1)).saturating_sub(GAP).max(1);
        for &key in keys.iter().filter(|_| self.total(&shown) > columns) {
            widths[key] = widths[key].min(max_key);
        }
        let mut parts = vec![keys.to_vec()];
        let mut used = total(&widths, keys);
        for &column in others {
            let part = parts.last_mut().expect("there is a first part");
            let more = GAP + takes(column, &widths);
            if used + more <= columns || part.len() == keys.len() {
                part.push(column);
                used += more;
            } else {
                parts.push(keys.iter().copied().chain([column]).collect());
                used = total(&widths, keys) + more;
            }
        }
        let part = |part: &Vec<usize>| {
            let lines = self
                .rows
                .iter()
                .flat_map(|row| self.broken_line(row, part, &widths, columns));
            lines.collect::<Vec<_>>().join("\n")
        };
        parts.iter().map(part).collect::<Vec<_>>().join("\n\n")
    }

    fn shown_columns(&self) -> Vec<usize> {
        (0..COLUMNS).filter(|&column| self.shown[column]).collect()
    }

    /// The width of each column.
    fn widths(&self) -> [usize; COLUMNS] {
        std::array::from_fn(|column| {
            self.rows
                .iter()
                .map(|row| width(&row[column]))
                .max()
                .unwrap_or(0)
        })
    }

    fn total(&self, shown: &[usize]) -> usize {
        total(&self.widths(), shown)
    }

    /// These cells of a row, each in so many columns.
    fn line(&self, row: &[String; COLUMNS], shown: &[usize], widths: &[usize]) -> String {
        let cell = |&column: &usize| {
            let cell = shortened(&row[column], widths[column]);
            let fill = " ".repeat(widths[column] - width(&cell));
            if self.text[column] {
                cell + &fill
            } else {
                fill + &cell
            }
        };
        shown
            .iter()
            .map(cell)
            .collect::<Vec<_>>()
            .join(&" ".repeat(GAP))
            .trim_end()
            .to_owned()
    }

    /// The same; a text in the last one goes on below its beginning.
    fn broken_line(
        &self,
        row: &[String; COLUMNS],
        shown: &[usize],
        widths: &[usize],
        columns: usize,
    ) -> Vec<String> {
        let Some((&last, before)) = shown.split_last().filter(|(last, _)| self.text[**last]) else {
            return vec![self.line(row, shown, widths)];
        };
        let indent = total(widths, before) + GAP;
        let start = self.line(row, before, widths);
        let pad = " ".repeat(indent.saturating_sub(width(&start)));
        let texts = wrapped(&row[last], columns.saturating_sub(indent).max(1), 0);
        let line = |(index, text): (usize, &String)| match index {
            0 => format!("{start}{pad}{text}").trim_end().to_owned(),
            _ => " ".repeat(indent) + text,
        };
        texts.iter().enumerate().map(line).collect()
    }
}

/// The columns of a screen that these columns of a table take.
fn total(widths: &[usize], shown: &[usize]) -> usize {
    shown
        .iter()
        .map(|&column| widths[column] + GAP)
        .sum::<usize>()
        .saturating_sub(GAP)
}

impl<const COLUMNS: usize> fmt::Display for TextTable<COLUMNS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, widths) = (self.shown_columns(), self.widths());
        let lines: Vec<String> = self
            .rows
            .iter()
            .map(|row| self.line(row, &shown, &widths))
            .collect();
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(
            table.to_string(),
            "bot   points\nkuma       -\nneko      +1"
        );
    }

    fn bots() -> TextTable<4> {
        let mut table = TextTable::new(
            ["bot", "games", "faults", "state"],
            [true, false, false, true],
        );
        table.row(["くま", "12", "0", "playing"].map(str::to_owned));
        table.row(
            [
                "neko",
                "7",
                "3",
                "waiting: the arena has no other players now",
            ]
            .map(str::to_owned),
        );
        table
    }

    #[test]
    fn columns_are_aligned_by_the_width_of_letters() {
        let table = bots().to_string();
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!(lines[1], "くま     12       0  playing");
        assert!(
            lines[2].starts_with("neko      7       3  waiting"),
            "{table}"
        );
    }

    #[test]
    fn a_table_that_is_too_wide_is_divided_and_its_sentences_are_broken_between_words() {
        assert_eq!(bots().within(80), bots().to_string());
        assert_eq!(
            bots().within(45),
            "bot   games  faults  state\n\
             くま     12       0  playing\n\
             neko      7       3  waiting: the arena has\n                     no other players now"
        );
        assert_eq!(
            bots().within(24),
            "bot   games  faults\nくま     12       0\nneko      7       3\n\n\
             bot   state\nくま  playing\nneko  waiting: the arena\n      has no other\n      players now"
        );
        let long = "x".repeat(100_000);
        let mut table = TextTable::new(["one", "other", "games"], [true, true, false]).keyed_by(2);
        table.row([long.clone(), long.clone(), long.clone()]);
        for columns in [1, 2, 10, 20, 80, 200, 100_000] {
            let widest = table.within(columns).lines().map(width).max();
            assert!(widest <= Some(2 * columns + 10), "{columns}: {widest:?}");
        }
    }

    #[test]
    fn a_screen_keeps_the_columns_that_are_needed() {
        let lines = bots().lines_within(28, &["games"]);
        assert_eq!(lines[0], "bot   faults  state");
        assert_eq!(lines[2], "neko       3  waiting: … now");
        assert!(
            bots()
                .lines_within(3, &["games"])
                .iter()
                .all(|line| width(line) < 20)
        );
    }

    #[test]
    fn cells_of_any_length_and_content_stay_on_their_line() {
        let mut table = TextTable::new(["bot", "version", "why"], [true; 3]);
        table.row([
            "x".repeat(100_000),
            "\u{1b}[31m\u{202e}\n\t".to_owned(),
            "y".repeat(100_000),
        ]);
        let text = table.to_string();
        assert_eq!(text.lines().count(), 2);
        assert!(
            text.len() < 2 * (MAX_CELL + MAX_LAST_CELL + 40),
            "{}",
            text.len()
        );
        assert!(text.contains("\\u{1b}[31m\\u{202e}\\n "), "{text}");
    }
}
