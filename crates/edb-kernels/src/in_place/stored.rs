//! Matrices that a product reads where they lie.

use crate::memory::of_row;

/// A block of a matrix. Its rows lie `stride` elements apart.
#[derive(Clone, Copy, Debug)]
pub struct StoredBlock<'a, T> {
    /// The elements from the first one of the block to the last.
    pub data: &'a [T],
    /// The number of elements from one row to the next.
    pub stride: usize,
    /// Its first row and column in the matrix.
    pub place: [usize; 2],
    /// The number of its rows and of its columns.
    pub size: [usize; 2],
}

impl<T> StoredBlock<'_, T> {
    /// Checks that the block is inside of a matrix of this size, and that its data has all of its rows.
    ///
    /// # Panics
    /// When one of these conditions does not hold; the `unsafe` code of products relies on this check.
    pub(crate) fn check(&self, of: [usize; 2]) {
        let ends = [0, 1].map(|axis| self.place[axis].checked_add(self.size[axis]));
        let inside = ends.iter().zip(of).all(|(end, of)| end.is_some_and(|end| end <= of));
        assert!(inside, "a block of its matrix");
        let [rows, columns] = self.size;
        let last = rows.checked_sub(1);
        let end = last.map_or(0, |last| of_row(columns, last, self.stride));
        assert!(end <= self.data.len(), "a block's data have all of its rows");
    }
}

/// Blocks for tests, with memory of their own.
#[cfg(test)]
pub(crate) mod tests {
    use super::StoredBlock;
    use crate::numbers::{Element, numbers};

    /// How many rows and columns around a block do not belong to it.
    const ROOM: usize = 2;

    /// A matrix that is cut into four blocks, or fewer if a cut is at an end.
    pub(crate) struct Cut<T> {
        size: [usize; 2],
        blocks: Vec<([usize; 2], [usize; 2], Vec<T>)>,
    }

    impl<T: Element> Cut<T> {
        pub(crate) fn new(size: [usize; 2], cut: [usize; 2]) -> Self {
            let mut blocks = Vec::new();
            for [down, right] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let [rows, columns] = [(down, 0), (right, 1)].map(|(part, axis)| match part {
                    0 => 0..cut[axis],
                    _ => cut[axis]..size[axis],
                });
                if !rows.is_empty() && !columns.is_empty() {
                    let count = (rows.len() + 1) * (columns.len() + ROOM);
                    let values = numbers(count, blocks.len() as u64);
                    blocks.push(([rows.start, columns.start], [rows.len(), columns.len()], values));
                }
            }
            Self { size, blocks }
        }

        pub(crate) fn blocks(&self) -> impl Iterator<Item = StoredBlock<'_, T>> {
            self.blocks.iter().map(|(place, size, values)| {
                let stride = size[1] + ROOM;
                let first = stride + ROOM / 2;
                let data = &values[first..first + (size[0] - 1) * stride + size[1]];
                StoredBlock { data, stride, place: *place, size: *size }
            })
        }

        /// The whole matrix, row by row.
        pub(crate) fn matrix(&self) -> Vec<T> {
            let mut matrix = vec![T::zero(); self.size[0] * self.size[1]];
            for StoredBlock { data, stride, place, size } in self.blocks() {
                for row in 0..size[0] {
                    matrix[(place[0] + row) * self.size[1] + place[1]..][..size[1]]
                        .copy_from_slice(&data[row * stride..][..size[1]]);
                }
            }
            matrix
        }
    }
}
