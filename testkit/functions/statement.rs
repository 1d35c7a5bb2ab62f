//! Statements, and their order within a function.

use super::PortKind;
use super::expression::{Expr, Tight};
use super::function::{Domain, Length, Variable, Writer};

impl Writer {
    /// The body of the function.
    pub fn body(&mut self) {
        let reads_all = match self.kind {
            PortKind::All | PortKind::Mixed => true,
            // Some read any number of children.
            PortKind::Gold => self.draws.chance(40),
            _ => false,
        };
        let pulls_first = self.draws.chance(50);
        if pulls_first {
            self.pull();
        }
        if self.kind != PortKind::Gold || !reads_all {
            self.children();
        }
        if !pulls_first {
            self.pull();
        }
        self.statement();
        if reads_all {
            self.gather_all();
            if self.draws.chance(30) {
                self.statement();
                self.gather_all();
            }
        }
        if self.draws.chance(50) {
            self.statement();
        }
        self.results();
    }

    /// `let name = value;` with a new name.
    pub fn let_variable(&mut self, of: Length, value: &Expr) {
        let name = self.fresh("x");
        let ty = if self.draws.chance(15) { ": Tensor" } else { "" };
        self.line(&format!("let {name}{ty} = {};", value.text));
        self.declare(&name, Some(of), value);
    }

    /// A random statement, with the lines that it needs.
    pub fn statement(&mut self) {
        let of = self.length();
        match self.draws.below(21) {
            0 => {
                let value = self.vector(of, 3);
                self.let_variable(of, &value);
            }
            1 => {
                let (other, name) = (self.length(), self.fresh("x"));
                let scalar = self.fresh("s");
                let [a, b] = [self.vector(of, 2), self.scalar(2)];
                let third = self.fresh("x");
                let c = self.vector(other, 1);
                let texts = [&a, &b, &c].map(|value| value.text.clone());
                let [x, y, z] = texts;
                self.line(&format!("let ({name}, [{third}], {scalar}) = ({x}, [{z}], {y});"));
                self.declare(&name, Some(of), &a);
                self.declare(&scalar, None, &b);
                self.declare(&third, Some(other), &c);
            }
            2 => {
                let [a, b] = [self.vector(of, 2), self.vector(of, 1)];
                let names = ["x", "x"].map(|stem| self.fresh(stem));
                let ty = if self.draws.chance(30) { ": [Tensor; 2]" } else { "" };
                let [x, y] = &names;
                self.line(&format!("let [{x}, {y}]{ty} = [{}, {}];", a.text, b.text));
                self.declare(x, Some(of), &a);
                self.declare(y, Some(of), &b);
            }
            3 | 4 => self.split(of),
            5 | 6 => self.unrolled(of),
            7 => self.shadow(),
            8 | 9 => self.mutable(of),
            10 | 11 => self.block(of),
            12..=15 => self.branch(of),
            // A loop over children has no loop in it that ends by a value.
            17..=19 if !self.in_loop => self.repeat(of),
            16 => {
                let x = self.gates(of, 2);
                let names = ["x", "x"].map(|stem| self.fresh(stem));
                let [a, b] = &names;
                self.line(&format!("let ({a}, {b}) = halves({});", x.text));
                self.declare(a, Some(of), &x);
                self.declare(b, Some(of), &x);
            }
            _ => {
                let scalar = self.scalar(3);
                let name = self.fresh("s");
                self.line(&format!("let {name} = {};", scalar.text));
                self.declare(&name, None, &scalar);
            }
        }
    }

    /// `w.dot(x) + b`, which is as long as `parts` vectors.
    pub fn gates(&mut self, of: Length, parts: usize) -> Expr {
        let from = self.length();
        let x = self.vector(from, 2);
        let rows = format!("{parts} * {}", of.name());
        let w = self.param("w", &format!("{rows}, {}", from.name()));
        let bound = 1.5 * x.bound + 0.5;
        let (mut text, mut tight) = (format!("{w}.dot({})", x.text), Tight::Atom);
        if self.draws.chance(60) {
            text = format!("{text} + {}", self.param("b", &rows));
            tight = Tight::Sum;
        }
        let gates = Expr { text, tight, domain: x.domain, bound };
        gates.at_most(6.0)
    }

    /// `let [a, b, c] = (w.dot(x) + b).split();`, sometimes of concatenated vectors.
    fn split(&mut self, of: Length) {
        let parts = 2 + self.draws.below(3);
        let gates = self.gates(of, parts);
        let names: Vec<String> = (0..parts).map(|_| self.fresh("x")).collect();
        let pattern = names.join(", ");
        let whole = gates.within(Tight::Atom);
        match self.draws.below(3) {
            0 => self.line(&format!("let [{pattern}] = {whole}.split();")),
            1 => self.line(&format!("let [{pattern}] = {whole}.split::<{parts}>();")),
            _ => self.line(&format!("let [{pattern}]: [Tensor; {parts}] = {whole}.split();")),
        }
        for name in names {
            self.declare(&name, Some(of), &gates);
        }
    }

    /// `let x = x.tanh();`
    fn shadow(&mut self) {
        let of = self.length();
        // A field of a struct cannot be shadowed.
        let whole =
            |variable: &Variable| variable.of == Some(of) && !variable.name.contains(['.', '[']);
        let Some(x) = self.variable_such_that(whole) else {
            let value = self.vector(of, 2);
            return self.let_variable(of, &value);
        };
        let other = self.vector(of, 1);
        let value = Expr::binary(&x.method("tanh()", 1.0), "+", &other);
        self.line(&format!("let {} = {};", x.text, value.text));
        self.declare(&x.text, Some(of), &value);
    }

    /// A variable that is assigned to.
    fn mutable(&mut self, of: Length) {
        // A loop over children may change an outer variable only by adding to it.
        let (name, mut domain) = if !self.in_loop && self.draws.chance(30) {
            (self.mutable_param(of), Domain::Step)
        } else {
            let (name, value) = (self.fresh("m"), self.vector(of, 1));
            self.line(&format!("let mut {name} = {};", value.text));
            (name, value.domain)
        };
        for _ in 0..1 + self.draws.below(3) {
            let how = self.draws.below(6);
            if how == 0 {
                let number = self.number();
                self.line(&format!("{name} /= {};", number.text));
                continue;
            }
            let x = self.vector(of, 2).at_most(2.0);
            domain = domain.max(x.domain);
            let line = match how {
                1 => format!("{name} += {};", x.text),
                2 => format!("{name} -= {};", x.text),
                3 => format!("{name} *= {};", x.text),
                4 => format!("{name} = {name}.tanh() + {};", x.within(Tight::Product)),
                _ => format!("{name} = {} - {name};", x.within(Tight::Sum)),
            };
            self.line(&line);
        }
        self.line(&format!("{name} = {name}.tanh();"));
        self.declare(&name, Some(of), &Expr::atom("", domain, 1.0));
    }

    /// `let x = { .. };`
    fn block(&mut self, of: Length) {
        let name = self.fresh("x");
        let mut value = Expr::atom("", Domain::Step, 0.0);
        self.braces(&format!("let {name} = {{"), "};", |w| {
            let mark = w.scope.len();
            for _ in 0..1 + w.draws.below(2) {
                let of = w.length();
                if w.draws.chance(40) {
                    w.shadow();
                } else {
                    let value = w.vector(of, 2);
                    w.let_variable(of, &value);
                }
            }
            // The block ends in an expression, since clippy rejects a variable that is returned at
            // once.
            value = w.fold(of, mark).method("tanh()", 1.0);
            w.line(&value.text);
        });
        self.declare(&name, Some(of), &value);
    }

    /// A vector that reads every unread variable from index `mark` on.
    pub fn fold(&mut self, of: Length, mark: usize) -> Expr {
        let mut result: Option<Expr> = None;
        for index in self.unread(mark) {
            // An earlier expression may have read it.
            if self.scope[index].read {
                continue;
            }
            let from = self.scope[index].of;
            let variable = self.read(index);
            let next = match from {
                Some(from) if from != of => self.times(of, &variable, from),
                _ => variable,
            };
            result = Some(match result {
                None if from.is_some() => next,
                None => Expr::binary(&self.vector(of, 1), "*", &next),
                Some(before) => {
                    let operator = self.draws.choose(&["+", "-", "*", "+"]);
                    Expr::binary(&before, operator, &next).at_most(6.0)
                }
            });
        }
        result.unwrap_or_else(|| self.vector(of, 2))
    }
}
