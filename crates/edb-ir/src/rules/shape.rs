//! The shape rules of the op table.
//!
//! A rule unifies the shapes of the arguments as the op requires, and returns the shape of the
//! result. Where the arguments do not determine it ([`Leaf::Zeros`](crate::Leaf::Zeros), a slice),
//! the caller gives it and the rule checks it.

use crate::shapes::{Clash, Dim, Shape, Solver};

/// A shape rule: argument shapes and the given shape, if any, to the result's shape.
pub type ShapeRule = fn(&mut Solver, &[Shape], Option<&Shape>) -> Result<Shape, ShapeError>;

/// Why shapes do not fit, in terms of the source text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{template}")]
pub struct ShapeError {
    /// The message; `{0}`, `{1}`, ... stand for the operands' source text.
    template: String,
    /// The offending operand, if there is one.
    pub operand: Option<usize>,
}

impl ShapeError {
    pub(crate) fn new(operand: impl Into<Option<usize>>, template: String) -> Self {
        Self { template, operand: operand.into() }
    }

    /// The error of an op whose first two operands were passed in the other order.
    pub(crate) fn swapped(self) -> Self {
        self.renumbered(|operand| if operand < 2 { 1 - operand } else { operand })
    }

    /// The error of an op whose operands come `by` places later in the source.
    pub(crate) fn shifted(self, by: usize) -> Self {
        self.renumbered(|operand| operand + by)
    }

    fn renumbered(self, number: impl Fn(usize) -> usize) -> Self {
        let mut template = String::with_capacity(self.template.len());
        let mut rest = self.template.as_str();
        while let Some((before, digit, after)) = rest.split_once('{').and_then(|(before, rest)| {
            let (digit, after) = rest.split_once('}')?;
            Some((before, digit.parse::<usize>().ok()?, after))
        }) {
            template.push_str(&format!("{before}{{{}}}", number(digit)));
            rest = after;
        }
        template.push_str(rest);
        Self { template, operand: self.operand.map(number) }
    }

    /// The message, with each operand's source text from `operands`.
    pub fn describe(&self, operands: &[String]) -> String {
        let mut text = self.template.clone();
        for (number, operand) in operands.iter().enumerate() {
            text = text.replace(&format!("{{{number}}}"), operand);
        }
        text
    }
}

fn rank(
    solver: &mut Solver,
    arguments: &[Shape],
    operand: usize,
    rank: usize,
) -> Result<Vec<Dim>, ShapeError> {
    solver.with_rank(&arguments[operand], rank).map_err(|Clash| {
        let kind = ["a scalar", "a vector", "a matrix"][rank];
        let shape = solver.show(&arguments[operand]);
        ShapeError::new(operand, format!("{{{operand}}} must be {kind}; it is {shape}"))
    })
}

fn expect_given(given: Option<&Shape>) -> Result<Shape, ShapeError> {
    given
        .cloned()
        .ok_or_else(|| ShapeError::new(None, "the shape of the result is not given".into()))
}

/// The shape is given.
pub(crate) fn given(
    _: &mut Solver,
    _: &[Shape],
    given: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    expect_given(given)
}

/// A vector to a vector of given length.
pub(crate) fn given_vector(
    solver: &mut Solver,
    arguments: &[Shape],
    given: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    rank(solver, arguments, 0, 1)?;
    expect_given(given)
}

/// A matrix to one of given shape, with as many columns.
pub(crate) fn given_rows(
    solver: &mut Solver,
    arguments: &[Shape],
    given: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let of = rank(solver, arguments, 0, 2)?;
    let given = expect_given(given)?;
    let own = rank(solver, std::slice::from_ref(&given), 0, 2)?;
    solver.unify_dims(&of[1], &own[1]).map_err(|Clash| {
        let [of, own] = [&arguments[0], &given].map(|shape| solver.show(shape));
        ShapeError::new(0, format!("{{0}} is {of}, and rows of it are no {own}"))
    })?;
    Ok(given)
}

/// `[a, n], [b, n], .. -> [a + b + .., n]`.
pub(crate) fn concat_rows(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let first = rank(solver, arguments, 0, 2)?;
    let mut total = Dim::default();
    for operand in 0..arguments.len() {
        let own = rank(solver, arguments, operand, 2)?;
        solver.unify_dims(&first[1], &own[1]).map_err(|Clash| {
            let [of, own] = [&arguments[0], &arguments[operand]].map(|shape| solver.show(shape));
            let text =
                format!("{{0}} is {of}, so {{{operand}}} must have as many columns; it is {own}");
            ShapeError::new(operand, text)
        })?;
        total = total.add_scaled(&own[0], 1).ok_or_else(|| {
            ShapeError::new(operand, format!("the rows with {{{operand}}} are out of range"))
        })?;
    }
    Ok(Shape::matrix(total, first[1].clone()))
}

/// `[n] -> [n, n]`.
pub(crate) fn as_diagonal(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let length = rank(solver, arguments, 0, 1)?.remove(0);
    Ok(Shape::matrix(length.clone(), length))
}

/// `[n, n] -> [n]`.
pub(crate) fn diagonal(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let matrix = rank(solver, arguments, 0, 2)?;
    solver.unify_dims(&matrix[0], &matrix[1]).map_err(|Clash| {
        let found = solver.show(&arguments[0]);
        ShapeError::new(0, format!("{{0}} must have as many rows as columns; it is {found}"))
    })?;
    Ok(Shape::vector(matrix[0].clone()))
}

/// Makes an operand an index that is one of `count`, which is an axis of operand 0.
fn index_of(
    solver: &mut Solver,
    arguments: &[Shape],
    operand: usize,
    count: &Dim,
) -> Result<(), ShapeError> {
    let wanted = Shape::OneOf(count.clone());
    solver.unify(&arguments[operand], &wanted).map_err(|Clash| {
        let [of, wanted, found] =
            [&arguments[0], &wanted, &arguments[operand]].map(|shape| solver.show(shape));
        let text = format!("{{0}} is {of}, so {{{operand}}} must be {wanted}; it is {found}");
        ShapeError::new(operand, text)
    })
}

/// How many elements a vector has, or rows a matrix, and the shape of one of them.
fn parts(solver: &mut Solver, whole: &Shape) -> Result<(Dim, Shape), ShapeError> {
    if let Some([rows, columns]) = solver.shape(whole).dims() {
        return Ok((rows.clone(), Shape::vector(columns.clone())));
    }
    let length = rank(solver, std::slice::from_ref(whole), 0, 1)?.remove(0);
    Ok((length, Shape::scalar()))
}

/// `[], one of c -> [c]`, or `[n], one of c -> [c, n]`, of given shape.
pub(crate) fn one_hot(
    solver: &mut Solver,
    arguments: &[Shape],
    given: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let whole = expect_given(given)?;
    let (count, part) = parts(solver, &whole)?;
    for (operand, wanted) in [part, Shape::OneOf(count)].iter().enumerate() {
        solver.unify(&arguments[operand], wanted).map_err(|Clash| {
            let [wanted, found] = [wanted, &arguments[operand]].map(|shape| solver.show(shape));
            ShapeError::new(operand, format!("{{{operand}}} must be {wanted}; it is {found}"))
        })?;
    }
    Ok(whole)
}

/// `[c], one of c -> []`, or `[c, n], one of c -> [n]`.
pub(crate) fn pick(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let (count, part) = parts(solver, &arguments[0])?;
    index_of(solver, arguments, 1, &count)?;
    Ok(part)
}

/// `[c], one of c -> []`.
pub(crate) fn labelled(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let vector = rank(solver, arguments, 0, 1)?;
    index_of(solver, arguments, 1, &vector[0])?;
    Ok(Shape::scalar())
}

/// `[c], one of c, [] -> [c]`.
pub(crate) fn cross_entropy_gradient(
    solver: &mut Solver,
    arguments: &[Shape],
    given: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    labelled(solver, arguments, given)?;
    rank(solver, arguments, 2, 0)?;
    Ok(arguments[0].clone())
}

/// `[c] -> one of c`.
pub(crate) fn choice(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    Ok(Shape::OneOf(rank(solver, arguments, 0, 1)?.remove(0)))
}

/// Two indices of one kind, to another.
pub(crate) fn one_index(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let index = Shape::OneOf(solver.fresh_dim());
    for operand in [0, 1] {
        solver.unify(&index, &arguments[operand]).map_err(|Clash| {
            let [wanted, found] = [&index, &arguments[operand]].map(|shape| solver.show(shape));
            let text = match operand {
                0 => format!("{{0}} must be an index; it is {found}"),
                _ => format!("{{0}} is {wanted}, so {{1}} must be {wanted} too; it is {found}"),
            };
            ShapeError::new(operand, text)
        })?;
    }
    Ok(solver.shape(&index))
}

/// Two indices of one kind, to a scalar.
pub(crate) fn same_indices(
    solver: &mut Solver,
    arguments: &[Shape],
    given: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    one_index(solver, arguments, given)?;
    Ok(Shape::scalar())
}

/// A scalar, whatever the argument.
pub(crate) fn scalar(_: &mut Solver, _: &[Shape], _: Option<&Shape>) -> Result<Shape, ShapeError> {
    Ok(Shape::scalar())
}

/// The shape of the argument.
pub(crate) fn same(
    _: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    Ok(arguments[0].clone())
}

/// A vector to a vector of the same length.
pub(crate) fn vector(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    rank(solver, arguments, 0, 1)?;
    Ok(arguments[0].clone())
}

/// A vector to a scalar.
pub(crate) fn scalar_of_vector(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    rank(solver, arguments, 0, 1)?;
    Ok(Shape::scalar())
}

/// A matrix to a matrix of the same shape.
pub(crate) fn matrix(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    rank(solver, arguments, 0, 2)?;
    Ok(arguments[0].clone())
}

/// A matrix to a vector with an element for each row.
pub(crate) fn vector_of_rows(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    Ok(Shape::vector(rank(solver, arguments, 0, 2)?.remove(0)))
}

/// Two tensors of one shape, or a tensor and a scalar.
///
/// If the shape of one operand is not known yet, the result has the other's, unless that is a
/// scalar; the builder revisits such pairs (see [`Builder::finish`](crate::Builder::finish)).
pub(crate) fn broadcast(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let [a, b] = [solver.shape(&arguments[0]), solver.shape(&arguments[1])];
    match (&a, &b) {
        _ if a.is_scalar() => Ok(b),
        _ if b.is_scalar() => Ok(a),
        (Shape::Unknown(_), Shape::Unknown(_)) if a != b => Ok(solver.fresh_shape()),
        (Shape::Unknown(_), _) => Ok(b),
        (_, Shape::Unknown(_)) => Ok(a),
        _ => {
            solver.unify(&a, &b).map_err(|Clash| {
                let [a, b] = [solver.show(&a), solver.show(&b)];
                ShapeError::new(1, format!("{{0}} is {a}, so {{1}} must be {a} too; it is {b}"))
            })?;
            Ok(a)
        }
    }
}

/// A condition and two values: the shape of the values, which is one; the condition is a scalar, or
/// of that shape.
pub(crate) fn choice_of_two(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let [condition, a, b] = [0, 1, 2].map(|operand| solver.shape(&arguments[operand]));
    solver.unify(&a, &b).map_err(|Clash| {
        let [a, b] = [solver.show(&a), solver.show(&b)];
        ShapeError::new(2, format!("{{1}} is {a}, so {{2}} must be {a} too; it is {b}"))
    })?;
    let shape = solver.shape(&a);
    if !condition.is_scalar() {
        solver.unify(&condition, &shape).map_err(|Clash| {
            let [wanted, found] = [solver.show(&shape), solver.show(&condition)];
            ShapeError::new(0, format!("{{0}} must be a scalar, or {wanted}; it is {found}"))
        })?;
    }
    Ok(shape)
}

fn contraction(
    solver: &mut Solver,
    arguments: &[Shape],
    reduced: usize,
) -> Result<Shape, ShapeError> {
    let matrix = rank(solver, arguments, 0, 2)?;
    let wanted = Shape::vector(matrix[reduced].clone());
    solver.unify(&arguments[1], &wanted).map_err(|Clash| {
        let [matrix, wanted] = [solver.show(&arguments[0]), solver.show(&wanted)];
        let found = solver.show(&arguments[1]);
        ShapeError::new(1, format!("{{0}} is {matrix}, so {{1}} must be {wanted}; it is {found}"))
    })?;
    Ok(Shape::vector(matrix[1 - reduced].clone()))
}

/// `[m, n], [n] -> [m]`.
pub(crate) fn dot(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    contraction(solver, arguments, 1)
}

/// `[m, n], [m] -> [n]`.
pub(crate) fn dot_transposed(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    contraction(solver, arguments, 0)
}

/// `[m], [n] -> [m, n]`.
pub(crate) fn outer(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let m = rank(solver, arguments, 0, 1)?.remove(0);
    let n = rank(solver, arguments, 1, 1)?.remove(0);
    Ok(Shape::matrix(m, n))
}

/// `[a], [b], .. -> [a + b + ..]`.
pub(crate) fn concat(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let mut total = Dim::default();
    for operand in 0..arguments.len() {
        let dim = rank(solver, arguments, operand, 1)?.remove(0);
        total = total.add_scaled(&dim, 1).ok_or_else(|| {
            ShapeError::new(operand, format!("the length with {{{operand}}} is out of range"))
        })?;
    }
    Ok(Shape::vector(total))
}

/// `[v, n], one of v -> [n]`.
pub(crate) fn row(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let table = rank(solver, arguments, 0, 2)?;
    index_of(solver, arguments, 1, &table[0])?;
    Ok(Shape::vector(table[1].clone()))
}

/// `[v, n] -> [n]`.
pub(crate) fn bag_sum(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let table = rank(solver, arguments, 0, 2)?;
    Ok(Shape::vector(table[1].clone()))
}

/// `[n], one of v -> [v, n]`, of given shape.
pub(crate) fn row_sum(
    solver: &mut Solver,
    arguments: &[Shape],
    given: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let table = expect_given(given)?;
    let count = rank(solver, std::slice::from_ref(&table), 0, 2)?.remove(0);
    index_of(solver, arguments, 1, &count)?;
    Ok(table)
}

/// Two matrices, of which axis `inner[0]` of the first and `inner[1]` of the second are summed
/// over.
fn matrices(
    solver: &mut Solver,
    arguments: &[Shape],
    inner: [usize; 2],
) -> Result<Shape, ShapeError> {
    let a = rank(solver, arguments, 0, 2)?;
    let b = rank(solver, arguments, 1, 2)?;
    solver.unify_dims(&a[inner[0]], &b[inner[1]]).map_err(|Clash| {
        let [a, b] = [solver.show(&arguments[0]), solver.show(&arguments[1])];
        let axis = |axis| ["rows", "columns"][axis];
        let [of_a, of_b] = inner.map(axis);
        ShapeError::new(
            1,
            format!(
                "{{0}} is {a}, so {{1}} must have as many {of_b} as {{0}} has {of_a}; it is {b}"
            ),
        )
    })?;
    Ok(Shape::matrix(a[1 - inner[0]].clone(), b[1 - inner[1]].clone()))
}

/// `[m, k], [k, n] -> [m, n]`.
pub(crate) fn mat_mul(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    matrices(solver, arguments, [1, 0])
}

/// `[k, m], [k, n] -> [m, n]`.
pub(crate) fn mat_mul_left_transposed(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    matrices(solver, arguments, [0, 0])
}

/// `[m, k], [n, k] -> [m, n]`.
pub(crate) fn mat_mul_right_transposed(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    matrices(solver, arguments, [1, 1])
}

/// `[m, n] -> [n, m]`.
pub(crate) fn transpose(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let matrix = rank(solver, arguments, 0, 2)?;
    Ok(Shape::matrix(matrix[1].clone(), matrix[0].clone()))
}

/// `[m, k], [k, n] -> [m, n]`, where the first may be a row and the second a column.
pub(crate) fn semiring_product(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    let mut axes = |operand: usize| match solver.shape(&arguments[operand]).dims() {
        Some([length]) => Ok(vec![length.clone()]),
        _ => rank(solver, arguments, operand, 2),
    };
    let (a, b) = (axes(0)?, axes(1)?);
    let inner = &a[a.len() - 1];
    solver.unify_dims(inner, &b[0]).map_err(|Clash| {
        let [a, b] = [solver.show(&arguments[0]), solver.show(&arguments[1])];
        let terms = |operand: usize, of_matrix| match arguments[operand].dims() {
            Some([_]) => "elements",
            _ => of_matrix,
        };
        let [of_a, what] = [terms(0, "columns"), terms(1, "rows")];
        let text = format!(
            "{{0}} is {a}, so {{1}} must have as many {what} as {{0}} has {of_a}; it is {b}"
        );
        ShapeError::new(1, text)
    })?;
    Ok(Shape::Known(a[..a.len() - 1].iter().chain(&b[1..]).cloned().collect()))
}

/// The shape of one of the operands of a product or of its result: `a, b, y`, and what has the shapes of the other two.
fn weighted(solver: &mut Solver, arguments: &[Shape], role: usize) -> Result<Shape, ShapeError> {
    let product = semiring_product(solver, &arguments[..2], None)?;
    let others = (0..3).filter(|other| *other != role).zip(3..);
    for (wanted, operand) in
        others.map(|(other, operand)| (&arguments[other], operand)).chain([(&product, 2)])
    {
        solver.unify(wanted, &arguments[operand]).map_err(|Clash| {
            let [wanted, found] = [wanted, &arguments[operand]].map(|shape| solver.show(shape));
            ShapeError::new(operand, format!("{{{operand}}} must be {wanted}; it is {found}"))
        })?;
    }
    Ok(arguments[role].clone())
}

/// That of the left operand.
pub(crate) fn weighted_left(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    weighted(solver, arguments, 0)
}

/// That of the right operand.
pub(crate) fn weighted_right(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    weighted(solver, arguments, 1)
}

/// That of the result.
pub(crate) fn weighted_result(
    solver: &mut Solver,
    arguments: &[Shape],
    _: Option<&Shape>,
) -> Result<Shape, ShapeError> {
    weighted(solver, arguments, 2)
}
