//! Random bodies of functions, whose parts are written at several levels.

use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom as _;
use rand::{Rng, RngExt as _};

use crate::layers::{Fragment, Layers};

mod statements;

/// The types of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ty {
    Tensor,
    /// `f64`, known when the function is compiled.
    Number,
    /// `usize`, 0 or 1.
    Size,
    /// A tuple of two tensors.
    Pair,
    /// An array of two tensors.
    Array,
}

impl Ty {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Ty::Tensor => "Tensor",
            Ty::Number => "f64",
            Ty::Size => "usize",
            Ty::Pair => "(Tensor, Tensor)",
            Ty::Array => "[Tensor; 2]",
        }
    }
}

/// A function that may be called.
#[derive(Clone, Debug)]
pub(crate) struct Callable {
    pub(crate) path: String,
    pub(crate) arguments: Vec<Ty>,
    pub(crate) result: Ty,
}

struct Variable {
    name: &'static str,
    level: usize,
    ty: Ty,
    is_mutable: bool,
}

/// The names of variables: few, so that they clash, and among them those of functions, of edb's ops, and such as edb
/// gives where names clash.
const NAMES: [&str; 16] =
    ["a", "a", "a", "b", "b", "x", "y", "k", "a_1", "x_1", "A", "gate", "mse", "z", "type", "sum"];

const NUMBERS: [&str; 7] = ["0.5", "1.5", "2.0", "0.25", "3.0", "1.0", "-0.75"];

/// Writes the body of a function.
pub(crate) struct Body<'a> {
    pub(crate) rng: &'a mut ChaCha8Rng,
    pub(crate) layers: Layers,
    pub(crate) callables: &'a [Callable],
    /// Whether there are `cfg`s within the body, which edb refuses.
    pub(crate) has_cfgs: bool,
    /// Whether names that need no `r#` have it, now and then.
    has_raw: bool,
    variables: Vec<Variable>,
    /// How many more statements there may be.
    budget: usize,
}

impl<'a> Body<'a> {
    pub(crate) fn new(
        rng: &'a mut ChaCha8Rng,
        macros: usize,
        callables: &'a [Callable],
        has_cfgs: bool,
    ) -> Self {
        let has_raw = rng.random_bool(0.1);
        let (layers, variables) = (Layers::new(macros), Vec::new());
        Self { rng, layers, callables, has_cfgs, has_raw, variables, budget: 10 }
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.rng.random_bool(probability)
    }

    /// Any of these.
    pub(crate) fn any<T: Copy>(&mut self, of: &[T]) -> T {
        *of.choose(self.rng).unwrap()
    }

    /// An attribute, here and there.
    fn cfg(&mut self) -> &'static str {
        if !self.has_cfgs || !self.chance(0.25) {
            return "";
        }
        self.any(&["#[cfg(any())] ", "#[cfg(all())] "])
    }

    /// Text of a lower level, written at this one.
    fn lower(
        &mut self,
        level: usize,
        fragment: Fragment,
        write: impl FnOnce(&mut Self, usize) -> String,
    ) -> String {
        let lowest = (0..level).find(|&from| self.sees_tensors(from)).unwrap_or_default();
        let from = self.rng.random_range(lowest..level);
        let text = write(self, from);
        self.layers.pass(from, level, fragment, text)
    }

    /// Whether to write at a lower level: where there is nothing to compute with, there is nothing to mistake.
    fn is_lower(&mut self, level: usize, probability: f64) -> bool {
        level > 0 && self.sees_tensors(level - 1) && self.chance(probability)
    }

    fn sees_tensors(&self, level: usize) -> bool {
        !self.visible(level, |variable| variable.ty == Ty::Tensor).is_empty()
    }

    /// A new variable, which the pattern has not yet, among `new`: its name, and how it is written.
    fn name(&mut self, level: usize, ty: Ty, new: &mut Vec<Variable>) -> (&'static str, String) {
        loop {
            let name = self.any(&NAMES);
            let from =
                if level > 0 && self.chance(0.4) { self.rng.random_range(0..level) } else { level };
            if new.iter().all(|variable| (variable.name, variable.level) != (name, from)) {
                new.push(Variable { name, level: from, ty, is_mutable: false });
                let text = self.spelled(name);
                return (name, self.layers.pass(from, level, Fragment::Ident, text));
            }
        }
    }

    fn spelled(&mut self, name: &str) -> String {
        match name == "type" || self.has_raw && self.chance(0.2) {
            true => format!("r#{name}"),
            false => name.to_owned(),
        }
    }

    /// An argument of the function: its pattern and type.
    pub(crate) fn argument(&mut self, ty: Ty, all: &mut Arguments) -> String {
        let level = self.layers.top();
        let text = if ty == Ty::Pair && self.chance(0.5) {
            let parts = [(); 2].map(|()| self.name(level, Ty::Tensor, &mut all.0).1);
            format!("({})", parts.join(", "))
        } else {
            self.name(level, ty, &mut all.0).1
        };
        format!("{text}: {}", ty.text())
    }

    /// The arguments can be used from here.
    pub(crate) fn declare(&mut self, arguments: Arguments) {
        self.variables.extend(arguments.0);
    }

    /// A pattern for what is pulled.
    pub(crate) fn pulled(&mut self) -> String {
        let (level, mut new) = (self.layers.top(), Vec::new());
        let mut fields = ["x", "y"].map(|field| {
            let (name, text) = self.name(level, Ty::Tensor, &mut new);
            match name == field && !text.starts_with("r#") {
                true => format!("#[shape()] {text}"),
                false => format!("#[shape()] {field}: {text}"),
            }
        });
        if self.chance(0.3) {
            fields.reverse();
        }
        self.variables.extend(new);
        fields.join(", ")
    }

    /// The field that is pushed.
    pub(crate) fn pushed(&mut self, also: &[Callable]) -> String {
        let level = self.layers.top();
        let short =
            self.visible(level, |variable| variable.name == "z" && variable.ty == Ty::Tensor);
        if let Some(&short) = short.first().filter(|_| also.is_empty() && self.rng.random_bool(0.3))
        {
            let Variable { name, level: from, .. } = self.variables[short];
            return self.layers.pass(from, level, Fragment::Ident, name.to_owned());
        }
        let mut value = self.expr(level, Ty::Tensor, 3);
        // What no one reads may be wrong unseen.
        for _ in 0..3 {
            if let Some(variable) = self.variable(level, Ty::Tensor) {
                value = format!("({value}) * 0.75 + {variable}");
            }
        }
        for callable in also {
            if self.can_call(level, callable) {
                let call = self.call(level, callable, 1);
                value = format!("({value}) + {call}");
            }
        }
        let before = if self.has_cfgs { "#[cfg(any())] z: scalar(100.0), " } else { "" };
        format!("{before}z: {value}")
    }

    /// The variables that text of a level can name: their places.
    fn visible(&self, level: usize, of: impl Fn(&Variable) -> bool) -> Vec<usize> {
        let mut seen = Vec::new();
        let mut found = Vec::new();
        for (place, variable) in self.variables.iter().enumerate().rev() {
            let is_new = !seen.contains(&(variable.name, variable.level));
            seen.push((variable.name, variable.level));
            if is_new && variable.level <= level && of(variable) {
                found.push(place);
            }
        }
        found
    }

    /// A use of any variable of a type.
    fn variable(&mut self, level: usize, ty: Ty) -> Option<String> {
        let places = self.visible(level, |variable| variable.ty == ty);
        let place = *places.choose(self.rng)?;
        let Variable { name, level: from, .. } = self.variables[place];
        let text = self.spelled(name);
        Some(self.layers.pass(from, level, Fragment::Ident, text))
    }

    pub(crate) fn expr(&mut self, level: usize, ty: Ty, depth: usize) -> String {
        if self.is_lower(level, 0.2) {
            let fragment = if self.chance(0.7) { Fragment::Expr } else { Fragment::Tokens };
            return self.lower(level, fragment, |body, from| {
                let text = body.expr(from, ty, depth);
                // As tokens, it would be a statement.
                let as_statement = text.starts_with("if") || text.starts_with('{');
                if fragment == Fragment::Tokens && as_statement {
                    format!("({text})")
                } else {
                    text
                }
            });
        }
        match ty {
            Ty::Tensor => self.tensor(level, depth),
            Ty::Number => self.number(level, depth),
            Ty::Size => {
                let variable = self.variable(level, ty);
                variable.unwrap_or_else(|| self.any(&["0", "1"]).to_owned())
            }
            Ty::Pair | Ty::Array => {
                if let Some(variable) =
                    self.variable(level, ty).filter(|_| self.rng.random_bool(0.5))
                {
                    return variable;
                }
                let parts = [(); 2].map(|()| {
                    let cfg = if ty == Ty::Array { self.cfg() } else { "" };
                    let part = self.expr(level, Ty::Tensor, depth.saturating_sub(1));
                    match cfg {
                        "" => part,
                        // One element is left out, and another one there for it.
                        cfg if cfg.contains("any") => format!("{cfg}({part}), {part}"),
                        cfg => format!("{cfg}({part})"),
                    }
                });
                match ty {
                    Ty::Pair => format!("({})", parts.join(", ")),
                    _ => format!("[{}]", parts.join(", ")),
                }
            }
        }
    }

    fn number(&mut self, level: usize, depth: usize) -> String {
        match self.rng.random_range(0..6) {
            0 | 1 => {
                if let Some(variable) = self.variable(level, Ty::Number) {
                    return variable;
                }
            }
            2 => {
                if let Some(size) = self.variable(level, Ty::Size) {
                    return format!("({size} as f64)");
                }
            }
            3 if depth > 0 => {
                let [a, b] = [(); 2].map(|()| self.expr(level, Ty::Number, depth - 1));
                let op = self.any(&["+", "-", "*"]);
                return if self.chance(0.5) {
                    format!("({a} {op} {b})")
                } else {
                    format!("{a} {op} {b}")
                };
            }
            4 => {
                let of = |callable: &&Callable| callable.result == Ty::Number;
                if let Some(callable) =
                    self.callables.iter().filter(of).collect::<Vec<_>>().choose(self.rng)
                    && self.can_call(level, callable)
                {
                    return self.call(level, callable, 0);
                }
            }
            _ => {}
        }
        let number = self.any(&NUMBERS).to_owned();
        if self.is_lower(level, 0.3) {
            return self.lower(level, Fragment::Literal, |_, _| number);
        }
        if number.starts_with('-') { format!("({number})") } else { number }
    }

    fn tensor(&mut self, level: usize, depth: usize) -> String {
        let choice = if depth == 0 { 0 } else { self.rng.random_range(0..20) };
        match choice {
            0..5 => self.some_tensor(level, depth),
            5..11 => {
                let types = self.any(&[
                    (Ty::Tensor, Ty::Tensor),
                    (Ty::Tensor, Ty::Tensor),
                    (Ty::Tensor, Ty::Number),
                    (Ty::Number, Ty::Tensor),
                ]);
                let a = self.expr(level, types.0, depth - 1);
                let b = self.expr(level, types.1, depth - 1);
                let op = self.any(&["+", "-", "*"]);
                if self.chance(0.4) { format!("({a} {op} {b})") } else { format!("{a} {op} {b}") }
            }
            11 => {
                let a = self.expr(level, Ty::Tensor, depth - 1);
                let number = self.any(&["2.0", "0.5", "3.0"]);
                format!("{a} / {number}")
            }
            12 => format!("-{}", self.expr(level, Ty::Tensor, depth - 1)),
            13 | 14 => {
                let receiver = self.receiver(level, depth - 1);
                let method = self.any(&[
                    "tanh()",
                    "abs()",
                    "sigmoid()",
                    "square()",
                    "relu()",
                    "clamp(-1.5, 1.5).exp()",
                ]);
                format!("{receiver}.{method}")
            }
            15 => {
                let receiver = self.receiver(level, depth - 1);
                let other = self.expr(level, Ty::Tensor, depth - 1);
                let method = self.any(&["maximum", "minimum"]);
                format!("{receiver}.{method}({other})")
            }
            16 | 17 => {
                let of = |callable: &&Callable| callable.result == Ty::Tensor;
                let all: Vec<&Callable> = self.callables.iter().filter(of).collect();
                match all.choose(self.rng) {
                    Some(callable) if self.can_call(level, callable) => {
                        self.call(level, callable, depth - 1)
                    }
                    _ => self.some_tensor(level, depth),
                }
            }
            18 => self.within(|body| {
                let statements = body.statements(level, 2);
                let value = body.tail(level, depth - 1);
                format!("{{ {statements}{value} }}")
            }),
            _ => {
                let condition = self.condition(level);
                let arms = [(); 2].map(|()| {
                    self.within(|body| {
                        let statements = body.statements(level, 1);
                        let value = body.tail(level, depth - 1);
                        format!("{{ {statements}{value} }}")
                    })
                });
                format!("if {condition} {} else {}", arms[0], arms[1])
            }
        }
    }

    /// An expression at the end of a block.
    pub(crate) fn tail(&mut self, level: usize, depth: usize) -> String {
        let text = self.expr(level, Ty::Tensor, depth);
        // What a macro is called with may begin so, too.
        match text.starts_with("if") || text.starts_with(['{', '$']) && text.contains(' ') {
            true => format!("({text})"),
            false => text,
        }
    }

    /// What a method is called of: an expression that needs no parentheses, or an argument of the macro, which has none.
    fn receiver(&mut self, level: usize, depth: usize) -> String {
        if self.is_lower(level, 0.4) {
            return self
                .lower(level, Fragment::Expr, |body, from| body.expr(from, Ty::Tensor, depth));
        }
        format!("({})", self.expr(level, Ty::Tensor, depth))
    }

    /// A variable, a part of one, or a constant.
    fn some_tensor(&mut self, level: usize, depth: usize) -> String {
        let found = match self.rng.random_range(0..8) {
            0 => self.variable(level, Ty::Pair).map(|pair| pair + self.any(&[".0", ".1"])),
            1 => {
                let array = self.variable(level, Ty::Array);
                array.map(|array| format!("{array}[{}]", self.expr(level, Ty::Size, 0)))
            }
            _ => None,
        };
        let found = found.or_else(|| self.variable(level, Ty::Tensor));
        found.unwrap_or_else(|| format!("scalar({})", self.expr(level, Ty::Number, depth.min(1))))
    }

    /// Whether text of a level means this function by its name, and no variable.
    fn can_call(&self, level: usize, callable: &Callable) -> bool {
        self.variables.iter().all(|of| of.name != callable.path || of.level != level)
    }

    fn call(&mut self, level: usize, callable: &Callable, depth: usize) -> String {
        let Callable { path, arguments, .. } = callable;
        let path = if self.is_lower(level, 0.2) && self.can_call(0, callable) {
            self.layers.pass(0, level, Fragment::Path, path.clone())
        } else {
            path.clone()
        };
        let mut written: Vec<String> =
            arguments.iter().map(|&ty| self.expr(level, ty, depth)).collect();
        if self.has_cfgs && self.chance(0.3) {
            let place = self.rng.random_range(0..=written.len());
            written.insert(place, "#[cfg(any())] 1.0".into());
        }
        format!("{path}({})", written.join(", "))
    }

    fn condition(&mut self, level: usize) -> String {
        if self.is_lower(level, 0.2) {
            return self.lower(level, Fragment::Expr, |body, from| body.condition(from));
        }
        let left = self.expr(level, Ty::Tensor, 1);
        let left = if left.contains("if ") { format!("({left})") } else { left };
        let op = self.any(&["<", ">", "<=", ">="]);
        let number = self.any(&["0.137", "0.591", "1.173"]);
        let first = format!("{left} {op} {number}");
        match self.rng.random_range(0..6) {
            0 => format!("!({first})"),
            1 => format!("{first} && {}", self.condition(level)),
            2 => format!("{first} || {}", self.condition(level)),
            _ => first,
        }
    }
}

/// The arguments of a function.
#[derive(Default)]
pub(crate) struct Arguments(Vec<Variable>);

/// A number of macros: mostly one.
pub(crate) fn macros(rng: &mut impl Rng) -> usize {
    *[0, 1, 1, 1, 2, 2, 3].choose(rng).unwrap()
}
