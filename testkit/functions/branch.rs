//! Branches and loops by values, up to three levels deep.

use super::expression::Expr;
use super::function::{Domain, Length, Writer};

/// How deep branches are nested at most.
const DEEPEST: usize = 3;

/// The variables that arms read: what was there before the branch.
struct Outer {
    of: Length,
    vectors: [Expr; 2],
    scalars: Vec<Expr>,
    /// The variable that they assign to, if any.
    assigned: Option<String>,
}

impl Writer {
    /// `let x = if .. { .. } else { .. };` or a `match`, whose arms may assign to a variable.
    pub fn branch(&mut self, of: Length) {
        let vectors = [self.named(of), self.named(of)];
        let scalars = (0..2).map(|_| {
            let (value, name) = (self.scalar(1), self.fresh("s"));
            self.line(&format!("let {name} = {};", value.text));
            self.declare(&name, None, &value);
            Expr::atom(name, value.domain, value.bound)
        });
        let scalars: Vec<Expr> = scalars.collect();
        // A loop over children may change an outer variable only by adding to it.
        let assigned = (!self.in_loop && self.draws.chance(50)).then(|| {
            let name = self.fresh("m");
            self.line(&format!("let mut {name} = {};", vectors[1].text));
            name
        });
        let of_all = vectors.iter().chain(&scalars).map(|value| value.domain);
        let domain = of_all.max().unwrap_or(Domain::Step);
        let name = self.fresh("x");
        let outer = Outer { of, vectors, scalars, assigned };
        let chosen = self.draws.chance(25).then(|| self.index_of(of));
        match chosen {
            Some((index, domain_of_index)) => {
                self.braces(&format!("let {name} = match {index} {{"), "};", |w| {
                    for pattern in ["Index(0)", "Index(1) | Index(2)", "_"] {
                        w.braces(&format!("{pattern} => {{"), "}", |w| w.arm(&outer, 1));
                    }
                });
                let domain = domain.max(domain_of_index);
                self.declare(&name, Some(of), &Expr::atom("", domain, 3.0));
            }
            None => {
                self.if_else(&format!("let {name} = "), ";", &outer, 1);
                self.declare(&name, Some(of), &Expr::atom("", domain, 3.0));
            }
        }
        if let Some(assigned) = &outer.assigned {
            self.line(&format!("{assigned} = {assigned}.tanh();"));
            self.declare(assigned, Some(of), &Expr::atom("", domain, 1.0));
        }
    }

    /// A loop that a vector and a counter end, with what arms may contain in it.
    pub fn repeat(&mut self, of: Length) {
        let vectors = [self.named(of), self.named(of)];
        let (value, name) = (self.scalar(1), self.fresh("s"));
        self.line(&format!("let {name} = {};", value.text));
        self.declare(&name, None, &value);
        let scalars = vec![Expr::atom(name, value.domain, value.bound)];
        let assigned = self.fresh("m");
        self.line(&format!("let mut {assigned} = {};", vectors[0].text));
        let outer = Outer { of, vectors, scalars, assigned: Some(assigned.clone()) };
        self.steps(&outer, 1);
        self.line(&format!("{assigned} = {assigned}.tanh();"));
        self.declare(&assigned, Some(of), &Expr::atom("", Domain::Vertex, 1.0));
    }

    /// `while .. { .. }` or `loop { .. if .. { break; } .. }`, which changes the assigned variable.
    fn steps(&mut self, outer: &Outer, depth: usize) {
        let Some(name) = outer.assigned.clone() else { return };
        let count = self.fresh("n");
        self.line(&format!("let mut {count} = scalar(0.0);"));
        let most = self.draws.choose(&["1.5", "2.5", "3.5"]);
        let bound = self.draws.choose(&["0.4", "-0.2", "0.9"]);
        let body = |w: &mut Self| {
            let x = match w.draws.chance(60) {
                true => w.dear(outer, &name),
                false => w.cheap(outer),
            };
            // How often a vertex draws depends on how long it goes on.
            let x = match w.draws.chance(30) {
                true => {
                    let draws = ["dropout(0.25)", "variational_dropout(0.1)", "noise(0.1)"];
                    format!("({name} + {x}).{}", w.draws.choose(&draws))
                }
                false => x,
            };
            if w.draws.chance(20) {
                let decides = w.draws.choose(&["argmax", "sample"]);
                w.line(&format!("loss({name}.pick({name}.{decides}()));"));
            }
            w.line(&format!("{name} = (0.7 * {name} + {x}).tanh();"));
            if depth < DEEPEST && w.draws.chance(40) {
                match w.draws.chance(30) {
                    true => w.steps(outer, depth + 1),
                    false => {
                        let inner = w.fresh("x");
                        w.if_else(&format!("let {inner} = "), ";", outer, depth + 1);
                        w.line(&format!("{name} = {name} * {inner}.sigmoid();"));
                    }
                }
            }
            if w.draws.chance(25) {
                w.line(&format!("loss(0.1 * {name}.sum());"));
            }
        };
        if self.draws.chance(60) {
            let condition = format!("{count} < {most} && {name}.max() < {bound}");
            self.braces(&format!("while {condition} {{"), "}", |w| {
                body(w);
                w.line(&format!("{count} += 1.0;"));
            });
        } else {
            let before = self.draws.chance(50);
            self.braces("loop {", "}", |w| {
                let seen = w.fresh("s");
                w.line(&format!("let {seen} = {name}.max();"));
                w.braces(&format!("if {count} > {most} || {seen} > {bound} {{"), "}", |w| {
                    if before {
                        w.line(&format!("{name} = {name} * {seen}.sigmoid();"));
                    }
                    w.line("break;");
                });
                body(w);
                w.line(&format!("{count} += 1.0;"));
            });
        }
    }

    /// A vector that takes a product: a loop, or an arm that contains it, runs apart.
    fn dear(&mut self, outer: &Outer, of: &str) -> String {
        let of_length = outer.of.name();
        let w = self.param("w", &format!("{of_length}, {of_length}"));
        format!("{w}.dot({of}).tanh()")
    }

    /// A vector that has a name of its own.
    fn named(&mut self, of: Length) -> Expr {
        let value = self.vector(of, 2).at_most(2.0);
        let name = self.fresh("x");
        self.line(&format!("let {name} = {};", value.text));
        self.declare(&name, Some(of), &value);
        Expr::atom(name, value.domain, value.bound)
    }

    /// An index of four or more.
    fn index_of(&mut self, of: Length) -> (String, Domain) {
        let x = self.vector(of, 1);
        let name = self.fresh("i");
        self.line(&format!("let {name} = concat([{}, zeros(3)]).argmax();", x.text));
        (name, x.domain.max(Domain::Vertex))
    }

    /// `if .. { .. } else if .. { .. } else { .. }`, after `before` and in front of `after`.
    fn if_else(&mut self, before: &str, after: &str, outer: &Outer, depth: usize) {
        let condition = self.condition(outer);
        self.line(&format!("{before}if {condition} {{"));
        self.indented(|w| w.arm(outer, depth));
        if self.draws.chance(30) {
            let condition = self.condition(outer);
            self.line(&format!("}} else if {condition} {{"));
            self.indented(|w| w.arm(outer, depth));
        }
        self.line("} else {");
        self.indented(|w| w.arm(outer, depth));
        self.line(&format!("}}{after}"));
    }

    /// The lines of an arm, which end in its value.
    fn arm(&mut self, outer: &Outer, depth: usize) {
        if let Some(name) = &outer.assigned
            && self.draws.chance(60)
        {
            let x = self.cheap(outer);
            let operator = self.draws.choose(&["=", "+=", "-=", "*="]);
            self.line(&format!("{name} {operator} {x};"));
        }
        if depth < DEEPEST && self.draws.chance(35) {
            let name = self.fresh("x");
            self.if_else(&format!("let {name} = "), ";", outer, depth + 1);
            let x = self.cheap(outer);
            self.line(&format!("({name} + {x}).tanh()"));
            return;
        }
        let x = self.cheap(outer);
        self.line(&x);
    }

    /// A vector from what is outside, mostly by ops that are cheap. Some are no numbers, or
    /// infinite, where the arm is not taken.
    fn cheap(&mut self, outer: &Outer) -> String {
        let first = self.draws.below(2);
        let [x, y] = [first, 1 - first].map(|which| outer.vectors[which].text.clone());
        // In a loop over children, both arms are computed for each of them.
        if !self.in_loop && self.draws.chance(8) {
            return self.dear(outer, &x);
        }
        let scalar = outer.scalars[self.draws.below(outer.scalars.len())].text.clone();
        match self.draws.below(9) {
            0 => format!("{x}.tanh()"),
            1 => format!("({x} * {y}).sigmoid()"),
            2 => format!("({x} - {y}).tanh() * {scalar}.tanh()"),
            3 => format!("{x}.softmax() + 0.5 * {y}.tanh()"),
            4 => format!("({x}.square() + 0.5).ln().tanh()"),
            5 => format!("({x} / ({y}.norm() + 0.5)).tanh()"),
            6 => format!("{x}.relu().minimum({y}).tanh()"),
            7 => format!("({x} - {y}.max()).exp().tanh()"),
            _ => format!("({x}.sum() + {scalar}).tanh() * {y}.sigmoid()"),
        }
    }

    /// A condition of what is outside.
    fn condition(&mut self, outer: &Outer) -> String {
        let compare = |w: &mut Self| {
            let x = outer.vectors[w.draws.below(outer.vectors.len())].text.clone();
            let scalar = outer.scalars[w.draws.below(outer.scalars.len())].text.clone();
            let operator = w.draws.choose(&["<", "<=", ">", ">="]);
            let number = w.draws.choose(&["0.1", "-0.35", "0.2"]);
            match w.draws.below(3) {
                0 => format!("{scalar} {operator} {number}"),
                1 => format!("{number} {operator} {x}.sum()"),
                _ => format!("{x}.max() {operator} {scalar}"),
            }
        };
        let first = compare(self);
        match self.draws.below(6) {
            0 => format!("{first} && {}", compare(self)),
            1 => format!("{first} || {}", compare(self)),
            2 => format!("!({first} || {})", compare(self)),
            _ => first,
        }
    }
}
