//! Systems of linear equations.

/// Solves a system with a symmetric, positive definite matrix (Cholesky). `lower` holds the rows of its lower triangle,
/// one after the other, each with the diagonal last.
///
/// # Panics
///
/// If `lower` is not the triangle of a matrix as large as `right`.
#[must_use]
pub fn solve_symmetric(mut lower: Vec<f64>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    assert_eq!(lower.len(), size * (size + 1) / 2, "a triangle with {size} rows");
    let start = |row: usize| row * (row + 1) / 2;
    for row in 0..size {
        let (above, this) = lower.split_at_mut(start(row));
        for column in 0..row {
            let other = &above[start(column)..];
            let known: f64 = this[..column].iter().zip(other).map(|(a, b)| a * b).sum();
            this[column] = (this[column] - known) / other[column];
        }
        let known: f64 = this[..row].iter().map(|a| a * a).sum();
        this[row] = (this[row] - known).max(f64::MIN_POSITIVE).sqrt();
        let known: f64 = this[..row].iter().zip(&right).map(|(a, b)| a * b).sum();
        right[row] = (right[row] - known) / this[row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|below| lower[start(below) + row] * right[below]).sum();
        right[row] = (right[row] - known) / lower[start(row) + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_times_the_matrix_is_the_right_side() {
        let (lower, right) = (vec![4.0, 2.0, 5.0, -1.0, 0.5, 3.0], vec![1.0, -2.0, 3.0]);
        let solution = solve_symmetric(lower.clone(), right.clone());
        for (row, expected) in right.iter().enumerate() {
            let at = |column: usize| lower[row.max(column) * (row.max(column) + 1) / 2 + row.min(column)];
            let found: f64 = (0..3).map(|column| at(column) * solution[column]).sum();
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }
}
