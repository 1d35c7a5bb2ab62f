//! Random orthogonal matrices.

use std::collections::TryReserveError;

use super::draws::Draws;
use edb_kernels::room::room;

/// A matrix with `rows` rows and `columns` columns. Its rows or its columns, whichever are fewer, are
/// orthonormal vectors times `gain`: normal random vectors that are orthonormalised one after the other.
///
/// The Gram-Schmidt process, run twice, is orthogonal to working precision (Giraud et al., 2005,
/// "Rounding error analysis of the classical Gram-Schmidt orthogonalization process"). What remains
/// of each vector is normalised without a change of sign, which makes the matrix uniform over all
/// such (Mezzadri, 2007, "How to generate random matrices from the classical compact groups",
/// section 5).
pub(super) fn fill(
    rows: usize,
    columns: usize,
    gain: f64,
    draws: Draws,
) -> Result<impl Iterator<Item = f64>, TryReserveError> {
    let (count, width) = (rows.min(columns), rows.max(columns));
    let mut vectors = room(count * width)?;
    vectors.extend(draws.normal(count * width, 1.0));
    for number in 0..count {
        let (done, rest) = vectors.split_at_mut(number * width);
        let vector = &mut rest[..width];
        for _ in 0..2 {
            for other in done.chunks_exact(width) {
                let along = dot(other, vector);
                vector.iter_mut().zip(other).for_each(|(value, other)| *value -= along * other);
            }
        }
        let length = dot(vector, vector).sqrt();
        vector.iter_mut().for_each(|value| *value /= length);
    }
    let elements = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
    Ok(elements.map(move |(row, column)| {
        let (vector, element) = if rows <= columns { (row, column) } else { (column, row) };
        gain * vectors[vector * width + element]
    }))
}

/// The dot product, in eight independent sums, so that it vectorises.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (chunks_a, rest_a) = a.as_chunks::<8>();
    let (chunks_b, rest_b) = b.as_chunks::<8>();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        lanes.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    let rest = rest_a.iter().zip(rest_b).map(|(a, b)| a * b);
    lanes.into_iter().chain(rest).sum()
}
