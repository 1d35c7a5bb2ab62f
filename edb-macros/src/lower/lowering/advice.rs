//! What is likely meant where shapes do not fit, which follows the error: what people write who know other libraries.

use edb_ir::form::surfaces;
use edb_ir::{Contraction, Dim, Leaf, Op, Pointwise, Shape, Surface};
use proc_macro2::TokenStream;
use syn::{BinOp, Expr};

use super::{Lowering, Operand, Origin};
use crate::text;

impl Lowering<'_> {
    /// What is likely meant by an expression whose operands do not fit each other.
    pub(super) fn advice(&self, whole: TokenStream, operands: &[Operand]) -> Option<String> {
        if let Some(advice) = operands.iter().find_map(|operand| self.stacked(operand)) {
            return Some(advice);
        }
        let whole = syn::parse2(whole).ok()?;
        if let Some(advice) = self.of_rows(&whole, operands.first()?) {
            return Some(advice);
        }
        let [left, right] = operands else { return None };
        match whole {
            Expr::MethodCall(call) if call.method == "dot" => self.product(left, right),
            Expr::Binary(binary) if matches!(binary.op, BinOp::Mul(_)) => {
                self.by_element(left, right).or_else(|| self.sum(left, right))
            }
            _ => self.sum(left, right),
        }
    }

    /// `m.softmax()` of a matrix.
    fn of_rows(&self, whole: &Expr, operand: &Operand) -> Option<String> {
        let Expr::MethodCall(call) = whole else { return None };
        let method = format!("row_{}", call.method);
        let is_matrix = self.axes(operand)?.len() == 2;
        let exists =
            || surfaces().any(|of| matches!(of, Surface::Method(known) if known == method));
        (is_matrix && exists()).then(|| {
            let arguments = if call.args.is_empty() { "" } else { ".." };
            format!("of each row of a matrix it is `{}.{method}({arguments})`", receiver(operand))
        })
    }

    /// `w.dot(stack([a, b]))`.
    fn stacked(&self, operand: &Operand) -> Option<String> {
        let origin = self.origins.get(&operand.id)?;
        let Ok(Expr::Call(call)) = syn::parse2(origin.tokens.clone()) else { return None };
        let Expr::Path(function) = &*call.func else { return None };
        let is_stack = function.path.segments.last()?.ident == "stack";
        let vectors = text::operand(call.args.first().filter(|_| is_stack)?);
        Some(format!(
            "`stack` makes vectors the rows of a matrix; one after the other in one vector they are `concat({vectors})`"
        ))
    }

    /// `left.dot(right)` that does not fit.
    fn product(&self, left: &Operand, right: &Operand) -> Option<String> {
        match (&self.axes(left)?[..], &self.axes(right)?[..]) {
            ([x], [_, _]) => self.vector_first(left, right, [Some(x), None]),
            ([rows, columns], [x]) if rows == x => self.turned(left, "takes", [columns, rows]),
            ([_, columns], [_, x]) if columns == x => self.batch(right, x),
            _ => None,
        }
    }

    /// An op by element, of whose operands one comes of another op than was meant.
    fn sum(&self, left: &Operand, right: &Operand) -> Option<String> {
        [(left, right), (right, left)].into_iter().find_map(|(operand, other)| {
            let [wanted] = &self.axes(other)?[..] else { return None };
            if let [_, columns] = &self.axes(operand)?[..]
                && columns == wanted
                && let Some(advice) = self.batch(operand, wanted)
            {
                return Some(advice);
            }
            self.terms(operand).into_iter().find_map(|term| self.term(term, wanted))
        })
    }

    /// What was meant by one of the products in a sum that is to be a vector of this length.
    fn term(&self, (op, origin): (&Op, &Origin), wanted: &Dim) -> Option<String> {
        let [left, right] = &origin.operands[..] else { return None };
        match op {
            Op::Pointwise(Pointwise::Mul) => self.by_element(left, right),
            Op::Contraction(Contraction::Dot) => match &self.axes(left)?[..] {
                [rows, columns] if columns == wanted && !self.is_param(right) => {
                    self.turned(left, "gives", [columns, rows])
                }
                _ => None,
            },
            Op::Contraction(Contraction::MatMul) => match &self.axes(left)?[..] {
                [_, x] if self.shape_of(left).starts_with("[?") => {
                    self.vector_first(left, right, [Some(x), Some(wanted)])
                }
                [_, x] => self.batch(left, x),
                _ => None,
            },
            _ => None,
        }
    }

    /// `x.dot(w)` of a vector and a matrix, with the length of the vector, and that of the product if it is known.
    fn vector_first(
        &self,
        vector: &Operand,
        matrix: &Operand,
        [length, wanted]: [Option<&Dim>; 2],
    ) -> Option<String> {
        let axes = self.axes(matrix)?;
        let [rows, columns] = &axes[..] else { return None };
        let fits = |axis: &Dim, asked: Option<&Dim>| asked.is_none_or(|asked| asked == axis);
        let product = format!("{}.dot({})", receiver(matrix), vector.text);
        // In a sum, `x` has the length of the matrix's rows: that is what the product has asked of it.
        let as_it_is = match wanted {
            Some(_) => fits(rows, wanted),
            None => fits(columns, length),
        };
        if as_it_is {
            return Some(format!("the matrix comes first: did you mean `{product}`?"));
        }
        let turned = fits(columns, wanted) && fits(rows, length);
        (turned && self.is_param(matrix) && self.frames.is_empty()).then(|| {
            format!(
                "the matrix comes first, and its rows are as many as the product has elements: `{product}` with \
                 `#[param({}, {})] {}`",
                self.written(columns),
                self.written(rows),
                matrix.text,
            )
        })
    }

    /// A parameter with its axes in the other order than is needed, which would be these.
    fn turned(&self, matrix: &Operand, does: &str, needed: [&Dim; 2]) -> Option<String> {
        if !self.is_param(matrix) || !self.frames.is_empty() {
            return None;
        }
        let [rows, columns] = needed.map(|dim| self.written(dim));
        let (now, then) = match does {
            "gives" => (&columns, format!("[{rows}] has {rows} rows")),
            _ => (&rows, format!("[{columns}] has {columns} columns")),
        };
        Some(format!(
            "`{}` is declared [{columns}, {rows}], rows first, and {does} [{now}]; what {does} {then}",
            matrix.text
        ))
    }

    /// `x * w` of a matrix and a vector, in either order.
    fn by_element(&self, left: &Operand, right: &Operand) -> Option<String> {
        let rank = |operand| self.axes(operand).map(|axes| axes.len());
        let (matrix, vector) = match (rank(left), rank(right)) {
            (Some(2), None | Some(1)) => (left, right),
            (None | Some(1), Some(2)) => (right, left),
            _ => return None,
        };
        Some(format!(
            "`*` is by element; a product of a matrix and a vector is `{}.dot({})`",
            receiver(matrix),
            vector.text
        ))
    }

    /// A matrix from outside that is used as a vector of this length.
    fn batch(&self, matrix: &Operand, length: &Dim) -> Option<String> {
        let is_outside = matches!(
            self.builder.op(matrix.id),
            Op::Leaf(Leaf::Pull(_)) | Op::Leaf(Leaf::Child { .. })
        );
        let axes = self.axes(matrix)?;
        let [examples, _] = &axes[..] else { return None };
        (is_outside && examples != length).then(|| {
            format!(
                "if {} counts examples: there is no batch axis, a vertex is one example's (`#[shape({})] {}`)",
                self.written(examples),
                self.written(length),
                matrix.text,
            )
        })
    }

    /// The ops by element and the products of which a sum consists, where each comes from.
    fn terms(&self, operand: &Operand) -> Vec<(&Op, &Origin)> {
        let Some(origin) = self.origins.get(&operand.id) else { return Vec::new() };
        let op = self.builder.op(operand.id);
        let mut terms = vec![(op, origin)];
        if matches!(op, Op::Pointwise(_)) {
            terms.extend(origin.operands.iter().flat_map(|operand| self.terms(operand)));
        }
        terms
    }

    fn is_param(&self, operand: &Operand) -> bool {
        matches!(self.builder.op(operand.id), Op::Leaf(Leaf::Param(_)))
    }

    /// The dimensions of an operand, if its rank is known.
    fn axes(&self, operand: &Operand) -> Option<Vec<Dim>> {
        self.builder.shape(operand.id).dims().map(<[Dim]>::to_vec)
    }

    fn shape_of(&self, operand: &Operand) -> String {
        self.builder.show(&self.builder.shape(operand.id))
    }

    /// A dimension as it is written in an attribute.
    fn written(&self, dim: &Dim) -> String {
        self.builder.show(&Shape::vector(dim.clone())).trim_matches(['[', ']']).to_owned()
    }
}

/// An operand on which a method is called.
fn receiver(operand: &Operand) -> String {
    let expr = syn::parse2(operand.tokens.clone());
    expr.map_or_else(|_| format!("({})", operand.text), |expr| text::receiver(&expr))
}
