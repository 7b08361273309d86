//! The figures as their file has them.

use std::fmt::Write as _;

use riichi_estimates::danger::Class;
use riichi_estimates::danger::figures::{LINE_COLUMNS, TURN_COLUMNS};

use super::count::{DangerCounter, Paid, RIICHI_WORTH};
use super::fit::{Measured, fit};

impl DangerCounter {
    /// The whole of a file in `games/riichi-estimates/src/danger/figures`, with the command that
    /// measured it and the samples that each row rests on.
    pub(crate) fn file(&self, command: &str) -> String {
        let mut text = format!(
            "# The measured figures, as this command prints them; above each row its samples.\n#\n# {command}\n\n"
        );
        self.write_tenpai(&mut text);
        self.write_losses(&mut text);
        text.push_str(
            "# The waits of hands in riichi: the chance of each class, a column by the two-sided waits left.\n",
        );
        write_figures(&mut text, "riichi", &fit(&self.riichi));
        text.push_str("\n# The waits of tenpai hands without riichi: the same.\n");
        write_figures(&mut text, "open", &fit(&self.open));
        text
    }

    fn write_tenpai(&self, text: &mut String) {
        text.push_str(
            "# The probability that a hand without riichi is tenpai: a row for each number of melds from 0 to 4,\n\
             # a column by its number of discards.\n\
             tenpai\n",
        );
        for row in &self.tenpai {
            let mut figures = [0.0; TURN_COLUMNS];
            let mut later = 1.0;
            for (figure, cell) in figures.iter_mut().zip(row).rev() {
                // A cell with few samples leans on the one after it, which counts for twenty.
                later = (cell.hits as f64 + 20.0 * later) / (cell.of as f64 + 20.0);
                *figure = later;
            }
            let _ = writeln!(
                text,
                "# {}\n{}",
                joined(row.iter().map(|cell| cell.of)),
                decimals(figures, 3)
            );
        }
        text.push('\n');
    }

    fn write_losses(&self, text: &mut String) {
        let means = self.paid.map(|to| to.map(|worth| mean(&worth)));
        let hundreds = |points: &f64| (points / 100.0).round() * 100.0;
        let of = |worth: usize| joined(self.paid.iter().map(|to| times(&to[worth])));
        let riichi = means.map(|to| hundreds(&to[RIICHI_WORTH]));
        let _ = writeln!(
            text,
            "# The cost of a deal-in to a riichi in points: to a non-dealer, and to the dealer.\n\
             riichi loss\n# {}\n{}\n",
            of(RIICHI_WORTH),
            decimals(riichi, 1)
        );
        text.push_str(
            "# The cost of a deal-in to a hand without riichi in points: a row for a non-dealer and one for the\n\
             # dealer, a column by the han in its melds, from 0 to 4 or more.\n\
             open loss\n",
        );
        for (to, means) in self.paid.iter().zip(&means) {
            let samples = joined(to[..RIICHI_WORTH].iter().map(times));
            let _ = writeln!(
                text,
                "# {samples}\n{}",
                decimals(means[..RIICHI_WORTH].iter().map(hundreds), 1)
            );
        }
        // The actual payments, against the expected ones without a difference by dora.
        let factor = |dora: usize| {
            let (mut paid, mut expected) = (0.0, 0.0);
            for (worth, mean) in self.paid.iter().flatten().zip(means.iter().flatten()) {
                paid += worth[dora].points as f64;
                expected += worth[dora].times as f64 * mean;
            }
            if expected > 0.0 { paid / expected } else { 1.0 }
        };
        let factors: [f64; 4] = std::array::from_fn(factor);
        let samples = (0..4).map(|dora| {
            self.paid
                .iter()
                .flatten()
                .map(|worth| worth[dora].times)
                .sum::<u64>()
        });
        let _ = writeln!(
            text,
            "\n# Factors on the cost of a deal-in by the dora trait.\ndora loss\n# {}\n{}\n",
            joined(samples),
            decimals(factors.map(|factor| factor / factors[0]), 2)
        );
    }
}

/// Points paid on average.
fn mean(worth: &[Paid; 4]) -> f64 {
    worth.iter().map(|paid| paid.points).sum::<i64>() as f64 / times(worth).max(1) as f64
}

fn times(worth: &[Paid; 4]) -> u64 {
    worth.iter().map(|paid| paid.times).sum()
}

/// The sections of one set of figures; the name of each begins with this one.
fn write_figures(text: &mut String, name: &str, measured: &Measured) {
    let _ = writeln!(text, "{name} chance");
    for (class, (&chances, &samples)) in
        Class::all().zip(measured.figures.chance.iter().zip(&measured.samples))
    {
        let samples: [u64; LINE_COLUMNS] = samples;
        let chances = chances.map(f64::from);
        let _ = writeln!(
            text,
            "# {class}: {}\n{}",
            joined(samples),
            decimals(chances, 4)
        );
    }
    let figures = &measured.figures;
    let factors: [(&str, &[f32]); 5] = [
        ("dora", &figures.dora),
        ("outside", &figures.outside),
        ("riichi", &figures.riichi),
        ("copies", &figures.copies),
        ("suit", &figures.suit),
    ];
    for (of, factors) in factors {
        let factors = decimals(factors.iter().copied().map(f64::from), 2);
        let _ = writeln!(text, "{name} {of}\n{factors}");
    }
}

fn joined(samples: impl IntoIterator<Item = u64>) -> String {
    samples
        .into_iter()
        .map(|samples| samples.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

fn decimals(figures: impl IntoIterator<Item = f64>, digits: usize) -> String {
    figures
        .into_iter()
        .map(|figure| format!("{figure:.digits$}"))
        .collect::<Vec<_>>()
        .join(" ")
}
