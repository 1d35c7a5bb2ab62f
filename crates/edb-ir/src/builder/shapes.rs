//! Calls that make tensors of others: slices, stacks, products, and sums over edges.

use super::Builder;
use crate::program::{
    Contraction, Domain, Movement, Op, Pointwise, Reduction, Role, Semiring, SemiringContraction,
    Transition, ValueId,
};
use crate::rules::{ShapeError, shape};
use crate::shapes::{Clash, Dim, Shape};

impl Builder {
    /// `length` elements of a vector from `start`. Bounds that are known are checked here, the
    /// others when the model is made.
    ///
    /// # Errors
    /// When `x` is not a vector, or the slice is certainly out of bounds.
    pub fn slice(&mut self, x: ValueId, start: Dim, length: Dim) -> Result<ValueId, ShapeError> {
        let total = self.vector_length(x)?;
        self.check_range(x, &total, &start, &length, "elements")?;
        Ok(self.push(Op::Movement(Movement::Slice { start }), &[x], Shape::vector(length)))
    }

    /// `length` rows of a matrix from `start`, likewise.
    ///
    /// # Errors
    /// When `x` is not a matrix, or the rows are certainly out of bounds.
    pub fn slice_rows(
        &mut self,
        x: ValueId,
        start: Dim,
        length: Dim,
    ) -> Result<ValueId, ShapeError> {
        let [total, columns] = self.matrix(x)?;
        self.check_range(x, &total, &start, &length, "rows")?;
        let shape = Shape::matrix(length, columns);
        Ok(self.push(Op::Movement(Movement::SliceRows { start }), &[x], shape))
    }

    /// Checks that a slice of `x`, which has so many elements or rows, is not certainly out of bounds.
    fn check_range(
        &self,
        x: ValueId,
        total: &Dim,
        start: &Dim,
        length: &Dim,
        what: &str,
    ) -> Result<(), ShapeError> {
        let end = start.add_scaled(length, 1);
        let rest = end.as_ref().and_then(|end| total.add_scaled(end, -1));
        if length.is_below(1) {
            return Err(ShapeError::new(0, format!("the slice has no {what}")));
        }
        if start.is_below(0) || rest.is_none_or(|rest| rest.is_below(0)) {
            let shape = self.solver.show(&self.shape(x));
            return Err(ShapeError::new(
                0,
                format!("the slice is not within {{0}}, which is {shape}"),
            ));
        }
        Ok(())
    }

    /// A vector cut into `parts` equal parts.
    ///
    /// # Errors
    /// When `x` is not a vector, or its length is not a multiple of `parts`.
    pub fn split(&mut self, x: ValueId, parts: usize) -> Result<Vec<ValueId>, ShapeError> {
        let total = self.vector_length(x)?;
        let part = self.solver.fresh_dim();
        let whole = part.scaled(parts as i64);
        let unified = whole.map(|whole| self.solver.unify_dims(&whole, &total));
        if parts == 0 || unified != Some(Ok(())) {
            let total = self.solver.show(&Shape::vector(total));
            let text = format!("{{0}} is {total}, which does not split into {parts} equal parts");
            return Err(ShapeError::new(0, text));
        }
        let part = self.solver.dim(&part);
        (0..parts)
            .map(|index| {
                let start = part.scaled(index as i64).unwrap_or_default();
                Ok(self.push(
                    Op::Movement(Movement::Slice { start }),
                    &[x],
                    Shape::vector(part.clone()),
                ))
            })
            .collect()
    }

    fn vector_length(&mut self, x: ValueId) -> Result<Dim, ShapeError> {
        let shape = self.shape(x);
        let dims = self.solver.with_rank(&shape, 1).map_err(|Clash| {
            let text = format!("{{0}} must be a vector; it is {}", self.solver.show(&shape));
            ShapeError::new(0, text)
        })?;
        Ok(self.solver.dim(&dims[0]))
    }

    /// A scalar, broadcast to a shape.
    pub fn expand(&mut self, x: ValueId, shape: Shape) -> ValueId {
        self.push(Op::Movement(Movement::Expand), &[x], shape)
    }

    /// The elements of a value in another shape. That the number of elements is the same is checked
    /// when the model is made.
    pub fn reshape(&mut self, x: ValueId, shape: Shape) -> ValueId {
        self.push(Op::Movement(Movement::Reshape), &[x], shape)
    }

    /// The elements of a value, row by row, as a vector. The product of two dimensions is no linear expression: of
    /// such a matrix, the length follows from where the vector is used, and is checked when the model is made.
    ///
    /// # Errors
    /// When its shape is not known yet.
    pub fn flatten(&mut self, x: ValueId) -> Result<ValueId, ShapeError> {
        let shape = self.shape(x);
        let length = match shape.dims() {
            Some([]) => Some(Dim::constant(1)),
            Some([length]) => Some(length.clone()),
            Some([rows, columns]) => match (rows.as_constant(), columns.as_constant()) {
                (Some(rows), _) => columns.scaled(rows),
                (_, Some(columns)) => rows.scaled(columns),
                _ => Some(self.solver.fresh_dim()),
            },
            _ => None,
        };
        let length = length.ok_or_else(|| {
            let shape = self.solver.show(&shape);
            let text = format!(
                "the shape of {{0}} must be known here; it is {shape}, and `#[shape(M, N)]` says it"
            );
            ShapeError::new(0, text)
        })?;
        Ok(self.reshape(x, Shape::vector(length)))
    }

    /// Vectors of one length as the rows of a matrix, or scalars as the elements of a vector.
    ///
    /// # Errors
    /// When one is a matrix, or they differ in shape.
    pub fn stack(&mut self, rows: &[ValueId]) -> Result<ValueId, ShapeError> {
        if rows.iter().any(|row| self.shape(*row).is_scalar()) {
            self.have_one_shape(rows, &Shape::scalar())?;
            let one = Shape::vector(Dim::constant(1));
            let elements: Vec<ValueId> =
                rows.iter().map(|row| self.expand(*row, one.clone())).collect();
            return self.apply(Movement::Concat, &elements);
        }
        let length = self.vector_length(rows[0])?;
        self.have_one_shape(rows, &Shape::vector(length.clone()))?;
        let length = self.solver.dim(&length);
        let joined = self.apply(Movement::Concat, rows)?;
        Ok(self.reshape(joined, Shape::matrix(Dim::constant(rows.len() as i64), length)))
    }

    /// Gives all parts of a stack one shape.
    fn have_one_shape(&mut self, rows: &[ValueId], shape: &Shape) -> Result<(), ShapeError> {
        for (operand, row) in rows.iter().enumerate() {
            let found = self.shape(*row);
            self.solver.unify(shape, &found).map_err(|Clash| {
                let [wanted, found] = [shape, &found].map(|shape| self.solver.show(shape));
                let text = match operand {
                    0 => format!("{{0}} must be {wanted}, as another is; it is {found}"),
                    _ => format!(
                        "{{0}} is {wanted}, so {{{operand}}} must be {wanted} too; it is {found}"
                    ),
                };
                ShapeError::new(operand, text)
            })?;
        }
        Ok(())
    }

    /// Vector `x` as each of `count` rows of a matrix.
    ///
    /// # Errors
    /// When it is no vector.
    pub fn repeat_rows(&mut self, x: ValueId, count: Dim) -> Result<ValueId, ShapeError> {
        let ones = self.ones(count);
        self.apply(Contraction::Outer, &[ones, x]).map_err(ShapeError::swapped)
    }

    /// Vector `x` as each of `count` columns of a matrix.
    ///
    /// # Errors
    /// When it is no vector.
    pub fn repeat_columns(&mut self, x: ValueId, count: Dim) -> Result<ValueId, ShapeError> {
        let ones = self.ones(count);
        self.apply(Contraction::Outer, &[x, ones])
    }

    /// A vector of `count` ones.
    pub fn ones(&mut self, count: Dim) -> ValueId {
        let one = self.constant(1.0);
        self.expand(one, Shape::vector(count))
    }

    /// The matrix with `size` ones on its diagonal, and zeros elsewhere.
    pub fn eye(&mut self, size: Dim) -> ValueId {
        let ones = self.ones(size.clone());
        self.push(Op::Movement(Movement::AsDiagonal), &[ones], Shape::matrix(size.clone(), size))
    }

    /// How many rows and columns a matrix has.
    ///
    /// # Errors
    /// When it is no matrix.
    pub fn matrix(&mut self, matrix: ValueId) -> Result<[Dim; 2], ShapeError> {
        let shape = self.shape(matrix);
        let dims = self.solver.with_rank(&shape, 2).map_err(|Clash| {
            let text = format!("{{0}} must be a matrix; it is {}", self.solver.show(&shape));
            ShapeError::new(0, text)
        })?;
        Ok([0, 1].map(|axis| self.solver.dim(&dims[axis])))
    }

    /// The element of a vector at an index.
    ///
    /// # Errors
    /// When the first is no vector, or the second no index of its elements.
    pub fn pick(&mut self, vector: ValueId, index: ValueId) -> Result<ValueId, ShapeError> {
        self.vector_length(vector)?;
        self.apply(Movement::Pick, &[vector, index])
    }

    /// The row of a matrix at an index: of a parameter a row of a table, whose gradient is sparse.
    ///
    /// # Errors
    /// When the first is no matrix, or the second no index of its rows.
    pub fn row(&mut self, matrix: ValueId, index: ValueId) -> Result<ValueId, ShapeError> {
        if self.domain(matrix) == Domain::Step {
            return self.apply(Movement::Row, &[matrix, index]);
        }
        self.matrix(matrix)?;
        self.apply(Movement::Pick, &[matrix, index])
    }

    /// The numbers of `count` elements, from 0, as a vector.
    ///
    /// # Errors
    /// None: its shape is given.
    pub fn numbers(&mut self, count: Dim) -> Result<ValueId, ShapeError> {
        let ones = self.ones(count);
        let numbers = self.apply(Reduction::CumulativeSum, &[ones])?;
        let one = self.constant(1.0);
        self.apply(Pointwise::Sub, &[numbers, one])
    }

    /// A vector of `length` zeros but for a 1 at an index.
    ///
    /// # Errors
    /// When the index is a tensor, or one of another number; it is operand 0 of the error.
    pub fn one_hot(&mut self, index: ValueId, length: Dim) -> Result<ValueId, ShapeError> {
        let (one, shape) = (self.constant(1.0), Shape::vector(length));
        let arguments = [Shape::scalar(), self.shape(index)];
        shape::one_hot(&mut self.solver, &arguments, Some(&shape)).map_err(ShapeError::swapped)?;
        Ok(self.push(Op::Movement(Movement::OneHot), &[one, index], shape))
    }

    /// The same, with the length of another vector.
    ///
    /// # Errors
    /// As [`Builder::one_hot`], and when the other is no vector.
    pub fn one_hot_like(&mut self, index: ValueId, vector: ValueId) -> Result<ValueId, ShapeError> {
        let length = self.vector_length(vector)?;
        self.one_hot(index, length)
    }

    /// The product of two tensors: matrix and vector, two matrices, or two vectors. A tensor of
    /// unknown shape is taken for a matrix if it comes first, else for a vector.
    ///
    /// # Errors
    /// When their shapes do not fit.
    pub fn dot(&mut self, a: ValueId, b: ValueId) -> Result<ValueId, ShapeError> {
        let rank = |shape: Shape| shape.dims().map(<[Dim]>::len);
        match (rank(self.shape(a)), rank(self.shape(b))) {
            (Some(1), _) => {
                let products = self.apply(Pointwise::Mul, &[a, b])?;
                self.apply(Reduction::Sum, &[products])
            }
            (_, Some(2)) => self.apply(Contraction::MatMul, &[a, b]),
            _ => self.apply(Contraction::Dot, &[a, b]),
        }
    }

    /// The product in a semiring: of a vector and a matrix, a matrix and a vector, two matrices, or two vectors. A
    /// tensor of unknown shape is taken for a vector beside a matrix, and else as for [`Builder::dot`].
    ///
    /// # Errors
    /// When their shapes do not fit.
    pub fn semiring_dot(
        &mut self,
        semiring: Semiring,
        a: ValueId,
        b: ValueId,
    ) -> Result<ValueId, ShapeError> {
        let rank = |shape: Shape| shape.dims().map(<[Dim]>::len);
        let of_unknown = match (rank(self.shape(a)), rank(self.shape(b))) {
            (None, Some(2)) => Some(1),
            (None, _) => Some(2),
            _ => None,
        };
        if let Some(rank) = of_unknown {
            let shape = self.shape(a);
            self.solver
                .with_rank(&shape, rank)
                .expect("a shape that is not known may have this rank");
        }
        if rank(self.shape(b)).is_none() {
            self.vector_length(b).map_err(ShapeError::swapped)?;
        }
        self.apply(SemiringContraction::Product(semiring), &[a, b])
    }

    /// For each element of a product in [`Semiring::Max`], the number of its first greatest term, as a number of
    /// the tensor.
    ///
    /// # Errors
    /// As [`Builder::semiring_dot`].
    pub fn argmax_dot(&mut self, a: ValueId, b: ValueId) -> Result<ValueId, ShapeError> {
        let product = self.semiring_dot(Semiring::Max, a, b)?;
        // Which column of `a` a term has, as its left factor.
        let shape = self.shape(a);
        let dims = shape.dims().map(<[Dim]>::to_vec).unwrap_or_default();
        let mut numbers = self.numbers(dims[dims.len() - 1].clone())?;
        if let [rows, _] = &dims[..] {
            numbers = self.repeat_rows(numbers, rows.clone())?;
        }
        let (one, shape) = (self.constant(1.0), self.shape(b));
        let ones = self.expand(one, shape);
        let op = SemiringContraction::Weighted(Semiring::Max, Role::Result);
        let found = self.apply(op, &[a, b, product, numbers, ones])?;
        self.apply(Movement::Detach, &[found])
    }

    /// The sum of an edge value over the edges of a vertex.
    pub fn sum_edges(&mut self, id: ValueId) -> ValueId {
        let shape = self.program.value(id).shape.clone();
        self.push(Op::Transition(Transition::Reduce(Domain::Vertex)), &[id], shape)
    }

    /// The maximum of an edge value over the edges of a vertex, element by element; `-∞` where
    /// there are none.
    pub fn max_edges(&mut self, id: ValueId) -> ValueId {
        let shape = self.program.value(id).shape.clone();
        self.push(Op::Transition(Transition::ReduceMax), &[id], shape)
    }

    /// The minimum, likewise; `∞` where there are none.
    pub fn min_edges(&mut self, id: ValueId) -> ValueId {
        let shape = self.program.value(id).shape.clone();
        let negative = self.push(Op::Pointwise(Pointwise::Neg), &[id], shape.clone());
        let greatest = self.push(Op::Transition(Transition::ReduceMax), &[negative], shape.clone());
        self.push(Op::Pointwise(Pointwise::Neg), &[greatest], shape)
    }
}
