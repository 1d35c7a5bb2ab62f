//! The tangent rules of the op table, written in ops of the same table.
//!
//! A rule receives the op's value `y`, and makes the tangent of `y` from the tangents of its
//! arguments. Most ops have one of three rules: [`linear`], [`product`] or [`symmetric`], the last
//! of which is the gradient rule with a tangent in place of the gradient.

use super::reverse::Reverse;
use super::term::Term;
use crate::program::{
    Domain, FieldDecl, Leaf, Movement, Op, Pointwise, Program, Role, Semiring, SemiringContraction,
    Transition, Value, ValueId,
};

/// A tangent rule: makes the tangent of `y` from those of its arguments; `None` if it is zero.
pub type TangentRule = fn(&mut Tangents, y: ValueId) -> Option<ValueId>;

/// The state of forward-mode differentiation, with which tangent rules build values.
pub struct Tangents {
    pub(crate) program: Program,
    /// The tangent of each value; `None` if it is zero.
    pub(crate) of: Vec<Option<ValueId>>,
}

impl Tangents {
    pub(crate) fn push(&mut self, value: Value) -> ValueId {
        self.program.values.push(value);
        self.of.resize(self.program.values.len(), None);
        ValueId(self.program.values.len() as u32 - 1)
    }

    /// A new value with the rules of gradients, which are made of the same ops.
    pub(crate) fn build<R>(&mut self, build: impl FnOnce(&mut Reverse<'_>) -> R) -> R {
        let result = build(&mut Reverse::of_one_op(&mut self.program));
        self.of.resize(self.program.values.len(), None);
        result
    }

    fn by_terms<const N: usize>(
        &mut self,
        ids: [ValueId; N],
        formula: impl for<'r, 'p> FnOnce([Term<'r, 'p>; N]) -> Term<'r, 'p>,
    ) -> ValueId {
        self.build(|r| r.by_terms(ids, |terms| formula(terms).id()))
    }

    fn args(&self, y: ValueId) -> Vec<ValueId> {
        self.program.value(y).args.clone()
    }

    /// What a port shows, and behind it the tangents of its tensors.
    pub(crate) fn shown(&mut self, mut ids: Vec<ValueId>) -> Vec<ValueId> {
        for place in 0..ids.len() {
            if !self.program.value(ids[place]).shape.is_index() {
                ids.push(self.or_zeros(ids[place]));
            }
        }
        ids
    }

    /// The tangent of a value, zeros if it has none.
    fn or_zeros(&mut self, id: ValueId) -> ValueId {
        match self.of[id.index()] {
            Some(tangent) => tangent,
            None => self.build(|r| r.like(Leaf::Zeros, &[], id)),
        }
    }

    /// A tangent in the shape of its value: where that is the sum of a tensor and a scalar, the
    /// tangent of the scalar alone is none.
    pub(crate) fn spread(&mut self, id: ValueId, tangent: ValueId) -> ValueId {
        let scalar = |id: ValueId| self.program.value(id).shape.is_scalar();
        match scalar(tangent) && !scalar(id) {
            true => self.build(|r| r.like(Movement::Expand, &[tangent], id)),
            false => tangent,
        }
    }

    /// The tangent of a value as often as the value exists, since it is counted.
    fn as_often(&mut self, id: ValueId) -> ValueId {
        let tangent = self.or_zeros(id);
        let domain = self.program.value(id).domain;
        match self.program.value(tangent).domain < domain {
            true => self.build(|r| r.unary(Movement::Copy(domain), tangent)),
            false => tangent,
        }
    }

    /// The op of `y` with other arguments.
    fn again(&mut self, y: ValueId, args: &[ValueId]) -> ValueId {
        self.build(|r| r.like(r.op(y), args, y))
    }

    fn add(&mut self, sum: Option<ValueId>, part: ValueId) -> Option<ValueId> {
        Some(sum.map_or(part, |sum| self.by_terms([sum, part], |[sum, part]| sum + part)))
    }

    /// A part of a tangent that is a product with a tangent: 0 where that is exactly 0, even where the
    /// slope is infinite or NaN, as it may be of data whose tangents are 0. Where the slope is a
    /// number the product is left as it is, since its own derivatives need not be 0 there.
    fn of_moving(&mut self, part: ValueId, tangent: ValueId) -> ValueId {
        self.by_terms([part, tangent], |[part, tangent]| {
            let moves = tangent.mask(part.number(1.0));
            let is_number = part.with(Pointwise::GreaterEqual, part);
            (moves + is_number).mask(part)
        })
    }

    /// Whether a value is a product or a quotient, up to its sign.
    fn is_product(&self, id: ValueId) -> bool {
        let value = self.program.value(id);
        match value.op {
            Op::Pointwise(Pointwise::Neg) => self.is_product(value.args[0]),
            Op::Pointwise(Pointwise::Mul | Pointwise::Div) => true,
            _ => false,
        }
    }

    /// What the gradient rule of `y` gives an argument if the gradient of `y` is `dy`.
    fn part(&mut self, y: ValueId, operand: usize, dy: ValueId) -> Option<ValueId> {
        self.build(|r| r.part(y, operand, dy))
    }
}

/// No tangent.
pub(crate) fn none(_: &mut Tangents, _: ValueId) -> Option<ValueId> {
    None
}

/// The direction of a parameter.
pub(crate) fn param(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let Op::Leaf(Leaf::Param(param)) = t.program.value(y).op else { return None };
    let count = t.program.params.len() as u16 / 2;
    Some(t.build(|r| r.like(Leaf::Param(count + param), &[], y)))
}

/// The field beside a field that is pulled.
pub(crate) fn pull(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let Op::Leaf(Leaf::Pull(field)) = t.program.value(y).op else { return None };
    let fields = t.program.input.as_ref().map_or(&[][..], |input| &input.fields);
    let field = beside(fields, field);
    Some(t.build(|r| r.like(Leaf::Pull(field), &[], y)))
}

/// The field beside a field of a child.
pub(crate) fn child(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let Op::Leaf(Leaf::Child { slot, field }) = t.program.value(y).op else { return None };
    let state = t.program.slot_state(slot)?;
    let field = beside(&t.program.states[usize::from(state)].fields, field);
    Some(t.build(|r| r.like(Leaf::Child { slot, field }, &[], y)))
}

/// The number of the tangent of a field, among fields with tangents.
fn beside(fields: &[FieldDecl], field: u16) -> u16 {
    let is_tensor = |fields: &[FieldDecl]| fields.iter().filter(|field| field.is_tensor()).count();
    // Half of the tensors are tangents.
    let first = fields.len() - is_tensor(fields) / 2;
    (first + is_tensor(&fields[..usize::from(field)])) as u16
}

/// The op is linear in all its tensors together: it is applied to their tangents.
pub(crate) fn linear(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let op = t.program.value(y).op.clone();
    let args = t.args(y);
    if args.iter().all(|arg| t.of[arg.index()].is_none()) {
        return None;
    }
    let mut tangents = Vec::with_capacity(args.len());
    for (operand, arg) in args.into_iter().enumerate() {
        tangents.push(match (op.reads_index(operand), &op) {
            (true, _) => arg,
            (false, Op::Transition(_)) => t.as_often(arg),
            (false, _) => t.or_zeros(arg),
        });
    }
    Some(t.again(y, &tangents))
}

/// The op is linear in each of its arguments: the sum of the op with one of them replaced by its
/// tangent.
pub(crate) fn product(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let args = t.args(y);
    let counts = matches!(t.program.value(y).op, Op::Transition(_));
    let mut sum = None;
    for operand in 0..args.len() {
        if t.of[args[operand].index()].is_none() {
            continue;
        }
        let mut args = args.clone();
        args[operand] = if counts { t.as_often(args[operand]) } else { t.or_zeros(args[operand]) };
        let part = t.again(y, &args);
        sum = t.add(sum, part);
    }
    sum
}

/// The Jacobian of the op is symmetric, as where it works element by element: the gradient rule,
/// with a tangent in place of the gradient.
pub(crate) fn symmetric(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let is_pointwise = matches!(t.program.value(y).op, Op::Pointwise(_));
    let mut sum = None;
    for (operand, arg) in t.args(y).into_iter().enumerate() {
        let Some(tangent) = t.of[arg.index()] else { continue };
        let Some(mut part) = t.part(y, operand, tangent) else { continue };
        if is_pointwise && t.is_product(part) {
            part = t.of_moving(part, tangent);
        }
        sum = t.add(sum, part);
    }
    sum
}

/// The op gives a scalar of one tensor: `⟨gradient, ẋ⟩`.
pub(crate) fn gradient(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let x = t.args(y)[0];
    let tangent = t.of[x.index()]?;
    let one = t.build(|r| r.constant(1.0));
    let slope = t.part(y, 0, one)?;
    let product = t.by_terms([slope, tangent], |[slope, tangent]| slope * tangent);
    let product = t.of_moving(product, tangent);
    Some(t.by_terms([product], |[product]| product.sum()))
}

/// The tangent of the chosen argument.
pub(crate) fn select(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let [condition, a, b] = t.args(y)[..] else { return None };
    if t.of[a.index()].is_none() && t.of[b.index()].is_none() {
        return None;
    }
    let [a, b] = [t.or_zeros(a), t.or_zeros(b)];
    Some(t.again(y, &[condition, a, b]))
}

/// `ẋ - Σ e^y ẋ`.
pub(crate) fn log_softmax(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let tangent = t.of[t.args(y)[0].index()]?;
    Some(t.by_terms([y, tangent], |[y, dx]| dx - (y.exp() * dx).sum()))
}

/// The op gives a number of each row of a matrix: `⟨gradient, ẋ⟩` of each row.
pub(crate) fn row_gradient(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let x = t.args(y)[0];
    let tangent = t.of[x.index()]?;
    let ones = t.by_terms([y], |[y]| y.ones());
    let slope = t.part(y, 0, ones)?;
    let product = t.by_terms([slope, tangent], |[slope, tangent]| slope * tangent);
    let product = t.of_moving(product, tangent);
    Some(t.by_terms([product], |[product]| product.row_sum()))
}

/// `ẋ - Σ e^y ẋ` in each row.
pub(crate) fn row_log_softmax(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let tangent = t.of[t.args(y)[0].index()]?;
    Some(t.by_terms([y, tangent], |[y, dx]| dx - (y.exp() * dx).row_sum().along_rows_of(y)))
}

/// Symmetric in its tensor, linear in the factor.
pub(crate) fn cross_entropy_gradient(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let [x, index, factor] = t.args(y)[..] else { return None };
    let of_x = t.of[x.index()].and_then(|tangent| t.part(y, 0, tangent));
    let of_factor = t.of[factor.index()].map(|tangent| t.again(y, &[x, index, tangent]));
    match of_factor {
        Some(part) => t.add(of_x, part),
        None => of_x,
    }
}

/// The tangent of the first edge that has the greatest element.
pub(crate) fn reduce_max(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let x = t.args(y)[0];
    let tangent = t.of[x.index()]?;
    Some(t.by_terms([x, tangent], |[x, dx]| {
        (x.map(Transition::EdgeMaxMask) * dx).map(Transition::Reduce(Domain::Vertex))
    }))
}

/// The tangents of the terms by their weights.
pub(crate) fn semiring_product(t: &mut Tangents, y: ValueId) -> Option<ValueId> {
    let Op::SemiringContraction(SemiringContraction::Product(semiring)) = t.program.value(y).op
    else {
        return None;
    };
    let [a, b] = t.args(y)[..] else { return None };
    let mut sum = None;
    for (operand, of) in [a, b].into_iter().enumerate() {
        let Some(tangent) = t.of[of.index()] else { continue };
        let part = t.by_terms([a, b, y, tangent], |[a, b, y, tangent]| {
            let factors = if operand == 0 { [tangent, b.ones()] } else { [a.ones(), tangent] };
            let op = SemiringContraction::Weighted(semiring, Role::Result);
            y.like(op, [a, b, y, factors[0], factors[1]])
        });
        sum = t.add(sum, part);
    }
    sum
}

/// Linear in both factors; what changes the weights is one more factor, and that of the op's own role is outside
/// of the sum.
pub(crate) fn weighted(t: &mut Tangents, sum: ValueId) -> Option<ValueId> {
    let (semiring, own) = t.program.value(sum).op.weighted()?;
    let args = t.args(sum);
    let mut total = None;
    for role in Role::ALL {
        let of_operand = t.of[args[role as usize].index()]
            .filter(|_| semiring == Semiring::Log)
            .map(|tangent| match role {
                Role::Result => t.by_terms([tangent], |[tangent]| -tangent),
                _ => tangent,
            });
        let part = match own.place_of(role) {
            None => of_operand.map(|tangent| t.by_terms([tangent, sum], |[dx, sum]| dx * sum)),
            Some(place) => {
                let factor = args[3 + place];
                let of_weight = of_operand
                    .map(|tangent| t.by_terms([factor, tangent], |[factor, dx]| factor * dx));
                let tangent = match (t.of[factor.index()], of_weight) {
                    (Some(tangent), Some(part)) => t.add(Some(tangent), part),
                    (tangent, part) => tangent.or(part),
                };
                tangent.map(|tangent| {
                    let mut args = args.clone();
                    args[3 + place] = tangent;
                    t.again(sum, &args)
                })
            }
        };
        if let Some(part) = part {
            total = t.add(total, part);
        }
    }
    total
}
