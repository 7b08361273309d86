//! The form of files with measured figures, and its only reader.
//!
//! A section is a name on a line of its own, and the numbers below it with white space between
//! them. Lines that begin with `#` are comments: what a row says, and the samples that it rests on.
//! The files are compiled in, so a mistake in one is a mistake of the program.

use std::array;
use std::str::{FromStr, Lines, SplitWhitespace};

/// Reads a file of figures once, from its beginning to its end.
#[derive(Debug)]
pub struct FiguresReader<'t> {
    /// The lines that have not been read.
    lines: Lines<'t>,
    section: &'static str,
    /// The numbers of the current line that have not been read.
    numbers: SplitWhitespace<'t>,
}

impl<'t> FiguresReader<'t> {
    /// At the beginning of this text.
    pub fn new(text: &'t str) -> Self {
        Self {
            lines: text.lines(),
            section: "",
            numbers: "".split_whitespace(),
        }
    }

    /// Begins the next section.
    ///
    /// # Panics
    ///
    /// If it has another name, or the section before it has numbers left.
    pub fn section(&mut self, name: &'static str) -> &mut Self {
        self.nothing_left();
        assert_eq!(self.line(), name, "the section after {:?}", self.section);
        self.section = name;
        self
    }

    /// The next number of the section.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn number<T: FromStr>(&mut self) -> T {
        let word = self.numbers.next().or_else(|| {
            self.numbers = self.line().split_whitespace();
            self.numbers.next()
        });
        let Some(number) = word.and_then(|word| word.parse().ok()) else {
            panic!("figures of {:?}: found {word:?} for a number", self.section)
        };
        number
    }

    /// The next numbers of the section.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn row<T: FromStr, const N: usize>(&mut self) -> [T; N] {
        array::from_fn(|_| self.number())
    }

    /// The next rows of the section.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn rows<T: FromStr, const N: usize, const ROWS: usize>(&mut self) -> [[T; N]; ROWS] {
        array::from_fn(|_| self.row())
    }

    /// Ends the file.
    ///
    /// # Panics
    ///
    /// If something is left.
    pub fn end(mut self) {
        self.nothing_left();
        assert_eq!(
            self.line(),
            "",
            "after the last section, {:?}",
            self.section
        );
    }

    fn nothing_left(&mut self) {
        assert_eq!(self.numbers.next(), None, "after {:?}", self.section);
    }

    /// The next line that is not a comment; empty at the end.
    fn line(&mut self) -> &'t str {
        let mut lines = self.lines.by_ref().map(str::trim);
        lines
            .find(|line| !line.is_empty() && !line.starts_with('#'))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{belief, danger};

    const TEXT: &str = "# A comment.\n\nof two\n# 7, 8\n1.5 -2\n3\n4\n\nof one\n9\n";

    #[test]
    fn sections_are_read_in_order_across_lines_and_comments() {
        let mut reader = FiguresReader::new(TEXT);
        assert_eq!(
            reader.section("of two").rows::<f32, 2, 2>(),
            [[1.5, -2.0], [3.0, 4.0]]
        );
        assert_eq!(reader.section("of one").number::<u16>(), 9);
        reader.end();
    }

    #[test]
    #[should_panic(expected = "the section after \"of two\"")]
    fn a_section_that_is_missing_is_named() {
        let mut reader = FiguresReader::new(TEXT);
        let _: [f32; 4] = reader.section("of two").row();
        reader.section("of three");
    }

    #[test]
    #[should_panic(expected = "figures of \"of two\": found Some(\"of\")")]
    fn a_section_with_too_few_numbers_is_named() {
        let _: [f32; 5] = FiguresReader::new(TEXT).section("of two").row();
    }

    #[test]
    #[should_panic(expected = "after \"of two\"")]
    fn a_line_with_too_many_numbers_is_named() {
        let mut reader = FiguresReader::new(TEXT);
        let _: f32 = reader.section("of two").number();
        reader.section("of one");
    }

    /// FNV-1a of all figures as text, from which each can be read back exactly.
    fn hash(figures: &impl std::fmt::Debug) -> u64 {
        format!("{figures:?}")
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }

    /// Figures that are measured again change these numbers, and the strength of policies.
    #[test]
    fn the_figures_are_the_ones_with_which_the_policies_were_measured() {
        let belief = [4, 3].map(|players| hash(belief::figures::measured(players)));
        let danger = [4, 3].map(|players| hash(danger::figures::measured(players)));
        assert_eq!(belief, [0x7698_5b6c_332d_2316, 0xd8a5_0cdf_15b6_059d]);
        assert_eq!(danger, [0x966c_5306_8cc3_ca8f, 0x0212_6c81_1f14_e7ae]);
    }
}
