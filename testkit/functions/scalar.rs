//! Scalar tensors, and numbers.

use super::expression::{Expr, Tight};
use super::function::{Domain, Length, Writer};

impl Writer {
    /// A scalar tensor.
    pub fn scalar(&mut self, depth: usize) -> Expr {
        let known = if self.draws.chance(30) { self.variable(None) } else { None };
        if let Some(scalar) = known {
            return scalar;
        }
        let Some(depth) = depth.checked_sub(1) else {
            let name = self.param("s", "");
            return Expr::atom(name, Domain::Step, 0.5);
        };
        let of = self.length();
        let expr = match self.draws.below(15) {
            0..=2 => {
                let x = self.vector(of, depth).at_most(2.0);
                x.method("sum()", 4.0 * x.bound)
            }
            3 => {
                let x = self.vector(of, depth);
                x.method("max()", x.bound)
            }
            4 | 5 => {
                let [a, b] = [self.vector(of, depth), self.vector(of, 0)];
                let product = Expr::binary(&a, "*", &b).at_most(2.0);
                product.method("sum()", 4.0 * product.bound)
            }
            6 => {
                let [a, b] = [self.vector(of, depth), self.vector(of, 0)];
                self.mse(&a, &b)
            }
            7 => match self.label.clone() {
                Some(_) => self.cross_entropy(of, depth),
                None => self.scalar(depth).method("sigmoid()", 1.0),
            },
            8 => {
                let [a, b] = [self.scalar(depth), self.scalar(0)];
                let operator = self.draws.choose(&["+", "-", "*"]);
                Expr::binary(&a, operator, &b)
            }
            9 => {
                let (scalar, number) = (self.scalar(depth), self.number());
                let operator = self.draws.choose(&["+", "-", "*"]);
                self.in_any_order(&scalar, operator, &number)
            }
            10 => {
                let matrix = self.matrix(of, of.name());
                let method = self.draws.choose(&["sum()", "max()", "mean()", "min()", "norm()"]);
                matrix.method(method, 4.0)
            }
            11 | 12 => self.chosen(of, depth),
            13 => self.agreement(of, depth),
            _ => self.scalar(depth).method("tanh()", 1.0),
        };
        expr.at_most(6.0)
    }

    /// The element of a vector where another one is greatest, or at a sample from it.
    fn chosen(&mut self, of: Length, depth: usize) -> Expr {
        let [a, b] = [self.vector(of, depth), self.vector(of, 0)];
        let choice = self.draws.choose(&["argmax()", "sample()"]);
        let index = format!("{}.{choice}", b.within(Tight::Atom));
        let domain = a.domain.max(b.domain).max(Domain::Vertex);
        Expr { domain, ..a.method(&format!("pick({index})"), a.bound) }
    }

    /// 1 where two choices agree, of which one may be the label.
    fn agreement(&mut self, of: Length, depth: usize) -> Expr {
        let of = match &self.label {
            Some(_) => *self.label_of.get_or_insert(of),
            None => of,
        };
        let x = self.vector(of, depth);
        let (other, domain) = match self.label.clone() {
            Some(label) => {
                self.unused_label = false;
                (label, Domain::Vertex)
            }
            None => {
                let y = self.vector(of, 0);
                (format!("{}.sample()", y.within(Tight::Atom)), y.domain)
            }
        };
        let operator = self.draws.choose(&["==", "!="]);
        let text = format!("indicator({}.argmax() {operator} {other})", x.within(Tight::Atom));
        Expr::atom(text, x.domain.max(domain).max(Domain::Vertex), 1.0)
    }

    /// `mse(a, b)`.
    pub fn mse(&mut self, a: &Expr, b: &Expr) -> Expr {
        let text = format!("mse({}, {})", a.text, b.text);
        Expr::atom(text, a.domain.max(b.domain), (a.bound + b.bound).powi(2))
    }

    /// `cross_entropy(x, label)`, in a function that pulls a label.
    pub fn cross_entropy(&mut self, of: Length, depth: usize) -> Expr {
        // A label is one of a single number of classes.
        let of = *self.label_of.get_or_insert(of);
        let x = self.vector(of, depth).at_most(4.0);
        let label = self.label.clone().unwrap_or_default();
        self.unused_label = false;
        let text = format!("cross_entropy({}, {label})", x.text);
        Expr::atom(text, x.domain.max(Domain::Vertex), 2.0 * x.bound + 3.0)
    }

    /// A number of type `f64`.
    pub fn number(&mut self) -> Expr {
        let of = self.length();
        let literal = self.draws.choose(&["0.5", "0.75", "1.5", "2.0"]);
        let number = |text: String| Expr::atom(text, Domain::Step, 2.0);
        let quotient = |text| Expr { tight: Tight::Product, ..number(text) };
        match self.draws.below(10) {
            0 => quotient(format!("1.0 / {} as f64", self.size(of))),
            1 => quotient(format!("1.0 / ({} as f64).sqrt()", self.size(of))),
            2 => {
                let size = self.size(of);
                let name = self.fresh("n");
                self.line(&format!("let {name} = {literal} / (1.0 + {size} as f64);"));
                number(name)
            }
            3 => {
                let name = self.fresh("n");
                self.line(&format!("let {name} = 2.0_f64.sqrt() - {literal};"));
                number(name)
            }
            _ => number(literal.into()),
        }
    }
}
