//! Unrolled loops, and loops over children.

use super::expression::{Expr, Tight};
use super::function::{Domain, Length, Writer};

impl Writer {
    /// An unrolled loop that sums an expression over `count` children. `child` is the name of an
    /// iteration's child; the line `fetch` gathers it, if it is not gathered before.
    pub fn sum_over(&mut self, count: usize, fetch: Option<&str>, child: &str) {
        let of = self.length();
        let sum = self.fresh("a");
        let zeros = self.zeros(of);
        self.line(&format!("let mut {sum} = {};", zeros.text));
        self.braces(&format!("for k in 0..{count} {{"), "}", |w| {
            fetch.into_iter().for_each(|fetch| w.line(fetch));
            let mark = w.scope.len();
            w.declare_child([&format!("{child}.h"), &format!("{child}.c")], Domain::Vertex);
            let term = w.fold(of, mark);
            w.line(&format!("{sum} += {} * (k as f64 + 0.5);", term.within(Tight::Product)));
        });
        self.declare(&sum, Some(of), &Expr::atom("", Domain::Vertex, 3.0));
    }

    /// An array, and a loop over its elements or over its indices.
    pub fn unrolled(&mut self, of: Length) {
        let parts = self.fresh("parts");
        let parts = parts.as_str();
        let domain = if self.draws.chance(50) {
            let gates = self.gates(of, 3);
            self.line(&format!("let {parts} = {}.split::<3>();", gates.within(Tight::Atom)));
            gates.domain
        } else {
            let values = [2, 1, 0].map(|depth| self.vector(of, depth).at_most(2.0));
            let [a, b, c] = &values;
            self.line(&format!("let {parts} = [{}, {}, {}];", a.text, b.text, c.text));
            values.iter().map(|value| value.domain).min().unwrap_or(Domain::Step)
        };
        let sum = self.fresh("a");
        let init = if self.draws.chance(50) { self.zeros(of) } else { self.bias(of) };
        self.line(&format!("let mut {sum} = {};", init.text));
        let (head, part) = match self.draws.below(4) {
            0 => (format!("for part in {parts} {{"), "part".to_string()),
            1 => ("for k in 0..3 {".into(), format!("{parts}[k]")),
            2 => ("for k in 1..=2 {".into(), format!("{parts}[k]")),
            _ => {
                let size = self.size(of);
                let whole = self.fresh("x");
                self.line(&format!("let {whole} = concat({parts});"));
                let slice = format!("{whole}.slice(k * {size}..(k + 1) * {size})");
                ("for k in 0..2 {".into(), slice)
            }
        };
        let part = Expr::atom(part, domain, 2.0);
        let mut domain = domain;
        self.braces(&head, "}", |w| {
            let other = w.vector(of, 1).at_most(2.0);
            domain = domain.max(other.domain);
            let term = Expr::binary(&part, w.draws.choose(&["+", "-", "*"]), &other);
            let squashed = term.method("tanh()", 1.0);
            match w.draws.below(4) {
                0 => w.line(&format!("{sum} -= {};", squashed.text)),
                1 => w.line(&format!("{sum} = {sum}.tanh() + {};", squashed.text)),
                2 if head.contains(" k ") => {
                    w.line(&format!("{sum} += {} * (k as f64);", squashed.text));
                }
                _ => w.line(&format!("{sum} += {};", squashed.text)),
            }
        });
        self.declare(&sum, Some(of), &Expr::atom("", domain, 4.0));
    }

    /// A variable to which a loop over children adds up.
    fn accumulator(&mut self) -> (String, Length) {
        let of = self.length();
        let name = match self.draws.below(4) {
            0 => self.mutable_param(of),
            1 => {
                let (name, init) = (self.fresh("a"), self.vector(of, 1));
                self.line(&format!("let mut {name} = {};", init.text));
                name
            }
            _ => {
                let (name, init) = (self.fresh("a"), self.zeros(of));
                self.line(&format!("let mut {name} = {};", init.text));
                name
            }
        };
        (name, of)
    }

    /// `for child in gather_all::<Node>() { .. }`.
    pub fn gather_all(&mut self) {
        let count = 1 + self.draws.below(2);
        let sums: Vec<(String, Length)> = (0..count).map(|_| self.accumulator()).collect();
        // A count as a number, and a sum of scalar tensors.
        let count = self.draws.chance(25).then(|| self.fresh("n"));
        let total = self.draws.chance(25).then(|| (self.fresh("t"), self.scalar(0)));
        match (&count, &total) {
            (Some(count), Some((total, init))) => {
                self.line(&format!("let (mut {count}, mut {total}) = (1.0, {});", init.text));
            }
            (Some(count), None) => self.line(&format!("let mut {count} = 1.0;")),
            (None, Some((total, init))) => self.line(&format!("let mut {total} = {};", init.text)),
            (None, None) => {}
        }

        let child = self.fresh("v");
        let (head, fields) = match self.draws.below(4) {
            0 => (format!("for {child} in gather_all::<Node>() {{"), None),
            1 => ("for Node { h, c } in gather_all() {".into(), Some(["h", "c"])),
            2 => ("for Node { c, h } in gather_all::<Node>() {".into(), Some(["h", "c"])),
            _ => (format!("for {child} in gather_all::<Node>() {{"), None),
        };
        let fields = match fields {
            Some(fields) => fields.map(String::from),
            None => ["h", "c"].map(|field| format!("{child}.{field}")),
        };
        self.in_loop = true;
        self.braces(&head, "}", |w| {
            let mark = w.scope.len();
            w.declare_child([&fields[0], &fields[1]], Domain::Edge);
            if w.draws.chance(60) {
                w.statement();
            }
            if let Some((name, _)) = &total {
                let term = w.scalar(2);
                w.line(&format!("{name} += {};", term.at_most(1.0).text));
            }
            for (name, of) in &sums {
                // The first accumulator adds up everything that is still unread.
                let term = w.fold(*of, mark).at_most(3.0);
                let line = match w.draws.below(8) {
                    0 => format!("{name} -= {};", term.text),
                    1 => format!("{name} = {name} + {};", term.within(Tight::Product)),
                    2 => format!("{name} = {} + {name};", term.text),
                    3 => {
                        let other = w.vector(*of, 1).at_most(2.0).within(Tight::Product);
                        format!("{name} = {} + {name} - {other};", term.text)
                    }
                    4 => {
                        w.line(&format!("{name} += {};", term.text));
                        format!("{name} -= {};", w.vector(*of, 1).at_most(2.0).text)
                    }
                    5 => format!("{name} = {name}.maximum({});", term.text),
                    6 => format!("{name} = {name}.minimum({});", term.text),
                    _ => format!("{name} += {};", term.text),
                };
                w.line(&line);
            }
            if let Some(count) = &count {
                w.line(&format!("{count} += 1.0;"));
            }
        });
        self.in_loop = false;
        for (name, of) in &sums {
            self.declare(name, Some(*of), &Expr::atom("", Domain::Vertex, 6.0));
        }
        if let Some((name, _)) = &total {
            self.declare(name, None, &Expr::atom("", Domain::Vertex, 4.0));
        }
        if let Some(count) = &count {
            let (name, (sum, of)) = (self.fresh("x"), &sums[0]);
            self.line(&format!("let {name} = {sum} / {count};"));
            self.scope.iter_mut().for_each(|v| v.read |= v.name == *sum);
            self.declare(&name, Some(*of), &Expr::atom("", Domain::Vertex, 4.0));
        }
    }
}
