//! The solver behind shape inference: unification of symbolic dimensions and shapes.

use super::dim::{Dim, Shape, Symbol};

/// The unknowns of one inference, and their solutions so far.
///
/// An equation is solved for an unknown whose coefficient divides everything else: `2*? = 2*H`
/// gives `? = H`.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// The names of dimensions, for messages.
    pub names: Vec<String>,
    dims: Vec<Option<Dim>>,
    shapes: Vec<Option<Shape>>,
    /// The unknown dimensions and the unknown shapes that have been solved, in order.
    solved: (Vec<u32>, Vec<u32>),
}

/// Two shapes that cannot be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash;

impl Solver {
    /// A solver over the dimension names of one function.
    pub fn new(names: Vec<String>) -> Self {
        Self { names, ..Self::default() }
    }

    /// A solver for these dimension names that has so many unknown dimensions and unknown shapes.
    pub fn with_unknowns(dims: Vec<String>, (dim_count, shape_count): (u32, u32)) -> Self {
        let mut solver = Self::new(dims);
        (0..dim_count).for_each(|_| drop(solver.fresh_dim()));
        (0..shape_count).for_each(|_| drop(solver.fresh_shape()));
        solver
    }

    /// Forgets all solutions, and the unknowns after the first so many dimensions and shapes. This takes time for
    /// what it forgets, not for what stays: a long program is checked value by value.
    pub fn forget(&mut self, (dims, shapes): (u32, u32)) {
        self.dims.truncate(dims as usize);
        self.shapes.truncate(shapes as usize);
        for unknown in self.solved.0.drain(..) {
            self.dims.get_mut(unknown as usize).into_iter().for_each(|dim| *dim = None);
        }
        for unknown in self.solved.1.drain(..) {
            self.shapes.get_mut(unknown as usize).into_iter().for_each(|shape| *shape = None);
        }
    }

    /// A new unknown dimension.
    pub fn fresh_dim(&mut self) -> Dim {
        self.dims.push(None);
        Dim::symbol(Symbol::Unknown(number(self.dims.len())))
    }

    /// A new unknown shape, whose rank is unknown, too.
    pub fn fresh_shape(&mut self) -> Shape {
        self.shapes.push(None);
        Shape::Unknown(number(self.shapes.len()))
    }

    /// How many unknown dimensions and unknown shapes have been made.
    pub fn unknowns(&self) -> (u32, u32) {
        (self.dims.len() as u32, self.shapes.len() as u32)
    }

    /// `dim` with all solutions substituted.
    pub fn dim(&self, dim: &Dim) -> Dim {
        let mut dim = dim.clone();
        // A solution never mentions the unknown that it solves, so each round removes unknowns
        // for good; a coefficient too large for `i64` leaves the expression as it stands.
        loop {
            let solved = |symbol| match symbol {
                Symbol::Unknown(unknown) => self.dims[unknown as usize].clone(),
                Symbol::Name(_) => None,
            };
            if !dim.terms().iter().any(|term| solved(term.0).is_some()) {
                return dim;
            }
            match dim.substitute(|symbol| solved(symbol).unwrap_or_else(|| Dim::symbol(symbol))) {
                Some(next) => dim = next,
                None => return dim,
            }
        }
    }

    /// `shape` with all solutions substituted.
    pub fn shape(&self, shape: &Shape) -> Shape {
        let mut shape = shape.clone();
        while let Shape::Unknown(unknown) = shape {
            match &self.shapes[unknown as usize] {
                Some(known) => shape = known.clone(),
                None => return shape,
            }
        }
        match shape {
            Shape::Known(dims) => Shape::Known(dims.iter().map(|dim| self.dim(dim)).collect()),
            Shape::OneOf(count) => Shape::OneOf(self.dim(&count)),
            unknown => unknown,
        }
    }

    /// Makes two dimensions equal.
    ///
    /// # Errors
    /// [`Clash`] when they differ and no unknown can be solved for.
    pub fn unify_dims(&mut self, a: &Dim, b: &Dim) -> Result<(), Clash> {
        let difference = self.dim(a).add_scaled(&self.dim(b), -1).ok_or(Clash)?;
        if difference == Dim::default() {
            return Ok(());
        }
        for &(symbol, coefficient) in difference.terms().iter().rev() {
            let Symbol::Unknown(unknown) = symbol else { continue };
            let alone = Dim::symbol(symbol).scaled(coefficient).ok_or(Clash)?;
            let rest = difference.add_scaled(&alone, -1).ok_or(Clash)?;
            if let Some(solution) = rest.divided(coefficient).and_then(|rest| rest.scaled(-1)) {
                self.dims[unknown as usize] = Some(solution);
                self.solved.0.push(unknown);
                return Ok(());
            }
        }
        Err(Clash)
    }

    /// Makes two shapes equal, rank and dimensions.
    ///
    /// # Errors
    /// [`Clash`] when they cannot be; what had been unified before the clash stays unified.
    pub fn unify(&mut self, a: &Shape, b: &Shape) -> Result<(), Clash> {
        match (self.shape(a), self.shape(b)) {
            (Shape::Unknown(a), Shape::Unknown(b)) if a == b => Ok(()),
            (Shape::Unknown(unknown), other) | (other, Shape::Unknown(unknown)) => {
                self.shapes[unknown as usize] = Some(other);
                self.solved.1.push(unknown);
                Ok(())
            }
            (Shape::Known(a), Shape::Known(b)) => {
                if a.len() != b.len() {
                    return Err(Clash);
                }
                a.iter().zip(&b).try_for_each(|(a, b)| self.unify_dims(a, b))
            }
            (Shape::OneOf(a), Shape::OneOf(b)) => self.unify_dims(&a, &b),
            (Shape::Known(_), Shape::OneOf(_)) | (Shape::OneOf(_), Shape::Known(_)) => Err(Clash),
        }
    }

    /// The dimensions of `shape` if it has, or can be given, this rank.
    pub fn with_rank(&mut self, shape: &Shape, rank: usize) -> Result<Vec<Dim>, Clash> {
        match self.shape(shape) {
            Shape::Known(dims) if dims.len() == rank => Ok(dims.to_vec()),
            Shape::Known(_) | Shape::OneOf(_) => Err(Clash),
            Shape::Unknown(unknown) => {
                let dims: Vec<Dim> = (0..rank).map(|_| self.fresh_dim()).collect();
                self.shapes[unknown as usize] = Some(Shape::Known(dims.iter().cloned().collect()));
                self.solved.1.push(unknown);
                Ok(dims)
            }
        }
    }

    /// A shape as it is written in source.
    pub fn show(&self, shape: &Shape) -> String {
        self.shape(shape).display(&self.names).to_string()
    }
}

fn number(len: usize) -> u32 {
    u32::try_from(len - 1).expect("fewer than 2^32 unknowns in one function")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unknown_is_solved_exactly() {
        let mut solver = Solver::new(vec!["H".into()]);
        let h = Dim::name(0);
        let unknown = solver.fresh_dim();
        solver.unify_dims(&unknown.scaled(2).unwrap(), &h.scaled(2).unwrap()).unwrap();
        assert_eq!(solver.dim(&unknown), h);
        assert_eq!(solver.unify_dims(&unknown, &h.scaled(2).unwrap()), Err(Clash));
    }

    #[test]
    fn chains_of_unknowns_resolve() {
        let mut solver = Solver::new(vec!["H".into()]);
        let (a, b, c) = (solver.fresh_dim(), solver.fresh_dim(), solver.fresh_dim());
        solver.unify_dims(&a, &b).unwrap();
        solver.unify_dims(&b, &c).unwrap();
        solver.unify_dims(&c, &Dim::name(0)).unwrap();
        assert_eq!(solver.dim(&a), Dim::name(0));
    }

    #[test]
    fn a_split_that_does_not_divide_clashes() {
        let mut solver = Solver::new(vec!["H".into()]);
        let part = solver.fresh_dim();
        let (two, three) = (part.scaled(2).unwrap(), Dim::name(0).scaled(3).unwrap());
        assert_eq!(solver.unify_dims(&two, &three), Err(Clash));
    }

    #[test]
    fn ranks_clash() {
        let mut solver = Solver::default();
        let unknown = solver.fresh_shape();
        solver.unify(&unknown, &Shape::scalar()).unwrap();
        let vector = Shape::vector(Dim::constant(3));
        assert_eq!(solver.unify(&unknown, &vector), Err(Clash));
        assert_eq!(solver.with_rank(&vector, 2), Err(Clash));
    }
}
