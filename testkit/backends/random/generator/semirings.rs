//! Products in a semiring, and what moves the rows of matrices.

use edb_ir::{Contraction, Dim, Movement, Pointwise, Reduction, Surface, ValueId};
use rand::RngExt;

use super::{Generator, Known, dim};

impl Generator<'_> {
    /// A product in a semiring, of which one operand or both are values of the vertex.
    pub(super) fn semiring(&mut self, x: ValueId, of: usize) -> Known {
        let name = ["log_dot", "max_dot"][self.rng.random_range(0..2)];
        let to = self.rng.random_range(0..3);
        let y = self.same_length(of);
        let product = |g: &mut Self, a, b| g.form(Surface::Method(name), vec![a, b], &[]);
        match self.rng.random_range(0..8) {
            0 => {
                let w = self.matrix(to, dim(of));
                (product(self, w, x), Some(to))
            }
            1 => {
                let w = self.matrix(of, dim(to));
                (product(self, x, w), Some(to))
            }
            2 => {
                // One that is certainly a vector: as the first of two unknown ones it would be a matrix.
                let x = self.project(x, of, of);
                (product(self, x, y), None)
            }
            3 => (self.apply(Pointwise::LogAdd, &[x, y]), Some(of)),
            // A matrix of the vertex on both sides.
            4 => {
                let rows = self.builder.stack(&[x, y]).unwrap();
                let columns = self.apply(Movement::Transpose, &[rows]);
                let squares = product(self, rows, columns);
                let flat = self.builder.flatten(squares).unwrap();
                (self.apply(Reduction::Norm, &[flat]), None)
            }
            // Rows of matrices of the vertex, and a diagonal.
            5 => {
                let rows = self.builder.stack(&[x, y, x]).unwrap();
                let one = Dim::constant(1);
                let middle = self.builder.slice_rows(rows, one.clone(), one).unwrap();
                let all = self.apply(Movement::ConcatRows, &[middle, rows]);
                let four = product(self, all, y);
                (self.apply(Reduction::Norm, &[four]), None)
            }
            6 => {
                let [x, y] = [x, y].map(|x| self.factor(x));
                let matrix = self.apply(Contraction::Outer, &[x, y]);
                let diagonal = self.apply(Movement::Diagonal, &[matrix]);
                let matrix = self.apply(Movement::AsDiagonal, &[diagonal]);
                (product(self, x, matrix), Some(of))
            }
            _ => {
                let [x, y] = [x, y].map(|x| self.factor(x));
                let matrix = self.apply(Contraction::Outer, &[x, y]);
                let z = self.same_length(of);
                let both = product(self, z, matrix);
                (product(self, matrix, both), Some(of))
            }
        }
    }
}
