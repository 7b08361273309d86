//! The figures as the source file has them.

use std::fmt::Write as _;

use mahjong::danger::Class;
use mahjong::danger::figures::{LINE_COLUMNS, TURN_COLUMNS};

use super::count::{Counter, Paid, RIICHI_WORTH};
use super::fit::{Measured, fit};

impl Counter {
    /// The tables of `mahjong/src/danger/figures.rs`, with the number of samples of each row.
    #[must_use]
    pub fn source(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "pub const TENPAI: [[f32; TURN_COLUMNS]; 5] = [");
        for row in &self.tenpai {
            let mut figures: [String; TURN_COLUMNS] = Default::default();
            let mut later = 1.0;
            for (figure, cell) in figures.iter_mut().zip(row).rev() {
                // A cell with few samples leans on the one after it, which counts for twenty.
                later = (cell.hits as f64 + 20.0 * later) / (cell.of as f64 + 20.0);
                *figure = format!("{later:.3}");
            }
            let samples: u64 = row.iter().map(|cell| cell.of).sum();
            let _ = writeln!(text, "    [{}], // {samples}", figures.join(", "));
        }
        text.push_str("];\n");
        for (name, cells) in [("RIICHI", &self.riichi), ("OPEN", &self.open)] {
            write_figures(&mut text, name, &fit(cells));
        }
        self.write_losses(&mut text);
        text
    }

    fn write_losses(&self, text: &mut String) {
        let means = self.paid.map(|to| to.map(|worth| mean(&worth)));
        let hundreds = |points: f64| format!("{:.1}", (points / 100.0).round() * 100.0);
        let _ = writeln!(text, "pub const RIICHI_LOSS: [f32; 2] = [");
        for (to, means) in self.paid.iter().zip(&means) {
            let _ = writeln!(text, "    {}, // {}", hundreds(means[RIICHI_WORTH]), times(&to[RIICHI_WORTH]));
        }
        let _ = writeln!(text, "];\npub const OPEN_LOSS: [[f32; 5]; 2] = [");
        for (to, means) in self.paid.iter().zip(&means) {
            let figures: Vec<_> = means[..RIICHI_WORTH].iter().map(|&mean| hundreds(mean)).collect();
            let samples: Vec<_> = to[..RIICHI_WORTH].iter().map(|worth| times(worth).to_string()).collect();
            let _ = writeln!(text, "    [{}], // {}", figures.join(", "), samples.join(", "));
        }
        text.push_str("];\n");
        // What was paid, against what would have been without a difference by dora.
        let factor = |dora: usize| {
            let (mut paid, mut expected) = (0.0, 0.0);
            for (worth, mean) in self.paid.iter().flatten().zip(means.iter().flatten()) {
                paid += worth[dora].points as f64;
                expected += worth[dora].times as f64 * mean;
            }
            if expected > 0.0 { paid / expected } else { 1.0 }
        };
        let factors: [f64; 4] = std::array::from_fn(factor);
        let samples: [String; 4] = std::array::from_fn(|dora| {
            self.paid.iter().flatten().map(|worth| worth[dora].times).sum::<u64>().to_string()
        });
        let relative = factors.map(|factor| format!("{:.2}", factor / factors[0]));
        let _ = writeln!(text, "// {}\npub const DORA_LOSS: [f32; 4] = [{}];", samples.join(", "), relative.join(", "));
    }
}

/// Points paid on average.
fn mean(worth: &[Paid; 4]) -> f64 {
    worth.iter().map(|paid| paid.points).sum::<i64>() as f64 / times(worth).max(1) as f64
}

fn times(worth: &[Paid; 4]) -> u64 {
    worth.iter().map(|paid| paid.times).sum()
}

fn write_figures(text: &mut String, name: &str, measured: &Measured) {
    let row = |figures: &[f32], digits: usize| {
        figures.iter().map(|figure| format!("{figure:.digits$}")).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(text, "pub const {name}: Figures = Figures {{\n    chance: [");
    for (class, (figures, samples)) in Class::all().zip(measured.figures.chance.iter().zip(&measured.samples)) {
        let samples: [String; LINE_COLUMNS] = samples.map(|samples| samples.to_string());
        let _ = writeln!(text, "        // {class}: {}\n        [{}],", samples.join(", "), row(figures, 4));
    }
    let figures = &measured.figures;
    let _ = writeln!(text, "    ],\n    dora: [{}],", row(&figures.dora, 2));
    let _ = writeln!(text, "    outside: [{}],", row(&figures.outside, 2));
    let _ = writeln!(text, "    riichi: [{}],", row(&figures.riichi, 2));
    let _ = writeln!(text, "    copies: [{}],", row(&figures.copies, 2));
    let _ = writeln!(text, "    suit: [{}],\n}};", row(&figures.suit, 2));
}
