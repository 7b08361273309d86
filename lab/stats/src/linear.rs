//! Systems of linear equations.

/// A symmetric, positive definite matrix in the form (Cholesky) in which systems with any right
/// side are solved fast.
#[derive(Debug, Clone)]
pub struct Cholesky {
    size: usize,
    /// The rows of the lower triangle, one after the other, each with the diagonal last.
    lower: Vec<f64>,
}

impl Cholesky {
    /// The matrix with these rows of its lower triangle, one after the other, each with the
    /// diagonal last.
    ///
    /// # Panics
    ///
    /// If `lower` is not the triangle of a matrix of this size.
    pub fn new(size: usize, mut lower: Vec<f64>) -> Self {
        assert_eq!(lower.len(), start(size), "a triangle with {size} rows");
        for row in 0..size {
            let (above, this) = lower.split_at_mut(start(row));
            for column in 0..row {
                let other = &above[start(column)..];
                let known: f64 = this[..column].iter().zip(other).map(|(a, b)| a * b).sum();
                this[column] = (this[column] - known) / other[column];
            }
            let known: f64 = this[..row].iter().map(|a| a * a).sum();
            this[row] = (this[row] - known).max(f64::MIN_POSITIVE).sqrt();
        }
        Self { size, lower }
    }

    /// The solution of the system with this right side.
    ///
    /// # Panics
    ///
    /// If the right side is not as long as the matrix.
    pub fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let Self { size, lower } = self;
        assert_eq!(right.len(), *size, "a value for each row");
        for row in 0..*size {
            let this = &lower[start(row)..];
            let known: f64 = this[..row].iter().zip(&right).map(|(a, b)| a * b).sum();
            right[row] = (right[row] - known) / this[row];
        }
        for row in (0..*size).rev() {
            let known: f64 = (row + 1..*size)
                .map(|below| lower[start(below) + row] * right[below])
                .sum();
            right[row] = (right[row] - known) / lower[start(row) + row];
        }
        right
    }
}

/// The place of a row's first value in a lower triangle.
const fn start(row: usize) -> usize {
    row * (row + 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_times_the_matrix_is_the_right_side() {
        let (lower, right) = (vec![4.0, 2.0, 5.0, -1.0, 0.5, 3.0], vec![1.0, -2.0, 3.0]);
        let solution = Cholesky::new(3, lower.clone()).solve(right.clone());
        for (row, expected) in right.iter().enumerate() {
            let at = |column: usize| {
                lower[row.max(column) * (row.max(column) + 1) / 2 + row.min(column)]
            };
            let found: f64 = (0..3).map(|column| at(column) * solution[column]).sum();
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }
}
