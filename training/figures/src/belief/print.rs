//! The figures as their file has them.

use std::fmt::Write as _;

use riichi_estimates::belief::{KEEP_BLOCKS, LOSS_BLOCKS, TENPAI_BLOCKS, TraitBlock, WAIT_BLOCKS};

use super::fit::Fitted;

/// Figures in a line.
const LINE: usize = 16;

impl Fitted {
    /// The whole of a file of figures in `games/riichi-estimates/src/belief/figures`, with the
    /// command that measured them and the samples that each block rests on.
    pub(crate) fn file(&self, command: &str) -> String {
        let mut text = format!(
            "# The measured figures, as this command prints them; above each block its samples.\n#\n# {command}\n"
        );
        let figures = &self.figures;
        text.push_str("\ntenpai\n");
        blocks(
            &mut text,
            &figures.tenpai,
            &TENPAI_BLOCKS,
            Some(&self.tenpai),
        );
        for ((figures, counts), stance) in figures
            .waits
            .iter()
            .zip(&self.waits)
            .zip(["closed", "open", "riichi"])
        {
            let _ = writeln!(text, "\nwaits {stance}");
            blocks(&mut text, figures, &WAIT_BLOCKS, Some(counts));
        }
        text.push_str("\nloss\n");
        blocks(&mut text, &figures.loss, &LOSS_BLOCKS, Some(&self.loss));
        let _ = write!(text, "\n# In {} situations.", self.situations);
        for (figures, hand) in figures.keeps.iter().zip(["not tenpai", "tenpai"]) {
            let _ = writeln!(text, "\nkeeps {hand}");
            blocks(&mut text, figures, &KEEP_BLOCKS, None);
        }
        text.push_str("\nshanten\n");
        for (row, counts) in figures.shanten.iter().zip(&self.shanten) {
            let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
            let _ = writeln!(text, "# {}", counts.join(", "));
            for cell in row {
                let _ = writeln!(text, "{}", decimals(cell));
            }
        }
        text
    }
}

fn blocks(text: &mut String, figures: &[f32], blocks: &[TraitBlock], counts: Option<&Vec<u64>>) {
    let mut start = 0;
    for block in blocks {
        let range = start..start + block.size;
        start += block.size;
        let samples =
            counts.map(|counts| format!(": {}", counts[range.clone()].iter().sum::<u64>()));
        let _ = writeln!(text, "# {}{}", block.name, samples.unwrap_or_default());
        for line in figures[range].chunks(LINE) {
            let _ = writeln!(text, "{}", decimals(line));
        }
    }
}

fn decimals(figures: &[f32]) -> String {
    figures
        .iter()
        .map(|figure| format!("{figure:.3}"))
        .collect::<Vec<_>>()
        .join(" ")
}
