//! Expressions as text, with the properties that are needed to combine them.

use super::function::{Domain, Length, Writer};

/// How tightly the outermost operator binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tight {
    Sum,
    Product,
    Atom,
}

/// An expression of the language.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    pub tight: Tight,
    pub domain: Domain,
    /// An approximate bound of its elements' magnitudes.
    pub bound: f64,
}

impl Expr {
    pub fn atom(text: impl Into<String>, domain: Domain, bound: f64) -> Self {
        Self { text: text.into(), tight: Tight::Atom, domain, bound }
    }

    /// The text as an operand of something that binds as tightly as `tight`, in parentheses if
    /// needed.
    pub fn within(&self, tight: Tight) -> String {
        match self.tight >= tight {
            true => self.text.clone(),
            false => format!("({})", self.text),
        }
    }

    /// `self.call`, with elements up to `bound`.
    pub fn method(&self, call: &str, bound: f64) -> Expr {
        Expr::atom(format!("{}.{call}", self.within(Tight::Atom)), self.domain, bound)
    }

    /// `left operator right`.
    pub fn binary(left: &Expr, operator: &str, right: &Expr) -> Expr {
        // Clippy reports `x - x` as a mistake.
        let operator = if left.text == right.text && operator == "-" { "+" } else { operator };
        let (a, b) = (left.bound, right.bound);
        let (tight, within, bound) = match operator {
            "+" | "-" => (Tight::Sum, Tight::Product, a + b),
            "*" => (Tight::Product, Tight::Atom, a * b),
            // Divisors are at least a half.
            _ => (Tight::Product, Tight::Atom, a * 2.0),
        };
        let text = format!("{} {operator} {}", left.within(tight), right.within(within));
        Expr { text, tight, domain: left.domain.max(right.domain), bound }
    }

    /// The expression, or its `tanh` if its elements could exceed `most`.
    pub fn at_most(self, most: f64) -> Expr {
        if self.bound <= most { self } else { self.method("tanh()", 1.0) }
    }
}

impl Writer {
    /// A vector from a random expression, nested about `depth` levels deep.
    pub fn vector(&mut self, of: Length, depth: usize) -> Expr {
        let Some(depth) = depth.checked_sub(1) else { return self.plain_vector(of) };
        let expr = match self.draws.below(30) {
            0 => self.vector(of, depth).method("sigmoid()", 1.0),
            1 | 2 => self.vector(of, depth).method("tanh()", 1.0),
            3 => {
                let x = self.vector(of, depth);
                x.method("relu()", x.bound)
            }
            4 => {
                let x = self.vector(of, depth).at_most(2.0);
                x.method("exp()", x.bound.exp())
            }
            5 => self.positive(of, depth).method("ln()", 1.5),
            6 => self.vector(of, depth).method("softmax()", 1.0),
            7 => {
                let x = self.vector(of, depth).at_most(4.0);
                x.method("log_softmax()", 2.0 * x.bound + 3.0)
            }
            8 => {
                let x = self.vector(of, depth);
                let text = format!("-{}", x.within(Tight::Atom));
                Expr { text, tight: Tight::Product, ..x }
            }
            9..=12 => {
                let operator = self.draws.choose(&["+", "-", "*"]);
                let [a, b] = [self.vector(of, depth), self.vector(of, depth / 2)];
                Expr::binary(&a, operator, &b)
            }
            13 => {
                let [a, b] = [self.vector(of, depth), self.positive(of, depth)];
                Expr::binary(&a, "/", &b)
            }
            14 | 15 => {
                let operator = self.draws.choose(&["+", "-", "*"]);
                let (vector, scalar) = (self.vector(of, depth), self.scalar(depth));
                self.in_any_order(&vector, operator, &scalar)
            }
            16 | 17 => {
                let operator = self.draws.choose(&["+", "-", "*"]);
                let vector = self.vector(of, depth);
                let number = self.number();
                self.in_any_order(&vector, operator, &number)
            }
            18 => {
                let number = self.number();
                let positive = self.positive(of, depth);
                Expr::binary(&number, "/", &positive)
            }
            19 | 20 => self.product(of, depth),
            21 => self.slice(of, depth),
            22 => {
                let x = self.vector(of, depth);
                self.dropout(x)
            }
            23 => self.form(of, depth),
            24 | 25 => {
                let name = self.draws.choose(&["maximum", "minimum"]);
                let [a, b] = [self.vector(of, depth), self.vector(of, depth / 2)];
                let bound = a.bound.max(b.bound);
                let domain = a.domain.max(b.domain);
                let text = format!("{}.{name}({})", a.within(Tight::Atom), b.text);
                Expr::atom(text, domain, bound)
            }
            26 => {
                let test = self.draws.choose(&["greater", "less", "greater_equal"]);
                let [a, b, c] = [depth, depth / 2, 0].map(|depth| self.vector(of, depth));
                let number = self.draws.choose(&["0.1", "0.35", "0.6"]);
                let mask = format!("{}.{test}({} + {number})", a.within(Tight::Atom), b.text);
                let domain = a.domain.max(b.domain).max(c.domain);
                let text = format!("{mask}.select({}, {})", c.text, a.text);
                Expr::atom(text, domain, a.bound.max(c.bound))
            }
            _ => self.helper(of, depth),
        };
        expr.at_most(6.0)
    }

    /// A form, or a rare op.
    fn form(&mut self, of: Length, depth: usize) -> Expr {
        let x = self.vector(of, depth).at_most(2.0);
        let (call, bound) = self.draws.choose(&[
            ("abs()", 2.0),
            ("erf()", 1.0),
            ("softplus()", 2.2),
            ("square()", 4.0),
            ("silu()", 2.0),
            ("gelu()", 2.0),
            ("gelu_tanh()", 2.0),
            ("elu(0.7)", 2.0),
            ("leaky_relu(0.1)", 2.0),
            ("hard_sigmoid()", 1.0),
            ("hard_tanh()", 1.0),
            ("clamp(-0.5, 0.75)", 0.75),
            ("cumulative_sum()", 40.0),
        ]);
        x.method(call, bound)
    }

    /// `a operator b` or `b operator a`.
    pub fn in_any_order(&mut self, a: &Expr, operator: &str, b: &Expr) -> Expr {
        if self.draws.chance(50) {
            Expr::binary(a, operator, b)
        } else {
            Expr::binary(b, operator, a)
        }
    }

    /// A vector with elements between 0.5 and 1.5.
    fn positive(&mut self, of: Length, depth: usize) -> Expr {
        let half = Expr::atom("0.5", Domain::Step, 0.5);
        let x = self.vector(of, depth).method("sigmoid()", 1.0);
        self.in_any_order(&x, "+", &half)
    }

    /// A vector as a plain variable, parameter or product.
    fn plain_vector(&mut self, of: Length) -> Expr {
        match self.draws.below(12) {
            0 | 1 => self.bias(of),
            2 => self.zeros(of),
            3 | 4 => self.product(of, 0),
            5 => self.row(of).unwrap_or_else(|| self.bias(of)),
            _ => self.variable(Some(of)).unwrap_or_else(|| self.product(of, 0)),
        }
    }

    pub fn bias(&mut self, of: Length) -> Expr {
        let name = self.param("b", of.name());
        Expr::atom(name, Domain::Step, 0.5)
    }

    pub fn zeros(&mut self, of: Length) -> Expr {
        Expr::atom(format!("zeros({})", self.size(of)), Domain::Step, 0.0)
    }

    /// `w.dot(x)`, where the matrix is a parameter or computed from parameters.
    fn product(&mut self, of: Length, depth: usize) -> Expr {
        if depth > 0 && self.draws.chance(40) {
            return self.product_of_several(of, depth);
        }
        let from = self.length();
        let known = if depth == 0 { self.variable(Some(from)) } else { None };
        // Without a variable to begin with, the expression ends with a parameter.
        let x = match known {
            Some(x) => x,
            None if depth == 0 => self.bias(from),
            None => self.vector(from, depth.min(2)),
        };
        self.times(of, &x, from)
    }

    /// The product of a matrix with `x`, a vector of length `from`.
    pub fn times(&mut self, of: Length, x: &Expr, from: Length) -> Expr {
        let w = self.matrix(of, from.name());
        let matrix = match self.draws.below(14) {
            0 => Expr::binary(&w, "*", &self.number()),
            1 => w.method("tanh()", 0.5),
            2 => {
                let other = self.matrix(of, from.name());
                Expr::binary(&w, "+", &other)
            }
            3 => match self.variable(None) {
                // A matrix that differs between vertices.
                Some(scalar) => Expr::binary(&w, "*", &scalar.at_most(2.0)),
                None => w,
            },
            _ => w,
        };
        dot(&matrix, x)
    }

    /// `w.dot(concat([a, b]))`.
    fn product_of_several(&mut self, of: Length, depth: usize) -> Expr {
        let count = 2 + self.draws.below(2);
        let lengths: Vec<Length> = (0..count).map(|_| self.length()).collect();
        let parts: Vec<Expr> = lengths.iter().map(|of| self.vector(*of, depth / 2)).collect();
        let x = concat(&parts);
        let w = self.matrix(of, &Length::sum(&lengths));
        dot(&w, &x)
    }

    pub fn matrix(&mut self, rows: Length, columns: &str) -> Expr {
        let name = self.param("w", &format!("{}, {columns}", rows.name()));
        Expr::atom(name, Domain::Step, 0.5)
    }

    /// A slice of the concatenation of several vectors.
    fn slice(&mut self, of: Length, depth: usize) -> Expr {
        let (x, length) = (self.vector(of, depth / 2), self.size(of));
        let bound = x.bound;
        if self.draws.chance(30) {
            // Rotates by one element, which is possible because lengths are at least two.
            let rest = x.method(&format!("slice(1..{length})"), bound);
            return concat(&[rest, x.method("slice(0..1)", bound)]);
        }
        let beside = self.length();
        let other = self.vector(beside, depth);
        if self.draws.chance(50) {
            return concat(&[x, other]).method(&format!("slice(0..{length})"), bound);
        }
        let from = self.size(beside);
        concat(&[other, x]).method(&format!("slice({from}..{from} + {length})"), bound)
    }

    fn dropout(&mut self, x: Expr) -> Expr {
        // Dropout of a value that depends on parameters only is an error.
        if x.domain == Domain::Step {
            return x;
        }
        let rate = self.draws.choose(&["0.1", "0.25", "0.5"]);
        let name = self.draws.choose(&["dropout", "dropout", "variational_dropout", "noise"]);
        // A normally distributed draw may be large.
        let bound = if name == "noise" { x.bound + 40.0 } else { 2.0 * x.bound };
        x.method(&format!("{name}({rate})"), bound)
    }

    fn helper(&mut self, of: Length, depth: usize) -> Expr {
        let arguments = |parts: &[&Expr]| {
            let texts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
            let domain = parts.iter().map(|part| part.domain).max().unwrap_or(Domain::Step);
            (texts.join(", "), domain)
        };
        match self.draws.below(7) {
            0 | 1 => {
                let from = self.length();
                let name = self.draws.choose(&["affine", "gate", "crate::generated::cells::gate"]);
                let w = self.matrix(of, from.name());
                let x = self.vector(from, depth);
                let b = self.bias(of);
                let (text, domain) = arguments(&[&w, &x, &b]);
                Expr::atom(format!("{name}({text})"), domain, 1.5 * x.bound + 0.5)
            }
            2 => {
                let p = if self.draws.chance(50) { self.scalar(1) } else { self.vector(of, 1) };
                let [a, b] = [self.vector(of, depth), self.vector(of, depth / 2)];
                let (text, domain) = arguments(&[&p, &a, &b]);
                Expr::atom(format!("blend({text})"), domain, a.bound + b.bound)
            }
            3 => {
                let x = self.vector(of, depth);
                let of = self.length();
                let size = self.size(of);
                Expr::atom(format!("scaled({}, {size})", x.text), x.domain, x.bound)
            }
            4 => {
                let x = self.vector(of, depth);
                if x.domain == Domain::Step {
                    return x;
                }
                let rate = self.draws.choose(&["0.25", "0.5"]);
                Expr::atom(format!("noisy({}, {rate})", x.text), x.domain, x.bound)
            }
            5 => {
                let parts = [depth, depth / 2, 0].map(|depth| self.vector(of, depth));
                let (text, domain) = arguments(&[&parts[0], &parts[1], &parts[2]]);
                let bound = parts.iter().map(|part| part.bound).sum();
                Expr::atom(format!("weighted([{text}])"), domain, bound)
            }
            _ => {
                let [h, c] = [Length::H, Length::K].map(|of| self.vector(of, depth / 2));
                let w = self.matrix(of, "H + K");
                let text = format!("summary({})", node(&h.text, &c.text));
                let x = Expr::atom(text, h.domain.max(c.domain), h.bound.max(c.bound));
                dot(&w, &x)
            }
        }
    }

    /// A row of a table, if the function has pulled an index.
    pub fn row(&mut self, of: Length) -> Option<Expr> {
        let index = self.index.clone()?;
        let table = self.param("table", &format!("V, {}", of.name()));
        // Even inside a loop, the row belongs to the whole vertex.
        Some(Expr::atom(format!("{table}.row({index})"), Domain::Vertex, 0.5))
    }
}

/// `Node { h, c }` with these expressions as fields.
pub fn node(h: &str, c: &str) -> String {
    let field = |name: &str, text: &str| match name == text {
        true => name.to_string(),
        false => format!("{name}: {text}"),
    };
    format!("Node {{ {}, {} }}", field("h", h), field("c", c))
}

/// `w.dot(x)`. Elements of matrices are below a half and have both signs, so that sums stay small.
fn dot(w: &Expr, x: &Expr) -> Expr {
    let text = format!("{}.dot({})", w.within(Tight::Atom), x.text);
    Expr::atom(text, w.domain.max(x.domain), 3.0 * w.bound * x.bound)
}

/// `concat([a, b])`.
fn concat(parts: &[Expr]) -> Expr {
    let texts: Vec<&str> = parts.iter().map(|part| &*part.text).collect();
    let domain = parts.iter().map(|part| part.domain).max().unwrap_or(Domain::Step);
    let bound = parts.iter().map(|part| part.bound).fold(0.0, f64::max);
    Expr::atom(format!("concat([{}])", texts.join(", ")), domain, bound)
}
