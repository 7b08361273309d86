//! A small network over a table and a choice: two hidden layers, and one output in places.
//!
//! ```text
//! first  = relu(table · table_weights + choice · choice_weights + first_bias)
//! second = relu(first · second_weights + second_bias)
//! output = second · output_weights
//! ```
//!
//! The part of the table is the same for all choices of a decision. The output has no bias, because a constant added to
//! all values changes no decision.

use judge::features::{CHOICE_FEATURES, TABLE_FEATURES};

/// The weights. Matrices are stored input by input: row `i` has the weights from input `i` to each unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    first: usize,
    second: usize,
    /// Rows of the table's inputs, of the choice's inputs, and the bias.
    first_weights: Vec<f32>,
    /// Rows of the first layer's units, and the bias.
    second_weights: Vec<f32>,
    /// One weight for each unit of the second layer.
    output_weights: Vec<f32>,
}

impl Network {
    /// The most units of a hidden layer.
    pub const MAX_HIDDEN: usize = 256;

    /// Inputs of the first layer, its bias counted.
    pub const INPUTS: usize = TABLE_FEATURES + CHOICE_FEATURES + 1;

    /// A network of these sizes whose output is 0.
    #[must_use]
    pub fn zero(first: usize, second: usize) -> Self {
        Self {
            first,
            second,
            first_weights: vec![0.0; Self::INPUTS * first],
            second_weights: vec![0.0; (first + 1) * second],
            output_weights: vec![0.0; second],
        }
    }

    /// Units of the first hidden layer.
    #[must_use]
    pub const fn first_size(&self) -> usize {
        self.first
    }

    /// Units of the second hidden layer.
    #[must_use]
    pub const fn second_size(&self) -> usize {
        self.second
    }

    /// All weights as rows: first layer, second layer, output.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        let first = self.first_weights.chunks(self.first);
        first.chain(self.second_weights.chunks(self.second)).chain([self.output_weights.as_slice()])
    }

    /// The same, to be changed.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let first = self.first_weights.chunks_mut(self.first);
        first.chain(self.second_weights.chunks_mut(self.second)).chain([self.output_weights.as_mut_slice()])
    }

    /// The first layer before its choice, the bias included.
    #[must_use]
    pub fn table_part(&self, table: &[f32; TABLE_FEATURES]) -> Vec<f32> {
        let bias = &self.first_weights[(Self::INPUTS - 1) * self.first..];
        let mut part = bias.to_vec();
        add_rows(&mut part, table, &self.first_weights);
        part
    }

    /// The first layer of a choice, given the part of the table.
    pub fn first_layer(&self, table_part: &[f32], choice: &[f32; CHOICE_FEATURES], units: &mut Vec<f32>) {
        units.clear();
        units.extend_from_slice(table_part);
        add_rows(units, choice, &self.first_weights[TABLE_FEATURES * self.first..]);
        units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
    }

    /// The second layer.
    pub fn second_layer(&self, first: &[f32], units: &mut Vec<f32>) {
        units.clear();
        units.extend_from_slice(&self.second_weights[self.first * self.second..]);
        add_rows(units, first, &self.second_weights);
        units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
    }

    /// The output for a choice, given the part of the table.
    #[must_use]
    pub fn output(&self, table_part: &[f32], choice: &[f32; CHOICE_FEATURES]) -> f32 {
        let (mut first, mut second) = (Vec::with_capacity(self.first), Vec::with_capacity(self.second));
        self.first_layer(table_part, choice, &mut first);
        self.second_layer(&first, &mut second);
        second.iter().zip(&self.output_weights).map(|(unit, weight)| unit * weight).sum()
    }
}

/// Adds to the units the row of each input times its value. Many inputs are 0.
fn add_rows(units: &mut [f32], inputs: &[f32], rows: &[f32]) {
    let size = units.len();
    for (&input, row) in inputs.iter().zip(rows.chunks_exact(size)).filter(|(input, _)| **input != 0.0) {
        for (unit, weight) in units.iter_mut().zip(row) {
            *unit += input * weight;
        }
    }
}
